/* section_gaps: what was not measured, or has no name, and what would change that */
#include "figure.h"
#include "gap.h"
#include "num.h"
#include "sections.h"
#include "text.h"

#include <inttypes.h>

/* ---- what was not measured ---- */

/* Without a diagnosis the same table tells what it would have told, but for the categories. */
static struct pl_gap_facts facts_of(const struct report *r, const struct pl_summary_event *e)
{
	return (struct pl_gap_facts){
		.weight = e->event.weight,
		.multi_frame_weight = e->event.multi_frame_weight,
		.source_line_self = e->quality.source_line_self,
		.unit = e->event.unit,
		.forbidden = e->forbidden.v,
		.forbidden_n = e->forbidden.n,
		.events = r->s.names,
		.events_n = (size_t)r->s.events_read,
		.paths = e->totals.has_paths,
	};
}

static void gap_head(struct doc *d)
{
	doc_table(d, _("What was not measured"));
	doc_column(d, _("Code"));
	doc_column(d, _("What is not known"));
	doc_column(d, _("What would measure it"));
}

static void gap_row(struct doc *d, struct pl_str code, const char *message, struct pl_str command)
{
	doc_row(d);
	doc_cell(d, doc_code(d, code));
	doc_cell(d, message);
	doc_cell(d, command.p ? doc_command(d, command) : _("no command"));
}

static uint64_t table_gaps(struct doc *d, const struct report *r, const struct pl_summary_event *e,
			   size_t *shown)
{
	struct pl_gap_facts facts = facts_of(r, e);
	const struct pl_gap *gap = NULL;
	uint64_t n = 0;

	*shown = 0;
	while ((gap = pl_gap_next(&facts, gap))) {
		if (n++ >= r->rows)
			continue;
		if ((*shown)++ == 0)
			gap_head(d);
		gap_row(d, pl_str(gap->code), _(gap->message), pl_str(gap->command));
	}
	return n;
}

static uint64_t found_gaps(struct doc *d, const struct report *r, const struct findings_event *f,
			   size_t *shown)
{
	*shown = report_shown(r, f->gaps_n);
	if (*shown)
		gap_head(d);
	for (size_t i = 0; i < *shown; i++)
		gap_row(d, f->gaps[i].code, doc_name(d, f->gaps[i].message), f->gaps[i].command);
	return f->gaps_total;
}

static void gaps(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	const struct findings_event *f = report_findings(r, e);
	size_t shown;

	if (pl_str_is(e->event.source, "unknown"))
		doc_paragraph(d,
			      _("What this event counts is not recorded: what stands below is not "
				"known to have been measured."));
	uint64_t total = f ? found_gaps(d, r, f, &shown) : table_gaps(d, r, e, &shown);

	doc_paragraph(
		d, ngettext("%zu of %" PRIu64 " gap shown", "%zu of %" PRIu64 " gaps shown", total),
		shown, total);
	if (!f && total)
		doc_more(d, _("; without a classification all are named that a function could "
			      "make interesting"));
}

/* ---- modules without symbols ---- */

static void module_head(struct doc *d, const struct pl_summary_event *e)
{
	const char *unit = doc_name(d, pl_figure_unit(e->event.unit, 0));

	doc_table(d, _("Modules without symbols"));
	doc_column(d, _("DSO"));
	doc_column(d, _("Build ID"));
	doc_column_number(d, doc_text(d, _("Self, %s"), unit));
	doc_column_number(d, _("Self, % of weight"));
	doc_column_number(d, doc_text(d, _("Unresolved self, %s"), unit));
	doc_column_number(d, _("Unresolved self, % of weight"));
	doc_column(d, _("Reason"));
	doc_column(d, _("What would resolve it"));
}

static void module_row(struct doc *d, const struct pl_summary_event *e,
		       const struct pl_analysis_module *module)
{
	doc_row(d);
	doc_cell(d, doc_name(d, module->dso));
	doc_cell(d, module->build_id.p ? doc_code(d, module->build_id) : _("unknown"));
	doc_cell(d, doc_number(d, module->self));
	doc_cell(d, doc_share(d, module->self_pct));
	doc_cell(d, doc_number(d, module->unresolved_self));
	doc_cell(d, doc_share(d, pl_num_percent(module->unresolved_self, e->event.weight)));
	doc_cell(d, module->reason.p ? doc_code(d, module->reason) : _("unknown"));
	doc_cell(d, module->fix.p ? doc_name(d, module->fix) : _("no remedy is recorded"));
}

static void module_table(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	size_t shown = report_shown(r, e->modules_kept);
	uint64_t self = 0;

	if (shown)
		module_head(d, e);
	for (size_t i = 0; i < shown; i++) {
		self += e->modules[i].unresolved_self;
		module_row(d, e, &e->modules[i]);
	}
	doc_paragraph(d,
		      ngettext("%zu of %" PRIu64 " DSO with unresolved self weight shown, %s of "
			       "unresolved self weight; other: %s",
			       "%zu of %" PRIu64 " DSOs with unresolved self weight shown, %s of "
			       "unresolved self weight; other: %s",
			       e->unresolved_modules),
		      shown, e->unresolved_modules,
		      doc_coverage(d, pl_num_percent(self, e->quality.unresolved_self)),
		      section_part(d, e, e->quality.unresolved_self - self));
}

static void modules(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t outside = e->quality.unresolved_self - e->unresolved_in_modules;

	if (e->quality.unresolved_self == 0)
		return;
	section_heading(d, r, _("Modules without symbols"));
	if (e->unresolved_modules)
		module_table(d, r, e);
	if (outside)
		doc_paragraph(d,
			      _("Unresolved self weight without a DSO: %s; only a recording that "
				"names modules can resolve it"),
			      section_part(d, e, outside));
}

void section_gaps(struct doc *d, const struct report *r)
{
	doc_section(d, _("7. What was not measured"));
	for (size_t i = 0; i < r->s.events_n; i++) {
		section_event(d, r, &r->s.events[i]);
		gaps(d, r, &r->s.events[i]);
		modules(d, r, &r->s.events[i]);
	}
	if (r->s.events_n == 0)
		doc_paragraph(d, _("The analysis holds no event."));
}
