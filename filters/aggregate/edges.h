/* edges: who called whom, from the call paths: the heaviest callers and callees of chosen keys */
#ifndef PL_AGGREGATE_EDGES_H
#define PL_AGGREGATE_EDGES_H

#include "profile.h"

enum { EDGES_SHOWN = 10 };

struct neighbour {
	uint32_t key;
	uint64_t weight;
};
struct neighbours {
	struct neighbour callers[EDGES_SHOWN], callees[EDGES_SHOWN]; /* heaviest first */
	uint32_t callers_n, callees_n;
};

/*
 * For each of the `n` keys its neighbours, in an array that the caller frees. A distinct pair
 * counts once a sample. Equal weights are ordered by `order` (the place of each key by name and
 * DSO).
 */
struct neighbours *edges_of(const struct profile *p, const struct tally *t, const uint32_t *keys,
			    size_t n, const uint32_t *order);

#endif
