/*
 * regular: opens regular files by names that others chose: recordings, ELF files, links.
 *
 * What is at a name is looked at before it is opened: opening a device may do something, and
 * opening a FIFO wakes whoever waits to write to it.
 */
#ifndef PL_REGULAR_H
#define PL_REGULAR_H

#include "within.h"

/* Opens for reading; flags: O_NOFOLLOW or 0. A descriptor, or -1 and errno: EISDIR for a folder,
 * EINVAL for what is no regular file either, ESTALE when it became another one meanwhile. */
int pl_regular_open(const char *path, int flags);
/* The same of a path in a folder, and nothing outside of it. */
int pl_regular_open_within(const struct pl_within *within, const char *path);
/* From now on paths that begin with `prefix`, which must stay where it is, are those of another
 * system, whose root is open as `root`: links and ".." lead where they do there (within.h). */
void pl_regular_system(const char *prefix, int root);

#endif
