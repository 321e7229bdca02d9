/* pl-report: a report of an analysis, in Markdown or HTML */
#include "analysis.h"
#include "program.h"
#include "report/sections.h"
#include "text.h"

static struct report_options options = {
	.format = "markdown",
	.summary = {.top_n = 20, .call_path_limit = 10, .edges_of = REPORT_EDGES_OF}};

static const struct pl_opt option_table[] = {
	{.name = "analysis",
	 .kind = PL_OPT_ALIAS,
	 .argument = "FILE",
	 .help = N_("another name of --input")},
	{.name = "format",
	 .kind = PL_OPT_CHOICE,
	 .value = &options.format,
	 .argument = "FORMAT",
	 .help = N_("markdown or html, one file that needs no other"),
	 .choices = "markdown|html"},
	{.name = "problem",
	 .kind = PL_OPT_TEXT,
	 .value = &options.problem,
	 .argument = "TEXT",
	 .help = N_("the problem that is looked into, for section 1")},
	{.name = "metric",
	 .kind = PL_OPT_TEXT,
	 .value = &options.metric,
	 .argument = "TEXT",
	 .help = N_("the metric by which an improvement would be judged")},
	{.name = "event",
	 .kind = PL_OPT_TEXT,
	 .value = &options.summary.event,
	 .argument = "LABEL",
	 .help = N_("report on this event only")},
	{.name = "top-n",
	 .kind = PL_OPT_COUNT,
	 .value = &options.summary.top_n,
	 .argument = "N",
	 .help = N_("rows of a hotspot table; the rest is accounted for"),
	 .min = 1,
	 .max = 10000},
	{.name = "call-path-limit",
	 .kind = PL_OPT_COUNT,
	 .value = &options.summary.call_path_limit,
	 .argument = "N",
	 .help = N_("rows of a call path table; the rest is accounted for"),
	 .min = 1,
	 .max = 10000},
	{0},
};

static const struct pl_program program = {
	.name = "pl-report",
	.summary = N_("Write a report of an analysis, in Markdown or HTML"),
	.synopsis = "[option...] [FILE]",
	.options = option_table,
	.limits = PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT |
		 PL_PROGRAM_ARTIFACTS,
};

static void write_report(struct pl_buf *out, const struct report *r)
{
	struct doc d;

	doc_open(&d, out,
		 strcmp(r->options->format, "html") == 0 ? &html_writer : &markdown_writer);
	doc_title(&d, _("Performance report"));
	section_problem(&d, r);
	section_quality(&d, r);
	section_observations(&d, r);
	section_hotspots(&d, r);
	section_paths(&d, r);
	section_candidates(&d, r);
	section_recommendations(&d, r);
	section_conclusions(&d, r);
	doc_close(&d);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_analysis a;
	struct report r = {.options = &options};
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_analysis_open(&a, &m.in, m.unsealed))
		pl_fail(&m, &a.s.err);
	if (pl_summary_read(&r.s, &options.summary, &a, &err))
		pl_fail(&m, &err);
	report_read_origin(&r, &a.s);
	write_report(&m.out.buf, &r);
	pl_analysis_close(&a);
	pl_summary_free(&r.s);
	return pl_finish(&m, PL_EXIT_DONE);
}
