/*
 * perfsample: what PERF_RECORD_SAMPLE holds, by its attribute's sample_type, and what the kernel
 * appends to its other records. perf_event_open(2), "MMAP layout"; perf_output_sample() in the
 * kernel's kernel/events/core.c says the order.
 */
#ifndef PL_PERFSAMPLE_H
#define PL_PERFSAMPLE_H

#include "perfdata.h"

/* Which members are there stands in the attribute's sample_type. */
struct pl_perf_sample {
	uint64_t ip, time, id, period;
	uint32_t pid, tid, cpu;
	struct pl_bytes chain;	  /* 64-bit addresses and context markers, innermost first */
	struct pl_bytes raw;	  /* of tracepoints; may have filling at its end */
	struct pl_bytes branches; /* three 64-bit words each: from, to, flags; latest first */
	uint64_t regs_abi;	  /* PERF_SAMPLE_REGS_ABI_*; 0: no registers */
	struct pl_bytes regs;	  /* user registers: a word for each bit of sample_regs_user */
	struct pl_bytes stack;	  /* user stack from the stack pointer on: what was there to copy */
	bool stack_full;	  /* it filled all of its room: the stack may go on */
};

/* 0, or -1: the record is shorter than what it says that it holds. */
int pl_perf_sample_read(struct pl_perf_sample *s, const struct pl_perf_attr *attr,
			struct pl_bytes body);

/* Where, in words, an event ID stands in samples of that type: from the start of the body; in other
 * records with sample_id_all: from the end, 1 being the last word. -1: it has none. */
int pl_perf_sample_id_at(uint64_t sample_type);
int pl_perf_trailer_id_at(uint64_t sample_type);

/* The words that the kernel appends to its other records. */
struct pl_perf_trailer {
	uint32_t pid, tid, cpu;
	uint64_t time, id;
	size_t bytes; /* of the body, that it takes */
};
/* 0, or -1: the body is shorter. Without sample_id_all nothing is there, and time is 0. */
int pl_perf_trailer_read(struct pl_perf_trailer *t, const struct pl_perf_attr *attr,
			 struct pl_bytes body);

#endif
