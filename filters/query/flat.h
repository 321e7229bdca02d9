/* flat: the flat table of an analysis, made for terminals and language models: bounded, ordered,
 * with what it covers and what it leaves out */
#ifndef QUERY_FLAT_H
#define QUERY_FLAT_H

#include "options.h"

/* Appends at most max_bytes bytes: rows are dropped from the bottom, into "other". */
void flat_write(struct pl_buf *out, const struct pl_summary *s, const struct query_options *o);

#endif
