/* calldiff: how the share of a call path changed between the two profiles of a call tree */
#ifndef PL_CALLDIFF_H
#define PL_CALLDIFF_H

#include "calltree.h"

struct pl_calldiff {
	double before, after; /* shares of the nodes' totals, 0 to 1 */
	bool has_interval;    /* of after - before: low, high */
	double low, high;
	int direction; /* 1 more, -1 less, 0 within the noise */
};

/*
 * Of a node of a finished tree of two sides, before and after; events are those of the sides.
 * Beyond the noise is what the 95 % interval of the difference (pl_stats_newcombe at the effective
 * sizes) has on one side of 0. Where weights are no draws, the difference itself must be
 * minimum_delta (millionths of a percent) from 0. Either is widened by the shares that analyses
 * left out, since these may be of any node.
 */
void pl_calldiff_node(const struct pl_calltree *t,
		      const struct pl_stacks_event *const events[PL_CALLTREE_SIDES],
		      uint64_t minimum_delta, uint32_t node, struct pl_calldiff *c);

#endif
