/* stats: the score interval, and what samples are worth */
#include "stats.h"

#include <math.h>

static const double z95 = 1.959963984540054; /* the 0.975 quantile of the normal distribution */

void pl_stats_wilson(double p, double n, double *low, double *high)
{
	*low = 0;
	*high = 1;
	if (!(n > 0))
		return;
	double z2 = z95 * z95;
	double scale = 1 / (1 + z2 / n);
	double center = scale * (p + z2 / (2 * n));
	double half = scale * z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
	/* at p = 0 and p = 1 the bound is p itself; rounding must not put it beside */
	*low = fmax(0, fmin(p, center - half));
	*high = fmin(1, fmax(p, center + half));
}

void pl_stats_newcombe(double p1, double n1, double p2, double n2, double *low, double *high)
{
	double l1, u1, l2, u2;

	pl_stats_wilson(p1, n1, &l1, &u1);
	pl_stats_wilson(p2, n2, &l2, &u2);
	double d = p2 - p1;
	*low = fmax(-1, d - sqrt((p2 - l2) * (p2 - l2) + (u1 - p1) * (u1 - p1)));
	*high = fmin(1, d + sqrt((u2 - p2) * (u2 - p2) + (p1 - l1) * (p1 - l1)));
}

double pl_stats_draws(struct pl_str weight_source, struct pl_str unit, uint64_t weight,
		      unsigned __int128 squares)
{
	if (weight == 0)
		return NAN;
	if (pl_str_is(weight_source, "period") || pl_str_is(weight_source, "count"))
		return (double)weight * (double)weight / (double)squares;
	if (pl_str_is(weight_source, "folded_weight") && pl_str_is(unit, "samples"))
		return (double)weight;
	return NAN;
}
