/*
 * foldedw: writes folded stacks: names joined by ';', root first, a blank, the weight.
 *
 * The format has no escapes: what it cannot hold as it is is altered, and counted.
 */
#ifndef PL_FOLDEDW_H
#define PL_FOLDEDW_H

#include "stacks.h"

struct pl_foldedw {
	uint64_t altered;    /* functions with a name that was altered to fit */
	uint64_t comments;   /* lines that would have been comments: their '#' became ':' */
	uint64_t weightless; /* stacks of weight 0, which the format has not: left out */
	/* private */
	bool begun;	      /* a line was written */
	struct pl_str *names; /* by index of stacks' frames; p NULL: not asked for yet */
	size_t names_cap;
	struct pl_arena bytes;
	struct pl_buf scratch;
};

/*
 * Appends the current stack of k, in the spelling that was recorded, with its weight and a line
 * end. 0, or -1 with *err: a line longer than PL_STREAM_LINE_MAX, which no reader takes.
 */
int pl_foldedw_line(struct pl_foldedw *w, const struct pl_stacks *k, struct pl_buf *out,
		    struct pl_err *err);
/* The same without weight and line end, as a field of something else: no line, nothing hidden. */
int pl_foldedw_stack(struct pl_foldedw *w, const struct pl_stacks *k, struct pl_buf *out,
		     struct pl_err *err);
void pl_foldedw_free(struct pl_foldedw *w);
/* Says on stderr what was altered or left out; nothing where nothing was. */
void pl_foldedw_note(const struct pl_foldedw *w, const struct pl_main *m);

#endif
