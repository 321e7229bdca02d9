/*
 * events: what a recording counted: the attribute of each event, its name, and the IDs by which
 * records say which one they are of.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "intern.h"
#include "perfsample.h"

struct event {
	struct pl_perf_attr attr;
	struct pl_str name; /* as perf calls it; absent: nothing says it. After describe_events():
			       valid UTF-8, and equal names are one string */
	uint32_t id;	    /* in the stream; UINT32_MAX: no sample yet */
	int time_at;	    /* word of a sample's body that is its time; -1: none */
};

enum {
	EVENTS_MAX = 1 << 14,
	EVENTS_IDS_MAX = 1 << 22, /* of all events, those that come twice included */
	EVENTS_IDS_BYTES = 8 * (EVENTS_IDS_MAX + 1) /* enough to see that they are too many */
};

struct events {
	struct event *v;
	size_t n, cap;
	int id_at, trailer_id_at; /* of the first event: perf makes them the same for all */
	struct pl_err err;
	/* private */
	struct pl_intern ids; /* eight bytes each */
	size_t ids_read;
	uint32_t *of; /* by the number of its ID */
	size_t of_cap;
};

void events_start(struct events *e);
void events_free(struct events *e);
/* An attribute. 0, or -1 with err. */
int events_add(struct events *e, struct pl_bytes attr);
/* IDs of the event that was added last; one that another has already stays with that. 0, or -1 with
 * err. */
int events_add_ids(struct events *e, struct pl_bytes ids);
/* Names from the feature EVENT_DESC, which may be absent. */
void events_name(struct events *e, struct pl_bytes descriptions);
/* The event with this ID, or UINT32_MAX. Where there is one event, all are of it. */
uint32_t events_find(const struct events *e, uint64_t id);

#endif
