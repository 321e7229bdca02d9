/*
 * samplesw: writes the records of perflens.samples, canonical and one a line, from the structs that
 * samples.h reads.
 *
 * All text must be valid UTF-8 without NUL. Optional members are written when their view is there
 * or their has_ is set.
 */
#ifndef PL_SAMPLESW_H
#define PL_SAMPLESW_H

#include "samples.h"

void pl_samplesw_event(struct pl_buf *b, const struct pl_event *event);
void pl_samplesw_module(struct pl_buf *b, const struct pl_module *module);
/* inlines is ignored: only pl-symbolize writes it */
void pl_samplesw_frame(struct pl_buf *b, const struct pl_frame *frame);
void pl_samplesw_sample(struct pl_buf *b, const struct pl_sample *sample);

#endif
