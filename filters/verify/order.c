/* order: do records, events and rows stand in their order, and are they counted? */
#include "verify.h"

#include <inttypes.h>

struct order {
	struct walk w;
	struct pl_verdict *v;
	enum pl_analysis_kind last; /* kind of the row before, those of newer versions aside */
	struct pl_intern names;	    /* of all events; looked at when two have one */
	uint64_t same_name; /* number in the label of the current one, among those of its name */
	struct pl_buf name, key; /* of the last event: its name, and all four parts */
	struct pl_intern codes;	 /* of the diagnostics that the end record counts */
	uint64_t *left;		 /* by code: how many of them were not met yet */
	size_t left_cap;
	struct pl_analysis_module module;
	struct pl_analysis_hotspot hotspot;
	struct pl_analysis_path path;
	const struct pl_json *path_json;
};

static bool may_follow(enum pl_analysis_kind kind, enum pl_analysis_kind last)
{
	switch (kind) {
	case PL_ANALYSIS_EVENT:
		return last != PL_ANALYSIS_EVENT && last != PL_ANALYSIS_DIAGNOSTIC;
	case PL_ANALYSIS_QUALITY:
		return last == PL_ANALYSIS_EVENT;
	case PL_ANALYSIS_DIAGNOSTIC:
		return last != PL_ANALYSIS_EVENT;
	default: /* module, hotspot, path: in this order below the quality */
		return last >= PL_ANALYSIS_QUALITY && last <= kind;
	}
}

static void check_label(struct order *o, struct pl_str label, const char *type)
{
	if (!pl_str_eq(label, o->w.event.label))
		pl_verdict_fail(o->v, "line %zu: a %s of another event", o->w.line, type);
}

/* The names of all events are known only at the end of the artifact. */
static void collect_names(struct order *o)
{
	struct walk w;

	if (o->names.n)
		return;
	walk_start(&w, o->w.a);
	while (walk_next(&w) != PL_ANALYSIS_DONE)
		if (w.kind == PL_ANALYSIS_EVENT)
			pl_intern(&o->names, w.event.name.p, w.event.name.n);
	walk_close(&w);
}

/* Of several events of one name the second is called NAME#2, unless another event has that name. */
static void check_event_label(struct order *o)
{
	const struct pl_analysis_event *e = &o->w.event;
	struct pl_buf label = {0};

	o->same_name = o->key.n && pl_str_eq(e->name, pl_buf_str(&o->name)) ? o->same_name + 1 : 1;
	if (o->same_name > 1)
		collect_names(o);
	pl_buf_adds(&label, e->name);
	while (o->same_name > 1) {
		pl_buf_clear(&label);
		pl_buf_adds(&label, e->name);
		pl_buf_printf(&label, "#%" PRIu64, o->same_name);
		if (pl_intern_find(&o->names, label.p, label.n) == PL_INTERN_NONE)
			break;
		o->same_name++;
	}
	if (!pl_str_eq(e->label, pl_buf_str(&label)))
		pl_verdict_fail(o->v, "line %zu: the event's label is not %.*s", o->w.line,
				(int)label.n, pl_buf_str(&label).p);
	pl_buf_free(&label);
}

/* Events by name, unit, weight_source, source; labels count those of one name. */
static void check_event(struct order *o)
{
	const struct pl_analysis_event *e = &o->w.event;
	const struct pl_str parts[] = {e->name, e->unit, e->weight_source, e->source};
	struct pl_buf key = {0};

	/* NUL, which no text holds, orders like the end of each part */
	for (size_t i = 0; i < PL_COUNT(parts); i++) {
		pl_buf_adds(&key, parts[i]);
		pl_buf_addc(&key, '\0');
	}
	if (o->key.n && pl_str_cmp(pl_buf_str(&key), pl_buf_str(&o->key)) <= 0)
		pl_verdict_fail(o->v, "line %zu: the event does not come after the one before it",
				o->w.line);
	check_event_label(o);
	pl_buf_clear(&o->name);
	pl_buf_adds(&o->name, e->name);
	pl_buf_free(&o->key);
	o->key = key;
}

static int compare_u64_desc(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static void check_module(struct order *o)
{
	const struct pl_analysis_module *a = &o->module, *b = &o->w.module;
	int c = compare_u64_desc(a->self, b->self);

	c = c ? c : pl_str_cmp(a->dso, b->dso);
	c = c ? c : pl_str_cmp(a->build_id, b->build_id);
	if (o->last == PL_ANALYSIS_MODULE && c >= 0)
		pl_verdict_fail(o->v, "line %zu: the module does not come after the one before it",
				o->w.line);
	o->module = *b;
}

static int compare_hotspots(const struct pl_analysis_hotspot *a,
			    const struct pl_analysis_hotspot *b)
{
	/* those that are not grouped by are absent from both */
	const struct pl_str keys[][2] = {{a->symbol, b->symbol},
					 {a->comm, b->comm},
					 {a->tid, b->tid},
					 {a->source, b->source},
					 {a->dso, b->dso}};
	int c = compare_u64_desc(a->self, b->self);

	c = c ? c : compare_u64_desc(a->inclusive, b->inclusive);
	for (size_t i = 0; i < PL_COUNT(keys) && c == 0; i++)
		c = pl_str_cmp(keys[i][0], keys[i][1]);
	return c;
}

static void check_hotspot(struct order *o)
{
	check_label(o, o->w.hotspot.event, "hotspot");
	if (o->last == PL_ANALYSIS_HOTSPOT && compare_hotspots(&o->hotspot, &o->w.hotspot) >= 0)
		pl_verdict_fail(o->v, "line %zu: the hotspot does not come after the one before it",
				o->w.line);
	o->hotspot = o->w.hotspot;
}

static int compare_frames(const struct pl_json *a, uint32_t at, const struct pl_json *b,
			  uint32_t bt)
{
	static const char *const names[] = {"symbol", "comm", "tid", "source", "dso"};
	int c = 0;

	for (size_t i = 0; i < PL_COUNT(names) && c == 0; i++)
		c = pl_str_cmp(text_member(a, at, names[i]), text_member(b, bt, names[i]));
	return c;
}

static int compare_paths(const struct order *o)
{
	const struct pl_json *a = o->path_json, *b = o->w.json;
	uint32_t at = o->path.frames + 1, a_end = a->tape[o->path.frames].next;
	uint32_t bt = o->w.path.frames + 1, b_end = b->tape[o->w.path.frames].next;
	int c = compare_u64_desc(o->path.weight, o->w.path.weight);

	while (c == 0 && at < a_end && bt < b_end) {
		c = compare_frames(a, at, b, bt);
		at = a->tape[at].next;
		bt = b->tape[bt].next;
	}
	/* one begins like the other: the shorter first */
	return c ? c : at < a_end ? 1 : bt < b_end ? -1 : 0;
}

static void check_path(struct order *o)
{
	check_label(o, o->w.path.event, "path");
	if (o->last == PL_ANALYSIS_PATH && compare_paths(o) >= 0)
		pl_verdict_fail(o->v, "line %zu: the path does not come after the one before it",
				o->w.line);
	o->path = o->w.path;
	o->path_json = o->w.json;
}

/* What the end record counts of each code. */
static void read_counts(struct order *o)
{
	const struct pl_json *json = &o->w.end_json;
	uint32_t counts = o->w.end.diagnostics;

	for (uint32_t t = counts + 1; t < json->tape[counts].next; t = json->tape[t + 1].next) {
		uint32_t code = pl_intern(&o->codes, json->tape[t].v.p, json->tape[t].count);
		PL_GROW(o->left, o->codes.n, o->left_cap);
		o->left[code] = json->tape[t + 1].v.u;
	}
}

/* Not every diagnostic is kept as a record, but each record is counted. */
static void check_diagnostic(struct order *o)
{
	struct pl_str code = o->w.diagnostic.code;
	uint32_t known = pl_intern_find(&o->codes, code.p, code.n);

	if (known == PL_INTERN_NONE || o->left[known] == 0)
		pl_verdict_fail(o->v, "line %zu: more diagnostics %.*s than the end record counts",
				o->w.line, (int)code.n, code.p);
	else
		o->left[known]--;
}

static void check_row(struct order *o)
{
	if (o->w.kind == PL_ANALYSIS_OTHER)
		return;
	if (!may_follow(o->w.kind, o->last))
		pl_verdict_fail(o->v, "line %zu: a record of type %.*s is out of place here",
				o->w.line, (int)o->w.type.n, o->w.type.p);
	if (o->w.kind == PL_ANALYSIS_EVENT)
		check_event(o);
	else if (o->w.kind == PL_ANALYSIS_QUALITY)
		check_label(o, o->w.quality.event, "quality");
	else if (o->w.kind == PL_ANALYSIS_MODULE)
		check_module(o);
	else if (o->w.kind == PL_ANALYSIS_HOTSPOT)
		check_hotspot(o);
	else if (o->w.kind == PL_ANALYSIS_PATH)
		check_path(o);
	else if (o->w.kind == PL_ANALYSIS_DIAGNOSTIC)
		check_diagnostic(o);
	o->last = o->w.kind;
}

void check_order(const struct artifact *a, struct pl_verdict *v)
{
	/* header and end are not among the records that the end counts */
	struct order o = {.v = v};
	uint64_t records = a->n - 2;

	pl_intern_init(&o.names);
	pl_intern_init(&o.codes);
	walk_start(&o.w, a);
	read_counts(&o);
	while (v->status == PL_PASSED && walk_next(&o.w) != PL_ANALYSIS_DONE)
		check_row(&o);
	if (o.last == PL_ANALYSIS_EVENT)
		pl_verdict_fail(v, "the last event has no quality");
	if (o.w.end.records != records)
		pl_verdict_fail(v, "the end record counts %llu records, there are %llu",
				(unsigned long long)o.w.end.records, (unsigned long long)records);
	walk_close(&o.w);
	pl_buf_free(&o.key);
	pl_buf_free(&o.name);
	pl_intern_free(&o.names);
	pl_intern_free(&o.codes);
	free(o.left);
	if (v->status == PL_PASSED)
		check_lists(a, v);
	if (v->status == PL_PASSED)
		check_ids(a, v);
}
