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
	/* set by pl_paths_open(); the first two where there is such a process */
	int64_t pid, inner_pid; /* its PID, and the one that it has in its own namespace */
	int root;		/* the other system's root, open; 0: it is ours */
	char prefix[32];	/* what stands for the root of that process */
};

/* The options that fill in a struct pl_paths, for a program's table (args.h). */
#define PL_PATHS_OPTIONS(paths)                                                              \
	{.name = "path-map",                                                                 \
	 .kind = PL_OPT_LIST,                                                                \
	 .flags = PL_OPT_RECORDED,                                                           \
	 .value = &(paths).maps,                                                             \
	 .argument = "FROM=TO",                                                              \
	 .help = N_("what was recorded below FROM is below TO here; the first that matches " \
		    "counts")},                                                              \
		{.name = "sysroot",                                                          \
		 .kind = PL_OPT_TEXT,                                                        \
		 .flags = PL_OPT_RECORDED,                                                   \
		 .value = &(paths).sysroot,                                                  \
		 .argument = "DIR",                                                          \
		 .help = N_("the recorded system is below DIR")},                            \
	{                                                                                    \
		.name = "root-of-pid", .kind = PL_OPT_TEXT, .flags = PL_OPT_RECORDED,        \
		.value = &(paths).root_of_pid, .argument = "PID",                            \
		.help = N_("the recorded system is the one that this process sees, in its "  \
			   "container")                                                      \
	}

/* Before the sandbox, behind which another process's root cannot be reached. 0, or -1: a map is not
 * of the form FROM=TO, the sysroot is no folder, a PID is none, or the root of that process cannot
 * be seen. Paths below the other system's root then stay in it (regular.h). */
int pl_paths_open(struct pl_paths *paths, struct pl_err *err);
void pl_paths_close(struct pl_paths *paths);
/* What they name may be read, besides the roots. */
void pl_paths_roots(const struct pl_paths *paths, struct pl_roots *roots);
/* The root's descriptor, which a child that reads below it has to keep (child.h); 0: none. */
static inline int pl_paths_descriptor(const struct pl_paths *paths)
{
	return paths->root;
}
/* Writes what stands before a path of the recorded system: "" where it is this one. */
void pl_paths_root(const struct pl_paths *paths, struct pl_buf *local);
/* Writes the path of a file here to *local. " (deleted)" at its end is not of the path. */
void pl_paths_local(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local);
/* The same for a source file, which is only named, and stays as it is where no map matches. */
void pl_paths_source(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local);

#endif
