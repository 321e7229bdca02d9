/* plan: options and operands of a command handed out to its stages */
#include "plan.h"
#include "text.h"
#include "ways.h"

enum { LIST_MAX = 64 << 10, LIST_SECONDS = 30 };

/* The letters of the common options (program.c); a stage's own have long names only here. */
static const struct {
	char letter;
	const char *name;
} letters[] = {{'i', "input"},	 {'o', "output"}, {'q', "quiet"},
	       {'v', "verbose"}, {'h', "help"},	  {'V', "version"}};

static void add_word(struct pl_list *list, const char *word)
{
	PL_GROW(list->v, list->n + 1, list->cap);
	list->v[list->n++] = word;
}

/* list-options is for dispatchers only. */
static bool is_offered(const struct command *command, const char *name)
{
	for (size_t i = 0; i < PL_COUNT(command->without) && command->without[i]; i++)
		if (strcmp(command->without[i], name) == 0)
			return false;
	return strcmp(name, "list-options") != 0;
}

/* The field after this one, which it ends; "" where there is none. */
static char *next_field(char *field)
{
	char *tab = strchr(field, '\t');

	if (!tab)
		return field + strlen(field);
	*tab = '\0';
	return tab + 1;
}

/* Cuts lines of NAME, ARGUMENT or "-", HELP, a tab between them, into the options that the command
 * offers; what follows in a line is of a newer version. False when it is something else. */
static bool read_list(struct plan_stage *stage, const struct command *command)
{
	char *line = stage->list.p, *end = line + stage->list.n, *line_end;

	for (; line < end; line = line_end + 1) {
		line_end = memchr(line, '\n', (size_t)(end - line));
		if (!line_end)
			return false;
		*line_end = '\0';
		char *argument = next_field(line);
		char *help = next_field(argument);
		next_field(help);
		if (!*argument)
			return false;
		if (!is_offered(command, line))
			continue;
		PL_GROW(stage->options, stage->n + 1, stage->cap);
		stage->options[stage->n++] = (struct plan_option){
			line, strcmp(argument, "-") == 0 ? NULL : argument, help};
	}
	return stage->n > 0;
}

static int ask(struct plan_stage *stage, const struct command *command, const char *program,
	       struct pl_err *err)
{
	const char *const argv[] = {program, "--list-options", NULL};

	if (!pl_proc_beside(&stage->path, program))
		return pl_err_set(err, PL_E_INTERNAL_ERROR, _("/proc/self/exe cannot be read"));
	struct pl_stage process = {.name = program, .path = stage->path.p, .argv = argv};
	int failure = pl_proc_capture(&process, 1, -1, &stage->list, LIST_MAX, LIST_SECONDS, err);
	if (failure && err->code == PL_E_EXTERNAL_TOOL_FAILED)
		pl_err_action(err, _("the programs of PerfLens belong in one folder"));
	if (!failure && (process.status || !read_list(stage, command)))
		failure =
			pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED,
				   _("%s does not say which options it has: %s"), stage->path.p,
				   process.err_text.n ? process.err_text.p : _("no reason given"));
	pl_buf_free(&process.err_text);
	return failure;
}

int plan_start(struct plan *plan, const struct command *command, struct pl_err *err)
{
	memset(plan, 0, sizeof *plan);
	plan->command = command;
	plan->n = command_stages(command);
	for (size_t i = 0; i < plan->n; i++) {
		const struct command_stage *stage = &command->stages[i];
		struct pl_list *argv = &plan->stages[i].argv;
		if (ask(&plan->stages[i], command, stage->program, err))
			return -1;
		add_word(argv, stage->program);
		for (size_t k = 0; k < PL_COUNT(stage->words) && stage->words[k]; k++)
			add_word(argv, stage->words[k]);
	}
	return 0;
}

static const char *renamed(const struct plan *plan, const char *name)
{
	const struct command_rename *renames = plan->command->renames;

	for (size_t i = 0; i < PL_COUNT(plan->command->renames) && renames[i].from; i++)
		if (strcmp(renames[i].from, name) == 0)
			return renames[i].to;
	return name;
}

static const struct plan_option *own_option(const struct plan_stage *stage, const char *name)
{
	for (size_t i = 0; i < stage->n; i++)
		if (strcmp(stage->options[i].name, name) == 0)
			return &stage->options[i];
	return NULL;
}

const struct plan_option *plan_goes_to(const struct plan *plan, size_t stage, const char *name)
{
	bool first = strcmp(name, "input") == 0 || strcmp(name, "progress") == 0;
	bool last = strcmp(name, "output") == 0;

	if ((first && stage > 0) || (last && stage + 1 < plan->n))
		return NULL;
	return own_option(&plan->stages[stage], name);
}

static const struct plan_option *find_option(const struct plan *plan, const char *name)
{
	const struct plan_option *found = NULL;

	for (size_t i = 0; i < plan->n && !found; i++)
		found = plan_goes_to(plan, i, name);
	return found;
}

void plan_option(struct plan *plan, const char *name, const char *value)
{
	struct pl_buf word = {0};

	pl_buf_printf(&word, value ? "--%s=%s" : "--%s", name, value);
	const char *kept = pl_arena_dup(&plan->words, word.p, word.n);
	for (size_t i = 0; i < plan->n; i++)
		if (plan_goes_to(plan, i, name))
			add_word(&plan->stages[i].argv, kept);
	pl_buf_free(&word);
}

static int unknown(const struct plan *plan, const char *word, const char *name, struct pl_err *err)
{
	struct pl_list names = {0};
	const char *way = name ? ways_of_flag(plan->command, name) : NULL;

	if (way) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("%s: '%s' needs --via %s"),
			   plan->command->name, word, way);
		return pl_err_action(err, _("see perflens %s --help"), plan->command->name);
	}
	for (size_t i = 0; i < plan->n; i++)
		for (size_t k = 0; k < plan->stages[i].n; k++)
			add_word(&names, plan->stages[i].options[k].name);
	for (size_t i = 0; i < PL_COUNT(plan->command->renames); i++)
		if (plan->command->renames[i].from)
			add_word(&names, plan->command->renames[i].from);
	if (plan->command->via)
		add_word(&names, "via");
	const char *near = name ? pl_args_nearest(name, names.v, names.n) : NULL;
	free(names.v);
	pl_err_set(err, PL_E_INVALID_INPUT, _("%s: unknown option '%s'"), plan->command->name,
		   word);
	if (near)
		return pl_err_action(err, _("did you mean --%s?"), near);
	return pl_err_action(err, _("see perflens %s --help"), plan->command->name);
}

static const char *name_of_letter(char letter)
{
	for (size_t i = 0; i < PL_COUNT(letters); i++)
		if (letters[i].letter == letter)
			return letters[i].name;
	return NULL;
}

/* What the dispatcher acts upon, beside the stages. */
static void note(struct plan *plan, const char *name, const char *argument, const char *value)
{
	if (strcmp(name, "output") == 0)
		plan->output = value;
	else if (argument && strcmp(argument, "FILE") == 0)
		add_word(&plan->files, value);
	plan->help |= strcmp(name, "help") == 0;
	plan->version |= strcmp(name, "version") == 0;
	plan->quiet |= strcmp(name, "quiet") == 0;
	plan->progress |= strcmp(name, "progress") == 0;
}

/* One option with its value, which may be in the next word (`next`, may be NULL). Returns how many
 * words it took, or -1. */
static int give_option(struct plan *plan, const char *word, const char *next, struct pl_err *err)
{
	bool is_long = word[1] == '-';
	const char *value = is_long ? strchr(word, '=') : word[2] ? word + 2 : NULL;
	const char *name =
		is_long ? pl_arena_dup(&plan->words, word + 2,
				       value ? (size_t)(value - word - 2) : strlen(word + 2))
			: name_of_letter(word[1]);
	bool two;
	if (ways_is_own(plan->command, word, &two))
		return two && !next ? pl_err_set(err, PL_E_INVALID_INPUT,
						 _("'%s' wants an argument"), word)
				    : 1 + two;
	name = name ? renamed(plan, name) : NULL;
	const struct plan_option *option = name ? find_option(plan, name) : NULL;

	if (!option)
		return unknown(plan, word, name, err);
	if (value && is_long)
		value++;
	if (value && !option->argument)
		return pl_err_set(err, PL_E_INVALID_INPUT, _("'--%s' takes no argument"), name);
	bool two_words = option->argument && !value;
	if (two_words && !next)
		return pl_err_set(err, PL_E_INVALID_INPUT, _("'%s' wants an argument"), word);
	value = two_words ? next : value;
	note(plan, name, option->argument, value);
	plan_option(plan, name, value);
	return 1 + two_words;
}

int plan_give(struct plan *plan, int argc, char **argv, struct pl_err *err)
{
	bool options = true;

	for (int i = 1; i < argc;) {
		const char *word = argv[i];
		if (options && strcmp(word, "--") == 0) {
			options = false;
			i++;
		} else if (options && word[0] == '-' && word[1]) {
			int taken = give_option(plan, word, argv[i + 1], err);
			if (taken < 0)
				return -1;
			i += taken;
		} else {
			add_word(&plan->operands, word);
			i++;
		}
	}
	return 0;
}

void plan_close(struct plan *plan)
{
	struct pl_list *first = &plan->stages[0].argv;

	if (plan->operands.n)
		add_word(first, "--");
	for (size_t i = 0; i < plan->operands.n; i++)
		add_word(first, plan->operands.v[i]);
	for (size_t i = 0; i < plan->n; i++)
		add_word(&plan->stages[i].argv, NULL);
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		pl_buf_free(&plan->stages[i].path);
		pl_buf_free(&plan->stages[i].list);
		free(plan->stages[i].options);
		free(plan->stages[i].argv.v);
	}
	free(plan->operands.v);
	free(plan->files.v);
	pl_arena_free(&plan->words);
}
