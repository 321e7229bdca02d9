/*
 * header: the line that starts a sample in the text of perf script.
 *
 *     COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: PAYLOAD or FRAME
 *
 * Any of these may be missing (perf-script(1), "--fields"). COMM is up to 15 arbitrary bytes, so it
 * is what is left over: the fields after it are matched strictly, from each place where they could
 * start, and the place where most of them fit wins. perf's own code (builtin-script.c,
 * perf_sample__fprintf_start) gives the order and the widths.
 */
#ifndef PL_SCRIPT_HEADER_H
#define PL_SCRIPT_HEADER_H

#include "str.h"

struct script_header {
	struct pl_str comm; /* p NULL: none */
	int64_t pid, tid, cpu;
	uint64_t time; /* nanoseconds */
	uint64_t period;
	struct pl_str misc, event; /* p NULL: none */
	/* after the last field, trimmed; after the event, the blanks in front stay: they tell how
	 * wide its column is */
	struct pl_str rest;
	bool has_pid, has_tid, has_cpu, has_time, has_period;
	bool padded;	 /* the thread stands in a column as wide as perf's */
	size_t at;	 /* where the fields start in the line */
	unsigned fields; /* how many were matched, the comm not counted */
};

/* Matches a line. false: no field is there, or what is there contradicts the order. */
bool script_header_read(struct pl_str line, struct script_header *header);

/* Is it a sample's header whatever is around it: two fields that stand together by no accident? */
bool script_header_is_certain(const struct script_header *header);

/* Is a thread all that was matched, and does it stand where perf prints one? */
bool script_header_is_thread(const struct script_header *header, struct pl_str line);
/* Matches a line with a padded name, which has no field behind it but a padded frame. */
bool script_header_read_comm(struct pl_str line, struct script_header *header);

/*
 * The name in what stands before the fields. perf pads it on the left, to SCRIPT_COMM_WIDTH, where
 * samples have no call chain; else it stands at the line's start as it is, blanks included. comm.p
 * NULL: none is there. false: it is too long for one.
 */
enum { SCRIPT_COMM_WIDTH = 16 };
bool script_comm_read(struct pl_str text, struct pl_str *comm);

#endif
