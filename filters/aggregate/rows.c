/* rows: the order of an analysis: header, each event with its rows, diagnostics, sealed end */
#include "rows.h"
#include "num.h"
#include "shape.h"
#include "text.h"
#include "utf8.h"
#include "writer.h"

#include <inttypes.h>

/* ---- conservation ---- */

int rows_check_conservation(const struct profile *p, const struct tally *t, enum pl_code code,
			    struct pl_err *err)
{
	uint64_t self = 0, paths = 0;

	for (size_t key = 0; key < p->keys.n && key < t->keys_cap; key++)
		self += t->keys[key].self;
	for (size_t i = 0; i < t->paths.n; i++)
		paths += t->path_sums[i].weight;
	if (self + t->stackless != t->weight)
		return pl_err_set(err, code,
				  _("self weights do not add up: %" PRIu64 " + %" PRIu64
				    " stackless is not %" PRIu64),
				  self, t->stackless, t->weight);
	if (p->paths_kept && paths + t->stackless != t->weight)
		return pl_err_set(err, code,
				  _("path weights do not add up: %" PRIu64 " + %" PRIu64
				    " stackless is not %" PRIu64),
				  paths, t->stackless, t->weight);
	if (t->received > t->announced)
		return pl_err_set(err, code,
				  _("%" PRIu64 " samples were received, %" PRIu64 " announced"),
				  t->received, t->announced);
	return 0;
}

/* ---- diagnostics and end ---- */

/* A warning about the whole input (section NULL) or about an event. */
static void put_heuristic(struct writer *w, const struct section *s, const uint32_t *input,
			  struct pl_diag *counts, const char *code, const char *message)
{
	struct pl_jsonw *j = &w->w;

	pl_diag_count(counts, code, 1);
	if (counts->kept >= w->sources->max_kept)
		return;
	counts->kept++;
	pl_jsonw_record(j, "diagnostic");
	pl_jsonw_kz(j, "code", code);
	if (input)
		pl_jsonw_ku64(j, "input", *input);
	if (s)
		pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	pl_jsonw_kz(j, "message", message);
	if (s)
		pl_jsonw_kstr(j, "preview",
			      pl_utf8_cut(pl_buf_str(&s->t->largest_stack), PL_DIAG_PREVIEW));
	pl_jsonw_record_end(j);
	w->records++;
}

/* `input` is that of the event's samples where it is known: there is but one. */
static void put_event_heuristics(struct writer *w, const struct section *s, const uint32_t *input,
				 struct pl_diag *counts)
{
	char message[160], pct[PL_NUM_MAX];
	uint64_t inner, inclusive;

	if (s->t->largest > s->t->weight / 2) {
		size_t n = pl_num_put_micro(pct, pl_num_percent(s->t->largest, s->t->weight));
		snprintf(message, sizeof message, "one sample holds %.*s %% of the weight", (int)n,
			 pct);
		put_heuristic(w, s, input, counts, "DOMINANT_SAMPLE", message);
	}
	if (w->p->paths_kept && pl_str_is(s->t->weight_source, "folded_weight") &&
	    shape_looks_inclusive(s->t, &inner, &inclusive)) {
		snprintf(message, sizeof message,
			 "%" PRIu64 " of %" PRIu64
			 " inner stacks weigh at least as much as those below them together",
			 inclusive, inner);
		put_heuristic(w, s, input, counts, "LOOKS_INCLUSIVE", message);
	}
}

static void put_heuristics(struct writer *w, struct pl_diag *counts)
{
	static const uint32_t only = 0;
	char message[80];
	uint32_t first, again;

	if (sources_find_twice(w->sources, &first, &again)) {
		snprintf(message, sizeof message,
			 "the same bytes as input %" PRIu32 ": they count twice", first);
		put_heuristic(w, NULL, &again, counts, "DUPLICATE_INPUT", message);
	}
	for (size_t i = 0; i < w->n; i++)
		put_event_heuristics(w, &w->sections[i],
				     sources_foreign(w->sources) == 1 ? &only : NULL, counts);
}

static void put_end_event(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;

	pl_jsonw_begin(j, '{');
	pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	pl_jsonw_ku64(j, "hotspots_total", s->hotspots_total);
	pl_jsonw_ku64(j, "hotspots", s->hotspots_n);
	pl_jsonw_ku64(j, "omitted_self", t->weight - t->stackless - s->hotspots_self);
	if (w->p->paths_kept) {
		pl_jsonw_ku64(j, "paths_total", s->paths_total);
		pl_jsonw_ku64(j, "paths", s->paths_n);
		pl_jsonw_ku64(j, "omitted_weight", t->weight - t->stackless - s->paths_weight);
	}
	pl_jsonw_end(j, '}');
}

static void put_end(struct writer *w, const struct pl_diag *counts)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_record(j, "end");
	pl_jsonw_kbegin(j, "events", '[');
	for (size_t i = 0; i < w->n; i++)
		put_end_event(w, &w->sections[i]);
	pl_jsonw_end(j, ']');
	pl_diag_counts(counts, "diagnostics", j);
	pl_jsonw_ku64(j, "records", w->records);
	pl_stream_seal(j->buf);
}

static void put_header(struct writer *w)
{
	struct pl_jsonw *j = &w->w;

	pl_stream_header(j, "perflens.analysis", w->m);
	sources_put_inputs(w->sources, j);
	pl_jsonw_kz(j, "group_by", group_by_text(w->p->group_by));
	pl_jsonw_kbegin(j, "thresholds", '{');
	pl_jsonw_kmicro(j, "unresolved_pct", w->o->unresolved_threshold);
	pl_jsonw_end(j, '}');
	pl_jsonw_record_end(j);
}

static int put_all(struct writer *w)
{
	struct pl_diag counts = w->sources->counts;

	put_header(w);
	for (size_t i = 0; i < w->n; i++) {
		struct section *s = &w->sections[i];
		details_make(&s->details, w->p, s->t);
		s->merged_symbols = details_merged(&s->details);
		put_event(w, s);
		put_quality(w, s);
		put_modules(w, s);
		int status = put_hotspots(w, s) || put_paths(w, s) ? -1 : 0;
		details_free(&s->details);
		if (status) {
			w->p->err = w->m->out.err;
			return -1;
		}
	}
	put_heuristics(w, &counts);
	w->records += sources_put_diagnostics(w->sources, &w->w, counts.kept);
	put_end(w, &counts);
	return 0;
}

int rows_write(struct profile *p, const struct sources *sources, const struct rows_options *o,
	       struct pl_main *m)
{
	struct writer w = {.p = p, .sources = sources, .o = o, .m = m, .w = {.buf = &m->out.buf}};

	for (size_t i = 0; i < p->tallies_n; i++)
		if (rows_check_conservation(p, p->tallies[i], PL_E_INTERNAL_ERROR, &p->err))
			return -1;
	ids_make(&w.ids, p);
	w.sections = sections_make(p, &w.ids, o->top_n, o->path_limit);
	w.n = p->tallies_n;
	for (size_t i = 0; i < w.n; i++)
		pl_quality_measured(&w.measured, w.sections[i].t->name, w.sections[i].t->source);
	int status = put_all(&w);
	sections_free(w.sections, w.n);
	ids_free(&w.ids);
	return status;
}
