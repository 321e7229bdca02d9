/* pl-bundle: an analysis and what was made of it, bound together in one ZIP */
#include "bundle/part.h"
#include "mem.h"
#include "program.h"
#include "text.h"
#include "zip.h"

#include <stdlib.h>
#include <unistd.h>

/* What is named by options of their own, by enum pl_bundle_part. */
static const char *paths[PL_BUNDLE_PARTS];

static const struct pl_opt option_table[] = {
	{.name = "analysis",
	 .kind = PL_OPT_ALIAS,
	 .argument = "FILE",
	 .help = N_("another name of --input")},
	{.name = "diagnosis",
	 .kind = PL_OPT_TEXT,
	 .value = &paths[PL_BUNDLE_DIAGNOSIS],
	 .argument = "FILE",
	 .help = N_("add this diagnosis of the analysis")},
	{.name = "report",
	 .kind = PL_OPT_TEXT,
	 .value = &paths[PL_BUNDLE_REPORT],
	 .argument = "FILE",
	 .help = N_("add this report of the analysis, Markdown or HTML")},
	{.name = "comparison",
	 .kind = PL_OPT_TEXT,
	 .value = &paths[PL_BUNDLE_COMPARISON],
	 .argument = "FILE",
	 .help = N_("add this comparison of the analysis with another")},
	{.name = "verification",
	 .kind = PL_OPT_TEXT,
	 .value = &paths[PL_BUNDLE_VERIFICATION],
	 .argument = "FILE",
	 .help = N_("add this verification of the analysis")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-bundle",
	.summary = N_("Put an analysis and what was made of it into one ZIP that can be verified"),
	.synopsis = "[option...] [FILE]",
	.options = option_table,
	.limits = PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ARTIFACTS,
};

static _Noreturn void fail_usage(struct pl_main *m, const char *message, const char *action)
{
	struct pl_err err;

	pl_err_set(&err, PL_E_INVALID_INPUT, "%s", message);
	pl_err_action(&err, "%s", action);
	pl_fail(m, &err);
}

/* All parts become inputs, in the order of enum pl_bundle_part, so that each is opened before
 * anything is read, and none can be the output. */
static void take_paths(struct pl_main *m, struct pl_list *inputs)
{
	static const char *all[PL_BUNDLE_PARTS];

	if (inputs->n > 1)
		fail_usage(m, _("there is more than one analysis"), _("see --help"));
	paths[PL_BUNDLE_ANALYSIS] = inputs->n ? inputs->v[0] : "-";
	free(inputs->v);
	*inputs = (struct pl_list){.v = pl_alloc(sizeof all), .cap = PL_COUNT(all)};
	for (int i = 0; i < PL_BUNDLE_PARTS; i++)
		if (paths[i])
			inputs->v[inputs->n++] = paths[i];
}

static void check_terminal(struct pl_main *m)
{
	if ((!m->output || strcmp(m->output, "-") == 0) && isatty(STDOUT_FILENO))
		fail_usage(m, _("a ZIP is not written to a terminal"),
			   _("name a file with --output, or lead the output into one"));
}

static int read_parts(struct parts *parts, struct pl_main *m, struct pl_err *err)
{
	for (int i = 0; i < PL_BUNDLE_PARTS; i++) {
		if (!paths[i])
			continue;
		if (pl_in_next(&m->in) < 0) {
			*err = m->in.err;
			return -1;
		}
		if (part_read(parts, i, &m->in, m, err))
			return -1;
	}
	return parts_check(parts, err);
}

/* Each part is let go when it was copied: the bundle is in memory once, and its greatest part. */
static int write_zip(struct pl_buf *out, struct parts *parts, const struct pl_main *m,
		     struct pl_err *err)
{
	struct pl_zip_writer w = {.out = out};
	struct pl_buf manifest = {0};

	manifest_write(&manifest, parts, m);
	int failed = pl_zip_add(&w, pl_bundle_files[0].name, pl_buf_str(&manifest));
	for (int i = 0; i < PL_BUNDLE_PARTS && !failed; i++) {
		struct part *p = &parts->v[i];
		if (!p->file)
			continue;
		failed = pl_zip_add(&w, p->file->name, pl_buf_str(&p->bytes));
		pl_buf_free(&p->bytes);
	}
	failed = failed || pl_zip_end(&w);
	*err = w.err;
	pl_buf_free(&manifest);
	return failed;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct parts parts = {0};
	struct pl_err err = {0};

	pl_start(&m, &program, argc, argv);
	take_paths(&m, &m.args.operands);
	check_terminal(&m);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	if (read_parts(&parts, &m, &err) || write_zip(&m.out.buf, &parts, &m, &err))
		pl_fail(&m, &err);
	parts_free(&parts);
	return pl_finish(&m, PL_EXIT_DONE);
}
