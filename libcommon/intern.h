/*
 * intern: byte string -> dense id, in order of first appearance.
 *
 * The table's hash is seeded from getrandom(2), so that no input can be made to collide; nothing
 * may depend on the order in the table. Bytes are copied once, aligned to 8, and never move: views
 * stay valid until free.
 */
#ifndef PL_INTERN_H
#define PL_INTERN_H

#include "mem.h"
#include "str.h"

enum { PL_INTERN_NONE = UINT32_MAX };

static inline uint64_t pl_hash_load(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

static inline uint64_t pl_hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* 64 well-mixed bits, not cryptographic. A folded multiply a word: each word is masked with the
 * seed, seed, so collisions cannot be made without it. */
static inline uint64_t pl_hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
	static const uint64_t k0 = 0x9e3779b97f4a7c15, k1 = 0xd1b54a32d192ed03;
	const unsigned char *p = bytes;
	uint64_t h = seed ^ pl_hash_mix(n ^ k0, k1);

	while (n >= 16) {
		h = pl_hash_mix(pl_hash_load(p, 8) ^ seed ^ k0, pl_hash_load(p + 8, 8) ^ h);
		p += 16;
		n -= 16;
	}
	if (n >= 8) {
		h = pl_hash_mix(pl_hash_load(p, 8) ^ seed ^ k1, pl_hash_load(p + n - 8, 8) ^ h);
	} else if (n > 0) {
		/* two overlapping loads cover 4 to 7 bytes, three single ones 1 to 3 */
		uint64_t v = n >= 4 ? pl_hash_load(p, 4) | pl_hash_load(p + n - 4, 4) << 32
				    : p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16;
		h = pl_hash_mix(v ^ seed ^ k1, h ^ k0);
	}
	return pl_hash_mix(h ^ seed, k1);
}

struct pl_intern {
	struct pl_intern_entry {
		const char *p;
		uint32_t n;
	} * entries; /* by id */
	size_t n, cap;
	/* private */
	struct pl_intern_slot {
		const char *p; /* NULL: free; the length stands before the bytes, in the same cache
				  line */
		uint32_t hash, id;
	} * slots;
	size_t mask;
	uint64_t seed;
	struct pl_arena bytes;
};

void pl_intern_init(struct pl_intern *t);
void pl_intern_free(struct pl_intern *t);
/*
 * The parts of a look-up. Where many strings are looked up in a row, hashing all of them and
 * fetching their slots before the first is compared hides most of the waiting for memory.
 */
static inline uint32_t pl_intern_hash(const struct pl_intern *t, const void *p, size_t n)
{
	return (uint32_t)pl_hash_bytes(p, n, t->seed);
}
static inline void pl_intern_prefetch(const struct pl_intern *t, uint32_t hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask]);
}
uint32_t pl_intern_hashed(struct pl_intern *t, const void *p, size_t n, uint32_t hash);

/* The id of the string, which is added when new: then the id is the old t->n. At most 2^32-2
 * strings of < 4 GiB. */
uint32_t pl_intern(struct pl_intern *t, const void *p, size_t n);
uint32_t pl_intern_find(const struct pl_intern *t, const void *p,
			size_t n); /* PL_INTERN_NONE when absent */
static inline struct pl_str pl_intern_str(const struct pl_intern *t, uint32_t id)
{
	return (struct pl_str){t->entries[id].p, t->entries[id].n};
}

#endif
