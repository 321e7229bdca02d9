/* profile: the rows of an analysis, those that matter */
#include "profile.h"
#include "num.h"
#include "rowid.h"
#include "text.h"

#include <stdlib.h>

static struct pl_str keep(struct profile *p, struct pl_str s)
{
	return s.p ? (struct pl_str){pl_arena_dup(&p->arena, s.p, s.n), s.n} : s;
}

/* ---- events ---- */

static void add_event(struct profile *p, const struct pl_analysis_event *event)
{
	PL_GROW(p->events, p->n + 1, p->cap);
	struct profile_event *e = &p->events[p->n++];
	e->event = *event;
	e->event.label = keep(p, event->label);
	e->event.name = keep(p, event->name);
	e->event.unit = keep(p, event->unit);
	e->event.weight_source = keep(p, event->weight_source);
	e->event.source = keep(p, event->source);
	pl_intern_init(&e->keys);
}

/* One more place than there are codes: what --unsealed adds. */
static struct profile_codes keep_codes(struct profile *p, const struct pl_json *json,
				       uint32_t array)
{
	struct profile_codes codes = {0};

	codes.v = pl_arena_alloc(&p->arena, (json->tape[array].count + 1) * sizeof *codes.v);
	for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next)
		if (json->tape[t].type == PL_JSON_STRING)
			codes.v[codes.n++] = keep(p, pl_json_str(json, t));
	return codes;
}

static void add_quality(struct profile *p, struct profile_event *e, const struct pl_analysis *a)
{
	const struct pl_analysis_quality *q = &a->quality;

	e->quality = *q;
	e->quality.event = e->event.label;
	e->quality.status = keep(p, q->status);
	e->reasons = keep_codes(p, &a->s.json, q->reasons);
	e->allowed = keep_codes(p, &a->s.json, q->allowed);
	e->forbidden = keep_codes(p, &a->s.json, q->forbidden);
}

static void add_module(struct profile *p, struct profile_event *e,
		       const struct pl_analysis_module *m)
{
	if (m->unresolved_self == 0)
		return;
	PL_GROW(e->modules, e->modules_n + 1, e->modules_cap);
	e->modules[e->modules_n++] = (struct pl_analysis_module){
		.dso = keep(p, m->dso),
		.reason = keep(p, m->reason),
		.fix = keep(p, m->fix),
		.unresolved_self = m->unresolved_self,
	};
}

/* ---- hotspots ---- */

static void add_fits(struct profile *p, struct profile_event *e, struct profile_hotspot *h)
{
	const struct match *m = p->match;

	PL_GROW(e->fits, e->fits_n + m->fits_n, e->fits_cap);
	h->fit = e->fits_n;
	h->fits = m->fits_n;
	for (size_t i = 0; i < m->fits_n; i++)
		e->fits[e->fits_n++] = (struct profile_fit){.rule = m->fits[i].rule};
}

static struct profile_hotspot *keep_hotspot(struct profile *p, struct profile_event *e,
					    const struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *row = &a->hotspot;

	PL_GROW(e->hotspots, e->hotspots_n + 1, e->hotspots_cap);
	struct profile_hotspot *h = &e->hotspots[e->hotspots_n++];
	*h = (struct profile_hotspot){
		.id = keep(p, row->id),
		.symbol = keep(p, row->symbol),
		.dso = keep(p, row->dso),
		.self = row->self,
		.self_pct = row->self_pct,
		.inclusive = row->inclusive,
		.inclusive_pct = row->inclusive_pct,
		.self_samples = row->self_samples,
	};
	h->has_interval = pl_analysis_interval(a, &h->low, &h->high);
	if (pl_analysis_line(a, &h->line))
		h->line.file = keep(p, h->line.file);
	else
		h->line.file = (struct pl_str){NULL, 0};
	return h;
}

static int add_hotspot(struct profile *p, struct profile_event *e, struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *row = &a->hotspot;

	if (!pl_num_add(&e->read_self, row->self) || e->read_self > e->event.weight)
		return pl_stream_fail(&a->s,
				      _("the hotspots have more self weight than the event"));
	if (!p->by_symbol)
		return 0;
	match_hotspot(p->match, row);
	if (p->match->fits_n == 0)
		return 0;
	struct profile_hotspot *h = keep_hotspot(p, e, a);
	add_fits(p, e, h);
	context_callers(p, e, h, a);
	pl_row_key(&p->key, pl_analysis_name(row), row->dso);
	uint32_t key = pl_intern(&e->keys, p->key.p, p->key.n);
	PL_GROW(e->by_key, e->keys.n, e->by_key_cap);
	e->by_key[key] = (uint32_t)(e->hotspots_n - 1);
	return 0;
}

/* ---- paths ---- */

static int add_path(struct profile *p, struct profile_event *e, struct pl_analysis *a)
{
	const struct pl_json_tok *tape = a->s.json.tape;
	uint32_t frames = a->path.frames, leaf = 0;
	struct pl_analysis_hotspot key;

	if (!pl_num_add(&e->read_paths, a->path.weight) || e->read_paths > e->event.weight)
		return pl_stream_fail(&a->s, _("the paths have more weight than the event"));
	for (uint32_t t = frames + 1; t < tape[frames].next; t = tape[t].next)
		leaf = t;
	if (!leaf || !p->by_symbol)
		return 0;
	pl_analysis_frame(a, leaf, &key);
	pl_row_key(&p->key, pl_analysis_name(&key), key.dso);
	uint32_t id = pl_intern_find(&e->keys, p->key.p, p->key.n);
	if (id != PL_INTERN_NONE)
		context_path(p, e, &e->hotspots[e->by_key[id]], a);
	return 0;
}

/* ---- the end ---- */

static void add_code(struct profile_codes *codes, const char *code)
{
	for (size_t i = 0; i < codes->n; i++)
		if (pl_str_is(codes->v[i], code))
			return;
	codes->v[codes->n++] = pl_str(code);
}

/* Whatever an edited artifact says of itself, nothing in it was proved. */
static void mark_unsealed(struct profile_event *e)
{
	e->quality.status = PL_S("partial");
	add_code(&e->reasons, "unsealed_input");
	add_code(&e->forbidden, "unqualified_profile_conclusion");
}

/* Drops the fits whose required context is not there; what is left decides the category. */
static void settle_hotspot(struct profile_event *e, struct profile_hotspot *h)
{
	struct profile_fit *fits = &e->fits[h->fit];
	size_t n = 0;

	for (size_t i = 0; i < h->fits; i++) {
		fits[i].holds = context_holds(h, &fits[i]);
		if (fits[i].holds || !fits[i].rule->required)
			fits[n++] = fits[i];
	}
	h->fits = n;
	if (n == 0)
		return;
	struct profile_category *category = &e->categories[fits[0].rule->category];
	category->hotspots++;
	category->self += h->self; /* all rows' fits */
	e->classified_self += h->self;
}

static int end(struct profile *p, struct pl_analysis *a)
{
	for (size_t i = 0; i < p->n; i++) {
		struct profile_event *e = &p->events[i];
		struct pl_analysis_totals totals;
		if (pl_analysis_totals(a, e->event.label, &totals))
			return -1;
		e->paths = totals.has_paths;
		if (a->s.unsealed)
			mark_unsealed(e);
		for (size_t h = 0; h < e->hotspots_n; h++)
			settle_hotspot(e, &e->hotspots[h]);
	}
	return 0;
}

static int add_row(struct profile *p, struct pl_analysis *a, enum pl_analysis_kind kind)
{
	struct profile_event *e = p->n ? &p->events[p->n - 1] : NULL;

	switch (kind) {
	case PL_ANALYSIS_EVENT:
		add_event(p, &a->event);
		return 0;
	case PL_ANALYSIS_QUALITY:
		add_quality(p, e, a);
		return 0;
	case PL_ANALYSIS_MODULE:
		add_module(p, e, &a->module);
		return 0;
	case PL_ANALYSIS_HOTSPOT:
		return add_hotspot(p, e, a);
	case PL_ANALYSIS_PATH:
		return add_path(p, e, a);
	default:
		return 0;
	}
}

int profile_read(struct profile *p, struct match *match, struct pl_analysis *a)
{
	enum pl_analysis_kind kind;

	*p = (struct profile){.match = match};
	p->by_symbol = pl_str_starts(a->group_by, "symbol");
	p->marks = pl_alloc((match->rules->symbols.patterns.n + 1) * sizeof *p->marks);
	while ((kind = pl_analysis_next(a)) > PL_ANALYSIS_DONE)
		if (add_row(p, a, kind))
			return -1;
	return kind == PL_ANALYSIS_DONE ? end(p, a) : -1;
}

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->events[i].hotspots);
		free(p->events[i].fits);
		free(p->events[i].modules);
		free(p->events[i].by_key);
		pl_intern_free(&p->events[i].keys);
	}
	free(p->events);
	free(p->marks);
	pl_arena_free(&p->arena);
	pl_buf_free(&p->key);
	*p = (struct profile){0};
}
