/* around: what stands around every table of an event: what it is of and how sure it is, what may be
 * concluded; and how it is held to a number of bytes */
#ifndef QUERY_AROUND_H
#define QUERY_AROUND_H

#include "options.h"

enum {
	AROUND_MIN = 1800, /* bytes an event gets at least: in these the lines around its table
			      find room */
	AROUND_LABEL = 100 /* bytes that a label, or an id, may have */
};

/* A text escaped for a terminal; what is over `most` bytes is cut, with a mark and the whole
 * length. */
void around_cut(struct pl_buf *out, struct pl_str text, size_t most);
/* "1234 cycles" */
void around_weight(struct pl_buf *out, const struct pl_summary_event *e, uint64_t weight);
/* "1234 cycles, 5.60 % of weight" */
void around_part(struct pl_buf *out, const struct pl_summary_event *e, uint64_t weight);
/* Event, status and its reasons, the counts behind them. */
void around_head(struct pl_buf *out, const struct pl_summary *s, const struct pl_summary_event *e);
/* Samples without a stack, if any, and what may be concluded and what not. */
void around_foot(struct pl_buf *out, const struct pl_summary_event *e);

/* A table of an event that can have fewer rows, in the form of functions. */
struct around_table {
	/* Appends the event with the first n of its rows; names may take a part of the budget. */
	void (*put)(struct pl_buf *out, const void *of, size_t n, size_t budget);
	const void *of;
	size_t rows;
};
/* Appends the table with as many rows as fit the budget, more or less: more rows are taken to need
 * more room. What is too long even without a row is cut. */
void around_fit(struct pl_buf *out, const struct around_table *table, size_t budget);
/* Appends one event in a budget of bytes. 0, or -1 with *err. */
typedef int around_event(struct pl_buf *out, const struct pl_summary *s,
			 const struct pl_summary_event *e, const struct query_options *o,
			 size_t budget, struct pl_err *err);
/* Appends each event, at most max_bytes bytes in all: each gets its part, those that get less than
 * AROUND_MIN are counted. 0, or -1 with *err. */
int around_events(struct pl_buf *out, const struct pl_summary *s, const struct query_options *o,
		  around_event *put, struct pl_err *err);

#endif
