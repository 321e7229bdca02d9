/* intern: an open-addressing table of byte strings, half full at most, hashed with a secret seed */
#include "intern.h"

#include <sys/random.h>

enum { FIRST_SLOTS = 64 };

void pl_intern_init(struct pl_intern *t)
{
	memset(t, 0, sizeof *t);
	t->slots = pl_alloc(FIRST_SLOTS * sizeof *t->slots);
	t->mask = FIRST_SLOTS - 1;
	/* A kernel that cannot give random bytes yet leaves the address of the table, which is hard
	 * to know, too. */
	if (getrandom(&t->seed, sizeof t->seed, GRND_NONBLOCK) != sizeof t->seed)
		t->seed = (uintptr_t)t->slots;
}

void pl_intern_free(struct pl_intern *t)
{
	free(t->entries);
	free(t->slots);
	pl_arena_free(&t->bytes);
	memset(t, 0, sizeof *t);
}

static void rehash(struct pl_intern *t)
{
	size_t mask = t->mask * 2 + 1;
	struct pl_intern_slot *slots = pl_alloc((mask + 1) * sizeof *slots);

	for (size_t old = 0; old <= t->mask; old++) {
		size_t i = t->slots[old].hash & mask;
		if (!t->slots[old].p)
			continue;
		while (slots[i].p)
			i = (i + 1) & mask;
		slots[i] = t->slots[old];
	}
	free(t->slots);
	t->slots = slots;
	t->mask = mask;
}

enum { LENGTH = sizeof(uint64_t) }; /* before the bytes; keeps them aligned to 8 */

static const char *store(struct pl_intern *t, const void *p, size_t n)
{
	char *to = pl_arena_alloc(&t->bytes, LENGTH + n + 1);
	uint64_t length = n;

	memcpy(to, &length, LENGTH);
	memcpy(to + LENGTH, p, n);
	to[LENGTH + n] = '\0';
	return to + LENGTH;
}

static bool holds(const char *stored, const void *p, size_t n)
{
	uint64_t length;

	memcpy(&length, stored - LENGTH, LENGTH);
	return length == n && memcmp(stored, p, n) == 0;
}

/* The slot that holds the string, or the free one where it would go. */
static struct pl_intern_slot *find_slot(const struct pl_intern *t, const void *p, size_t n,
					uint32_t hash)
{
	size_t i = hash & t->mask;

	for (; t->slots[i].p; i = (i + 1) & t->mask) {
		const struct pl_intern_slot *slot = &t->slots[i];
		if (slot->hash == hash && holds(slot->p, p, n))
			break;
	}
	return &t->slots[i];
}

uint32_t pl_intern_hashed(struct pl_intern *t, const void *p, size_t n, uint32_t hash)
{
	struct pl_intern_slot *slot = find_slot(t, p, n, hash);

	if (slot->p)
		return slot->id;
	uint32_t id = (uint32_t)t->n++;
	PL_GROW(t->entries, t->n, t->cap);
	t->entries[id] = (struct pl_intern_entry){store(t, p, n), (uint32_t)n};
	*slot = (struct pl_intern_slot){t->entries[id].p, hash, id};
	if (t->n * 2 > t->mask)
		rehash(t);
	return id;
}

uint32_t pl_intern(struct pl_intern *t, const void *p, size_t n)
{
	return pl_intern_hashed(t, p, n, pl_intern_hash(t, p, n));
}

uint32_t pl_intern_find(const struct pl_intern *t, const void *p, size_t n)
{
	const struct pl_intern_slot *slot = find_slot(t, p, n, pl_intern_hash(t, p, n));

	return slot->p ? slot->id : (uint32_t)PL_INTERN_NONE;
}
