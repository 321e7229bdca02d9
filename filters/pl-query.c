/* pl-query: what people and agents ask of an analysis: rows, pages and a short text */
#include "analysis.h"
#include "num.h"
#include "program.h"
#include "query/around.h"
#include "query/edges.h"
#include "query/flat.h"
#include "query/page.h"
#include "query/tree.h"
#include "text.h"

#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT = 20, LIMIT_MAX = 1000, TEXT_BYTES = 6000, TEXT_BYTES_MAX = 16 << 20 };
enum { WIDTH_MIN = 24, WIDTH_MAX = 10000 };
enum { MIN_PERCENT = 500000, PERCENT_MAX = 100000000 }; /* millionths */

_Static_assert(AROUND_MIN == 1800, "--help and pl-query(1) name it");

static struct query_options options = {
	.sort = "self", .limit = LIMIT, .max_bytes = TEXT_BYTES, .min_percent = MIN_PERCENT};

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
	 .min = AROUND_MIN,
	 .max = TEXT_BYTES_MAX},
	{.name = "min-percent",
	 .kind = PL_OPT_MICRO,
	 .value = &options.min_percent,
	 .argument = "P",
	 .help = N_("frames of a tree with at least P percent of the event's weight"),
	 .max = PERCENT_MAX},
	{.name = "width",
	 .kind = PL_OPT_TEXT,
	 .value = &options.width,
	 .argument = "N",
	 .help = N_("columns of a table, at least 24, 0 for any; on a terminal its width is used")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-query",
	.summary = N_("Ask an analysis for hotspots, call paths, its quality or a table"),
	.synopsis = "hotspots|hotspot ID-OR-NAME|paths|quality|text|tree|callers ID-OR-NAME|"
		    "callees ID-OR-NAME [option...] [FILE]",
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
			   _("what is wanted? hotspots, hotspot ID, hotspot NAME, paths, quality, "
			     "text, tree, callers NAME or callees NAME"));
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
		{"min-percent", QUERY_MIN_PERCENT, options.min_percent != MIN_PERCENT},
		{"width", QUERY_WIDTH, options.width},
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

/* The one operand of `hotspot` and its like, which may be the FILE of someone who forgot the ID:
 * standard input would be waited for in vain. */
static void read_wanted(struct pl_main *m, size_t first)
{
	const char *command = query_command_name(options.command);
	struct pl_err err;

	options.wanted = take_operand(m, first);
	if (!options.wanted) {
		pl_err_set(&err, PL_E_INVALID_INPUT, _("'%s' wants an ID or a name"), command);
		fail_usage(m, &err);
	}
	if (m->args.operands.n || !is_file(options.wanted))
		return;
	pl_err_set(&err, PL_E_INVALID_INPUT,
		   _("'%s' wants an ID or a name, and then a FILE: '%.200s' is a file"), command,
		   options.wanted);
	pl_err_action(&err, _("if it is a name, too, let FILE follow, or - for standard input"));
	pl_fail(m, &err);
}

static void read_question(struct pl_main *m, int argc)
{
	size_t plain = (size_t)(argc - optind), all = m->args.operands.n;
	size_t first = all - (plain < all ? plain : all);

	read_command(m, take_operand(m, first));
	if (query_command_takes(options.command) & QUERY_WANTED)
		read_wanted(m, first);
	check_options(m);
}

/* A table fits the terminal that it goes to; in a file and a pipe its lines are what they are. */
static void read_width(struct pl_main *m)
{
	struct pl_err err;
	uint64_t n;

	if (!m->output || strcmp(m->output, "-") == 0)
		pl_terminal_ask(&options.screen, STDOUT_FILENO);
	if (!options.width)
		return;
	if (pl_num_u64(pl_str(options.width), &n) || (n && (n < WIDTH_MIN || n > WIDTH_MAX))) {
		pl_err_set(&err, PL_E_INVALID_INPUT,
			   _("--width: '%.80s' is not 0 and no number from 24 to 10000"),
			   options.width);
		fail_usage(m, &err);
	}
	options.screen.columns = (size_t)n;
}

static int answer(struct pl_buf *out, struct pl_analysis *a, struct pl_err *err)
{
	switch (options.command) {
	case QUERY_TEXT:
		return flat_write(out, &options, a, err);
	case QUERY_TREE:
		return tree_write(out, &options, a, err);
	case QUERY_CALLERS:
	case QUERY_CALLEES:
		return edges_write(out, &options, a, err);
	default:
		return page_write(out, &options, a, err);
	}
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct pl_analysis a;
	struct pl_err err;

	pl_start(&m, &program, argc, argv);
	read_question(&m, argc);
	read_width(&m);
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_analysis_open(&a, &m.in, m.unsealed))
		pl_fail(&m, &a.s.err);
	if (answer(&m.out.buf, &a, &err))
		pl_fail(&m, &err);
	if (a.s.unsealed && !(query_command_takes(options.command) & QUERY_WIDTH))
		pl_note(&m, _("accepted with --unsealed: the analysis was edited or has no digest, "
			      "and whatever its rows say proves nothing"));
	pl_analysis_close(&a);
	return pl_finish(&m, PL_EXIT_DONE);
}
