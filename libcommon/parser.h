/*
 * parser: what every reader of foreign bytes does around its grammar: the header, the lines of each
 * input as valid UTF-8, counts, diagnostics, limits, and the end record that proves them. A reader
 * of a binary format brings a loop of its own, and says where it is by `offset`.
 */
#ifndef PL_PARSER_H
#define PL_PARSER_H

#include "diag.h"
#include "program.h"
#include "samplesw.h"

/* What a reader of foreign text has an option for. */
#define PL_PARSER_LIMITS                                                          \
	(PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_RECORDS) |    \
	 PL_LIMIT_BIT(PL_LIMIT_LINE_BYTES) | PL_LIMIT_BIT(PL_LIMIT_STACK_DEPTH) | \
	 PL_LIMIT_BIT(PL_LIMIT_UNIQUE_FRAMES) | PL_LIMIT_BIT(PL_LIMIT_WARNINGS))

struct pl_parser {
	struct pl_main *m;
	uint64_t samples, malformed, skipped, replaced, lost;
	size_t frames, modules; /* defined so far: kept by the grammar */
	struct pl_parser_event {
		uint64_t samples, weight;
	} * events; /* by id */
	size_t events_n, events_cap;
	struct pl_diag diag;
	bool binary;	 /* places are bytes of the input, not lines */
	uint64_t offset; /* of the current record: set by a binary reader */
	struct pl_err err;
	/* private */
	struct pl_parser_first { /* the first malformed record, for people */
		const char *message;
		struct pl_diag_place place;
		const char *advice; /* what it looks like, if that is known; else NULL */
	} first;
	struct pl_diag fields; /* counted by name */
	struct pl_buf inputs, clean;
};

/* The grammar. Each returns 0, or -1 with p->err. */
struct pl_parser_grammar {
	/* A line without its end, valid UTF-8. too_long: only its start, and it is malformed
	 * wherever it stands. */
	int (*line)(void *context, struct pl_str line, bool too_long);
	/* Or NULL. Takes lines off the start of `rest`, which is not checked yet, as far as they
	 * are plain and it can be done faster than one by one: returns their bytes, line ends
	 * included, and counts them. */
	size_t (*run)(void *context, struct pl_str rest, uint64_t *lines);
	int (*input_end)(void *context); /* all lines of an input were read */
	const char *none;		 /* N_(): the error when all records are malformed */
	const char *advice;		 /* N_(): and what to do */
};

/* Starts, and writes the header with one foreign input of this format for each input of m. */
void pl_parser_start(struct pl_parser *p, struct pl_main *m, const char *format);
/*
 * Reads all inputs and writes the end record. 0, or -1 with p->err. When there are records and all
 * are malformed, the stream is written to its end, and then that is the error.
 */
int pl_parser_run(struct pl_parser *p, const struct pl_parser_grammar *grammar,
		  void *context) PL_MUST_CHECK;
void pl_parser_free(struct pl_parser *p);
/*
 * The same for a binary format. The header comes once the reader knows what it says of its input:
 * `describe` adds members to the input's object. It stands before the diagnostics that there are by
 * then; nothing else may have been written.
 */
void pl_parser_start_binary(struct pl_parser *p, struct pl_main *m);
void pl_parser_header(struct pl_parser *p, const char *format,
		      void (*describe)(struct pl_jsonw *w, const void *context),
		      const void *context);
/* All bytes of the current input. 0 or -1. */
int pl_parser_read_whole(struct pl_parser *p, struct pl_buf *bytes) PL_MUST_CHECK;
/* The same where they were read already, by their place: for their digest and their number, and for
 * whether the file is still what it was. */
int pl_parser_read_past(struct pl_parser *p) PL_MUST_CHECK;
/* Writes the end record. 0, or -1 as pl_parser_run(). */
int pl_parser_end(struct pl_parser *p, const char *none, const char *advice) PL_MUST_CHECK;

/* A record that could not be read, at the current line. `code` and `message` are static, and not
 * translated. */
void pl_parser_malformed(struct pl_parser *p, const char *code, const char *message,
			 struct pl_str preview);
/* A diagnostic at the current line that costs no record. */
void pl_parser_warn(struct pl_parser *p, const char *code, const char *message,
		    struct pl_str preview);
/* Writes the event record, whose id is the next one. */
uint32_t pl_parser_event(struct pl_parser *p, struct pl_event *event);
/* Writes a sample and adds its weight. 0, or -1: the weights add up to more than 64 bits. */
int pl_parser_sample(struct pl_parser *p, const struct pl_sample *sample);
/* Are more records or frames there than the limits allow? 0, or -1 with p->err. */
int pl_parser_check_limits(struct pl_parser *p);
/* So many more records had this field: "fields" of the end record. `name` is static. */
void pl_parser_field(struct pl_parser *p, const char *name, uint64_t records);

#endif
