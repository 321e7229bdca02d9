/* flat: one table an event, at most so many bytes */
#include "flat.h"
#include "around.h"
#include "cells.h"
#include "figure.h"
#include "num.h"

#include <inttypes.h>

struct flat {
	const struct pl_summary *s;
	const struct pl_summary_event *e;
	const struct query_options *o;
	struct pl_buf names; /* the head of the last column */
	struct cells_column columns[CELLS_COLUMNS];
	size_t columns_n;
};

/* ---- the table ---- */

static bool has_dso_column(const struct flat *f)
{
	return f->e->has_dso && pl_str_is(f->s->group_by, "symbol,dso");
}

/* Symbol and DSO share the last column: one long name would otherwise pad every row. */
static void choose_columns(struct flat *f)
{
	struct cells_column *c = f->columns;

	pl_buf_addz(&f->names, pl_figure_grouping(f->s->group_by));
	if (has_dso_column(f))
		pl_buf_printf(&f->names, "  %s", _("DSO"));
	if (f->e->quality.source_line_self)
		pl_buf_printf(&f->names, "  %s", _("heaviest line"));
	*c++ = (struct cells_column){_("self %"), 0, PL_RIGHT};
	*c++ = (struct cells_column){_("self"), 3, PL_RIGHT};
	if (f->e->event.idle_weight)
		*c++ = (struct cells_column){_("self % without idle"), 2, PL_RIGHT};
	*c++ = (struct cells_column){_("inclusive %"), 1, PL_RIGHT};
	*c++ = (struct cells_column){pl_figure_samples_head(f->e->event.weight_source), 4,
				     PL_RIGHT};
	*c++ = (struct cells_column){"id", 5, PL_LEFT};
	*c++ = (struct cells_column){f->names.p, 0, PL_LEFT};
	f->columns_n = (size_t)(c - f->columns);
}

static void put_names(const struct flat *f, struct cells *c, const struct pl_summary_row *row)
{
	struct pl_buf line = {0};
	struct pl_str names[CELLS_NAMES] = {row->name};
	size_t n = 1;

	if (has_dso_column(f))
		names[n++] = row->dso.p ? row->dso : pl_str(_("unknown"));
	if (row->file.p) {
		/* a name too long is cut, its line is not */
		if (c->room == SIZE_MAX)
			around_cut(&line, pl_str_base(row->file), c->name_max);
		else
			pl_buf_adds(&line, pl_str_base(row->file));
		pl_buf_printf(&line, ":%" PRIu64, row->line);
		names[n++] = pl_buf_str(&line);
	}
	cells_names(c, "", names, n);
	pl_buf_free(&line);
}

static void put_row(const struct flat *f, struct cells *c, const struct pl_summary_row *row)
{
	const struct pl_analysis_event *event = &f->e->event;

	cells_heat(c, row->self, event->weight);
	cells_number(c, row->self);
	if (event->idle_weight)
		cells_share(c, row->self - (row->idle < row->self ? row->idle : row->self),
			    event->weight - event->idle_weight);
	cells_share(c, row->inclusive, event->weight);
	cells_number(c, row->samples);
	cells_text(c, row->id);
	put_names(f, c, row);
}

/* What is in no row above; there is none where nothing is left. */
static void put_other(const struct flat *f, struct cells *c, uint64_t n, uint64_t self)
{
	struct pl_buf text = {0};

	if (n == 0 && self == 0)
		return;
	cells_dim(c);
	cells_share(c, self, f->e->event.weight);
	cells_number(c, self);
	while (c->at + 1 < c->n)
		cells_text(c, PL_S(""));
	pl_buf_printf(&text, _("other: %" PRIu64 " %s"), n, pl_figure_rows(f->s->group_by, n));
	cells_names(c, "", &(struct pl_str){text.p, text.n}, 1);
	pl_buf_free(&text);
}

static uint64_t put_rows(const struct flat *f, struct cells *c, size_t n)
{
	const struct pl_summary_event *e = f->e;
	uint64_t self = 0;

	for (size_t i = 0; i < n; i++) {
		self += e->work.v[i].self;
		put_row(f, c, &e->work.v[i]);
	}
	put_other(f, c, e->other_n + (e->work.n - n), e->other_self + (e->work.self - self));
	return self;
}

/* What the rows that are shown cover, and what stands in no row. */
static void put_cover(const struct flat *f, struct pl_buf *out, size_t n, uint64_t self)
{
	const struct pl_summary_event *e = f->e;

	pl_buf_printf(out, _("%zu of %" PRIu64 " %s, "), n, e->totals.hotspots_total,
		      pl_figure_rows(f->s->group_by, e->totals.hotspots_total));
	pl_figure_share(out, pl_num_percent(self, pl_summary_self(e)), 1);
	pl_buf_addz(out, _(" of self weight\n"));
	if (e->event.idle_weight) {
		pl_buf_printf(out, _("idle, apart: %" PRIu64 " of them, self "), e->idle_n);
		around_part(out, e, e->idle_self);
		pl_buf_addz(out, _("; idle in all "));
		around_part(out, e, e->event.idle_weight);
		pl_buf_addc(out, '\n');
	}
}

/* One event with the first n of its rows. */
static void put_table(struct pl_buf *out, const void *of, size_t n, size_t budget)
{
	const struct flat *f = of;
	struct cells c;

	around_head(out, f->s, f->e);
	cells_start(&c, &f->o->screen, f->columns, f->columns_n, budget / 4);
	put_rows(f, &c, n);
	cells_again(&c);
	uint64_t self = put_rows(f, &c, n);
	cells_print(&c, out);
	cells_free(&c);
	put_cover(f, out, n, self);
	around_foot(out, f->e);
}

static int put_event(struct pl_buf *out, const struct pl_summary *s,
		     const struct pl_summary_event *e, const struct query_options *o, size_t budget,
		     struct pl_err *err)
{
	struct flat f = {.s = s, .e = e, .o = o};
	const struct around_table table = {put_table, &f, e->work.n};

	(void)err; /* nothing can fail */
	choose_columns(&f);
	around_fit(out, &table, budget);
	pl_buf_free(&f.names);
	return 0;
}

int flat_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err)
{
	const struct pl_summary_options wanted = {
		.event = o->event, .order = query_order(o), .top_n = o->limit};
	struct pl_summary s;
	int status = pl_summary_read(&s, &wanted, a, err);

	if (status == 0)
		status = around_events(out, &s, o, put_event, err);
	pl_summary_free(&s);
	return status;
}
