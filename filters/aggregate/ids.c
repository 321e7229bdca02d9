/* ids: SHA-256 over what a row is grouped by */
#include "ids.h"
#include "hash.h"
#include "mem.h"

enum { ID_DIGITS = 16 };

const char *group_by_text(enum group_by group_by)
{
	static const char *const texts[] = {
		[BY_SYMBOL_DSO] = "symbol,dso",
		[BY_SYMBOL] = "symbol",
		[BY_DSO] = "dso",
		[BY_COMM] = "comm",
		[BY_TID] = "tid",
		[BY_SOURCE] = "source",
	};

	return texts[group_by];
}

/* group_by, NUL, then for each key: name, NUL, base name of the DSO, NUL */
static void hash_keys(const struct profile *p, const uint32_t *keys, size_t n, const char *prefix,
		      char id[ID_MAX])
{
	const char *group_by = group_by_text(p->group_by);
	char hex[PL_SHA256_HEX + 1];
	struct pl_sha256 h;

	pl_sha256_start(&h);
	pl_sha256_add(&h, group_by, strlen(group_by) + 1);
	for (size_t i = 0; i < n; i++) {
		struct pl_str name = profile_key_name(p, keys[i]);
		struct pl_str base = pl_str_base(profile_key_dso(p, keys[i]));
		pl_sha256_add(&h, name.p, name.n + 1); /* a NUL is behind it */
		pl_sha256_add(&h, base.p ? base.p : "", base.n);
		pl_sha256_add(&h, "", 1);
	}
	pl_sha256_end(&h, hex);
	snprintf(id, ID_MAX, "%s%.*s", prefix, ID_DIGITS, hex);
}

void ids_path(const struct profile *p, const uint32_t *keys, size_t n, char id[ID_MAX])
{
	hash_keys(p, keys, n, "p-", id);
}

/* A key and its first eight bytes as a number: most comparisons need no more. */
struct sortable {
	uint64_t start;
	uint32_t key;
};

static int compare_keys(const void *a, const void *b, void *profile)
{
	const struct sortable *x = a, *y = b;
	const struct profile *p = profile;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return pl_str_cmp(pl_intern_str(&p->keys, x->key), pl_intern_str(&p->keys, y->key));
}

static struct sortable *sort_keys(const struct profile *p)
{
	struct sortable *all = pl_alloc((p->keys.n + 1) * sizeof *all);

	for (uint32_t key = 0; key < p->keys.n; key++) {
		struct pl_str s = pl_intern_str(&p->keys, key);
		all[key].key = key;
		for (size_t i = 0; i < 8; i++)
			all[key].start =
				all[key].start << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
	}
	qsort_r(all, p->keys.n, sizeof *all, compare_keys, (void *)(uintptr_t)p);
	return all;
}

static bool is_used(const struct profile *p, uint32_t key)
{
	for (size_t i = 0; i < p->tallies_n; i++)
		if (key < p->tallies[i]->keys_cap && p->tallies[i]->hot[key].samples)
			return true;
	return false;
}

void given_ids_start(struct given_ids *given)
{
	memset(given, 0, sizeof *given);
	pl_intern_init(&given->ids);
}

void given_ids_add(struct given_ids *given, char id[ID_MAX])
{
	size_t n = strlen(id);
	uint32_t base = pl_intern(&given->ids, id, n);

	PL_GROW(given->taken, given->ids.n, given->taken_cap);
	if (++given->taken[base] > 1)
		snprintf(id + n, ID_MAX - n, "-%u", given->taken[base]);
}

void given_ids_free(struct given_ids *given)
{
	pl_intern_free(&given->ids);
	free(given->taken);
}

void ids_make(struct ids *ids, const struct profile *p)
{
	size_t n = p->keys.n;
	struct sortable *sorted = sort_keys(p);
	struct given_ids given;

	ids->order = pl_alloc((n + 1) * sizeof *ids->order);
	ids->key = pl_alloc((n + 1) * sizeof *ids->key);
	given_ids_start(&given);
	/* in byte order of the full key, so that of two with one id the later one gets the suffix
	 */
	for (uint32_t place = 0; place < n; place++) {
		uint32_t key = sorted[place].key;
		char *id = ids->key[key];
		ids->order[key] = place;
		if (!is_used(p, key))
			continue;
		hash_keys(p, &key, 1, "h-", id);
		given_ids_add(&given, id);
	}
	given_ids_free(&given);
	free(sorted);
}

void ids_free(struct ids *ids)
{
	free(ids->order);
	free(ids->key);
}
