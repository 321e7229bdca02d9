/* calldiff: how the share of a call path changed between two profiles */
#include "calldiff.h"
#include "stats.h"

#include <math.h>

static double share(uint64_t part, uint64_t total)
{
	return total ? (double)part / (double)total : 0;
}

void pl_calldiff_node(const struct pl_calltree *t,
		      const struct pl_stacks_event *const events[PL_CALLTREE_SIDES],
		      uint64_t minimum_delta, uint32_t node, struct pl_calldiff *c)
{
	const struct pl_stacks_event *before = events[0], *after = events[1];
	uint64_t totals[] = {t->sums[0][0].total, t->sums[1][0].total};
	double least = (double)minimum_delta / 1e8;

	*c = (struct pl_calldiff){.before = share(t->sums[0][node].total, totals[0]),
				  .after = share(t->sums[1][node].total, totals[1]),
				  .has_interval = !isnan(before->n_eff) && !isnan(after->n_eff)};
	if (c->has_interval) {
		pl_stats_newcombe(c->before, before->n_eff, c->after, after->n_eff, &c->low,
				  &c->high);
		least = 0;
	} else {
		c->low = c->high = c->after - c->before;
	}
	c->low -= share(before->omitted, totals[0]);
	c->high += share(after->omitted, totals[1]);
	if (c->low > 0 && c->low >= least)
		c->direction = 1;
	else if (c->high < 0 && -c->high >= least)
		c->direction = -1;
}
