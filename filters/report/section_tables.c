/* section_tables: hotspots and call paths, each row with its evidence id, each table with what it
 * covers */
#include "figure.h"
#include "num.h"
#include "sections.h"
#include "text.h"

#include <inttypes.h>

/* Stands in cells for what does not exist, as in the row of all others. */
static const char none[] = "—";

/* Which columns the hotspot tables of an event have. */
struct columns {
	bool dso, interval, busy, line;
};

static struct columns choose_columns(const struct report *r, const struct pl_summary_event *e)
{
	struct columns c = {.dso = pl_str_is(r->s.group_by, "symbol,dso"),
			    .busy = e->event.idle_weight > 0};

	for (size_t i = 0; i < e->work.n; i++) {
		c.interval = c.interval || e->work.v[i].has_ci95;
		c.line = c.line || e->work.v[i].file.p;
	}
	return c;
}

static void cell_number(struct doc *d, uint64_t n)
{
	doc_cell(d, doc_number(d, n));
}

static void cell_part(struct doc *d, uint64_t part, uint64_t whole)
{
	doc_cell(d, doc_share(d, pl_num_percent(part, whole)));
}

/* The line with the most of the row's self weight, and how much that is. */
static void cell_line(struct doc *d, const struct pl_summary_row *row)
{
	doc_cell(d, row->file.p ? doc_text(d, _("%s:%" PRIu64 ", %s of self"),
					   doc_name(d, row->file), row->line,
					   doc_share(d, pl_num_percent(row->line_self, row->self)))
				: none);
}

static void columns_name(struct doc *d, const struct report *r, struct columns c)
{
	doc_column(d, _("Evidence"));
	doc_column(d, pl_figure_grouping(r->s.group_by));
	if (c.dso)
		doc_column(d, _("DSO"));
}

/* Begins a row. */
static void cells_name(struct doc *d, struct columns c, const char *id, const char *name,
		       const char *dso)
{
	doc_row(d);
	doc_cell(d, id);
	doc_cell(d, name);
	if (c.dso)
		doc_cell(d, dso);
}

/* What row has in DSO's place: a format without DSOs has null, and people are shown "unknown". */
static const char *dso_of(struct doc *d, const struct pl_summary_row *row)
{
	return row->dso.p ? doc_name(d, row->dso) : _("unknown");
}

/* ---- 4 ---- */

static void hotspot_head(struct doc *d, const struct report *r, const struct pl_summary_event *e,
			 struct columns c)
{
	const char *unit = doc_name(d, pl_figure_unit(e->event.unit, 0));

	doc_table(d, _("Hotspots"));
	columns_name(d, r, c);
	doc_column_number(d, doc_text(d, _("Self weight, %s"), unit));
	doc_column_number(d, _("Self, % of weight"));
	if (c.interval)
		doc_column_number(d, _("95 % interval of self"));
	if (c.busy)
		doc_column_number(d, _("Self without idle, % of non-idle weight"));
	doc_column_number(
		d, doc_text(d, _("Self %s"), pl_figure_samples_head(e->event.weight_source)));
	doc_column_number(d, doc_text(d, _("Inclusive weight, %s"), unit));
	doc_column_number(d, _("Inclusive, % of weight"));
	doc_column_number(
		d, doc_text(d, _("Inclusive %s"), pl_figure_samples_head(e->event.weight_source)));
	if (c.line)
		doc_column_number(d, _("Heaviest line"));
}

static void hotspot_row(struct doc *d, const struct pl_summary_event *e, struct columns c,
			const struct pl_summary_row *row)
{
	cells_name(d, c, doc_code(d, row->id), doc_name(d, row->name), dso_of(d, row));
	cell_number(d, row->self);
	doc_cell(d, doc_share(d, row->self_pct));
	if (c.interval)
		doc_cell(d, row->has_ci95 ? doc_text(d, _("%s to %s"), doc_share(d, row->low),
						     doc_share(d, row->high))
					  : none);
	if (c.busy)
		cell_part(d, row->idle < row->self ? row->self - row->idle : 0,
			  e->event.weight - e->event.idle_weight);
	cell_number(d, row->self_samples);
	cell_number(d, row->inclusive);
	doc_cell(d, doc_share(d, row->inclusive_pct));
	cell_number(d, row->samples);
	if (c.line)
		cell_line(d, row);
}

static const char *rows_of(const struct report *r, uint64_t n)
{
	return pl_figure_rows(r->s.group_by, n);
}

/* What is in no row above; there is none where nothing is left. Inclusive weights do not add up,
 * and samples of omitted rows are not known. */
static void other_row(struct doc *d, const struct report *r, const struct pl_summary_event *e,
		      struct columns c)
{
	if (e->other_n == 0 && e->other_self == 0)
		return;
	cells_name(d, c, none,
		   doc_text(d, _("other: %" PRIu64 " of %" PRIu64 " %s"), e->other_n,
			    e->totals.hotspots_total, rows_of(r, e->totals.hotspots_total)),
		   none);
	cell_number(d, e->other_self);
	cell_part(d, e->other_self, e->event.weight);
	for (int i = c.interval + c.busy + c.line + 4; i > 0; i--)
		doc_cell(d, none);
}

static void say_coverage(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t total = e->totals.hotspots_total, omitted = total - e->totals.hotspots;

	doc_paragraph(d, _("%zu of %" PRIu64 " %s shown, %s of self weight"), e->work.n, total,
		      rows_of(r, total),
		      doc_coverage(d, pl_num_percent(e->work.self, pl_summary_self(e))));
	if (e->totals.omitted_self || omitted)
		doc_more(d, _("; the analysis itself omits %" PRIu64 " %s with %s"), omitted,
			 rows_of(r, omitted), section_part(d, e, e->totals.omitted_self));
	if (e->idle_n)
		doc_more(d, _("; only idle: %" PRIu64 " %s, shown apart"), e->idle_n,
			 rows_of(r, e->idle_n));
	if (e->event.stackless)
		doc_more(d, _("; samples without a stack: %s, in no row"),
			 section_part(d, e, e->event.stackless));
}

/* Idle hides the work: it gets a table of its own, and shares have both bases. */
static void idle_table(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	struct columns c = choose_columns(r, e);
	uint64_t rest = e->idle_self - e->idle.self;

	doc_paragraph(d, _("Idle: %s; not idle: %s."), section_part(d, e, e->event.idle_weight),
		      section_part(d, e, e->event.weight - e->event.idle_weight));
	if (e->idle_n == 0)
		return;
	doc_table(d, _("Hotspots that are only idle"));
	columns_name(d, r, c);
	doc_column_number(d, doc_text(d, _("Idle self weight, %s"),
				      doc_name(d, pl_figure_unit(e->event.unit, 0))));
	doc_column_number(d, _("Idle self, % of weight"));
	doc_column_number(
		d, doc_text(d, _("Self %s"), pl_figure_samples_head(e->event.weight_source)));
	for (size_t i = 0; i < e->idle.n; i++) {
		const struct pl_summary_row *row = &e->idle.v[i];
		cells_name(d, c, doc_code(d, row->id), doc_name(d, row->name), dso_of(d, row));
		cell_number(d, row->self);
		doc_cell(d, doc_share(d, row->self_pct));
		cell_number(d, row->self_samples);
	}
	doc_paragraph(d, _("%zu of %" PRIu64 " only idle %s shown, %s of their weight; other: %s"),
		      e->idle.n, e->idle_n, rows_of(r, e->idle_n),
		      doc_coverage(d, pl_num_percent(e->idle.self, e->idle_self)),
		      section_part(d, e, rest));
}

static void hotspot_table(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	struct columns c = choose_columns(r, e);

	if (e->work.n == 0 && e->other_n == 0 && e->other_self == 0)
		return;
	hotspot_head(d, r, e, c);
	for (size_t i = 0; i < e->work.n; i++)
		hotspot_row(d, e, c, &e->work.v[i]);
	other_row(d, r, e, c);
}

static void hotspots_of_event(struct doc *d, const struct report *r,
			      const struct pl_summary_event *e)
{
	section_event(d, r, e);
	hotspot_table(d, r, e);
	say_coverage(d, r, e);
	if (e->event.idle_weight)
		idle_table(d, r, e);
}

void section_hotspots(struct doc *d, const struct report *r)
{
	doc_section(d, _("4. Hotspots"));
	for (size_t i = 0; i < r->s.events_n; i++)
		hotspots_of_event(d, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		doc_paragraph(d, _("None."));
}

/* ---- 5 ---- */

/* Frames root first; a DSO stands where it changes, so that a long path stays readable. */
static void path_cell(struct doc *d, const struct pl_summary_path *path)
{
	struct pl_str dso = {0};

	doc_cell(d, "");
	for (size_t i = 0; i < path->n; i++) {
		const struct pl_summary_frame *f = &path->frames[i];
		doc_more(d, "%s%s", i ? " → " : "", doc_name(d, f->name));
		if (f->dso.p && f->dso.p != f->name.p && !pl_str_eq(f->dso, dso))
			doc_more(d, " (%s)", doc_name(d, f->dso));
		if (f->inlined)
			doc_more(d, _(" (inlined)"));
		dso = f->dso;
	}
}

static void path_head(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	doc_table(d, _("Call paths"));
	doc_column(d, _("Evidence"));
	doc_column(d, pl_str_is(r->s.group_by, "symbol,dso")
			      ? _("Call path, root first; a DSO stands where it changes")
			      : _("Call path, root first"));
	doc_column_number(
		d, doc_text(d, _("Weight, %s"), doc_name(d, pl_figure_unit(e->event.unit, 0))));
	doc_column_number(d, _("Weight, % of weight"));
	doc_column_number(
		d, doc_text(d, _("Number of %s"), pl_figure_samples_head(e->event.weight_source)));
}

static void path_rows(struct doc *d, const struct pl_summary_event *e)
{
	for (size_t i = 0; i < e->paths_n; i++) {
		const struct pl_summary_path *path = &e->paths[i];
		doc_row(d);
		doc_cell(d, doc_code(d, path->id));
		path_cell(d, path);
		cell_number(d, path->weight);
		doc_cell(d, doc_share(d, path->pct));
		cell_number(d, path->samples);
	}
}

static void path_other(struct doc *d, const struct pl_summary_event *e, uint64_t n, uint64_t weight)
{
	uint64_t total = e->totals.paths_total;

	doc_row(d);
	doc_cell(d, none);
	doc_cell(d, doc_text(d,
			     ngettext("other: %" PRIu64 " of %" PRIu64 " call path",
				      "other: %" PRIu64 " of %" PRIu64 " call paths", total),
			     n, total));
	cell_number(d, weight);
	cell_part(d, weight, e->event.weight);
	doc_cell(d, none);
}

static void path_table(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t total = e->totals.paths_total, n = total - e->paths_n;
	uint64_t weight = pl_summary_self(e) - e->paths_weight;

	if (e->paths_n || n || weight) {
		path_head(d, r, e);
		path_rows(d, e);
		if (n || weight)
			path_other(d, e, n, weight);
	}
	doc_paragraph(d,
		      ngettext("%zu of %" PRIu64 " call path shown, %s of the weight with a stack",
			       "%zu of %" PRIu64 " call paths shown, %s of the weight with a stack",
			       total),
		      e->paths_n, total,
		      doc_coverage(d, pl_num_percent(e->paths_weight, pl_summary_self(e))));
}

static void paths_of_event(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	section_event(d, r, e);
	if (!e->totals.has_paths)
		doc_paragraph(d, _("The analysis was made without call paths (--no-paths)."));
	else
		path_table(d, r, e);
	section_edges(d, r, e);
}

void section_paths(struct doc *d, const struct report *r)
{
	doc_section(d, _("5. Call paths"));
	for (size_t i = 0; i < r->s.events_n; i++)
		paths_of_event(d, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		doc_paragraph(d, _("None."));
}
