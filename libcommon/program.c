/* program: what every main() does before and after its work */
#include "program.h"
#include "mem.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum { OPTIONS_MAX = 64, FOLDER_MAX = 4096 };

/* For the out-of-memory handler only, which gets no context. */
static const struct pl_main *running;

static bool show_help, show_version, list_options;
static struct pl_opt all_options[OPTIONS_MAX + 1];

/* A descriptor 0, 1 or 2 that was closed would be given to the first file opened; the wrong mode
 * makes its use fail. */
static void hold_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static void add_option(size_t *n, const struct pl_opt *option)
{
	if (*n < OPTIONS_MAX)
		all_options[(*n)++] = *option;
}

static void add_limit_options(struct pl_main *m, size_t *n)
{
	for (int i = 0; i < PL_LIMIT_COUNT; i++) {
		const struct pl_limit_info *info = pl_limit_info(i);
		bool size = strcmp(info->argument, "SIZE") == 0;
		if (!(m->program->limits & PL_LIMIT_BIT(i)))
			continue;
		add_option(n, &(struct pl_opt){.name = info->option,
					       .kind = size ? PL_OPT_SIZE : PL_OPT_COUNT,
					       .flags = info->recorded ? PL_OPT_RECORDED : 0,
					       .value = &m->limits.v[i],
					       .argument = info->argument,
					       .help = info->help,
					       .min = info->min});
	}
}

static void add_common_options(struct pl_main *m, size_t *n)
{
	const struct pl_opt input = {.name = "input",
				     .letter = 'i',
				     .kind = PL_OPT_ALIAS,
				     .argument = "FILE",
				     .help = N_("read FILE; '-' is standard input")};
	const struct pl_opt output = {.name = "output",
				      .letter = 'o',
				      .kind = PL_OPT_TEXT,
				      .value = &m->output,
				      .argument = "FILE",
				      .help = N_("write FILE, at once or not at all")};
	const struct pl_opt no_digest = {
		.name = "no-digest",
		.kind = PL_OPT_FLAG,
		.flags = PL_OPT_RECORDED,
		.value = &m->no_digest,
		.help = N_("leave the input's SHA-256 out; the result says so")};
	const struct pl_opt unsealed = {
		.name = "unsealed",
		.kind = PL_OPT_FLAG,
		.flags = PL_OPT_RECORDED,
		.value = &m->unsealed,
		.help = N_("accept an artifact whose digest is missing or wrong")};
	const struct pl_opt rest[] = {
		{.name = "quiet",
		 .letter = 'q',
		 .kind = PL_OPT_FLAG,
		 .value = &m->quiet,
		 .help = N_("no progress and no notes")},
		{.name = "verbose",
		 .letter = 'v',
		 .kind = PL_OPT_FLAG,
		 .value = &m->verbose,
		 .help = N_("say what is usually not worth saying")},
		{.name = "progress",
		 .kind = PL_OPT_FLAG,
		 .value = &m->force_progress,
		 .help = N_("show progress also where stderr is no terminal")},
		{.name = "json-errors",
		 .kind = PL_OPT_FLAG,
		 .value = &m->json_errors,
		 .help = N_("print a failure as one line of perflens.error")},
		{.name = "list-options",
		 .kind = PL_OPT_FLAG,
		 .flags = PL_OPT_HIDDEN,
		 .value = &list_options},
		{.name = "help",
		 .letter = 'h',
		 .kind = PL_OPT_FLAG,
		 .value = &show_help,
		 .help = N_("print this text")},
		{.name = "version",
		 .letter = 'V',
		 .kind = PL_OPT_FLAG,
		 .value = &show_version,
		 .help = N_("print the version")},
	};
	unsigned flags = m->program->flags;

	if (flags & PL_PROGRAM_INPUT)
		add_option(n, &input);
	if (flags & PL_PROGRAM_OUTPUT)
		add_option(n, &output);
	if ((flags & PL_PROGRAM_INPUT) && !(flags & PL_PROGRAM_STREAMS))
		add_option(n, &no_digest);
	if (flags & PL_PROGRAM_ARTIFACTS)
		add_option(n, &unsealed);
	for (size_t i = 0; i < PL_COUNT(rest); i++)
		add_option(n, &rest[i]);
}

static void collect_options(struct pl_main *m)
{
	size_t n = 0;

	for (const struct pl_opt *o = m->program->options; o && o->name; o++)
		add_option(&n, o);
	add_limit_options(m, &n);
	add_common_options(m, &n);
}

/* Prints to stdout and exits: --help and its like. A full disk is a failure here, too. */
static _Noreturn void print_and_exit(struct pl_main *m, struct pl_buf *text)
{
	struct pl_err err;
	size_t done = 0;

	while (done < text->n) {
		ssize_t k = write(STDOUT_FILENO, text->p + done, text->n - done);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			pl_err_set(&err, PL_E_OUTPUT_WRITE_FAILED, _("cannot write: %s"),
				   strerror(errno));
			pl_err_at(&err, _("standard output"), 0);
			pl_fail(m, &err);
		}
		done += (size_t)k;
	}
	exit(PL_EXIT_DONE);
}

static void answer_questions(struct pl_main *m)
{
	struct pl_buf text = {0};

	if (show_help) {
		pl_buf_printf(&text, _("Usage: %s %s\n%s.\n\nOptions:\n"), m->program->name,
			      m->program->synopsis, _(m->program->summary));
		pl_args_help(all_options, &text);
		pl_buf_printf(&text, _("\nThe manual: man %s, or perflens help %s\n"),
			      m->program->name, m->program->name);
	} else if (show_version) {
		pl_buf_printf(&text, "%s (PerfLens) %s\n", m->program->name, PL_VERSION);
	} else if (list_options) {
		pl_args_list(all_options, &text);
	} else {
		return;
	}
	print_and_exit(m, &text);
}

static void out_of_memory(size_t wanted)
{
	struct pl_err err;

	pl_err_set(&err, PL_E_RESOURCE_LIMIT_EXCEEDED, _("out of memory: %zu bytes were wanted"),
		   wanted);
	if (running)
		pl_fail((struct pl_main *)running, &err);
	_exit(PL_EXIT_LIMIT);
}

static void check_operands(struct pl_main *m)
{
	unsigned flags = m->program->flags;
	size_t most = !(flags & PL_PROGRAM_INPUT) ? 0 : flags & PL_PROGRAM_ONE_INPUT ? 1 : SIZE_MAX;
	struct pl_err err;

	if (m->args.operands.n <= most)
		return;
	pl_err_set(&err, PL_E_INVALID_INPUT, _("unexpected operand '%s'"),
		   m->args.operands.v[most]);
	pl_err_action(&err, _("see --help"));
	pl_fail(m, &err);
}

/* Before the options are parsed, an error among them must already have the form that was asked for.
 */
static bool wants_json_errors(int argc, char **argv)
{
	const char *env = getenv("PERFLENS_JSON_ERRORS");

	if (env && strcmp(env, "1") == 0)
		return true;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json-errors") == 0)
			return true;
	return false;
}

void pl_start(struct pl_main *m, const struct pl_program *program, int argc, char **argv)
{
	struct pl_buf locale = {0};

	memset(m, 0, sizeof *m);
	m->program = program;
	running = m;
	pl_mem_on_failure(out_of_memory);
	signal(SIGXFSZ,
	       SIG_IGN); /* a file that grows too large is a failed write, and told as one */
	hold_standard_descriptors();
	pl_text_start(pl_data_path(&locale, "locale"));
	pl_buf_free(&locale);
	pl_limits_default(&m->limits);
	m->json_errors = wants_json_errors(argc, argv);
	collect_options(m);
	if (pl_args_parse(&m->args, all_options, argc, argv))
		pl_fail(m, &m->args.err);
	answer_questions(m);
}

static void enter_sandbox(struct pl_main *m)
{
	struct pl_sandbox_needs needs = {.output_folder = pl_out_folder(&m->out),
					 .roots = m->roots,
					 .roots_n = m->roots_n,
					 .children = m->program->flags & PL_PROGRAM_CHILDREN,
					 .exec = m->program->flags & PL_PROGRAM_EXEC};
	struct pl_sandbox_state state;
	struct pl_err err;

	if (pl_sandbox(&needs, &state, &err))
		pl_fail(m, &err);
	if (m->verbose && state.reason[0])
		pl_note(m, _("not fully confined: %s"), state.reason);
}

/* Someone forgot the FILE, or wants to type: either should know what is waited for. */
static bool reads_terminal(const struct pl_main *m)
{
	bool standard = m->args.operands.n == 0 && !m->file.name;

	for (size_t i = 0; i < m->args.operands.n; i++)
		standard |= strcmp(m->args.operands.v[i], "-") == 0;
	return standard && isatty(STDIN_FILENO);
}

static int open_inputs(struct pl_main *m, const struct pl_in_options *options)
{
	if (m->file.name)
		return pl_in_open_fd(&m->in, m->file.fd, m->file.name, options);
	return pl_in_open(&m->in, m->args.operands.v, m->args.operands.n, options);
}

/* What pl_out_open() refuses for m->in, for the inputs beside it. */
static void check_beside(struct pl_main *m)
{
	struct pl_err err;
	struct stat st;

	if (!m->beside || !m->output || stat(m->output, &st) < 0)
		return;
	int index = pl_in_find(m->beside, &st);
	if (index < 0)
		return;
	pl_err_set(&err, PL_E_PATH_SAFETY_VIOLATION, _("is also an input: %s"),
		   pl_in_name(m->beside, (size_t)index));
	pl_err_action(&err, _("write to another file"));
	pl_err_at(&err, m->output, 0);
	pl_fail(m, &err);
}

void pl_open(struct pl_main *m)
{
	bool streams = (m->program->flags & PL_PROGRAM_STREAMS) && !m->file.name;
	bool counted = m->program->limits & PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES);
	struct pl_in_options options = {
		.max_bytes = counted ? m->limits.v[PL_LIMIT_INPUT_BYTES] : 0,
		.max_line = streams ? PL_STREAM_LINE_MAX : m->limits.v[PL_LIMIT_LINE_BYTES],
		.digest = !streams && !m->no_digest,
		.text = !streams && !(m->program->flags & PL_PROGRAM_BINARY),
		.progress = &m->progress,
	};

	check_operands(m);
	check_beside(m);
	if (open_inputs(m, &options))
		pl_fail(m, &m->in.err);
	if (reads_terminal(m))
		pl_note(m, _("reading standard input, a terminal; Ctrl-D ends it"));
	if (pl_out_open(&m->out, m->output, &m->in))
		pl_fail(m, &m->out.err);
	pl_progress_start(&m->progress, m->program->name, pl_in_total(&m->in), m->force_progress,
			  m->quiet);
	enter_sandbox(m);
}

void pl_fail(struct pl_main *m, const struct pl_err *err)
{
	struct pl_buf text = {0};
	const char *name = m->program->name;

	pl_progress_end(&m->progress);
	pl_out_discard(&m->out);
	if (m->json_errors)
		pl_err_json(err, strncmp(name, "pl-", 3) == 0 ? name + 3 : name, &text);
	else
		pl_err_text(err, name, &text);
	/* one write, so that lines of several stages do not mix */
	ssize_t ignored = write(STDERR_FILENO, text.p, text.n);
	(void)ignored;
	_exit(pl_code_exit(err->code));
}

void pl_note(const struct pl_main *m, const char *fmt, ...)
{
	struct pl_buf text = {0}, said = {0};
	va_list ap;

	if (m->quiet)
		return;
	va_start(ap, fmt);
	pl_buf_vprintf(&said, fmt, ap);
	va_end(ap);
	pl_buf_printf(&text, "%s: ", m->program->name);
	/* names of files and what streams say may be in it */
	pl_utf8_terminal(&text, pl_buf_str(&said));
	pl_buf_addc(&text, '\n');
	pl_buf_free(&said);
	ssize_t ignored = write(STDERR_FILENO, text.p, text.n);
	(void)ignored;
	pl_buf_free(&text);
}

int pl_finish(struct pl_main *m, enum pl_exit status)
{
	pl_progress_end(&m->progress);
	if (pl_out_close(&m->out))
		pl_fail(m, &m->out.err);
	pl_in_close(&m->in);
	pl_args_free(&m->args);
	return status;
}

/* The folder of the running binary, without a slash at its end. */
static size_t binary_folder(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n <= 0)
		return 0;
	path[n] = '\0';
	char *slash = strrchr(path, '/');
	*slash = '\0';
	return (size_t)(slash - path);
}

static bool try_path(struct pl_buf *buf, const char *folder, const char *middle, const char *name)
{
	pl_buf_clear(buf);
	pl_buf_printf(buf, "%s%s/%s", folder, middle, name);
	return access(buf->p, R_OK) == 0;
}

const char *pl_data_path(struct pl_buf *buf, const char *name)
{
	const char *given = getenv("PERFLENS_DATADIR");
	char folder[FOLDER_MAX];

	if (given && *given) {
		try_path(buf, given, "", name);
		return buf->p;
	}
	if (binary_folder(folder, sizeof folder) == 0)
		return NULL;
	/* build/FLAVOUR/bin in the source tree */
	if (!try_path(buf, folder, "/../share/perflens", name) &&
	    !try_path(buf, folder, "/../../..", name))
		try_path(buf, folder, "/../share/perflens", name);
	return buf->p;
}
