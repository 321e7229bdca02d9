/* section_input: what was asked, what was read, and how good it is */
#include "figure.h"
#include "num.h"
#include "sections.h"
#include "text.h"
#include "words.h"

#include <inttypes.h>
#include <math.h>

void section_event(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	if (r->s.events_n > 1)
		md_say(m, _("### Event: %s\n\n"), md_name(m, e->event.label));
}

bool section_is_folded(const struct pl_summary_event *e)
{
	return pl_str_is(e->event.weight_source, "folded_weight");
}

const char *section_part(struct md *m, const struct pl_summary_event *e, uint64_t weight)
{
	return md_text(m, _("%s, %s of weight"), md_weight(m, weight, e->event.unit),
		       md_share(m, pl_num_percent(weight, e->event.weight)));
}

/* ---- 1 ---- */

static void say_given(struct md *m, const char *what, const char *text)
{
	md_say(m, "- %s: %s\n", what, text ? md_name(m, pl_str(text)) : _("not stated"));
}

static void say_input(struct md *m, const struct report_input *in)
{
	md_say(m, _("- Input: %s"), in->format.p ? md_name(m, in->format) : _("unknown format"));
	if (in->has_bytes)
		md_say(m, ", %s", md_bytes(m, in->bytes));
	if (in->has_lines && in->lines) /* a recording has none */
		md_say(m, ngettext(", %" PRIu64 " line", ", %" PRIu64 " lines", in->lines),
		       in->lines);
	if (in->sha256.p)
		md_say(m, ", SHA-256 %s\n", md_code(m, in->sha256));
	else
		md_say(m, _(", no SHA-256\n"));
}

static void say_analysis(struct md *m, const struct report *r)
{
	md_say(m, _("- Analysis: by %s %s, SHA-256 %s\n"),
	       r->program.p ? md_name(m, r->program) : _("an unknown program"),
	       r->version.p ? md_name(m, r->version) : "",
	       r->s.sha256.n ? md_code(m, r->s.sha256) : _("unknown"));
	if (r->s.unsealed)
		md_say(m, _("- `unsealed_input`: the analysis was edited, or has no digest; it was "
			    "accepted with --unsealed and proves nothing\n"));
	if (r->s.events_read > r->s.events_n)
		md_say(m, _("- Restricted to the event %s, one of %" PRIu64 " in the analysis\n"),
		       md_name(m, r->s.events[0].event.label), r->s.events_read);
}

void section_problem(struct md *m, const struct report *r)
{
	md_say(m, _("## 1. Problem\n\n"));
	say_given(m, _("Problem"), r->options->problem);
	say_given(m, _("Metric"), r->options->metric);
	for (size_t i = 0; i < r->inputs_n && i < REPORT_INPUTS; i++)
		say_input(m, &r->inputs[i]);
	if (r->inputs_n > REPORT_INPUTS)
		md_say(m, _("- and more inputs: %" PRIu64 " in all\n"), r->inputs_n);
	say_analysis(m, r);
	md_say(m, "\n");
}

/* ---- 2 ---- */

static void say_status(struct md *m, const struct pl_summary_event *e)
{
	md_say(m, _("- Status: **%s**\n"), md_name(m, e->quality.status));
	for (size_t i = 0; i < e->reasons.n; i++) {
		const char *words = words_reason(e->reasons.v[i]);
		md_say(m, "  - %s%s%s\n", md_code(m, e->reasons.v[i]), words ? ": " : "",
		       words ? words : "");
	}
}

static void say_totals(struct md *m, const struct pl_summary_event *e)
{
	const struct pl_analysis_event *event = &e->event;
	const struct pl_analysis_quality *q = &e->quality;

	md_say(m, _("- Event: %s; source: %s; weight source: %s\n"), md_name(m, event->name),
	       md_name(m, event->source), md_code(m, event->weight_source));
	md_say(m, _("- Total: %s, weight %s\n"), md_samples(m, event->samples, event),
	       md_weight(m, event->weight, event->unit));
	md_say(m, _("- Received: %" PRIu64 " of %s announced\n"), q->received_samples,
	       md_samples(m, q->announced_samples, event));
	if (!isnan(event->n_eff))
		md_say(m, _("- Effective sample size: %.1f draws\n"), event->n_eff);
	if (event->threads)
		md_say(m,
		       ngettext("- Threads: %" PRIu64 " thread\n",
				"- Threads: %" PRIu64 " threads\n", event->threads),
		       event->threads);
	else
		md_say(m, _("- Threads: none recorded\n"));
	md_say(m, _("- Lost: %s\n"), md_records(m, event->lost));
}

static void say_unresolved(struct md *m, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	md_say(m, _("- Unresolved self weight: %s; user %s, kernel %s, other %s; threshold %s\n"),
	       section_part(m, e, q->unresolved_self), md_share(m, q->unresolved_self_user_pct),
	       md_share(m, q->unresolved_self_kernel_pct),
	       md_share(m, q->unresolved_self_other_pct), md_share(m, q->unresolved_threshold_pct));
}

/* A format without DSOs leaves nothing unresolved by that; it is a limit of the format. */
static void say_dso(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	if (e->modules_n)
		md_say(m,
		       _("- DSOs: %" PRIu64 " recorded; with unresolved self weight: %" PRIu64
			 "\n"),
		       e->modules_n, e->unresolved_modules);
	else if (!e->has_dso && pl_str_is(r->s.group_by, "symbol,dso"))
		md_say(m, _("- DSOs: the input format records none; functions of one name in "
			    "different objects cannot be told apart\n"));
}

static void say_stacks(struct md *m, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	md_say(m, _("- Call graph: %s in stacks of more than one frame\n"),
	       section_part(m, e, e->event.multi_frame_weight));
	if (q->unresolved_callers)
		md_say(m, _("- Callers without a name: %s has one in its stack\n"),
		       section_part(m, e, q->unresolved_callers));
	md_say(m, _("- Samples without a stack: %s\n"), section_part(m, e, e->event.stackless));
	md_say(m, _("- Stacks known to be cut: %s\n"), section_part(m, e, q->cut_weight));
	md_say(m, _("- Source lines: %s at leaves with a line\n"),
	       section_part(m, e, q->source_line_self));
	if (e->event.idle_weight)
		md_say(m, _("- Idle: %s\n"), section_part(m, e, e->event.idle_weight));
	md_say(m, "- %s: %s\n",
	       section_is_folded(e) ? _("Largest stack line") : _("Largest sample"),
	       md_text(m, _("%s of weight"), md_share(m, q->largest_sample_pct)));
	md_say(m,
	       _("- Inlined: %s; functions of several spellings: %" PRIu64
		 "; callers that may be misnamed: %s\n"),
	       md_frames(m, q->inlined_frames), q->merged_symbols,
	       md_frames(m, q->suspect_callers));
}

static void module_row(struct md *m, const struct pl_summary_event *e,
		       const struct pl_analysis_module *module)
{
	md_cell(m, md_name(m, module->dso));
	md_cell(m, module->build_id.p ? md_code(m, module->build_id) : _("unknown"));
	md_cell(m, module->reason.p ? md_code(m, module->reason) : _("unknown"));
	md_cell(m, md_text(m, "%" PRIu64, module->self));
	md_cell(m, md_share(m, module->self_pct));
	md_cell(m, md_text(m, "%" PRIu64, module->unresolved_self));
	md_cell(m, md_share(m, pl_num_percent(module->unresolved_self, e->event.weight)));
	md_row_end(m);
}

static void module_table(struct md *m, const struct pl_summary_event *e)
{
	const char *unit = md_name(m, pl_figure_unit(e->event.unit, 0));
	uint64_t shown = 0;

	md_say(m,
	       _("\n| DSO | Build ID | Reason | Self, %s | Self, %% of weight | Unresolved self, "
		 "%s | Unresolved self, %% of weight |\n"),
	       unit, unit);
	md_rule(m, 3, 4);
	for (size_t i = 0; i < e->modules_kept; i++) {
		shown += e->modules[i].unresolved_self;
		module_row(m, e, &e->modules[i]);
	}
	md_say(m,
	       ngettext("\n%zu of %" PRIu64 " DSO with unresolved self weight shown, %s of "
			"unresolved self weight; other: %s\n",
			"\n%zu of %" PRIu64 " DSOs with unresolved self weight shown, %s of "
			"unresolved self weight; other: %s\n",
			e->unresolved_modules),
	       e->modules_kept, e->unresolved_modules,
	       md_coverage(m, pl_num_percent(shown, e->quality.unresolved_self)),
	       section_part(m, e, e->quality.unresolved_self - shown));
}

static void say_diagnostics(struct md *m, const struct report *r)
{
	for (size_t i = 0; i < r->s.diagnostics_n; i++) {
		const struct pl_summary_diagnostic *d = &r->s.diagnostics[i];
		md_say(m,
		       ngettext("- Diagnostic %s: %" PRIu64 " time",
				"- Diagnostic %s: %" PRIu64 " times", d->count),
		       md_code(m, d->code), d->count);
		if (d->message.p)
			md_say(m, "; %s", md_name(m, d->message));
		if (d->has_line)
			md_say(m, _(" (first at line %" PRIu64 ")"), d->line);
		if (d->preview.n)
			md_say(m, ": %s", md_name(m, d->preview));
		md_say(m, "\n");
	}
}

static void quality_of_event(struct md *m, const struct report *r, const struct pl_summary_event *e)
{
	section_event(m, r, e);
	say_status(m, e);
	say_totals(m, e);
	say_unresolved(m, e);
	say_dso(m, r, e);
	say_stacks(m, e);
	if (e->modules_kept)
		module_table(m, e);
	md_say(m, "\n");
}

void section_quality(struct md *m, const struct report *r)
{
	md_say(m, _("## 2. Data quality\n\n"));
	for (size_t i = 0; i < r->s.events_n; i++)
		quality_of_event(m, r, &r->s.events[i]);
	if (r->s.events_n == 0) {
		md_say(m, _("The analysis holds no event.\n\n"));
	} else {
		const struct pl_analysis_quality *q = &r->s.events[0].quality;
		md_say(m, _("Of the whole input:\n\n- Malformed: %s; skipped: %s; replaced: %s\n"),
		       md_records(m, q->malformed), md_records(m, q->skipped),
		       md_bytes(m, q->replaced));
	}
	say_diagnostics(m, r);
	md_say(m, r->s.events_n || r->s.diagnostics_n ? "\n" : "");
}
