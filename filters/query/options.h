/* options: what is asked of an artifact */
#ifndef QUERY_OPTIONS_H
#define QUERY_OPTIONS_H

#include "summary.h"
#include "terminal.h"

enum query_command {
	QUERY_HOTSPOTS,
	QUERY_HOTSPOT,
	QUERY_PATHS,
	QUERY_QUALITY,
	QUERY_TEXT,
	QUERY_TREE,
	QUERY_CALLERS,
	QUERY_CALLEES,
	QUERY_COMMANDS
};

struct query_options {
	enum query_command command;
	const char *wanted;		    /* of `hotspot` and the like: an id, or a name */
	const char *event, *symbol, *after; /* NULL: not given */
	const char *sort;
	const char *width; /* NULL: as the terminal says */
	uint64_t limit, max_bytes;
	uint64_t min_percent;	   /* millionths */
	struct pl_terminal screen; /* that tables are for */
};

/* Options that not every command takes; --event is everywhere. QUERY_WANTED: an ID or a name. */
enum {
	QUERY_SORT = 1,
	QUERY_LIMIT = 2,
	QUERY_AFTER = 4,
	QUERY_SYMBOL = 8,
	QUERY_MAX_BYTES = 16,
	QUERY_WIDTH = 32,
	QUERY_MIN_PERCENT = 64,
	QUERY_WANTED = 128
};

const char *query_command_name(enum query_command command);
unsigned query_command_takes(enum query_command command);
/* Is it the hotspot that is wanted, by its id or its name? */
bool query_wants(const struct query_options *o, const struct pl_analysis_hotspot *h);
/* Fills *err: there is no such hotspot. Returns -1. */
int query_found_none(const struct query_options *o, struct pl_err *err);
enum pl_summary_order query_order(const struct query_options *o);

#endif
