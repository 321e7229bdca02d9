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
	/* set by paths_open(), where there is such a process */
	int64_t pid, inner_pid; /* its PID, and the one that it has in its own namespace */
	int root;		/* its root, open */
};

/* Before the sandbox, behind which another process's root cannot be reached. 0, or -1: a map is not
 * of the form FROM=TO, a PID is none, or the root of that process cannot be seen. */
int paths_open(struct paths *paths, struct pl_err *err);
void paths_close(struct paths *paths);
/* Writes what stands before a path of the recorded system: "" where it is this one. */
void paths_root(const struct paths *paths, struct pl_buf *local);
/* Writes the path of a file here to *local. " (deleted)" at its end is not of the path. */
void paths_local(const struct paths *paths, struct pl_str file, struct pl_buf *local);
/* The same for a source file, which is only named, and stays as it is where no map matches. */
void paths_source(const struct paths *paths, struct pl_str file, struct pl_buf *local);

#endif
