/* conservation: do the rows of each event add up to its weight? */
#include "symbol.h"
#include "verify.h"

/* Sums of 64-bit weights, of fewer than 2^64 rows: they cannot overflow. */
typedef unsigned __int128 sum;

struct totals {
	struct walk w;
	struct pl_verdict *v;
	struct pl_analysis_event event; /* whose rows are added up */
	size_t events;			/* begun, it included */
	size_t line;			/* of its record */
	uint64_t hotspots, paths;
	sum self, modules_self, modules_unresolved, path_weight;
	/* of its rows: what they say of self weight; unlisted: that of sources beyond the list */
	sum unresolved, sourced, unlisted, idle, self_samples;
};

static void part(struct totals *t, const char *what, uint64_t value, const char *whole,
		 uint64_t bound)
{
	if (value > bound)
		pl_verdict_fail(t->v, "line %zu: %s is %llu, more than %s, %llu", t->w.line, what,
				(unsigned long long)value, whole, (unsigned long long)bound);
}

static void equal(struct totals *t, const char *what, sum got, const char *whole, uint64_t want)
{
	if (got != want)
		pl_verdict_fail(t->v, "event %.*s: %s is %s%llu, but %s is %llu",
				(int)t->event.label.n, t->event.label.p, what,
				got > UINT64_MAX ? "2^64 + " : "", (unsigned long long)got, whole,
				(unsigned long long)want);
}

static void close_paths(struct totals *t, const struct pl_analysis_totals *end)
{
	const struct pl_analysis_event *e = &t->event;

	equal(t, "the number of path rows", t->paths, "the end record's", end->paths);
	equal(t, "weight of all paths and omitted_weight and stackless",
	      t->path_weight + end->omitted_weight + e->stackless, "the weight", e->weight);
	if (end->paths > end->paths_total ||
	    (end->paths == end->paths_total && end->omitted_weight))
		pl_verdict_fail(t->v, "event %.*s: paths, paths_total and omitted_weight disagree",
				(int)e->label.n, e->label.p);
}

/* A part of the event's weight that rows with self weight have, but for those left out. */
static void within(struct totals *t, const char *what, uint64_t got, sum least, sum slack)
{
	/* larger sums are refused by their own checks */
	if (least <= UINT64_MAX)
		verdict_within(t->v, t->line, what, got, (uint64_t)least,
			       slack > UINT64_MAX ? UINT64_MAX : (uint64_t)slack, "the rows");
}

static void close_self(struct totals *t, const struct pl_analysis_totals *end)
{
	const struct pl_analysis_quality *q = &t->w.quality;
	const struct grouping *grouping = t->w.a->grouping;

	if (grouping->name && strcmp(grouping->name, "symbol") == 0)
		within(t, "unresolved_self", q->unresolved_self, t->unresolved, end->omitted_self);
	if (grouping->frames)
		within(t, "source_line_self", q->source_line_self, t->sourced,
		       t->unlisted + end->omitted_self);
	within(t, "idle_weight", t->event.idle_weight, t->idle,
	       (sum)end->omitted_self + t->event.stackless);
	if (t->self_samples > t->event.samples)
		pl_verdict_fail(t->v,
				"line %zu: the rows have more self_samples than there are samples",
				t->line);
	if (t->modules_unresolved > q->unresolved_self)
		pl_verdict_fail(t->v, "line %zu: unresolved_self is less than that of the modules",
				t->line);
}

/* All rows of the event were seen: hold them against its weight and the end record. */
static void close_event(struct totals *t)
{
	const struct pl_analysis_event *e = &t->event;
	struct pl_analysis_totals end;

	if (t->events == 0)
		return;
	if (!walk_totals(&t->w, t->events - 1, &end) || !pl_str_eq(end.event, e->label)) {
		pl_verdict_fail(t->v, "the end record does not name event %.*s in its place",
				(int)e->label.n, e->label.p);
		return;
	}
	equal(t, "the number of hotspot rows", t->hotspots, "the end record's", end.hotspots);
	equal(t, "self of all rows and omitted_self and stackless",
	      t->self + end.omitted_self + e->stackless, "the weight", e->weight);
	if (end.hotspots > end.hotspots_total ||
	    (end.hotspots == end.hotspots_total && end.omitted_self))
		pl_verdict_fail(t->v,
				"event %.*s: hotspots, hotspots_total and omitted_self disagree",
				(int)e->label.n, e->label.p);
	if (t->modules_self > e->weight)
		pl_verdict_fail(t->v, "event %.*s: self of the modules is more than the weight",
				(int)e->label.n, e->label.p);
	close_self(t, &end);
	if (end.has_paths)
		close_paths(t, &end);
	else
		equal(t, "the number of path rows", t->paths, "that without paths", 0);
}

static void open_event(struct totals *t)
{
	const struct pl_analysis_event *e = &t->w.event;

	t->event = *e;
	t->line = t->w.line;
	t->events++;
	t->hotspots = t->paths = 0;
	t->self = t->modules_self = t->modules_unresolved = t->path_weight = 0;
	t->unresolved = t->sourced = t->unlisted = t->idle = t->self_samples = 0;
	part(t, "threads", e->threads, "the samples", e->samples);
	part(t, "stackless", e->stackless, "the weight", e->weight);
	part(t, "multi_frame_weight", e->multi_frame_weight, "the weight", e->weight);
	part(t, "idle_weight", e->idle_weight, "the weight", e->weight);
}

static void add_quality(struct totals *t)
{
	const struct pl_analysis_quality *q = &t->w.quality;
	sum modes =
		(sum)q->unresolved_self_user + q->unresolved_self_kernel + q->unresolved_self_other;

	part(t, "received_samples", q->received_samples, "announced_samples", q->announced_samples);
	verdict_within(t->v, t->w.line, "received_samples", q->received_samples, t->event.samples,
		       0, "the event");
	part(t, "unresolved_self", q->unresolved_self, "the weight", t->event.weight);
	part(t, "unresolved_callers", q->unresolved_callers, "that in stacks of several frames",
	     t->event.multi_frame_weight);
	part(t, "source_line_self", q->source_line_self, "the weight", t->event.weight);
	part(t, "cut_weight", q->cut_weight, "the weight", t->event.weight);
	equal(t, "unresolved_self of user, kernel and other", modes, "unresolved_self",
	      q->unresolved_self);
}

static void add_module(struct totals *t)
{
	const struct pl_analysis_module *m = &t->w.module;

	part(t, "unresolved_self", m->unresolved_self, "self", m->self);
	t->modules_self += m->self;
	t->modules_unresolved += m->unresolved_self;
}

/* The self weights in the elements of a list. */
static sum sum_list(const struct totals *t, uint32_t array)
{
	const struct pl_json *json = t->w.json;
	sum all = 0;

	for (uint32_t e = array + 1; e < json->tape[array].next; e = json->tape[e].next)
		all += json->tape[pl_json_member(json, e, "self")].v.u;
	return all;
}

static void add_self(struct totals *t)
{
	const struct pl_analysis_hotspot *h = &t->w.hotspot;
	sum sourced = sum_list(t, h->sources);

	if (sourced > h->self || sum_list(t, h->addresses) > h->self)
		pl_verdict_fail(t->v,
				"line %zu: self is less than that of its sources or addresses",
				t->w.line);
	else if (h->sources_total > t->w.json->tape[h->sources].count)
		t->unlisted += h->self - sourced;
	t->sourced += sourced;
	t->unresolved += pl_symbol_unresolved(h->symbol) ? h->self : 0;
	t->idle += h->idle;
	t->self_samples += h->self_samples;
	t->self += h->self;
}

static void add_hotspot(struct totals *t)
{
	const struct pl_analysis_hotspot *h = &t->w.hotspot;

	part(t, "self", h->self, "inclusive", h->inclusive);
	part(t, "inclusive", h->inclusive, "the event's weight", t->event.weight);
	part(t, "self_samples", h->self_samples, "samples", h->samples);
	part(t, "samples", h->samples, "the event's samples", t->event.samples);
	part(t, "samples", h->samples, "occurrences", h->occurrences);
	part(t, "threads", h->threads, "the samples", h->samples);
	part(t, "threads", h->threads, "those of the event", t->event.threads);
	part(t, "idle", h->idle, "self", h->self);
	if (h->samples == 0 || (h->self && h->self_samples == 0))
		pl_verdict_fail(t->v, "line %zu: a weight without a sample", t->w.line);
	t->hotspots++;
	add_self(t);
}

static void add_path(struct totals *t)
{
	const struct pl_analysis_path *p = &t->w.path;

	part(t, "samples", p->samples, "the event's samples", t->event.samples);
	t->paths++;
	t->path_weight += p->weight;
}

void check_conservation(const struct artifact *a, struct pl_verdict *v)
{
	struct totals t = {.v = v};
	enum pl_analysis_kind kind;

	walk_start(&t.w, a);
	do {
		kind = walk_next(&t.w);
		if (kind == PL_ANALYSIS_EVENT || kind == PL_ANALYSIS_DONE)
			close_event(&t);
		if (kind == PL_ANALYSIS_EVENT)
			open_event(&t);
		else if (kind == PL_ANALYSIS_QUALITY)
			add_quality(&t);
		else if (kind == PL_ANALYSIS_MODULE)
			add_module(&t);
		else if (kind == PL_ANALYSIS_HOTSPOT)
			add_hotspot(&t);
		else if (kind == PL_ANALYSIS_PATH)
			add_path(&t);
	} while (kind != PL_ANALYSIS_DONE && v->status == PL_PASSED);
	if (t.w.end_json.tape[t.w.end.events].count != t.events)
		pl_verdict_fail(v, "the end record names other events than there are");
	walk_close(&t.w);
	if (v->status == PL_PASSED)
		check_call_paths(a, v);
}
