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

/* 64 well-mixed bits; not cryptographic. */
uint64_t pl_hash_bytes(const void *p, size_t n, uint64_t seed);

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
