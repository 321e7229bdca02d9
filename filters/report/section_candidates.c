/* section_candidates: what the rules of a diagnosis make of the hotspots, and what speaks for it
 * and against it */
#include "figure.h"
#include "sections.h"
#include "text.h"

#include <inttypes.h>

static void category_row(struct doc *d, const struct findings_category *c)
{
	doc_row(d);
	doc_cell(d, doc_code(d, c->name));
	doc_cell(d, doc_number(d, c->hotspots));
	doc_cell(d, doc_number(d, c->self));
	doc_cell(d, doc_share(d, c->self_pct));
}

static void category_table(struct doc *d, const struct report *r, const struct pl_summary_event *e,
			   const struct findings_event *f)
{
	size_t shown = report_shown(r, f->categories_n);

	doc_paragraph(d, _("Self weight that has a category: %s; that has none: %s."),
		      section_part(d, e, f->classified_self),
		      section_part(d, e, f->unclassified_self));
	if (shown) {
		doc_table(d, _("Self weight by category"));
		doc_column(d, _("Category"));
		doc_column_number(d, _("Hotspots"));
		doc_column_number(d, doc_text(d, _("Self weight, %s"),
					      doc_name(d, pl_figure_unit(e->event.unit, 0))));
		doc_column_number(d, _("Self, % of weight"));
	}
	for (size_t i = 0; i < shown; i++)
		category_row(d, &f->categories[i]);
	doc_paragraph(d,
		      ngettext("%zu of %zu category shown", "%zu of %zu categories shown",
			       f->categories_n),
		      shown, f->categories_n);
}

/* One kind of statements; `none` is what it means that there are none. */
static void texts(struct doc *d, const char *what, const struct findings_list *list,
		  const char *none)
{
	if (list->total == 0) {
		doc_item(d, "%s: %s", what, none);
		return;
	}
	doc_item(d, "%s:", what);
	for (size_t i = 0; i < list->n; i++) {
		doc_subitem(d, "%s", doc_name(d, list->v[i].text));
		if (list->v[i].id.p)
			doc_more(d, " (%s)", doc_code(d, list->v[i].id));
	}
	if (list->n < list->total)
		doc_subitem(d, _("and more: %" PRIu64 " in all"), list->total);
}

static void candidate(struct doc *d, const struct report *r, const struct findings_candidate *c)
{
	section_heading(d, r,
			doc_text(d, "%s: %s", doc_name(d, c->category),
				 section_symbol(d, c->symbol, c->dso)));
	doc_item(d, _("Hotspot: %s; candidate: %s; rule: %s, version %" PRIu64),
		 doc_code(d, c->hotspot), doc_code(d, c->id), doc_code(d, c->rule),
		 c->rule_version);
	doc_item(d, _("Status: %s; confidence: %s; evidence level: %s"), doc_name(d, c->status),
		 doc_name(d, c->confidence), doc_name(d, c->level));
	doc_item(d, _("Observation: %s"), doc_name(d, c->observation));
	texts(d, _("Supporting evidence"), &c->supporting, _("none"));
	texts(d, _("Counter-evidence"), &c->counter, _("none was found"));
	texts(d, _("Missing evidence"), &c->missing, _("none is named"));
	texts(d, _("Next steps"), &c->next, _("none is named"));
	texts(d, _("What this does not establish"), &c->forbidden, _("nothing is named"));
	doc_item(d,
		 _("A/B requirement: a change here is an improvement only once %s was measured "
		   "before and after it"),
		 section_metric(d, r));
}

static void candidates_of_event(struct doc *d, const struct report *r,
				const struct pl_summary_event *e, const struct findings_event *f)
{
	size_t shown = report_shown(r, f->candidates_n);

	section_event(d, r, e);
	category_table(d, r, e, f);
	for (size_t i = 0; i < shown; i++)
		candidate(d, r, &f->candidates[i]);
	doc_paragraph(d,
		      ngettext("%zu of %" PRIu64 " candidate shown",
			       "%zu of %" PRIu64 " candidates shown, in the order of the hotspots",
			       f->candidates_total),
		      shown, f->candidates_total);
}

void section_candidates(struct doc *d, const struct report *r)
{
	doc_section(d, _("6. Candidates"));
	for (size_t i = 0; i < r->s.events_n && r->findings.given; i++)
		candidates_of_event(d, r, &r->s.events[i], &r->findings.events[i]);
	if (!r->findings.given)
		doc_paragraph(d, _("No classification was given."));
	else if (r->s.events_n == 0)
		doc_paragraph(d, _("None."));
}
