/* pl-data-parse: a perf.data recording to a stream of samples */
#include "data-parse/describe.h"
#include "data-parse/replay.h"
#include "text.h"

#include <unistd.h>

static struct {
	struct replay_options replay;
	struct pl_list roots;
} opt = {.replay = {.unwind = true, .memory = (uint64_t)4 << 30}};

static const struct pl_opt options[] = {
	PL_PATHS_OPTIONS(opt.replay.paths),
	{.name = "no-unwind",
	 .kind = PL_OPT_NOFLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.replay.unwind,
	 .help = N_("leave saved user stacks alone: tell only where each sample was")},
	{.name = "trust-paths",
	 .kind = PL_OPT_FLAG,
	 .flags = PL_OPT_RECORDED,
	 .value = &opt.replay.trust_paths,
	 .help = N_("where the recording has no build ID, believe that the file at the path is the "
		    "one that ran")},
	{.name = "roots",
	 .kind = PL_OPT_LIST,
	 .value = &opt.roots,
	 .argument = "DIR",
	 .help = N_("read nothing outside of DIR and what other options name; may be repeated")},
	{.name = "memory",
	 .kind = PL_OPT_SIZE,
	 .value = &opt.replay.memory,
	 .argument = "SIZE",
	 .min = 64 << 20,
	 .help = N_("what reading files to unwind saved stacks may take")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-data-parse",
	.summary = N_("Read a perf.data recording, write a stream of samples"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.limits = (PL_PARSER_LIMITS & ~PL_LIMIT_BIT(PL_LIMIT_LINE_BYTES)) |
		  PL_LIMIT_BIT(PL_LIMIT_TIMEOUT_SECONDS),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_ONE_INPUT | PL_PROGRAM_BINARY |
		 PL_PROGRAM_CHILDREN,
};

/* 0, or -1 with the parser's err. */
static int parse(struct pl_parser *p, struct store *store)
{
	struct recording recording;
	struct pl_intern names;
	struct replay replay;

	if (recording_open(&recording, store, p, &p->m->limits)) {
		p->err = recording.err;
		return pl_err_at(&p->err, pl_in_name(&p->m->in, 0), 0);
	}
	pl_intern_init(&names);
	describe_events(&recording, &names);
	replay_start(&replay, &recording, p, &opt.replay);
	pl_parser_header(p, "perf-data", describe_recording, &recording);
	int failed = replay_run(&replay);
	replay_end(&replay);
	recording_close(&recording);
	pl_intern_free(&names);
	return failed;
}

/* A file that is no larger than it may be, not packed, and was opened at its start can be read at
 * any place. */
static int open_file(const struct pl_main *m, uint64_t *size)
{
	int fd = pl_in_fd(&m->in, 0);
	uint64_t most = m->limits.v[PL_LIMIT_INPUT_BYTES];

	*size = pl_in_total(&m->in);
	return *size > 0 && (most == 0 || *size <= most) && lseek(fd, 0, SEEK_CUR) == 0 ? fd : -1;
}

static int read_input(struct pl_parser *p, struct pl_main *m)
{
	struct pl_buf bytes = {0};
	struct store store;
	uint64_t size;
	int fd = open_file(m, &size);

	if (pl_in_next(&m->in) < 0)
		pl_fail(m, &m->in.err);
	if (fd >= 0 && !pl_in_info(&m->in)->packed) {
		store_file(&store, fd, size);
	} else {
		if (pl_parser_read_whole(p, &bytes))
			return -1;
		store_memory(&store, (struct pl_bytes){(const unsigned char *)bytes.p, bytes.n});
		fd = -1;
	}
	int failed = parse(p, &store);
	store_free(&store);
	pl_buf_free(&bytes);
	return failed || (fd >= 0 && pl_parser_read_past(p)) ? -1 : 0;
}

/* Where the files are that stacks are unwound with. */
static void open_roots(struct pl_main *m, struct pl_roots *roots)
{
	struct pl_err err;

	if (pl_paths_open(&opt.replay.paths, &err) || pl_roots(roots, &opt.roots, &err))
		pl_fail(m, &err);
	pl_paths_roots(&opt.replay.paths, roots);
	m->roots = pl_roots_list(roots);
	m->roots_n = roots->n;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_parser p;
	struct pl_roots roots = {0};

	pl_start(&m, &program, argc, argv);
	open_roots(&m, &roots);
	pl_open(&m);
	pl_parser_start_binary(&p, &m);
	if (read_input(&p, &m) ||
	    pl_parser_end(&p, N_("the recording holds no sample that could be read"),
			  N_("see its diagnostics")))
		pl_fail(&m, &p.err);
	pl_parser_free(&p);
	pl_roots_free(&roots);
	pl_paths_close(&opt.replay.paths);
	return pl_finish(&m, PL_EXIT_DONE);
}
