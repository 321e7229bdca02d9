/* edges: sums over distinct pairs of each path, then the heaviest of each key */
#include "edges.h"
#include "mem.h"

struct pair_sum {
	uint64_t weight;
	uint32_t last_path; /* number of the last path that was counted, plus 1 */
};

struct pairs {
	struct pl_intern pairs; /* caller, callee */
	struct pair_sum *sums;
	size_t cap;
};

static void add_pair(struct pairs *s, const uint32_t *caller, uint32_t path, uint64_t weight)
{
	uint32_t before = (uint32_t)s->pairs.n,
		 id = pl_intern(&s->pairs, caller, 2 * sizeof *caller);

	PL_GROW(s->sums, s->pairs.n, s->cap);
	if (id == before)
		s->sums[id] = (struct pair_sum){0};
	if (s->sums[id].last_path == path + 1)
		return;
	s->sums[id].last_path = path + 1;
	s->sums[id].weight += weight;
}

/* `wanted` is the number of a chosen key plus 1, 0 for the others. */
static void sum_pairs(struct pairs *s, const struct tally *t, const uint32_t *wanted)
{
	for (uint32_t path = 0; path < t->paths.n; path++) {
		struct pl_str bytes = pl_intern_str(&t->paths, path);
		const uint32_t *keys =
			(const uint32_t *)(const void *)bytes.p; /* the arena aligns to 8 */
		for (size_t i = 0; i + 1 < bytes.n / sizeof *keys; i++)
			if (wanted[keys[i]] || wanted[keys[i + 1]])
				add_pair(s, &keys[i], path, t->path_sums[path].weight);
	}
}

static bool heavier(const struct neighbour *a, const struct neighbour *b, const uint32_t *order)
{
	return a->weight != b->weight ? a->weight > b->weight : order[a->key] < order[b->key];
}

static void insert(struct neighbour *list, uint32_t *n, struct neighbour one, const uint32_t *order)
{
	uint32_t at = *n;

	if (at == EDGES_SHOWN && !heavier(&one, &list[EDGES_SHOWN - 1], order))
		return;
	if (at == EDGES_SHOWN)
		at--;
	else
		++*n;
	for (; at > 0 && heavier(&one, &list[at - 1], order); at--)
		list[at] = list[at - 1];
	list[at] = one;
}

struct neighbours *edges_of(const struct profile *p, const struct tally *t, const uint32_t *keys,
			    size_t n, const uint32_t *order)
{
	struct neighbours *all = pl_alloc((n + 1) * sizeof *all);
	uint32_t *wanted = pl_alloc((p->keys.n + 1) * sizeof *wanted);
	struct pairs s = {0};

	pl_intern_init(&s.pairs);
	for (size_t i = 0; i < n; i++)
		wanted[keys[i]] = (uint32_t)i + 1;
	sum_pairs(&s, t, wanted);
	for (uint32_t pair = 0; pair < s.pairs.n; pair++) {
		uint32_t ends[2]; /* caller, callee */
		memcpy(ends, s.pairs.entries[pair].p, sizeof ends);
		uint64_t weight = s.sums[pair].weight;
		if (wanted[ends[0]]) {
			struct neighbours *of = &all[wanted[ends[0]] - 1];
			insert(of->callees, &of->callees_n, (struct neighbour){ends[1], weight},
			       order);
		}
		if (wanted[ends[1]]) {
			struct neighbours *of = &all[wanted[ends[1]] - 1];
			insert(of->callers, &of->callers_n, (struct neighbour){ends[0], weight},
			       order);
		}
	}
	pl_intern_free(&s.pairs);
	free(s.sums);
	free(wanted);
	return all;
}
