/* limits: the one table of limits (STREAMS.md section 6): option, default, help and error of each
 */
#ifndef PL_LIMITS_H
#define PL_LIMITS_H

#include "err.h"

enum pl_limit {
	PL_LIMIT_INPUT_BYTES,
	PL_LIMIT_RECORDS,
	PL_LIMIT_LINE_BYTES,
	PL_LIMIT_STACK_DEPTH,
	PL_LIMIT_UNIQUE_FRAMES,
	PL_LIMIT_UNIQUE_CALL_PATHS,
	PL_LIMIT_WARNINGS,
	PL_LIMIT_TOP_N,
	PL_LIMIT_CALL_PATH,
	PL_LIMIT_OUTPUT_BYTES,
	PL_LIMIT_TIMEOUT_SECONDS,
	PL_LIMIT_COUNT
};
#define PL_LIMIT_BIT(limit) (1u << (limit))
enum { PL_STREAM_LINE_MAX = 16 << 20 }; /* a line of one of our own streams */

struct pl_limits {
	uint64_t v[PL_LIMIT_COUNT];
};

struct pl_limit_info {
	const char *option;   /* "max-input-bytes" */
	const char *argument; /* "SIZE" or "N" */
	const char *help;     /* N_() */
	uint64_t fallback;    /* the default */
	uint64_t min;	      /* the least value accepted; 0 of input bytes means none */
	bool recorded;	      /* changes the result when not fatal: stands in a header's options */
};
const struct pl_limit_info *pl_limit_info(enum pl_limit limit);
void pl_limits_default(struct pl_limits *limits);
/* "more than 10000000 records", with the option to raise as the action. Code
 * RESOURCE_LIMIT_EXCEEDED. Returns -1. */
int pl_limit_exceeded(struct pl_err *e, enum pl_limit limit, uint64_t value);

#endif
