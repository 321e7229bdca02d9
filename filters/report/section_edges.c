/* section_edges: who calls the first hotspots, and whom they call */
#include "figure.h"
#include "num.h"
#include "sections.h"
#include "text.h"

#include <inttypes.h>

/* Hotspots that the table is of: the first REPORT_EDGES_OF that are shown. */
static size_t hotspots_n(const struct report *r, const struct pl_summary_event *e)
{
	return report_shown(r, e->work.n < REPORT_EDGES_OF ? e->work.n : REPORT_EDGES_OF);
}

static bool has_edges(const struct report *r, const struct pl_summary_event *e)
{
	for (size_t i = 0; i < hotspots_n(r, e); i++)
		if (e->work.v[i].callers.n || e->work.v[i].callees.n)
			return true;
	return false;
}

static void edges_head(struct doc *d, const struct report *r, const struct pl_summary_event *e,
		       bool dso)
{
	doc_table(d, _("Callers and callees"));
	doc_column(d, _("Which"));
	doc_column(d, _("Evidence"));
	doc_column(d, pl_figure_grouping(r->s.group_by));
	if (dso)
		doc_column(d, _("DSO"));
	doc_column_number(
		d, doc_text(d, _("Weight, %s"), doc_name(d, pl_figure_unit(e->event.unit, 0))));
	doc_column_number(d, _("Weight, % of the hotspot's inclusive weight"));
}

/* The rows of one hotspot's callers, or of its callees; `which` is what they are of it. */
static void edge_rows(struct doc *d, const struct pl_summary_row *hotspot,
		      const struct pl_summary_edges *edges, const char *which, bool dso)
{
	for (size_t i = 0; i < edges->n; i++) {
		const struct pl_summary_edge *edge = &edges->v[i];
		doc_row(d);
		doc_cell(d, doc_text(d, "%s %s (%s)", which, doc_name(d, hotspot->name),
				     doc_code(d, hotspot->id)));
		doc_cell(d, doc_code(d, edge->id));
		doc_cell(d, doc_name(d, edge->name));
		if (dso)
			doc_cell(d, edge->dso.p ? doc_name(d, edge->dso) : _("unknown"));
		doc_cell(d, doc_number(d, edge->weight));
		doc_cell(d, doc_share(d, pl_num_percent(edge->weight, hotspot->inclusive)));
	}
}

void section_edges(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	bool dso = pl_str_is(r->s.group_by, "symbol,dso");

	if (!has_edges(r, e))
		return;
	edges_head(d, r, e, dso);
	for (size_t i = 0; i < hotspots_n(r, e); i++) {
		const struct pl_summary_row *row = &e->work.v[i];
		edge_rows(d, row, &row->callers, _("caller of"), dso);
		edge_rows(d, row, &row->callees, _("callee of"), dso);
	}
	doc_paragraph(
		d,
		_("Callers and callees of the first %zu of %" PRIu64
		  " %s, the heaviest %d of each; a pair counts once a sample, so shares of one "
		  "hotspot need not add up to 100 %%"),
		hotspots_n(r, e), e->totals.hotspots_total,
		pl_figure_rows(r->s.group_by, e->totals.hotspots_total), PL_SUMMARY_EDGES);
}
