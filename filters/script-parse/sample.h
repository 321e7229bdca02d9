/*
 * sample: the record that a header and the frames below it make, from its start to the stream.
 */
#ifndef PL_SCRIPT_SAMPLE_H
#define PL_SCRIPT_SAMPLE_H

#include "chain.h"
#include "columns.h"
#include "header.h"
#include "parser.h"

/* What a record may have (perf-script(1), "--fields"); the end record says how many had it. */
enum sample_field {
	SAMPLE_COMM,
	SAMPLE_PID,
	SAMPLE_TID,
	SAMPLE_CPU,
	SAMPLE_MISC,
	SAMPLE_TIME,
	SAMPLE_PERIOD,
	SAMPLE_EVENT,
	SAMPLE_ADDR,
	SAMPLE_DATA_SRC,
	SAMPLE_WEIGHT,
	SAMPLE_IP,
	SAMPLE_SYM,
	SAMPLE_SYMOFF,
	SAMPLE_DSO,
	SAMPLE_SRCLINE,
	SAMPLE_TRACE,
	SAMPLE_BRSTACK,
	SAMPLE_FIELDS
};

struct sample {
	bool open;
	/* one line is all of it: its frame stands on the header line */
	bool one_line;
	bool has_ip;
	const char *cut; /* why less is known than was recorded, or NULL */
	uint64_t line;	 /* of the header */
	struct script_header header;
	struct script_columns columns; /* address and body are used up */
	struct chain chain;
	/* private */
	struct pl_buf head;		/* the bytes of its comm, event, misc, payload */
	struct pl_buf first;		/* the frame on the header line */
	struct pl_intern events;	/* name, and whether it has periods */
	uint64_t fields[SAMPLE_FIELDS]; /* records of this input that had it */
	uint64_t kernel_max_stack;
};

/* kernel_max_stack: a chain of so many frames was cut by the kernel. */
void sample_init(struct sample *s, const struct chain_options *options, uint64_t kernel_max_stack);
void sample_free(struct sample *s);
/* Texts are copied. */
void sample_start(struct sample *s, const struct script_header *header, uint64_t line);
/* Frames follow below, this one first: what looked like a frame on the header line is the same one,
 * or was a column. */
void sample_not_one_line(struct sample *s, struct pl_str body);
/* Writes the sample, when one is open. 0, or -1 with p->err. */
int sample_end(struct sample *s, struct pl_parser *p);
/* Of all records of this input so far, into the end record. */
void sample_put_fields(struct sample *s, struct pl_parser *p);
/* Has a sample of this event been read? */
bool sample_knows_event(struct sample *s, struct pl_str event);

#endif
