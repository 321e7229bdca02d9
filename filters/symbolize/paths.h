/*
 * paths: where a file of the recording is on this machine: its path may be one of a container, of
 * another system's root, or of where it was built.
 */
#ifndef PATHS_H
#define PATHS_H

#include "args.h"

struct paths {
	struct pl_list maps;	 /* FROM=TO; the first that matches counts */
	const char *sysroot;	 /* before paths that no map matches; NULL: none */
	const char *root_of_pid; /* as sysroot, the root that this process sees; NULL: none */
};

/* 0, or -1: a map is not of the form FROM=TO, or a PID none. */
int paths_check(const struct paths *paths, struct pl_err *err);
/* Writes the path of a file here to *local. " (deleted)" at its end is not of the path. */
void paths_local(const struct paths *paths, struct pl_str file, struct pl_buf *local);
/* The same for a source file, which is only named, and stays as it is where no map matches. */
void paths_source(const struct paths *paths, struct pl_str file, struct pl_buf *local);

#endif
