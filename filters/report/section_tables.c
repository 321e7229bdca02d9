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

static void cell_number(struct md *m, uint64_t n)
{
	md_cell(m, md_text(m, "%" PRIu64, n));
}

static void cell_part(struct md *m, uint64_t part, uint64_t whole)
{
	md_cell(m, md_share(m, pl_num_percent(part, whole)));
}

/* The line with the most of the row's self weight, and how much that is. */
static void cell_line(struct md *m, const struct pl_summary_row *row)
{
	md_cell(m, row->file.p ? md_text(m, _("%s:%" PRIu64 ", %s of self"), md_name(m, row->file),
					 row->line,
					 md_share(m, pl_num_percent(row->line_self, row->self)))
			       : none);
}

static void cells_name(struct md *m, struct columns c, const char *id, const char *name,
		       const char *dso)
{
	md_cell(m, id);
	md_cell(m, name);
	if (c.dso)
		md_cell(m, dso);
}

/* What row has in DSO's place: a format without DSOs has null, and people are shown "unknown". */
static const char *dso_of(struct md *m, const struct pl_summary_row *row)
{
	return row->dso.p ? md_name(m, row->dso) : _("unknown");
}

/* ---- 4 ---- */

static void hotspot_head(struct md *m, const struct report *r, const struct pl_summary_event *e,
			 struct columns c)
{
	const char *unit = md_name(m, pl_figure_unit(e->event.unit, 0));

	cells_name(m, c, _("Evidence"), pl_figure_grouping(r->s.group_by), _("DSO"));
	md_cell(m, md_text(m, _("Self weight, %s"), unit));
	md_cell(m, _("Self, % of weight"));
	if (c.interval)
		md_cell(m, _("95 % interval of self"));
	if (c.busy)
		md_cell(m, _("Self without idle, % of non-idle weight"));
	md_cell(m, md_text(m, _("Self %s"), pl_figure_samples_head(e->event.weight_source)));
	md_cell(m, md_text(m, _("Inclusive weight, %s"), unit));
	md_cell(m, _("Inclusive, % of weight"));
	md_cell(m, md_text(m, _("Inclusive %s"), pl_figure_samples_head(e->event.weight_source)));
	if (c.line)
		md_cell(m, _("Heaviest line"));
	md_row_end(m);
	md_rule(m, c.dso ? 3 : 2, (size_t)(6 + c.interval + c.busy + c.line));
}

static void hotspot_row(struct md *m, const struct pl_summary_event *e, struct columns c,
			const struct pl_summary_row *row)
{
	cells_name(m, c, md_code(m, row->id), md_name(m, row->name), dso_of(m, row));
	cell_number(m, row->self);
	md_cell(m, md_share(m, row->self_pct));
	if (c.interval)
		md_cell(m, row->has_ci95 ? md_text(m, _("%s to %s"), md_share(m, row->low),
						   md_share(m, row->high))
					 : none);
	if (c.busy)
		cell_part(m, row->idle < row->self ? row->self - row->idle : 0,
			  e->event.weight - e->event.idle_weight);
	cell_number(m, row->self_samples);
	cell_number(m, row->inclusive);
	md_cell(m, md_share(m, row->inclusive_pct));
	cell_number(m, row->samples);
	if (c.line)
		cell_line(m, row);
	md_row_end(m);
}

static const char *rows_of(const struct report *r, uint64_t n)
{
	return pl_figure_rows(r->s.group_by, n);
}

/* What is in no row above; there is none where nothing is left. Inclusive weights do not add up,
 * and samples of omitted rows are not known. */
static void other_row(struct md *m, const struct report *r, const struct pl_summary_event *e,
		      struct columns c)
{
	if (e->other_n == 0 && e->other_self == 0)
		return;
	cells_name(m, c, none,
		   md_text(m, _("other: %" PRIu64 " of %" PRIu64 " %s"), e->other_n,
			   e->totals.hotspots_total, rows_of(r, e->totals.hotspots_total)),
		   none);
	cell_number(m, e->other_self);
	cell_part(m, e->other_self, e->event.weight);
	for (int i = c.interval + c.busy + c.line + 4; i > 0; i--)
		md_cell(m, none);
	md_row_end(m);
}

static void say_coverage(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t total = e->totals.hotspots_total, omitted = total - e->totals.hotspots;

	md_say(m, _("%zu of %" PRIu64 " %s shown, %s of self weight"), e->work.n, total,
	       rows_of(r, total), md_coverage(m, pl_num_percent(e->work.self, pl_summary_self(e))));
	if (e->totals.omitted_self || omitted)
		md_say(m, _("; the analysis itself omits %" PRIu64 " %s with %s"), omitted,
		       rows_of(r, omitted), section_part(m, e, e->totals.omitted_self));
	if (e->idle_n)
		md_say(m, _("; only idle: %" PRIu64 " %s, shown apart"), e->idle_n,
		       rows_of(r, e->idle_n));
	if (e->event.stackless)
		md_say(m, _("; samples without a stack: %s, in no row"),
		       section_part(m, e, e->event.stackless));
	md_say(m, "\n\n");
}

/* Idle hides the work: it gets a table of its own, and shares have both bases. */
static void idle_table(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	struct columns c = choose_columns(r, e);
	uint64_t rest = e->idle_self - e->idle.self;

	md_say(m, _("Idle: %s; not idle: %s.\n\n"), section_part(m, e, e->event.idle_weight),
	       section_part(m, e, e->event.weight - e->event.idle_weight));
	if (e->idle_n == 0)
		return;
	cells_name(m, c, _("Evidence"), pl_figure_grouping(r->s.group_by), _("DSO"));
	md_cell(m, md_text(m, _("Idle self weight, %s"),
			   md_name(m, pl_figure_unit(e->event.unit, 0))));
	md_cell(m, _("Idle self, % of weight"));
	md_cell(m, md_text(m, _("Self %s"), pl_figure_samples_head(e->event.weight_source)));
	md_row_end(m);
	md_rule(m, c.dso ? 3 : 2, 3);
	for (size_t i = 0; i < e->idle.n; i++) {
		const struct pl_summary_row *row = &e->idle.v[i];
		cells_name(m, c, md_code(m, row->id), md_name(m, row->name), dso_of(m, row));
		cell_number(m, row->self);
		md_cell(m, md_share(m, row->self_pct));
		cell_number(m, row->self_samples);
		md_row_end(m);
	}
	md_say(m, _("\n%zu of %" PRIu64 " only idle %s shown, %s of their weight; other: %s\n\n"),
	       e->idle.n, e->idle_n, rows_of(r, e->idle_n),
	       md_coverage(m, pl_num_percent(e->idle.self, e->idle_self)),
	       section_part(m, e, rest));
}

static void hotspot_table(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	struct columns c = choose_columns(r, e);

	if (e->work.n == 0 && e->other_n == 0 && e->other_self == 0)
		return;
	hotspot_head(m, r, e, c);
	for (size_t i = 0; i < e->work.n; i++)
		hotspot_row(m, e, c, &e->work.v[i]);
	other_row(m, r, e, c);
	md_say(m, "\n");
}

static void hotspots_of_event(struct md *m, const struct report *r,
			      const struct pl_summary_event *e)
{
	section_event(m, r, e);
	hotspot_table(m, r, e);
	say_coverage(m, r, e);
	if (e->event.idle_weight)
		idle_table(m, r, e);
}

void section_hotspots(struct md *m, const struct report *r)
{
	md_say(m, _("## 4. Hotspots\n\n"));
	for (size_t i = 0; i < r->s.events_n; i++)
		hotspots_of_event(m, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		md_say(m, _("None.\n\n"));
}

/* ---- 5 ---- */

/* Frames root first; a DSO stands where it changes, so that a long path stays readable. */
static void path_cell(struct md *m, const struct pl_summary_path *path)
{
	struct pl_str dso = {0};

	md_say(m, "| ");
	for (size_t i = 0; i < path->n; i++) {
		const struct pl_summary_frame *f = &path->frames[i];
		md_say(m, "%s%s", i ? " → " : "", md_name(m, f->name));
		if (f->dso.p && f->dso.p != f->name.p && !pl_str_eq(f->dso, dso))
			md_say(m, " (%s)", md_name(m, f->dso));
		if (f->inlined)
			md_say(m, _(" (inlined)"));
		dso = f->dso;
	}
	md_say(m, " ");
}

static void path_head(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	md_cell(m, _("Evidence"));
	md_cell(m, pl_str_is(r->s.group_by, "symbol,dso")
			   ? _("Call path, root first; a DSO stands where it changes")
			   : _("Call path, root first"));
	md_cell(m, md_text(m, _("Weight, %s"), md_name(m, pl_figure_unit(e->event.unit, 0))));
	md_cell(m, _("Weight, % of weight"));
	md_cell(m, md_text(m, _("Number of %s"), pl_figure_samples_head(e->event.weight_source)));
	md_row_end(m);
	md_rule(m, 2, 3);
}

static void path_rows(struct md *m, const struct pl_summary_event *e)
{
	for (size_t i = 0; i < e->paths_n; i++) {
		const struct pl_summary_path *path = &e->paths[i];
		md_cell(m, md_code(m, path->id));
		path_cell(m, path);
		cell_number(m, path->weight);
		md_cell(m, md_share(m, path->pct));
		cell_number(m, path->samples);
		md_row_end(m);
	}
}

static void path_other(struct md *m, const struct pl_summary_event *e, uint64_t n, uint64_t weight)
{
	uint64_t total = e->totals.paths_total;

	md_cell(m, none);
	md_cell(m, md_text(m,
			   ngettext("other: %" PRIu64 " of %" PRIu64 " call path",
				    "other: %" PRIu64 " of %" PRIu64 " call paths", total),
			   n, total));
	cell_number(m, weight);
	cell_part(m, weight, e->event.weight);
	md_cell(m, none);
	md_row_end(m);
}

static void path_table(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t total = e->totals.paths_total, n = total - e->paths_n;
	uint64_t weight = pl_summary_self(e) - e->paths_weight;

	if (e->paths_n || n || weight) {
		path_head(m, r, e);
		path_rows(m, e);
		if (n || weight)
			path_other(m, e, n, weight);
		md_say(m, "\n");
	}
	md_say(m,
	       ngettext("%zu of %" PRIu64 " call path shown, %s of the weight with a stack\n\n",
			"%zu of %" PRIu64 " call paths shown, %s of the weight with a stack\n\n",
			total),
	       e->paths_n, total,
	       md_coverage(m, pl_num_percent(e->paths_weight, pl_summary_self(e))));
}

static void paths_of_event(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	section_event(m, r, e);
	if (!e->totals.has_paths)
		md_say(m, _("The analysis was made without call paths (--no-paths).\n\n"));
	else
		path_table(m, r, e);
	section_edges(m, r, e);
}

void section_paths(struct md *m, const struct report *r)
{
	md_say(m, _("## 5. Call paths\n\n"));
	for (size_t i = 0; i < r->s.events_n; i++)
		paths_of_event(m, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		md_say(m, _("None.\n\n"));
}
