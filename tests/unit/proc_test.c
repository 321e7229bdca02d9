/* proc: what a pipeline's statuses, stderr and end are, with shells as stages */
#include "proc.h"
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STAGES_MAX = 3, TEXT_MAX = 1 << 20 };

struct trial {
	struct pl_stage stages[STAGES_MAX];
	const char *argv[STAGES_MAX][4];
	size_t n, culprit;
	int result, status, out;
	struct pl_err err;
	char text[256]; /* what the last stage wrote to a file of ours */
};

static void prepare(struct trial *t, const char *const *scripts)
{
	memset(t, 0, sizeof *t);
	for (; scripts[t->n]; t->n++) {
		const char *const argv[] = {"sh", "-c", scripts[t->n], NULL};
		memcpy(t->argv[t->n], argv, sizeof argv);
		t->stages[t->n] =
			(struct pl_stage){.name = "sh", .path = "/bin/sh", .argv = t->argv[t->n]};
	}
	t->out = memfd_create("out", MFD_CLOEXEC);
}

static void release(struct trial *t)
{
	for (size_t i = 0; i < t->n; i++)
		pl_buf_free(&t->stages[i].err_text);
	close(t->out);
}

/* Runs sh -c SCRIPT | … with nothing to read and checks that nothing is left of it. */
static void run(struct trial *t, uint64_t deadline, const char *const *scripts)
{
	prepare(t, scripts);
	t->result = pl_proc_pipeline(t->stages, t->n, -1, t->out, false, deadline, &t->err);
	t->status = pl_proc_status(t->stages, t->n, &t->culprit);
	ssize_t k = pread(t->out, t->text, sizeof t->text - 1, 0);
	t->text[k > 0 ? k : 0] = '\0';
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

#define SCRIPTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static size_t open_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	size_t n = 0;

	while (folder && readdir(folder))
		n++;
	closedir(folder);
	return n;
}

static bool has(const struct pl_stage *stage, const char *word)
{
	return stage->err_text.p && strstr(stage->err_text.p, word);
}

TEST(bytes_pass_through_all_stages)
{
	struct trial t;

	run(&t, 0, SCRIPTS("echo one; echo two", "sed s/o/0/", "cat; echo end"));
	CHECK_U64((uint64_t)t.result, 0);
	CHECK_U64((uint64_t)t.status, 0);
	CHECK_U64(t.culprit, 3);
	CHECK_STR(t.text, strlen(t.text), "0ne\ntw0\nend\n");
	release(&t);
}

TEST(stdin_is_what_the_caller_gives)
{
	struct trial t;
	int ends[2];

	CHECK(pipe(ends) == 0 && write(ends[1], "given\n", 6) == 6);
	close(ends[1]);
	prepare(&t, SCRIPTS("cat"));
	CHECK(pl_proc_pipeline(t.stages, 1, ends[0], t.out, false, 0, &t.err) == 0);
	close(ends[0]);
	CHECK(pread(t.out, t.text, sizeof t.text, 0) == 6 && memcmp(t.text, "given\n", 6) == 0);
	release(&t);
}

TEST(the_leftmost_failure_is_the_status)
{
	struct trial t;

	run(&t, 0, SCRIPTS("exit 5", "cat; exit 4"));
	CHECK_U64((uint64_t)t.status, 5);
	CHECK_U64(t.culprit, 0);
	CHECK(t.stages[0].failed && t.stages[1].failed);
	release(&t);
	run(&t, 0, SCRIPTS("echo x", "cat >&2; exit 4", "cat"));
	CHECK_U64((uint64_t)t.status, 4);
	CHECK_U64(t.culprit, 1);
	release(&t);
}

TEST(a_broken_off_stream_is_a_consequence)
{
	struct trial t;

	run(&t, 0, SCRIPTS("exit 2", "cat; echo cut off >&2; exit 3"));
	CHECK_U64((uint64_t)t.status, 2);
	CHECK(!t.stages[1].failed && has(&t.stages[1], "cut off"));
	release(&t);
	/* without a failure before it, it is the cause */
	run(&t, 0, SCRIPTS("exit 0", "cat; exit 3"));
	CHECK_U64((uint64_t)t.status, 3);
	CHECK_U64(t.culprit, 1);
	release(&t);
}

TEST(a_lost_reader_is_no_failure)
{
	struct trial t;

	run(&t, 0, SCRIPTS("exec yes", "exit 0"));
	CHECK_U64((uint64_t)t.result, 0);
	CHECK_U64((uint64_t)t.status, 0);
	CHECK(WIFSIGNALED(t.stages[0].status) && WTERMSIG(t.stages[0].status) == SIGPIPE);
	release(&t);
	run(&t, 0, SCRIPTS("exec yes", "exit 4"));
	CHECK_U64((uint64_t)t.status, 4);
	CHECK_U64(t.culprit, 1);
	release(&t);
}

TEST(a_lost_reader_of_the_last_is_told)
{
	struct trial t;
	int ends[2];

	CHECK(pipe(ends) == 0);
	close(ends[0]);
	prepare(&t, SCRIPTS("exec yes"));
	CHECK(pl_proc_pipeline(t.stages, 1, -1, ends[1], false, 0, &t.err) == 0);
	close(ends[1]);
	CHECK_U64((uint64_t)pl_proc_status(t.stages, 1, &t.culprit), 128 + SIGPIPE);
	CHECK(!t.stages[0].failed);
	release(&t);
}

TEST(a_signal_of_its_own_is_70)
{
	struct trial t;

	run(&t, 0, SCRIPTS("kill -SEGV $$", "cat; exit 3"));
	CHECK_U64((uint64_t)t.status, 70);
	CHECK_U64(t.culprit, 0);
	CHECK(WIFSIGNALED(t.stages[0].status) && WTERMSIG(t.stages[0].status) == SIGSEGV);
	release(&t);
	run(&t, 0, SCRIPTS("kill -TERM $$", "cat"));
	CHECK_U64((uint64_t)t.status, 70);
	release(&t);
}

TEST(a_failed_check_ends_nobody)
{
	struct trial t;

	/* the reader outlives the grace that a failure would give it */
	run(&t, 0, SCRIPTS("exit 1", "sleep 0.4; echo whole"));
	CHECK_U64((uint64_t)t.status, 1);
	CHECK(t.stages[1].status == 0);
	CHECK_STR(t.text, strlen(t.text), "whole\n");
	release(&t);
}

TEST(a_failure_ends_the_others)
{
	struct trial t;

	run(&t, 0, SCRIPTS("exec sleep 1000", "exit 4"));
	CHECK_U64((uint64_t)t.status, 4);
	CHECK(WIFSIGNALED(t.stages[0].status) && WTERMSIG(t.stages[0].status) == SIGTERM);
	CHECK(!t.stages[0].failed);
	release(&t);
}

TEST(who_ignores_term_is_killed)
{
	struct trial t;

	run(&t, 0, SCRIPTS("trap '' TERM; while :; do sleep 0.05; done", "exit 4"));
	CHECK_U64((uint64_t)t.status, 4);
	CHECK(WIFSIGNALED(t.stages[0].status) && WTERMSIG(t.stages[0].status) == SIGKILL);
	release(&t);
}

TEST(grandchildren_end_with_the_group)
{
	struct trial t;
	int life[2];
	char byte;

	/* it would write when it is left alive; when it is gone, nobody holds the pipe */
	CHECK(pipe(life) == 0 && dup2(life[1], 9) == 9);
	close(life[1]);
	fcntl(life[0], F_SETFD, FD_CLOEXEC);
	run(&t, 0, SCRIPTS("trap '' TERM; (sleep 5; echo x >&9) & trap - TERM; wait", "exit 4"));
	close(9);
	CHECK(read(life[0], &byte, 1) == 0);
	close(life[0]);
	release(&t);
}

TEST(the_deadline_ends_all)
{
	struct trial t;

	run(&t, 1, SCRIPTS("exec sleep 1000", "cat"));
	CHECK(t.result == -1 && t.err.code == PL_E_EXTERNAL_TOOL_TIMEOUT);
	CHECK(!t.stages[0].failed && WIFSIGNALED(t.stages[0].status));
	release(&t);
}

TEST(a_missing_program_is_an_error_and_ends_the_rest)
{
	struct trial t;

	prepare(&t, SCRIPTS("exec sleep 1000", "cat", "cat"));
	t.stages[2].path = "/nonexistent/program";
	CHECK(pl_proc_pipeline(t.stages, 3, -1, t.out, false, 0, &t.err) == -1);
	CHECK(t.err.code == PL_E_EXTERNAL_TOOL_FAILED);
	CHECK(strstr(t.err.message, "/nonexistent/program") && strstr(t.err.message, "No such"));
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	release(&t);
}

TEST(too_many_stages_are_refused)
{
	struct pl_stage stages[PL_PROC_STAGES + 1] = {0};
	struct pl_buf output = {0};
	struct pl_err err;

	CHECK(pl_proc_capture(stages, PL_COUNT(stages), -1, &output, 10, 0, &err) == -1);
	CHECK(err.code == PL_E_INTERNAL_ERROR);
}

TEST(stderr_is_collected_and_bounded)
{
	struct trial t;

	run(&t, 0,
	    SCRIPTS("echo first >&2",
		    "head -c 10000000 /dev/zero | tr '\\0' x >&2; echo last >&2"));
	CHECK_STR(t.stages[0].err_text.p, t.stages[0].err_text.n, "first\n");
	CHECK(t.stages[1].err_text.n >= PL_PROC_ERR_KEPT);
	CHECK(t.stages[1].err_text.n <= 2 * PL_PROC_ERR_KEPT);
	CHECK(has(&t.stages[1], "xlast\n"));
	release(&t);
}

/* With pass_stderr, of all stages but a consequence; the first one's bytes as they are. */
TEST(stderr_is_passed_on)
{
	struct trial t;
	char text[256] = "";
	int saved = dup(STDERR_FILENO), file = memfd_create("err", MFD_CLOEXEC);

	prepare(&t, SCRIPTS("printf '\\r10 %%' >&2; exit 2", "cat; echo a note >&2",
			    "cat; echo cut off >&2; exit 3"));
	dup2(file, STDERR_FILENO);
	CHECK(pl_proc_pipeline(t.stages, 3, -1, t.out, true, 0, &t.err) == 0);
	dup2(saved, STDERR_FILENO);
	close(saved);
	CHECK(pread(file, text, sizeof text - 1, 0) > 0);
	CHECK_STR(text, strlen(text), "\r10 %\na note\n");
	close(file);
	release(&t);
}

TEST(the_environment_can_be_replaced)
{
	static const char *const env[] = {"LANG=C", "ONLY=this", NULL};
	struct trial t;

	prepare(&t, SCRIPTS("exec env"));
	t.stages[0].env = env;
	CHECK(pl_proc_pipeline(t.stages, 1, -1, t.out, false, 0, &t.err) == 0);
	CHECK(pread(t.out, t.text, sizeof t.text - 1, 0) > 0);
	CHECK(strstr(t.text, "ONLY=this\n") && !strstr(t.text, "HOME="));
	release(&t);
}

TEST(output_is_captured_up_to_a_bound)
{
	struct pl_buf output = {0};
	struct trial t;

	prepare(&t, SCRIPTS("head -c 300000 /dev/zero", "tr '\\0' y"));
	CHECK(pl_proc_capture(t.stages, 2, -1, &output, 300000, 0, &t.err) == 0);
	CHECK_U64(output.n, 300000);
	CHECK(output.p[0] == 'y' && output.p[299999] == 'y');
	release(&t);
	pl_buf_clear(&output);
	prepare(&t, SCRIPTS("exec yes"));
	CHECK(pl_proc_capture(t.stages, 1, -1, &output, 1000, 0, &t.err) == -1);
	CHECK(t.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED && output.n <= 1000);
	release(&t);
	pl_buf_free(&output);
}

struct heard {
	char text[64];
	size_t n, calls, most;
};

/* Refuses what does not fit. */
static int hear(void *context, struct pl_str bytes, struct pl_err *err)
{
	struct heard *h = context;

	h->calls++;
	h->most = bytes.n > h->most ? bytes.n : h->most;
	if (h->n + bytes.n > sizeof h->text)
		return pl_err_set(err, PL_E_NO_SAMPLES, "enough");
	memcpy(h->text + h->n, bytes.p, bytes.n);
	h->n += bytes.n;
	return 0;
}

static void relay(struct trial *t, struct heard *heard, int fd, uint64_t deadline,
		  const char *const *scripts)
{
	struct pl_sink sink = {hear, heard, fd};

	*heard = (struct heard){0};
	prepare(t, scripts);
	t->result = pl_proc_relay(t->stages, t->n, -1, &sink, deadline, &t->err);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

TEST(a_sink_hears_the_output)
{
	struct heard heard;
	struct trial t;
	int ends[2];

	CHECK(pipe(ends) == 0);
	relay(&t, &heard, ends[1], 0, SCRIPTS("echo one; echo two"));
	CHECK_U64((uint64_t)t.result, 0);
	CHECK_STR(heard.text, heard.n, "one\ntwo\n");
	release(&t);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_sink_that_refuses_ends_all)
{
	struct heard heard;
	struct trial t;

	relay(&t, &heard, -1, 0, SCRIPTS("trap '' PIPE; while :; do echo y; done"));
	CHECK(t.result == -1 && t.err.code == PL_E_NO_SAMPLES);
	CHECK(strcmp(t.err.message, "enough") == 0);
	CHECK(WIFSIGNALED(t.stages[0].status) && !t.stages[0].failed);
	release(&t);
}

/* A pipe that nobody reads: the sink is not called once it is full, and the deadline holds. */
TEST(a_sink_without_room_is_not_called)
{
	struct heard heard;
	struct trial t;
	static char page[4096];
	int ends[2];

	CHECK(pipe(ends) == 0);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], page, sizeof page) > 0)
		;
	relay(&t, &heard, ends[1], 1, SCRIPTS("echo one; exec sleep 1000"));
	CHECK(t.result == -1 && t.err.code == PL_E_EXTERNAL_TOOL_TIMEOUT);
	CHECK_U64(heard.calls, 0);
	release(&t);
	close(ends[0]);
	relay(&t, &heard, ends[1], 0, SCRIPTS("head -c 10000 /dev/zero"));
	CHECK(heard.calls > 0 && heard.most <= 4096);
	release(&t);
	close(ends[1]);
}

/* One that holds the output open is neither waited for nor left alive. */
TEST(what_a_relayed_stage_leaves_behind_is_ended)
{
	struct heard heard;
	struct trial t;
	int life[2];
	char byte;

	CHECK(pipe(life) == 0 && dup2(life[1], 9) == 9);
	close(life[1]);
	fcntl(life[0], F_SETFD, FD_CLOEXEC);
	relay(&t, &heard, -1, 0, SCRIPTS("trap '' TERM HUP; sleep 1000 & echo done"));
	close(9);
	CHECK_U64((uint64_t)t.result, 0);
	CHECK_STR(heard.text, heard.n, "done\n");
	CHECK(read(life[0], &byte, 1) == 0);
	close(life[0]);
	release(&t);
	/* out of reach in a session of its own: only not waited for */
	relay(&t, &heard, -1, 0, SCRIPTS("setsid sleep 2 & echo done"));
	CHECK_U64((uint64_t)t.result, 0);
	CHECK_STR(heard.text, heard.n, "done\n");
	release(&t);
}

TEST(a_stage_is_given_a_file)
{
	struct pl_buf output = {0};
	struct trial t;
	int file = memfd_create("file", MFD_CLOEXEC);

	CHECK(write(file, "in the file\n", 12) == 12);
	prepare(&t, SCRIPTS("cat /proc/self/fd/3"));
	t.stages[0].file = file;
	CHECK(pl_proc_capture(t.stages, 1, -1, &output, 100, 0, &t.err) == 0);
	CHECK_STR(output.p, output.n, "in the file\n");
	close(file);
	release(&t);
	pl_buf_free(&output);
}

/* In a child of ours: the signal ends the stages, then the caller's own handling applies. */
static int signalled(int signal_number, void (*handling)(int))
{
	struct trial t;
	char script[64];
	int status;
	pid_t child = fork();

	if (child == 0) {
		signal(signal_number, handling);
		snprintf(script, sizeof script, "kill -%d %d; exec %s", signal_number,
			 (int)getpid(), handling == SIG_IGN ? "true" : "sleep 1000");
		prepare(&t, SCRIPTS(script));
		pl_proc_pipeline(t.stages, 1, -1, t.out, false, 0, &t.err);
		_exit(t.stages[0].status == 0 ? 33 : 44);
	}
	return waitpid(child, &status, 0) == child ? status : -1;
}

TEST(a_signal_to_us_ends_them_and_us)
{
	int status = signalled(SIGTERM, SIG_DFL);

	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	status = signalled(SIGINT, SIG_DFL);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	/* as under nohup: ignored before, ignored now */
	status = signalled(SIGHUP, SIG_IGN);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 33);
}

/* Stages get the signals' defaults back, and their statuses are known, whatever the caller does. */
TEST(the_callers_signal_handling_does_not_matter)
{
	struct trial t;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	run(&t, 0, SCRIPTS("exec yes", "exit 4"));
	CHECK_U64((uint64_t)t.status, 4);
	CHECK(WIFSIGNALED(t.stages[0].status) && WTERMSIG(t.stages[0].status) == SIGPIPE);
	CHECK(signal(SIGCHLD, SIG_DFL) == SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	release(&t);
}

/* Only what the caller left open for it: not the other stages' pipes. */
TEST(stages_inherit_no_descriptor)
{
	struct trial t;

	run(&t, 0, SCRIPTS("ls /proc/self/fd >&2", "ls /proc/self/fd"));
	/* 0, 1, 2 and the folder that ls reads */
	CHECK_STR(t.stages[0].err_text.p, t.stages[0].err_text.n, "0\n1\n2\n3\n");
	CHECK_STR(t.text, strlen(t.text), "0\n1\n2\n3\n");
	release(&t);
}

TEST(a_program_beside_ours)
{
	struct pl_buf path = {0};
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = '\0';
	const char *name = strrchr(self, '/') + 1;
	CHECK(pl_proc_beside(&path, name) && strcmp(path.p, self) == 0);
	CHECK(pl_proc_beside(&path, "x") && path.n == (size_t)(name - self) + 1);
	pl_buf_free(&path);
}

int main(void)
{
	close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	size_t before = open_descriptors();

	RUN(bytes_pass_through_all_stages);
	RUN(stdin_is_what_the_caller_gives);
	RUN(the_leftmost_failure_is_the_status);
	RUN(a_broken_off_stream_is_a_consequence);
	RUN(a_lost_reader_is_no_failure);
	RUN(a_lost_reader_of_the_last_is_told);
	RUN(a_signal_of_its_own_is_70);
	RUN(a_failed_check_ends_nobody);
	RUN(a_failure_ends_the_others);
	RUN(who_ignores_term_is_killed);
	RUN(grandchildren_end_with_the_group);
	RUN(the_deadline_ends_all);
	RUN(a_missing_program_is_an_error_and_ends_the_rest);
	RUN(too_many_stages_are_refused);
	RUN(stderr_is_collected_and_bounded);
	RUN(stderr_is_passed_on);
	RUN(the_environment_can_be_replaced);
	RUN(output_is_captured_up_to_a_bound);
	RUN(a_sink_hears_the_output);
	RUN(a_sink_that_refuses_ends_all);
	RUN(a_sink_without_room_is_not_called);
	RUN(what_a_relayed_stage_leaves_behind_is_ended);
	RUN(a_stage_is_given_a_file);
	RUN(a_signal_to_us_ends_them_and_us);
	RUN(the_callers_signal_handling_does_not_matter);
	RUN(stages_inherit_no_descriptor);
	RUN(a_program_beside_ours);
	unit_number++;
	bool same = open_descriptors() == before;
	unit_failures += !same;
	printf("%s %d - no descriptor is left open\n", same ? "ok" : "not ok", unit_number);
	return unit_done();
}
