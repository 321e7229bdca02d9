/* ids: of keys in the byte order of their names, of paths */
#include "ids.h"
#include "mem.h"

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

static void make_id(const struct profile *p, const uint32_t *keys, size_t n, char kind,
		    char id[PL_ROW_ID_MAX])
{
	struct pl_sha256 h;

	pl_row_id_start(&h, pl_str(group_by_text(p->group_by)));
	for (size_t i = 0; i < n; i++)
		pl_row_id_key(&h, pl_intern_str(&p->keys, keys[i]));
	pl_row_id_end(&h, kind, id);
}

void ids_path(const struct profile *p, const uint32_t *keys, size_t n, char id[PL_ROW_ID_MAX])
{
	make_id(p, keys, n, 'p', id);
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

void ids_make(struct ids *ids, const struct profile *p)
{
	size_t n = p->keys.n;
	struct sortable *sorted = sort_keys(p);
	struct pl_row_ids given;

	ids->order = pl_alloc((n + 1) * sizeof *ids->order);
	ids->key = pl_alloc((n + 1) * sizeof *ids->key);
	pl_row_ids_start(&given);
	/* in byte order of the full key, so that of two with one id the later one gets the suffix
	 */
	for (uint32_t place = 0; place < n; place++) {
		uint32_t key = sorted[place].key;
		char *id = ids->key[key];
		ids->order[key] = place;
		if (!is_used(p, key))
			continue;
		make_id(p, &key, 1, 'h', id);
		pl_row_ids_add(&given, id);
	}
	pl_row_ids_free(&given);
	free(sorted);
}

void ids_free(struct ids *ids)
{
	free(ids->order);
	free(ids->key);
}
