/* findings: what a diagnosis says about the rows of a summary */
#include "findings.h"
#include "gap.h"
#include "text.h"

static struct pl_str keep(struct findings *f, struct pl_str s)
{
	if (!s.p)
		return s;
	return (struct pl_str){pl_arena_dup(&f->arena, s.p, s.n), s.n};
}

static struct findings_list new_list(struct findings *f, const struct pl_json *json, uint32_t array)
{
	struct findings_list list = {.total = json->tape[array].count};
	uint64_t room = list.total < FINDINGS_LIST ? list.total : FINDINGS_LIST;

	list.v = pl_arena_alloc(&f->arena, room * sizeof *list.v);
	return list;
}

/* An array of texts. */
static struct findings_list read_texts(struct findings *f, const struct pl_json *json,
				       uint32_t array)
{
	struct findings_list list = new_list(f, json, array);

	for (uint32_t t = array + 1; t < json->tape[array].next && list.n < FINDINGS_LIST;
	     t = json->tape[t].next)
		if (json->tape[t].type == PL_JSON_STRING)
			list.v[list.n++] =
				(struct findings_text){.text = keep(f, pl_json_str(json, t))};
	return list;
}

/* An array of statements. */
static struct findings_list read_evidence(struct findings *f, const struct pl_diagnosis *d,
					  uint32_t array)
{
	const struct pl_json *json = &d->s.json;
	struct findings_list list = new_list(f, json, array);

	for (uint32_t t = array + 1; t < json->tape[array].next && list.n < FINDINGS_LIST;
	     t = json->tape[t].next) {
		struct pl_diagnosis_evidence e = pl_diagnosis_evidence(d, t);
		if (e.statement.p)
			list.v[list.n++] =
				(struct findings_text){keep(f, e.id), keep(f, e.statement)};
	}
	return list;
}

static void keep_candidate(struct findings *f, struct findings_candidate *to,
			   const struct pl_diagnosis *d)
{
	const struct pl_diagnosis_candidate *c = &d->candidate;

	to->id = keep(f, c->id);
	to->rule = keep(f, c->rule);
	to->rule_version = c->rule_version;
	to->category = keep(f, c->category);
	to->hotspot = keep(f, c->hotspot);
	to->symbol = keep(f, c->symbol);
	to->dso = keep(f, c->dso);
	to->confidence = keep(f, c->confidence);
	to->level = keep(f, c->level);
	to->status = keep(f, c->conclusion_status);
	to->observation = keep(f, c->observation);
	to->supporting = read_evidence(f, d, c->supporting);
	to->counter = read_evidence(f, d, c->counter);
	to->missing = read_texts(f, &d->s.json, c->missing);
	to->next = read_texts(f, &d->s.json, c->next);
	to->forbidden = read_texts(f, &d->s.json, c->forbidden);
}

/* Of two rows with one id, which only an edited analysis has, the first counts. */
static void index_row(struct findings *f, struct pl_str id, size_t row)
{
	uint32_t new = (uint32_t)f->ids.n;

	if (pl_intern(&f->ids, id.p, id.n) != new)
		return;
	PL_GROW(f->rows, f->ids.n, f->rows_cap);
	f->rows[new] = row;
}

static void index_rows(struct findings *f, const struct pl_summary_event *e)
{
	pl_intern_free(&f->ids);
	pl_intern_init(&f->ids);
	for (size_t i = 0; i < e->work.n; i++)
		index_row(f, e->work.v[i].id, i);
	for (size_t i = 0; i < e->idle.n; i++)
		index_row(f, e->idle.v[i].id, e->work.n + i);
}

static void begin_event(struct findings *f, const struct pl_diagnosis_event *row)
{
	const struct pl_summary *s = f->summary;

	f->current = SIZE_MAX;
	for (size_t i = 0; i < s->events_n && f->current == SIZE_MAX; i++)
		if (pl_str_eq(s->events[i].event.label, row->label))
			f->current = i;
	if (f->current == SIZE_MAX)
		return;
	f->events[f->current].classified_self = row->classified_self;
	f->events[f->current].unclassified_self = row->unclassified_self;
	index_rows(f, &s->events[f->current]);
}

/* Of one hotspot's candidates the most telling stands first: it names the row's category. */
static void name_row(struct findings *f, struct findings_event *e, struct pl_str hotspot,
		     struct pl_str category)
{
	size_t work_n = f->summary->events[f->current].work.n;
	uint32_t id = pl_intern_find(&f->ids, hotspot.p, hotspot.n);

	if (id == PL_INTERN_NONE)
		return;
	size_t row = f->rows[id];
	struct pl_str *name = row < work_n ? &e->work[row] : &e->idle[row - work_n];
	if (!name->p)
		*name = keep(f, category);
}

static void add_candidate(struct findings *f, struct findings_event *e,
			  const struct pl_diagnosis *d)
{
	name_row(f, e, d->candidate.hotspot, d->candidate.category);
	e->candidates_total++;
	if (e->candidates_n >= f->limit)
		return;
	PL_GROW(e->candidates, e->candidates_n + 1, e->candidates_cap);
	keep_candidate(f, &e->candidates[e->candidates_n++], d);
}

static void add_category(struct findings *f, struct findings_event *e,
			 const struct pl_diagnosis_category *row)
{
	PL_GROW(e->categories, e->categories_n + 1, e->categories_cap);
	e->categories[e->categories_n++] = (struct findings_category){
		keep(f, row->category), row->hotspots, row->self, row->self_pct};
}

/* Modules are in the analysis, with more about each than a gap says. */
static void add_gap(struct findings *f, struct findings_event *e,
		    const struct pl_diagnosis_gap *row)
{
	if (pl_str_is(row->code, PL_GAP_MODULE))
		return;
	e->gaps_total++;
	if (e->gaps_n == FINDINGS_GAPS)
		return;
	PL_GROW(e->gaps, e->gaps_n + 1, e->gaps_cap);
	e->gaps[e->gaps_n++] = (struct findings_gap){keep(f, row->code), keep(f, row->message),
						     keep(f, row->command)};
}

static void add_row(struct findings *f, const struct pl_diagnosis *d, enum pl_diagnosis_kind kind)
{
	if (kind == PL_DIAGNOSIS_EVENT)
		begin_event(f, &d->event);
	if (f->current == SIZE_MAX)
		return;
	struct findings_event *e = &f->events[f->current];
	if (kind == PL_DIAGNOSIS_CATEGORY)
		add_category(f, e, &d->category);
	else if (kind == PL_DIAGNOSIS_CANDIDATE)
		add_candidate(f, e, d);
	else if (kind == PL_DIAGNOSIS_GAP)
		add_gap(f, e, &d->gap);
}

/* What holds for one analysis says nothing about another. */
static int check_analysis(struct pl_diagnosis *d, struct pl_str sha256)
{
	if (d->analysis.p && sha256.n && pl_str_eq(d->analysis, sha256))
		return 0;
	pl_err_set(&d->s.err, PL_E_DIGEST_MISMATCH,
		   _("this diagnosis is of another analysis: of SHA-256 %.*s, not %.*s"),
		   d->analysis.p && d->analysis.n <= PL_SHA256_HEX ? (int)d->analysis.n : 0,
		   d->analysis.p ? d->analysis.p : "", (int)sha256.n, sha256.p);
	pl_err_action(&d->s.err, _("classify this analysis, or report on the other one"));
	return pl_err_at(&d->s.err, pl_in_name(d->s.in, 0), 1);
}

static void start(struct findings *f, const struct pl_summary *s, uint64_t limit)
{
	*f = (struct findings){.given = true, .summary = s, .limit = limit, .current = SIZE_MAX};
	pl_intern_init(&f->ids);
	f->events = pl_alloc(s->events_n * sizeof *f->events);
	for (size_t i = 0; i < s->events_n; i++) {
		f->events[i].work = pl_alloc(s->events[i].work.n * sizeof *f->events[i].work);
		f->events[i].idle = pl_alloc(s->events[i].idle.n * sizeof *f->events[i].idle);
	}
}

static int read_rows(struct findings *f, struct pl_diagnosis *d)
{
	enum pl_diagnosis_kind kind;

	while ((kind = pl_diagnosis_next(d)) > PL_DIAGNOSIS_DONE)
		add_row(f, d, kind);
	f->unsealed = d->s.unsealed;
	f->sha256 = keep(f, pl_str(d->s.sha256));
	return kind == PL_DIAGNOSIS_ERROR ? -1 : 0;
}

int findings_read(struct findings *f, const struct pl_summary *s, uint64_t limit, struct pl_in *in,
		  bool unsealed, struct pl_err *err)
{
	struct pl_diagnosis d = {0};
	int status = -1;

	start(f, s, limit);
	if (pl_in_next(in) < 0)
		*err = in->err;
	else if (pl_diagnosis_open(&d, in, unsealed) || check_analysis(&d, s->sha256) ||
		 read_rows(f, &d))
		*err = d.s.err;
	else
		status = 0;
	pl_diagnosis_close(&d);
	return status;
}

void findings_free(struct findings *f)
{
	if (!f->given)
		return;
	for (size_t i = 0; i < f->summary->events_n; i++) {
		free(f->events[i].work);
		free(f->events[i].idle);
		free(f->events[i].categories);
		free(f->events[i].candidates);
		free(f->events[i].gaps);
	}
	free(f->events);
	free(f->rows);
	pl_intern_free(&f->ids);
	pl_arena_free(&f->arena);
	*f = (struct findings){0};
}
