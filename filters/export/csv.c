/*
 * csv: RFC 4180 with line ends of LF: of samples a line each, of an analysis a line a row.
 *
 * Fields are what was recorded, also where a spreadsheet would take one for a formula.
 */
#include "export.h"
#include "foldedw.h"
#include "num.h"

#include <inttypes.h>

struct csv {
	struct pl_foldedw stacks;
	struct pl_buf stack;
	bool begun;
};

static void put_text(struct pl_buf *b, struct pl_str s)
{
	bool plain = true;

	for (size_t i = 0; plain && i < s.n; i++)
		plain = !memchr(",\"\n\r", s.p[i], 4);
	if (plain) {
		pl_buf_adds(b, s);
		return;
	}
	pl_buf_addc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			pl_buf_addc(b, '"');
		pl_buf_addc(b, s.p[i]);
	}
	pl_buf_addc(b, '"');
}

/* A field and the comma behind it. */
static void text(struct pl_buf *b, struct pl_str s)
{
	put_text(b, s);
	pl_buf_addc(b, ',');
}

static void number(struct pl_buf *b, uint64_t n)
{
	pl_buf_printf(b, "%" PRIu64 ",", n);
}

static void optional(struct pl_buf *b, bool has, int64_t n)
{
	if (has)
		pl_buf_printf(b, "%" PRId64, n);
	pl_buf_addc(b, ',');
}

/* Millionths with six decimals, as an analysis has them. */
static void micro(struct pl_buf *b, uint64_t v)
{
	pl_buf_reserve(b, PL_NUM_MAX);
	b->n += pl_num_put_micro(b->p + b->n, v);
	pl_buf_addc(b, ',');
}

/* ---- samples ---- */

static void put_sample(struct pl_buf *b, const struct pl_sample *s)
{
	static const struct pl_sample none;

	s = s ? s : &none;
	if (s->has_time)
		pl_buf_printf(b, "%" PRIu64, s->time);
	pl_buf_addc(b, ',');
	optional(b, s->has_pid, s->pid);
	optional(b, s->has_tid, s->tid);
	text(b, s->comm);
	optional(b, s->has_cpu, s->cpu);
	text(b, s->mode);
}

static void head(struct csv *c, struct pl_buf *out)
{
	if (!c->begun)
		pl_buf_addz(out, "event,unit,weight,time,pid,tid,comm,cpu,mode,stack\n");
	c->begun = true;
}

static int take(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct csv *c = state;
	const struct pl_stacks_event *e = &k->events[k->event];

	head(c, out);
	text(out, e->label);
	text(out, e->unit);
	number(out, k->weight);
	put_sample(out, k->sample);
	pl_buf_clear(&c->stack);
	if (pl_foldedw_stack(&c->stacks, k, &c->stack, err))
		return -1;
	put_text(out, pl_buf_str(&c->stack));
	pl_buf_addc(out, '\n');
	return 0;
}

static int end(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	(void)k, (void)err;
	head(state, out);
	return 0;
}

static void note(const void *state, const struct pl_main *m)
{
	const struct csv *c = state;

	pl_foldedw_note(&c->stacks, m);
}

static void release(void *state)
{
	struct csv *c = state;

	pl_foldedw_free(&c->stacks);
	pl_buf_free(&c->stack);
}

const struct exporter csv_exporter = {
	.name = "csv",
	.size = sizeof(struct csv),
	.take = take,
	.end = end,
	.note = note,
	.free = release,
	.streams = true,
};

/* ---- an analysis ---- */

/* The bounds of an interval: two numbers, one token each; or none. */
static void put_interval(struct pl_buf *b, const struct pl_json *json, uint32_t array)
{
	struct pl_jsonw w = {b, false};
	bool has = array && json->tape[array].count == 2;

	for (uint32_t i = 1; i <= 2; i++) {
		w.comma = false;
		if (has)
			pl_jsonw_value(&w, json, array + i);
		pl_buf_addc(b, ',');
	}
}

static void put_row(struct pl_buf *b, const struct pl_analysis *a)
{
	const struct pl_analysis_hotspot *h = &a->hotspot;

	text(b, h->event);
	text(b, a->event.unit);
	text(b, h->id);
	text(b, pl_analysis_name(h));
	text(b, h->dso);
	text(b, h->kind);
	number(b, h->self);
	micro(b, h->self_pct);
	put_interval(b, &a->s.json, h->self_ci95);
	number(b, h->inclusive);
	micro(b, h->inclusive_pct);
	number(b, h->self_samples);
	number(b, h->samples);
	pl_buf_printf(b, "%" PRIu64 "\n", h->threads);
}

/* Self weight that is in no row: so that the column adds up to the event's weight. */
static void put_rest(struct pl_buf *b, struct pl_str label, struct pl_str unit, struct pl_str name,
		     uint64_t self, uint64_t weight)
{
	if (self == 0)
		return;
	text(b, label);
	text(b, unit);
	pl_buf_addc(b, ',');
	text(b, name);
	pl_buf_addz(b, ",,");
	number(b, self);
	micro(b, pl_num_percent(self, weight));
	pl_buf_addz(b, ",,,,,,\n");
}

struct seen {
	struct pl_str label, unit;
	uint64_t weight, stackless;
};

static int put_rests(struct pl_analysis *a, const struct seen *seen, size_t n, struct pl_buf *out)
{
	struct pl_analysis_totals totals;

	for (size_t i = 0; i < n; i++) {
		const struct seen *e = &seen[i];
		if (pl_analysis_totals(a, e->label, &totals))
			return -1;
		put_rest(out, e->label, e->unit, PL_S("[no stack]"), e->stackless, e->weight);
		put_rest(out, e->label, e->unit, PL_S("[omitted]"), totals.omitted_self, e->weight);
	}
	return 0;
}

int csv_rows(struct pl_analysis *a, const char *only, struct pl_buf *out, struct pl_err *err)
{
	struct pl_arena texts = {0};
	struct seen *seen = NULL;
	size_t n = 0, cap = 0;
	enum pl_analysis_kind kind;

	pl_buf_addz(out, "event,unit,id,name,dso,kind,self,self_pct,self_low,self_high,inclusive,"
			 "inclusive_pct,self_samples,samples,threads\n");
	while ((kind = pl_analysis_next(a)) > PL_ANALYSIS_DONE) {
		const struct pl_analysis_event *e = &a->event;
		if (a->events && only && !pl_str_is(e->label, only))
			continue;
		if (kind == PL_ANALYSIS_HOTSPOT)
			put_row(out, a);
		if (kind != PL_ANALYSIS_EVENT)
			continue;
		PL_GROW(seen, n + 1, cap);
		seen[n++] =
			(struct seen){{pl_arena_dup(&texts, e->label.p, e->label.n), e->label.n},
				      {pl_arena_dup(&texts, e->unit.p, e->unit.n), e->unit.n},
				      e->weight,
				      e->stackless};
	}
	int status = kind == PL_ANALYSIS_DONE ? put_rests(a, seen, n, out) : -1;
	if (status)
		*err = a->s.err;
	else if (only && n == 0)
		status = pl_analysis_no_event(err, only);
	pl_arena_free(&texts);
	free(seen);
	return status;
}
