/* shape: heuristics on a profile that warn and never alter */
#ifndef PL_AGGREGATE_SHAPE_H
#define PL_AGGREGATE_SHAPE_H

#include "profile.h"

/*
 * Do the weights look inclusive? An inner stack is one that has longer ones, by one frame, below
 * it. True when there are at least 20 and at least 90 % of them have a weight of their own that is
 * no less than that of those together.
 */
bool shape_looks_inclusive(const struct tally *t, uint64_t *inner, uint64_t *inclusive);

#endif
