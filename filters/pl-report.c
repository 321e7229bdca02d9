/* pl-report: a report of an analysis, in Markdown or HTML */
#include "analysis.h"
#include "program.h"
#include "report/sections.h"
#include "text.h"

static struct report_options options = {
	.format = "markdown",
	.candidate_limit = 20,
	.summary = {.top_n = 20, .call_path_limit = 10, .edges_of = REPORT_EDGES_OF}};

static const struct pl_opt option_table[] = {
	{.name = "analysis",
	 .kind = PL_OPT_ALIAS,
	 .argument = "FILE",
	 .help = N_("another name of --input")},
	{.name = "diagnosis",
	 .kind = PL_OPT_TEXT,
	 .value = &options.diagnosis,
	 .argument = "FILE",
	 .help = N_("what pl-classify says about the analysis, for candidates and gaps")},
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
	{.name = "top",
	 .kind = PL_OPT_COUNT,
	 .value = &options.summary.top_n,
	 .argument = "N",
	 .help = N_("rows of a hotspot table; the rest is accounted for"),
	 .min = 1,
	 .max = 10000},
	{.name = "top-n",
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_HIDDEN,
	 .value = &options.summary.top_n,
	 .argument = "N",
	 .help = N_("another name of --top"),
	 .min = 1,
	 .max = 10000},
	{.name = "call-path-limit",
	 .kind = PL_OPT_COUNT,
	 .value = &options.summary.call_path_limit,
	 .argument = "N",
	 .help = N_("rows of a call path table; the rest is accounted for"),
	 .min = 1,
	 .max = 10000},
	{.name = "candidate-limit",
	 .kind = PL_OPT_COUNT,
	 .value = &options.candidate_limit,
	 .argument = "N",
	 .help = N_("candidates of an event; the rest is counted"),
	 .min = 1,
	 .max = 10000},
	{.name = "max-bytes",
	 .kind = PL_OPT_SIZE,
	 .value = &options.max_bytes,
	 .argument = "SIZE",
	 .help = N_("size of the report: rows are left out, and said to be, until it fits")},
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
	section_gaps(&d, r);
	section_recommendations(&d, r);
	section_conclusions(&d, r);
	doc_close(&d);
}

/* Rows of the longest table that there is. */
static uint64_t most_rows(const struct report *r)
{
	uint64_t n = FINDINGS_GAPS; /* and the categories, which are fewer */

	for (size_t i = 0; i < r->s.events_n; i++) {
		const struct pl_summary_event *e = &r->s.events[i];
		const struct findings_event *f = report_findings(r, e);
		uint64_t tables[] = {e->work.n, e->idle.n, e->paths_n, f ? f->candidates_n : 0,
				     f ? f->categories_n : 0};
		for (size_t t = 0; t < PL_COUNT(tables); t++)
			n = tables[t] > n ? tables[t] : n;
	}
	return n;
}

static size_t write_rows(struct pl_buf *out, struct report *r, uint64_t rows)
{
	r->rows = rows;
	pl_buf_clear(out);
	write_report(out, r);
	return out->n;
}

/* The report with as many rows as fit into max_bytes; rows are worth more than pictures. 0, or -1:
 * not even one without any does. */
static int write_bounded(struct pl_buf *out, struct report *r, struct pl_err *err)
{
	uint64_t max = r->options->max_bytes, fits = 0, too_many;
	size_t least;

	if (write_rows(out, r, UINT64_MAX) <= max || max == 0)
		return 0;
	r->no_pictures = r->pictures.n > 0;
	if (r->no_pictures && write_rows(out, r, UINT64_MAX) <= max)
		return 0;
	least = write_rows(out, r, 0);
	if (least > max) {
		pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			   _("a report without any rows has %zu bytes already"), least);
		return pl_err_action(err, _("raise --max-bytes, or choose one event (--event)"));
	}
	too_many = most_rows(r) + 1;
	while (fits + 1 < too_many) {
		uint64_t middle = fits + (too_many - fits) / 2;
		if (write_rows(out, r, middle) <= max)
			fits = middle;
		else
			too_many = middle;
	}
	write_rows(out, r, fits);
	return 0;
}

/* Opens the diagnosis while files can be opened. */
static void open_diagnosis(struct pl_main *m, struct pl_in *in)
{
	const struct pl_in_options in_options = {.max_line = PL_STREAM_LINE_MAX};
	struct pl_err err;

	if (!options.diagnosis)
		return;
	if (strcmp(options.diagnosis, "-") == 0) {
		pl_err_set(&err, PL_E_INVALID_INPUT,
			   _("--diagnosis must be a file: standard input is the analysis"));
		pl_fail(m, &err);
	}
	if (pl_in_open(in, &options.diagnosis, 1, &in_options))
		pl_fail(m, &in->err);
	m->beside = in;
}

static void read_all(struct pl_main *m, struct report *r, struct pl_in *diagnosis)
{
	struct pl_analysis a;
	struct pl_err err;

	if (pl_in_next(&m->in) < 0)
		pl_fail(m, &m->in.err);
	if (pl_analysis_open(&a, &m->in, m->unsealed))
		pl_fail(m, &a.s.err);
	if (strcmp(options.format, "html") == 0) {
		options.summary.row = pictures_row;
		options.summary.row_to = &r->pictures;
	}
	if (pl_summary_read(&r->s, &options.summary, &a, &err) ||
	    pictures_draw(&r->pictures, m->limits.v[PL_LIMIT_OUTPUT_BYTES], &err))
		pl_fail(m, &err);
	report_read_origin(r, &a.s);
	pl_analysis_close(&a);
	if (options.diagnosis && findings_read(&r->findings, &r->s, options.candidate_limit,
					       diagnosis, m->unsealed, &err))
		pl_fail(m, &err);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_in diagnosis = {0};
	struct report r = {.options = &options};
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	open_diagnosis(&m, &diagnosis);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	read_all(&m, &r, &diagnosis);
	if (write_bounded(&m.out.buf, &r, &err))
		pl_fail(&m, &err);
	findings_free(&r.findings);
	pictures_free(&r.pictures);
	pl_summary_free(&r.s);
	if (options.diagnosis)
		pl_in_close(&diagnosis);
	return pl_finish(&m, PL_EXIT_DONE);
}
