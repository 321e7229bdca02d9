/* shape: does each parent's line carry its children's sum? */
#include "shape.h"
#include "mem.h"

enum { LEAST_INNER = 20, LEAST_PERCENT = 90 };

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t count_distinct(uint64_t *hashes, size_t n)
{
	uint64_t distinct = 0;

	if (n)
		qsort(hashes, n, sizeof *hashes, compare_hashes);
	for (size_t i = 0; i < n; i++)
		distinct += i == 0 || hashes[i] != hashes[i - 1];
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
			orphans[orphans_n++] = pl_hash_bytes(path.p, parent_n, 0);
	}
	*inner = *inclusive = 0;
	for (size_t i = 0; i < paths->n; i++) {
		*inner += children[i] > 0;
		*inclusive += children[i] > 0 && t->path_sums[i].weight >= children[i];
	}
	/* sorting is for the rare file that may pass */
	if (*inclusive * 100 >= LEAST_INNER * LEAST_PERCENT)
		*inner += count_distinct(orphans, orphans_n);
	else
		*inner += orphans_n;
	free(children);
	free(orphans);
	return *inner >= LEAST_INNER && *inclusive * 100 >= *inner * LEAST_PERCENT;
}
