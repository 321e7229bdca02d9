/* inflate: the records inside PERF_RECORD_COMPRESSED: one zstd stream over all of them, in which a
 * record may go on from one block to the next */
#ifndef INFLATE_H
#define INFLATE_H

#include "perfdata.h"

struct inflate {
	uint64_t bytes, max_bytes; /* unpacked so far, and at most (0: any) */
	struct pl_err err;
	/* private */
	void *stream; /* ZSTD_DStream */
	struct inflate_block {
		struct inflate_block *next;
	} * blocks;
	struct pl_bytes rest; /* the start of a record whose end has not come yet */
};

/*
 * Unpacks one block: *records is the whole records that there are now, valid until
 * inflate_free(). 0, or -1: it is no zstd, or more than max_bytes.
 */
int inflate_add(struct inflate *f, struct pl_bytes packed, struct pl_bytes *records);
void inflate_free(struct inflate *f);

#endif
