/* stacks: weighted stacks of functions, from samples or from an analysis */
#include "stacks.h"
#include "dso.h"
#include "num.h"
#include "stats.h"
#include "text.h"

#include <math.h>

enum {
	STACK_MAX =
		1 << 20, /* functions: a line holds more frames, and a frame many inlined ones */
	NAMES_MAX = 16	 /* events that a message names */
};

static const struct pl_str none = {NULL, 0};

static struct pl_str keep(struct pl_stacks *k, struct pl_str s)
{
	return s.p ? pl_intern_str(&k->texts, pl_intern(&k->texts, s.p, s.n)) : none;
}

static uint32_t key_of(struct pl_stacks *k, struct pl_str name, struct pl_str dso)
{
	pl_row_key(&k->scratch, name, dso);
	return pl_intern(&k->keys, k->scratch.p, k->scratch.n);
}

static uint32_t add_frame(struct pl_stacks *k, const struct pl_stacks_frame *frame)
{
	PL_GROW(k->frames, k->frames_n + 1, k->frames_cap);
	k->frames[k->frames_n] = *frame;
	return (uint32_t)k->frames_n++;
}

static int fail_here(struct pl_stacks *k, const char *message)
{
	pl_stream_fail(k->stream, "%s", message);
	k->err = k->stream->err;
	return -1;
}

static int check_frames(struct pl_stacks *k)
{
	if (k->max_frames == 0 || k->frames_n <= k->max_frames)
		return 0;
	pl_limit_exceeded(&k->err, PL_LIMIT_UNIQUE_FRAMES, k->max_frames);
	return pl_err_at(&k->err, pl_in_name(k->stream->in, k->stream->in->index),
			 k->stream->in->line);
}

static bool is_wanted(const struct pl_stacks *k, uint32_t event)
{
	return !k->only || pl_str_is(k->events[event].label, k->only);
}

static struct pl_stacks_event *add_event(struct pl_stacks *k, struct pl_str label,
					 struct pl_str name)
{
	PL_GROW(k->events, k->events_n + 1, k->events_cap);
	struct pl_stacks_event *e = &k->events[k->events_n++];
	*e = (struct pl_stacks_event){
		.label = keep(k, label), .name = keep(k, name), .has_paths = true, .n_eff = NAN};
	return e;
}

/* ---- samples ---- */

static void learn_event(struct pl_stacks *k, const struct pl_event *event)
{
	struct pl_stacks_event *e = add_event(k, event->name, event->name);

	e->unit = keep(k, event->unit);
	e->weight_source = keep(k, event->weight_source);
	e->source = keep(k, event->source);
}

static void learn_module(struct pl_stacks *k, const struct pl_module *m)
{
	bool deleted;
	struct pl_str dso = pl_dso_normal(m->dso, &deleted);
	struct pl_str kind = m->kind.p ? m->kind : deleted ? PL_S("deleted") : none;

	PL_GROW(k->modules, k->modules_n + 1, k->modules_cap);
	k->modules[k->modules_n++] =
		(struct stacks_module){keep(k, dso), keep(k, m->build_id), keep(k, kind)};
}

static void add_function(struct pl_stacks *k, struct pl_stacks_frame *f, struct pl_str symbol,
			 struct pl_str raw, const struct pl_source *source)
{
	f->name = keep(k, symbol);
	f->raw = keep(k, raw);
	f->file = keep(k, source->file);
	f->line = source->line;
	f->key = key_of(k, f->name, f->dso);
	PL_GROW(k->functions, k->functions_n + 1, k->functions_cap);
	k->functions[k->functions_n++] = add_frame(k, f);
}

static const char *learn_inlined(struct pl_stacks *k, struct pl_stacks_frame *f, uint32_t at,
				 char message[256])
{
	const struct pl_json *json = pl_samples_frame_json(&k->r.samples);
	struct pl_inlined inlined = {0};
	struct pl_source source = {0};
	const char *wrong = pl_record_read(&pl_inlined_record, json, at, &inlined, message);

	if (!wrong && inlined.source)
		wrong = pl_record_read(&pl_source_record, json, inlined.source, &source, message);
	if (wrong)
		return wrong;
	f->inlined = true;
	add_function(k, f, inlined.symbol, inlined.raw, &source);
	return NULL;
}

static int learn_frame(struct pl_stacks *k)
{
	const struct pl_frame *frame = &k->r.samples.frame;
	const struct pl_json *json = pl_samples_frame_json(&k->r.samples);
	struct stacks_module module = {none, none, none};
	char message[256];
	const char *wrong = NULL;

	if (frame->module != PL_NO_MODULE)
		module = k->modules[frame->module];
	struct pl_stacks_frame f = {.dso = module.dso,
				    .build_id = module.build_id,
				    .kind = frame->kind.p ? keep(k, frame->kind) : module.kind,
				    .offset = keep(k, frame->offset),
				    .inlined = frame->inlined};
	PL_GROW(k->first, (size_t)frame->id + 1, k->first_cap);
	PL_GROW(k->count, (size_t)frame->id + 1, k->count_cap);
	PL_GROW(k->used, (size_t)frame->id + 1, k->used_cap);
	k->first[frame->id] = (uint32_t)k->functions_n;
	add_function(k, &f, frame->symbol, frame->raw, &frame->source);
	if (frame->inlines)
		for (uint32_t at = frame->inlines + 1;
		     !wrong && at < json->tape[frame->inlines].next; at = json->tape[at].next)
			wrong = learn_inlined(k, &f, at, message);
	k->count[frame->id] = (uint32_t)k->functions_n - k->first[frame->id];
	return wrong ? fail_here(k, wrong) : check_frames(k);
}

static int too_deep(struct pl_stacks *k, size_t n)
{
	pl_err_set(&k->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
		   _("a stack of %zu functions, those that were inlined included"), n);
	pl_err_action(&k->err, _("no more than %d are read"), STACK_MAX);
	return pl_err_at(&k->err, pl_in_name(k->stream->in, k->stream->in->index),
			 k->stream->in->line);
}

/* The functions of the sample's frames. */
static int expand(struct pl_stacks *k, const struct pl_sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->depth; i++)
		n += k->count[s->stack[i]];
	if (n > STACK_MAX)
		return too_deep(k, n);
	PL_GROW(k->path, n, k->path_cap);
	k->depth = 0;
	for (size_t i = 0; i < s->depth; i++) {
		uint32_t frame = s->stack[i], at = k->first[frame];
		/* nearly always one: a call of memcpy costs more */
		for (uint32_t end = at + k->count[frame]; at < end; at++)
			k->path[k->depth++] = k->functions[at];
	}
	k->stack = k->path;
	return 0;
}

/* PL_STACKS_STACK when it is one that is handed out. */
static enum pl_stacks_kind take_sample(struct pl_stacks *k)
{
	const struct pl_sample *s = &k->r.samples.sample;
	struct pl_stacks_event *e = &k->events[s->event];

	e->samples++;
	if (!pl_num_add(&e->weight, s->weight)) {
		pl_err_set(&k->err, PL_E_WEIGHT_OVERFLOW,
			   _("the weights of an event do not fit 64 bits"));
		return PL_STACKS_ERROR;
	}
	e->squares += (unsigned __int128)s->weight * s->weight;
	if (s->depth == 0) {
		e->stackless += s->weight;
		e->stackless_samples++;
		return PL_STACKS_DONE;
	}
	for (size_t i = 0; i < s->depth; i++)
		k->used[s->stack[i]] = true;
	if (!is_wanted(k, s->event))
		return PL_STACKS_DONE;
	if (expand(k, s))
		return PL_STACKS_ERROR;
	e->stacks++;
	k->event = s->event;
	k->weight = s->weight;
	k->samples = 1;
	k->sample = s;
	return PL_STACKS_STACK;
}

static void end_samples(struct pl_stacks *k)
{
	for (size_t i = 0; i < k->events_n; i++) {
		struct pl_stacks_event *e = &k->events[i];
		e->n_eff = pl_stats_draws(e->weight_source, e->unit, e->weight, e->squares);
	}
}

static enum pl_stacks_kind next_of_samples(struct pl_stacks *k)
{
	enum pl_stacks_kind kind = PL_STACKS_DONE;

	while (kind == PL_STACKS_DONE) {
		switch (pl_samples_next(&k->r.samples)) {
		case PL_SAMPLES_EVENT:
			learn_event(k, &k->r.samples.event);
			break;
		case PL_SAMPLES_MODULE:
			learn_module(k, &k->r.samples.module);
			break;
		case PL_SAMPLES_FRAME:
			kind = learn_frame(k) ? PL_STACKS_ERROR : PL_STACKS_DONE;
			break;
		case PL_SAMPLES_SAMPLE:
			kind = take_sample(k);
			break;
		case PL_SAMPLES_DONE:
			end_samples(k);
			return PL_STACKS_DONE;
		case PL_SAMPLES_ERROR:
			k->err = k->r.samples.s.err;
			return PL_STACKS_ERROR;
		default:
			break;
		}
	}
	return kind;
}

/* ---- an analysis ---- */

static void take_event(struct pl_stacks *k, const struct pl_analysis_event *event)
{
	struct pl_stacks_event *e = add_event(k, event->label, event->name);

	e->unit = keep(k, event->unit);
	e->weight_source = keep(k, event->weight_source);
	e->source = keep(k, event->source);
	e->samples = event->samples;
	e->weight = event->weight;
	e->stackless = event->stackless;
	e->n_eff = event->n_eff;
}

static void take_hotspot(struct pl_stacks *k, const struct pl_analysis_hotspot *h)
{
	uint32_t key = key_of(k, pl_analysis_name(h), h->dso);

	PL_GROW(k->ids, (size_t)key + 1, k->ids_cap);
	k->ids[key] = keep(k, h->id);
}

static uint32_t position(struct pl_stacks *k, const struct pl_json *json, uint32_t object,
			 const struct pl_analysis_hotspot *h)
{
	uint32_t kind = pl_json_member(json, object, "kind");
	uint32_t inlined = pl_json_member(json, object, "inlined");
	struct pl_stacks_frame f = {
		.name = keep(k, pl_analysis_name(h)),
		.dso = keep(k, h->dso),
		.kind = kind && json->tape[kind].type == PL_JSON_STRING
				? keep(k, pl_json_str(json, kind))
				: none,
		.inlined = inlined && json->tape[inlined].type == PL_JSON_TRUE,
	};
	f.key = key_of(k, f.name, f.dso);
	/* interned texts are at one place each */
	const struct {
		uint64_t key, kind, inlined;
	} what = {f.key, (uint64_t)(uintptr_t)f.kind.p, f.inlined};
	uint32_t at = pl_intern(&k->positions, &what, sizeof what);
	return at < k->frames_n ? at : add_frame(k, &f);
}

static int read_path(struct pl_stacks *k, const struct pl_analysis *a)
{
	const struct pl_json *json = &a->s.json;
	uint32_t array = a->path.frames;
	struct pl_analysis_hotspot h;

	PL_GROW(k->path, json->tape[array].count, k->path_cap);
	k->depth = 0;
	for (uint32_t at = array + 1; at < json->tape[array].next; at = json->tape[at].next) {
		pl_analysis_frame(a, at, &h);
		k->path[k->depth++] = position(k, json, at, &h);
	}
	k->stack = k->path;
	return check_frames(k);
}

static enum pl_stacks_kind take_path(struct pl_stacks *k, const struct pl_analysis *a)
{
	uint32_t event = (uint32_t)k->events_n - 1;

	if (!is_wanted(k, event))
		return PL_STACKS_DONE;
	if (read_path(k, a))
		return PL_STACKS_ERROR;
	k->events[event].stacks++;
	k->event = event;
	k->weight = a->path.weight;
	k->samples = a->path.samples;
	k->path_id = a->path.id;
	return k->depth ? PL_STACKS_STACK : PL_STACKS_DONE;
}

static int end_analysis(struct pl_stacks *k, struct pl_analysis *a)
{
	struct pl_analysis_totals totals;

	for (size_t i = 0; i < k->events_n; i++) {
		struct pl_stacks_event *e = &k->events[i];
		if (pl_analysis_totals(a, e->label, &totals)) {
			k->err = a->s.err;
			return -1;
		}
		e->has_paths = totals.has_paths;
		e->omitted = totals.omitted_weight;
		e->omitted_paths = totals.paths_total - totals.paths;
	}
	return 0;
}

enum pl_stacks_kind pl_stacks_take(struct pl_stacks *k, enum pl_analysis_kind kind)
{
	struct pl_analysis *a = k->analysis;

	if (kind == PL_ANALYSIS_EVENT)
		take_event(k, &a->event);
	else if (kind == PL_ANALYSIS_QUALITY)
		k->events[k->events_n - 1].status = keep(k, a->quality.status);
	else if (kind == PL_ANALYSIS_HOTSPOT)
		take_hotspot(k, &a->hotspot);
	else if (kind == PL_ANALYSIS_PATH)
		return take_path(k, a);
	else if (kind == PL_ANALYSIS_DONE && end_analysis(k, a))
		return PL_STACKS_ERROR;
	return PL_STACKS_DONE;
}

static enum pl_stacks_kind next_of_analysis(struct pl_stacks *k)
{
	struct pl_analysis *a = k->analysis;

	for (;;) {
		enum pl_analysis_kind row = pl_analysis_next(a);
		if (row == PL_ANALYSIS_ERROR) {
			k->err = a->s.err;
			return PL_STACKS_ERROR;
		}
		enum pl_stacks_kind kind = pl_stacks_take(k, row);
		if (kind != PL_STACKS_DONE || row == PL_ANALYSIS_DONE)
			return kind;
	}
}

/* ---- either ---- */

static void start(struct pl_stacks *k)
{
	*k = (struct pl_stacks){0};
	pl_intern_init(&k->texts);
	pl_intern_init(&k->keys);
	pl_intern_init(&k->positions);
}

int pl_stacks_open(struct pl_stacks *k, struct pl_in *in, bool unsealed)
{
	static const char *const schemas[] = {PL_SAMPLES_SCHEMA, PL_ANALYSIS_SCHEMA};
	struct pl_stream s;

	start(k);
	int failed = pl_stream_open(&s, in, schemas, PL_COUNT(schemas), unsealed);
	if (!failed && pl_str_is(s.header.schema, PL_ANALYSIS_SCHEMA)) {
		k->analysis = &k->r.analysis;
		k->r.analysis.s = s;
		k->stream = &k->r.analysis.s;
		failed = pl_analysis_begin(&k->r.analysis);
	} else {
		pl_samples_begin(&k->r.samples);
		k->r.samples.s = s;
		k->r.samples.no_tape = true;
		k->stream = &k->r.samples.s;
	}
	if (failed)
		k->err = k->stream->err;
	return failed;
}

void pl_stacks_begin(struct pl_stacks *k, struct pl_analysis *a)
{
	start(k);
	k->analysis = a;
}

enum pl_stacks_kind pl_stacks_next(struct pl_stacks *k)
{
	return k->analysis ? next_of_analysis(k) : next_of_samples(k);
}

static uint32_t rest_frame(struct pl_stacks *k, struct pl_str name)
{
	struct pl_stacks_frame f = {.name = name, .key = key_of(k, name, none)};

	return add_frame(k, &f);
}

enum pl_stacks_kind pl_stacks_rest(struct pl_stacks *k)
{
	for (; k->rest < 2 * k->events_n; k->rest++) {
		const struct pl_stacks_event *e = &k->events[k->rest / 2];
		bool omitted = k->rest % 2;
		k->weight = omitted ? e->omitted : e->stackless;
		if (k->weight == 0 || !is_wanted(k, (uint32_t)(k->rest / 2)))
			continue;
		PL_GROW(k->path, 1, k->path_cap);
		k->path[0] = rest_frame(k, omitted ? PL_S("[omitted]") : PL_S("[no stack]"));
		k->stack = k->path;
		k->depth = 1;
		k->event = (uint32_t)(k->rest++ / 2);
		k->samples = omitted ? 0 : e->stackless_samples;
		k->sample = NULL;
		k->path_id = none;
		return PL_STACKS_STACK;
	}
	return PL_STACKS_DONE;
}

void pl_stacks_close(struct pl_stacks *k)
{
	if (!k->stream)
		; /* the reader of the rows is somebody else's */
	else if (k->analysis)
		pl_analysis_close(&k->r.analysis);
	else
		pl_samples_close(&k->r.samples);
	pl_intern_free(&k->texts);
	pl_intern_free(&k->keys);
	pl_intern_free(&k->positions);
	free(k->events);
	free(k->frames);
	free(k->first);
	free(k->count);
	free(k->used);
	free(k->functions);
	free(k->modules);
	free(k->path);
	free(k->ids);
	pl_buf_free(&k->scratch);
}

static int name_events(struct pl_stacks *k, const char *message, bool all)
{
	struct pl_buf names = {0};
	size_t shown = 0;

	for (size_t i = 0; i < k->events_n && shown < NAMES_MAX; i++) {
		const struct pl_stacks_event *e = &k->events[i];
		if (!all && e->stacks == 0)
			continue;
		pl_buf_printf(&names, "%s'%.*s' (%.*s)", shown++ ? ", " : "",
			      (int)(e->label.n < 256 ? e->label.n : 256), e->label.p,
			      (int)(e->unit.n < 64 ? e->unit.n : 64), e->unit.p);
	}
	pl_err_set(&k->err, PL_E_INVALID_INPUT, "%s: %s", message, names.n ? names.p : _("none"));
	pl_buf_free(&names);
	return -1;
}

/* The events that have stacks: how many; *at is the first. */
static size_t with_stacks(const struct pl_stacks *k, size_t *at)
{
	size_t n = 0;

	for (size_t i = k->events_n; i-- > 0;) {
		if (k->events[i].stacks == 0)
			continue;
		*at = i;
		n++;
	}
	return n;
}

int64_t pl_stacks_one(struct pl_stacks *k)
{
	size_t at = 0, n = with_stacks(k, &at);
	bool named = false;

	if (n == 1)
		return (int64_t)at;
	for (size_t i = 0; i < k->events_n; i++)
		named |= is_wanted(k, (uint32_t)i);
	if (k->only && k->events_n && (n > 1 || !named)) {
		name_events(k,
			    n ? _("several events have the name asked for by --event")
			      : _("no event has the name asked for by --event; there are"),
			    n == 0);
		return n ? -1 : pl_err_action(&k->err, _("choose one of these"));
	}
	if (n > 1) {
		name_events(k, _("only one event can be shown, and here are several"), false);
		return pl_err_action(&k->err, _("choose one with --event NAME"));
	}
	for (size_t i = 0; i < k->events_n; i++) {
		if (k->events[i].has_paths)
			continue;
		pl_err_set(&k->err, PL_E_INVALID_INPUT,
			   _("the analysis was made without call paths (--no-paths)"));
		return pl_err_action(&k->err, _("make it again with them"));
	}
	pl_err_set(&k->err, PL_E_NO_SAMPLES, _("there are no stacks"));
	return pl_err_action(&k->err, _("check what was recorded"));
}

/* ---- ids ---- */

struct sortable {
	const struct pl_intern *keys;
	uint32_t key;
};

static int compare_keys(const void *a, const void *b)
{
	const struct sortable *x = a, *y = b;

	return pl_str_cmp(pl_intern_str(x->keys, x->key), pl_intern_str(y->keys, y->key));
}

/* By key: is it in a sample? Frames may be defined for samples that a filter left out. */
static bool *used_keys(const struct pl_stacks *k)
{
	bool *used = pl_alloc(k->keys.n + 1);

	for (size_t frame = 0; frame < k->used_cap; frame++)
		for (uint32_t i = 0; k->used[frame] && i < k->count[frame]; i++)
			used[k->frames[k->functions[k->first[frame] + i]].key] = true;
	return used;
}

/* Of samples: made as pl-aggregate makes them, in the byte order of the keys that samples have. */
static void make_ids(const struct pl_stacks *k, char (*ids)[PL_ROW_ID_MAX])
{
	struct sortable *order = pl_alloc((k->keys.n + 1) * sizeof *order);
	struct pl_row_ids given;
	struct pl_sha256 h;
	bool *used = used_keys(k);

	for (uint32_t i = 0; i < k->keys.n; i++)
		order[i] = (struct sortable){&k->keys, i};
	qsort(order, k->keys.n, sizeof *order, compare_keys);
	pl_row_ids_start(&given);
	for (size_t i = 0; i < k->keys.n; i++) {
		if (!used[order[i].key])
			continue;
		pl_row_id_start(&h, PL_S("symbol,dso"));
		pl_row_id_key(&h, pl_intern_str(&k->keys, order[i].key));
		pl_row_id_end(&h, 'h', ids[order[i].key]);
		pl_row_ids_add(&given, ids[order[i].key]);
	}
	pl_row_ids_free(&given);
	free(order);
	free(used);
}

char (*pl_stacks_ids(const struct pl_stacks *k))[PL_ROW_ID_MAX]
{
	char(*ids)[PL_ROW_ID_MAX] = pl_alloc((k->keys.n + 1) * sizeof *ids);

	if (!k->analysis) {
		make_ids(k, ids);
		return ids;
	}
	for (size_t i = 0; i < k->keys.n && i < k->ids_cap; i++)
		if (k->ids[i].n < PL_ROW_ID_MAX)
			memcpy(ids[i], k->ids[i].p ? k->ids[i].p : "", k->ids[i].n);
	return ids;
}
