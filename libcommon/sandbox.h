/*
 * sandbox: what a process that reads hostile bytes gives up once its inputs and outputs are open.
 *
 * seccomp: an allow-list of system calls; anything else kills the process (SIGSYS). Landlock: no
 * file-system access beyond what is open. No network, no exec, no new privileges. Call after
 * everything is open and every catalogue is loaded, and before threads are made: a thread made
 * before is not confined.
 */
#ifndef PL_SANDBOX_H
#define PL_SANDBOX_H

#include "err.h"

struct pl_sandbox_needs {
	int output_folder; /* descriptor in which names may be created, replaced and removed; -1:
			      none */
	const char *const
		*roots; /* folders below which files may be opened for reading; NULL: none */
	size_t roots_n;
	bool exec;     /* may start programs (and then keeps the file system for them) */
	bool children; /* may fork, and end its children (child.h) */
};

struct pl_sandbox_state {
	bool seccomp, landlock; /* in force */
	char reason[160];	/* why one is not; "" when both are */
};

/* 0: as much as this kernel grants is in force, *state says what. -1: a fault (never for a kernel
 * that lacks one). */
int pl_sandbox(const struct pl_sandbox_needs *needs, struct pl_sandbox_state *state,
	       struct pl_err *err);

#endif
