/* pictures: the flame graph of each event, for formats that show pictures */
#ifndef REPORT_PICTURES_H
#define REPORT_PICTURES_H

#include "calltree.h"

struct pictures {
	struct pl_buf
		*v; /* by event of the summary: SVG to be embedded, or empty: it has no stacks */
	size_t n;
	/* private */
	bool begun;
	struct pl_stacks stacks;
	struct pl_calltree *trees; /* by event */
	size_t trees_cap;
};

/* A row of the analysis, as pl_summary_options.row wants it; `to` is a struct pictures. */
int pictures_row(void *to, enum pl_analysis_kind kind, struct pl_analysis *a);
/* After the last row: draws them, each of max_bytes at most (0: no limit). 0, or -1 with *err. */
int pictures_draw(struct pictures *p, uint64_t max_bytes, struct pl_err *err);
void pictures_free(struct pictures *p);

#endif
