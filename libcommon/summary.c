/* summary: the top of an analysis, and what is left of it */
#include "summary.h"
#include "num.h"
#include "text.h"

static struct pl_str keep(struct pl_summary *r, struct pl_str s)
{
	if (!s.p)
		return s;
	return (struct pl_str){pl_arena_dup(&r->arena, s.p, s.n), s.n};
}

/* ---- the rows of one event ---- */

static void add_event(struct pl_summary *r, const struct pl_analysis_event *event)
{
	PL_GROW(r->events, r->events_n + 1, r->events_cap);
	struct pl_summary_event *e = &r->events[r->events_n++];
	e->event = *event;
	e->event.label = keep(r, event->label);
	e->event.name = keep(r, event->name);
	e->event.unit = keep(r, event->unit);
	e->event.weight_source = keep(r, event->weight_source);
	e->event.source = keep(r, event->source);
}

static void keep_codes(struct pl_summary *r, struct pl_summary_codes *codes,
		       const struct pl_json *json, uint32_t array)
{
	for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next)
		if (json->tape[t].type == PL_JSON_STRING && codes->n < PL_SUMMARY_CODES)
			codes->v[codes->n++] = keep(r, pl_json_str(json, t));
}

static void add_quality(struct pl_summary *r, struct pl_summary_event *e,
			const struct pl_analysis *a)
{
	e->quality = a->quality;
	e->quality.event = e->event.label;
	e->quality.status = keep(r, a->quality.status);
	keep_codes(r, &e->reasons, &a->s.json, a->quality.reasons);
	keep_codes(r, &e->allowed, &a->s.json, a->quality.allowed);
	keep_codes(r, &e->forbidden, &a->s.json, a->quality.forbidden);
}

/* Keeps the PL_SUMMARY_MODULES with the most unresolved self weight; the earlier wins a tie. */
static int add_module(struct pl_summary *r, struct pl_summary_event *e,
		      const struct pl_analysis_module *m)
{
	size_t at = e->modules_kept;

	e->has_dso = true;
	e->modules_n++;
	if (m->unresolved_self == 0)
		return 0;
	e->unresolved_modules++;
	if (!pl_num_add(&e->unresolved_in_modules, m->unresolved_self))
		return -1;
	while (at > 0 && e->modules[at - 1].unresolved_self < m->unresolved_self)
		at--;
	if (at == PL_SUMMARY_MODULES)
		return 0;
	if (e->modules_kept < PL_SUMMARY_MODULES)
		e->modules_kept++;
	memmove(&e->modules[at + 1], &e->modules[at],
		(e->modules_kept - 1 - at) * sizeof *e->modules);
	e->modules[at] = *m;
	e->modules[at].dso = keep(r, m->dso);
	e->modules[at].build_id = keep(r, m->build_id);
	e->modules[at].reason = keep(r, m->reason);
	e->modules[at].fix = keep(r, m->fix);
	return 0;
}

/* A row's texts are one allocation of its own: rows come and go while the best are sought. */
static void copy_row(struct pl_summary_row *row, const struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *h = &a->hotspot;
	struct pl_analysis_line line = {0};

	if (!pl_analysis_line(a, &line))
		line = (struct pl_analysis_line){0};
	struct pl_str from[] = {h->id, pl_analysis_name(h), h->dso, line.file};
	struct pl_str *const to[] = {&row->id, &row->name, &row->dso, &row->file};
	char *p = pl_alloc(from[0].n + from[1].n + from[2].n + from[3].n + 1);

	*row = (struct pl_summary_row){
		.self = h->self,
		.self_pct = h->self_pct,
		.self_samples = h->self_samples,
		.inclusive = h->inclusive,
		.inclusive_pct = h->inclusive_pct,
		.samples = h->samples,
		.idle = h->idle,
		.line = line.line,
		.line_self = line.self,
		.texts = p,
	};
	for (size_t i = 0; i < PL_COUNT(from); i++) {
		if (!from[i].p)
			continue;
		memcpy(p, from[i].p, from[i].n);
		*to[i] = (struct pl_str){p, from[i].n};
		p += from[i].n;
	}
	row->has_ci95 = pl_analysis_interval(a, &row->low, &row->high);
}

/* Does the row that was read come before `row`? On equal terms the earlier one stays. */
static bool comes_before(enum pl_summary_order order, const struct pl_analysis_hotspot *h,
			 const struct pl_summary_row *row)
{
	switch (order) {
	case PL_SUMMARY_INCLUSIVE:
		return h->inclusive > row->inclusive;
	case PL_SUMMARY_SAMPLES:
		return h->samples > row->samples;
	case PL_SUMMARY_SYMBOL:
		return pl_str_cmp(pl_analysis_name(h), row->name) < 0;
	default:
		return false; /* the stream's own order */
	}
}

/* Keeps the first `most` rows of the order. */
static void keep_row(struct pl_summary_rows *rows, uint64_t most, enum pl_summary_order order,
		     const struct pl_analysis *a)
{
	size_t low = 0, high = rows->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (comes_before(order, &a->hotspot, &rows->v[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	if (low >= most)
		return;
	if (rows->n == most) {
		rows->n--;
		rows->self -= rows->v[rows->n].self;
		free(rows->v[rows->n].texts);
	}
	PL_GROW(rows->v, rows->n + 1, rows->cap);
	memmove(&rows->v[low + 1], &rows->v[low], (rows->n - low) * sizeof *rows->v);
	copy_row(&rows->v[low], a);
	rows->n++;
	rows->self += a->hotspot.self;
}

static bool read_edge(struct pl_summary *r, struct pl_summary_edge *edge,
		      const struct pl_analysis *a, uint32_t object)
{
	struct pl_analysis_edge e;

	if (!pl_analysis_edge(a, object, &e))
		return false;
	edge->id = keep(r, e.id);
	edge->name = keep(r, pl_analysis_name(&e.key));
	edge->dso = keep(r, e.key.dso);
	edge->weight = e.weight;
	return true;
}

static void read_edges(struct pl_summary *r, struct pl_summary_edges *edges,
		       const struct pl_analysis *a, uint32_t array)
{
	const struct pl_json_tok *tape = a->s.json.tape;

	if (!array) /* --no-paths */
		return;
	for (uint32_t t = array + 1; t < tape[array].next && edges->n < PL_SUMMARY_EDGES;
	     t = tape[t].next)
		edges->n += read_edge(r, &edges->v[edges->n], a, t);
}

/* A row that is nothing but idle is no work: it is listed apart. */
static bool only_idle(const struct pl_analysis_hotspot *h)
{
	return h->idle > 0 && h->idle == h->self;
}

/* How many rows, the heaviest first, hold 50 % and 90 % of the self weight. */
static void count_concentration(struct pl_summary_event *e)
{
	uint64_t total = e->event.weight - e->event.stackless;

	if (!e->half_rows && e->read_self >= total - total / 2)
		e->half_rows = e->rows_n;
	if (!e->most_rows && e->read_self >= total - total / 10)
		e->most_rows = e->rows_n;
}

static int add_hotspot(struct pl_summary *r, struct pl_summary_event *e,
		       const struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *h = &a->hotspot;
	bool idle = only_idle(h);
	size_t before = e->work.n;

	e->rows_n++;
	if (!pl_num_add(&e->read_self, h->self))
		return -1;
	if (idle) {
		e->idle_n++;
		e->idle_self += h->self;
	}
	e->has_dso = e->has_dso || h->has_dso;
	keep_row(idle ? &e->idle : &e->work, r->options->top_n, r->options->order, a);
	if (before < e->work.n && before < r->options->edges_of) {
		read_edges(r, &e->work.v[before].callers, a, h->callers);
		read_edges(r, &e->work.v[before].callees, a, h->callees);
	}
	if (!idle && h->self > 0 && h->inclusive > e->widest.inclusive) {
		free(e->widest.texts);
		copy_row(&e->widest, a);
	}
	count_concentration(e);
	return 0;
}

static struct pl_summary_frame read_frame(struct pl_summary *r, const struct pl_analysis *a,
					  uint32_t t)
{
	struct pl_analysis_hotspot key;

	pl_analysis_frame(a, t, &key);
	uint32_t inlined = pl_json_member(&a->s.json, t, "inlined");
	return (struct pl_summary_frame){keep(r, pl_analysis_name(&key)), keep(r, key.dso),
					 inlined && a->s.json.tape[inlined].type == PL_JSON_TRUE};
}

static int add_path(struct pl_summary *r, struct pl_summary_event *e, const struct pl_analysis *a)
{
	const struct pl_json *json = &a->s.json;
	uint32_t array = a->path.frames;

	if (!pl_num_add(&e->read_paths_weight, a->path.weight))
		return -1;
	if (e->paths_n >= r->options->call_path_limit)
		return 0;
	PL_GROW(e->paths, e->paths_n + 1, e->paths_cap);
	struct pl_summary_path *path = &e->paths[e->paths_n++];
	*path = (struct pl_summary_path){keep(r, a->path.id), a->path.weight, a->path.pct,
					 a->path.samples,     NULL,	      0};
	path->frames = pl_arena_alloc(&r->arena, json->tape[array].count * sizeof *path->frames);
	for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next)
		if (json->tape[t].type == PL_JSON_OBJECT)
			path->frames[path->n++] = read_frame(r, a, t);
	e->paths_weight += path->weight;
	return 0;
}

/* ---- of the whole analysis ---- */

/* The diagnostic of this code, added when new; NULL beyond PL_SUMMARY_CODES of them. */
static struct pl_summary_diagnostic *find_diagnostic(struct pl_summary *r, struct pl_str code)
{
	for (size_t i = 0; i < r->diagnostics_n; i++)
		if (pl_str_eq(r->diagnostics[i].code, code))
			return &r->diagnostics[i];
	if (r->diagnostics_n == PL_SUMMARY_CODES)
		return NULL;
	r->diagnostics[r->diagnostics_n] = (struct pl_summary_diagnostic){.code = keep(r, code)};
	return &r->diagnostics[r->diagnostics_n++];
}

static void add_diagnostic(struct pl_summary *r, const struct pl_analysis_diagnostic *row)
{
	struct pl_summary_diagnostic *d = find_diagnostic(r, row->code);

	if (!d || d->message.p)
		return;
	d->message = keep(r, row->message);
	d->event = keep(r, row->event);
	d->preview = keep(r, row->preview);
	d->line = row->line;
	d->has_line = row->has_line;
}

/* The end record counts what the rows show only the first of. */
static void count_diagnostics(struct pl_summary *r, const struct pl_analysis *a)
{
	const struct pl_json *json = &a->end_json;
	uint32_t object = a->end.diagnostics;

	for (uint32_t key = object + 1; key < json->tape[object].next;
	     key = json->tape[key + 1].next) {
		struct pl_summary_diagnostic *d = find_diagnostic(r, pl_json_str(json, key));
		if (d && json->tape[key + 1].type == PL_JSON_UINT)
			d->count = json->tape[key + 1].v.u;
	}
}

static void add_name(struct pl_summary *r, const struct pl_analysis *a)
{
	PL_GROW(r->names, r->events_read + 1, r->names_cap);
	r->names[r->events_read++] = keep(r, a->event.name);
}

static int hand_on(const struct pl_summary *r, struct pl_analysis *a, enum pl_analysis_kind kind)
{
	return r->options->row ? r->options->row(r->options->row_to, kind, a) : 0;
}

/* A row of an event that is wanted. */
static int add_event_row(struct pl_summary *r, struct pl_analysis *a, enum pl_analysis_kind kind)
{
	struct pl_summary_event *e = r->events_n ? &r->events[r->events_n - 1] : NULL;
	int status = 0;

	if (kind == PL_ANALYSIS_EVENT)
		add_event(r, &a->event);
	else if (kind == PL_ANALYSIS_QUALITY)
		add_quality(r, e, a);
	else if (kind == PL_ANALYSIS_MODULE)
		status = add_module(r, e, &a->module);
	else if (kind == PL_ANALYSIS_HOTSPOT)
		status = add_hotspot(r, e, a);
	else if (kind == PL_ANALYSIS_PATH)
		status = add_path(r, e, a);
	if (status)
		return pl_stream_fail(&a->s, _("the weights of the rows overflow"));
	return hand_on(r, a, kind);
}

static int add_row(struct pl_summary *r, struct pl_analysis *a, enum pl_analysis_kind kind)
{
	const char *only = r->options->event;

	if (kind == PL_ANALYSIS_DIAGNOSTIC) {
		if (!only || !a->diagnostic.event.p || pl_str_is(a->diagnostic.event, only))
			add_diagnostic(r, &a->diagnostic);
		return 0;
	}
	if (kind == PL_ANALYSIS_EVENT)
		add_name(r, a);
	return only && !pl_str_is(a->event.label, only) ? 0 : add_event_row(r, a, kind);
}

uint64_t pl_summary_self(const struct pl_summary_event *e)
{
	return e->event.weight - e->event.stackless;
}

/* "Other" is what the event's totals leave: rows that sum to more would make nonsense of it. */
static int check_event(struct pl_summary_event *e, struct pl_analysis *a)
{
	const struct pl_analysis_event *event = &e->event;

	if (pl_analysis_totals(a, event->label, &e->totals))
		return -1;
	if (event->stackless > event->weight || event->idle_weight > event->weight ||
	    e->read_self > event->weight - event->stackless ||
	    e->read_paths_weight > event->weight - event->stackless ||
	    e->unresolved_in_modules > e->quality.unresolved_self ||
	    e->rows_n > e->totals.hotspots_total ||
	    (e->totals.has_paths && e->paths_n > e->totals.paths_total))
		return pl_stream_fail(&a->s, _("the rows of an event exceed its totals; "
					       "pl-verify says more"));
	e->other_n = e->totals.hotspots_total - e->work.n - e->idle_n;
	e->other_self = pl_summary_self(e) - e->work.self - e->idle_self;
	return 0;
}

static int read_rows(struct pl_summary *r, struct pl_analysis *a)
{
	enum pl_analysis_kind kind;

	while ((kind = pl_analysis_next(a)) > PL_ANALYSIS_DONE)
		if (add_row(r, a, kind))
			return -1;
	if (kind == PL_ANALYSIS_ERROR)
		return -1;
	for (size_t i = 0; i < r->events_n; i++)
		if (check_event(&r->events[i], a))
			return -1;
	return hand_on(r, a, kind);
}

static void add_code(struct pl_summary_codes *codes, struct pl_str code)
{
	for (size_t i = 0; i < codes->n; i++)
		if (pl_str_eq(codes->v[i], code))
			return;
	codes->v[codes->n++] = code;
}

/* Whatever an edited artifact says of itself, nothing in it was proved. */
static void mark_unsealed(struct pl_summary *r)
{
	for (size_t i = 0; i < r->events_n; i++) {
		r->events[i].quality.status = PL_S("partial");
		add_code(&r->events[i].reasons, PL_S("unsealed_input"));
		add_code(&r->events[i].forbidden, PL_S("unqualified_profile_conclusion"));
	}
}

int pl_summary_read(struct pl_summary *r, const struct pl_summary_options *options,
		    struct pl_analysis *a, struct pl_err *err)
{
	*r = (struct pl_summary){.options = options};
	if (read_rows(r, a)) {
		*err = a->s.err;
		return -1;
	}
	count_diagnostics(r, a);
	r->group_by = keep(r, a->group_by);
	r->sha256 = keep(r, pl_str(a->s.sha256));
	r->unsealed = a->s.unsealed;
	if (r->unsealed)
		mark_unsealed(r);
	return options->event && r->events_n == 0 ? pl_analysis_no_event(err, options->event) : 0;
}

static void free_rows(struct pl_summary_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->v[i].texts);
	free(rows->v);
}

void pl_summary_free(struct pl_summary *r)
{
	for (size_t i = 0; i < r->events_n; i++) {
		free_rows(&r->events[i].work);
		free_rows(&r->events[i].idle);
		free(r->events[i].widest.texts);
		free(r->events[i].paths);
	}
	free(r->events);
	free(r->names);
	pl_arena_free(&r->arena);
	*r = (struct pl_summary){0};
}
