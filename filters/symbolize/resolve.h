/*
 * resolve: what stands at one offset of an ELF file: the answer to perflens resolve-source, an
 * artifact of its own (perflens.source).
 *
 * The offset is one of the file, as `offset` in streams and analyses: what is mapped at it is what
 * ran. A runtime address is told again and never made an offset: that would need the process's
 * mappings.
 */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "asker.h"

struct resolve {
	const char *binary;
	const char *offset;   /* "0x…" or decimal */
	const char *runtime;  /* an address of a process, or NULL */
	const char *build_id; /* that the file must have, or NULL */
	const char *sha256;   /* that the file must have (of perflens inspect-elf), or NULL */
	/* private */
	struct pl_buf path; /* absolute, without links: what lies beside it is looked for there */
	int fd;		    /* the file, for the child */
	struct pl_elf_build_id id;
	uint64_t at, address;
	struct stat st;
};

/* Checks the options and opens the file, which becomes m's input, and which the child has to be
 * given as path and fd; before pl_open(). 0 or -1. */
int resolve_open(struct resolve *r, struct pl_main *m, struct pl_err *err);
/* Writes the artifact to m's output. 0, or -1 with err. */
int resolve_run(struct resolve *r, struct pl_main *m, struct asker *asker, struct pl_err *err);

#endif
