/* order: patience sorting, and the merge of its piles */
#include "order.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

/* The first pile whose last entry is not later than `time`: an entry goes on the pile that it
 * leaves the smallest gap on. */
static size_t find_pile(const struct order *o, uint64_t time)
{
	size_t low = 0, high = o->piles_n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (order_entry(o, o->piles[middle].last)->time <= time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void order_add(struct order *o, const struct order_entry *entry)
{
	uint32_t id = (uint32_t)o->n;

	if (o->n % ORDER_BLOCK == 0) {
		PL_GROW(o->blocks, o->n / ORDER_BLOCK + 1, o->blocks_cap);
		o->blocks[o->n / ORDER_BLOCK] = pl_realloc(NULL, ORDER_BLOCK, sizeof **o->blocks);
	}
	struct order_entry *added = order_entry(o, o->n++);
	*added = *entry;
	added->next = ORDER_NONE;
	/* nearly always it goes on with the pile that came last */
	size_t pile = find_pile(o, entry->time);
	if (pile == o->piles_n) {
		PL_GROW(o->piles, o->piles_n + 1, o->piles_cap);
		o->piles[o->piles_n++] = (struct order_pile){id, id};
		return;
	}
	order_entry(o, o->piles[pile].last)->next = id;
	o->piles[pile].last = id;
}

static bool is_before(const struct order *o, struct order_pile a, struct order_pile b)
{
	uint64_t x = order_entry(o, a.first)->time, y = order_entry(o, b.first)->time;

	return x < y || (x == y && a.first < b.first);
}

/* ---- the merge: the piles become a heap by their first entry ---- */

static void sift_down(struct order *o, size_t at)
{
	struct order_pile moved = o->piles[at];

	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= o->piles_n)
			break;
		if (child + 1 < o->piles_n && is_before(o, o->piles[child + 1], o->piles[child]))
			child++;
		if (!is_before(o, o->piles[child], moved))
			break;
		o->piles[at] = o->piles[child];
		at = child;
	}
	o->piles[at] = moved;
}

size_t order_end(struct order *o)
{
	for (size_t i = o->piles_n / 2; i-- > 0;)
		sift_down(o, i);
	return o->piles_n;
}

const struct order_entry *order_take(struct order *o)
{
	if (o->piles_n == 0)
		return NULL;
	const struct order_entry *first = order_entry(o, o->piles[0].first);
	if (first->next != ORDER_NONE)
		o->piles[0].first = first->next;
	else
		o->piles[0] = o->piles[--o->piles_n];
	if (o->piles_n)
		sift_down(o, 0);
	return first;
}

void order_free(struct order *o)
{
	for (size_t i = 0; i < o->n; i += ORDER_BLOCK)
		free(o->blocks[i / ORDER_BLOCK]);
	free(o->blocks);
	free(o->piles);
	*o = (struct order){0};
}
