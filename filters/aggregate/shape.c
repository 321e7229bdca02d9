/* shape: does each parent's line carry its children's sum? */
#include "shape.h"
#include "mem.h"

enum { LEAST_INNER = 20, LEAST_PERCENT = 90 };

/*
 * How many different ones there are among n hashes, at most `most`. The table never holds more than
 * that, so a file that is far from inclusive costs next to nothing.
 */
static uint64_t count_distinct(const uint64_t *hashes, size_t n, uint64_t most)
{
	size_t slots_n = 16;

	while (slots_n < 2 * (most < n ? most : n) + 2)
		slots_n *= 2;
	uint64_t *slots = pl_alloc(slots_n * sizeof *slots), distinct = 0;
	for (size_t i = 0; i < n && distinct < most; i++) {
		size_t at = hashes[i] & (slots_n - 1);
		while (slots[at] && slots[at] != hashes[i])
			at = (at + 1) & (slots_n - 1);
		distinct += !slots[at];
		slots[at] = hashes[i];
	}
	free(slots);
	return distinct;
}

bool shape_looks_inclusive(const struct tally *t, uint64_t *inner, uint64_t *inclusive)
{
	const struct pl_intern *paths = &t->paths;
	uint64_t *children = pl_alloc((paths->n + 1) * sizeof *children); /* sum below each stack */
	uint64_t *orphans = pl_alloc((paths->n + 1) *
				     sizeof *orphans); /* parents without a line of their own */
	size_t orphans_n = 0;

	for (size_t i = 0; i < paths->n; i++) {
		struct pl_str path = pl_intern_str(paths, (uint32_t)i);
		size_t parent_n = path.n - sizeof(uint32_t);
		uint32_t parent = parent_n ? pl_intern_find(paths, path.p, parent_n)
					   : (uint32_t)PL_INTERN_NONE;
		if (parent != PL_INTERN_NONE)
			children[parent] += t->path_sums[i].weight;
		else if (parent_n)
			orphans[orphans_n++] =
				pl_hash_bytes(path.p, parent_n, paths->seed) | 1; /* 0 is no hash */
	}
	*inner = *inclusive = 0;
	for (size_t i = 0; i < paths->n; i++) {
		*inner += children[i] > 0;
		*inclusive += children[i] > 0 && t->path_sums[i].weight >= children[i];
	}
	/* so many inner stacks are too many for those that are inclusive */
	uint64_t too_many = *inclusive * 100 / LEAST_PERCENT + 1;
	if (*inner < too_many)
		*inner += count_distinct(orphans, orphans_n, too_many - *inner);
	free(children);
	free(orphans);
	return *inner >= LEAST_INNER && *inner < too_many;
}
