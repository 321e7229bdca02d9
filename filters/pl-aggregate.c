/* pl-aggregate: sum samples into hotspots and call paths */
#include "aggregate/ids.h"
#include "aggregate/intake.h"
#include "aggregate/partial.h"
#include "aggregate/rows.h"
#include "program.h"
#include "text.h"

#include <inttypes.h>

enum { CELLS = 4 }; /* sums that a distinct frame may take room for, over all events */

static struct {
	const char *group_by, *event;
	uint64_t unresolved_threshold;
	bool paths, partial, merge, allow_empty;
} opt = {.group_by = "symbol,dso", .paths = true};

static const struct pl_opt options[] = {
	{.name = "group-by",
	 .kind = PL_OPT_CHOICE,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.group_by,
	 .argument = "WHAT",
	 .choices = "symbol,dso|symbol|dso|comm|tid|source",
	 .help = N_("what makes a row")},
	{.name = "event",
	 .kind = PL_OPT_TEXT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.event,
	 .argument = "NAME",
	 .help = N_("only this event")},
	{.name = "no-paths",
	 .kind = PL_OPT_NOFLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.paths,
	 .help = N_("no call paths: memory then depends on distinct frames only")},
	{.name = "unresolved-threshold",
	 .kind = PL_OPT_MICRO,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.unresolved_threshold,
	 .argument = "PERCENT",
	 .max = 100000000,
	 .help = N_("unresolved self weight up to this leaves an analysis verified")},
	{.name = "partial",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.partial,
	 .help = N_("write sums that can be merged, before ranking and capping")},
	{.name = "merge",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.merge,
	 .help = N_("read what --partial wrote")},
	{.name = "allow-empty",
	 .kind = PL_OPT_FLAG,
	 .value = &opt.allow_empty,
	 .help = N_("no samples are no error")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-aggregate",
	.summary = N_("Sum samples into hotspots and call paths"),
	.synopsis = "[option...] [FILE...]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_RECORDS) | PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) |
		  PL_LIMIT_BIT(PL_LIMIT_UNIQUE_CALL_PATHS) | PL_LIMIT_BIT(PL_LIMIT_WARNINGS) |
		  PL_LIMIT_BIT(PL_LIMIT_TOP_N) | PL_LIMIT_BIT(PL_LIMIT_CALL_PATH) |
		  PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS,
};

static enum group_by read_group_by(const char *text)
{
	enum group_by g = BY_SYMBOL_DSO;

	while (g < BY_SOURCE && strcmp(text, group_by_text(g)) != 0)
		g++;
	return g;
}

static int read_samples(struct profile *p, struct sources *sources, struct pl_main *m)
{
	struct pl_samples samples;
	int status;

	if (pl_samples_open(&samples, &m->in)) {
		p->err = samples.s.err;
		status = -1;
	} else {
		samples.no_tape = true;
		status = intake_read(p, sources, &samples, m->limits.v[PL_LIMIT_RECORDS],
				     m->limits.v[PL_LIMIT_UNIQUE_FRAMES]);
	}
	pl_samples_close(&samples);
	return status;
}

static void read_inputs(struct profile *p, struct sources *sources, struct pl_main *m)
{
	int got;

	while ((got = pl_in_next(&m->in)) > 0)
		if (opt.merge ? partial_read(p, sources, m) : read_samples(p, sources, m))
			pl_fail(m, &p->err);
	if (got < 0)
		pl_fail(m, &m->in.err);
	if (opt.merge)
		sources_sort(sources);
}

static void check_not_empty(const struct profile *p, struct pl_main *m)
{
	uint64_t samples = 0, lost = 0;
	struct pl_err err;

	for (size_t i = 0; i < p->tallies_n; i++) {
		samples += p->tallies[i]->samples;
		lost = p->tallies[i]->lost > lost ? p->tallies[i]->lost : lost;
	}
	if (samples || opt.allow_empty)
		return;
	if (opt.event)
		pl_err_set(&err, PL_E_NO_SAMPLES, _("there are no samples of event '%s'"),
			   opt.event);
	else if (lost)
		pl_err_set(&err, PL_E_NO_SAMPLES,
			   _("there are no samples: the recorder lost %" PRIu64), lost);
	else
		pl_err_set(&err, PL_E_NO_SAMPLES, _("there are no samples"));
	pl_err_action(&err, _("--allow-empty writes an empty analysis"));
	pl_fail(m, &err);
}

/* Rows that are all "unknown" are no error, but seldom what was wanted. */
static void note_grouping(const struct profile *p, const struct pl_main *m)
{
	static const char *const lacking[] = {
		[BY_COMM] = N_("no sample names its thread: there is one row, unknown"),
		[BY_TID] = N_("no sample has a thread: there is one row, unknown"),
		[BY_SOURCE] = N_("no frame has a source line: there is one row, unknown"),
	};

	if (!opt.merge && !p->grouped && p->group_by >= BY_COMM)
		pl_note(m, "%s", _(lacking[p->group_by]));
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct profile p;
	struct sources sources;

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	profile_start(&p);
	p.group_by = read_group_by(opt.group_by);
	p.paths_kept = opt.paths;
	p.only_event = opt.event;
	p.max_cells = m.limits.v[PL_LIMIT_UNIQUE_FRAMES] > UINT64_MAX / CELLS
			      ? UINT64_MAX
			      : CELLS * m.limits.v[PL_LIMIT_UNIQUE_FRAMES];
	p.max_paths = m.limits.v[PL_LIMIT_UNIQUE_CALL_PATHS];
	sources_start(&sources, m.limits.v[PL_LIMIT_WARNINGS]);
	if (!opt.partial)
		pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	read_inputs(&p, &sources, &m);
	check_not_empty(&p, &m);
	note_grouping(&p, &m);
	const struct rows_options rows = {m.limits.v[PL_LIMIT_TOP_N],
					  m.limits.v[PL_LIMIT_CALL_PATH], opt.unresolved_threshold};
	if (opt.partial ? partial_write(&p, &sources, &m) : rows_write(&p, &sources, &rows, &m))
		pl_fail(&m, &p.err);
	profile_free(&p);
	sources_free(&sources);
	return pl_finish(&m, PL_EXIT_DONE);
}
