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

struct pl_intern {
	struct pl_intern_entry {
		const char *p;
		uint32_t n;
		uint32_t hash;
	} * entries; /* by id */
	size_t n, cap;
	/* private */
	uint32_t *slots; /* id + 1; 0 is free */
	size_t mask;
	uint64_t seed;
	struct pl_arena bytes;
};

void pl_intern_init(struct pl_intern *t);
void pl_intern_free(struct pl_intern *t);
/* The id of the string, which is added when new: then the id is the old t->n. At most 2^32-2
 * strings of < 4 GiB. */
uint32_t pl_intern(struct pl_intern *t, const void *p, size_t n);
uint32_t pl_intern_find(const struct pl_intern *t, const void *p,
			size_t n); /* PL_INTERN_NONE when absent */
static inline struct pl_str pl_intern_str(const struct pl_intern *t, uint32_t id)
{
	return (struct pl_str){t->entries[id].p, t->entries[id].n};
}
/* 64 well-mixed bits; not cryptographic. */
uint64_t pl_hash_bytes(const void *p, size_t n, uint64_t seed);

#endif
