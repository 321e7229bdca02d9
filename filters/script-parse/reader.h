/*
 * reader: the lines of perf script, told apart and put together to samples.
 *
 * A sample is a header line (header.h), lines below it that start with blanks (frame.h), and a
 * blank line. What stands elsewhere is either known (comments, PERF_RECORD_ lines) and skipped, or
 * malformed; neither touches a sample.
 */
#ifndef PL_SCRIPT_READER_H
#define PL_SCRIPT_READER_H

#include "chain.h"
#include "header.h"
#include "parser.h"

/* What a record may have (perf-script(1), "--fields"); the end record says how many had it. */
enum reader_field {
	READER_COMM,
	READER_PID,
	READER_TID,
	READER_CPU,
	READER_MISC,
	READER_TIME,
	READER_PERIOD,
	READER_EVENT,
	READER_IP,
	READER_SYM,
	READER_SYMOFF,
	READER_DSO,
	READER_SRCLINE,
	READER_TRACE,
	READER_BRSTACK,
	READER_FIELDS
};

struct reader_options {
	struct chain_options chain;
	uint64_t kernel_max_stack; /* a chain of so many frames was cut by the kernel */
};

struct reader {
	struct pl_parser parser;
	struct reader_options options;
	struct chain chain;
	size_t plain_max; /* bytes of a line that may be taken in a run of frames */
	/* the sample that is being read */
	bool open;
	struct script_header header;
	struct pl_buf head;    /* the bytes of its comm, event, payload */
	struct pl_str payload; /* of head; p NULL: none */
	struct pl_buf first;   /* the frame on the header line: perf may repeat it below */
	bool has_ip, cut_short, branches;
	uint64_t fields[READER_FIELDS]; /* records of this input that had it */
	/* a line that means nothing by itself: the next one tells (a comm with a line end in it, or
	 * a comm alone) */
	struct pl_buf pending;
	bool has_pending, after_comment;
	uint64_t pending_line;
	struct pl_intern events; /* name, and whether it has periods */
};

void reader_start(struct reader *r, struct pl_main *m, const struct reader_options *options);
void reader_free(struct reader *r);
/* The grammar for pl_parser_run(); the context is the reader. */
extern const struct pl_parser_grammar reader_grammar;

#endif
