/* functions: dense numbers for the functions of stacks, in the order in which they are met */
#ifndef EXPORT_FUNCTIONS_H
#define EXPORT_FUNCTIONS_H

#include "stacks.h"

struct functions {
	uint32_t *frames; /* by number: a frame of the function */
	size_t n, cap;
	/* private */
	uint32_t *numbers; /* by key, plus 1; 0: not met */
	size_t numbers_cap;
};

/* The number of the frame's function; the old n when it is new. */
uint32_t functions_of(struct functions *f, const struct pl_stacks *k, uint32_t frame);
void functions_free(struct functions *f);

#endif
