/* match: which rules fit a name, its DSO and its kind. Each distinct name and DSO goes through the
 * automata once. */
#ifndef CLASSIFY_MATCH_H
#define CLASSIFY_MATCH_H

#include "analysis.h"
#include "rules.h"

/* A rule that fits, apart from its context. */
struct match_fit {
	const struct rule *rule;
	size_t weight; /* bytes of the matching pattern of its symbols that has most */
};

struct match {
	struct rules *rules; /* its automata grow */
	/* what fits the last hotspot, the most telling first */
	struct match_fit *fits;
	size_t fits_n, fits_cap;
	/* private */
	struct names names;
	struct match_texts {
		struct pl_intern texts;
		struct rule_patterns *found; /* of each text */
		size_t found_cap;
	} symbols, dsos;
	struct pl_arena arena;
	uint32_t *ids; /* what an automaton found */
	size_t ids_cap;
	uint32_t *symbol_marks, *dso_marks, *fit_marks, mark;
};

void match_init(struct match *m, struct rules *rules);
void match_free(struct match *m);
/* Fills m->fits for a row that has a symbol. */
void match_hotspot(struct match *m, const struct pl_analysis_hotspot *h);
/* Which patterns of symbols this name matches: valid until match_free(). */
struct rule_patterns match_symbol(struct match *m, struct pl_str symbol);

#endif
