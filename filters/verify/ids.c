/* ids: are rows, callers, callees and call paths named by the rule? */
#include "num.h"
#include "rowid.h"
#include "verify.h"

#include <inttypes.h>

/* A key or a call path, and what its id should be. */
struct named {
	char id[PL_ROW_ID_MAX]; /* by the rule, without a suffix; "" before it was made */
	uint64_t number;	/* of its suffix, 1 without one; 0: not said anywhere */
	size_t line;		/* that said it first, or of the path */
	uint64_t row_event;	/* number of the last event that has a row of it */
	size_t first, n;	/* a path's keys, in ids.sequences */
};

struct ids {
	struct walk w;
	struct pl_verdict *v;
	struct keys keys;
	struct named *named; /* by key */
	size_t named_cap;
	size_t events;	     /* begun */
	bool some_keys;	     /* rows were left out: not every key that has an id need be known */
	struct named *paths; /* of the current event */
	size_t paths_n, paths_cap;
	uint32_t *sequences; /* of keys */
	size_t sequences_n, sequences_cap;
};

/* The number of the suffix that makes `id` of `base`: 1 without one, 0 when nothing does. */
static uint64_t suffix_of(struct pl_str id, const char *base)
{
	size_t n = strlen(base);
	uint64_t number;

	if (!pl_str_starts(id, base))
		return 0;
	if (id.n == n)
		return 1;
	const struct pl_str digits = {id.p + n + 1, id.n - n - 1};
	if (id.p[n] != '-' || digits.n == 0 || digits.p[0] == '0' || pl_num_u64(digits, &number))
		return 0;
	return number > 1 && number <= UINT32_MAX ? number : 0;
}

static void make_id(const struct ids *x, const uint32_t *keys, size_t n, char kind,
		    char id[PL_ROW_ID_MAX])
{
	struct pl_sha256 h;

	pl_row_id_start(&h, pl_str(x->w.a->grouping->text));
	for (size_t i = 0; i < n; i++)
		pl_row_id_key(&h, pl_intern_str(&x->keys.all, keys[i]));
	pl_row_id_end(&h, kind, id);
}

static uint32_t note_key(struct ids *x, uint32_t object)
{
	uint32_t key = keys_of(&x->keys, x->w.a->grouping, x->w.json, object);

	PL_GROW(x->named, x->keys.all.n, x->named_cap);
	if (!x->named[key].id[0])
		make_id(x, &key, 1, 'h', x->named[key].id);
	return key;
}

static void refuse_id(struct ids *x, struct pl_str id, const char *base)
{
	pl_verdict_fail(x->v, "line %zu: the id %.*s is not %s", x->w.line,
			(int)(id.n < 80 ? id.n : 80), id.p, base);
}

/* A row, a caller or a callee: the object has an id. Returns its key. */
static uint32_t note_id(struct ids *x, uint32_t object)
{
	uint32_t key = note_key(x, object);
	struct named *named = &x->named[key];
	struct pl_str id = text_member(x->w.json, object, "id");
	uint64_t number = suffix_of(id, named->id);

	if (number == 0) {
		refuse_id(x, id, named->id);
	} else if (named->number == 0) {
		named->number = number;
		named->line = x->w.line;
	} else if (named->number != number) {
		pl_verdict_fail(x->v, "line %zu: the id %.*s is another one than in line %zu",
				x->w.line, (int)id.n, id.p, named->line);
	}
	return key;
}

static void note_list(struct ids *x, uint32_t array)
{
	const struct pl_json_tok *tape = x->w.json->tape;

	for (uint32_t t = array + 1; array && t < tape[array].next; t = tape[t].next)
		note_id(x, t);
}

static void note_hotspot(struct ids *x)
{
	uint32_t key = note_id(x, 0);
	struct named *named = &x->named[key];

	if (named->row_event == x->events)
		pl_verdict_fail(x->v, "line %zu: a second row of the same event and name",
				x->w.line);
	named->row_event = x->events;
	note_list(x, x->w.hotspot.callers);
	note_list(x, x->w.hotspot.callees);
}

static void note_path(struct ids *x)
{
	const struct pl_json_tok *tape = x->w.json->tape;
	uint32_t frames = x->w.path.frames;
	struct named path = {.line = x->w.line, .first = x->sequences_n, .n = tape[frames].count};

	if (path.n == 0)
		pl_verdict_fail(x->v, "line %zu: a call path without frames", x->w.line);
	PL_GROW(x->sequences, x->sequences_n + path.n + 1, x->sequences_cap);
	for (uint32_t t = frames + 1; t < tape[frames].next; t = tape[t].next)
		x->sequences[x->sequences_n++] = note_key(x, t);
	make_id(x, x->sequences + path.first, path.n, 'p', path.id);
	path.number = suffix_of(x->w.path.id, path.id);
	if (path.number == 0)
		refuse_id(x, x->w.path.id, path.id);
	PL_GROW(x->paths, x->paths_n + 1, x->paths_cap);
	x->paths[x->paths_n++] = path;
}

/* ---- suffixes ---- */

static int compare_keys(const void *a, const void *b, void *context)
{
	const struct ids *x = context;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	int c = strcmp(x->named[m].id, x->named[n].id);

	return c ? c : keys_compare(&x->keys, m, n);
}

/*
 * Of keys with one id the later in byte order have the greater suffix. Keys that are in no row that
 * was written may have those in between.
 */
static void check_key_suffixes(struct ids *x)
{
	size_t n = x->keys.all.n;
	uint32_t *sorted = pl_realloc(NULL, n + 1, sizeof *sorted);
	uint64_t due = 1;

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = i;
	qsort_r(sorted, n, sizeof *sorted, compare_keys, x);
	for (size_t i = 0; i < n; i++, due++) {
		const struct named *named = &x->named[sorted[i]];
		if (i == 0 || strcmp(x->named[sorted[i - 1]].id, named->id) != 0)
			due = 1;
		if (named->number == 0)
			continue;
		if (named->number < due || (!x->some_keys && named->number != due))
			pl_verdict_fail(x->v,
					"line %zu: the suffix of the id %s is %" PRIu64
					", and should be %s%" PRIu64,
					named->line, named->id, named->number,
					x->some_keys ? "at least " : "", due);
		due = named->number;
	}
	free(sorted);
}

static int compare_sequences(const struct ids *x, const struct named *a, const struct named *b)
{
	const uint32_t *m = x->sequences + a->first, *n = x->sequences + b->first;
	int c = 0;

	for (size_t i = 0; i < a->n && i < b->n && c == 0; i++)
		c = keys_compare(&x->keys, m[i], n[i]);
	return c ? c : a->n < b->n ? -1 : a->n > b->n;
}

static int compare_paths(const void *a, const void *b, void *context)
{
	const struct named *m = a, *n = b;
	int c = strcmp(m->id, n->id);

	return c ? c : compare_sequences(context, m, n);
}

/* Of the paths that are written with one id the second by their keys has the suffix 2. */
static void check_path_suffixes(struct ids *x)
{
	uint64_t due = 1;

	if (x->paths_n)
		qsort_r(x->paths, x->paths_n, sizeof *x->paths, compare_paths, x);
	for (size_t i = 0; i < x->paths_n; i++, due++) {
		const struct named *path = &x->paths[i], *before = &x->paths[i ? i - 1 : 0];
		bool same = i && strcmp(before->id, path->id) == 0;
		if (!same)
			due = 1;
		if (same && compare_sequences(x, before, path) == 0)
			pl_verdict_fail(x->v, "line %zu: the call path of line %zu again",
					path->line, before->line);
		if (path->number != due)
			pl_verdict_fail(x->v,
					"line %zu: the suffix of the id %s is %" PRIu64
					", and should be %" PRIu64,
					path->line, path->id, path->number, due);
	}
	x->paths_n = x->sequences_n = 0;
}

static void open_event(struct ids *x)
{
	struct pl_analysis_totals totals;

	check_path_suffixes(x);
	if (!walk_totals(&x->w, x->events++, &totals) || totals.hotspots != totals.hotspots_total)
		x->some_keys = true;
}

void check_ids(const struct artifact *a, struct pl_verdict *v)
{
	struct ids x = {.v = v};

	keys_start(&x.keys);
	walk_start(&x.w, a);
	while (v->status == PL_PASSED && walk_next(&x.w) != PL_ANALYSIS_DONE)
		if (x.w.kind == PL_ANALYSIS_EVENT)
			open_event(&x);
		else if (x.w.kind == PL_ANALYSIS_HOTSPOT)
			note_hotspot(&x);
		else if (x.w.kind == PL_ANALYSIS_PATH)
			note_path(&x);
	if (v->status == PL_PASSED) {
		check_path_suffixes(&x);
		check_key_suffixes(&x);
	}
	walk_close(&x.w);
	keys_free(&x.keys);
	free(x.named);
	free(x.paths);
	free(x.sequences);
}
