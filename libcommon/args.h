/*
 * args: a table of options over getopt_long(3): parsing, --help, and the options a stream's header
 * records.
 */
#ifndef PL_ARGS_H
#define PL_ARGS_H

#include "err.h"
#include "jsonw.h"
#include "limits.h"

enum pl_opt_kind {
	PL_OPT_FLAG,   /* bool */
	PL_OPT_NOFLAG, /* bool, cleared by the option: --no-paths */
	PL_OPT_TEXT,   /* const char * */
	PL_OPT_CHOICE, /* const char *, one of `choices` ("a|b|c") */
	PL_OPT_COUNT,  /* uint64_t with K, M, G (of 1000), at least `min` and, if not 0, at most
			  `max` */
	PL_OPT_SIZE,   /* uint64_t with K, M, G (of 1024) */
	PL_OPT_MICRO, /* uint64_t: a decimal number in millionths, "12.5" -> 12500000, at most `max`
		       */
	PL_OPT_LIST,  /* struct pl_list: may be repeated */
	PL_OPT_ALIAS  /* struct pl_list: the words go to the program's operands (--input) */
};
enum {
	PL_OPT_RECORDED = 1, /* changes the result: stands in the header's options when it differs
				from the default */
	PL_OPT_HIDDEN = 2    /* not in --help */
};

struct pl_list {
	const char **v;
	size_t n, cap;
};

struct pl_opt {
	const char *name; /* long name */
	char letter;	  /* short name, or 0 */
	enum pl_opt_kind kind;
	unsigned flags;
	void *value;	      /* holds the default before parsing */
	const char *argument; /* what --help calls it: "FILE" */
	const char *help;     /* N_(), one sentence without a period */
	const char *choices;
	uint64_t min, max;
};

struct pl_args {
	struct pl_list operands;
	const struct pl_opt *table; /* as given to pl_args_parse() */
	size_t n;
	struct pl_opt_default {
		uint64_t number;
		const char *text;
	} * defaults; /* by index in the table */
	struct pl_err err;
};

/* Parses argv with a table ended by an entry without name. 0 or -1 (INVALID_INPUT, with "did you
 * mean" as action). */
int pl_args_parse(struct pl_args *args, const struct pl_opt *table, int argc, char **argv);
void pl_args_free(struct pl_args *args);
/* {"name":value,…}: what is PL_OPT_RECORDED and differs from its default, in the table's order, `_`
 * for `-`. */
void pl_args_record(const struct pl_args *args, struct pl_jsonw *w);
/* One line an option: NAME, the argument's name or "-", and what --help says of it (nothing where
 * it is hidden), a tab between them; what a dispatcher asks for. */
void pl_args_list(const struct pl_opt *table, struct pl_buf *out);
/* The OPTIONS part of --help. */
void pl_args_help(const struct pl_opt *table, struct pl_buf *out);
/* The word of `words` (n of them) nearest to `word` by edit distance, or NULL when none is near. */
const char *pl_args_nearest(const char *word, const char *const *words, size_t n);
/* A decimal number in millionths: "12.5" -> 12500000; at most six decimals. 0 or -1. */
int pl_args_micro(struct pl_str s, uint64_t *micro);

#endif
