/*
 * stacks: from the text of a stack to the numbers of its frames, each defined once.
 *
 * A stack is split first and defined afterwards, so that a faulty line leaves no definitions
 * behind. What it has in common with the stack before it, at the root, is not looked up again.
 */
#ifndef PL_FOLD_PARSE_STACKS_H
#define PL_FOLD_PARSE_STACKS_H

#include "folded.h"
#include "intern.h"

struct stacks {
	uint32_t *ids; /* the frames of the stack, root first; until it is defined, those of the one
			  before */
	size_t depth;
	struct pl_intern frames, modules; /* what was defined so far; counts are theirs */
	/* private */
	uint64_t max_depth;
	bool keep_annotations, dso_from_frame;
	struct pl_intern texts;	 /* of frames, as they stand in the input */
	uint32_t *frame_of_text; /* by text */
	uint32_t *texts_of_stack;
	struct part {
		struct pl_str text;
		uint32_t hash;
	} * parts; /* by position: the frames that have to be looked up, from `shared` on */
	size_t shared, ids_cap, frame_of_text_cap, texts_of_stack_cap, parts_cap;
	struct pl_buf key;
};

void stacks_start(struct stacks *s, uint64_t max_depth, bool keep_annotations, bool dso_from_frame);
void stacks_free(struct stacks *s);
/* Splits a stack; the text must live until it is defined. */
struct folded_fault stacks_split(struct stacks *s, struct pl_str stack);
/* Fills ids; writes module and frame records of what is new. */
void stacks_define(struct stacks *s, struct pl_buf *out);

#endif
