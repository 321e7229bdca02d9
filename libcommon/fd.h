/* fd: open files, as in and out use them: above the standard three, interrupted calls repeated */
#ifndef PL_FD_H
#define PL_FD_H

#include "base.h"
#include <sys/stat.h>
#include <sys/types.h>

/*
 * openat(2), never with a controlling terminal, closed on exec, and never one of the descriptors
 * 0, 1, 2 even where a parent left those closed: what is meant for stdout or stderr must not end in
 * a file of ours. A descriptor, or -1 and errno.
 */
int pl_fd_open(int folder, const char *path, int flags, mode_t mode);
/* read(2), repeated when interrupted, waiting when the descriptor does not block. */
ssize_t pl_fd_read(int fd, void *p, size_t n);
/* All n bytes: 0, or -1 and errno. */
int pl_fd_write(int fd, const void *p, size_t n);
/* The same file, by device and inode, that nobody wrote to between the two? */
bool pl_fd_is_same(const struct stat *a, const struct stat *b);
/* Once poll(2) says that fd can be written to: how much it takes without waiting, at least. */
size_t pl_fd_room(int fd);
/* Gives a pipe room for 1 MiB where it is allowed; nothing depends on it. */
void pl_fd_widen(int fd);

#endif
