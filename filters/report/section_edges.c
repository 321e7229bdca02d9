/* section_edges: who calls the first hotspots, and whom they call */
#include "figure.h"
#include "num.h"
#include "sections.h"
#include "text.h"

#include <inttypes.h>

/* Hotspots that the table is of: the first REPORT_EDGES_OF that there are. */
static size_t hotspots_n(const struct pl_summary_event *e)
{
	return e->work.n < REPORT_EDGES_OF ? e->work.n : REPORT_EDGES_OF;
}

static bool has_edges(const struct pl_summary_event *e)
{
	for (size_t i = 0; i < hotspots_n(e); i++)
		if (e->work.v[i].callers.n || e->work.v[i].callees.n)
			return true;
	return false;
}

static void edges_head(struct md *m, const struct report *r, const struct pl_summary_event *e,
		       bool dso)
{
	md_cell(m, _("Which"));
	md_cell(m, _("Evidence"));
	md_cell(m, pl_figure_grouping(r->s.group_by));
	if (dso)
		md_cell(m, _("DSO"));
	md_cell(m, md_text(m, _("Weight, %s"), md_name(m, pl_figure_unit(e->event.unit, 0))));
	md_cell(m, _("Weight, % of the hotspot's inclusive weight"));
	md_row_end(m);
	md_rule(m, dso ? 4 : 3, 2);
}

/* The rows of one hotspot's callers, or of its callees; `which` is what they are of it. */
static void edge_rows(struct md *m, const struct pl_summary_row *hotspot,
		      const struct pl_summary_edges *edges, const char *which, bool dso)
{
	for (size_t i = 0; i < edges->n; i++) {
		const struct pl_summary_edge *edge = &edges->v[i];
		md_cell(m, md_text(m, "%s %s (%s)", which, md_name(m, hotspot->name),
				   md_code(m, hotspot->id)));
		md_cell(m, md_code(m, edge->id));
		md_cell(m, md_name(m, edge->name));
		if (dso)
			md_cell(m, edge->dso.p ? md_name(m, edge->dso) : _("unknown"));
		md_cell(m, md_text(m, "%" PRIu64, edge->weight));
		md_cell(m, md_share(m, pl_num_percent(edge->weight, hotspot->inclusive)));
		md_row_end(m);
	}
}

void section_edges(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	bool dso = pl_str_is(r->s.group_by, "symbol,dso");

	if (!has_edges(e))
		return;
	edges_head(m, r, e, dso);
	for (size_t i = 0; i < hotspots_n(e); i++) {
		const struct pl_summary_row *row = &e->work.v[i];
		edge_rows(m, row, &row->callers, _("caller of"), dso);
		edge_rows(m, row, &row->callees, _("callee of"), dso);
	}
	md_say(m,
	       _("\nCallers and callees of the first %zu of %" PRIu64
		 " %s, the heaviest %d of each; a pair counts once a sample, so shares of one "
		 "hotspot need not add up to 100 %%\n\n"),
	       hotspots_n(e), e->totals.hotspots_total,
	       pl_figure_rows(r->s.group_by, e->totals.hotspots_total), PL_SUMMARY_EDGES);
}
