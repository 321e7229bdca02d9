/* best: the first rows of an order, kept as the text they have in the artifact */
#ifndef QUERY_BEST_H
#define QUERY_BEST_H

#include "options.h"

struct best_row {
	uint64_t event, key, number; /* events first, then the key, then the artifact's order */
	struct pl_str name, line;
	char *texts; /* owns name and line */
};

struct best {
	enum pl_summary_order order;
	uint64_t most;
	struct best_row *v; /* a heap, the last of the order on top, until best_sort() */
	size_t n, cap;
	uint64_t number;
};

/* Adds a hotspot of the event with this index, if it is among the first `most` so far. */
void best_add(struct best *b, uint64_t event, const struct pl_analysis_hotspot *h,
	      struct pl_str line);
void best_sort(struct best *b);
void best_free(struct best *b);

#endif
