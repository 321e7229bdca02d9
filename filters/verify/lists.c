/* lists: do the lists in a row stand in their order, and are they as long as they should be? */
#include "verify.h"

enum { VARIANTS = 32, SOURCES = 16, ADDRESSES = 64, NEIGHBOURS = 10 }; /* the most that is listed */

struct lists {
	struct walk w;
	struct pl_verdict *v;
	struct keys keys;
	size_t events;	/* begun */
	bool has_paths; /* of the current event */
};

static uint64_t integer_member(const struct pl_json *json, uint32_t object, const char *name)
{
	return json->tape[pl_json_member(json, object, name)].v.u;
}

/* Heaviest first: less than 0 when element a comes before b by its weight. */
static int compare_weights(const struct pl_json *json, uint32_t a, uint32_t b, const char *member)
{
	uint64_t x = integer_member(json, a, member), y = integer_member(json, b, member);

	return x > y ? -1 : x < y;
}

static int compare_texts(const struct pl_json *json, uint32_t a, uint32_t b, const char *member)
{
	return pl_str_cmp(text_member(json, a, member), text_member(json, b, member));
}

static int compare_variants(struct lists *x, uint32_t a, uint32_t b)
{
	return pl_str_cmp(pl_json_str(x->w.json, a), pl_json_str(x->w.json, b));
}

static int compare_sources(struct lists *x, uint32_t a, uint32_t b)
{
	const struct pl_json *json = x->w.json;
	int c = compare_weights(json, a, b, "self");

	c = c ? c : compare_texts(json, a, b, "file");
	if (c)
		return c;
	uint64_t line_a = integer_member(json, a, "line"), line_b = integer_member(json, b, "line");
	return line_a < line_b ? -1 : line_a > line_b;
}

static int compare_addresses(struct lists *x, uint32_t a, uint32_t b)
{
	const struct pl_json *json = x->w.json;
	int c = compare_weights(json, a, b, "self");

	c = c ? c : compare_texts(json, a, b, "build_id");
	return c ? c : compare_texts(json, a, b, "offset");
}

static int compare_neighbours(struct lists *x, uint32_t a, uint32_t b)
{
	const struct pl_json *json = x->w.json;
	const struct grouping *grouping = x->w.a->grouping;
	int c = compare_weights(json, a, b, "weight");

	return c ? c
		 : keys_compare(&x->keys, keys_of(&x->keys, grouping, json, a),
				keys_of(&x->keys, grouping, json, b));
}

static void check_elements(struct lists *x, uint32_t array, const char *name,
			   int (*compare)(struct lists *, uint32_t, uint32_t))
{
	const struct pl_json_tok *tape = x->w.json->tape;

	for (uint32_t t = array + 1; tape[t].next < tape[array].next; t = tape[t].next)
		if (compare(x, t, tape[t].next) >= 0)
			pl_verdict_fail(x->v, "line %zu: %s: an element is out of order", x->w.line,
					name);
}

static void check_length(struct lists *x, uint32_t array, uint64_t total, uint64_t most,
			 const char *name)
{
	uint64_t n = x->w.json->tape[array].count;

	if (n != (total < most ? total : most))
		pl_verdict_fail(x->v, "line %zu: %s are %llu, and %s_total is %llu", x->w.line,
				name, (unsigned long long)n, name, (unsigned long long)total);
}

/* Callers or callees: there where paths are. */
static void check_neighbours(struct lists *x, uint32_t array, const char *name)
{
	if ((array != 0) != x->has_paths)
		pl_verdict_fail(x->v, "line %zu: %s %s", x->w.line, name,
				array ? "without call paths" : "are missing");
	if (!array)
		return;
	if (x->w.json->tape[array].count > NEIGHBOURS)
		pl_verdict_fail(x->v, "line %zu: more than %d %s", x->w.line, NEIGHBOURS, name);
	check_elements(x, array, name, compare_neighbours);
}

static void check_hotspot(struct lists *x)
{
	const struct pl_analysis_hotspot *h = &x->w.hotspot;

	check_length(x, h->variants, h->variants_total, VARIANTS, "variants");
	check_length(x, h->sources, h->sources_total, SOURCES, "sources");
	check_length(x, h->addresses, h->addresses_total, ADDRESSES, "addresses");
	check_elements(x, h->variants, "variants", compare_variants);
	check_elements(x, h->sources, "sources", compare_sources);
	check_elements(x, h->addresses, "addresses", compare_addresses);
	check_neighbours(x, h->callers, "callers");
	check_neighbours(x, h->callees, "callees");
}

static void open_event(struct lists *x)
{
	struct pl_analysis_totals totals;

	x->has_paths = walk_totals(&x->w, x->events++, &totals) && totals.has_paths;
}

void check_lists(const struct artifact *a, struct pl_verdict *v)
{
	struct lists x = {.v = v};

	keys_start(&x.keys);
	walk_start(&x.w, a);
	while (v->status == PL_PASSED && walk_next(&x.w) != PL_ANALYSIS_DONE)
		if (x.w.kind == PL_ANALYSIS_EVENT)
			open_event(&x);
		else if (x.w.kind == PL_ANALYSIS_HOTSPOT)
			check_hotspot(&x);
	walk_close(&x.w);
	keys_free(&x.keys);
}
