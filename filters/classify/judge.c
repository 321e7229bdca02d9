/* judge: thresholds, bounds, and the state of the data */
#include "judge.h"
#include "num.h"
#include "stats.h"

#include <math.h>

/* The least share that the data support, in millionths of a percent: the lower bound of its 95 %
 * interval, or, where weights are no draws, the share itself by the margin. */
static uint64_t self_bound(const struct profile_hotspot *h)
{
	return h->has_interval ? h->low : h->self_pct / JUDGE_MARGIN;
}

static uint64_t inclusive_bound(const struct profile_event *e, const struct profile_hotspot *h)
{
	double low, high, weight = (double)e->event.weight;

	if (isnan(e->event.n_eff) || h->inclusive > e->event.weight || weight <= 0)
		return h->inclusive_pct / JUDGE_MARGIN;
	pl_stats_wilson((double)h->inclusive / weight, e->event.n_eff, &low, &high);
	return (uint64_t)(low * 1e8 + 0.5);
}

/* Is enough of the event known? Parts beyond these shares may belong anywhere. */
static bool is_sound(const struct profile_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;
	uint64_t with_lost = e->event.samples, with_malformed = e->event.samples;

	return q->unresolved_self_pct <= JUDGE_UNRESOLVED_PCT &&
	       pl_num_add(&with_lost, e->event.lost) &&
	       pl_num_percent(e->event.lost, with_lost) <= JUDGE_LOST_PCT &&
	       pl_num_add(&with_malformed, q->malformed) &&
	       pl_num_percent(q->malformed, with_malformed) <= JUDGE_MALFORMED_PCT;
}

static void hold_bound(struct judgement *j, bool asked, uint64_t low, uint64_t threshold,
		       const char *of)
{
	if (!asked || low >= threshold || j->of)
		return;
	j->low = low;
	j->threshold = threshold;
	j->of = of;
}

static bool is_folded(const struct profile_event *e)
{
	return pl_str_is(e->event.weight_source, "folded_weight");
}

struct judgement judge(const struct profile_event *e, const struct profile_hotspot *h,
		       const struct profile_fit *fit)
{
	const struct rule *rule = fit->rule;
	uint64_t category = e->categories[rule->category].self;
	struct judgement j = {0};

	j.reported = (!rule->has_self_pct || h->self_pct >= rule->self_pct) &&
		     (!rule->has_inclusive_pct || h->inclusive_pct >= rule->inclusive_pct);
	hold_bound(&j, rule->has_self_pct, self_bound(h), rule->self_pct, "self");
	hold_bound(&j, rule->has_inclusive_pct, inclusive_bound(e, h), rule->inclusive_pct,
		   "inclusive");
	j.self_zero = h->self == 0;
	j.category_small = pl_num_percent(category, e->event.weight) < JUDGE_CATEGORY_PCT;
	/* a folded line stands for any number of samples */
	j.few_samples = h->self && !is_folded(e) && h->self_samples < JUDGE_FEW_SAMPLES;
	j.interval_wide = j.of != NULL;
	j.context_absent = rule->has_context && !fit->holds;
	j.partial = e->reasons.n != 0;
	j.medium = rule->medium && !j.interval_wide && !j.context_absent && is_sound(e);
	return j;
}
