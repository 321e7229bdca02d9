/*
 * order: the records of a recording in the order of time.
 *
 * perf writes what each CPU's buffer holds one after the other, so that a file is a few sorted
 * sequences, cut in pieces and mixed. Records are dealt to piles that stay sorted (patience
 * sorting: the fewest that this can be done with), and the piles are merged. Records with the same
 * time keep the order of the file; those without a time come first.
 */
#ifndef ORDER_H
#define ORDER_H

#include "base.h"

struct order_entry {
	uint64_t time;
	union {
		uint64_t at;		     /* in the recording */
		const unsigned char *record; /* in_memory: what was unpacked */
	};
	uint32_t next;	     /* in its pile; ORDER_NONE: the last */
	uint32_t event : 31; /* of the recording, whose attribute says what it looks like */
	bool in_memory : 1;
};
enum { ORDER_NONE = UINT32_MAX, ORDER_BLOCK = 1 << 15 };

struct order {
	size_t n;
	/* private */
	struct order_entry **blocks; /* entries in file order, ORDER_BLOCK in each: they are many,
					and never moved */
	size_t blocks_cap;
	struct order_pile {
		uint32_t first, last;
	} * piles; /* by the time of their last entry, latest first */
	size_t piles_n, piles_cap;
};

/* By their number, in file order. */
static inline struct order_entry *order_entry(const struct order *o, size_t i)
{
	return &o->blocks[i / ORDER_BLOCK][i % ORDER_BLOCK];
}

/* At most ORDER_NONE - 1 entries. `next` is set here. */
void order_add(struct order *o, const struct order_entry *entry);
/* All were added; now they can be taken. They then come from this many places at once. */
size_t order_end(struct order *o);
/* The earliest of those that were not taken yet, or NULL. */
const struct order_entry *order_take(struct order *o);
void order_free(struct order *o);

#endif
