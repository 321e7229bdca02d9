/*
 * sampleline: the line of a sample with a stack, exactly as pl_samplesw_sample() writes it, read
 * without a JSON parser. Samples are nearly all lines of a stream, and nearly all have this form;
 * whatever has another, or might be wrong, is for the general road, which says what is wrong.
 */
#ifndef PL_SAMPLELINE_H
#define PL_SAMPLELINE_H

#include "samples.h"

/* Does it begin like one, up to the start of its stack? */
bool pl_sampleline_is(struct pl_str line);
/*
 * Fills *sample, texts being views into the line, and the stack into *stack, of capacity *cap,
 * which grows. False: it is no such line; or a text in it needs unescaping or is not ASCII, a
 * number is negative or has more than 18 digits, or a frame is none of the first `frames`. *sample
 * then has no meaning.
 */
bool pl_sampleline_read(struct pl_str line, uint32_t frames, struct pl_sample *sample,
			uint32_t **stack, size_t *cap);

#endif
