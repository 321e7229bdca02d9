/* fold: what depends on frames only is summed by frame, and comes to the keys when a stream ends */
#ifndef PL_AGGREGATE_FOLD_H
#define PL_AGGREGATE_FOLD_H

#include "frames.h"

struct frame_sum {
	uint64_t occurrences, self, self_samples, idle;
};

/* Adds the sums of a frame, which some sample has, to the tally. */
void fold_frame(const struct frames *f, struct tally *t, size_t frame, const struct frame_sum *sum);

#endif
