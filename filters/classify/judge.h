/* judge: how sure a candidate is, and what speaks against it. The arithmetic is that of
 * pl-classify(1), CONFIDENCE. */
#ifndef CLASSIFY_JUDGE_H
#define CLASSIFY_JUDGE_H

#include "profile.h"

enum {
	JUDGE_FEW_SAMPLES = 30,
	JUDGE_MARGIN = 2,	      /* times the threshold, where there is no interval */
	JUDGE_CATEGORY_PCT = 5000000, /* these are millionths of a percent */
	JUDGE_UNRESOLVED_PCT = 10000000,
	JUDGE_LOST_PCT = 1000000,
	JUDGE_MALFORMED_PCT = 1000000
};

struct judgement {
	bool reported; /* the thresholds of the rule are reached: there is a candidate */
	bool medium;
	/* counter-evidence */
	bool self_zero, category_small, few_samples, interval_wide, context_absent, partial;
	/* the lower bound that was held against a threshold that it does not reach */
	uint64_t low, threshold;
	const char *of; /* "self", "inclusive" */
};

struct judgement judge(const struct profile_event *e, const struct profile_hotspot *h,
		       const struct profile_fit *fit);

#endif
