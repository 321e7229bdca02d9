/*
 * resolve: what stands at one offset of an ELF file: the answer to perflens resolve-source, an
 * artifact of its own (perflens.source).
 */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "asker.h"

struct resolve {
	const char *binary;
	const char *offset;   /* in the file, "0x…" */
	const char *runtime;  /* an address of a process, or NULL: it is told again, never rebased */
	const char *build_id; /* that the file must have, or NULL */
};

/* Are the options whole? 0, or -1 (INVALID_INPUT). */
int resolve_check(const struct resolve *resolve, struct pl_err *err);
/* Writes the artifact to m's output. 0, or -1 with err. */
int resolve_run(struct pl_main *m, const struct resolve *resolve, struct asker *asker,
		struct pl_err *err);

#endif
