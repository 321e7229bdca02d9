/* pl-query: what people and agents ask of an analysis: rows, pages and a short text */
#include "analysis.h"
#include "num.h"
#include "program.h"
#include "query/flat.h"
#include "query/page.h"
#include "text.h"

#include <getopt.h>
#include <sys/stat.h>

enum { LIMIT = 20, LIMIT_MAX = 1000, TEXT_BYTES = 6000, TEXT_BYTES_MAX = 16 << 20 };

_Static_assert(FLAT_MIN == 1800, "--help and pl-query(1) name it");

static struct query_options options = {.sort = "self", .limit = LIMIT, .max_bytes = TEXT_BYTES};

static const struct pl_opt option_table[] = {
	{.name = "sort",
	 .kind = PL_OPT_CHOICE,
	 .value = &options.sort,
	 .argument = "ORDER",
	 .help = N_("order of hotspots, the largest first, symbols from a to z"),
	 .choices = "self|inclusive|samples|symbol"},
	{.name = "limit",
	 .kind = PL_OPT_COUNT,
	 .value = &options.limit,
	 .argument = "N",
	 .help = N_("rows at most, up to 1000"),
	 .min = 1,
	 .max = LIMIT_MAX},
	{.name = "after",
	 .kind = PL_OPT_TEXT,
	 .value = &options.after,
	 .argument = "CURSOR",
	 .help = N_("the page after the one whose \"next\" this is")},
	{.name = "event",
	 .kind = PL_OPT_TEXT,
	 .value = &options.event,
	 .argument = "LABEL",
	 .help = N_("rows of this event only")},
	{.name = "symbol",
	 .kind = PL_OPT_TEXT,
	 .value = &options.symbol,
	 .argument = "S",
	 .help = N_("hotspots named exactly S, or call paths through one")},
	{.name = "max-bytes",
	 .kind = PL_OPT_SIZE,
	 .value = &options.max_bytes,
	 .argument = "SIZE",
	 .help = N_("bytes of text at most, at least 1800; rows are dropped from the bottom"),
	 .min = FLAT_MIN,
	 .max = TEXT_BYTES_MAX},
	{0},
};

static const struct pl_program program = {
	.name = "pl-query",
	.summary = N_("Ask an analysis for hotspots, call paths, its quality or a short table"),
	.synopsis = "hotspots|hotspot ID-OR-NAME|paths|quality|text [option...] [FILE]",
	.options = option_table,
	.limits = PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT |
		 PL_PROGRAM_ARTIFACTS,
};

static _Noreturn void fail_usage(struct pl_main *m, struct pl_err *err)
{
	pl_err_action(err, _("see --help"));
	pl_fail(m, err);
}

/* Takes one word out of the operands, so that what is left of them are inputs. `first` is where
 * plain operands begin: those of --input stand before them. */
static const char *take_operand(struct pl_main *m, size_t first)
{
	struct pl_list *list = &m->args.operands;

	if (first >= list->n)
		return NULL;
	const char *word = list->v[first];
	list->n--;
	memmove(&list->v[first], &list->v[first + 1], (list->n - first) * sizeof *list->v);
	return word;
}

static void read_command(struct pl_main *m, const char *word)
{
	const char *names[QUERY_COMMANDS];
	struct pl_err err;

	for (int i = 0; i < QUERY_COMMANDS; i++) {
		names[i] = query_command_name(i);
		options.command = i;
		if (word && strcmp(word, names[i]) == 0)
			return;
	}
	if (!word) {
		pl_err_set(&err, PL_E_INVALID_INPUT,
			   _("what is wanted? hotspots, hotspot ID, hotspot NAME, paths, quality "
			     "or text"));
		fail_usage(m, &err);
	}
	pl_err_set(&err, PL_E_INVALID_INPUT, _("'%.80s' is no question"), word);
	const char *near = pl_args_nearest(word, names, QUERY_COMMANDS);
	if (!near)
		fail_usage(m, &err);
	pl_err_action(&err, _("did you mean %s?"), near);
	pl_fail(m, &err);
}

/* An option that would change nothing is most likely a mistake. */
static void check_options(struct pl_main *m)
{
	const struct {
		const char *name;
		unsigned bit;
		bool given;
	} given[] = {
		{"sort", QUERY_SORT, strcmp(options.sort, "self") != 0},
		{"limit", QUERY_LIMIT, options.limit != LIMIT},
		{"after", QUERY_AFTER, options.after},
		{"symbol", QUERY_SYMBOL, options.symbol},
		{"max-bytes", QUERY_MAX_BYTES, options.max_bytes != TEXT_BYTES},
	};
	struct pl_err err;

	for (size_t i = 0; i < PL_COUNT(given); i++) {
		if (!given[i].given || (query_command_takes(options.command) & given[i].bit))
			continue;
		pl_err_set(&err, PL_E_INVALID_INPUT, _("--%s has no meaning for '%s'"),
			   given[i].name, query_command_name(options.command));
		fail_usage(m, &err);
	}
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* The one operand of `hotspot`, which may be the FILE of someone who forgot the ID: standard input
 * would be waited for in vain. */
static void read_wanted(struct pl_main *m, size_t first)
{
	struct pl_err err;

	options.wanted = take_operand(m, first);
	if (!options.wanted) {
		pl_err_set(&err, PL_E_INVALID_INPUT, _("'hotspot' wants an ID or a name"));
		fail_usage(m, &err);
	}
	if (m->args.operands.n || !is_file(options.wanted))
		return;
	pl_err_set(&err, PL_E_INVALID_INPUT,
		   _("'hotspot' wants an ID or a name, and then a FILE: '%.200s' is a file"),
		   options.wanted);
	pl_err_action(&err, _("if it is a name, too, let FILE follow, or - for standard input"));
	pl_fail(m, &err);
}

static void read_question(struct pl_main *m, int argc)
{
	size_t plain = (size_t)(argc - optind), all = m->args.operands.n;
	size_t first = all - (plain < all ? plain : all);

	read_command(m, take_operand(m, first));
	if (options.command == QUERY_HOTSPOT)
		read_wanted(m, first);
	check_options(m);
}

static int write_text(struct pl_buf *out, struct pl_analysis *a, struct pl_err *err)
{
	const struct pl_summary_options wanted = {
		.event = options.event, .order = query_order(&options), .top_n = options.limit};
	struct pl_summary s;
	int status = pl_summary_read(&s, &wanted, a, err);

	if (status == 0)
		flat_write(out, &s, options.max_bytes);
	pl_summary_free(&s);
	return status;
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_analysis a;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	read_question(&m, argc);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_analysis_open(&a, &m.in, m.unsealed))
		pl_fail(&m, &a.s.err);
	if (options.command == QUERY_TEXT ? write_text(&m.out.buf, &a, &err)
					  : page_write(&m.out.buf, &options, &a, &err))
		pl_fail(&m, &err);
	if (a.s.unsealed && options.command != QUERY_TEXT)
		pl_note(&m, _("accepted with --unsealed: the analysis was edited or has no digest, "
			      "and whatever its rows say proves nothing"));
	pl_analysis_close(&a);
	return pl_finish(&m, PL_EXIT_DONE);
}
