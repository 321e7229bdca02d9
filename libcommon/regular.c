/* regular: opens regular files by names that others chose */
#include "regular.h"
#include "fd.h"

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

/* A path of ours, or, with a folder, one in it. */
static int open_path(const struct pl_within *within, const char *path, int flags)
{
	return within ? pl_within_open(within, path, flags) : pl_fd_open(AT_FDCWD, path, flags, 0);
}

/* Closes fd unless what it has is a regular file. */
static int check(int fd, struct stat *st)
{
	int reason;

	if (fstat(fd, st))
		reason = errno;
	else if (S_ISREG(st->st_mode))
		return fd;
	else
		reason = S_ISLNK(st->st_mode) ? ELOOP : S_ISDIR(st->st_mode) ? EISDIR : EINVAL;
	close(fd);
	errno = reason;
	return -1;
}

static int look_and_open(const struct pl_within *within, const char *path, int flags)
{
	struct stat seen, opened;
	int fd = open_path(within, path, flags | O_PATH);

	if (fd < 0 || check(fd, &seen) < 0)
		return -1;
	close(fd);
	fd = open_path(within, path, flags | O_RDONLY | O_NONBLOCK);
	if (fd < 0 || check(fd, &opened) < 0)
		return -1;
	if (seen.st_dev == opened.st_dev && seen.st_ino == opened.st_ino)
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

int pl_regular_open(const char *path, int flags)
{
	const char *rest = other.prefix ? pl_within_rest(other.prefix, path) : NULL;

	return rest ? look_and_open(&other.root, rest, flags) : look_and_open(NULL, path, flags);
}

int pl_regular_open_within(const struct pl_within *within, const char *path)
{
	return look_and_open(within, path, 0);
}
