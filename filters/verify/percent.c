/* percent: are percentages and intervals those of the integers beside them? */
#include "num.h"
#include "stats.h"
#include "verify.h"

#include <math.h>

struct percents {
	struct walk w;
	struct pl_verdict *v;
};

static void percent(struct percents *p, const char *name, uint64_t part, uint64_t got)
{
	uint64_t want = pl_num_percent(part, p->w.event.weight);
	char text[PL_NUM_MAX];

	if (got != want)
		pl_verdict_fail(p->v, "line %zu: %s is not %.*s", p->w.line, name,
				(int)pl_num_put_micro(text, want), text);
}

static void check_quality_row(struct percents *p)
{
	const struct pl_analysis_quality *q = &p->w.quality;

	percent(p, "unresolved_self_pct", q->unresolved_self, q->unresolved_self_pct);
	percent(p, "unresolved_self_user_pct", q->unresolved_self_user,
		q->unresolved_self_user_pct);
	percent(p, "unresolved_self_kernel_pct", q->unresolved_self_kernel,
		q->unresolved_self_kernel_pct);
	percent(p, "unresolved_self_other_pct", q->unresolved_self_other,
		q->unresolved_self_other_pct);
	if (q->largest_sample_pct > 100000000)
		pl_verdict_fail(p->v, "line %zu: largest_sample_pct is more than 100", p->w.line);
}

/*
 * The effective number of draws is written with six decimals, so that the interval can only be
 * made again from anything that would be written so: bounds between those of its two ends, one more
 * in their last digit for their own rounding.
 */
static bool is_between(double bound, double a, double b)
{
	const double digit = 1e-6;

	return bound >= fmin(a, b) - digit && bound <= fmax(a, b) + digit;
}

/* n_eff stands where weights are draws: for periods and counts as many as there are samples at
 * most, for samples that were counted before all of them. */
static void check_draws(struct percents *p)
{
	const struct pl_analysis_event *e = &p->w.event;
	bool counted =
		pl_str_is(e->weight_source, "folded_weight") && pl_str_is(e->unit, "samples");
	bool drawn = pl_str_is(e->weight_source, "period") || pl_str_is(e->weight_source, "count");
	double most = counted ? (double)e->weight : (double)e->samples;
	double least = counted ? most : 1, digit = 1e-6 + most * 1e-12;

	if (isnan(e->n_eff) != (e->weight == 0 || !(counted || drawn)))
		pl_verdict_fail(p->v,
				"line %zu: n_eff stands where weights are no draws, or is null",
				p->w.line);
	else if (e->n_eff < least - digit || e->n_eff > most + digit)
		pl_verdict_fail(p->v, "line %zu: n_eff is not between %.6f and %.6f", p->w.line,
				least, most);
}

static void check_interval(struct percents *p)
{
	const struct pl_analysis_hotspot *h = &p->w.hotspot;
	const struct pl_analysis_event *e = &p->w.event;
	const double half = 5e-7, proportion = e->weight ? (double)h->self / (double)e->weight : 0;
	double got[2], low[2], high[2];

	if ((h->self_ci95 == 0) != (isnan(e->n_eff) != 0)) {
		pl_verdict_fail(p->v,
				"line %zu: self_ci95 stands where n_eff is null, or is missing",
				p->w.line);
		return;
	}
	if (!h->self_ci95)
		return;
	for (uint32_t i = 0; i < 2; i++)
		if (pl_num_real(pl_json_str(p->w.json, h->self_ci95 + 1 + i), &got[i]))
			pl_verdict_fail(p->v,
					"line %zu: self_ci95 is not written with six decimals",
					p->w.line);
	pl_stats_wilson(proportion, e->n_eff - half, &low[0], &high[0]);
	pl_stats_wilson(proportion, e->n_eff + half, &low[1], &high[1]);
	if (!is_between(got[0], 100 * low[0], 100 * low[1]) ||
	    !is_between(got[1], 100 * high[0], 100 * high[1]))
		pl_verdict_fail(p->v, "line %zu: self_ci95 is not the interval of self at n_eff",
				p->w.line);
}

static void check_row(struct percents *p)
{
	const struct walk *w = &p->w;

	switch (w->kind) {
	case PL_ANALYSIS_EVENT:
		check_draws(p);
		break;
	case PL_ANALYSIS_QUALITY:
		check_quality_row(p);
		break;
	case PL_ANALYSIS_MODULE:
		percent(p, "self_pct", w->module.self, w->module.self_pct);
		break;
	case PL_ANALYSIS_HOTSPOT:
		percent(p, "self_pct", w->hotspot.self, w->hotspot.self_pct);
		percent(p, "inclusive_pct", w->hotspot.inclusive, w->hotspot.inclusive_pct);
		check_interval(p);
		break;
	case PL_ANALYSIS_PATH:
		percent(p, "pct", w->path.weight, w->path.pct);
		break;
	default:
		break;
	}
}

void check_percent(const struct artifact *a, struct pl_verdict *v)
{
	struct percents p = {.v = v};

	walk_start(&p.w, a);
	while (v->status == PL_PASSED && walk_next(&p.w) != PL_ANALYSIS_DONE)
		check_row(&p);
	walk_close(&p.w);
}
