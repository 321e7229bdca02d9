/* pl-flame: a flame graph of samples or of an analysis, or of the difference of two */
#include "flamesvg.h"
#include "program.h"
#include "text.h"

enum { MIN_WIDTH = 100000, MINIMUM_DELTA = 1000000 };

static struct {
	bool diff, icicle;
	const char *event, *title, *color, *width_by;
	uint64_t min_width, minimum_delta;
} options = {.color = "kind",
	     .width_by = "after",
	     .min_width = MIN_WIDTH,
	     .minimum_delta = MINIMUM_DELTA};

static const struct pl_opt option_table[] = {
	{.name = "diff",
	 .kind = PL_OPT_FLAG,
	 .value = &options.diff,
	 .help = N_("show how the shares changed from the first of two inputs to the second")},
	{.name = "event",
	 .kind = PL_OPT_TEXT,
	 .value = &options.event,
	 .argument = "LABEL",
	 .help = N_("show this event")},
	{.name = "title",
	 .kind = PL_OPT_TEXT,
	 .value = &options.title,
	 .argument = "TEXT",
	 .help = N_("what stands above the picture")},
	{.name = "icicle",
	 .kind = PL_OPT_FLAG,
	 .value = &options.icicle,
	 .help = N_("callers above what they call, not below")},
	{.name = "color",
	 .kind = PL_OPT_CHOICE,
	 .value = &options.color,
	 .argument = "BY",
	 .help = N_("what colours tell: user, kernel, JIT, inlined; or the module"),
	 .choices = "kind|module"},
	{.name = "min-width",
	 .kind = PL_OPT_MICRO,
	 .value = &options.min_width,
	 .argument = "PX",
	 .help = N_("leave out frames that are narrower, and say how many; of 1180"),
	 .max = 1180000000},
	{.name = "width-by",
	 .kind = PL_OPT_CHOICE,
	 .value = &options.width_by,
	 .argument = "SIDE",
	 .help = N_("with --diff: whose shares the widths are"),
	 .choices = "after|before"},
	{.name = "minimum-delta-percent",
	 .kind = PL_OPT_MICRO,
	 .value = &options.minimum_delta,
	 .argument = "N",
	 .help = N_("with --diff: percentage points from which on a share has changed, where "
		    "weights are no draws, so that there is no interval"),
	 .max = 100000000},
	{0},
};

static const struct pl_program program = {
	.name = "pl-flame",
	.summary = N_("Draw a flame graph of samples or of an analysis, as SVG"),
	.synopsis = "[option...] [FILE] | --diff [option...] BEFORE AFTER",
	.options = option_table,
	.limits = PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) | PL_LIMIT_BIT(PL_LIMIT_UNIQUE_CALL_PATHS) |
		  PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ARTIFACTS,
};

static _Noreturn void fail_usage(struct pl_main *m, const char *message)
{
	struct pl_err err = {0};

	pl_err_set(&err, PL_E_INVALID_INPUT, "%s", message);
	pl_err_action(&err, _("see --help"));
	pl_fail(m, &err);
}

/* An option that would change nothing is most likely a mistake. */
static void check_options(struct pl_main *m)
{
	size_t n = m->args.operands.n;

	if (options.diff && n != 2)
		fail_usage(m, _("--diff wants two inputs, before and after"));
	if (!options.diff && n > 1)
		fail_usage(m, _("one input only; a difference of two is made with --diff"));
	if (!options.diff && strcmp(options.width_by, "after") != 0)
		fail_usage(m, _("--width-by goes with --diff"));
	if (!options.diff && options.minimum_delta != MINIMUM_DELTA)
		fail_usage(m, _("--minimum-delta-percent goes with --diff"));
	if (options.diff && strcmp(options.color, "kind") != 0)
		fail_usage(m, _("colours of a difference tell the change: no --color with --diff"));
}

/* Reads the next input into one side of the tree. */
static struct pl_stacks_event *read_side(struct pl_main *m, struct pl_stacks *k,
					 struct pl_calltree *t, unsigned side)
{
	uint32_t event;

	if (pl_in_next(&m->in) < 0)
		pl_fail(m, &m->in.err);
	if (pl_stacks_open(k, &m->in, m->unsealed))
		pl_fail(m, &k->err);
	k->only = options.event;
	k->max_frames = m->limits.v[PL_LIMIT_UNIQUE_FRAMES];
	if (pl_calltree_fill(t, k, side, &event))
		pl_fail(m, &t->err);
	if (k->stream->unsealed)
		pl_note(m, _("accepted with --unsealed: the analysis was edited or has no digest, "
			     "and whatever the picture shows proves nothing"));
	return &k->events[event];
}

static struct pl_str grouping(const struct pl_stacks *k)
{
	return k->analysis ? k->analysis->group_by : PL_S("symbol,dso");
}

/* Shares of two different things have no difference. */
static void check_same(struct pl_main *m, const struct pl_stacks k[2],
		       struct pl_stacks_event *const e[2])
{
	struct pl_str before[] = {e[0]->name, e[0]->unit, e[0]->weight_source, grouping(&k[0])};
	struct pl_str after[] = {e[1]->name, e[1]->unit, e[1]->weight_source, grouping(&k[1])};
	const char *const what[] = {_("event"), _("unit"), _("source of weights"), _("grouping")};
	struct pl_err err = {0};

	for (size_t i = 0; i < PL_COUNT(what); i++) {
		if (pl_str_eq(before[i], after[i]))
			continue;
		pl_err_set(&err, PL_E_INVALID_INPUT,
			   _("the two inputs are not of the same %s: '%.*s' and '%.*s'"), what[i],
			   (int)(before[i].n < 128 ? before[i].n : 128), before[i].p,
			   (int)(after[i].n < 128 ? after[i].n : 128), after[i].p);
		pl_fail(m, &err);
	}
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_stacks stacks[PL_CALLTREE_SIDES];
	struct pl_stacks_event *events[PL_CALLTREE_SIDES] = {NULL};
	struct pl_calltree tree;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	check_options(&m);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	unsigned sides = options.diff ? 2 : 1;
	pl_calltree_start(&tree, sides);
	tree.by_function = options.diff;
	tree.max_paths = m.limits.v[PL_LIMIT_UNIQUE_CALL_PATHS];
	for (unsigned side = 0; side < sides; side++)
		events[side] = read_side(&m, &stacks[side], &tree, side);
	if (options.diff)
		check_same(&m, stacks, events);
	pl_calltree_finish(&tree);
	pl_calltree_sort(&tree, pl_calltree_by_name);
	const struct pl_flamesvg picture = {
		.tree = &tree,
		.event = {events[0], events[1]},
		.title = options.title,
		.icicle = options.icicle,
		.by_module = strcmp(options.color, "module") == 0,
		.width_by = options.diff && strcmp(options.width_by, "after") == 0,
		.min_width = options.min_width,
		.minimum_delta = options.minimum_delta,
		.max_bytes = m.limits.v[PL_LIMIT_OUTPUT_BYTES],
	};
	if (pl_flamesvg_write(&m.out.buf, &picture, &err))
		pl_fail(&m, &err);
	pl_calltree_free(&tree);
	for (unsigned side = 0; side < sides; side++)
		pl_stacks_close(&stacks[side]);
	return pl_finish(&m, PL_EXIT_DONE);
}
