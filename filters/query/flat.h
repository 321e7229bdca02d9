/* flat: the flat table of an analysis, made for terminals and language models: bounded, ordered,
 * with what it covers and what it leaves out */
#ifndef QUERY_FLAT_H
#define QUERY_FLAT_H

#include "options.h"

/* Reads the whole of an open analysis and appends at most max_bytes bytes: rows are dropped from
 * the bottom, into "other". 0, or -1 with *err. */
int flat_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err);

#endif
