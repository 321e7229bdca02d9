/* spawn: one process, its descriptors, signals and group: what proc starts its stages with */
#ifndef PL_SPAWN_H
#define PL_SPAWN_H

#include "proc.h"

#include <signal.h>

struct pl_spawn {
	int in, out, err; /* above the standard three */
	pid_t group;	  /* 0: one of its own; -1: ours */
	const sigset_t *mask;
};

/* Both ends above the standard three, closed on exec. 0, or -1 and errno. */
int pl_spawn_pipe(int ends[2]);
/* A copy of the caller's descriptor, above the standard three. -1 gives one that reads nothing;
 * where a closed one is meant, its use must fail in the child, as it would without us: then it is
 * /dev/null opened in `wrong_mode`. */
int pl_spawn_copy(int fd, int wrong_mode);
/* Starts stage->path; SIGPIPE has its default action there. 0, or an errno. */
int pl_spawn(pid_t *pid, const struct pl_stage *stage, const struct pl_spawn *how);

#endif
