/* pl-script-parse: the text of perf script to a stream of samples */
#include "program.h"
#include "script-parse/reader.h"
#include "text.h"

static struct reader_options opt = {.kernel_max_stack = 127};

static const struct pl_opt options[] = {
	{.name = "addresses",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.chain.addresses,
	 .help = N_("keep frames apart by the address column, as it is printed")},
	{.name = "normalise-generated",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.chain.normalise_generated,
	 .help = N_("take the numbers out of generated names such as Lambda$12")},
	{.name = "raw-names",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.chain.raw_names,
	 .help = N_("leave symbols as they are: .isra.0, .cold, hashes")},
	{.name = "kernel-max-stack",
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.kernel_max_stack,
	 .argument = "N",
	 .min = 1,
	 .help = N_("frames at which the kernel cuts a call chain")},
	{.name = "transcript",
	 .kind = PL_OPT_FLAG,
	 .value = &opt.transcript,
	 .help = N_("refuse text that is not a whole one of pl-perf-script")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-script-parse",
	.summary = N_("Read the text of perf script, write a stream of samples"),
	.synopsis = "[option...] [FILE...]",
	.options = options,
	.limits = PL_PARSER_LIMITS,
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT,
};

int main(int argc, char **argv)
{
	struct pl_main m;
	struct reader r;

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	reader_start(&r, &m, &opt);
	if (pl_parser_run(&r.parser, &reader_grammar, &r))
		pl_fail(&m, &r.parser.err);
	reader_free(&r);
	return pl_finish(&m, PL_EXIT_DONE);
}
