/* section_advice: what would make the data better */
#include "sections.h"
#include "text.h"
#include "words.h"

#include <inttypes.h>

static void advise_codes(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	for (size_t i = 0; i < e->reasons.n; i++) {
		const char *words =
			words_advice(e->reasons.v[i], e->modules_kept ? 0 : WORDS_NO_MODULES);
		doc_item(d, "%s%s: %s", section_of_event(d, r, e), doc_code(d, e->reasons.v[i]),
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

	if (callers_unknown(e))
		doc_item(d,
			 _("%sMost stacks do not lead to their root: their functions keep no "
			   "frame pointers, or the files are missing. Record with --call-graph "
			   "dwarf, or build with -fno-omit-frame-pointer, before reading inclusive "
			   "weights and call paths"),
			 section_of_event(d, r, e));
	if (section_order_open(e))
		doc_item(d,
			 _("%sRecord longer or more often before ordering the first two "
			   "functions: their 95 %% intervals overlap"),
			 section_of_event(d, r, e));
	if (q->merged_symbols)
		doc_item(d,
			 _("%sFunctions of several spellings: %" PRIu64
			   "; see %s of the row (pl-query hotspot ID) before speaking of one "
			   "function"),
			 section_of_event(d, r, e), q->merged_symbols,
			 doc_code(d, PL_S("variants")));
	if (q->suspect_callers)
		doc_item(d,
			 _("%sCallers that may be named after the function behind them: %s; "
			   "analyse the perf.data file instead of its text"),
			 section_of_event(d, r, e), doc_frames(d, q->suspect_callers));
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
	doc_section(d, _("8. Recommendations"));
	for (size_t i = 0; i < r->s.events_n; i++) {
		advise_codes(d, r, &r->s.events[i]);
		advise_recording(d, r, &r->s.events[i]);
	}
	advise_diagnostics(d, r);
	if (d->block == DOC_SECTION)
		doc_paragraph(d, _("None."));
}
