/* tree: the call paths of an analysis as a tree, root first: bounded, and what is left out is named
 * where it is */
#ifndef QUERY_TREE_H
#define QUERY_TREE_H

#include "options.h"

/* Reads the whole of an open analysis and appends a tree for each event, at most max_bytes bytes.
 * 0, or -1 with *err. */
int tree_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err);

#endif
