/*
 * recording: a whole perf.data: its events, its features, and its records in the order of time.
 *
 * A record is looked at three times: here, to find what all others need (attributes, features,
 * build IDs) and when it was made; and by replay, which takes them in order.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "inflate.h"
#include "order.h"
#include "parser.h"
#include "perfsample.h"
#include "store.h"

struct recording_event {
	struct pl_perf_attr attr;
	struct pl_str name; /* as perf calls it; absent: nothing says it. After describe_events():
			       valid UTF-8, and equal names are one string */
	uint32_t id;	    /* in the stream; UINT32_MAX: no sample yet */
	int time_at;	    /* word of a sample's body that is its time; -1: none */
};

struct recording {
	uint64_t at; /* of the record that was read last; of what was compressed: where that is */
	struct pl_perf_header header;
	struct recording_event *events;
	size_t events_n, events_cap;
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
	struct pl_intern ids; /* eight bytes each */
	size_t ids_read;
	uint32_t *event_of; /* by the number of its ID */
	size_t event_of_cap;
	int id_at, trailer_id_at; /* of the first event: perf makes them the same for all */
};

/* Reads a recording. What is wrong with single records goes to the parser as malformed ones. 0 or
 * -1. */
int recording_open(struct recording *r, struct store *store, struct pl_parser *parser,
		   const struct pl_limits *limits);
void recording_close(struct recording *r);
/* A record of a type that says nothing about samples, or that nobody knows: skipped by its size,
 * and counted. */
void recording_skip(struct pl_parser *parser, uint32_t type);
/* The event with this ID, or UINT32_MAX. Where there is one event, all are of it. */
uint32_t recording_event(struct recording *r, uint64_t id);
/* The next record in time, valid until the next one unless an event saves stacks: 1; 0 when there
 * is none; -1: the file changed. */
int recording_next(struct recording *r, struct pl_perf_record *record, uint32_t *event);
/* The MMAP2 record i, in the order of the file. 0, or -1: the file changed. */
int recording_mmap(struct recording *r, size_t i, struct pl_perf_record *record);
/* The build ID record i. 0, or -1: it cannot be read. */
int recording_build_id(const struct recording *r, size_t i, struct pl_perf_build_id *b);

#endif
