/* flat: one table an event, at most so many bytes */
#include "flat.h"
#include "figure.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

#include <inttypes.h>

/* Bytes that a text around the table may have. */
enum { LABEL_MAX = 100, UNIT_MAX = 40, STATUS_MAX = 40, REASONS_MAX = 240, CODES_MAX = 480 };
static const char cut_mark[] = "…";

/* A text escaped for a terminal; what is over `most` bytes is cut, with a mark and the whole
 * length. */
static void put_cut(struct pl_buf *out, struct pl_str text, size_t most)
{
	enum { LONGEST = 4 }; /* of a character: what is behind it is cut in any case */
	size_t start = out->n;
	struct pl_str head = {text.p, text.n > most + LONGEST ? most + LONGEST : text.n};

	pl_utf8_terminal(out, head);
	if (out->n - start <= most)
		return;
	out->n = start + most;
	while (out->n > start && ((unsigned char)out->p[out->n] & 0xc0) == 0x80)
		out->n--;
	pl_buf_printf(out, _("%s(%zu bytes)"), cut_mark, text.n);
}

/* A share without its sign: the column's head has it. */
static void put_share(struct pl_buf *out, uint64_t part, uint64_t whole)
{
	pl_figure_share(out, pl_num_percent(part, whole), 2);
	out->n -= strlen(" %");
	out->p[out->n] = '\0';
}

static void put_weight(struct pl_buf *out, const struct pl_summary_event *e, uint64_t weight)
{
	pl_buf_printf(out, "%" PRIu64 " ", weight);
	put_cut(out, pl_figure_unit(e->event.unit, weight), UNIT_MAX);
}

/* "1234 cycles, 5.60 % of weight" */
static void put_part(struct pl_buf *out, const struct pl_summary_event *e, uint64_t weight)
{
	put_weight(out, e, weight);
	pl_buf_addz(out, ", ");
	pl_figure_share(out, pl_num_percent(weight, e->event.weight), 2);
	pl_buf_addz(out, _(" of weight"));
}

static void put_codes(struct pl_buf *out, const struct pl_summary_codes *codes, size_t most)
{
	struct pl_buf list = {0};

	for (size_t i = 0; i < codes->n; i++) {
		pl_buf_addz(&list, i ? ", " : "");
		pl_buf_adds(&list, codes->v[i]);
	}
	put_cut(out, pl_buf_str(&list), most);
	pl_buf_free(&list);
}

/* ---- around the table ---- */

/* A line of counts: what follows the first one is preceded by a comma. */
static void next_count(struct pl_buf *out, size_t start)
{
	pl_buf_addz(out, out->n == start ? _("counts: ") : ", ");
}

static void put_weight_count(struct pl_buf *out, size_t start, const struct pl_summary_event *e,
			     uint64_t weight, const char *what)
{
	if (weight == 0)
		return;
	next_count(out, start);
	pl_figure_share(out, pl_num_percent(weight, e->event.weight), 2);
	pl_buf_addz(out, what);
}

static void put_count(struct pl_buf *out, size_t start, uint64_t n, const char *words)
{
	if (n == 0)
		return;
	next_count(out, start);
	pl_buf_printf(out, "%" PRIu64 " %s", n, words);
}

static void put_received(struct pl_buf *out, size_t start, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	if (q->received_samples >= q->announced_samples)
		return;
	next_count(out, start);
	pl_buf_printf(out, _("%" PRIu64 " of "), q->received_samples);
	pl_figure_samples(out, q->announced_samples, e->event.weight_source);
	pl_buf_addz(out, _(" received"));
}

/* What stands behind the reasons of a partial status, in their order. */
static void put_counts(struct pl_buf *out, const struct pl_summary *s,
		       const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;
	uint64_t rows = e->totals.hotspots_total - e->totals.hotspots;
	uint64_t paths = e->totals.paths_total - e->totals.paths;
	size_t start = out->n;

	put_count(out, start, q->malformed,
		  ngettext("malformed record", "malformed records", q->malformed));
	put_count(out, start, q->replaced,
		  ngettext("replaced byte", "replaced bytes", q->replaced));
	put_count(out, start, e->event.lost,
		  ngettext("lost record", "lost records", e->event.lost));
	put_received(out, start, e);
	put_weight_count(out, start, e, q->unresolved_self, _(" of weight unresolved"));
	put_weight_count(out, start, e, q->cut_weight, _(" of weight in cut stacks"));
	put_count(out, start, rows, pl_figure_rows(s->group_by, rows));
	pl_buf_addz(out, rows ? _(" omitted") : "");
	put_count(out, start, paths, ngettext("call path omitted", "call paths omitted", paths));
	if (out->n > start)
		pl_buf_addc(out, '\n');
}

static void put_head(struct pl_buf *out, const struct pl_summary *s,
		     const struct pl_summary_event *e)
{
	pl_buf_addz(out, _("event "));
	put_cut(out, e->event.label, LABEL_MAX);
	pl_buf_addz(out, "; ");
	pl_figure_samples(out, e->event.samples, e->event.weight_source);
	pl_buf_addz(out, _("; weight "));
	put_weight(out, e, e->event.weight);
	pl_buf_addz(out, _("\nstatus "));
	put_cut(out, e->quality.status, STATUS_MAX);
	if (e->reasons.n)
		pl_buf_addz(out, ": ");
	put_codes(out, &e->reasons, REASONS_MAX);
	pl_buf_addc(out, '\n');
	put_counts(out, s, e);
	if (!e->has_dso && pl_str_is(s->group_by, "symbol,dso"))
		pl_buf_addz(out, _("the input format records no DSO\n"));
}

/* What the rows that are shown cover, and what stands in no row. */
static void put_foot(struct pl_buf *out, const struct pl_summary *s,
		     const struct pl_summary_event *e, size_t n, uint64_t self)
{
	pl_buf_printf(out, _("%zu of %" PRIu64 " %s, "), n, e->totals.hotspots_total,
		      pl_figure_rows(s->group_by, e->totals.hotspots_total));
	pl_figure_share(out, pl_num_percent(self, pl_summary_self(e)), 1);
	pl_buf_addz(out, _(" of self weight\n"));
	if (e->event.idle_weight) {
		pl_buf_printf(out, _("idle, apart: %" PRIu64 " of them, self "), e->idle_n);
		put_part(out, e, e->idle_self);
		pl_buf_addz(out, _("; idle in all "));
		put_part(out, e, e->event.idle_weight);
		pl_buf_addc(out, '\n');
	}
	if (e->event.stackless) {
		pl_buf_addz(out, _("samples without a stack, in no row: "));
		put_part(out, e, e->event.stackless);
		pl_buf_addc(out, '\n');
	}
	pl_buf_addz(out, _("may be concluded: "));
	put_codes(out, &e->allowed, CODES_MAX);
	pl_buf_addz(out, e->allowed.n ? "" : _("nothing"));
	pl_buf_addz(out, _("\nnot to be concluded: "));
	put_codes(out, &e->forbidden, CODES_MAX);
	pl_buf_addc(out, '\n');
}

/* ---- the table ---- */

struct flat {
	const struct pl_summary *s;
	const struct pl_summary_event *e;
	size_t name_max; /* bytes of a name */
	struct pl_table table;
	struct pl_buf cell;
};

static void end_cell(struct flat *f)
{
	pl_table_cell(&f->table, pl_buf_str(&f->cell));
	pl_buf_clear(&f->cell);
}

static void cell_text(struct flat *f, const char *text)
{
	pl_buf_addz(&f->cell, text);
	end_cell(f);
}

static void cell_number(struct flat *f, uint64_t n)
{
	pl_buf_printf(&f->cell, "%" PRIu64, n);
	end_cell(f);
}

static void cell_share(struct flat *f, uint64_t part, uint64_t whole)
{
	put_share(&f->cell, part, whole);
	end_cell(f);
}

static bool has_dso_column(const struct flat *f)
{
	return f->e->has_dso && pl_str_is(f->s->group_by, "symbol,dso");
}

/* Symbol and DSO share the last column: one long name would otherwise pad every row. */
static void table_head(struct flat *f)
{
	static const enum pl_align align[] = {PL_RIGHT, PL_RIGHT, PL_RIGHT, PL_RIGHT,
					      PL_RIGHT, PL_LEFT,  PL_LEFT};
	bool idle = f->e->event.idle_weight > 0;

	pl_table_start(&f->table, align + !idle, PL_COUNT(align) - !idle);
	cell_text(f, _("self %"));
	cell_text(f, _("self"));
	if (idle)
		cell_text(f, _("self % without idle"));
	cell_text(f, _("inclusive %"));
	cell_text(f, pl_figure_samples_head(f->e->event.weight_source));
	cell_text(f, "id");
	pl_buf_addz(&f->cell, pl_figure_grouping(f->s->group_by));
	if (has_dso_column(f))
		pl_buf_printf(&f->cell, "  %s", _("DSO"));
	if (f->e->quality.source_line_self)
		pl_buf_printf(&f->cell, "  %s", _("heaviest line"));
	end_cell(f);
}

static void table_row(struct flat *f, const struct pl_summary_row *row)
{
	const struct pl_analysis_event *event = &f->e->event;

	cell_share(f, row->self, event->weight);
	cell_number(f, row->self);
	if (event->idle_weight)
		cell_share(f, row->self - (row->idle < row->self ? row->idle : row->self),
			   event->weight - event->idle_weight);
	cell_share(f, row->inclusive, event->weight);
	cell_number(f, row->samples);
	put_cut(&f->cell, row->id, LABEL_MAX);
	end_cell(f);
	put_cut(&f->cell, row->name, f->name_max);
	if (has_dso_column(f)) {
		pl_buf_addz(&f->cell, "  ");
		put_cut(&f->cell, row->dso.p ? row->dso : pl_str(_("unknown")), f->name_max);
	}
	if (row->file.p) {
		pl_buf_addz(&f->cell, "  ");
		put_cut(&f->cell, pl_str_base(row->file), f->name_max);
		pl_buf_printf(&f->cell, ":%" PRIu64, row->line);
	}
	end_cell(f);
}

/* What is in no row above; there is none where nothing is left. */
static void table_other(struct flat *f, uint64_t n, uint64_t self)
{
	if (n == 0 && self == 0)
		return;
	cell_share(f, self, f->e->event.weight);
	cell_number(f, self);
	for (size_t i = f->table.columns_n; i > 3; i--)
		cell_text(f, "");
	pl_buf_printf(&f->cell, _("other: %" PRIu64 " %s"), n, pl_figure_rows(f->s->group_by, n));
	end_cell(f);
}

/* One event with the first n of its rows. */
static void put_event(struct pl_buf *out, const struct pl_summary *s,
		      const struct pl_summary_event *e, size_t n, size_t budget)
{
	struct flat f = {.s = s, .e = e, .name_max = budget / 4};
	uint64_t self = 0;

	put_head(out, s, e);
	table_head(&f);
	for (size_t i = 0; i < n; i++) {
		self += e->work.v[i].self;
		table_row(&f, &e->work.v[i]);
	}
	table_other(&f, e->other_n + (e->work.n - n), e->other_self + (e->work.self - self));
	pl_table_print(&f.table, out);
	pl_table_free(&f.table);
	pl_buf_free(&f.cell);
	put_foot(out, s, e, n, self);
}

/* The last resort, where the texts of an artifact are too long even without a row. */
static void cut_hard(struct pl_buf *out, size_t most)
{
	if (out->n <= most)
		return;
	out->n = most - strlen(cut_mark) - 1;
	while (((unsigned char)out->p[out->n] & 0xc0) == 0x80)
		out->n--;
	pl_buf_printf(out, "%s\n", cut_mark);
}

/* With as many rows as fit the budget; more rows take more room, but for the very last one, which
 * takes the place of the others. */
static void fit_event(struct pl_buf *out, const struct pl_summary *s,
		      const struct pl_summary_event *e, size_t budget)
{
	size_t start = out->n, fits = 0, high = e->work.n;

	while (fits < high) {
		size_t n = fits + (high - fits + 1) / 2;
		put_event(out, s, e, n, budget);
		if (out->n - start <= budget)
			fits = n;
		else
			high = n - 1;
		out->n = start;
	}
	put_event(out, s, e, fits, budget);
	cut_hard(out, start + budget);
}

void flat_write(struct pl_buf *out, const struct pl_summary *s, uint64_t max_bytes)
{
	struct pl_buf tail = {0};
	size_t shown = max_bytes / FLAT_MIN < s->events_n ? max_bytes / FLAT_MIN : s->events_n;
	size_t start = out->n;

	if (shown < s->events_n)
		pl_buf_printf(&tail, _("\n%zu of %zu events shown; choose another with --event\n"),
			      shown, s->events_n);
	for (size_t i = 0; i < shown; i++) {
		size_t left = max_bytes - tail.n - (out->n - start);
		if (i)
			pl_buf_addc(out, '\n');
		fit_event(out, s, &s->events[i], (left - (i ? 1 : 0)) / (shown - i));
	}
	if (s->events_n == 0)
		pl_buf_addz(out, _("the analysis holds no event\n"));
	pl_buf_adds(out, pl_buf_str(&tail));
	pl_buf_free(&tail);
}
