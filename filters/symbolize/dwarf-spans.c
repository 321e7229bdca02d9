/* dwarf-spans: nested ranges made flat */
#include "dwarf-spans.h"
#include "mem.h"

void dwarf_spans_add(struct dwarf_spans *s, uint64_t lo, uint64_t hi, uint32_t owner)
{
	if (lo >= hi)
		return;
	PL_GROW(s->v, s->n + 1, s->cap);
	s->v[s->n++] = (struct dwarf_span){lo, hi, owner};
}

static int outer_first(const void *left, const void *right)
{
	const struct dwarf_span *a = left, *b = right;

	if (a->lo != b->lo)
		return a->lo < b->lo ? -1 : 1;
	if (a->hi != b->hi)
		return a->hi > b->hi ? -1 : 1;
	return (a->owner > b->owner) - (a->owner < b->owner);
}

/* Appends [lo, hi), to the span before it when that is the same owner's. */
static void put(struct dwarf_spans *flat, uint64_t lo, uint64_t hi, uint32_t owner)
{
	struct dwarf_span *last = flat->n ? &flat->v[flat->n - 1] : NULL;

	if (last && last->hi == lo && last->owner == owner && lo < hi)
		last->hi = hi;
	else
		dwarf_spans_add(flat, lo, hi, owner);
}

void dwarf_spans_join(struct dwarf_spans *s, size_t first)
{
	size_t kept = first;

	if (s->n - first > 1)
		qsort(s->v + first, s->n - first, sizeof *s->v, outer_first);
	for (size_t i = first; i < s->n; i++) {
		struct dwarf_span *last = kept > first ? &s->v[kept - 1] : NULL;
		if (!last || last->hi < s->v[i].lo)
			s->v[kept++] = s->v[i];
		else if (last->hi < s->v[i].hi)
			last->hi = s->v[i].hi;
	}
	s->n = kept;
}

void dwarf_spans_flatten(struct dwarf_spans *s)
{
	struct dwarf_spans flat = {0}, open = {0}; /* open: begun, the innermost last */
	uint64_t at = 0;			   /* flat up to here */

	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, outer_first);
	for (size_t i = 0; i <= s->n; i++) {
		uint64_t next = i < s->n ? s->v[i].lo : UINT64_MAX;
		for (; open.n && open.v[open.n - 1].hi <= next; open.n--) {
			const struct dwarf_span *top = &open.v[open.n - 1];
			if (top->hi <= at)
				continue;
			put(&flat, at, top->hi, top->owner);
			at = top->hi;
		}
		if (i == s->n)
			break;
		if (open.n)
			put(&flat, at, next, open.v[open.n - 1].owner);
		at = next;
		dwarf_spans_add(&open, s->v[i].lo, s->v[i].hi, s->v[i].owner);
	}
	dwarf_spans_free(&open);
	dwarf_spans_free(s);
	*s = flat;
}

/* How many end at or before the address. */
static size_t count_before(const struct dwarf_spans *s, uint64_t address)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (s->v[mid].hi <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct dwarf_span *dwarf_spans_find(const struct dwarf_spans *s, uint64_t address)
{
	size_t i = count_before(s, address);

	return i < s->n && s->v[i].lo <= address ? &s->v[i] : NULL;
}

bool dwarf_spans_meet(const struct dwarf_spans *s, uint64_t lo, uint64_t hi)
{
	size_t i = count_before(s, lo);

	return i < s->n && s->v[i].lo < hi;
}

void dwarf_spans_free(struct dwarf_spans *s)
{
	free(s->v);
	*s = (struct dwarf_spans){0};
}
