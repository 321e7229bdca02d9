/* beneath: what is opened below a folder and what is not */
#include "../../filters/source/beneath.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[4096], workspace[4200], through_link[4200];

static const char *in_top(const char *name)
{
	static char path[4][8400];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", top, name);
	return path[turn];
}

/* A file holds its own name, so that the one that was opened can be told. */
static void put_file(const char *name)
{
	int fd = open(in_top(name), O_WRONLY | O_CREAT | O_EXCL, 0600);

	CHECK(fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name));
	close(fd);
}

static void put_link(const char *to, const char *name)
{
	CHECK(symlink(to, in_top(name)) == 0);
}

TEST(the_files_are_made)
{
	const char *tmp = getenv("TMPDIR");
	char made[3000];

	snprintf(made, sizeof made, "%s/beneath-XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(made) && realpath(made, top));
	snprintf(workspace, sizeof workspace, "%s/ws", top);
	snprintf(through_link, sizeof through_link, "%s/link-to-ws", top);
	CHECK(mkdir(workspace, 0700) == 0 && mkdir(in_top("ws/sub"), 0700) == 0 &&
	      mkdir(in_top("ws-other"), 0700) == 0);
	put_file("ws/a");
	put_file("ws/sub/b");
	put_file("outside");
	put_file("ws-other/c");
	put_link("ws", "link-to-ws");
	put_link("../ws/sub", "ws/there-and-back");
	put_link("sub/b", "ws/in");
	put_link(in_top("ws/a"), "ws/absolute-in");
	put_link(in_top("ws/sub"), "ws/absolute-folder");
	put_link("../outside", "ws/out");
	put_link("../none", "ws/out-to-nothing");
	put_link(in_top("outside"), "ws/absolute-out");
	put_link("..", "ws/up");
	put_link("/proc/self/root", "ws/magic");
	put_link("loop", "ws/loop");
	put_link("/", "ws/to-root");
	CHECK(mkfifo(in_top("ws/fifo"), 0600) == 0);
}

/* ---- */

static void opens(const char *folder, const char *path, const char *name, const char *file)
{
	struct pl_buf got = {0};
	struct pl_err err = {0};
	char held[100];
	int fd = beneath_open(folder, path, &got, &err);

	if (CHECK(fd >= 0)) {
		ssize_t n = read(fd, held, sizeof held);
		CHECK_STR(held, n > 0 ? (size_t)n : 0, file);
		CHECK_STR(got.p, got.n, name);
		CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		close(fd);
	} else {
		printf("#   %s: %s\n", path, err.message);
	}
	pl_buf_free(&got);
}

static void refuses(const char *folder, const char *path, enum pl_code code)
{
	struct pl_buf got = {0};
	struct pl_err err = {0};

	if (!CHECK(beneath_open(folder, path, &got, &err) == -1) || !CHECK(err.code == code) ||
	    !CHECK(err.message[0] && err.file[0]))
		printf("#   %s: %s: %s\n", path, pl_code_name(err.code), err.message);
	pl_buf_free(&got);
}

/* Descriptors that were not closed show as a higher number of the next one. */
static int next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

TEST(what_is_below_and_nothing_else)
{
	int before = next_descriptor();

	opens(workspace, "a", "a", "ws/a");
	opens(workspace, ".//sub/./b", "sub/b", "ws/sub/b");
	opens(workspace, "sub/../a", "sub/../a", "ws/a");
	opens(workspace, "in", "in", "ws/sub/b");
	opens(workspace, "absolute-in", "absolute-in", "ws/a");
	opens(workspace, "absolute-folder/b", "absolute-folder/b", "ws/sub/b");
	opens(workspace, in_top("ws/sub/b"), "sub/b", "ws/sub/b");
	opens(workspace, in_top("ws//sub//b"), "sub/b", "ws/sub/b");
	opens(through_link, "a", "a", "ws/a");
	opens(through_link, in_top("ws/a"), "a", "ws/a");
	opens(through_link, in_top("link-to-ws/a"), "a", "ws/a");
	opens(top, "ws/up/outside", "ws/up/outside", "outside");
	opens("/", in_top("outside"), in_top("outside") + 1, "outside");

	refuses(workspace, "../outside", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "../none", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "sub/../../outside", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "../ws/a", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "out", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "out-to-nothing", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "there-and-back/b", PL_E_PATH_SAFETY_VIOLATION);
	/* whether these lead back depends on what is outside */
	refuses(workspace, in_top("link-to-ws/a"), PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "to-root/proc/self/cwd", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "absolute-out", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "up/outside", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "magic/etc/passwd", PL_E_PATH_SAFETY_VIOLATION);
	refuses("/proc/self", "root/etc/passwd", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "loop", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "/etc/passwd", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, "/no/such/file", PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, in_top("ws/../outside"), PL_E_PATH_SAFETY_VIOLATION);
	refuses(workspace, in_top("outside"), PL_E_PATH_SAFETY_VIOLATION);
	/* its name begins with that of the workspace, and no more */
	refuses(workspace, in_top("ws-other/c"), PL_E_PATH_SAFETY_VIOLATION);

	refuses(workspace, "none", PL_E_INVALID_INPUT);
	refuses(workspace, "a/b", PL_E_INVALID_INPUT);
	refuses(workspace, "sub", PL_E_INVALID_INPUT);
	refuses(workspace, ".", PL_E_INVALID_INPUT);
	refuses(workspace, workspace, PL_E_INVALID_INPUT);
	refuses(workspace, "fifo", PL_E_INVALID_INPUT);
	refuses("/dev", "null", PL_E_INVALID_INPUT);
	refuses(in_top("none"), "a", PL_E_INVALID_INPUT);
	refuses(in_top("outside"), "a", PL_E_INVALID_INPUT);

	CHECK(next_descriptor() == before);
}

TEST(the_files_are_removed)
{
	static const char *const names[] = {
		"ws/fifo",
		"ws/loop",
		"ws/magic",
		"ws/up",
		"ws/out",
		"ws/absolute-out",
		"ws/in",
		"ws/out-to-nothing",
		"ws/to-root",
		"ws/sub/b",
		"ws/absolute-in",
		"ws/a",
		"ws/absolute-folder",
		"ws-other/c",
		"ws/there-and-back",
		"link-to-ws",
		"outside",
		"ws/sub",
		"ws-other",
		"ws",
		"",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		CHECK(remove(in_top(names[i])) == 0);
}

int main(void)
{
	RUN(the_files_are_made);
	RUN(what_is_below_and_nothing_else);
	RUN(the_files_are_removed);
	return unit_done();
}
