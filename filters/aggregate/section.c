/* section: ranking, labels, ids of paths */
#include "section.h"
#include "mem.h"
#include "rank.h"
#include "stats.h"

struct ranking {
	const struct tally *t;
	const uint32_t *order; /* of keys */
	const uint32_t *paths;
};

static bool hotspot_before(const void *context, uint32_t a, uint32_t b)
{
	const struct ranking *r = context;
	const struct key_sum *x = &r->t->keys[a], *y = &r->t->keys[b];

	if (x->self != y->self)
		return x->self > y->self;
	if (r->t->hot[a].inclusive != r->t->hot[b].inclusive)
		return r->t->hot[a].inclusive > r->t->hot[b].inclusive;
	return r->order[a] < r->order[b];
}

const uint32_t *path_keys(const struct tally *t, uint32_t path, size_t *n)
{
	struct pl_str bytes = pl_intern_str(&t->paths, path);

	*n = bytes.n / sizeof(uint32_t);
	return (const uint32_t *)(const void *)bytes.p; /* the arena aligns to 8 */
}

static bool path_before_by_keys(const void *context, uint32_t a, uint32_t b)
{
	const struct ranking *r = context;
	size_t an, bn, i = 0;
	const uint32_t *x = path_keys(r->t, a, &an), *y = path_keys(r->t, b, &bn);
	while (i < an && i < bn && x[i] == y[i])
		i++;
	return i < an && i < bn ? r->order[x[i]] < r->order[y[i]] : an < bn;
}

static bool path_before(const void *context, uint32_t a, uint32_t b)
{
	const struct ranking *r = context;
	const struct path_sum *x = &r->t->path_sums[a], *y = &r->t->path_sums[b];

	return x->weight != y->weight ? x->weight > y->weight : path_before_by_keys(r, a, b);
}

/* Items are places among the paths that are written. */
static bool place_before_by_keys(const void *context, uint32_t a, uint32_t b)
{
	const struct ranking *r = context;

	return path_before_by_keys(r, r->paths[a], r->paths[b]);
}

static void rank_section(struct section *s, const struct profile *p, const struct ids *ids,
			 uint64_t top_n, uint64_t path_limit)
{
	struct tally *t = s->t;
	struct ranking ranking = {.t = t, .order = ids->order};

	s->hotspots = pl_alloc((tally_keys(p, t) + 1) * sizeof *s->hotspots);
	for (uint32_t key = 0; key < tally_keys(p, t); key++)
		if (t->hot[key].samples)
			s->hotspots[s->hotspots_total++] = key;
	s->hotspots_n = rank_first(s->hotspots, s->hotspots_total, top_n, hotspot_before, &ranking);
	for (size_t i = 0; i < s->hotspots_n; i++)
		s->hotspots_self += t->keys[s->hotspots[i]].self;
	s->paths_total = t->paths.n;
	s->paths = pl_alloc((s->paths_total + 1) * sizeof *s->paths);
	for (uint32_t i = 0; i < s->paths_total; i++)
		s->paths[i] = i;
	s->paths_n = rank_first(s->paths, s->paths_total, path_limit, path_before, &ranking);
	for (size_t i = 0; i < s->paths_n; i++)
		s->paths_weight += t->path_sums[s->paths[i]].weight;
}

/* The ids of the paths that are written, in their order. Of several with one id the later by their
 * keys get a suffix: as with hotspots, weights have no say in it. */
path_id *section_path_ids(const struct profile *p, const struct ids *all, const struct section *s)
{
	struct ranking ranking = {s->t, all->order, s->paths};
	path_id *ids = pl_alloc((s->paths_n + 1) * sizeof *ids);
	uint32_t *places = pl_alloc((s->paths_n + 1) * sizeof *places);
	struct pl_row_ids given;
	size_t n;

	pl_row_ids_start(&given);
	for (uint32_t i = 0; i < s->paths_n; i++)
		places[i] = i;
	rank_first(places, s->paths_n, s->paths_n, place_before_by_keys, &ranking);
	for (size_t i = 0; i < s->paths_n; i++) {
		const uint32_t *keys = path_keys(s->t, s->paths[places[i]], &n);
		ids_path(p, keys, n, ids[places[i]]);
		pl_row_ids_add(&given, ids[places[i]]);
	}
	pl_row_ids_free(&given);
	free(places);
	return ids;
}

static int compare_tallies(const void *a, const void *b)
{
	const struct tally *x = *(struct tally *const *)a, *y = *(struct tally *const *)b;
	const struct pl_str xs[] = {x->name, x->unit, x->weight_source, x->source};
	const struct pl_str ys[] = {y->name, y->unit, y->weight_source, y->source};
	int order = 0;

	for (size_t i = 0; order == 0 && i < PL_COUNT(xs); i++)
		order = pl_str_cmp(xs[i], ys[i]);
	return order;
}

static bool is_name(const struct profile *p, struct pl_str label)
{
	for (size_t i = 0; i < p->tallies_n; i++)
		if (pl_str_eq(p->tallies[i]->name, label))
			return true;
	return false;
}

/* Of events of one name the second is called NAME#2, unless another event is named so. Returns its
 * number. */
static unsigned put_label(const struct profile *p, struct section *s, unsigned same)
{
	do {
		pl_buf_clear(&s->label);
		pl_buf_adds(&s->label, s->t->name);
		if (same > 1)
			pl_buf_printf(&s->label, "#%u", same);
	} while (same > 1 && is_name(p, pl_buf_str(&s->label)) && ++same);
	return same;
}

struct section *sections_make(struct profile *p, const struct ids *ids, uint64_t top_n,
			      uint64_t path_limit)
{
	struct section *sections = pl_alloc((p->tallies_n + 1) * sizeof *sections);
	unsigned same = 1;

	if (p->tallies_n) /* there may be no array */
		qsort(p->tallies, p->tallies_n, sizeof *p->tallies, compare_tallies);
	for (size_t i = 0; i < p->tallies_n; i++) {
		struct section *s = &sections[i];
		s->t = p->tallies[i];
		s->n_eff = pl_stats_draws(s->t->weight_source, s->t->unit, s->t->weight,
					  s->t->squares);
		same = i && pl_str_eq(s->t->name, sections[i - 1].t->name) ? same + 1 : 1;
		same = put_label(p, s, same);
		rank_section(s, p, ids, top_n, path_limit);
	}
	return sections;
}

void sections_free(struct section *sections, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pl_buf_free(&sections[i].label);
		free(sections[i].hotspots);
		free(sections[i].paths);
	}
	free(sections);
}
