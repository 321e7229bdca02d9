/*
 * calltree: call paths as a prefix tree of functions, with what each node weighs: for pictures, for
 * texts, and for two profiles beside each other.
 *
 *     struct pl_calltree t;
 *     pl_calltree_start(&t, sides);
 *     pl_calltree_fill(&t, &stacks, 0, &event)     (or _take() for each stack and then _taken())
 *     pl_calltree_finish(&t);                      totals are there
 *     pl_calltree_sort(&t, pl_calltree_by_name);   children have an order
 *     for (uint32_t n = t.nodes[at].first; n != PL_CALLTREE_NONE; n = t.nodes[n].next) …
 *
 * A node's number is greater than its parent's, so a loop over all nodes meets parents first, and
 * one from the end children first: nothing needs recursion. pl_calltree_walk() goes in the order of
 * a picture.
 */
#ifndef PL_CALLTREE_H
#define PL_CALLTREE_H

#include "stacks.h"

enum {
	PL_CALLTREE_SIDES = 2,		/* profiles that a node has weights of */
	PL_CALLTREE_NODES_MAX = 1 << 25 /* 1.7 GB of one profile */
};
#define PL_CALLTREE_NONE UINT32_MAX
#define PL_CALLTREE_REST "rest"

/* One for each distinct (name, dso, kind, inlined). Texts live as long as the tree; dso and kind
 * have p NULL where they are not known. */
struct pl_calltree_frame {
	struct pl_str name, dso, kind;
	bool inlined;
	uint32_t key;		/* the same for all of one (name, dso): what recursion goes by */
	uint32_t rank;		/* after finish: their order by name, dso, kind, inlined */
	char id[PL_ROW_ID_MAX]; /* of its function: "h-…"; "" where none is known */
	bool mixed;		/* private: kinds differ */
};

struct pl_calltree_node {
	uint32_t frame;		      /* PL_CALLTREE_NONE: the root, which is nodes[0] */
	uint32_t parent, first, next; /* PL_CALLTREE_NONE: there is none */
};

/* What a node weighs in one profile. */
struct pl_calltree_sums {
	uint64_t self, self_samples; /* of the paths that end here */
	uint64_t total, samples;     /* after finish: of those that run through it as well */
};

struct pl_calltree {
	struct pl_calltree_node *nodes;
	struct pl_calltree_sums
		*sums[PL_CALLTREE_SIDES]; /* by node; of sides that are not used NULL */
	size_t n, cap;
	struct pl_calltree_frame *frames;
	size_t frames_n, frames_cap;
	unsigned sides;
	/* Set after start: frames of one (name, dso) are one, whatever their kind: for joining a
	 * profile with another, which may know less of them. Kinds that contradict each other are
	 * none, and inlined is what was so anywhere. */
	bool by_function;
	uint64_t max_paths; /* --max-unique-call-paths; 0: no limit. Set after start */
	struct pl_err err;

	/* private */
	size_t sums_cap[PL_CALLTREE_SIDES];
	uint64_t weight[PL_CALLTREE_SIDES];
	struct pl_intern identities, keys, kinds;
	uint32_t *slots; /* open addressing: the child of a node by its frame */
	size_t mask;
	uint64_t seed;
	uint32_t *last_frames, *last_nodes; /* the path added last */
	size_t last_n, last_frames_cap, last_nodes_cap;
	uint32_t *mapped; /* by frame of the reader of stacks: ours, plus one */
	size_t mapped_cap;
	struct pl_intern seen; /* distinct paths, as numbers of frames; by their id: */
	struct pl_calltree_path {
		uint64_t weight[PL_CALLTREE_SIDES], samples[PL_CALLTREE_SIDES];
		uint32_t node;
	} * paths;
	size_t paths_cap;
	uint32_t *path;
	size_t path_cap;
	struct pl_buf scratch;
};

/* sides: 1, or 2 for what is compared. */
void pl_calltree_start(struct pl_calltree *t, unsigned sides);
void pl_calltree_free(struct pl_calltree *t);
/* The number of a frame (only name, dso, kind, inlined and id are read; texts are copied). */
uint32_t pl_calltree_frame(struct pl_calltree *t, const struct pl_calltree_frame *frame);
/*
 * Adds the path of these frames, root first, to one side; an empty one is of the root. 0, or -1
 * with err: RESOURCE_LIMIT_EXCEEDED, WEIGHT_OVERFLOW.
 */
int pl_calltree_add(struct pl_calltree *t, const uint32_t *frames, size_t depth, unsigned side,
		    uint64_t weight, uint64_t samples);
/* Adds the current stack of a reader. 0, or -1 with err. From one reader at a time: after the last
 * one, pl_calltree_taken() fetches the ids, and another may follow. */
int pl_calltree_take(struct pl_calltree *t, const struct pl_stacks *k, unsigned side);
void pl_calltree_taken(struct pl_calltree *t, const struct pl_stacks *k);
/* The same for a stack of pl_stacks_rest(): its frame is of the kind PL_CALLTREE_REST. */
int pl_calltree_take_rest(struct pl_calltree *t, const struct pl_stacks *k, unsigned side);
/*
 * Reads the reader to its end and adds what it hands out, which must be of one event: *event is its
 * index. What no stack holds follows as frames of the kind PL_CALLTREE_REST (pl_stacks_rest), so
 * that the root's total is the event's weight. 0, or -1 with t->err, also for what is wrong with
 * the stream.
 */
int pl_calltree_fill(struct pl_calltree *t, struct pl_stacks *k, unsigned side, uint32_t *event);
/* Once, when all are added: sums and ranks. */
void pl_calltree_finish(struct pl_calltree *t);

/* < 0 where a comes before b, two children of one node. */
typedef int pl_calltree_order(const struct pl_calltree *t, uint32_t a, uint32_t b);
int pl_calltree_by_name(const struct pl_calltree *t, uint32_t a, uint32_t b);
/* The heaviest (of both sides together) first, equal ones by name. */
int pl_calltree_by_total(const struct pl_calltree *t, uint32_t a, uint32_t b);
/* After finish: puts the children of every node into an order. */
void pl_calltree_sort(struct pl_calltree *t, pl_calltree_order *order);
/*
 * The node after `at` in the order of a picture: parents before children, children in their order;
 * PL_CALLTREE_NONE at the end. `descend` false: what is below `at` is left out. *depth, that of
 * `at` (of the root 0), becomes the next one's.
 */
uint32_t pl_calltree_walk(const struct pl_calltree *t, uint32_t at, bool descend, size_t *depth);

#endif
