/* beneath: opens a file below a folder, wherever its name and the links on its way would lead */
#ifndef SOURCE_BENEATH_H
#define SOURCE_BENEATH_H

#include "err.h"

/*
 * Opens a regular file for reading that lies below the folder `workspace`, which may be named
 * through links. `path`, not empty, is relative to it, or absolute and begins with its name. Links
 * inside are followed as long as they stay inside at every step; nothing outside is opened or
 * looked at, and no device or FIFO opened either. *name becomes the path relative to the workspace,
 * without "." and doubled slashes.
 *
 * A descriptor, or -1 with *err: PATH_SAFETY_VIOLATION where path leads outside, the same whether
 * or not something is there; INVALID_INPUT where there is no such file, or it is no regular one.
 */
int beneath_open(const char *workspace, const char *path, struct pl_buf *name, struct pl_err *err);

#endif
