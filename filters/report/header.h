/* header: where an analysis comes from: its producer and its foreign inputs */
#ifndef REPORT_HEADER_H
#define REPORT_HEADER_H

#include "model.h"

/* Fills program, version, inputs and inputs_n of *r from the stream's header; what is absent or of
 * another kind stays absent. */
void report_read_header(struct report *r, const struct pl_stream *s);

#endif
