/*
 * record: what perf script prints of records that are no samples (perf_event__fprintf):
 *
 *     COMM PID/TID [CPU] TIME: PERF_RECORD_LOST lost 17
 */
#ifndef PL_SCRIPT_RECORD_H
#define PL_SCRIPT_RECORD_H

#include "header.h"

/* Does such a record start here? */
bool script_is_record(struct pl_str text);
/* Is it what stands behind this header? Then *record is where its name starts. */
bool script_header_is_record(const struct script_header *header, struct pl_str *record);
/* The samples that a record says were lost. false: it says none. */
bool script_record_lost(struct pl_str record, uint64_t *count);
/* Is it a PERF_RECORD_COMM whose name goes on in the next line? */
bool script_record_is_open(struct pl_str record);
/* Does a line end as such a record does, "…:123/123"? */
bool script_record_ends(struct pl_str line);

#endif
