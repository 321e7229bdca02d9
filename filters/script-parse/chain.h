/*
 * chain: the call chain of a sample: from the texts of its frames, leaf first, to numbers, root
 * first.
 *
 * A frame's text (what follows its address) is interned as it stands and read once; most frames are
 * then one look-up. Texts are collected first and looked up at the sample's end, so that the
 * look-ups do not wait for each other, and so that an inlined frame knows the module of the frame
 * it was inlined into.
 */
#ifndef PL_SCRIPT_CHAIN_H
#define PL_SCRIPT_CHAIN_H

#include "frame.h"
#include "intern.h"

struct chain_options {
	uint64_t max_depth;
	bool addresses;		  /* the address column is part of a frame */
	bool normalise_generated; /* numbers of generated names are taken out */
	bool raw_names;		  /* names are not normalised at all */
};

struct chain {
	uint32_t *ids; /* the frames, root first, after chain_define() */
	size_t depth;
	bool too_deep; /* more frames than allowed: the sample cannot be kept */
	bool has_symbol, has_dso, has_offset, has_source; /* some frame of this sample has it */
	size_t inlined;					  /* frames of this sample that are */
	uint64_t suspects;				  /* callers at offset 0 of this sample */
	struct pl_intern frames, modules;		  /* defined so far; counts are theirs */
	/* private */
	struct chain_options options;
	struct pl_intern texts;
	struct chain_text *infos; /* by text */
	size_t infos_cap, ids_cap;
	struct pl_buf buf; /* the texts of this sample */
	struct chain_part {
		size_t at, n;
		uint32_t hash;
		uint32_t file; /* of `files`, PL_INTERN_NONE: no source line */
		uint64_t line;
		bool inlined; /* is said behind the source line */
	} * parts;
	size_t parts_cap;
	struct pl_intern files;
	struct pl_buf key, scratch;
};

void chain_start(struct chain *c, const struct chain_options *options);
void chain_free(struct chain *c);
void chain_clear(struct chain *c); /* a new sample */
void chain_add(struct chain *c, struct pl_str address, struct pl_str body);
void chain_add_unknown(struct chain *c); /* a position that could not be read */
/* A source line of the frame that was added last; a second one, or one without a frame, is ignored.
 */
void chain_add_source(struct chain *c, struct pl_str file, uint64_t line);
/* The frame that was added last is inlined: perf says so behind the source line when it prints one.
 */
void chain_set_inlined(struct chain *c);
/* Fills ids; writes module and frame records of what is new. */
void chain_define(struct chain *c, struct pl_buf *out);

#endif
