/*
 * recording: a whole perf.data: its events, its features, and its records in the order of time.
 *
 * A record is looked at three times: here, to find what all others need (attributes, features,
 * build IDs) and when it was made; and by replay, which takes them in order.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "events.h"
#include "inflate.h"
#include "order.h"
#include "parser.h"
#include "store.h"

struct recording {
	uint64_t at; /* of the record that was read last; of what was compressed: where that is */
	struct pl_perf_header header;
	struct events events;
	struct order order;
	struct pl_bytes features[PL_PERF_FEATURES]; /* p NULL: none */
	struct pl_bytes *build_ids;		    /* whole records */
	size_t build_ids_n, build_ids_cap;
	uint32_t *mmaps; /* MMAP2 records, by their number in `order` */
	size_t mmaps_n, mmaps_cap;
	struct pl_err err;
	/* private */
	struct store *store;
	bool unpacking;
	struct pl_parser *parser;
	uint64_t max_records;
	struct inflate inflate;
};

/* Reads a recording. What is wrong with single records goes to the parser as malformed ones. 0 or
 * -1. */
int recording_open(struct recording *r, struct store *store, struct pl_parser *parser,
		   const struct pl_limits *limits);
void recording_close(struct recording *r);
/* A record of a type that says nothing about samples, or that nobody knows: skipped by its size,
 * and counted. */
void recording_skip(struct pl_parser *parser, uint32_t type);
/* The next record in time, valid until the next one unless an event saves stacks: 1; 0 when there
 * is none; -1: the file changed. */
int recording_next(struct recording *r, struct pl_perf_record *record, uint32_t *event);
/* The MMAP2 record i, in the order of the file. 0, or -1: the file changed. */
int recording_mmap(struct recording *r, size_t i, struct pl_perf_record *record);
/* The build ID record i. 0, or -1: it cannot be read. */
int recording_build_id(const struct recording *r, size_t i, struct pl_perf_build_id *b);

#endif
