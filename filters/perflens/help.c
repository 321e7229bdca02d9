/* help: what there is, and the manual pages */
#include "help.h"
#include "run.h"
#include "text.h"
#include "ways.h"

#include <dirent.h>
#include <unistd.h>

enum { NAME_COLUMN = 21, OPTION_COLUMN = 34, LINE_COLUMNS = 78 };
enum { PAGE_MAX = 8 << 20, PAGE_SECONDS = 30 };

static const char man[] = "/usr/bin/man", mandoc[] = "/usr/bin/mandoc";

static void add_name(struct pl_list *names, struct pl_arena *words, const char *name)
{
	PL_GROW(names->v, names->n + 1, names->cap);
	names->v[names->n++] = pl_arena_dup(words, name, strlen(name));
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* pl-NAME in the folder of our own binary */
static void add_programs(struct pl_list *names, struct pl_arena *words)
{
	struct pl_buf path = {0};
	DIR *folder = pl_proc_beside(&path, "") ? opendir(path.p) : NULL;
	size_t start = names->n;

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strncmp(entry->d_name, "pl-", 3) == 0 && pl_proc_beside(&path, entry->d_name) &&
		    access(path.p, X_OK) == 0)
			add_name(names, words, entry->d_name + 3);
	if (folder)
		closedir(folder);
	if (names->n > start)
		qsort(names->v + start, names->n - start, sizeof *names->v, by_bytes);
	pl_buf_free(&path);
}

void help_names(struct pl_list *names, struct pl_arena *words)
{
	for (const struct command *c = commands; c->name; c++)
		if (command_find(c->name) == c)
			add_name(names, words, c->name);
	add_name(names, words, "help");
	add_programs(names, words);
}

static void put_programs(struct pl_buf *out)
{
	struct pl_list names = {0};
	struct pl_arena words = {0};
	size_t column = 0;

	add_programs(&names, &words);
	for (size_t i = 0; i < names.n; i++) {
		size_t width = strlen(names.v[i]) + 1;
		if (column == 0 || column + width > LINE_COLUMNS) {
			pl_buf_addz(out, column ? "\n " : " ");
			column = 1;
		}
		pl_buf_printf(out, " %s", names.v[i]);
		column += width;
	}
	pl_buf_addc(out, '\n');
	free(names.v);
	pl_arena_free(&words);
}

void help_overview(const struct pl_opt *options, struct pl_buf *out)
{
	pl_buf_addz(out, _("Usage: perflens [option...] COMMAND [argument...]\n\nCommands:\n"));
	for (const struct command *c = commands; c->name; c++)
		if (command_find(c->name) == c)
			pl_buf_printf(out, "  %-*s%s\n", NAME_COLUMN, c->name, _(c->summary));
	pl_buf_printf(out, "  %-*s%s\n", NAME_COLUMN, "help [NAME]",
		      _("this text, or the manual page of a command or program"));
	pl_buf_addz(out, _("\nPrograms (perflens NAME runs pl-NAME):\n"));
	put_programs(out);
	pl_buf_addz(out, _("\nOptions:\n"));
	pl_args_help(options, out);
	pl_buf_addz(out, _("\nThe manual: man perflens, or perflens help perflens\n"));
}

static bool is_renamed(const struct command *command, const char *name)
{
	for (size_t i = 0; i < PL_COUNT(command->renames) && command->renames[i].from; i++)
		if (strcmp(command->renames[i].from, name) == 0)
			return true;
	return false;
}

/* " [PROGRAM, PROGRAM]": whose option it is, from that stage on. */
static void put_owners(const struct plan *plan, size_t stage, const char *name, struct pl_buf *out)
{
	pl_buf_printf(out, " [%s", plan->command->stages[stage].program);
	for (size_t i = stage + 1; i < plan->n; i++)
		if (plan_goes_to(plan, i, name) &&
		    strcmp(plan->command->stages[i].program,
			   plan->command->stages[stage].program) != 0)
			pl_buf_printf(out, ", %s", plan->command->stages[i].program);
	pl_buf_addc(out, ']');
}

static void put_line(const char *name, const char *argument, const char *help, struct pl_buf *out)
{
	size_t start = out->n;

	pl_buf_printf(out, "  --%s%s%s", name, argument ? " " : "", argument ? argument : "");
	size_t width = out->n - start;
	if (*help)
		pl_buf_printf(out, "%*s%s",
			      width < OPTION_COLUMN ? (int)(OPTION_COLUMN - width) : 1, "", help);
}

/* An option of that stage, unless an earlier one has it. */
static void put_option(const struct plan *plan, size_t stage, const struct plan_option *option,
		       struct pl_buf *out)
{
	if (!plan_goes_to(plan, stage, option->name) || is_renamed(plan->command, option->name))
		return;
	for (size_t i = 0; i < stage; i++)
		if (plan_goes_to(plan, i, option->name))
			return;
	put_line(option->name, option->argument, option->help, out);
	if (plan->n > 1)
		put_owners(plan, stage, option->name, out);
	pl_buf_addc(out, '\n');
}

/* The options that have another name here. */
static void put_renames(const struct command *command, struct pl_buf *out)
{
	struct pl_buf help = {0};

	for (size_t i = 0; i < PL_COUNT(command->renames) && command->renames[i].from; i++) {
		pl_buf_clear(&help);
		pl_buf_printf(&help, _("another name of --%s"), command->renames[i].to);
		put_line(command->renames[i].from, command->renames[i].argument, help.p, out);
		pl_buf_addc(out, '\n');
	}
	pl_buf_free(&help);
}

static void put_via(const struct command *command, struct pl_buf *out)
{
	struct pl_buf help = {0};

	if (!command->via)
		return;
	pl_buf_addz(&help, _("the way to do it, the usual one first: "));
	ways_list(command, &help);
	put_line("via", "WAY", help.p, out);
	pl_buf_addc(out, '\n');
	pl_buf_free(&help);
}

void help_command(const struct plan *plan, struct pl_buf *out)
{
	const struct command *command = plan->command;

	pl_buf_printf(out, _("Usage: perflens %s %s\n%s.\n\nIt runs: "), command->name,
		      command->synopsis, _(command->summary));
	for (size_t i = 0; i < plan->n; i++)
		pl_buf_printf(out, "%s%s%s%s", i ? " | " : "", command->stages[i].program,
			      command->stages[i].words[0] ? " " : "",
			      command->stages[i].words[0] ? command->stages[i].words[0] : "");
	pl_buf_addz(out, plan->n > 1 ? _("\n\nOptions, and in brackets whose they are:\n")
				     : _("\n\nOptions:\n"));
	put_renames(command, out);
	put_via(command, out);
	for (size_t i = 0; i < plan->n; i++)
		for (size_t k = 0; k < plan->stages[i].n; k++)
			put_option(plan, i, &plan->stages[i].options[k], out);
}

static bool page_at(struct pl_buf *path, const char *folder, const char *page, const char *packed)
{
	if (!pl_proc_beside(path, folder))
		return false;
	pl_buf_addz(path, page);
	pl_buf_addz(path, packed);
	return access(path->p, R_OK) == 0;
}

/* The page of that name and section: installed, packed by a packager, or in the source tree. */
static bool page_of(struct pl_buf *path, const char *prefix, const char *name, char section)
{
	const char *installed = section == '7' ? "../share/man/man7/" : "../share/man/man1/";
	struct pl_buf page = {0};

	pl_buf_printf(&page, "%s%s.%c", prefix, name, section);
	bool found = page_at(path, installed, page.p, "") ||
		     page_at(path, installed, page.p, ".gz") ||
		     page_at(path, "../../../man/", page.p, "");
	pl_buf_free(&page);
	return found;
}

/* "query", "pl-query", "streams", "perflens"; a command without a program of its name is in ours */
static bool find_page(struct pl_buf *path, const char *name)
{
	return page_of(path, "pl-", name, '1') || page_of(path, "", name, '1') ||
	       page_of(path, "perflens-", name, '7') || page_of(path, "", name, '7') ||
	       (command_find(name) && page_of(path, "", "perflens", '1'));
}

/* Without overstriking ("x\bx" for bold): of each such pair the last character stays. */
static void put_plain(struct pl_str text, struct pl_buf *out)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '\b') {
			pl_buf_addc(out, text.p[i]);
			continue;
		}
		while (out->n && ((unsigned char)out->p[out->n - 1] & 0xc0) == 0x80)
			out->n--; /* the rest of a character of several bytes */
		out->n -= out->n > 0;
	}
}

static int page_as_text(const char *page, struct pl_buf *out, struct pl_err *err)
{
	const char *const argv[] = {"mandoc", "-T", "utf8", page, NULL};
	struct pl_stage stage = {.name = "mandoc", .path = mandoc, .argv = argv};
	struct pl_buf text = {0};
	size_t culprit;
	int status = pl_proc_capture(&stage, 1, -1, &text, PAGE_MAX, PAGE_SECONDS, err);

	if (status == 0 && pl_proc_status(&stage, 1, &culprit))
		status = pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED, _("mandoc cannot show %s: %s"),
				    page, stage.err_text.n ? stage.err_text.p : "");
	if (status == 0)
		put_plain(pl_buf_str(&text), out);
	pl_buf_free(&stage.err_text);
	pl_buf_free(&text);
	return status;
}

int help_page(const char *name, struct pl_buf *out, struct pl_err *err)
{
	struct pl_buf page = {0};
	bool has_man = access(man, X_OK) == 0, has_mandoc = access(mandoc, X_OK) == 0;
	int status = 1;

	if (find_page(&page, name)) {
		const char *const argv[] = {"man", "-l", page.p, NULL};
		/* man(1) pages on a terminal, and writes plain text elsewhere */
		if (has_man && (isatty(STDOUT_FILENO) || !has_mandoc))
			status = run_instead(man, argv, err);
		else if (has_mandoc)
			status = page_as_text(page.p, out, err);
	}
	pl_buf_free(&page);
	return status;
}
