/* edges: who calls a hotspot and whom it calls */
#include "edges.h"
#include "around.h"
#include "cells.h"
#include "figure.h"
#include "num.h"

#include <inttypes.h>

/* Hotspots of one name that are kept, the ids of others that are named, and the edges that an
 * analysis keeps of each (pl-aggregate's EDGES_SHOWN). */
enum { SPOTS = 100, IDS_NAMED = 20, EDGES = 10, REASONS_MAX = 240 };

struct edge {
	struct pl_str id, name, dso;
	uint64_t weight;
};

struct event {
	struct pl_str label, unit, status, reasons;
	uint64_t weight, cut_weight;
};

struct spot {
	size_t event;
	struct pl_str id, name, dso;
	uint64_t self, inclusive;
	bool repeats;  /* it stands more than once in some stack */
	bool recorded; /* false: --no-paths */
	struct edge edges[EDGES];
	size_t n;
	uint64_t sum; /* of all edges */
};

struct edges {
	const struct query_options *o;
	struct pl_arena arena;
	struct event *events;
	size_t events_n, events_cap;
	struct spot *spots;
	size_t n, cap;
	uint64_t found; /* also those that are not kept */
	struct pl_str group_by;
};

static bool callers(const struct edges *x)
{
	return x->o->command == QUERY_CALLERS;
}

/* Else the DSO is the name itself, or there is none. */
static bool by_function(const struct edges *x)
{
	return pl_str_is(x->group_by, "symbol,dso");
}

/* ---- reading ---- */

static struct pl_str keep(struct edges *x, struct pl_str s)
{
	if (!s.p)
		return s;
	return (struct pl_str){pl_arena_dup(&x->arena, s.p, s.n), s.n};
}

static void add_event(struct edges *x, const struct pl_analysis_event *event)
{
	PL_GROW(x->events, x->events_n + 1, x->events_cap);
	x->events[x->events_n++] = (struct event){
		.label = keep(x, event->label),
		.unit = keep(x, event->unit),
		.weight = event->weight,
	};
}

static void add_quality(struct edges *x, const struct pl_analysis *a)
{
	const struct pl_json *json = &a->s.json;
	struct event *event = &x->events[x->events_n - 1];
	struct pl_buf list = {0};
	uint32_t array = a->quality.reasons;

	for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next) {
		pl_buf_addz(&list, list.n ? ", " : "");
		if (json->tape[t].type == PL_JSON_STRING)
			pl_buf_adds(&list, pl_json_str(json, t));
	}
	event->status = keep(x, a->quality.status);
	event->reasons = keep(x, pl_buf_str(&list));
	event->cut_weight = a->quality.cut_weight;
	pl_buf_free(&list);
}

static int add_edges(struct edges *x, struct spot *spot, struct pl_analysis *a)
{
	const struct pl_json_tok *tape = a->s.json.tape;
	uint32_t array = callers(x) ? a->hotspot.callers : a->hotspot.callees;
	struct pl_analysis_edge edge;

	spot->recorded = array != 0;
	if (!array)
		return 0;
	for (uint32_t t = array + 1; t < tape[array].next; t = tape[t].next) {
		if (!pl_analysis_edge(a, t, &edge))
			continue;
		if (!pl_num_add(&spot->sum, edge.weight))
			return pl_stream_fail(&a->s, _("the weights of the rows overflow"));
		if (spot->n < EDGES)
			spot->edges[spot->n++] = (struct edge){keep(x, edge.id),
							       keep(x, pl_analysis_name(&edge.key)),
							       keep(x, edge.key.dso), edge.weight};
	}
	return 0;
}

static int add_hotspot(struct edges *x, struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *h = &a->hotspot;

	if (!query_wants(x->o, h))
		return 0;
	x->found++;
	if (x->n == SPOTS)
		return 0;
	PL_GROW(x->spots, x->n + 1, x->cap);
	struct spot *spot = &x->spots[x->n++];
	*spot = (struct spot){
		.event = x->events_n - 1,
		.id = keep(x, h->id),
		.name = keep(x, pl_analysis_name(h)),
		.dso = keep(x, h->dso),
		.self = h->self,
		.inclusive = h->inclusive,
		.repeats = h->occurrences > h->samples,
	};
	return add_edges(x, spot, a);
}

/* Whatever an edited artifact says of itself, nothing in it was proved. */
static void mark_unsealed(struct edges *x)
{
	for (size_t i = 0; i < x->events_n; i++) {
		struct pl_buf list = {0};
		pl_buf_adds(&list, x->events[i].reasons);
		pl_buf_addz(&list, list.n ? ", unsealed_input" : "unsealed_input");
		x->events[i].status = PL_S("partial");
		x->events[i].reasons = keep(x, pl_buf_str(&list));
		pl_buf_free(&list);
	}
}

static int read_rows(struct edges *x, struct pl_analysis *a, struct pl_err *err)
{
	enum pl_analysis_kind kind;
	int status = 0;

	while (status == 0 && (kind = pl_analysis_next(a)) > PL_ANALYSIS_DONE) {
		if (x->o->event && !pl_str_is(a->event.label, x->o->event))
			continue;
		if (kind == PL_ANALYSIS_EVENT)
			add_event(x, &a->event);
		else if (kind == PL_ANALYSIS_QUALITY)
			add_quality(x, a);
		else if (kind == PL_ANALYSIS_HOTSPOT)
			status = add_hotspot(x, a);
	}
	if (status || kind == PL_ANALYSIS_ERROR) {
		*err = a->s.err;
		return -1;
	}
	x->group_by = keep(x, a->group_by);
	if (a->s.unsealed)
		mark_unsealed(x);
	if (x->o->event && x->events_n == 0)
		return pl_analysis_no_event(err, x->o->event);
	return x->found ? 0 : query_found_none(x->o, err);
}

/* ---- writing ---- */

static void put_title(struct pl_buf *out, const struct edges *x, const struct spot *spot,
		      size_t name_max)
{
	const struct event *event = &x->events[spot->event];

	pl_buf_addz(out, callers(x) ? _("callers of ") : _("callees of "));
	around_cut(out, spot->name, name_max);
	if (spot->dso.p && by_function(x)) {
		pl_buf_addz(out, "  ");
		around_cut(out, spot->dso, name_max);
	}
	pl_buf_addz(out, "  ");
	around_cut(out, spot->id, AROUND_LABEL);
	pl_buf_addz(out, _("\nevent "));
	around_cut(out, event->label, AROUND_LABEL);
	pl_buf_printf(out, _("; inclusive %" PRIu64 " "), spot->inclusive);
	around_cut(out, pl_figure_unit(event->unit, spot->inclusive), AROUND_LABEL);
	pl_buf_addz(out, ", ");
	pl_figure_share(out, pl_num_percent(spot->inclusive, event->weight), 2);
	pl_buf_addz(out, _(" of weight\nstatus "));
	around_cut(out, event->status, AROUND_LABEL);
	pl_buf_addz(out, event->reasons.n ? ": " : "");
	around_cut(out, event->reasons, REASONS_MAX);
	pl_buf_addc(out, '\n');
}

/* A row that is no edge. */
static void put_other(struct cells *c, const struct spot *spot, uint64_t weight, const char *text)
{
	const struct pl_str name = pl_str(text);

	cells_dim(c);
	cells_share(c, weight, spot->inclusive);
	cells_number(c, weight);
	cells_text(c, PL_S(""));
	cells_names(c, "", &name, 1);
}

/*
 * What the weight that no edge has may be. Where the hotspot stands more than once in a stack that
 * stack counts for several edges, and more than this may be missing.
 */
static const char *rest_text(const struct edges *x, const struct spot *spot)
{
	bool full = spot->n == EDGES;

	if (!callers(x))
		return spot->repeats ? _("other callees, at least") : _("other callees");
	if (full)
		return spot->repeats ? _("other callers or none, at least")
				     : _("other callers or none");
	if (x->events[spot->event].cut_weight)
		return spot->repeats ? _("no caller: a root, or cut off there; at least")
				     : _("no caller: a root, or cut off there");
	return spot->repeats ? _("no caller: a root, at least") : _("no caller: a root");
}

static void put_rows(struct cells *c, const struct edges *x, const struct spot *spot)
{
	uint64_t known = spot->sum, own = callers(x) ? 0 : spot->self;

	if (!callers(x) && spot->self)
		put_other(c, spot, spot->self, _("itself (self)"));
	for (size_t i = 0; i < spot->n; i++) {
		const struct edge *edge = &spot->edges[i];
		const struct pl_str names[] = {edge->name,
					       by_function(x) ? edge->dso : (struct pl_str){0}};
		cells_share(c, edge->weight, spot->inclusive);
		cells_number(c, edge->weight);
		cells_text(c, edge->id);
		cells_names(c, "", names, PL_COUNT(names));
	}
	if (own <= spot->inclusive && known < spot->inclusive - own)
		put_other(c, spot, spot->inclusive - own - known, rest_text(x, spot));
}

static void put_notes(struct pl_buf *out, const struct edges *x, const struct spot *spot)
{
	uint64_t own = callers(x) ? 0 : spot->self;

	if (!spot->recorded)
		pl_buf_addz(out, _("the analysis has no edges: it was made with --no-paths\n"));
	else if (spot->repeats)
		pl_buf_addz(out, _("it stands more than once in some stacks (recursion): they "
				   "count for each edge in them\n"));
	else if (own > spot->inclusive || spot->sum > spot->inclusive - own)
		pl_buf_addz(out, _("the edges exceed the inclusive weight; pl-verify says more\n"));
}

static bool names_dso(const struct spot *spot)
{
	for (size_t i = 0; i < spot->n; i++)
		if (spot->edges[i].dso.p)
			return true;
	return false;
}

static void put_table(struct pl_buf *out, const struct edges *x, const struct spot *spot,
		      size_t name_max)
{
	struct pl_buf names = {0};
	struct cells c;

	pl_buf_addz(&names, pl_figure_grouping(x->group_by));
	if (names_dso(spot) && by_function(x))
		pl_buf_printf(&names, "  %s", _("DSO"));
	const struct cells_column columns[] = {{_("% of inclusive"), 0, PL_RIGHT},
					       {_("weight"), 2, PL_RIGHT},
					       {"id", 3, PL_LEFT},
					       {names.p, 0, PL_LEFT}};
	cells_start(&c, &x->o->screen, columns, PL_COUNT(columns), name_max);
	put_rows(&c, x, spot);
	cells_again(&c);
	put_rows(&c, x, spot);
	cells_print(&c, out);
	cells_free(&c);
	pl_buf_free(&names);
}

static void put_spot(struct pl_buf *out, const struct edges *x, const struct spot *spot,
		     size_t budget)
{
	size_t name_max = budget / (4 * EDGES);

	put_title(out, x, spot, name_max);
	if (spot->recorded)
		put_table(out, x, spot, name_max);
	put_notes(out, x, spot);
}

/* Those of the name that are not shown: their ids, as far as there is room. */
static void put_left_out(struct pl_buf *out, const struct edges *x, size_t n)
{
	if (x->found == n)
		return;
	pl_buf_printf(
		out,
		ngettext("%s%" PRIu64 " more hotspot of this name; choose by id: ",
			 "%s%" PRIu64 " more hotspots of this name; choose by id: ", x->found - n),
		n ? "\n" : "", x->found - n);
	for (size_t i = n; i < x->n && i < n + IDS_NAMED; i++) {
		pl_buf_addz(out, i > n ? ", " : "");
		around_cut(out, x->spots[i].id, AROUND_LABEL);
	}
	pl_buf_addz(out, x->found > n + IDS_NAMED ? ", …\n" : "\n");
}

static void put_spots(struct pl_buf *out, const void *of, size_t n, size_t budget)
{
	const struct edges *x = of;

	for (size_t i = 0; i < n; i++) {
		if (i)
			pl_buf_addc(out, '\n');
		put_spot(out, x, &x->spots[i], budget);
	}
	put_left_out(out, x, n);
}

int edges_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
		struct pl_err *err)
{
	struct edges x = {.o = o};
	int status = read_rows(&x, a, err);

	if (status == 0) {
		const struct around_table table = {put_spots, &x, x.n};
		around_fit(out, &table, o->max_bytes);
	}
	free(x.events);
	free(x.spots);
	pl_arena_free(&x.arena);
	return status;
}
