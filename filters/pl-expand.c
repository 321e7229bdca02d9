/* pl-expand: samples that carry their frames themselves, or folded stacks */
#include "expand/expand.h"
#include "foldedw.h"
#include "text.h"

#include <inttypes.h>

static struct {
	bool folded;
	const char *event;
} options;

static const struct pl_opt table[] = {
	{.name = "folded",
	 .kind = PL_OPT_FLAG,
	 .value = &options.folded,
	 .help = N_("write folded stacks: frames joined by ';', root first, and the weight")},
	{.name = "event",
	 .kind = PL_OPT_TEXT,
	 .value = &options.event,
	 .argument = "NAME",
	 .help = N_("with --folded: write the samples of this event")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-expand",
	.summary = N_("Put each sample's frames into its own line, for grep and head, or write "
		      "folded stacks"),
	.synopsis = "[option...] [FILE]",
	.options = table,
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT,
};

/* The next record; exits on failure. */
static enum pl_samples_kind next(struct pl_main *m, struct pl_samples *r)
{
	enum pl_samples_kind kind = pl_samples_next(r);

	if (kind == PL_SAMPLES_ERROR)
		pl_fail(m, &r->s.err);
	if (pl_out_poll(&m->out))
		pl_fail(m, &m->out.err);
	return kind;
}

static void contain(struct pl_main *m)
{
	struct pl_samples r;
	struct contained x = {0};
	struct pl_err err = {0};
	enum pl_samples_kind kind;

	if (pl_samples_open(&r, &m->in))
		pl_fail(m, &r.s.err);
	pl_stream_pass_header(&r.s, m);
	do {
		kind = next(m, &r);
		if (contained_take(&x, &r, kind, &m->out.buf, &err))
			pl_fail(m, &err);
	} while (kind != PL_SAMPLES_DONE);
	contained_free(&x);
	pl_samples_close(&r);
}

static void note_stackless(const struct pl_main *m, const struct pl_stacks *k)
{
	uint64_t n = 0, weight = 0;

	for (size_t i = 0; i < k->events_n; i++) {
		if (options.event && !pl_str_is(k->events[i].name, options.event))
			continue;
		n += k->events[i].stackless_samples;
		weight += k->events[i].stackless;
	}
	if (n)
		pl_note(m,
			_("%" PRIu64 " samples without a stack were left out, of weight %" PRIu64),
			n, weight);
}

static void open_stacks(struct pl_main *m, struct pl_stacks *k)
{
	if (pl_stacks_open(k, &m->in, false))
		pl_fail(m, &k->err);
	k->only = options.event;
	if (!k->analysis)
		return;
	pl_err_set(&k->err, PL_E_UNSUPPORTED_FORMAT,
		   _("this is perflens.analysis; perflens.samples is wanted here"));
	pl_err_action(&k->err, _("pl-export --to folded writes the call paths of an analysis"));
	pl_err_at(&k->err, pl_in_name(&m->in, 0), 0);
	pl_fail(m, &k->err);
}

static void fold(struct pl_main *m)
{
	struct pl_stacks k;
	struct pl_foldedw w = {0};
	struct pl_err err = {0};
	enum pl_stacks_kind kind;

	open_stacks(m, &k);
	while ((kind = pl_stacks_next(&k)) == PL_STACKS_STACK)
		if (pl_foldedw_line(&w, &k, &m->out.buf, &err))
			pl_fail(m, &err);
		else if (pl_out_poll(&m->out))
			pl_fail(m, &m->out.err);
	/* nothing to fold is no failure */
	if (kind < 0 || (pl_stacks_one(&k) < 0 && k.err.code != PL_E_NO_SAMPLES))
		pl_fail(m, &k.err);
	pl_foldedw_note(&w, m);
	note_stackless(m, &k);
	pl_foldedw_free(&w);
	pl_stacks_close(&k);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_err err = {0};

	pl_start(&m, &program, argc, argv);
	if (options.event && !options.folded) {
		pl_err_set(&err, PL_E_INVALID_INPUT, _("--event goes with --folded"));
		pl_err_action(&err, _("pl-select --event chooses samples"));
		pl_fail(&m, &err);
	}
	pl_open(&m);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (options.folded)
		fold(&m);
	else
		contain(&m);
	return pl_finish(&m, PL_EXIT_DONE);
}
