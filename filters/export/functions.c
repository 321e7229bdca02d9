/* functions: keys of stacks to numbers */
#include "functions.h"

uint32_t functions_of(struct functions *f, const struct pl_stacks *k, uint32_t frame)
{
	uint32_t key = k->frames[frame].key;

	PL_GROW(f->numbers, k->keys.n, f->numbers_cap);
	if (f->numbers[key] == 0) {
		PL_GROW(f->frames, f->n + 1, f->cap);
		f->frames[f->n++] = frame;
		f->numbers[key] = (uint32_t)f->n;
	}
	return f->numbers[key] - 1;
}

void functions_free(struct functions *f)
{
	free(f->frames);
	free(f->numbers);
}
