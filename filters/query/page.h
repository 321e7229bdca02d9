/*
 * page: rows of an artifact, byte for byte, after one line that says which they are.
 *
 * It is a page of an artifact and no stream of its own: there is no header and no end.
 */
#ifndef QUERY_PAGE_H
#define QUERY_PAGE_H

#include "options.h"

/* Reads the whole of an open analysis and writes the page. 0, or -1 with *err and nothing in out
 * that may be published. */
int page_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err);

#endif
