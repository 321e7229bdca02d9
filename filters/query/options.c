/* options: the commands of pl-query, and what each takes */
#include "options.h"

static const struct {
	const char *name;
	unsigned takes;
} commands[QUERY_COMMANDS] = {
	[QUERY_HOTSPOTS] = {"hotspots", QUERY_SORT | QUERY_LIMIT | QUERY_AFTER | QUERY_SYMBOL},
	[QUERY_HOTSPOT] = {"hotspot", 0},
	[QUERY_PATHS] = {"paths", QUERY_LIMIT | QUERY_AFTER | QUERY_SYMBOL},
	[QUERY_QUALITY] = {"quality", QUERY_LIMIT | QUERY_AFTER},
	[QUERY_TEXT] = {"text", QUERY_SORT | QUERY_LIMIT | QUERY_MAX_BYTES},
};

const char *query_command_name(enum query_command command)
{
	return commands[command].name;
}

unsigned query_command_takes(enum query_command command)
{
	return commands[command].takes;
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
