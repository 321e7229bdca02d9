/*
 * tracing: the names of tracepoints in a recording's own tracing data, which perf copies from
 * tracefs (trace.dat of trace-cmd, version 6 and before: trace-cmd.dat.v6(5)).
 */
#ifndef TRACING_H
#define TRACING_H

#include "mem.h"
#include "perfdata.h"

/* "system:name" of the tracepoint with this ID, kept in `names`; absent: not found, or the data
 * cannot be read. */
struct pl_str tracing_name(struct pl_bytes data, uint64_t id, struct pl_arena *names);

#endif
