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
		if (o->entries[o->piles[middle].last].time <= time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void order_add(struct order *o, uint64_t time, const unsigned char *record, uint32_t event)
{
	uint32_t id = (uint32_t)o->n;

	PL_GROW(o->entries, o->n + 1, o->cap);
	o->entries[o->n++] = (struct order_entry){time, record, ORDER_NONE, event};
	/* nearly always it goes on with the pile that came last */
	size_t pile = find_pile(o, time);
	if (pile == o->piles_n) {
		PL_GROW(o->piles, o->piles_n + 1, o->piles_cap);
		o->piles[o->piles_n++] = (struct order_pile){id, id};
		return;
	}
	o->entries[o->piles[pile].last].next = id;
	o->piles[pile].last = id;
}

static bool is_before(const struct order *o, struct order_pile a, struct order_pile b)
{
	uint64_t x = o->entries[a.first].time, y = o->entries[b.first].time;

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

void order_end(struct order *o)
{
	for (size_t i = o->piles_n / 2; i-- > 0;)
		sift_down(o, i);
}

const struct order_entry *order_take(struct order *o)
{
	if (o->piles_n == 0)
		return NULL;
	const struct order_entry *first = &o->entries[o->piles[0].first];
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
	free(o->entries);
	free(o->piles);
	*o = (struct order){0};
}
