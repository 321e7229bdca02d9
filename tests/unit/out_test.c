/* out: files appear whole or not at all; openat(2) and fsync(2) are replaced below to fail */
#include "limits.h"
#include "out.h"
#include "unit.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- faults ---- */

static bool no_tmpfile;	 /* a file system without O_TMPFILE */
static bool fsync_fails; /* with EIO, as a disk does */

int openat(int folder, const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = va_arg(ap, mode_t);
	va_end(ap);
	if (no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int fsync(int fd)
{
	if (fsync_fails) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

/* ---- a folder for each test ---- */

static char folder[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void enter(void)
{
	snprintf(folder, sizeof folder, "/tmp/perflens-out-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
	CHECK(chdir(folder) == 0);
}

static void leave(void)
{
	CHECK(chdir("/") == 0);
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	if (CHECK(f != NULL)) {
		fputs(text, f);
		fclose(f);
	}
}

static void check_file(const char *path, const char *want)
{
	char text[100] = "";
	FILE *f = fopen(path, "r");
	if (!CHECK(f != NULL))
		return;
	size_t n = fread(text, 1, sizeof text, f);
	fclose(f);
	CHECK_STR(text, n, want);
}

/* The names in the folder, the last one found in *name. */
static size_t names(char name[256])
{
	size_t n = 0;
	DIR *d = opendir(".");
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		snprintf(name, 256, "%s", e->d_name);
		n++;
	}
	closedir(d);
	return n;
}

static mode_t mode_of(const char *path)
{
	struct stat st = {0};
	stat(path, &st);
	return st.st_mode & 07777;
}

static int write_all(struct pl_out *out, const char *path, const char *text)
{
	if (pl_out_open(out, path, NULL))
		return -1;
	pl_buf_addz(&out->buf, text);
	return pl_out_close(out);
}

static void refused(const char *path, const struct pl_in *in)
{
	struct pl_out out;
	CHECK(pl_out_open(&out, path, in) == -1);
	if (!CHECK(out.err.code == PL_E_PATH_SAFETY_VIOLATION))
		printf("#   %s: %s\n", path, out.err.message);
	CHECK_STR(out.err.file, strlen(out.err.file), path);
	pl_out_discard(&out);
}

/* ---- files ---- */

static void check_new_file(void)
{
	struct pl_out out;
	char name[256];
	enter();
	mode_t mask = umask(027);
	CHECK(pl_out_open(&out, "new", NULL) == 0);
	umask(mask);
	CHECK(pl_out_folder(&out) >= 0);
	pl_buf_addz(&out.buf, "some text\n");
	CHECK(pl_out_flush(&out) == 0);
	CHECK_U64(out.written, 10);
	CHECK(access("new", F_OK) != 0);
	if (no_tmpfile) {
		CHECK_U64(names(name), 1);
		CHECK(strncmp(name, ".new.", 5) == 0);
		CHECK_STR(name + 11, strlen(name) < 11 ? 0 : strlen(name + 11), ".tmp");
		CHECK_U64(mode_of(name), 0600);
	} else {
		CHECK_U64(names(name), 0);
	}
	CHECK(pl_out_close(&out) == 0);
	check_file("new", "some text\n");
	CHECK_U64(mode_of("new"), 0640);
	CHECK_U64(names(name), 1);
	pl_out_discard(&out); /* changes nothing after close */
	CHECK_U64(names(name), 1);
	leave();
}

static void check_replaced_file(void)
{
	struct pl_out out;
	char name[256];
	enter();
	put("old", "before\n");
	chmod("old", 0604);
	CHECK(pl_out_open(&out, "old", NULL) == 0);
	pl_buf_addz(&out.buf, "after\n");
	CHECK(pl_out_flush(&out) == 0);
	check_file("old", "before\n");
	CHECK(pl_out_close(&out) == 0);
	check_file("old", "after\n");
	CHECK_U64(mode_of("old"), 0604);
	CHECK_U64(names(name), 1);
	leave();
}

static void check_given_up(void)
{
	struct pl_out out;
	char name[256];
	enter();
	put("old", "before\n");
	CHECK(pl_out_open(&out, "old", NULL) == 0);
	pl_buf_addz(&out.buf, "after\n");
	CHECK(pl_out_flush(&out) == 0);
	pl_out_discard(&out);
	pl_out_discard(&out);
	check_file("old", "before\n");
	CHECK_U64(names(name), 1);
	CHECK(pl_out_open(&out, "old", NULL) == 0);
	pl_buf_addz(&out.buf, "after\n");
	fsync_fails = true;
	CHECK(pl_out_close(&out) == -1);
	fsync_fails = false;
	CHECK(out.err.code == PL_E_OUTPUT_WRITE_FAILED);
	CHECK(strstr(out.err.message, strerror(EIO)) != NULL);
	CHECK_STR(out.err.file, strlen(out.err.file), "old");
	pl_out_discard(&out);
	check_file("old", "before\n");
	CHECK_U64(names(name), 1);
	leave();
}

static void check_both_ways(void (*check)(void))
{
	check();
	no_tmpfile = true;
	check();
	no_tmpfile = false;
}

TEST(a_new_file)
{
	check_both_ways(check_new_file);
}
TEST(a_replaced_file)
{
	check_both_ways(check_replaced_file);
}
TEST(a_file_given_up)
{
	check_both_ways(check_given_up);
}

/* As long as a name may be: the temporary one is cut. */
static void check_long_name(void)
{
	struct pl_out out;
	char path[256], name[256];
	enter();
	memset(path, 'n', 255);
	path[255] = '\0';
	CHECK(write_all(&out, path, "x") == 0);
	check_file(path, "x");
	CHECK_U64(names(name), 1);
	leave();
}
TEST(a_long_name)
{
	check_both_ways(check_long_name);
}

TEST(missing_parents)
{
	struct pl_out out;
	enter();
	CHECK(write_all(&out, "a/b/c.out", "x") == 0);
	check_file("a/b/c.out", "x");
	CHECK(write_all(&out, "a//b/./d.out", "y") == 0);
	check_file("a/b/d.out", "y");
	char path[128];
	snprintf(path, sizeof path, "%s/e/f", folder);
	CHECK(write_all(&out, path, "z") == 0);
	check_file("e/f", "z");
	put("file", "");
	CHECK(write_all(&out, "file/under", "x") == -1);
	CHECK(out.err.code == PL_E_OUTPUT_WRITE_FAILED);
	pl_out_discard(&out);
	leave();
}

TEST(symlinks_are_followed)
{
	struct pl_out out;
	struct stat st;
	enter();
	put("target", "before");
	mkdir("sub", 0755);
	CHECK(symlink("target", "link") == 0);
	CHECK(symlink("../link", "sub/link") == 0);
	CHECK(write_all(&out, "sub/link", "after") == 0);
	check_file("target", "after");
	CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(lstat("sub/link", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(symlink("not/yet", "dangling") == 0);
	CHECK(write_all(&out, "dangling", "new") == 0);
	check_file("not/yet", "new");
	leave();
}

TEST(what_is_no_place_for_a_file)
{
	struct pl_out out;
	enter();
	mkdir("sub", 0755);
	CHECK(symlink("sub", "to-sub") == 0);
	CHECK(symlink("new/", "to-new") == 0);
	static const char *const paths[] = {"sub", "sub/", "to-sub", "new/", "to-new",
					    ".",   "..",   "new/.",  ""};
	for (size_t i = 0; i < PL_COUNT(paths); i++)
		refused(paths[i], NULL);
	CHECK(access("new", F_OK) != 0);
	/* a link in /proc to a file that has no name any more */
	char path[40];
	int fd = open("gone", O_RDWR | O_CREAT, 0600);
	unlink("gone");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	refused(path, NULL);
	CHECK(access("gone (deleted)", F_OK) != 0);
	close(fd);
	CHECK(symlink("loop", "loop") == 0);
	CHECK(pl_out_open(&out, "loop", NULL) == -1);
	CHECK_U64(pl_code_exit(out.err.code), PL_EXIT_PATH);
	pl_out_discard(&out);
	leave();
}

/* root may write everywhere, so this is done as somebody else */
TEST(a_folder_that_cannot_be_written)
{
	enter();
	chmod(".", 0755);
	mkdir("sub", 0555);
	pid_t child = fork();
	if (child == 0) {
		struct pl_out out;
		if (geteuid() == 0 && seteuid(65534))
			_exit(3);
		int got = pl_out_open(&out, "sub/new", NULL);
		_exit(got == -1 && out.err.code == PL_E_OUTPUT_WRITE_FAILED ? 0 : 1);
	}
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(status == 0);
	leave();
}

TEST(an_input_is_never_replaced)
{
	static const struct pl_in_options options = {.max_line = 100};
	struct pl_in in;
	struct pl_out out;
	enter();
	put("input", "text");
	put("other", "text");
	CHECK(link("input", "hard") == 0);
	CHECK(symlink("input", "soft") == 0);
	CHECK(pl_in_open(&in, (const char *const[]){"other", "input"}, 2, &options) == 0);
	refused("input", &in);
	refused("./input", &in);
	refused("hard", &in);
	refused("soft", &in);
	check_file("input", "text");
	CHECK(pl_out_open(&out, "else", &in) == 0);
	pl_out_discard(&out);
	/* pl-x input >> input */
	int before = dup(STDOUT_FILENO);
	fflush(stdout);
	int fd = open("input", O_WRONLY | O_APPEND);
	dup2(fd, STDOUT_FILENO);
	int got = pl_out_open(&out, NULL, &in);
	dup2(before, STDOUT_FILENO);
	CHECK(got == -1 && out.err.code == PL_E_PATH_SAFETY_VIOLATION);
	CHECK(strstr(out.err.message, "input") != NULL);
	pl_out_discard(&out);
	close(fd);
	close(before);
	pl_in_close(&in);
	leave();
}

/* ---- in place ---- */

TEST(special_files_are_written_in_place)
{
	struct pl_out out;
	struct stat st;
	char text[10];
	enter();
	CHECK(write_all(&out, "/dev/null", "x") == 0);
	CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	CHECK(mkfifo("fifo", 0600) == 0);
	int fd = open("fifo", O_RDONLY | O_NONBLOCK);
	CHECK(write_all(&out, "fifo", "hello") == 0);
	ssize_t n = read(fd, text, sizeof text);
	CHECK_STR(text, n < 0 ? 0 : (size_t)n, "hello");
	CHECK(stat("fifo", &st) == 0 && S_ISFIFO(st.st_mode));
	close(fd);
	leave();
}

TEST(a_full_disk)
{
	struct pl_out out;
	CHECK(pl_out_open(&out, "/dev/full", NULL) == 0);
	CHECK(pl_out_folder(&out) == -1);
	while (pl_out_poll(&out) == 0)
		pl_buf_addz(&out.buf, "some text ");
	CHECK(out.err.code == PL_E_OUTPUT_WRITE_FAILED);
	CHECK_U64(pl_code_exit(out.err.code), 5);
	CHECK(strstr(out.err.message, "No space left on device") != NULL);
	CHECK_STR(out.err.file, strlen(out.err.file), "/dev/full");
	CHECK(pl_out_close(&out) == -1);
	pl_out_discard(&out);
	/* what is only written at the end fails then */
	CHECK(write_all(&out, "/dev/full", "x") == -1);
	CHECK(out.err.code == PL_E_OUTPUT_WRITE_FAILED);
	pl_out_discard(&out);
}

/* ---- stdout, in children, as it is closed ---- */

static int in_child(int (*work)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(work());
	int status = -1;
	waitpid(child, &status, 0);
	return status;
}

static int write_stdout(void)
{
	struct pl_out out;
	if (pl_out_open(&out, "-", NULL))
		return pl_code_exit(out.err.code);
	pl_buf_addz(&out.buf, "text\n");
	int got = pl_out_close(&out);
	int status = got ? (int)pl_code_exit(out.err.code) : 0;
	pl_out_discard(&out);
	return status;
}

static int write_closed_stdout(void)
{
	close(STDOUT_FILENO);
	return write_stdout();
}

static int write_full_stdout(void)
{
	dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
	return write_stdout();
}

static int write_unread_pipe(void)
{
	int ends[2];
	if (pipe(ends))
		return 99;
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	/* as a parent may leave it */
	signal(SIGPIPE, SIG_IGN);
	return write_stdout();
}

static int write_pipe(void)
{
	char text[10];
	int ends[2];
	if (pipe(ends))
		return 99;
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	int status = write_stdout();
	/* stdout was closed: the pipe ends after the text */
	if (read(ends[0], text, 10) != 5 || memcmp(text, "text\n", 5) != 0)
		return 98;
	return read(ends[0], text, 10) == 0 ? status : 97;
}

/* A file never takes the place of a stderr that the parent closed. */
static int write_file_without_stderr(void)
{
	struct pl_out out;
	close(STDERR_FILENO);
	close(STDOUT_FILENO);
	close(STDIN_FILENO);
	if (pl_out_open(&out, "out", NULL))
		return 99;
	int taken = write(STDERR_FILENO, "stray", 5) == 5 || write(STDOUT_FILENO, "stray", 5) == 5;
	return taken || pl_out_close(&out);
}

TEST(stdout_is_checked)
{
	int status = in_child(write_pipe);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	status = in_child(write_closed_stdout);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	status = in_child(write_full_stdout);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

TEST(a_reader_that_goes_away)
{
	int status = in_child(write_unread_pipe);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

TEST(closed_standard_descriptors)
{
	enter();
	int status = in_child(write_file_without_stderr);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	check_file("out", "");
	leave();
}

/* ---- signals, where the temporary file has a name ---- */

static int signal_to_raise;

static int write_and_be_killed(void)
{
	struct pl_out out;
	no_tmpfile = true;
	if (pl_out_open(&out, "old", NULL))
		return 99;
	pl_buf_addz(&out.buf, "after\n");
	pl_out_flush(&out);
	raise(signal_to_raise);
	return pl_out_close(&out);
}

static int write_under_nohup(void)
{
	signal(SIGHUP, SIG_IGN);
	return write_and_be_killed();
}

/* After the file is in its place, signals do what they did before. */
static int write_then_be_killed(void)
{
	struct pl_out out;
	no_tmpfile = true;
	if (write_all(&out, "old", "after\n"))
		return 99;
	raise(signal_to_raise);
	return 98;
}

TEST(a_signal_leaves_nothing_behind)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	char name[256];
	enter();
	put("old", "before\n");
	for (size_t i = 0; i < PL_COUNT(signals); i++) {
		signal_to_raise = signals[i];
		int status = in_child(write_and_be_killed);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
		check_file("old", "before\n");
		CHECK_U64(names(name), 1);
	}
	signal_to_raise = SIGHUP;
	CHECK(in_child(write_under_nohup) == 0);
	check_file("old", "after\n");
	int status = in_child(write_then_be_killed);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	CHECK_U64(names(name), 1);
	leave();
}

/* ---- holding ---- */

TEST(held_output)
{
	struct pl_out out;
	struct stat st;
	enter();
	CHECK(mkfifo("fifo", 0600) == 0);
	int fd = open("fifo", O_RDONLY | O_NONBLOCK);
	CHECK(pl_out_open(&out, "fifo", NULL) == 0);
	pl_out_hold(&out, 10);
	pl_buf_addz(&out.buf, "0123456789");
	CHECK(pl_out_flush(&out) == 0);
	CHECK_U64(out.written, 0);
	char text[20];
	CHECK(read(fd, text, sizeof text) == -1 && errno == EAGAIN);
	CHECK(pl_out_close(&out) == 0);
	CHECK(read(fd, text, sizeof text) == 10);
	close(fd);
	/* one byte more */
	CHECK(pl_out_open(&out, "file", NULL) == 0);
	pl_out_hold(&out, 10);
	pl_buf_addz(&out.buf, "0123456789a");
	CHECK(pl_out_close(&out) == -1);
	CHECK(out.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	CHECK(strstr(out.err.action, "max-output-bytes") != NULL);
	pl_out_discard(&out);
	CHECK(stat("file", &st) == -1);
	leave();
}

int main(void)
{
	RUN(a_new_file);
	RUN(a_replaced_file);
	RUN(a_file_given_up);
	RUN(a_long_name);
	RUN(missing_parents);
	RUN(symlinks_are_followed);
	RUN(what_is_no_place_for_a_file);
	RUN(a_folder_that_cannot_be_written);
	RUN(an_input_is_never_replaced);
	RUN(special_files_are_written_in_place);
	RUN(a_full_disk);
	RUN(stdout_is_checked);
	RUN(a_reader_that_goes_away);
	RUN(closed_standard_descriptors);
	RUN(a_signal_leaves_nothing_behind);
	RUN(held_output);
	return unit_done();
}
