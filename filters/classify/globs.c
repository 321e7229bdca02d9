/* globs: a trie of patterns, and a deterministic automaton made of it as it is asked for */
#include "globs.h"

#include <stdlib.h>

/* Each node stands for what was read of the patterns that share it. */
enum kind {
	BYTE,	/* …and then this byte */
	STAR,	/* within a '*' */
	ANY,	/* between the components of a "**" */
	WITHIN, /* within a component of the "**" at `child` */
};
struct glob_node {
	enum kind kind;
	unsigned char byte;
	uint32_t child, sibling; /* 0: none, as the root is nobody's child */
	uint32_t pattern;	 /* that ends here, or PL_INTERN_NONE */
};

void globs_init(struct globs *g)
{
	memset(g, 0, sizeof *g);
	pl_intern_init(&g->patterns);
	pl_intern_init(&g->literals);
	pl_intern_init(&g->states);
	g->states_max = GLOBS_STATES;
	PL_GROW(g->nodes, 1, g->nodes_cap);
	g->nodes[g->nodes_n++].pattern = PL_INTERN_NONE;
}

void globs_free(struct globs *g)
{
	pl_intern_free(&g->patterns);
	pl_intern_free(&g->literals);
	pl_intern_free(&g->states);
	free(g->weights);
	free(g->literal_ids);
	free(g->nodes);
	free(g->next);
	free(g->set);
	free(g->marks);
	pl_buf_free(&g->scratch);
	memset(g, 0, sizeof *g);
}

/* ---- adding ---- */

static uint32_t new_node(struct globs *g, enum kind kind, unsigned char byte)
{
	PL_GROW(g->nodes, g->nodes_n + 1, g->nodes_cap);
	g->nodes[g->nodes_n] =
		(struct glob_node){.kind = kind, .byte = byte, .pattern = PL_INTERN_NONE};
	return (uint32_t)g->nodes_n++;
}

static uint32_t child_of(struct globs *g, uint32_t node, enum kind kind, unsigned char byte)
{
	uint32_t c = g->nodes[node].child;

	while (c && (g->nodes[c].kind != kind || g->nodes[c].byte != byte))
		c = g->nodes[c].sibling;
	if (c)
		return c;
	c = new_node(g, kind, byte);
	g->nodes[c].sibling = g->nodes[node].child;
	g->nodes[node].child = c;
	if (kind == ANY) {
		/* not among the children of the ANY: those are what comes behind it */
		uint32_t within = new_node(g, WITHIN, 0);
		g->nodes[within].child = c;
	}
	return c;
}

static bool is_any(struct pl_str p, size_t i)
{
	return (i == 0 || p.p[i - 1] == '\0') && i + 2 < p.n && p.p[i] == '*' &&
	       p.p[i + 1] == '*' && p.p[i + 2] == '\0';
}

static void add_glob(struct globs *g, struct pl_str p, uint32_t id)
{
	uint32_t node = 0;

	for (size_t i = 0; i < p.n; i++) {
		if (is_any(p, i)) {
			node = child_of(g, node, ANY, 0);
			i += 2;
		} else if (p.p[i] == '*') {
			node = child_of(g, node, STAR, 0);
		} else {
			i += p.p[i] == '\\';
			node = child_of(g, node, BYTE, (unsigned char)p.p[i]);
		}
	}
	g->nodes[node].pattern = id;
}

static void add_literal(struct globs *g, struct pl_str p, uint32_t id)
{
	struct pl_buf name = {0};

	for (size_t i = 0; i < p.n; i++) {
		i += p.p[i] == '\\';
		pl_buf_addc(&name, p.p[i]);
	}
	uint32_t literal = pl_intern(&g->literals, name.p, name.n);
	PL_GROW(g->literal_ids, g->literals.n, g->literal_cap);
	g->literal_ids[literal] = id;
	pl_buf_free(&name);
}

/* One spelling for what matches the same: "a**b" is "a*b", "**" twice is "**", and only stars and
 * backslashes are escaped. The number of stars, or -1: a lone '\' at the end. */
static int normalise(struct pl_buf *out, struct pl_str p)
{
	int stars = 0;

	pl_buf_clear(out);
	for (size_t i = 0; i < p.n; i++) {
		if (is_any(p, i)) {
			if (out->n < 3 || !is_any(pl_buf_str(out), out->n - 3))
				pl_buf_add(out, "**", 3);
			i += 2;
			stars++;
		} else if (p.p[i] == '*') {
			if (i == 0 || p.p[i - 1] != '*' || (i > 1 && p.p[i - 2] == '\\'))
				pl_buf_addc(out, '*');
			stars++;
		} else if (p.p[i] != '\\') {
			pl_buf_addc(out, p.p[i]);
		} else if (i + 1 == p.n || p.p[++i] == '\0') {
			return -1;
		} else {
			if (p.p[i] == '*' || p.p[i] == '\\')
				pl_buf_addc(out, '\\');
			pl_buf_addc(out, p.p[i]);
		}
	}
	return stars;
}

static size_t weight_of(struct pl_str p)
{
	size_t weight = 0;

	for (size_t i = 0; i < p.n; i++) {
		if (p.p[i] == '*' || p.p[i] == '\0')
			continue;
		i += p.p[i] == '\\';
		weight++;
	}
	return weight;
}

uint32_t globs_add(struct globs *g, struct pl_str pattern)
{
	int stars = normalise(&g->scratch, pattern);
	struct pl_str p = pl_buf_str(&g->scratch);

	/* a byte is one node, a "**" two */
	if (stars < 0 || stars > GLOBS_STARS || p.n == 0 || p.n > GLOBS_PATTERN ||
	    g->nodes_n + p.n + GLOBS_STARS > GLOBS_NODES)
		return PL_INTERN_NONE;
	uint32_t known = (uint32_t)g->patterns.n, id = pl_intern(&g->patterns, p.p, p.n);
	if (id != known)
		return id;
	p = pl_intern_str(&g->patterns, id);
	PL_GROW(g->weights, g->patterns.n, g->weights_cap);
	g->weights[id] = weight_of(p);
	if (stars)
		add_glob(g, p, id);
	else
		add_literal(g, p, id);
	g->ready = false;
	return id;
}

/* ---- matching ---- */

static void forget_states(struct globs *g)
{
	pl_intern_free(&g->states);
	pl_intern_init(&g->states);
	g->forgotten++;
	if (g->next)
		memset(g->next, 0, g->next_cap * sizeof *g->next);
}

/* Called before the first name, and again after patterns were added. */
static void prepare(struct globs *g)
{
	bool used[256] = {true}; /* NUL is one of its own: it ends components */

	for (size_t i = 0; i < g->nodes_n; i++)
		if (i && g->nodes[i].kind == BYTE)
			used[g->nodes[i].byte] = true;
	g->classes_n = 1;
	for (size_t b = 0; b < 256; b++)
		g->classes[b] = used[b] ? (unsigned char)(g->classes_n++ & 255) : 0;
	/* all 256 used: class 0 has no byte, and the last would be 256 */
	if (g->classes_n > 256)
		for (size_t b = 0; b < 256; b++)
			g->classes[b] = (unsigned char)b;
	PL_GROW(g->marks, g->nodes_n, g->marks_cap);
	forget_states(g);
	g->ready = true;
}

static void set_add(struct globs *g, uint32_t node)
{
	if (g->marks[node] == g->mark)
		return;
	g->marks[node] = g->mark;
	PL_GROW(g->set, g->set_n + 1, g->set_cap);
	g->set[g->set_n++] = node;
}

static void set_start(struct globs *g)
{
	g->set_n = 0;
	if (++g->mark == 0) {
		memset(g->marks, 0, g->marks_cap * sizeof *g->marks);
		g->mark = 1;
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The state of the set: with what may be skipped, and in one order. */
static uint32_t set_state(struct globs *g)
{
	for (size_t i = 0; i < g->set_n; i++) {
		const struct glob_node *node = &g->nodes[g->set[i]];
		if (node->kind == WITHIN)
			continue;
		for (uint32_t c = node->child; c; c = g->nodes[c].sibling)
			if (g->nodes[c].kind == STAR || g->nodes[c].kind == ANY)
				set_add(g, c);
	}
	qsort(g->set, g->set_n, sizeof *g->set, by_number);
	if (g->states.n >= g->states_max || g->states.bytes.used > GLOBS_BYTES)
		forget_states(g);
	uint32_t state = pl_intern(&g->states, g->set_n ? (const char *)g->set : "",
				   g->set_n * sizeof *g->set);
	PL_GROW(g->next, g->states.n * g->classes_n, g->next_cap);
	return state;
}

/* Where a byte leads from one node. */
static void step_node(struct globs *g, uint32_t at, unsigned char byte)
{
	const struct glob_node *node = &g->nodes[at];

	if (node->kind == WITHIN) {
		set_add(g, byte ? at : node->child);
		return;
	}
	if (byte && node->kind == STAR)
		set_add(g, at);
	if (byte && node->kind == ANY)
		set_add(g, at + 1);
	for (uint32_t c = node->child; c; c = g->nodes[c].sibling)
		if (g->nodes[c].kind == BYTE && g->nodes[c].byte == byte)
			set_add(g, c);
}

/* Makes the state that a byte leads to. When the states are forgotten for it, where it came from is
 * gone, too: nothing is noted then. */
static uint32_t step_state(struct globs *g, uint32_t state, unsigned char byte)
{
	struct pl_str from = pl_intern_str(&g->states, state);
	uint64_t before = g->forgotten;

	set_start(g);
	for (size_t i = 0; i < from.n / sizeof(uint32_t); i++) {
		uint32_t node;
		memcpy(&node, from.p + i * sizeof node, sizeof node);
		step_node(g, node, byte);
	}
	uint32_t to = set_state(g);
	if (g->forgotten == before)
		g->next[state * g->classes_n + g->classes[byte]] = to + 1;
	return to;
}

static uint32_t run(struct globs *g, struct pl_str name)
{
	set_start(g);
	set_add(g, 0);
	uint32_t state = set_state(g);
	for (size_t i = 0; i < name.n; i++) {
		unsigned char byte = (unsigned char)name.p[i];
		uint32_t next = g->next[state * g->classes_n + g->classes[byte]];
		state = next ? next - 1 : step_state(g, state, byte);
	}
	return state;
}

size_t globs_match(struct globs *g, struct pl_str name, uint32_t **ids, size_t *cap)
{
	uint32_t literal = pl_intern_find(&g->literals, name.p, name.n);
	size_t n = 0;

	if (!g->ready)
		prepare(g);
	if (literal != PL_INTERN_NONE) {
		PL_GROW(*ids, 1, *cap);
		(*ids)[n++] = g->literal_ids[literal];
	}
	struct pl_str set = pl_intern_str(&g->states, run(g, name));
	for (size_t i = 0; i < set.n / sizeof(uint32_t); i++) {
		uint32_t node;
		memcpy(&node, set.p + i * sizeof node, sizeof node);
		if (g->nodes[node].pattern == PL_INTERN_NONE)
			continue;
		PL_GROW(*ids, n + 1, *cap);
		(*ids)[n++] = g->nodes[node].pattern;
	}
	return n;
}
