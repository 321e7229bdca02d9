/* pl-data-parse: a perf.data recording to a stream of samples */
#include "data-parse/describe.h"
#include "data-parse/replay.h"
#include "text.h"

static const struct pl_program program = {
	.name = "pl-data-parse",
	.summary = N_("Read a perf.data recording, write a stream of samples"),
	.synopsis = "[option...] [FILE]",
	.limits = PL_PARSER_LIMITS & ~PL_LIMIT_BIT(PL_LIMIT_LINE_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_ONE_INPUT | PL_PROGRAM_BINARY,
};

/* 0, or -1 with the parser's err. */
static int parse(struct pl_parser *p, struct pl_bytes file)
{
	struct recording recording;
	struct pl_intern names;
	struct replay replay;

	if (recording_open(&recording, file, p, &p->m->limits)) {
		p->err = recording.err;
		return pl_err_at(&p->err, pl_in_name(&p->m->in, 0), 0);
	}
	pl_intern_init(&names);
	describe_events(&recording, &names);
	replay_start(&replay, &recording, p);
	pl_parser_header(p, "perf-data", describe_recording, &recording);
	int failed = replay_run(&replay);
	replay_end(&replay);
	recording_close(&recording);
	pl_intern_free(&names);
	return failed;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_parser p;
	struct pl_buf file = {0};

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	pl_parser_start_binary(&p, &m);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_parser_read_whole(&p, &file) ||
	    parse(&p, (struct pl_bytes){(const unsigned char *)file.p, file.n}) ||
	    pl_parser_end(&p, N_("the recording holds no sample that could be read"),
			  N_("see its diagnostics")))
		pl_fail(&m, &p.err);
	pl_parser_free(&p);
	pl_buf_free(&file);
	return pl_finish(&m, PL_EXIT_DONE);
}
