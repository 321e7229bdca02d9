/* regular: opens regular files by names that others chose */
#include "regular.h"
#include "fd.h"
#include "within.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* One a process: readers of files are handed paths, through libraries of several floors. */
static struct {
	const char *prefix; /* NULL: all paths are ours */
	struct pl_within root;
} other;

void pl_regular_system(const char *prefix, int root)
{
	other.prefix = prefix;
	other.root = (struct pl_within){.root = root};
}

static int open_path(const char *path, int flags)
{
	const char *rest = other.prefix ? pl_within_rest(other.prefix, path) : NULL;

	return rest ? pl_within_open(&other.root, rest, flags)
		    : pl_fd_open(AT_FDCWD, path, flags, 0);
}

/* Closes fd unless what it has is a regular file. */
static int check(int fd, struct stat *st)
{
	int reason = fstat(fd, st) ? errno : S_ISLNK(st->st_mode) ? ELOOP : EINVAL;

	if (reason == EINVAL && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	errno = reason;
	return -1;
}

int pl_regular_open(const char *path, int flags)
{
	struct stat seen, opened;
	int fd = open_path(path, flags | O_PATH);

	if (fd < 0 || check(fd, &seen) < 0)
		return -1;
	close(fd);
	fd = open_path(path, flags | O_RDONLY | O_NONBLOCK);
	if (fd < 0 || check(fd, &opened) < 0)
		return -1;
	if (seen.st_dev == opened.st_dev && seen.st_ino == opened.st_ino)
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}
