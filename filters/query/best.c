/* best: the first rows of an order, in a heap of as many as are wanted */
#include "best.h"
#include "mem.h"

static uint64_t key_of(enum pl_summary_order order, const struct pl_analysis_hotspot *h)
{
	switch (order) {
	case PL_SUMMARY_INCLUSIVE:
		return h->inclusive;
	case PL_SUMMARY_SAMPLES:
		return h->samples;
	default:
		return 0; /* the name, or the artifact's order, decides */
	}
}

/* Negative: a comes first. Names are the same (empty) where the order is not by name. */
static int compare(const void *pa, const void *pb)
{
	const struct best_row *a = pa, *b = pb;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	int names = pl_str_cmp(a->name, b->name);
	if (names)
		return names;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void sift_down(struct best *b)
{
	for (size_t i = 0, child; (child = 2 * i + 1) < b->n; i = child) {
		if (child + 1 < b->n && compare(&b->v[child], &b->v[child + 1]) < 0)
			child++;
		if (compare(&b->v[i], &b->v[child]) >= 0)
			return;
		struct best_row swap = b->v[i];
		b->v[i] = b->v[child];
		b->v[child] = swap;
	}
}

static void sift_up(struct best *b)
{
	for (size_t i = b->n - 1, parent; i > 0; i = parent) {
		parent = (i - 1) / 2;
		if (compare(&b->v[parent], &b->v[i]) >= 0)
			return;
		struct best_row swap = b->v[i];
		b->v[i] = b->v[parent];
		b->v[parent] = swap;
	}
}

static void own_texts(struct best_row *row)
{
	row->texts = pl_alloc(row->name.n + row->line.n + 1);
	memcpy(row->texts, row->name.p, row->name.n);
	memcpy(row->texts + row->name.n, row->line.p, row->line.n);
	row->name.p = row->texts;
	row->line.p = row->texts + row->name.n;
}

void best_add(struct best *b, uint64_t event, const struct pl_analysis_hotspot *h,
	      struct pl_str line)
{
	struct best_row row = {
		.event = event,
		.key = key_of(b->order, h),
		.number = b->number++,
		.name = b->order == PL_SUMMARY_SYMBOL ? pl_analysis_name(h) : PL_S(""),
		.line = line,
	};

	if (b->most == 0 || (b->n == b->most && compare(&row, &b->v[0]) > 0))
		return;
	own_texts(&row);
	if (b->n == b->most) {
		free(b->v[0].texts);
		b->v[0] = row;
		sift_down(b);
		return;
	}
	PL_GROW(b->v, b->n + 1, b->cap);
	b->v[b->n++] = row;
	sift_up(b);
}

void best_sort(struct best *b)
{
	if (b->n)
		qsort(b->v, b->n, sizeof *b->v, compare);
}

void best_free(struct best *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->v[i].texts);
	free(b->v);
	*b = (struct best){0};
}
