/* section_findings: what the figures say, and what may be concluded */
#include "figure.h"
#include "sections.h"
#include "text.h"
#include "words.h"

#include <inttypes.h>

const char *section_symbol(struct doc *d, struct pl_str name, struct pl_str dso)
{
	const char *text = name.p ? doc_name(d, name) : _("unknown");

	return dso.p ? doc_text(d, _("%s in %s"), text, doc_name(d, dso)) : text;
}

/* Where rows are DSOs, their name is the DSO. */
const char *section_row_name(struct doc *d, const struct pl_summary_row *row)
{
	bool both = row->dso.p != row->name.p;

	return section_symbol(d, row->name, both ? row->dso : (struct pl_str){0});
}

bool section_order_open(const struct pl_summary_event *e)
{
	const struct pl_summary_row *v = e->work.v;

	return e->work.n > 1 && v[0].has_ci95 && v[1].has_ci95 && v[1].high > v[0].low;
}

/* ---- 3 ---- */

static void observe_heaviest(struct doc *d, const struct pl_summary_event *e)
{
	const struct pl_summary_row *row = &e->work.v[0];

	doc_item(d, _("Most self weight: %s with %s, in %s (%s)"), section_row_name(d, row),
		 section_part(d, e, row->self), doc_samples(d, row->self_samples, &e->event),
		 doc_code(d, row->id));
	if (row->has_ci95)
		doc_more(d, _("; 95 %% interval %s to %s"), doc_share(d, row->low),
			 doc_share(d, row->high));
	if (section_order_open(e))
		doc_item(d,
			 _("Its interval overlaps that of the second, %s (%s): their order is "
			   "open"),
			 section_row_name(d, &e->work.v[1]), doc_code(d, e->work.v[1].id));
}

static void observe_spread(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	if (e->half_rows)
		doc_item(d, _("Self weight: 50 %% of it is in %" PRIu64 " of %" PRIu64 " %s"),
			 e->half_rows, e->totals.hotspots_total,
			 pl_figure_rows(r->s.group_by, e->totals.hotspots_total));
	if (e->half_rows && e->most_rows)
		doc_more(d, _(", 90 %% in %" PRIu64), e->most_rows);
}

static void observe_event(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	section_event(d, r, e);
	if (e->work.n && e->work.v[0].self)
		observe_heaviest(d, e);
	else
		doc_item(d, _("No function has self weight"));
	if (e->widest.id.p && !pl_str_eq(e->widest.id, e->work.v[0].id))
		doc_item(d, _("Most inclusive weight of those with self weight: %s with %s (%s)"),
			 section_row_name(d, &e->widest), section_part(d, e, e->widest.inclusive),
			 doc_code(d, e->widest.id));
	observe_spread(d, r, e);
	if (e->paths_n)
		doc_item(d, _("Heaviest call path: %s with %s, in %s"), doc_code(d, e->paths[0].id),
			 section_part(d, e, e->paths[0].weight),
			 doc_samples(d, e->paths[0].samples, &e->event));
	if (e->event.idle_weight)
		doc_item(d, _("Idle holds %s"), section_part(d, e, e->event.idle_weight));
	if (e->quality.unresolved_self)
		doc_item(d, _("Unresolved self weight: %s"),
			 section_part(d, e, e->quality.unresolved_self));
}

void section_observations(struct doc *d, const struct report *r)
{
	doc_section(d, _("3. Key observations"));
	for (size_t i = 0; i < r->s.events_n; i++)
		observe_event(d, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		doc_paragraph(d, _("None."));
}

/* ---- 9 ---- */

static void observed(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	const struct pl_summary_row *row = e->work.n ? &e->work.v[0] : NULL;

	doc_subitem(d, _("%s%s, weight %s"), section_of_event(d, r, e),
		    doc_samples(d, e->event.samples, &e->event),
		    doc_weight(d, e->event.weight, e->event.unit));
	if (row && row->self)
		doc_more(d, _("; most self weight in %s, %s of weight (%s)"),
			 section_row_name(d, row), doc_share(d, row->self_pct),
			 doc_code(d, row->id));
	if (e->paths_n)
		doc_more(d, _("; heaviest call path %s, %s of weight"), doc_code(d, e->paths[0].id),
			 doc_share(d, e->paths[0].pct));
}

/* A candidate may be likely; more than that it is not. */
static void likely(struct doc *d, const struct report *r, const struct pl_summary_event *e,
		   const struct findings_event *f)
{
	size_t shown = report_shown(r, f->candidates_n);

	for (size_t i = 0; i < shown; i++) {
		const struct findings_candidate *c = &f->candidates[i];
		doc_subitem(d, _("%s%s, %s (%s), confidence %s"), section_of_event(d, r, e),
			    doc_name(d, c->category), section_symbol(d, c->symbol, c->dso),
			    doc_code(d, c->hotspot), doc_name(d, c->confidence));
	}
	if (shown < f->candidates_total)
		doc_subitem(d, _("%sand more: %" PRIu64 " in all"), section_of_event(d, r, e),
			    f->candidates_total);
}

static void say_likely(struct doc *d, const struct report *r)
{
	const struct findings *f = &r->findings;
	uint64_t n = 0;

	for (size_t i = 0; i < r->s.events_n && f->given; i++)
		n += f->events[i].candidates_total;
	if (!f->given)
		doc_item(d, _("Likely: none; nothing here was classified or compared"));
	else if (n == 0)
		doc_item(d, _("Likely: none; no rule makes a hotspot a candidate"));
	else
		doc_item(d, _("Likely, as candidates only:"));
	for (size_t i = 0; i < r->s.events_n && n; i++)
		likely(d, r, &r->s.events[i], &f->events[i]);
}

static void say_codes(struct doc *d, const struct pl_summary_codes *codes)
{
	for (size_t i = 0; i < codes->n; i++) {
		const char *words = words_conclusion(codes->v[i]);
		doc_item(d, "%s%s%s", doc_code(d, codes->v[i]), words ? ": " : "",
			 words ? words : "");
	}
	if (codes->n == 0)
		doc_item(d, _("nothing"));
}

static void may_be_said(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	section_event(d, r, e);
	section_heading(d, r, _("Allowed conclusions"));
	doc_paragraph(d, _("This analysis allows statements about:"));
	say_codes(d, &e->allowed);
	section_heading(d, r, _("Forbidden conclusions"));
	doc_paragraph(d, _("It does not establish:"));
	say_codes(d, &e->forbidden);
}

void section_conclusions(struct doc *d, const struct report *r)
{
	doc_section(d, _("9. What is observed, likely and confirmed"));
	doc_item(d, _("Observed:"));
	for (size_t i = 0; i < r->s.events_n; i++)
		observed(d, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		doc_subitem(d, _("nothing"));
	say_likely(d, r);
	doc_item(d, _("Confirmed: none; no cause and no improvement was tested"));
	for (size_t i = 0; i < r->s.events_n; i++)
		may_be_said(d, r, &r->s.events[i]);
	doc_heading(d, "%s", _("A/B requirement"));
	doc_paragraph(d,
		      _("Before claiming an improvement, measure %s before and after the change, "
			"repeatedly and under the same conditions."),
		      section_metric(d, r));
}
