/* flametext: what a picture of a call tree says in words. Each appends, and names are as recorded:
 * who writes them to a document escapes them. */
#ifndef PL_FLAMETEXT_H
#define PL_FLAMETEXT_H

#include "flamesvg.h"

/* Is it a node of what no stack holds? */
bool pl_flametext_is_rest(const struct pl_calltree *t, uint32_t node);
/* "34 cycles (12.00 %)", of the total of one side */
void pl_flametext_weight(struct pl_buf *b, const struct pl_flamesvg *f, unsigned side,
			 uint64_t weight);
/* The figures of a node and its id, a line each, none ended by the last. */
void pl_flametext_node(struct pl_buf *b, const struct pl_flamesvg *f, uint32_t node);
void pl_flametext_title(struct pl_buf *b, const struct pl_flamesvg *f);
/* Event, totals, samples, status. */
void pl_flametext_totals(struct pl_buf *b, const struct pl_flamesvg *f);

#endif
