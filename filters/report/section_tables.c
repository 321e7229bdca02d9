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
	bool dso, category, interval, busy, line;
};

static struct columns choose_columns(const struct report *r, const struct pl_summary_event *e)
{
	struct columns c = {.dso = pl_str_is(r->s.group_by, "symbol,dso"),
			    .category = r->findings.given,
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
	if (c.category)
		doc_column(d, _("Category"));
}

/* Begins a row. */
static void cells_name(struct doc *d, struct columns c, const char *id, const char *name,
		       const char *dso, const char *category)
{
	doc_row(d);
	doc_cell(d, id);
	doc_cell(d, name);
	if (c.dso)
		doc_cell(d, dso);
	if (c.category)
		doc_cell(d, category);
}

/* Begins the row of a hotspot. A format without DSOs has null, and people are shown "unknown";
 * `categories` are those of the table's rows, of which `row` is number i, or NULL. */
static void cells_hotspot(struct doc *d, struct columns c, const struct pl_summary_row *row,
			  const struct pl_str *categories, size_t i)
{
	bool known = categories && categories[i].p;

	cells_name(d, c, doc_code(d, row->id), doc_name(d, row->name),
		   row->dso.p ? doc_name(d, row->dso) : _("unknown"),
		   known ? doc_code(d, categories[i]) : none);
}

/* Self weight of the first n rows. */
static uint64_t self_of(const struct pl_summary_rows *rows, size_t n)
{
	uint64_t self = 0;

	for (size_t i = 0; i < n; i++)
		self += rows->v[i].self;
	return self;
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
		doc_column(d, _("Heaviest line"));
}

/* The cells after the name. */
static void hotspot_figures(struct doc *d, const struct pl_summary_event *e, struct columns c,
			    const struct pl_summary_row *row)
{
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

/* What is in none of the rows above; there is none where nothing is left. Inclusive weights do not
 * add up, and samples of omitted rows are not known. */
static void other_row(struct doc *d, const struct report *r, const struct pl_summary_event *e,
		      struct columns c)
{
	size_t shown = report_shown(r, e->work.n);
	uint64_t n = e->other_n + (e->work.n - shown), total = e->totals.hotspots_total;
	uint64_t self = e->other_self + (e->work.self - self_of(&e->work, shown));

	if (n == 0 && self == 0)
		return;
	cells_name(
		d, c, none,
		doc_text(d, _("other: %" PRIu64 " of %" PRIu64 " %s"), n, total, rows_of(r, total)),
		none, none);
	cell_number(d, self);
	cell_part(d, self, e->event.weight);
	for (int i = c.interval + c.busy + c.line + 4; i > 0; i--)
		doc_cell(d, none);
}

static void say_coverage(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t total = e->totals.hotspots_total, omitted = total - e->totals.hotspots;
	size_t shown = report_shown(r, e->work.n);

	doc_paragraph(
		d, _("%zu of %" PRIu64 " %s shown, %s of self weight"), shown, total,
		rows_of(r, total),
		doc_coverage(d, pl_num_percent(self_of(&e->work, shown), pl_summary_self(e))));
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

static void idle_head(struct doc *d, const struct report *r, const struct pl_summary_event *e,
		      struct columns c)
{
	doc_table(d, _("Hotspots that are only idle"));
	columns_name(d, r, c);
	doc_column_number(d, doc_text(d, _("Idle self weight, %s"),
				      doc_name(d, pl_figure_unit(e->event.unit, 0))));
	doc_column_number(d, _("Idle self, % of weight"));
	doc_column_number(
		d, doc_text(d, _("Self %s"), pl_figure_samples_head(e->event.weight_source)));
}

static void idle_table(struct doc *d, const struct report *r, const struct pl_summary_event *e,
		       size_t shown)
{
	const struct findings_event *f = report_findings(r, e);
	struct columns c = choose_columns(r, e);

	if (shown)
		idle_head(d, r, e, c);
	for (size_t i = 0; i < shown; i++) {
		const struct pl_summary_row *row = &e->idle.v[i];
		cells_hotspot(d, c, row, f ? f->idle : NULL, i);
		cell_number(d, row->self);
		doc_cell(d, doc_share(d, row->self_pct));
		cell_number(d, row->self_samples);
	}
}

/* Idle hides the work: it gets a table of its own, and shares have both bases. */
static void idle(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	size_t shown = report_shown(r, e->idle.n);
	uint64_t self = self_of(&e->idle, shown);

	doc_paragraph(d, _("Idle: %s; not idle: %s."), section_part(d, e, e->event.idle_weight),
		      section_part(d, e, e->event.weight - e->event.idle_weight));
	if (e->idle_n == 0)
		return;
	idle_table(d, r, e, shown);
	doc_paragraph(d, _("%zu of %" PRIu64 " only idle %s shown, %s of their weight; other: %s"),
		      shown, e->idle_n, rows_of(r, e->idle_n),
		      doc_coverage(d, pl_num_percent(self, e->idle_self)),
		      section_part(d, e, e->idle_self - self));
}

static void hotspot_table(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	const struct findings_event *f = report_findings(r, e);
	struct columns c = choose_columns(r, e);
	size_t shown = report_shown(r, e->work.n);

	if (e->work.n == 0 && e->other_n == 0 && e->other_self == 0)
		return;
	hotspot_head(d, r, e, c);
	for (size_t i = 0; i < shown; i++) {
		cells_hotspot(d, c, &e->work.v[i], f ? f->work : NULL, i);
		hotspot_figures(d, e, c, &e->work.v[i]);
	}
	other_row(d, r, e, c);
}

static void hotspots_of_event(struct doc *d, const struct report *r,
			      const struct pl_summary_event *e)
{
	section_event(d, r, e);
	hotspot_table(d, r, e);
	say_coverage(d, r, e);
	if (e->event.idle_weight)
		idle(d, r, e);
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

/* Returns the weight of the first `shown` paths. */
static uint64_t path_rows(struct doc *d, const struct pl_summary_event *e, size_t shown)
{
	uint64_t weight = 0;

	for (size_t i = 0; i < shown; i++) {
		const struct pl_summary_path *path = &e->paths[i];
		doc_row(d);
		doc_cell(d, doc_code(d, path->id));
		path_cell(d, path);
		cell_number(d, path->weight);
		doc_cell(d, doc_share(d, path->pct));
		cell_number(d, path->samples);
		weight += path->weight;
	}
	return weight;
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
	size_t shown = report_shown(r, e->paths_n);
	uint64_t total = e->totals.paths_total, all = pl_summary_self(e), weight = 0;

	if (total || all) {
		path_head(d, r, e);
		weight = path_rows(d, e, shown);
		if (shown < total || weight < all)
			path_other(d, e, total - shown, all - weight);
	}
	doc_paragraph(d,
		      ngettext("%zu of %" PRIu64 " call path shown, %s of the weight with a stack",
			       "%zu of %" PRIu64 " call paths shown, %s of the weight with a stack",
			       total),
		      shown, total, doc_coverage(d, pl_num_percent(weight, all)));
}

static void flame_graph(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	size_t event = (size_t)(e - r->s.events);

	if (r->no_pictures || event >= r->pictures.n || r->pictures.v[event].n == 0)
		return;
	doc_picture(d, pl_buf_str(&r->pictures.v[event]),
		    _("Flame graph: callers below what they call, as wide as their share. Hover "
		      "for figures; pl-flame makes one that can be searched"));
}

static void paths_of_event(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	section_event(d, r, e);
	if (!e->totals.has_paths)
		doc_paragraph(d, _("The analysis was made without call paths (--no-paths)."));
	else
		path_table(d, r, e);
	flame_graph(d, r, e);
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
