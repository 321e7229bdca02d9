/*
 * queue: samples on their way to the stream. Those of a recording with saved stacks wait for their
 * batch to be unwound, and the others behind them, so that all stay in order; without saved stacks
 * none waits.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "chain.h"
#include "parser.h"

/* What is known of a sample when it is met: its process and maps may change before it is written.
 */
struct queue_sample {
	struct pl_perf_sample sample; /* its bytes stay where they are */
	const struct pl_perf_attr *attr;
	uint32_t event; /* in the stream */
	uint16_t misc;
	struct pl_str comm; /* absent: not known */
	struct pl_diag_place place;
	/* private */
	bool deferred;
	size_t addresses, first, depth; /* its part of the ids */
	size_t ticket;			/* SIZE_MAX: nothing to unwind */
};

struct queue {
	struct pl_parser *parser;
	struct frames *frames;
	const struct chain_modules *of;
	struct unwind *unwind; /* NULL: no event saves stacks */
	/* private */
	struct chain chain; /* of the sample that is written */
	struct queue_sample *v;
	size_t n, cap;
	uint32_t *ids;
	size_t ids_n, ids_cap;
	struct pl_buf payload;
};

/* Takes a sample with what the kernel, or the processor, knows of its chain (not turned around),
 * and the space of its process. 0, or -1 with the parser's err. */
int queue_add(struct queue *q, const struct queue_sample *s, const struct chain *chain,
	      const struct space *space);
/* Writes all that wait. */
int queue_flush(struct queue *q);
void queue_free(struct queue *q);

#endif
