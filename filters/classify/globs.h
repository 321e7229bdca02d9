/*
 * globs: which of many patterns match a name, by one automaton over all of them.
 *
 * Patterns without a star are looked up by their hash. The others are a trie, of which the states
 * of a deterministic automaton are made as names ask for them and kept until there are too many;
 * then it starts anew. So a name costs one step a byte, whatever it is and however many patterns
 * there are, and no pattern can make the automaton large.
 *
 * A pattern and a name are components with a NUL after each (names.h). In a pattern '*' is any run
 * of bytes of a component, "**" as a component any number of components, and '\' takes its meaning
 * from the byte behind it.
 */
#ifndef CLASSIFY_GLOBS_H
#define CLASSIFY_GLOBS_H

#include "intern.h"

/* PATTERN: bytes of one pattern; STARS: its stars. NODES: of all that have stars; about a byte
 * each. STATES: of the automaton, kept at a time; BYTES: what they take. */
enum {
	GLOBS_PATTERN = 512,
	GLOBS_STARS = 16,
	GLOBS_NODES = 1 << 18,
	GLOBS_STATES = 4096,
	GLOBS_BYTES = 16 << 20
};

struct globs {
	struct pl_intern patterns; /* by id, as they were added */
	size_t *weights;	   /* of each, the bytes that are no stars */
	size_t weights_cap;
	/* private */
	struct pl_intern literals;
	uint32_t *literal_ids; /* the pattern of each literal */
	size_t literal_cap;
	struct glob_node *nodes;
	size_t nodes_n, nodes_cap;
	unsigned char classes[256]; /* bytes that no pattern tells apart share one */
	size_t classes_n;
	struct pl_intern states; /* sets of nodes */
	size_t states_max;	 /* GLOBS_STATES, but in tests */
	uint64_t forgotten;	 /* how often they were */
	uint32_t *next;		 /* of each state and class the state and 1, or 0: not made yet */
	size_t next_cap;
	uint32_t *set, *marks, mark; /* a set in the making */
	size_t set_n, set_cap, marks_cap;
	struct pl_buf scratch;
	bool ready;
};

void globs_init(struct globs *g);
/* Adds a pattern that is new, and returns its id. PL_INTERN_NONE: it has too many bytes or stars,
 * or there are too many patterns; or its last byte is a lone '\'. */
uint32_t globs_add(struct globs *g, struct pl_str pattern);
/* The ids of the patterns that match, in *ids (grown as needed); returns how many. */
size_t globs_match(struct globs *g, struct pl_str name, uint32_t **ids, size_t *cap);
void globs_free(struct globs *g);

#endif
