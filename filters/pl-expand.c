/* pl-expand: samples that carry their frames themselves, or folded stacks */
#include "expand/expand.h"

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

static void contain(struct pl_main *m, struct pl_samples *r)
{
	struct contained x = {0};
	struct pl_err err = {0};
	enum pl_samples_kind kind;

	pl_stream_pass_header(&r->s, m);
	do {
		kind = next(m, r);
		if (contained_take(&x, r, kind, &m->out.buf, &err))
			pl_fail(m, &err);
	} while (kind != PL_SAMPLES_DONE);
	contained_free(&x);
}

static void note_losses(const struct pl_main *m, const struct folded *x)
{
	if (x->altered)
		pl_note(m,
			_("%llu names were altered to fit: ';' to ':', line ends to blanks, "
			  "blanks at the ends left out, no name to unknown, a byte order mark to "
			  "U+FFFD"),
			(unsigned long long)x->altered);
	if (x->comments)
		pl_note(m, _("%llu lines would have been comments: their first '#' became ':'"),
			(unsigned long long)x->comments);
	if (x->weightless)
		pl_note(m, _("%llu samples of weight 0 were left out"),
			(unsigned long long)x->weightless);
	if (x->stackless)
		pl_note(m, _("%llu samples without a stack were left out, of weight %llu"),
			(unsigned long long)x->stackless, (unsigned long long)x->stackless_weight);
}

static void fold(struct pl_main *m, struct pl_samples *r)
{
	struct folded x = {.only = options.event};
	struct pl_err err = {0};
	enum pl_samples_kind kind;

	do {
		kind = next(m, r);
		if (folded_take(&x, r, kind, &m->out.buf, &err))
			pl_fail(m, &err);
	} while (kind != PL_SAMPLES_DONE);
	if (folded_check(&x, r, &err))
		pl_fail(m, &err);
	note_losses(m, &x);
	folded_free(&x);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_samples r;
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
	if (pl_samples_open(&r, &m.in))
		pl_fail(&m, &r.s.err);
	if (options.folded)
		fold(&m, &r);
	else
		contain(&m, &r);
	pl_samples_close(&r);
	return pl_finish(&m, PL_EXIT_DONE);
}
