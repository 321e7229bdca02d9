/*
 * folded: the grammar of folded (collapsed) stacks: frames joined by ';', root first, blanks, a
 * weight.
 *
 * The format has no standard; these are the rules that stackcollapse scripts, flame graph tools and
 * tracing tools keep: the last blank-separated word is the weight, the split at ';' is plain, and
 * stackcollapse-perf.pl's annotations
 * _[k] _[j] _[i] and _[w] (waker, of offwaketime) may end a frame.
 */
#ifndef PL_FOLDED_H
#define PL_FOLDED_H

#include "str.h"

enum folded_column { FOLDED_ONE, FOLDED_BEFORE, FOLDED_AFTER, FOLDED_NONE };

struct folded_line {
	struct pl_str stack; /* without the weight */
	uint64_t weight;     /* 0 only with FOLDED_BEFORE and FOLDED_AFTER: not in that profile */
	bool two_columns; /* the word before the weight is a number, too, and a stack is before it
			   */
};

/* What is wrong with a line: `code` NULL when nothing is. Both are static. */
struct folded_fault {
	const char *code, *message;
};

/* Splits a line (trimmed, valid UTF-8, not empty) into stack and weight; the weight is multiplied
 * by scale; 0 is no scale, and then a decimal point is a fault. */
struct folded_fault folded_split(struct pl_str line, enum folded_column column, uint64_t scale,
				 struct folded_line *out);

/* The next frame of *rest, trimmed, which is taken off *rest; rest->p is NULL after the last. An
 * empty frame has n == 0. */
struct pl_str folded_next_frame(struct pl_str *rest);

struct folded_frame {
	struct pl_str symbol, module; /* module.p NULL: none is named */
	const char *kind;	      /* "kernel", "jit", "waker" or NULL */
	bool inlined;
};
/* Reads annotations (unless keep_annotations) and, with dso_from_frame, "module`symbol" and "symbol
 * (module)". */
struct folded_frame folded_read_frame(struct pl_str text, bool keep_annotations,
				      bool dso_from_frame);

#endif
