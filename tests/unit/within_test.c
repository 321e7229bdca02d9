/* within, regular: where paths lead in the root of another system */
#include "folder_kit.h"
#include "regular.h"
#include "within.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static void put(const char *path)
{
	folder_write(path, path, strlen(path));
}

static const char *in_folder(const char *path)
{
	static char whole[512];

	snprintf(whole, sizeof whole, "%s/%s", folder_path, path);
	return whole;
}

TEST(the_files_are_made)
{
	put("outside");
	put("opt/prog"); /* beside the root: that of our system */
	put("root/opt/prog");
	put("root/usr/lib/so");
	CHECK(symlink("usr/lib", "root/lib") == 0);
	CHECK(symlink("/opt/prog", "root/absolute") == 0);
	CHECK(symlink(in_folder("outside"), "root/out") == 0);
	CHECK(symlink("../../../../opt", "root/up") == 0);
	CHECK(symlink("loop", "root/loop") == 0);
	CHECK(symlink("/lib/../opt/prog", "root/usr/lib/over") == 0);
	CHECK(symlink("/proc/self/root", "root/magic") == 0);
	CHECK(mkfifo("fifo", 0600) == 0 && mkfifo("root/fifo", 0600) == 0);
}

/* The file says which one it is. */
static void holds(int fd, const char *path, const char *want)
{
	char held[100];

	if (!CHECK(fd >= 0)) {
		printf("#   %s: %s\n", path, strerror(errno));
		return;
	}
	ssize_t n = read(fd, held, sizeof held);
	CHECK_STR(held, n > 0 ? (size_t)n : 0, want);
	close(fd);
}

static void refused(int fd, const char *path, int reason)
{
	if (!CHECK(fd == -1) || !CHECK(errno == reason))
		printf("#   %s: %s\n", path, strerror(errno));
}

static int next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

TEST(a_root_is_the_top)
{
	struct pl_within root = {.root = open("root", O_PATH | O_DIRECTORY)};
	static const char *const paths[][2] = {
		{"opt/prog", "root/opt/prog"},
		{"/opt/prog", "root/opt/prog"},
		{"//opt/.//prog", "root/opt/prog"},
		{"../../opt/prog", "root/opt/prog"},
		{"opt/../../opt/prog", "root/opt/prog"},
		{"usr/lib/../../opt/prog", "root/opt/prog"},
		{"lib/so", "root/usr/lib/so"},
		{"lib/../lib/so", "root/usr/lib/so"},
		{"absolute", "root/opt/prog"},
		{"up/prog", "root/opt/prog"},
	};
	int before = next_descriptor();

	for (size_t i = 0; i < PL_COUNT(paths); i++)
		holds(pl_within_open(&root, paths[i][0], O_RDONLY), paths[i][0], paths[i][1]);
	/* "/lib/.." is the parent of what the link leads to */
	refused(pl_within_open(&root, "lib/over", O_RDONLY), "lib/over", ENOENT);
	refused(pl_within_open(&root, "out", O_RDONLY), "out", ENOENT);
	refused(pl_within_open(&root, "magic/opt/prog", O_RDONLY), "magic", ENOENT);
	refused(pl_within_open(&root, "loop", O_RDONLY), "loop", ELOOP);
	refused(pl_within_open(&root, "absolute", O_RDONLY | O_NOFOLLOW), "absolute", ELOOP);
	refused(pl_within_open(&root, "opt/prog/", O_RDONLY), "opt/prog/", ENOTDIR);
	refused(pl_within_open(&root, "opt/prog/x", O_RDONLY), "opt/prog/x", ENOTDIR);
	refused(pl_within_open(&root, "none/../opt/prog", O_RDONLY), "none/..", ENOENT);
	CHECK_U64((uint64_t)next_descriptor(), (uint64_t)before);
	close(root.root);
}

/* Whether a writer that waits for a reader of the FIFO is woken by fn. */
static bool wakes(const char *fifo)
{
	pid_t writer = fork();

	if (writer == 0) {
		alarm(10);
		_exit(open(fifo, O_WRONLY) < 0);
	}
	usleep(100000);
	refused(pl_regular_open(fifo, 0), fifo, EINVAL);
	usleep(100000);
	bool woken = waitpid(writer, NULL, WNOHANG) == writer;
	if (!woken) {
		kill(writer, SIGKILL);
		waitpid(writer, NULL, 0);
	}
	return woken;
}

TEST(only_regular_files_are_opened)
{
	int before = next_descriptor();

	holds(pl_regular_open("outside", 0), "outside", "outside");
	holds(pl_regular_open("root/out", 0), "root/out", "outside");
	refused(pl_regular_open("root/out", O_NOFOLLOW), "root/out", ELOOP);
	refused(pl_regular_open("root", 0), "root", EISDIR);
	refused(pl_regular_open("/dev/null", 0), "/dev/null", EINVAL);
	refused(pl_regular_open("none", 0), "none", ENOENT);
	CHECK(!wakes("fifo"));
	CHECK_U64((uint64_t)next_descriptor(), (uint64_t)before);
}

TEST(paths_of_another_system_stay_in_it)
{
	int root = open("root", O_PATH | O_DIRECTORY);

	pl_regular_system("root/", root);
	holds(pl_regular_open("root/absolute", 0), "root/absolute", "root/opt/prog");
	holds(pl_regular_open("root/../opt/prog", 0), "root/../opt/prog", "root/opt/prog");
	refused(pl_regular_open("root/out", 0), "root/out", ENOENT);
	refused(pl_regular_open("root/absolute", O_NOFOLLOW), "root/absolute", ELOOP);
	CHECK(!wakes("root/fifo"));
	/* all others are ours */
	holds(pl_regular_open("outside", 0), "outside", "outside");
	pl_regular_system(NULL, 0);
	close(root);
}

int main(void)
{
	if (!folder_start())
		return 1;
	RUN(the_files_are_made);
	RUN(a_root_is_the_top);
	RUN(only_regular_files_are_opened);
	RUN(paths_of_another_system_stay_in_it);
	folder_end();
	return unit_done();
}
