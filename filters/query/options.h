/* options: what is asked of an artifact */
#ifndef QUERY_OPTIONS_H
#define QUERY_OPTIONS_H

#include "summary.h"

enum query_command {
	QUERY_HOTSPOTS,
	QUERY_HOTSPOT,
	QUERY_PATHS,
	QUERY_QUALITY,
	QUERY_TEXT,
	QUERY_COMMANDS
};

struct query_options {
	enum query_command command;
	const char *wanted;		    /* of `hotspot`: an id, or a name */
	const char *event, *symbol, *after; /* NULL: not given */
	const char *sort;
	uint64_t limit, max_bytes;
};

/* Options that not every command takes; --event is everywhere. */
enum { QUERY_SORT = 1, QUERY_LIMIT = 2, QUERY_AFTER = 4, QUERY_SYMBOL = 8, QUERY_MAX_BYTES = 16 };

const char *query_command_name(enum query_command command);
unsigned query_command_takes(enum query_command command);
enum pl_summary_order query_order(const struct query_options *o);

#endif
