/* intern: an open-addressing table of byte strings, half full at most, hashed with a secret seed */
#include "intern.h"

#include <sys/random.h>

enum { FIRST_SLOTS = 1024 };

static uint64_t load(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A folded multiply a word: each word is masked with the seed, so collisions cannot be made without
 * it. */
uint64_t pl_hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
	static const uint64_t k0 = 0x9e3779b97f4a7c15, k1 = 0xd1b54a32d192ed03;
	const unsigned char *p = bytes;
	uint64_t h = seed ^ mix(n ^ k0, k1);

	while (n >= 16) {
		h = mix(load(p, 8) ^ seed ^ k0, load(p + 8, 8) ^ h);
		p += 16;
		n -= 16;
	}
	if (n >= 8) {
		h = mix(load(p, 8) ^ seed ^ k1, load(p + n - 8, 8) ^ h);
	} else if (n > 0) {
		/* two overlapping loads cover 4 to 7 bytes, three single ones 1 to 3 */
		uint64_t v = n >= 4 ? load(p, 4) | load(p + n - 4, 4) << 32
				    : p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16;
		h = mix(v ^ seed ^ k1, h ^ k0);
	}
	return mix(h ^ seed, k1);
}

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
	uint32_t *slots = pl_realloc(NULL, mask + 1, sizeof *slots);

	memset(slots, 0, (mask + 1) * sizeof *slots);
	for (uint32_t id = 0; id < t->n; id++) {
		size_t i = t->entries[id].hash & mask;
		while (slots[i])
			i = (i + 1) & mask;
		slots[i] = id + 1;
	}
	free(t->slots);
	t->slots = slots;
	t->mask = mask;
}

/* The slot that holds the string, or the free one where it would go. */
static size_t find_slot(const struct pl_intern *t, const void *p, size_t n, uint32_t hash)
{
	size_t i = hash & t->mask;

	for (; t->slots[i]; i = (i + 1) & t->mask) {
		const struct pl_intern_entry *e = &t->entries[t->slots[i] - 1];
		if (e->hash == hash && e->n == n && memcmp(e->p, p, n) == 0)
			break;
	}
	return i;
}

static uint32_t add(struct pl_intern *t, size_t slot, const void *p, size_t n, uint32_t hash)
{
	uint32_t id = (uint32_t)t->n;

	PL_GROW(t->entries, t->n + 1, t->cap);
	t->entries[id] = (struct pl_intern_entry){pl_arena_dup(&t->bytes, p, n), (uint32_t)n, hash};
	t->slots[slot] = id + 1;
	t->n++;
	if (t->n * 2 > t->mask)
		rehash(t);
	return id;
}

uint32_t pl_intern(struct pl_intern *t, const void *p, size_t n)
{
	uint32_t hash = (uint32_t)pl_hash_bytes(p, n, t->seed);
	size_t slot = find_slot(t, p, n, hash);

	return t->slots[slot] ? t->slots[slot] - 1 : add(t, slot, p, n, hash);
}

uint32_t pl_intern_find(const struct pl_intern *t, const void *p, size_t n)
{
	size_t slot = find_slot(t, p, n, (uint32_t)pl_hash_bytes(p, n, t->seed));

	return t->slots[slot] ? t->slots[slot] - 1 : PL_INTERN_NONE;
}
