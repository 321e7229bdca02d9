/*
 * names: the canonical form of a function's name: its components, without template arguments,
 * parameters, return types and versions. What rules match (pl-classify(1), HOW NAMES ARE READ).
 *
 * Names come from anywhere: whatever is not understood stays one component, as it stands. Linear in
 * the name, without recursion.
 */
#ifndef CLASSIFY_NAMES_H
#define CLASSIFY_NAMES_H

#include "str.h"

struct names {
	/* private */
	struct pl_buf out, open;
};

/* Each component of the symbol, a NUL after each. At least one; valid until the next call. */
struct pl_str names_of(struct names *n, struct pl_str symbol);
/* The same of a pattern, in which '*' and escapes ('\' and a character) are left as they are, and
 * the star of a Go receiver "(*T)" is escaped. p NULL: its brackets do not pair. */
struct pl_str names_of_pattern(struct names *n, struct pl_str pattern);
void names_free(struct names *n);

#endif
