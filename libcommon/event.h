/* event: what the name of a perf event says: its unit, and whether hardware, the kernel or a
 * tracepoint counts it */
#ifndef PL_EVENT_H
#define PL_EVENT_H

#include "str.h"

/* An event without its modifiers and PMU: "cycles:u", "cpu_core/cycles/u" and "cpu-cycles" are
 * "cycles". Names of tracepoints ("sched:sched_switch") are whole. perf-list(1), "EVENT MODIFIERS"
 * and "HYBRID". */
struct pl_str pl_event_base(struct pl_str event);
/* What a period of the event is counted in: "nanoseconds" (cpu-clock, task-clock), "cycles",
 * "instructions", "events". */
struct pl_str pl_event_unit(struct pl_str event);
/* "hardware", "software", "tracepoint", or "unknown" for a name that perf-list(1) does not know. */
struct pl_str pl_event_source(struct pl_str event);

#endif
