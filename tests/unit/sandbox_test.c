/* sandbox: what still works in it, and what kills the process; each in a child */
#include "in.h"
#include "out.h"
#include "sandbox.h"
#include "unit.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pl_sandbox_state state;

#ifdef PL_NO_SANDBOX

TEST(a_sanitizer_build_says_so)
{
	struct pl_sandbox_needs needs = {.output_folder = -1};
	struct pl_err err;
	CHECK(pl_sandbox(&needs, &state, &err) == 0);
	CHECK(!state.seccomp && !state.landlock);
	CHECK_STR(state.reason, strlen(state.reason), "turned off in a sanitizer build");
}

int main(void)
{
	RUN(a_sanitizer_build_says_so);
	return unit_done();
}

#else

enum { NO_SANDBOX = 90 };

static void enter_with(const struct pl_sandbox_needs *needs)
{
	struct pl_err err;
	if (pl_sandbox(needs, &state, &err))
		_exit(NO_SANDBOX);
}

static void enter(void)
{
	enter_with(&(struct pl_sandbox_needs){.output_folder = -1});
}

/* Runs work in a child; its status as from waitpid(2). */
static int in_child(int (*work)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		_exit(work());
	}
	int status = -1;
	waitpid(child, &status, 0);
	return status;
}

static void works(const char *what, int (*work)(void))
{
	int status = in_child(work);
	if (!CHECK(status == 0))
		printf("#   %s: status 0x%x\n", what, (unsigned)status);
}

static void dies(const char *what, int (*work)(void))
{
	int status = in_child(work);
	if (!CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS))
		printf("#   %s: status 0x%x\n", what, (unsigned)status);
}

/* ---- what is asked of this kernel ---- */

static int both_in_force(void)
{
	enter();
	return !state.seccomp || !state.landlock || state.reason[0];
}

static int reason_or_both(void)
{
	enter();
	return (state.seccomp && state.landlock) != (state.reason[0] == '\0');
}

TEST(state_is_told)
{
	works("a reason exactly when one is missing", reason_or_both);
	/* the number of the version, asked as the kernel's own documentation does */
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	if (version >= 1)
		works("both in force", both_in_force);
	else
		printf("# skipped: this kernel has no Landlock\n");
}

/* ---- what works ---- */

static int read_and_write(void)
{
	char text[4] = "";
	int ends[2];
	if (pipe(ends))
		return 1;
	int null = open("/dev/null", O_RDWR);
	enter();
	struct stat st;
	return write(ends[1], "abc", 3) != 3 || read(ends[0], text, 3) != 3 ||
	       memcmp(text, "abc", 3) != 0 || fstat(ends[0], &st) != 0 ||
	       lseek(null, 0, SEEK_SET) != 0 || close(null) != 0;
}

static void *set_to_7(void *number)
{
	*(int *)number = 7;
	return NULL;
}

static int make_thread(void)
{
	pthread_t thread;
	int number = 0;
	enter();
	return pthread_create(&thread, NULL, set_to_7, &number) || pthread_join(thread, NULL) ||
	       number != 7;
}

/* Its flags cannot be looked into, so it must seem not to be there (the bad call is EINVAL). */
static int no_clone3(void)
{
	enter();
	return syscall(SYS_clone3, NULL, 0) != -1 || errno != ENOSYS;
}

static int use_memory(void)
{
	enter();
	enum { N = 100 << 20 };
	char *p = malloc(N);
	if (!p)
		return 1;
	memset(p, 1, N);
	p = realloc(p, 2 * N);
	if (!p || p[N - 1] != 1)
		return 2;
	free(p);
	for (size_t i = 1; i < 2000; i++)
		if (!(p = malloc(i * 37)))
			return 3;
	return 0;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* qsort(3) of much asks how much memory there is */
static int sort(void)
{
	static int v[100000];
	for (int i = 0; i < 100000; i++)
		v[i] = (i * 7919) % 100000;
	enter();
	qsort(v, 100000, sizeof *v, compare_ints);
	return v[0] != 0 || v[99999] != 99999;
}

/* A catalogue that translates nothing: gettext goes on to the next language of LANGUAGE. */
static int make_catalogue(const char *path)
{
	static const char header[] = "Content-Type: text/plain; charset=UTF-8\n";
	/* magic, revision, strings, where their two tables are, no hash table; the tables; "" */
	const uint32_t words[] = {
		0x950412de, 0, 1, 28, 36, 0, 0, 0, 44, sizeof header - 1, 48, 0,
	};
	FILE *f = fopen(path, "wb");
	if (!f)
		return -1;
	fwrite(words, sizeof words, 1, f);
	fwrite(header, sizeof header, 1, f);
	return fclose(f);
}

/* The catalogues of every language that the user names are looked for before the sandbox. */
static int messages(void)
{
	char place[] = "/tmp/perflens-po-XXXXXX";
	if (!mkdtemp(place) || chdir(place) || mkdir("zh_CN", 0700) ||
	    mkdir("zh_CN/LC_MESSAGES", 0700) || make_catalogue("zh_CN/LC_MESSAGES/perflens.mo"))
		return 1;
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("LANGUAGE", "zh_CN:de:fr", 1);
	pl_text_start(place);
	bool found = strstr(gettext(""), "charset=UTF-8") != NULL;
	unlink("zh_CN/LC_MESSAGES/perflens.mo");
	rmdir("zh_CN/LC_MESSAGES");
	rmdir("zh_CN");
	rmdir(place);
	enter();
	char text[64];
	snprintf(text, sizeof text, "%s %.3f", _("a text of ours"), 1.5);
	return !found || strcmp(text, "a text of ours 1.500") != 0 ||
	       strlen(strerror(ENOSPC)) == 0 || strlen(strerror(12345)) == 0;
}

static void handler(int number)
{
	(void)number;
}

static int signals_to_itself(void)
{
	enter();
	return signal(SIGUSR1, handler) == SIG_ERR || raise(SIGUSR1) != 0;
}

/* Everything of in: three blocks, so that the digest's thread is made in the sandbox. */
static int read_input(void)
{
	static const struct pl_in_options options = {.max_line = 100, .digest = true, .text = true};
	struct pl_in in;
	struct pl_str line;
	char path[40], text[1 << 16];
	int fd = memfd_create("input", 0);
	memset(text, '\n', sizeof text);
	for (int i = 0; i < 48; i++)
		if (write(fd, text, sizeof text) < 0)
			return 1;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (pl_in_open(&in, (const char *const[]){path}, 1, &options))
		return 2;
	enter();
	if (pl_in_next(&in) != 1)
		return 3;
	while (pl_in_line(&in, &line) == PL_IN_LINE)
		;
	/* head -c 3145728 /dev/zero | tr '\0' '\n' | sha256sum */
	int wrong = strcmp(pl_in_info(&in)->sha256,
			   "61a78b42bea92f6c2abfe04b122317dd9c7431509a149cd00f48ebe109d276f8") != 0;
	pl_in_close(&in);
	return wrong ? 4 : 0;
}

TEST(work_goes_on)
{
	works("reading and writing", read_and_write);
	works("a thread", make_thread);
	works("no clone3", no_clone3);
	works("memory", use_memory);
	works("sorting", sort);
	works("messages", messages);
	works("a signal to itself", signals_to_itself);
	works("an input", read_input);
}

/* ---- what kills ---- */

static int open_file(void)
{
	enter();
	return open("/dev/null", O_RDONLY) < 0 ? 1 : 2;
}
static int make_socket(void)
{
	enter();
	return socket(AF_INET, SOCK_STREAM, 0) < 0 ? 1 : 2;
}
static int exec_program(void)
{
	enter();
	return execl("/bin/true", "true", (char *)NULL);
}
static int fork_process(void)
{
	enter();
	return fork() < 0 ? 1 : 2;
}
static int signal_another(void)
{
	enter();
	return kill(getppid(), 0) < 0 ? 1 : 2;
}
static int signal_another_thread(void)
{
	pid_t parent = getppid();
	enter();
	return syscall(SYS_tgkill, parent, parent, 0) < 0 ? 1 : 2;
}
static int map_code(void)
{
	enter();
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? 1 : 2;
}
static int make_code(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	enter();
	return mprotect(p, 4096, PROT_READ | PROT_EXEC) ? 1 : 2;
}
static int stat_path(void)
{
	struct stat st;
	enter();
	return stat("/etc/passwd", &st) ? 1 : 2;
}
static int remove_name(void)
{
	enter();
	return unlink("/nonexistent") ? 1 : 2;
}
static int change_mode(void)
{
	int fd = memfd_create("file", 0);
	enter();
	return fchmod(fd, 0777) ? 1 : 2;
}
static int trace(void)
{
	enter();
	return syscall(SYS_ptrace, 0, 0, 0, 0) ? 1 : 2;
}

static void *open_in_thread(void *unused)
{
	(void)unused;
	open("/dev/null", O_RDONLY);
	return NULL;
}
static int open_file_in_thread(void)
{
	pthread_t thread;
	enter();
	return pthread_create(&thread, NULL, open_in_thread, NULL) || pthread_join(thread, NULL);
}

TEST(the_rest_kills)
{
	dies("open", open_file);
	dies("open in a thread", open_file_in_thread);
	dies("socket", make_socket);
	dies("execve", exec_program);
	dies("fork", fork_process);
	dies("kill", signal_another);
	dies("tgkill of another", signal_another_thread);
	dies("mmap of code", map_code);
	dies("mprotect to code", make_code);
	dies("stat of a path", stat_path);
	dies("unlink", remove_name);
	dies("fchmod", change_mode);
	dies("ptrace", trace);
}

/* ---- an output file ---- */

static char folder[] = "/tmp/perflens-sandbox-XXXXXX";

static int publish(void)
{
	struct pl_out out;
	if (chdir(folder) || pl_out_open(&out, "file", NULL))
		return 1;
	enter_with(&(struct pl_sandbox_needs){.output_folder = pl_out_folder(&out)});
	pl_buf_addz(&out.buf, "text\n");
	return pl_out_close(&out) ? 2 : 0;
}

static int open_in_folder(void)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY);
	enter_with(&(struct pl_sandbox_needs){.output_folder = fd});
	return openat(fd, "new", O_WRONLY | O_CREAT, 0600) < 0 ? 1 : 2;
}

/* The call is allowed, but not in another folder: only Landlock can tell them apart. */
static int link_elsewhere(void)
{
	struct pl_out out;
	if (chdir(folder) || pl_out_open(&out, "file", NULL))
		return 1;
	int parent = open("/tmp", O_RDONLY | O_DIRECTORY);
	enter_with(&(struct pl_sandbox_needs){.output_folder = pl_out_folder(&out)});
	if (!state.landlock)
		return 0;
	return linkat(pl_out_folder(&out), "victim", parent, "perflens-sandbox-stray", 0) == 0 ||
	       renameat(pl_out_folder(&out), "victim", parent, "perflens-sandbox-stray") == 0;
}

static int remove_elsewhere(void)
{
	int inner = open("inner", O_RDONLY | O_DIRECTORY);
	int outer = open(".", O_RDONLY | O_DIRECTORY);
	enter_with(&(struct pl_sandbox_needs){.output_folder = inner});
	if (!state.landlock)
		return 0;
	return unlinkat(outer, "victim", 0) == 0;
}

TEST(an_output_file_is_published)
{
	char text[8] = "";
	if (!CHECK(mkdtemp(folder) != NULL) || !CHECK(chdir(folder) == 0))
		return;
	works("publishing", publish);
	works("replacing", publish);
	int fd = open("file", O_RDONLY);
	CHECK(read(fd, text, sizeof text) == 5 && memcmp(text, "text\n", 5) == 0);
	close(fd);
	dies("opening in the folder", open_in_folder);
	close(open("victim", O_WRONLY | O_CREAT, 0600));
	mkdir("inner", 0700);
	works("no link elsewhere", link_elsewhere);
	works("no removal elsewhere", remove_elsewhere);
	CHECK(access("/tmp/perflens-sandbox-stray", F_OK) != 0);
	CHECK(unlink("victim") == 0);
	CHECK(unlink("file") == 0);
	CHECK(rmdir("inner") == 0);
	CHECK(chdir("/") == 0);
	CHECK(rmdir(folder) == 0); /* nothing else was in it */
}

/* ---- roots ---- */

static const char *const roots[] = {"/proc/self", "/dev/null", "/nonexistent"};
static const struct pl_sandbox_needs with_roots = {
	.output_folder = -1, .roots = roots, .roots_n = PL_COUNT(roots)};

static int read_below_root(void)
{
	char text[10];
	enter_with(&with_roots);
	int fd = open("/proc/self/status", O_RDONLY);
	return fd < 0 || read(fd, text, 5) != 5 || memcmp(text, "Name:", 5) != 0 ||
	       open("/dev/null", O_RDONLY) < 0;
}
static int read_beside_root(void)
{
	enter_with(&with_roots);
	return state.landlock && open("/etc/passwd", O_RDONLY) >= 0;
}
static int write_below_root(void)
{
	enter_with(&with_roots);
	return open("/dev/null", O_WRONLY) < 0 ? 1 : 2;
}

TEST(roots_are_readable)
{
	works("below a root", read_below_root);
	works("beside a root", read_beside_root);
	dies("writing", write_below_root);
}

/* ---- programs that start others ---- */

/* The child opens files, starts another process, and finds its own sandbox. */
static int start_program(void)
{
	enter_with(&(struct pl_sandbox_needs){.output_folder = -1, .exec = true});
	if (!state.seccomp)
		return 91;
	pid_t child = fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "/bin/true && exec 3</dev/null", (char *)NULL);
		_exit(1);
	}
	int status = -1;
	return waitpid(child, &status, 0) != child || status != 0;
}

static int sandbox_in_sandbox(void)
{
	enter_with(&(struct pl_sandbox_needs){.output_folder = -1, .exec = true});
	pid_t child = fork();
	if (child == 0)
		_exit(open_file());
	int status = -1;
	return waitpid(child, &status, 0) != child || !WIFSIGNALED(status) ||
	       WTERMSIG(status) != SIGSYS;
}

static int mount_something(void)
{
	enter_with(&(struct pl_sandbox_needs){.output_folder = -1, .exec = true});
	return syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, NULL) == 0 || errno != EPERM;
}

TEST(programs_can_be_started)
{
	works("a program", start_program);
	works("a sandbox in it", sandbox_in_sandbox);
	works("no mount", mount_something);
}

int main(void)
{
	RUN(state_is_told);
	RUN(work_goes_on);
	RUN(the_rest_kills);
	RUN(an_output_file_is_published);
	RUN(roots_are_readable);
	RUN(programs_can_be_started);
	return unit_done();
}

#endif
