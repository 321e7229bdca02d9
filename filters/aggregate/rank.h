/* rank: the first k of many, in order, without sorting the rest */
#ifndef PL_AGGREGATE_RANK_H
#define PL_AGGREGATE_RANK_H

#include "base.h"

/* Does item a come before item b? A total order. */
typedef bool rank_before(const void *context, uint32_t a, uint32_t b);

/* Rearranges items so that the first min(k, n) are the foremost, in order; returns how many. O(n
 * log k). */
size_t rank_first(uint32_t *items, size_t n, size_t k, rank_before *before, const void *context);

#endif
