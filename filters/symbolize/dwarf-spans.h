/*
 * dwarf-spans: ranges of addresses with an owner each. They are collected as they come, nested and
 * overlapping, and then made flat: sorted, disjoint, each with its innermost owner.
 */
#ifndef DWARF_SPANS_H
#define DWARF_SPANS_H

#include "base.h"

struct dwarf_span {
	uint64_t lo, hi; /* [lo, hi) */
	uint32_t owner;
};

struct dwarf_spans {
	struct dwarf_span *v;
	size_t n, cap;
};

/* Empty and inverted ones are left out. */
void dwarf_spans_add(struct dwarf_spans *s, uint64_t lo, uint64_t hi, uint32_t owner);
/*
 * Where spans overlap, the one that begins later owns the addresses, then the one that ends
 * earlier, then the one with the greater owner: when a child's number is greater than its parent's,
 * the innermost. Not twice for the same spans.
 */
void dwarf_spans_flatten(struct dwarf_spans *s);
/* Sorts those from `first` on, which have one owner, and makes one of those that touch: flat, too.
 */
void dwarf_spans_join(struct dwarf_spans *s, size_t first);
/* Of flat spans: the one with the address, or NULL. */
const struct dwarf_span *dwarf_spans_find(const struct dwarf_spans *s, uint64_t address);
/* Has one of them an address in [lo, hi)? */
bool dwarf_spans_meet(const struct dwarf_spans *s, uint64_t lo, uint64_t hi);
void dwarf_spans_free(struct dwarf_spans *s);

#endif
