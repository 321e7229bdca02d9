/*
 * reader: the lines of perf script, told apart and put together to samples.
 *
 * A sample is a header line (header.h), lines below it that start with blanks (frame.h), and a
 * blank line; or it is one line. What stands elsewhere is either known (comments, PERF_RECORD_
 * lines) and skipped, or malformed; neither touches a sample.
 */
#ifndef PL_SCRIPT_READER_H
#define PL_SCRIPT_READER_H

#include "sample.h"
#include "transcript.h"

struct reader_options {
	struct chain_options chain;
	uint64_t kernel_max_stack; /* a chain of so many frames was cut by the kernel */
	bool transcript;	   /* the text must be a whole one of pl-perf-script */
};

struct reader {
	struct pl_parser parser;
	struct sample sample;
	size_t plain_max; /* bytes of a line that may be taken in a run of frames */
	/* of this input */
	bool headers;	/* a sample had a header: frames alone are none */
	bool eventless; /* and one had no event */
	bool bare;	/* the open sample has no header, and is one line */
	bool swallow;	/* the frames of a header that could not be read */
	bool in_block;	/* between the two "# =====" of a file's header */
	bool in_record; /* a PERF_RECORD_COMM whose name holds a line end */
	/* a line that means nothing by itself: the next one tells (a comm with a line end in it, or
	 * a comm alone) */
	struct pl_buf pending;
	bool has_pending, after_comment;
	uint64_t pending_line;
	struct pl_transcript transcript; /* of pl-perf-script, where this is one */
};

void reader_start(struct reader *r, struct pl_main *m, const struct reader_options *options);
void reader_free(struct reader *r);
/* The grammar for pl_parser_run(); the context is the reader. */
extern const struct pl_parser_grammar reader_grammar;

#endif
