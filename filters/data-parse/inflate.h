/* inflate: the records inside PERF_RECORD_COMPRESSED: one zstd stream over all of them, in which a
 * record may go on from one block to the next */
#ifndef INFLATE_H
#define INFLATE_H

#include "perfdata.h"

struct inflate {
	uint64_t bytes, max_bytes; /* unpacked so far, and at most (0: any) */
	size_t rest;		   /* bytes of a record whose end has not come yet */
	struct pl_err err;
	/* private */
	void *stream;	    /* ZSTD_DStream */
	struct pl_buf work; /* the rest, and what is unpacked behind it */
	struct inflate_block {
		struct inflate_block *next;
		unsigned char records[];
	} * blocks;
};

/*
 * Unpacks one block: *records is the whole records that there are now, valid until
 * inflate_free(). 0, or -1: it is no zstd, it holds no records, or more than max_bytes; what came
 * before the damage is in *records, and the next block is looked at by itself.
 */
int inflate_add(struct inflate *f, struct pl_bytes packed, struct pl_bytes *records);
void inflate_free(struct inflate *f);

#endif
