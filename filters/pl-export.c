/* pl-export: a profile for other tools: speedscope, pprof, folded stacks, CSV, Firefox Profiler */
#include "export/export.h"
#include "text.h"

static const struct exporter *const exporters[] = {
	&speedscope_exporter, &pprof_exporter, &folded_exporter, &csv_exporter, &firefox_exporter};

static struct {
	const char *to, *event;
} options;

static const struct pl_opt table[] = {
	{.name = "to",
	 .kind = PL_OPT_CHOICE,
	 .value = &options.to,
	 .argument = "FORMAT",
	 .help = N_("speedscope, pprof, folded, csv or firefox"),
	 .choices = "speedscope|pprof|folded|csv|firefox"},
	{.name = "event",
	 .kind = PL_OPT_TEXT,
	 .value = &options.event,
	 .argument = "LABEL",
	 .help = N_("export this event only")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-export",
	.summary = N_("Write samples or an analysis in the format of another tool"),
	.synopsis = "--to FORMAT [option...] [FILE]",
	.options = table,
	.limits = PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) | PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT |
		 PL_PROGRAM_ARTIFACTS,
};

static const struct exporter *choose(struct pl_main *m)
{
	struct pl_err err;

	for (size_t i = 0; options.to && i < PL_COUNT(exporters); i++)
		if (strcmp(options.to, exporters[i]->name) == 0)
			return exporters[i];
	pl_err_set(&err, PL_E_INVALID_INPUT, _("which format is wanted?"));
	pl_err_action(&err, _("--to speedscope, pprof, folded, csv or firefox"));
	pl_fail(m, &err);
}

/* Where several events were chosen among, there must be one; where all are written, one that was
 * asked for must be there. */
static void check_events(struct pl_main *m, struct pl_stacks *k, const struct exporter *x)
{
	struct pl_err err;

	for (size_t i = 0; i < k->events_n; i++) {
		if (k->events[i].has_paths)
			continue;
		pl_err_set(&err, PL_E_INVALID_INPUT,
			   _("the analysis was made without call paths (--no-paths)"));
		pl_err_action(&err, _("make it again with them, or export its rows: --to csv"));
		pl_fail(m, &err);
	}
	if ((x->one_event || k->only) && pl_stacks_one(k) < 0 &&
	    (k->only || k->err.code != PL_E_NO_SAMPLES))
		pl_fail(m, &k->err);
}

static void export_stacks(struct pl_main *m, struct pl_stacks *k, const struct exporter *x)
{
	void *state = pl_alloc(x->size);
	struct pl_buf *out = &m->out.buf;
	struct pl_err err = {0};
	enum pl_stacks_kind kind;

	while ((kind = pl_stacks_next(k)) == PL_STACKS_STACK)
		if (x->take(state, k, out, &err))
			pl_fail(m, &err);
		else if (x->streams && !k->analysis && pl_out_poll(&m->out))
			pl_fail(m, &m->out.err);
	if (kind < 0)
		pl_fail(m, &k->err);
	check_events(m, k, x);
	while (pl_stacks_rest(k) == PL_STACKS_STACK)
		if (x->take(state, k, out, &err))
			pl_fail(m, &err);
	if (x->end(state, k, out, &err))
		pl_fail(m, &err);
	if (x->note)
		x->note(state, m);
	x->free(state);
	free(state);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_stacks k;
	struct pl_err err = {0};

	pl_start(&m, &program, argc, argv);
	const struct exporter *x = choose(&m);
	pl_open(&m);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_stacks_open(&k, &m.in, m.unsealed))
		pl_fail(&m, &k.err);
	if (k.analysis || !x->streams)
		pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	k.only = options.event;
	k.max_frames = m.limits.v[PL_LIMIT_UNIQUE_FRAMES];
	if (!k.analysis || x != &csv_exporter)
		export_stacks(&m, &k, x);
	else if (csv_rows(k.analysis, options.event, &m.out.buf, &err))
		pl_fail(&m, &err);
	pl_stacks_close(&k);
	return pl_finish(&m, PL_EXIT_DONE);
}
