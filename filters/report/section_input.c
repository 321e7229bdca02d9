/* section_input: what was asked, what was read, and how good it is */
#include "figure.h"
#include "num.h"
#include "sections.h"
#include "text.h"
#include "words.h"

#include <inttypes.h>
#include <math.h>

void section_event(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	if (r->s.events_n > 1)
		doc_heading(d, _("Event: %s"), doc_name(d, e->event.label));
}

void section_heading(struct doc *d, const struct report *r, const char *text)
{
	if (r->s.events_n > 1)
		doc_subheading(d, "%s", text);
	else
		doc_heading(d, "%s", text);
}

const char *section_of_event(struct doc *d, const struct report *r,
			     const struct pl_summary_event *e)
{
	return r->s.events_n > 1 ? doc_text(d, "%s: ", doc_name(d, e->event.label)) : "";
}

const char *section_metric(struct doc *d, const struct report *r)
{
	return r->options->metric ? doc_name(d, pl_str(r->options->metric))
				  : _("the metric that matters");
}

bool section_is_folded(const struct pl_summary_event *e)
{
	return pl_str_is(e->event.weight_source, "folded_weight");
}

const char *section_part(struct doc *d, const struct pl_summary_event *e, uint64_t weight)
{
	return doc_text(d, _("%s, %s of weight"), doc_weight(d, weight, e->event.unit),
			doc_share(d, pl_num_percent(weight, e->event.weight)));
}

/* ---- 1 ---- */

static void say_given(struct doc *d, const char *what, const char *text)
{
	doc_item(d, "%s: %s", what, text ? doc_name(d, pl_str(text)) : _("not stated"));
}

static void say_input(struct doc *d, const struct report_input *in)
{
	doc_item(d, _("Input: %s"), in->format.p ? doc_name(d, in->format) : _("unknown format"));
	if (in->has_bytes)
		doc_more(d, ", %s", doc_bytes(d, in->bytes));
	if (in->has_lines && in->lines) /* a recording has none */
		doc_more(d, ngettext(", %" PRIu64 " line", ", %" PRIu64 " lines", in->lines),
			 in->lines);
	if (in->sha256.p)
		doc_more(d, ", SHA-256 %s", doc_code(d, in->sha256));
	else
		doc_more(d, _(", no SHA-256"));
}

static void say_diagnosis(struct doc *d, const struct findings *f)
{
	if (f->given)
		doc_item(d, _("Diagnosis: SHA-256 %s"),
			 f->sha256.n ? doc_code(d, f->sha256) : _("unknown"));
	if (f->unsealed)
		doc_item(d,
			 _("%s: the diagnosis was edited, or has no digest; it was accepted with "
			   "--unsealed and proves nothing"),
			 doc_code(d, PL_S("unsealed_input")));
}

static void say_analysis(struct doc *d, const struct report *r)
{
	doc_item(d, _("Analysis: by %s %s, SHA-256 %s"),
		 r->program.p ? doc_name(d, r->program) : _("an unknown program"),
		 r->version.p ? doc_name(d, r->version) : "",
		 r->s.sha256.n ? doc_code(d, r->s.sha256) : _("unknown"));
	if (r->s.unsealed)
		doc_item(d,
			 _("%s: the analysis was edited, or has no digest; it was accepted with "
			   "--unsealed and proves nothing"),
			 doc_code(d, PL_S("unsealed_input")));
	say_diagnosis(d, &r->findings);
	if (r->s.events_read > r->s.events_n)
		doc_item(d, _("Restricted to the event %s, one of %" PRIu64 " in the analysis"),
			 doc_name(d, r->s.events[0].event.label), r->s.events_read);
}

void section_problem(struct doc *d, const struct report *r)
{
	doc_section(d, _("1. Problem"));
	say_given(d, _("Problem"), r->options->problem);
	say_given(d, _("Metric"), r->options->metric);
	for (size_t i = 0; i < r->inputs_n && i < REPORT_INPUTS; i++)
		say_input(d, &r->inputs[i]);
	if (r->inputs_n > REPORT_INPUTS)
		doc_item(d, _("and more inputs: %" PRIu64 " in all"), r->inputs_n);
	say_analysis(d, r);
	if (r->rows < UINT64_MAX)
		doc_item(d,
			 _("Shortened (--max-bytes): rows of a table, and candidates, at most: "
			   "%" PRIu64),
			 r->rows);
	if (r->no_pictures)
		doc_item(d, _("Left out (--max-bytes): flame graphs"));
}

/* ---- 2 ---- */

static void say_status(struct doc *d, const struct pl_summary_event *e)
{
	doc_item(d, _("Status: %s"), doc_strong(d, doc_name(d, e->quality.status)));
	for (size_t i = 0; i < e->reasons.n; i++) {
		const char *words = words_reason(e->reasons.v[i]);
		doc_subitem(d, "%s%s%s", doc_code(d, e->reasons.v[i]), words ? ": " : "",
			    words ? words : "");
	}
}

static void say_totals(struct doc *d, const struct pl_summary_event *e)
{
	const struct pl_analysis_event *event = &e->event;
	const struct pl_analysis_quality *q = &e->quality;

	doc_item(d, _("Event: %s; source: %s; weight source: %s"), doc_name(d, event->name),
		 doc_name(d, event->source), doc_code(d, event->weight_source));
	doc_item(d, _("Total: %s, weight %s"), doc_samples(d, event->samples, event),
		 doc_weight(d, event->weight, event->unit));
	doc_item(d, _("Received: %" PRIu64 " of %s announced"), q->received_samples,
		 doc_samples(d, q->announced_samples, event));
	if (!isnan(event->n_eff))
		doc_item(d, _("Effective sample size: %.1f draws"), event->n_eff);
	if (event->threads)
		doc_item(d,
			 ngettext("Threads: %" PRIu64 " thread", "Threads: %" PRIu64 " threads",
				  event->threads),
			 event->threads);
	else
		doc_item(d, _("Threads: none recorded"));
	doc_item(d, _("Lost: %s"), doc_records(d, event->lost));
}

static void say_unresolved(struct doc *d, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	doc_item(d, _("Unresolved self weight: %s; user %s, kernel %s, other %s; threshold %s"),
		 section_part(d, e, q->unresolved_self), doc_share(d, q->unresolved_self_user_pct),
		 doc_share(d, q->unresolved_self_kernel_pct),
		 doc_share(d, q->unresolved_self_other_pct),
		 doc_share(d, q->unresolved_threshold_pct));
}

/* A format without DSOs leaves nothing unresolved by that; it is a limit of the format. */
static void say_dso(struct doc *d, const struct report *r, const struct pl_summary_event *e)
{
	if (e->modules_n)
		doc_item(d, _("DSOs: %" PRIu64 " recorded; with unresolved self weight: %" PRIu64),
			 e->modules_n, e->unresolved_modules);
	else if (!e->has_dso && pl_str_is(r->s.group_by, "symbol,dso"))
		doc_item(d, _("DSOs: the input format records none; functions of one name in "
			      "different objects cannot be told apart"));
}

static void say_stacks(struct doc *d, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	doc_item(d, _("Call graph: %s in stacks of more than one frame"),
		 section_part(d, e, e->event.multi_frame_weight));
	if (q->unresolved_callers)
		doc_item(d, _("Callers without a name: %s has one in its stack"),
			 section_part(d, e, q->unresolved_callers));
	doc_item(d, _("Samples without a stack: %s"), section_part(d, e, e->event.stackless));
	doc_item(d, _("Stacks known to be cut: %s"), section_part(d, e, q->cut_weight));
	doc_item(d, _("Source lines: %s at leaves with a line"),
		 section_part(d, e, q->source_line_self));
	if (e->event.idle_weight)
		doc_item(d, _("Idle: %s"), section_part(d, e, e->event.idle_weight));
	doc_item(d, "%s: %s", section_is_folded(e) ? _("Largest stack line") : _("Largest sample"),
		 doc_text(d, _("%s of weight"), doc_share(d, q->largest_sample_pct)));
	doc_item(d,
		 _("Inlined: %s; functions of several spellings: %" PRIu64
		   "; callers that may be misnamed: %s"),
		 doc_frames(d, q->inlined_frames), q->merged_symbols,
		 doc_frames(d, q->suspect_callers));
}

static void say_diagnostics(struct doc *d, const struct report *r)
{
	for (size_t i = 0; i < r->s.diagnostics_n; i++) {
		const struct pl_summary_diagnostic *row = &r->s.diagnostics[i];
		doc_item(d,
			 ngettext("Diagnostic %s: %" PRIu64 " time",
				  "Diagnostic %s: %" PRIu64 " times", row->count),
			 doc_code(d, row->code), row->count);
		if (row->message.p)
			doc_more(d, "; %s", doc_name(d, row->message));
		if (row->has_line)
			doc_more(d, _(" (first at line %" PRIu64 ")"), row->line);
		if (row->preview.n)
			doc_more(d, ": %s", doc_name(d, row->preview));
	}
}

static void quality_of_event(struct doc *d, const struct report *r,
			     const struct pl_summary_event *e)
{
	section_event(d, r, e);
	say_status(d, e);
	say_totals(d, e);
	say_unresolved(d, e);
	say_dso(d, r, e);
	say_stacks(d, e);
}

void section_quality(struct doc *d, const struct report *r)
{
	doc_section(d, _("2. Data quality"));
	for (size_t i = 0; i < r->s.events_n; i++)
		quality_of_event(d, r, &r->s.events[i]);
	if (r->s.events_n == 0) {
		doc_paragraph(d, _("The analysis holds no event."));
	} else {
		const struct pl_analysis_quality *q = &r->s.events[0].quality;
		doc_paragraph(d, _("Of the whole input:"));
		doc_item(d, _("Malformed: %s; skipped: %s; replaced: %s"),
			 doc_records(d, q->malformed), doc_records(d, q->skipped),
			 doc_bytes(d, q->replaced));
	}
	say_diagnostics(d, r);
}
