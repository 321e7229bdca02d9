/* edges: sums over distinct pairs of each path, then the heaviest of each key */
#include "edges.h"
#include "mem.h"

/* Pairs of keys and their sums: open addressing, at most half full, hashed with the seed of the key
 * table. */
struct pair {
	uint64_t keys; /* caller << 32 | callee; FREE: no pair */
	uint64_t weight;
	uint32_t last_path; /* number of the last path that was counted, plus 1 */
};
struct pairs {
	struct pair *slots;
	size_t mask, n;
	uint64_t seed;
};
static const uint64_t FREE = UINT64_MAX; /* no key has the number 2^32-1 */
enum { FIRST_SLOTS = 1024 };

static void make_slots(struct pairs *s, size_t n)
{
	s->slots = pl_alloc(n * sizeof *s->slots);
	s->mask = n - 1;
	for (size_t i = 0; i < n; i++)
		s->slots[i].keys = FREE;
}

static size_t hash_pair(const struct pairs *s, uint64_t keys)
{
	return (size_t)pl_hash_bytes(&keys, sizeof keys, s->seed);
}

static struct pair *find_pair(const struct pairs *s, uint64_t keys, size_t hash)
{
	size_t i = hash & s->mask;

	while (s->slots[i].keys != keys && s->slots[i].keys != FREE)
		i = (i + 1) & s->mask;
	return &s->slots[i];
}

static void double_slots(struct pairs *s)
{
	struct pairs old = *s;

	make_slots(s, (old.mask + 1) * 2);
	for (size_t i = 0; i <= old.mask; i++)
		if (old.slots[i].keys != FREE)
			*find_pair(s, old.slots[i].keys, hash_pair(s, old.slots[i].keys)) =
				old.slots[i];
	free(old.slots);
}

static void add_pair(struct pairs *s, uint64_t keys, size_t hash, uint32_t path, uint64_t weight)
{
	struct pair *pair = find_pair(s, keys, hash);

	if (pair->keys == FREE) {
		if (++s->n * 2 > s->mask) {
			double_slots(s);
			pair = find_pair(s, keys, hash);
		}
		*pair = (struct pair){.keys = keys};
	}
	if (pair->last_path == path + 1)
		return;
	pair->last_path = path + 1;
	pair->weight += weight;
}

/*
 * `wanted` is the number of a chosen key plus 1, 0 for the others. A path's pairs are hashed and
 * their slots fetched before the first is looked at: most of the time would go into waiting for
 * memory.
 */
static void sum_pairs(struct pairs *s, const struct tally *t, const uint32_t *wanted)
{
	enum { BATCH = 64 };
	uint64_t pairs[BATCH];
	size_t hashes[BATCH];

	for (uint32_t path = 0; path < t->paths.n; path++) {
		struct pl_str bytes = pl_intern_str(&t->paths, path);
		const uint32_t *keys =
			(const uint32_t *)(const void *)bytes.p; /* the arena aligns to 8 */
		size_t last = bytes.n / sizeof *keys - 1;
		for (size_t i = 0; i < last;) {
			size_t n = 0;
			for (; i < last && n < BATCH; i++) {
				if (!wanted[keys[i]] && !wanted[keys[i + 1]])
					continue;
				pairs[n] = (uint64_t)keys[i] << 32 | keys[i + 1];
				hashes[n] = hash_pair(s, pairs[n]);
				__builtin_prefetch(&s->slots[hashes[n++] & s->mask]);
			}
			for (size_t k = 0; k < n; k++)
				add_pair(s, pairs[k], hashes[k], path, t->path_sums[path].weight);
		}
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
	struct pairs s = {.seed = p->keys.seed};

	make_slots(&s, FIRST_SLOTS);
	for (size_t i = 0; i < n; i++)
		wanted[keys[i]] = (uint32_t)i + 1;
	sum_pairs(&s, t, wanted);
	for (size_t i = 0; i <= s.mask; i++) {
		const struct pair *pair = &s.slots[i];
		uint32_t caller = (uint32_t)(pair->keys >> 32), callee = (uint32_t)pair->keys;
		if (pair->keys == FREE)
			continue;
		if (wanted[caller]) {
			struct neighbours *of = &all[wanted[caller] - 1];
			insert(of->callees, &of->callees_n,
			       (struct neighbour){callee, pair->weight}, order);
		}
		if (wanted[callee]) {
			struct neighbours *of = &all[wanted[callee] - 1];
			insert(of->callers, &of->callers_n,
			       (struct neighbour){caller, pair->weight}, order);
		}
	}
	free(s.slots);
	free(wanted);
	return all;
}
