/* rank: a heap of the best k with the last of them on top, then sorted in place */
#include "rank.h"

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t t = *a;

	*a = *b;
	*b = t;
}

/* Restores the heap below `at`: no child comes after its parent. */
static void sift(uint32_t *heap, size_t n, size_t at, rank_before *before, const void *context)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && before(context, heap[child], heap[child + 1]))
			child++;
		if (!before(context, heap[at], heap[child]))
			return;
		swap(&heap[at], &heap[child]);
	}
}

size_t rank_first(uint32_t *items, size_t n, size_t k, rank_before *before, const void *context)
{
	if (k > n)
		k = n;
	for (size_t i = k / 2; i-- > 0;)
		sift(items, k, i, before, context);
	for (size_t i = k; k && i < n; i++) {
		if (!before(context, items[i], items[0]))
			continue;
		swap(&items[0], &items[i]);
		sift(items, k, 0, before, context);
	}
	for (size_t left = k; left-- > 1;) {
		swap(&items[0], &items[left]);
		sift(items, left, 0, before, context);
	}
	return k;
}
