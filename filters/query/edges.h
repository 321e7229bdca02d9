/* edges: who calls a hotspot and whom it calls, by the exact edges of its row, as tables */
#ifndef QUERY_EDGES_H
#define QUERY_EDGES_H

#include "options.h"

/*
 * Reads the whole of an open analysis and appends a table for each hotspot that is wanted, callers
 * or callees by the command, at most max_bytes bytes: those that do not fit are named. 0, or -1
 * with *err: the hotspot or the event does not exist, or the analysis is not right.
 */
int edges_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
		struct pl_err *err);

#endif
