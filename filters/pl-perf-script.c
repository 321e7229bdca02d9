/* pl-perf-script: a perf.data recording to the text of perf script, by the system's perf */
#include "perf-script/convert.h"
#include "program.h"
#include "text.h"

#include <linux/close_range.h>
#include <unistd.h>

static struct {
	const char *perf_path;
	bool inlines, srcline;
} opt;

static const struct pl_opt options[] = {
	{.name = "perf-path",
	 .kind = PL_OPT_TEXT,
	 .value = &opt.perf_path,
	 .argument = "PATH",
	 .help = N_("the perf to start, if not /usr/bin/perf or /usr/local/bin/perf")},
	{.name = "inlines",
	 .kind = PL_OPT_FLAG,
	 .value = &opt.inlines,
	 .help = N_("ask for inlined functions: with big debug info perf may take hours")},
	{.name = "srcline",
	 .kind = PL_OPT_FLAG,
	 .value = &opt.srcline,
	 .help = N_("ask for source lines: perf was seen to print 88 samples a second")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-perf-script",
	.summary = N_("Read a perf.data recording, write the text that perf script makes of it"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_TIMEOUT_SECONDS),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_ONE_INPUT | PL_PROGRAM_BINARY | PL_PROGRAM_OUTPUT |
		 PL_PROGRAM_EXEC,
};

/* The last line is written when all is well, not before. */
static int convert(struct convert *c, const struct tool *tool, const struct recording *recording,
		   struct pl_err *err)
{
	if (convert_run(c, err) || tool_check(tool, err) || recording_check(recording, err))
		return -1;
	return convert_end(c, err);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct recording recording;
	struct tool tool;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	/* what a parent left open is not for perf */
	close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	pl_open(&m);
	if (recording_read(&recording, &m, &err) || tool_find(&tool, opt.perf_path, &err))
		pl_fail(&m, &err);
	if (m.verbose)
		pl_note(&m, _("starting %s, %s"), tool.path, tool.version.p);
	struct convert c = {.m = &m,
			    .tool = &tool,
			    .recording = &recording,
			    .inlines = opt.inlines,
			    .srcline = opt.srcline};
	if (convert(&c, &tool, &recording, &err)) {
		convert_break(&c);
		pl_fail(&m, &err);
	}
	convert_free(&c);
	tool_free(&tool);
	close(recording.fd);
	return pl_finish(&m, PL_EXIT_DONE);
}
