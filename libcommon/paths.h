/*
 * paths: where a file of the recording is on this machine: its path may be one of a container, of
 * another system's root, or of where it was built.
 */
#ifndef PL_PATHS_H
#define PL_PATHS_H

#include "roots.h"

struct pl_paths {
	struct pl_list maps;	 /* FROM=TO; the first that matches counts */
	const char *sysroot;	 /* before paths that no map matches; NULL: none */
	const char *root_of_pid; /* as sysroot, the root that this process sees; NULL: none */
};

/* 0, or -1: a map is not of the form FROM=TO, or a PID none. */
int pl_paths_check(const struct pl_paths *paths, struct pl_err *err);
/* What they name may be read, besides the roots. */
void pl_paths_roots(const struct pl_paths *paths, struct pl_roots *roots);
/* Writes the path of a file here to *local. " (deleted)" at its end is not of the path. */
void pl_paths_local(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local);
/* The same for a source file, which is only named, and stays as it is where no map matches. */
void pl_paths_source(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local);

#endif
