/* section_findings: what the figures say, what to do next, and what may be concluded */
#include "figure.h"
#include "sections.h"
#include "text.h"
#include "words.h"

#include <inttypes.h>

const char *section_row_name(struct md *m, const struct pl_summary_row *row)
{
	const char *name = md_name(m, row->name);

	return row->dso.p && row->dso.p != row->name.p
		       ? md_text(m, _("%s in %s"), name, md_name(m, row->dso))
		       : name;
}

bool section_order_open(const struct pl_summary_event *e)
{
	const struct pl_summary_row *v = e->work.v;

	return e->work.n > 1 && v[0].has_ci95 && v[1].has_ci95 && v[1].high > v[0].low;
}

/* The event as the start of a sentence, where there are several: "cycles: ". */
static const char *of_event(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	return r->s.events_n > 1 ? md_text(m, "%s: ", md_name(m, e->event.label)) : "";
}

/* ---- 3 ---- */

static void observe_heaviest(struct md *m, const struct pl_summary_event *e)
{
	const struct pl_summary_row *row = &e->work.v[0];

	md_say(m, _("- Most self weight: %s with %s, in %s (%s)"), section_row_name(m, row),
	       section_part(m, e, row->self), md_samples(m, row->self_samples, &e->event),
	       md_code(m, row->id));
	if (row->has_ci95)
		md_say(m, _("; 95 %% interval %s to %s"), md_share(m, row->low),
		       md_share(m, row->high));
	md_say(m, "\n");
	if (section_order_open(e))
		md_say(m,
		       _("- Its interval overlaps that of the second, %s (%s): their order is "
			 "open\n"),
		       section_row_name(m, &e->work.v[1]), md_code(m, e->work.v[1].id));
}

static void observe_spread(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	if (e->half_rows)
		md_say(m, _("- Self weight: 50 %% of it is in %" PRIu64 " of %" PRIu64 " %s"),
		       e->half_rows, e->totals.hotspots_total,
		       pl_figure_rows(r->s.group_by, e->totals.hotspots_total));
	if (e->most_rows)
		md_say(m, _(", 90 %% in %" PRIu64), e->most_rows);
	if (e->half_rows)
		md_say(m, "\n");
}

static void observe_event(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	section_event(m, r, e);
	if (e->work.n && e->work.v[0].self)
		observe_heaviest(m, e);
	else
		md_say(m, _("- No function has self weight\n"));
	if (e->widest.id.p && !pl_str_eq(e->widest.id, e->work.v[0].id))
		md_say(m, _("- Most inclusive weight of those with self weight: %s with %s (%s)\n"),
		       section_row_name(m, &e->widest), section_part(m, e, e->widest.inclusive),
		       md_code(m, e->widest.id));
	observe_spread(m, r, e);
	if (e->paths_n)
		md_say(m, _("- Heaviest call path: %s with %s, in %s\n"),
		       md_code(m, e->paths[0].id), section_part(m, e, e->paths[0].weight),
		       md_samples(m, e->paths[0].samples, &e->event));
	if (e->event.idle_weight)
		md_say(m, _("- Idle holds %s\n"), section_part(m, e, e->event.idle_weight));
	if (e->quality.unresolved_self)
		md_say(m, _("- Unresolved self weight: %s\n"),
		       section_part(m, e, e->quality.unresolved_self));
	md_say(m, "\n");
}

void section_observations(struct md *m, const struct report *r)
{
	md_say(m, _("## 3. Key observations\n\n"));
	for (size_t i = 0; i < r->s.events_n; i++)
		observe_event(m, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		md_say(m, _("None.\n\n"));
}

void section_candidates(struct md *m, const struct report *r)
{
	(void)r;
	md_say(m, _("## 6. Candidates\n\nNo classification was given.\n\n"));
}

/* ---- 7 ---- */

static void advise_modules(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	uint64_t outside = e->quality.unresolved_self - e->unresolved_in_modules;

	for (size_t i = 0; i < e->modules_kept; i++) {
		const struct pl_analysis_module *module = &e->modules[i];
		md_say(m, _("- %sResolve %s in %s"), of_event(m, r, e),
		       section_part(m, e, module->unresolved_self), md_name(m, module->dso));
		if (module->reason.p)
			md_say(m, " (%s)", md_code(m, module->reason));
		md_say(m, ": %s\n",
		       module->fix.p ? md_name(m, module->fix) : _("no remedy is recorded"));
	}
	if (outside)
		md_say(m,
		       _("- %sUnresolved self weight without a DSO: %s; only a recording that "
			 "names modules can resolve it\n"),
		       of_event(m, r, e), section_part(m, e, outside));
}

static void advise_codes(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	for (size_t i = 0; i < e->reasons.n; i++) {
		const char *words =
			words_advice(e->reasons.v[i], e->modules_kept ? 0 : WORDS_NO_MODULES);
		md_say(m, "- %s%s: %s\n", of_event(m, r, e), md_code(m, e->reasons.v[i]),
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

static void advise_recording(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	if (e->event.weight && !e->event.multi_frame_weight)
		md_say(m,
		       _("- %sThere is no call graph: record with one (perf record "
			 "--call-graph) to see who calls the hotspots\n"),
		       of_event(m, r, e));
	else if (callers_unknown(e))
		md_say(m,
		       _("- %sMost stacks do not lead to their root: their functions keep no "
			 "frame pointers, or the files are missing. Record with --call-graph "
			 "dwarf, or build with -fno-omit-frame-pointer, before reading inclusive "
			 "weights and call paths\n"),
		       of_event(m, r, e));
	if (e->event.weight && !q->source_line_self)
		md_say(m,
		       _("- %sThere are no source lines: build with debug information and "
			 "resolve lines for statements about them\n"),
		       of_event(m, r, e));
	if (pl_str_is(e->event.unit, "unknown"))
		md_say(m,
		       _("- %sThe unit of the weights is not recorded: state it with --unit "
			 "of the parser\n"),
		       of_event(m, r, e));
	if (section_order_open(e))
		md_say(m,
		       _("- %sRecord longer or more often before ordering the first two "
			 "functions: their 95 %% intervals overlap\n"),
		       of_event(m, r, e));
	if (q->merged_symbols)
		md_say(m,
		       _("- %sFunctions of several spellings: %" PRIu64
			 "; see `variants` of the row (pl-query hotspot ID) before speaking of one "
			 "function\n"),
		       of_event(m, r, e), q->merged_symbols);
	if (q->suspect_callers)
		md_say(m,
		       _("- %sCallers that may be named after the function behind them: %s; "
			 "analyse the perf.data file instead of its text\n"),
		       of_event(m, r, e), md_frames(m, q->suspect_callers));
}

/* Is it of folded events only? Without a label it is of all of them. */
static bool diagnostic_is_folded(const struct report *r, const struct pl_summary_diagnostic *d)
{
	bool folded = false;

	for (size_t i = 0; i < r->s.events_n; i++) {
		if (d->event.p && !pl_str_eq(d->event, r->s.events[i].event.label))
			continue;
		folded = section_is_folded(&r->s.events[i]);
		if (!folded)
			break;
	}
	return folded;
}

static void advise_diagnostics(struct md *m, const struct report *r)
{
	for (size_t i = 0; i < r->s.diagnostics_n; i++) {
		const struct pl_summary_diagnostic *d = &r->s.diagnostics[i];
		const char *words =
			words_advice(d->code, diagnostic_is_folded(r, d) ? WORDS_FOLDED : 0);
		if (words)
			md_say(m, "- %s: %s\n", md_code(m, d->code), words);
	}
}

void section_recommendations(struct md *m, const struct report *r)
{
	md_say(m, _("## 7. Recommendations\n\n"));
	for (size_t i = 0; i < r->s.events_n; i++) {
		advise_modules(m, r, &r->s.events[i]);
		advise_codes(m, r, &r->s.events[i]);
		advise_recording(m, r, &r->s.events[i]);
	}
	advise_diagnostics(m, r);
	md_say(m,
	       _("- Before claiming an improvement, measure %s before and after the change, "
		 "repeatedly and under the same conditions\n\n"),
	       r->options->metric ? md_name(m, pl_str(r->options->metric))
				  : _("the metric that matters"));
}

/* ---- 8 ---- */

static void observed(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	const struct pl_summary_row *row = e->work.n ? &e->work.v[0] : NULL;

	md_say(m, _("  - %s%s, weight %s"), of_event(m, r, e),
	       md_samples(m, e->event.samples, &e->event),
	       md_weight(m, e->event.weight, e->event.unit));
	if (row && row->self)
		md_say(m, _("; most self weight in %s, %s of weight (%s)"),
		       section_row_name(m, row), md_share(m, row->self_pct), md_code(m, row->id));
	if (e->paths_n)
		md_say(m, _("; heaviest call path %s, %s of weight"), md_code(m, e->paths[0].id),
		       md_share(m, e->paths[0].pct));
	md_say(m, "\n");
}

static void say_codes(struct md *m, const struct pl_summary_codes *codes)
{
	for (size_t i = 0; i < codes->n; i++) {
		const char *words = words_conclusion(codes->v[i]);
		md_say(m, "- %s%s%s\n", md_code(m, codes->v[i]), words ? ": " : "",
		       words ? words : "");
	}
	if (codes->n == 0)
		md_say(m, _("- nothing\n"));
}

void section_conclusions(struct md *m, const struct report *r)
{
	md_say(m, _("## 8. What is observed, likely and confirmed\n\n- Observed:\n"));
	for (size_t i = 0; i < r->s.events_n; i++)
		observed(m, r, &r->s.events[i]);
	if (r->s.events_n == 0)
		md_say(m, _("  - nothing\n"));
	md_say(m, _("- Likely: none; nothing here was classified or compared\n"
		    "- Confirmed: none; no cause and no improvement was tested\n"));
	for (size_t i = 0; i < r->s.events_n; i++) {
		const struct pl_summary_event *e = &r->s.events[i];
		md_say(m, "\n");
		section_event(m, r, e);
		md_say(m, _("This analysis allows statements about:\n\n"));
		say_codes(m, &e->allowed);
		md_say(m, _("\nIt does not establish:\n\n"));
		say_codes(m, &e->forbidden);
	}
}
