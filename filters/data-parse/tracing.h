/*
 * tracing: the names of tracepoints in a recording's own tracing data, which perf copies from
 * tracefs (trace.dat of trace-cmd, version 6 and before: trace-cmd.dat.v6(5)).
 */
#ifndef TRACING_H
#define TRACING_H

#include "perfdata.h"

/* {0} knows none. */
struct tracing {
	struct tracing_event {
		uint64_t id;
		struct pl_str group, name; /* in the data */
	} * v;				   /* by id */
	size_t n, cap;
};

/* As far as the data can be read: they must stay in memory. */
void tracing_read(struct tracing *t, struct pl_bytes data);
void tracing_free(struct tracing *t);
/* Adds "system:name" of the tracepoint with this ID; nothing where the data do not have it. */
void tracing_name(const struct tracing *t, uint64_t id, struct pl_buf *name);

#endif
