/* conservation: do the rows of each event add up to its weight? */
#include "verify.h"

/* Sums of 64-bit weights, of fewer than 2^64 rows: they cannot overflow. */
typedef unsigned __int128 sum;

struct totals {
	struct walk w;
	struct verdict *v;
	struct pl_analysis_event event; /* whose rows are added up */
	size_t events;			/* begun, it included */
	uint64_t hotspots, paths;
	sum self, modules_self, path_weight;
};

static void part(struct totals *t, const char *what, uint64_t value, const char *whole,
		 uint64_t bound)
{
	if (value > bound)
		verdict_fail(t->v, "line %zu: %s is %llu, more than %s, %llu", t->w.line, what,
			     (unsigned long long)value, whole, (unsigned long long)bound);
}

static void equal(struct totals *t, const char *what, sum got, const char *whole, uint64_t want)
{
	if (got != want)
		verdict_fail(t->v, "event %.*s: %s is %s%llu, but %s is %llu",
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
		verdict_fail(t->v, "event %.*s: paths, paths_total and omitted_weight disagree",
			     (int)e->label.n, e->label.p);
}

/* All rows of the event were seen: hold them against its weight and the end record. */
static void close_event(struct totals *t)
{
	const struct pl_analysis_event *e = &t->event;
	struct pl_analysis_totals end;

	if (t->events == 0)
		return;
	if (!walk_totals(&t->w, t->events - 1, &end) || !pl_str_eq(end.event, e->label)) {
		verdict_fail(t->v, "the end record does not name event %.*s in its place",
			     (int)e->label.n, e->label.p);
		return;
	}
	equal(t, "the number of hotspot rows", t->hotspots, "the end record's", end.hotspots);
	equal(t, "self of all rows and omitted_self and stackless",
	      t->self + end.omitted_self + e->stackless, "the weight", e->weight);
	if (end.hotspots > end.hotspots_total ||
	    (end.hotspots == end.hotspots_total && end.omitted_self))
		verdict_fail(t->v, "event %.*s: hotspots, hotspots_total and omitted_self disagree",
			     (int)e->label.n, e->label.p);
	if (t->modules_self > e->weight)
		verdict_fail(t->v, "event %.*s: self of the modules is more than the weight",
			     (int)e->label.n, e->label.p);
	if (end.has_paths)
		close_paths(t, &end);
	else
		equal(t, "the number of path rows", t->paths, "that without paths", 0);
}

static void open_event(struct totals *t)
{
	const struct pl_analysis_event *e = &t->w.event;

	t->event = *e;
	t->events++;
	t->hotspots = t->paths = 0;
	t->self = t->modules_self = t->path_weight = 0;
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
	part(t, "unresolved_self", q->unresolved_self, "the weight", t->event.weight);
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
}

static void add_hotspot(struct totals *t)
{
	const struct pl_analysis_hotspot *h = &t->w.hotspot;

	part(t, "self", h->self, "inclusive", h->inclusive);
	part(t, "inclusive", h->inclusive, "the event's weight", t->event.weight);
	part(t, "self_samples", h->self_samples, "samples", h->samples);
	part(t, "samples", h->samples, "the event's samples", t->event.samples);
	part(t, "samples", h->samples, "occurrences", h->occurrences);
	t->hotspots++;
	t->self += h->self;
}

static void add_path(struct totals *t)
{
	const struct pl_analysis_path *p = &t->w.path;

	part(t, "samples", p->samples, "the event's samples", t->event.samples);
	t->paths++;
	t->path_weight += p->weight;
}

void check_conservation(const struct artifact *a, struct verdict *v)
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
	} while (kind != PL_ANALYSIS_DONE && v->status == PASSED);
	if (t.w.end_json.tape[t.w.end.events].count != t.events)
		verdict_fail(v, "the end record names other events than there are");
	walk_close(&t.w);
}
