/* flat: the flat table of an analysis, made for terminals and language models: bounded, ordered,
 * with what it covers and what it leaves out */
#ifndef QUERY_FLAT_H
#define QUERY_FLAT_H

#include "options.h"

enum {
	FLAT_MIN = 1800
}; /* bytes an event gets at least: in these the lines around its table find room */

/* Appends at most max_bytes bytes: rows are dropped from the bottom, into "other". */
void flat_write(struct pl_buf *out, const struct pl_summary *s, uint64_t max_bytes);

#endif
