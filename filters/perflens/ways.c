/* ways: rows of one name */
#include "ways.h"
#include "text.h"

static const char option[] = "--via";

/* The first row of that name. */
static const struct command *first_of(const struct command *command)
{
	return command_find(command->name);
}

void ways_list(const struct command *command, struct pl_buf *out)
{
	const char *last = NULL;

	for (const struct command *c = first_of(command); c; c = command_next(c)) {
		if (last && strcmp(last, c->via) == 0)
			continue;
		pl_buf_printf(out, "%s%s", last ? ", " : "", c->via);
		last = c->via;
	}
}

static bool is_flag(const struct command *command, const char *word)
{
	return command->flag && strncmp(word, "--", 2) == 0 && strcmp(word + 2, command->flag) == 0;
}

bool ways_is_own(const struct command *command, const char *word, bool *two)
{
	size_t n = sizeof option - 1;

	*two = false;
	if (!command->via)
		return false;
	if (is_flag(command, word))
		return true;
	if (strncmp(word, option, n) != 0 || (word[n] && word[n] != '='))
		return false;
	*two = !word[n];
	return true;
}

const char *ways_of_flag(const struct command *command, const char *name)
{
	for (const struct command *c = first_of(command); c; c = command_next(c))
		if (c->flag && strcmp(c->flag, name) == 0)
			return c->via;
	return NULL;
}

static const struct command *none(const struct command *command, const char *way,
				  struct pl_err *err)
{
	struct pl_buf ways = {0};

	ways_list(command, &ways);
	pl_err_set(err, PL_E_INVALID_INPUT, _("--via: '%s' is no way to do it"), way);
	pl_err_action(err, _("there are: %s"), ways.p);
	pl_buf_free(&ways);
	return NULL;
}

/* The word behind --via that came last; NULL: none did. */
static const char *asked_for(const struct command *command, int argc, char **argv)
{
	const char *way = NULL;
	bool two;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strncmp(argv[i], option, sizeof option - 1) != 0 ||
		    !ways_is_own(command, argv[i], &two))
			continue;
		way = two ? argv[i + 1] : argv[i] + sizeof option;
	}
	return way;
}

static bool has_flag(const struct command *command, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (is_flag(command, argv[i]))
			return true;
	return false;
}

const struct command *ways_choose(const struct command *command, int argc, char **argv,
				  struct pl_err *err)
{
	const char *way = command->via ? asked_for(command, argc, argv) : NULL;
	const struct command *usual = NULL;

	if (!command->via)
		return command;
	for (const struct command *c = command; c; c = command_next(c)) {
		if (strcmp(c->via, way ? way : command->via) != 0)
			continue;
		if (c->flag && has_flag(c, argc, argv))
			return c;
		if (!c->flag && !usual)
			usual = c;
	}
	return usual ? usual : none(command, way, err);
}
