/* stats: intervals. Built with -ffp-contract=off, so that every machine prints the same digits. */
#ifndef PL_STATS_H
#define PL_STATS_H

#include "str.h"

/*
 * The 95 % score interval of a proportion p seen in n draws (n may be an effective, fractional
 * number). Wilson, E. B. (1927), JASA 22:209-212, equation for the two roots; z
 * = 1.959963984540054. n <= 0: [0, 1]. The bounds are within [0, 1] and low <= p <= high.
 */
void pl_stats_wilson(double p, double n, double *low, double *high);

/*
 * The 95 % hybrid score interval of the difference p2 - p1 of two independent proportions, seen in
 * n1 and n2 draws. Newcombe, R. G. (1998), Statistics in Medicine 17:873-890, method 10: from the
 * Wilson bounds of each. Within [-1, 1], low <= p2 - p1 <= high.
 */
void pl_stats_newcombe(double p1, double n1, double p2, double n2, double *low, double *high);

/*
 * How many independent draws the samples of an event are worth: (sum of w)^2 / sum of w^2 (Kish, L.
 * (1965), Survey Sampling, section 11.7) where weights come from a period or a count; the weight
 * itself where folded weights count samples. NaN where weights are no draws, or there are none.
 */
double pl_stats_draws(struct pl_str weight_source, struct pl_str unit, uint64_t weight,
		      unsigned __int128 squares);

#endif
