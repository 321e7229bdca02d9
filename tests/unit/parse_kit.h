/* parse_kit: a parser whose stream stays in memory */
#ifndef PARSE_KIT_H
#define PARSE_KIT_H

#include "parser.h"
#include "perf_kit.h"

static const struct pl_program kit_program = {.name = "pl-data-parse"};
static struct pl_main kit_main;
static struct pl_parser kit_parser;

static inline void kit_start(void)
{
	kit_main = (struct pl_main){.program = &kit_program, .quiet = true};
	pl_limits_default(&kit_main.limits);
	CHECK(pl_out_open(&kit_main.out, "/dev/null", NULL) == 0);
	pl_out_hold(&kit_main.out, 1 << 30);
	pl_parser_start_binary(&kit_parser, &kit_main);
}
static inline void kit_end(void)
{
	pl_parser_free(&kit_parser);
	pl_out_discard(&kit_main.out);
}
/* What was written since the last time is `want`. */
static inline void kit_wrote(const char *want)
{
	struct pl_buf *b = &kit_main.out.buf;

	CHECK_STR(b->p ? b->p : "", b->n, want);
	pl_buf_clear(b);
}

#endif
