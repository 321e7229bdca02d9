/* rows-details: details bucketed by key, ranked by kind */
#include "rows-details.h"
#include "mem.h"
#include "rank.h"

static const struct detail *detail_at(const struct tally *t, uint32_t id)
{
	return (const struct detail *)(const void *)t->details.entries[id]
		.p; /* the arena aligns to 8 */
}

void details_make(struct details *d, const struct profile *p, const struct tally *t)
{
	size_t keys = tally_keys(p, t);

	*d = (struct details){.t = t, .keys = keys};
	d->ids = pl_alloc((t->details.n + 1) * sizeof *d->ids);
	d->first = pl_alloc((keys + 2) * sizeof *d->first);
	/* a counting sort: sizes, then starts, then each id at its key's next place */
	for (uint32_t id = 0; id < t->details.n; id++)
		d->first[detail_at(t, id)->key + 2]++;
	for (size_t key = 1; key < keys + 2; key++)
		d->first[key] += d->first[key - 1];
	for (uint32_t id = 0; id < t->details.n; id++)
		d->ids[d->first[detail_at(t, id)->key + 1]++] = id;
}

void details_free(struct details *d)
{
	free(d->ids);
	free(d->first);
	free(d->picked);
}

/* Puts the ids of a key's details of one kind into d->picked; returns how many. */
static size_t pick(struct details *d, uint32_t key, enum detail_kind kind)
{
	uint32_t end = d->first[key + 1];
	size_t n = 0;

	PL_GROW(d->picked, end - d->first[key] + 1, d->picked_cap);
	for (uint32_t i = d->first[key]; i < end; i++)
		if (detail_at(d->t, d->ids[i])->kind == (uint32_t)kind)
			d->picked[n++] = d->ids[i];
	return n;
}

uint64_t details_merged(const struct details *d)
{
	uint64_t merged = 0;

	for (uint32_t key = 0; key < d->keys; key++) {
		uint32_t variants = 0;
		for (uint32_t i = d->first[key]; i < d->first[key + 1]; i++)
			variants += detail_at(d->t, d->ids[i])->kind == DETAIL_VARIANT;
		merged += variants > 1;
	}
	return merged;
}

struct detail_order {
	const struct profile *p;
	const struct tally *t;
};

/* Heaviest first; equal ones by their texts and lines. Spellings have no weight: they stand in byte
 * order. */
static bool detail_before(const void *context, uint32_t a, uint32_t b)
{
	const struct detail_order *o = context;
	const struct detail *x = detail_at(o->t, a), *y = detail_at(o->t, b);

	if (o->t->detail_self[a] != o->t->detail_self[b])
		return o->t->detail_self[a] > o->t->detail_self[b];
	int by_a = pl_str_cmp(profile_text(o->p, x->a), profile_text(o->p, y->a));
	if (by_a)
		return by_a < 0;
	if (x->line != y->line)
		return x->line < y->line;
	return pl_str_cmp(profile_text(o->p, x->b), profile_text(o->p, y->b)) < 0;
}

static void put_detail(const struct profile *p, const struct detail *x, uint64_t self,
		       struct pl_jsonw *w)
{
	if (x->kind == DETAIL_VARIANT) {
		pl_jsonw_str(w, profile_text(p, x->a));
		return;
	}
	pl_jsonw_begin(w, '{');
	if (x->kind == DETAIL_SOURCE) {
		pl_jsonw_kstr(w, "file", profile_text(p, x->a));
		pl_jsonw_ku64(w, "line", x->line);
	} else {
		pl_jsonw_kstr(w, "build_id", profile_text(p, x->a));
		pl_jsonw_kstr(w, "offset", profile_text(p, x->b));
	}
	pl_jsonw_ku64(w, "self", self);
	pl_jsonw_end(w, '}');
}

/* The first `shown` details of a kind, as a list; returns how many there are. */
static size_t put_list(struct details *d, const struct profile *p, uint32_t key,
		       enum detail_kind kind, size_t shown, struct pl_jsonw *w)
{
	static const char *const names[] = {"variants", "sources", "addresses"};
	struct detail_order order = {p, d->t};
	size_t total = pick(d, key, kind);
	size_t n = rank_first(d->picked, total, shown, detail_before, &order);

	pl_jsonw_kbegin(w, names[kind], '[');
	for (size_t i = 0; i < n; i++)
		put_detail(p, detail_at(d->t, d->picked[i]), d->t->detail_self[d->picked[i]], w);
	pl_jsonw_end(w, ']');
	return total;
}

void details_put(struct details *d, const struct profile *p, uint32_t key, struct pl_jsonw *w)
{
	pl_jsonw_ku64(w, "variants_total", put_list(d, p, key, DETAIL_VARIANT, VARIANTS_SHOWN, w));
	pl_jsonw_ku64(w, "sources_total", put_list(d, p, key, DETAIL_SOURCE, SOURCES_SHOWN, w));
	pl_jsonw_ku64(w, "addresses_total",
		      put_list(d, p, key, DETAIL_ADDRESS, ADDRESSES_SHOWN, w));
}

void details_put_all(struct details *d, const struct profile *p, uint32_t key, struct pl_jsonw *w)
{
	put_list(d, p, key, DETAIL_VARIANT, SIZE_MAX, w);
	put_list(d, p, key, DETAIL_SOURCE, SIZE_MAX, w);
	put_list(d, p, key, DETAIL_ADDRESS, SIZE_MAX, w);
}
