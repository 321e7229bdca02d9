/* options: the commands of pl-query, and what each takes */
#include "options.h"
#include "text.h"

/* What is no rows but a table for people. */
enum { TABLE = QUERY_MAX_BYTES | QUERY_WIDTH };

static const struct {
	const char *name;
	unsigned takes;
} commands[QUERY_COMMANDS] = {
	[QUERY_HOTSPOTS] = {"hotspots", QUERY_SORT | QUERY_LIMIT | QUERY_AFTER | QUERY_SYMBOL},
	[QUERY_HOTSPOT] = {"hotspot", QUERY_WANTED},
	[QUERY_PATHS] = {"paths", QUERY_LIMIT | QUERY_AFTER | QUERY_SYMBOL},
	[QUERY_QUALITY] = {"quality", QUERY_LIMIT | QUERY_AFTER},
	[QUERY_TEXT] = {"text", QUERY_SORT | QUERY_LIMIT | TABLE},
	[QUERY_TREE] = {"tree", QUERY_LIMIT | QUERY_MIN_PERCENT | TABLE},
	[QUERY_CALLERS] = {"callers", QUERY_WANTED | TABLE},
	[QUERY_CALLEES] = {"callees", QUERY_WANTED | TABLE},
};

const char *query_command_name(enum query_command command)
{
	return commands[command].name;
}

unsigned query_command_takes(enum query_command command)
{
	return commands[command].takes;
}

bool query_wants(const struct query_options *o, const struct pl_analysis_hotspot *h)
{
	return pl_str_is(h->id, o->wanted) || pl_str_is(pl_analysis_name(h), o->wanted);
}

int query_found_none(const struct query_options *o, struct pl_err *err)
{
	pl_err_set(err, PL_E_INVALID_INPUT,
		   _("the analysis has no hotspot with the id or the name '%.200s'"), o->wanted);
	return pl_err_action(err, _("pl-query hotspots lists ids and names; pl-query hotspots "
				    "--symbol NAME those of one name"));
}

enum pl_summary_order query_order(const struct query_options *o)
{
	static const struct {
		const char *name;
		enum pl_summary_order order;
	} orders[] = {{"inclusive", PL_SUMMARY_INCLUSIVE},
		      {"samples", PL_SUMMARY_SAMPLES},
		      {"symbol", PL_SUMMARY_SYMBOL}};

	for (size_t i = 0; i < PL_COUNT(orders); i++)
		if (strcmp(o->sort, orders[i].name) == 0)
			return orders[i].order;
	return PL_SUMMARY_STREAM;
}
