/* paths: do rows, callers and callees follow from the call paths? */
#include "num.h"
#include "verify.h"

enum { LISTED = 10 }; /* callers or callees of a row, at most */

/* The callers or callees of a row: as listed, and as found in the paths. */
struct list {
	uint64_t last_weight; /* of the last element */
	uint32_t last, n;     /* its key; how many there are */
	uint64_t found, near; /* distinct ones in paths; those that come no later than the last */
};

/* The numbers of a row that follow from the paths. */
struct sums {
	uint64_t self, self_samples, inclusive, samples, occurrences;
};

/* What the current event says of a key. */
struct of_key {
	size_t event;	  /* number; of another: nothing below counts */
	size_t row, path; /* lines of its row and of the first path that names it; 0: none */
	struct sums claims, found; /* by the row, by the paths */
	uint32_t row_kind, path_kind;
	bool inlined;
	struct list callers, callees;
	uint64_t last_path; /* number of the last one that was counted */
};

/* A caller and its callee. */
struct pair {
	uint32_t from, to;
	size_t line; /* of the row that lists it; 0: none does */
	uint64_t listed, last_path, weight;
};

struct paths {
	struct walk w;
	struct pl_verdict *v;
	struct keys keys;
	struct of_key *of;
	size_t of_cap;
	struct pl_intern kinds, pair_ids;
	struct pair *pairs; /* of all events */
	size_t pairs_cap;
	uint64_t path; /* number of the current one */
	/* of the current event */
	size_t events; /* begun */
	size_t line;   /* of its record */
	struct pl_analysis_event event;
	struct pl_analysis_totals totals;
	bool all_rows, all_paths;
	uint32_t *touched; /* its keys */
	size_t touched_n, touched_cap, first_pair;
	uint64_t samples, multi_frame, heaviest, least_largest; /* of its paths */
};

/* ---- reading ---- */

static struct of_key *of_key(struct paths *x, uint32_t key)
{
	PL_GROW(x->of, x->keys.all.n, x->of_cap);
	struct of_key *of = &x->of[key];
	if (of->event != x->events) {
		*of = (struct of_key){.event = x->events};
		PL_GROW(x->touched, x->touched_n + 1, x->touched_cap);
		x->touched[x->touched_n++] = key;
	}
	return of;
}

static struct pair *find_pair(struct paths *x, uint32_t from, uint32_t to)
{
	const struct {
		uint64_t event;
		uint32_t from, to;
	} identity = {x->events, from, to};
	uint32_t id = pl_intern(&x->pair_ids, &identity, sizeof identity);

	PL_GROW(x->pairs, x->pair_ids.n, x->pairs_cap);
	x->pairs[id].from = from;
	x->pairs[id].to = to;
	return &x->pairs[id];
}

static uint32_t key_at(struct paths *x, uint32_t object)
{
	uint32_t key = keys_of(&x->keys, x->w.a->grouping, x->w.json, object);

	of_key(x, key);
	return key;
}

static uint32_t kind_at(struct paths *x, uint32_t object)
{
	struct pl_str kind = text_member(x->w.json, object, "kind");

	return kind.p ? pl_intern(&x->kinds, kind.p, kind.n) : (uint32_t)PL_INTERN_NONE;
}

/* Reads the callers of a row, or its callees. */
static struct list read_list(struct paths *x, uint32_t row, uint32_t array, bool callers)
{
	const struct pl_json *json = x->w.json;
	struct list list = {0};

	for (uint32_t t = array + 1; array && t < json->tape[array].next; t = json->tape[t].next) {
		uint32_t key = key_at(x, t);
		struct pair *pair = callers ? find_pair(x, key, row) : find_pair(x, row, key);
		uint64_t weight = json->tape[pl_json_member(json, t, "weight")].v.u;
		if (pair->line && pair->listed != weight)
			pl_verdict_fail(x->v,
					"line %zu: a caller or callee has another weight than "
					"in line %zu",
					x->w.line, pair->line);
		pair->line = x->w.line;
		pair->listed = list.last_weight = weight;
		list.last = key;
		list.n++;
	}
	return list;
}

static void read_hotspot(struct paths *x)
{
	const struct pl_analysis_hotspot *h = &x->w.hotspot;
	uint32_t key = key_at(x, 0);
	struct list callers = read_list(x, key, h->callers, true),
		    callees = read_list(x, key, h->callees, false);
	struct of_key *of = of_key(x, key);

	of->row = x->w.line;
	of->claims =
		(struct sums){h->self, h->self_samples, h->inclusive, h->samples, h->occurrences};
	of->row_kind = kind_at(x, 0);
	of->callers = callers;
	of->callees = callees;
}

/* What rows and frames say of a key is the same everywhere. */
static void note_frame(struct paths *x, struct of_key *of, uint32_t frame)
{
	uint32_t tok = pl_json_member(x->w.json, frame, "inlined"), kind = kind_at(x, frame);
	bool inlined = tok && x->w.json->tape[tok].type == PL_JSON_TRUE;

	if (of->path && (of->path_kind != kind || of->inlined != inlined))
		pl_verdict_fail(x->v, "line %zu: kind or inlined of a frame differs from line %zu",
				x->w.line, of->path);
	of->path = of->path ? of->path : x->w.line;
	of->path_kind = kind;
	of->inlined = inlined;
}

static void add_pair(struct paths *x, uint32_t from, uint32_t to)
{
	struct pair *pair = find_pair(x, from, to);

	if (pair->last_path != x->path)
		pair->weight += x->w.path.weight;
	pair->last_path = x->path;
}

/* Weights of all paths together fit, as was seen before; samples are no more than the event's. */
static void add_frame(struct paths *x, uint32_t key, uint32_t frame)
{
	const struct pl_analysis_path *p = &x->w.path;
	struct of_key *of = &x->of[key];

	note_frame(x, of, frame);
	if (!pl_num_add(&of->found.occurrences, p->samples))
		pl_verdict_fail(x->v, "line %zu: too many occurrences", x->w.line);
	if (of->last_path == x->path)
		return;
	of->last_path = x->path;
	of->found.inclusive += p->weight;
	of->found.samples += p->samples;
}

static uint64_t average_up(uint64_t weight, uint64_t samples)
{
	return samples ? weight / samples + (weight % samples != 0) : 0;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void read_path(struct paths *x)
{
	const struct pl_analysis_path *p = &x->w.path;
	const struct pl_json_tok *tape = x->w.json->tape;
	uint32_t last = PL_INTERN_NONE;

	if (p->samples == 0 || p->samples > x->event.samples - x->samples) {
		pl_verdict_fail(x->v, "line %zu: %s", x->w.line,
				p->samples ? "the call paths have more samples than the event"
					   : "a call path without a sample");
		return;
	}
	x->path++;
	x->samples += p->samples;
	for (uint32_t t = p->frames + 1; t < tape[p->frames].next; t = tape[t].next) {
		uint32_t key = key_at(x, t);
		add_frame(x, key, t);
		if (last != PL_INTERN_NONE)
			add_pair(x, last, key);
		last = key;
	}
	if (last == PL_INTERN_NONE)
		return;
	x->of[last].found.self += p->weight;
	x->of[last].found.self_samples += p->samples;
	x->multi_frame += tape[p->frames].count > 1 ? p->weight : 0;
	x->heaviest = greater(x->heaviest, p->weight);
	x->least_largest = greater(x->least_largest, average_up(p->weight, p->samples));
}

/* ---- holding rows against paths ---- */

/* Between what the paths that are there give and what those left out could add. */
static void within(struct paths *x, size_t line, const char *what, uint64_t got, uint64_t least,
		   uint64_t slack)
{
	verdict_within(x->v, line, what, got, least, x->all_paths ? 0 : slack, "the call paths");
}

static void check_row(struct paths *x, const struct of_key *of)
{
	const struct sums *got = &of->claims, *least = &of->found;
	uint64_t omitted = x->totals.omitted_weight, left = x->event.samples - x->samples;

	within(x, of->row, "self", got->self, least->self, omitted);
	within(x, of->row, "inclusive", got->inclusive, least->inclusive, omitted);
	within(x, of->row, "self_samples", got->self_samples, least->self_samples, left);
	within(x, of->row, "samples", got->samples, least->samples, left);
	within(x, of->row, "occurrences", got->occurrences, least->occurrences, UINT64_MAX);
	if (of->path && of->path_kind != of->row_kind)
		pl_verdict_fail(x->v,
				"line %zu: the kind is another one than in the frames of line %zu",
				of->row, of->path);
}

/* The heaviest are listed; all of them where there is room. */
static void check_list(struct paths *x, const struct of_key *of, const struct list *list,
		       const char *name)
{
	uint64_t most = list->found < LISTED ? list->found : LISTED;

	if (x->all_paths && (list->n != most || list->near != most))
		pl_verdict_fail(x->v, "line %zu: %s are not the heaviest of the call paths",
				of->row, name);
	if (list->n < LISTED && list->found > list->n)
		pl_verdict_fail(x->v, "line %zu: one of the %s is missing", of->row, name);
}

static void count_pair(const struct paths *x, struct list *list, uint32_t key, uint64_t weight)
{
	list->found++;
	if (weight > list->last_weight ||
	    (weight == list->last_weight && keys_compare(&x->keys, key, list->last) <= 0))
		list->near++;
}

/* A row that is listed as caller or callee, or that lists one, weighs as much as the pair. */
static void check_end(struct paths *x, const struct pair *pair, const struct of_key *of)
{
	if (of->row ? pair->listed > of->claims.inclusive : x->all_rows)
		pl_verdict_fail(x->v, "line %zu: a caller or callee %s", pair->line,
				of->row ? "weighs more than the inclusive weight"
					: "names no hotspot");
}

static void check_pairs(struct paths *x)
{
	for (size_t i = x->first_pair; i < x->pair_ids.n; i++) {
		const struct pair *pair = &x->pairs[i];
		struct of_key *from = &x->of[pair->from], *to = &x->of[pair->to];
		if (pair->line) {
			check_end(x, pair, from);
			check_end(x, pair, to);
			within(x, pair->line, "the weight of a caller or callee", pair->listed,
			       pair->weight, x->totals.omitted_weight);
		}
		if (pair->last_path == 0)
			continue;
		if (to->row)
			count_pair(x, &to->callers, pair->from, pair->weight);
		if (from->row)
			count_pair(x, &from->callees, pair->to, pair->weight);
	}
}

/* Every name in a path is that of a row, unless some were left out. */
static void check_names(struct paths *x)
{
	uint64_t in_paths = 0;

	for (size_t i = 0; i < x->touched_n; i++) {
		const struct of_key *of = &x->of[x->touched[i]];
		in_paths += of->path != 0;
		if (x->all_rows && of->path && !of->row)
			pl_verdict_fail(x->v, "line %zu: a frame names no hotspot", of->path);
	}
	if (in_paths > x->totals.hotspots_total ||
	    (x->all_paths && in_paths != x->totals.hotspots_total))
		pl_verdict_fail(x->v,
				"line %zu: hotspots_total is not the number of names in the call "
				"paths",
				x->line);
}

static void check_rows(struct paths *x)
{
	for (size_t i = 0; i < x->touched_n; i++) {
		const struct of_key *of = &x->of[x->touched[i]];
		if (!of->row)
			continue;
		check_row(x, of);
		check_list(x, of, &of->callers, "callers");
		check_list(x, of, &of->callees, "callees");
	}
}

/* Samples that no path accounts for: those of paths left out, and at least one where there is
 * weight without a stack. */
static void check_samples(struct paths *x)
{
	uint64_t left = x->event.samples - x->samples;
	uint64_t paths = x->totals.paths_total - x->totals.paths;

	if (paths > left || (x->event.stackless && paths == left))
		pl_verdict_fail(x->v,
				"line %zu: the call paths leave too few samples for the others",
				x->line);
}

/* The heaviest sample weighs at least as much as the average of any group of samples, and no more
 * than the group that it is in. */
static void check_largest(struct paths *x)
{
	const struct pl_analysis_event *e = &x->event;
	uint64_t got = x->w.quality.largest_sample_pct, least = average_up(e->weight, e->samples),
		 most = e->weight;

	if (x->totals.has_paths) {
		least = greater(least, x->least_largest);
		most = greater(greater(x->heaviest, x->totals.omitted_weight), e->stackless);
	}
	if (x->all_paths)
		least = greater(least, average_up(e->stackless, e->samples - x->samples));
	if (got < pl_num_percent(least, e->weight) || got > pl_num_percent(most, e->weight))
		pl_verdict_fail(x->v,
				"line %zu: largest_sample_pct does not fit the samples' weights",
				x->line);
}

static void close_event(struct paths *x)
{
	if (x->events == 0)
		return;
	check_largest(x);
	if (!x->totals.has_paths)
		return;
	check_samples(x);
	if (x->w.a->grouping->frames)
		within(x, x->line, "multi_frame_weight", x->event.multi_frame_weight,
		       x->multi_frame, x->totals.omitted_weight);
	check_names(x);
	check_pairs(x);
	check_rows(x);
}

static void open_event(struct paths *x)
{
	walk_totals(&x->w, x->events++, &x->totals);
	x->event = x->w.event;
	x->line = x->w.line;
	x->all_rows = x->totals.hotspots == x->totals.hotspots_total;
	x->all_paths = x->totals.has_paths && x->totals.paths == x->totals.paths_total;
	x->touched_n = 0;
	x->first_pair = x->pair_ids.n;
	x->samples = x->multi_frame = x->heaviest = x->least_largest = 0;
}

void check_call_paths(const struct artifact *a, struct pl_verdict *v)
{
	struct paths x = {.v = v};
	enum pl_analysis_kind kind;

	keys_start(&x.keys);
	pl_intern_init(&x.kinds);
	pl_intern_init(&x.pair_ids);
	walk_start(&x.w, a);
	do {
		kind = walk_next(&x.w);
		if (kind == PL_ANALYSIS_EVENT || kind == PL_ANALYSIS_DONE)
			close_event(&x);
		if (kind == PL_ANALYSIS_EVENT)
			open_event(&x);
		else if (kind == PL_ANALYSIS_HOTSPOT)
			read_hotspot(&x);
		else if (kind == PL_ANALYSIS_PATH)
			read_path(&x);
	} while (kind != PL_ANALYSIS_DONE && v->status == PL_PASSED);
	walk_close(&x.w);
	keys_free(&x.keys);
	pl_intern_free(&x.kinds);
	pl_intern_free(&x.pair_ids);
	free(x.of);
	free(x.pairs);
	free(x.touched);
}
