/*
 * flamesvg: a call tree as a picture in SVG: a flame graph (callers below) or an icicle (callers
 * above), of one profile or of two.
 *
 * The picture is complete without scripts: frames have their figures as hover text, and what was
 * left out is stated. It is XML 1.0 for every name, asks for nothing from outside, and has the same
 * bytes for the same tree.
 */
#ifndef PL_FLAMESVG_H
#define PL_FLAMESVG_H

#include "calldiff.h"

enum {
	PL_FLAMESVG_WIDTH = 1200, /* units of the picture; pixels, as long as it is not scaled */
	PL_FLAMESVG_MARGIN = 10,  /* left and right of the frames */
	PL_FLAMESVG_ROW = 16,
	PL_FLAMESVG_COLUMN = 68 /* a terminal's column of a frame's text, in tenths of a unit:
				   names are cut to what fits by this */
};

struct pl_flamesvg {
	const struct pl_calltree *tree;				/* finished, and sorted by name */
	const struct pl_stacks_event *event[PL_CALLTREE_SIDES]; /* of each of the tree's sides */
	const char *title;					/* NULL: the usual one */
	bool icicle, by_module;
	bool embedded; /* in HTML: neither XML declaration nor script, as wide as there is room */
	unsigned width_by;	/* the side that the width of frames is of */
	uint64_t min_width;	/* millionths of a unit: narrower frames are left out */
	uint64_t minimum_delta; /* millionths of a percent: what a change is where weights are no
				   draws */
	uint64_t max_bytes;	/* of the picture; 0: no limit (--max-output-bytes) */
};

/* Appends the picture. 0, or -1 with *err: RESOURCE_LIMIT_EXCEEDED. */
int pl_flamesvg_write(struct pl_buf *out, const struct pl_flamesvg *f, struct pl_err *err);

#endif
