/* intake: adds the samples of one stream to a profile */
#ifndef PL_AGGREGATE_INTAKE_H
#define PL_AGGREGATE_INTAKE_H

#include "frames.h"
#include "sources.h"

/* Reads the whole stream, which has just been opened. 0, or -1 with p->err. */
int intake_read(struct profile *p, struct sources *sources, struct pl_samples *r,
		uint64_t max_records, uint64_t max_frames);

#endif
