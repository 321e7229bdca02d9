/* fd: open files, as in and out use them: above the standard three, interrupted calls repeated */
#include "fd.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20 };

int pl_fd_open(int folder, const char *path, int flags, mode_t mode)
{
	int fd;
	do
		fd = openat(folder, path, flags | O_CLOEXEC | O_NOCTTY, mode);
	while (fd < 0 && errno == EINTR);
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int reason = errno;
	close(fd);
	errno = reason;
	return above;
}

/* Whether the call that just failed is to be made again, after waiting if need be. */
static bool again(int fd, short events)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN)
		return false;
	struct pollfd ready = {.fd = fd, .events = events};
	return poll(&ready, 1, -1) > 0 || errno == EINTR;
}

ssize_t pl_fd_read(int fd, void *p, size_t n)
{
	ssize_t got;
	do
		got = read(fd, p, n);
	while (got < 0 && again(fd, POLLIN));
	return got;
}

int pl_fd_write(int fd, const void *p, size_t n)
{
	const char *from = p;
	while (n > 0) {
		ssize_t put = write(fd, from, n);
		if (put < 0 && !again(fd, POLLOUT))
			return -1;
		if (put > 0) {
			from += put;
			n -= (size_t)put;
		}
	}
	return 0;
}

bool pl_fd_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A pipe holds pages. Neighbouring ones are more than half full together, or they would have become
 * one. */
size_t pl_fd_room(int fd)
{
	int size = fcntl(fd, F_GETPIPE_SZ), queued = 0;
	if (size < 0 || ioctl(fd, FIONREAD, &queued) < 0 || queued > size / 2 - 2 * PIPE_BUF)
		return PIPE_BUF;
	return (size_t)size - 2 * (size_t)queued - PIPE_BUF;
}

void pl_fd_widen(int fd)
{
	int reason = errno;
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
	errno = reason;
}
