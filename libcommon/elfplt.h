/*
 * elfplt: the stubs of a procedure linkage table, and whose they are.
 *
 * A stub is told by what it does: it jumps through a slot that a relocation fills, whatever the
 * layout of its section: lazy or bound at start, with landing pads (IBT, BTI) or without, by GNU
 * ld, lld or mold. x86-64 and aarch64; other machines have none here.
 */
#ifndef PL_ELFPLT_H
#define PL_ELFPLT_H

#include "elf.h"

struct pl_elfstub {
	uint64_t start, end; /* virtual addresses */
	const char *name;    /* of the function, in the file; NULL where there is only a resolver */
	uint64_t
		resolver; /* address of the function that chooses (IRELATIVE), where name is NULL */
};

struct pl_elfplt {
	struct pl_elfstub *v; /* section by section, by address in each */
	size_t n, cap;
};

/* Only the file that runs has them: a separate debug file has no code. */
void pl_elfplt_read(struct pl_elfplt *plt, const struct pl_elf *elf);
void pl_elfplt_free(struct pl_elfplt *plt);

#endif
