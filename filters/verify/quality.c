/* quality: do status and codes follow from the members? */
#include "quality.h"
#include "verify.h"

struct quality {
	struct walk w;
	struct pl_verdict *v;
	struct pl_quality_facts measured; /* which events the analysis has */
	bool digest_absent, unsealed_allowed;
	size_t events; /* begun, the current one included */
	bool all_rows; /* of the current event are there */
	bool jit_forbidden;
	uint64_t merged, merged_rows; /* as the quality row says, and as its rows say */
};

static bool is_listed(const struct pl_json *json, uint32_t array, const char *code)
{
	for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next)
		if (pl_str_is(pl_json_str(json, t), code))
			return true;
	return false;
}

static void compare(struct quality *x, const char *member, uint32_t array,
		    const struct pl_codes *want)
{
	const struct pl_json *json = x->w.json;
	uint32_t t = array + 1, end = json->tape[array].next;

	for (size_t i = 0; i < want->n; i++, t = json->tape[t].next) {
		if (t < end && pl_str_is(pl_json_str(json, t), want->v[i]))
			continue;
		pl_verdict_fail(x->v, "line %zu: %s: %s is missing or out of place", x->w.line,
				member, want->v[i]);
		return;
	}
	if (t < end) {
		struct pl_str more = pl_json_str(json, t);
		pl_verdict_fail(x->v, "line %zu: %s: %.*s does not follow from the members",
				x->w.line, member, (int)(more.n < 80 ? more.n : 80), more.p);
	}
}

static struct pl_quality_facts facts_of(const struct quality *x,
					const struct pl_analysis_totals *end)
{
	const struct pl_analysis_event *e = &x->w.event;
	const struct pl_analysis_quality *q = &x->w.quality;
	struct pl_quality_facts f = x->measured;

	f.event = e->name;
	f.source = e->source;
	f.samples = e->samples;
	f.weight = e->weight;
	f.multi_frame_weight = e->multi_frame_weight;
	f.lost = e->lost;
	f.cut_weight = q->cut_weight;
	f.source_line_self = q->source_line_self;
	f.announced_samples = q->announced_samples;
	f.received_samples = q->received_samples;
	f.unresolved_self = q->unresolved_self;
	f.unresolved_threshold_pct = q->unresolved_threshold_pct;
	f.merged_symbols = q->merged_symbols;
	f.omitted_rows = end->hotspots < end->hotspots_total || end->paths < end->paths_total;
	f.paths_kept = end->has_paths;
	f.trusted_frames = q->trusted_frames;
	f.malformed = q->malformed;
	f.replaced = q->replaced;
	f.digest_absent = x->digest_absent;
	/* What no member tells is taken from the codes themselves; rows may contradict below. */
	f.unsealed = x->unsealed_allowed && is_listed(x->w.json, q->reasons, "unsealed_input");
	f.modes_known = is_listed(x->w.json, q->allowed, "sample_privilege_distribution");
	f.jit_frames = is_listed(x->w.json, q->forbidden, "cross_time_jit_symbol_replay");
	return f;
}

static void check_row(struct quality *x)
{
	const struct pl_analysis_quality *q = &x->w.quality;
	struct pl_analysis_totals end;
	struct pl_codes codes;

	if (!walk_totals(&x->w, x->events - 1, &end)) {
		pl_verdict_fail(x->v, "line %zu: the end record does not count the event's rows",
				x->w.line);
		return;
	}
	const struct pl_quality_facts f = facts_of(x, &end);
	if (q->unresolved_threshold_pct != x->w.a->unresolved_pct)
		pl_verdict_fail(x->v, "line %zu: unresolved_threshold_pct is not the header's",
				x->w.line);
	pl_quality_reasons(&f, &codes);
	compare(x, "reasons", q->reasons, &codes);
	if (!pl_str_is(q->status, codes.n ? "partial" : "verified"))
		pl_verdict_fail(x->v, "line %zu: status is not %s", x->w.line,
				codes.n ? "partial, though there are reasons"
					: "verified, though there is no reason");
	pl_quality_allowed(&f, &codes);
	compare(x, "allowed", q->allowed, &codes);
	pl_quality_forbidden(&f, &codes);
	compare(x, "forbidden", q->forbidden, &codes);
	x->all_rows = end.hotspots == end.hotspots_total;
	x->jit_forbidden = f.jit_frames;
	x->merged = q->merged_symbols;
}

static void check_hotspot(struct quality *x)
{
	const struct pl_analysis_hotspot *h = &x->w.hotspot;

	x->merged_rows += h->variants_total > 1;
	if (pl_str_is(h->kind, "jit") && !x->jit_forbidden)
		pl_verdict_fail(x->v,
				"line %zu: jit code, but cross_time_jit_symbol_replay is not "
				"forbidden",
				x->w.line);
}

static void close_event(struct quality *x)
{
	if (x->events && x->all_rows && x->merged != x->merged_rows)
		pl_verdict_fail(x->v,
				"event %zu: merged_symbols is %llu, rows with several variants "
				"are %llu",
				x->events, (unsigned long long)x->merged,
				(unsigned long long)x->merged_rows);
	x->merged_rows = 0;
}

/* What the whole analysis says: its events, the digests of its inputs, the producer's --unsealed */
static void look_around(struct quality *x)
{
	const struct artifact *a = x->w.a;
	const struct pl_json *json = &a->stream.header_json;
	struct foreign_list foreign = {0};
	struct walk w;

	walk_start(&w, a);
	while (walk_next(&w) != PL_ANALYSIS_DONE)
		if (w.kind == PL_ANALYSIS_EVENT)
			pl_quality_measured(&x->measured, w.event.name, w.event.source);
	walk_close(&w);
	header_foreign(a, &foreign);
	for (size_t i = 0; i < foreign.n; i++)
		x->digest_absent |= foreign.v[i].sha256.p == NULL;
	free(foreign.v);
	uint32_t options = pl_json_member(json, a->stream.header.producer, "options");
	uint32_t unsealed = pl_json_member(json, options, "unsealed");
	x->unsealed_allowed = unsealed && json->tape[unsealed].type == PL_JSON_TRUE;
}

void check_quality(const struct artifact *a, struct pl_verdict *v)
{
	struct quality x = {.v = v};

	walk_start(&x.w, a);
	look_around(&x);
	while (v->status == PL_PASSED && walk_next(&x.w) != PL_ANALYSIS_DONE) {
		if (x.w.kind == PL_ANALYSIS_EVENT) {
			close_event(&x);
			x.events++;
			x.all_rows = false;
		} else if (x.w.kind == PL_ANALYSIS_QUALITY && x.events) {
			check_row(&x);
		} else if (x.w.kind == PL_ANALYSIS_HOTSPOT) {
			check_hotspot(&x);
		}
	}
	close_event(&x);
	walk_close(&x.w);
}
