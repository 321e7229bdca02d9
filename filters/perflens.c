/* perflens: runs fixed pipelines of the pl- programs, and the programs themselves */
#include "fd.h"
#include "perflens/help.h"
#include "perflens/run.h"
#include "perflens/ways.h"
#include "program.h"
#include "text.h"

#include <signal.h>
#include <unistd.h>

static const struct pl_program program = {
	.name = "perflens",
	.summary = N_("run the programs of PerfLens, one by one or as pipelines"),
	.synopsis = "[option...] COMMAND [argument...]",
	.flags = PL_PROGRAM_EXEC,
};

struct call {
	struct pl_main m;
	bool help;   /* --help before a command */
	char **argv; /* the command, our options for it, its words, NULL */
	int argc;
};

/* A program's name without its "pl-". */
static const char *short_name(const char *name)
{
	return strncmp(name, "pl-", 3) == 0 ? name + 3 : name;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool wants_json_errors(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json-errors") == 0)
			return true;
	return false;
}

/* Options before the command are ours and the command's; --help lists the commands. */
static void start(struct call *call, int argc, char **argv)
{
	static char quiet[] = "--quiet", verbose[] = "--verbose", progress[] = "--progress";
	char **ours = pl_alloc(((size_t)argc + 1) * sizeof *ours);
	int n = 1, i = 1;

	for (ours[0] = argv[0]; i < argc && argv[i][0] == '-'; i++) {
		if (is_help(argv[i]))
			call->help = true;
		else
			ours[n++] = argv[i];
	}
	pl_start(&call->m, &program, n, ours);
	free(ours);
	call->m.json_errors |= wants_json_errors(argc, argv);
	if (call->m.json_errors)
		setenv("PERFLENS_JSON_ERRORS", "1", 1); /* the stages, too */
	call->argv = pl_alloc(((size_t)argc + 4) * sizeof *call->argv);
	if (i == argc)
		return;
	call->argv[call->argc++] = argv[i++];
	if (call->m.quiet)
		call->argv[call->argc++] = quiet;
	if (call->m.verbose)
		call->argv[call->argc++] = verbose;
	if (call->m.force_progress)
		call->argv[call->argc++] = progress;
	while (i < argc)
		call->argv[call->argc++] = argv[i++];
}

static int print(struct call *call, struct pl_buf *text)
{
	if (pl_out_open(&call->m.out, NULL, NULL))
		pl_fail(&call->m, &call->m.out.err);
	pl_buf_adds(&call->m.out.buf, pl_buf_str(text));
	pl_buf_free(text);
	return pl_finish(&call->m, PL_EXIT_DONE);
}

static int print_overview(struct call *call)
{
	struct pl_buf text = {0};

	help_overview(call->m.args.table, &text);
	return print(call, &text);
}

/* What could be a command or a program; a path is none. */
static bool is_name(const char *word)
{
	return *word && strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(word);
}

static _Noreturn void unknown(struct call *call, const char *name)
{
	struct pl_list names = {0};
	struct pl_arena words = {0};
	struct pl_err err;

	help_names(&names, &words);
	const char *near = pl_args_nearest(short_name(name), names.v, names.n);
	pl_err_set(&err, PL_E_INVALID_INPUT, _("there is no command '%s'"), name);
	if (strcmp(name, "version") == 0)
		near = "--version";
	if (near)
		pl_err_action(&err, _("did you mean %s?"), near);
	else
		pl_err_action(&err, _("see perflens --help"));
	pl_fail(&call->m, &err);
}

/* A failure of a stage that did not explain itself: machines read the stage's name. */
static void say(const struct call *call, const struct pl_err *err, const char *stage)
{
	struct pl_buf text = {0};

	if (call->m.json_errors)
		pl_err_json(err, short_name(stage), &text);
	else
		pl_err_text(err, program.name, &text);
	pl_fd_write(STDERR_FILENO, text.p, text.n);
	pl_buf_free(&text);
}

static int run_command(struct call *call, const struct command *command)
{
	struct pl_buf text = {0};
	struct plan plan;
	struct pl_err err = {0};
	const char *stage = program.name;

	command = ways_choose(command, call->argc, call->argv, &err);
	if (!command || plan_start(&plan, command, &err) ||
	    plan_give(&plan, call->argc, call->argv, &err))
		pl_fail(&call->m, &err);
	if (plan.help) {
		help_command(&plan, &text);
	} else if (plan.version) {
		pl_buf_printf(&text, "%s (PerfLens) %s\n", program.name, PL_VERSION);
	} else {
		int status = run_plan(&plan, call->m.json_errors, &err, &stage);
		if (err.code)
			say(call, &err, stage);
		plan_free(&plan);
		return status;
	}
	plan_free(&plan);
	return print(call, &text);
}

/* The program beside our own binary. Returns only when there is none. */
static void run_program(struct call *call)
{
	struct pl_buf name = {0}, path = {0};
	struct pl_err err;

	pl_buf_printf(&name, "pl-%s", short_name(call->argv[0]));
	if (pl_proc_beside(&path, name.p) && access(path.p, F_OK) == 0) {
		call->argv[0] = name.p;
		run_instead(path.p, (const char *const *)call->argv, &err);
		pl_fail(&call->m, &err);
	}
	pl_buf_free(&name);
	pl_buf_free(&path);
}

/* Without a page, what the thing says of itself. */
static int help(struct call *call)
{
	static char option[] = "--help";
	struct pl_buf text = {0};
	struct pl_err err;

	char *name = call->argv[call->argc - 1];
	if (call->argc < 2 || is_help(name) || strcmp(name, "help") == 0)
		return print_overview(call);
	int status = is_name(name) ? help_page(name, &text, &err) : 1;
	if (status < 0)
		pl_fail(&call->m, &err);
	if (status == 0)
		return print(call, &text);
	call->argv[0] = name;
	call->argv[1] = option;
	call->argv[2] = NULL;
	call->argc = 2;
	if (command_find(name))
		return run_command(call, command_find(name));
	if (strcmp(name, program.name) == 0)
		return print_overview(call);
	if (is_name(name))
		run_program(call);
	unknown(call, name);
}

static int dispatch(struct call *call)
{
	struct pl_err err;

	if (call->help)
		return print_overview(call);
	if (call->argc == 0) {
		pl_err_set(&err, PL_E_INVALID_INPUT, _("no command was given"));
		pl_err_action(&err, _("see perflens --help"));
		pl_fail(&call->m, &err);
	}
	const char *name = call->argv[0];
	if (strcmp(name, "help") == 0)
		return help(call);
	const struct command *command = command_find(name);
	if (command)
		return run_command(call, command);
	if (is_name(name))
		run_program(call);
	unknown(call, name);
}

int main(int argc, char **argv)
{
	struct call call = {0};

	start(&call, argc, argv);
	int status = dispatch(&call);
	pl_args_free(&call.m.args);
	free(call.argv);
	if (status == 128 + SIGPIPE) { /* the last stage's reader was ours */
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	return status;
}
