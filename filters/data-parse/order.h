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
	const unsigned char *record;
	uint32_t next;	/* in its pile; ORDER_NONE: the last */
	uint32_t event; /* of the recording, whose attribute says what it looks like */
};
enum { ORDER_NONE = UINT32_MAX };

struct order {
	struct order_entry *entries; /* in file order */
	size_t n, cap;
	/* private */
	struct order_pile {
		uint32_t first, last;
	} * piles; /* by the time of their last entry, latest first */
	size_t piles_n, piles_cap;
};

/* At most ORDER_NONE - 1 entries. */
void order_add(struct order *o, uint64_t time, const unsigned char *record, uint32_t event);
/* All were added; now they can be taken. */
void order_end(struct order *o);
/* The earliest of those that were not taken yet, or NULL. */
const struct order_entry *order_take(struct order *o);
void order_free(struct order *o);

#endif
