/* section_findings: what the figures say, what to do next, and what may be concluded */
#include "figure.h"
#include "sections.h"
#include "text.h"
#include "words.h"

#include <inttypes.h>

const char *section_row_name(struct doc *d, const struct pl_summary_row *row)
{
	const char *name = doc_name(d, row->name);

	return row->dso.p && row->dso.p != row->name.p
		       ? doc_text(d, _("%s in %s"), name, doc_name(d, row->dso))
		       : name;
}

bool section_order_open(const struct pl_summary_event *e)
{
	const struct pl_summary_row *v = e->work.v;

	return e->work.n > 1 && v[0].has_ci95 && v[1].has_ci95 && v[1].high > v[0].low;
}

/* The event as the start of a sentence, where there are several: "cycles: ". */
static const char *of_event(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	return r->s.events_n > 1 ? doc_text(d, "%s: ", doc_name(d, e->event.label)) : "";
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

void section_candidates(struct doc *d, const struct report *r)
{
	(void)r;
	doc_section(d, _("6. Candidates"));
	doc_paragraph(d, _("No classification was given."));
}

/* ---- 7 ---- */

static void advise_modules(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t outside = e->quality.unresolved_self - e->unresolved_in_modules;

	for (size_t i = 0; i < e->modules_kept; i++) {
		const struct pl_analysis_module *module = &e->modules[i];
		doc_item(d, _("%sResolve %s in %s"), of_event(d, r, e),
			 section_part(d, e, module->unresolved_self), doc_name(d, module->dso));
		if (module->reason.p)
			doc_more(d, " (%s)", doc_code(d, module->reason));
		doc_more(d, ": %s",
			 module->fix.p ? doc_name(d, module->fix) : _("no remedy is recorded"));
	}
	if (outside)
		doc_item(d,
			 _("%sUnresolved self weight without a DSO: %s; only a recording that "
			   "names modules can resolve it"),
			 of_event(d, r, e), section_part(d, e, outside));
}

static void advise_codes(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	for (size_t i = 0; i < e->reasons.n; i++) {
		const char *words =
			words_advice(e->reasons.v[i], e->modules_kept ? 0 : WORDS_NO_MODULES);
		doc_item(d, "%s%s: %s", of_event(d, r, e), doc_code(d, e->reasons.v[i]),
			 words ? words : _("a reason that this version does not know"));
	}
}

/* Is most of the weight in stacks of one function, or under callers without a name? Where there is
 * no call graph at all, that is another matter; and people's stacks have what roots they like. */
static bool callers_unknown(const struct pl_summary_event *e)
{
	uint64_t several = e->event.multi_frame_weight, nameless = e->quality.unresolved_callers;

	return several && !section_is_folded(e) &&
	       (nameless > several || several - nameless < e->event.weight / 2);
}

static void advise_recording(struct doc *d, const struct report *r,
			     const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	if (e->event.weight && !e->event.multi_frame_weight)
		doc_item(d,
			 _("%sThere is no call graph: record with one (perf record "
			   "--call-graph) to see who calls the hotspots"),
			 of_event(d, r, e));
	else if (callers_unknown(e))
		doc_item(d,
			 _("%sMost stacks do not lead to their root: their functions keep no "
			   "frame pointers, or the files are missing. Record with --call-graph "
			   "dwarf, or build with -fno-omit-frame-pointer, before reading inclusive "
			   "weights and call paths"),
			 of_event(d, r, e));
	if (e->event.weight && !q->source_line_self)
		doc_item(d,
			 _("%sThere are no source lines: build with debug information and "
			   "resolve lines for statements about them"),
			 of_event(d, r, e));
	if (pl_str_is(e->event.unit, "unknown"))
		doc_item(d,
			 _("%sThe unit of the weights is not recorded: state it with --unit "
			   "of the parser"),
			 of_event(d, r, e));
	if (section_order_open(e))
		doc_item(d,
			 _("%sRecord longer or more often before ordering the first two "
			   "functions: their 95 %% intervals overlap"),
			 of_event(d, r, e));
	if (q->merged_symbols)
		doc_item(d,
			 _("%sFunctions of several spellings: %" PRIu64
			   "; see %s of the row (pl-query hotspot ID) before speaking of one "
			   "function"),
			 of_event(d, r, e), q->merged_symbols, doc_code(d, PL_S("variants")));
	if (q->suspect_callers)
		doc_item(d,
			 _("%sCallers that may be named after the function behind them: %s; "
			   "analyse the perf.data file instead of its text"),
			 of_event(d, r, e), doc_frames(d, q->suspect_callers));
}

/* Is it of folded events only? Without a label it is of all of them. */
static bool diagnostic_is_folded(const struct report *r, const struct pl_summary_diagnostic *row)
{
	bool folded = false;

	for (size_t i = 0; i < r->s.events_n; i++) {
		if (row->event.p && !pl_str_eq(row->event, r->s.events[i].event.label))
			continue;
		folded = section_is_folded(&r->s.events[i]);
		if (!folded)
			break;
	}
	return folded;
}

static void advise_diagnostics(struct doc *d, const struct report *r)
{
	for (size_t i = 0; i < r->s.diagnostics_n; i++) {
		const struct pl_summary_diagnostic *row = &r->s.diagnostics[i];
		const char *words =
			words_advice(row->code, diagnostic_is_folded(r, row) ? WORDS_FOLDED : 0);
		if (words)
			doc_item(d, "%s: %s", doc_code(d, row->code), words);
	}
}

void section_recommendations(struct doc *d, const struct report *r)
{
	doc_section(d, _("7. Recommendations"));
	for (size_t i = 0; i < r->s.events_n; i++) {
		advise_modules(d, r, &r->s.events[i]);
		advise_codes(d, r, &r->s.events[i]);
		advise_recording(d, r, &r->s.events[i]);
	}
	advise_diagnostics(d, r);
	doc_item(d,
		 _("Before claiming an improvement, measure %s before and after the change, "
		   "repeatedly and under the same conditions"),
		 r->options->metric ? doc_name(d, pl_str(r->options->metric))
				    : _("the metric that matters"));
}

/* ---- 8 ---- */

static void observed(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	const struct pl_summary_row *row = e->work.n ? &e->work.v[0] : NULL;

	doc_subitem(d, _("%s%s, weight %s"), of_event(d, r, e),
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

void section_conclusions(struct doc *d, const struct report *r)
{
	doc_section(d, _("8. What is observed, likely and confirmed"));
	doc_item(d, _("Observed:"));
	for (size_t i = 0; i < r->s.events_n; i++)
		observed(d, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		doc_subitem(d, _("nothing"));
	doc_item(d, _("Likely: none; nothing here was classified or compared"));
	doc_item(d, _("Confirmed: none; no cause and no improvement was tested"));
	for (size_t i = 0; i < r->s.events_n; i++) {
		const struct pl_summary_event *e = &r->s.events[i];
		section_event(d, r, e);
		doc_paragraph(d, _("This analysis allows statements about:"));
		say_codes(d, &e->allowed);
		doc_paragraph(d, _("It does not establish:"));
		say_codes(d, &e->forbidden);
	}
}
