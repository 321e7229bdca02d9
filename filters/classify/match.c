/* match: names to patterns, patterns to rules */
#include "match.h"

#include <stdlib.h>

void match_init(struct match *m, struct rules *rules)
{
	memset(m, 0, sizeof *m);
	m->rules = rules;
	pl_intern_init(&m->symbols.texts);
	pl_intern_init(&m->dsos.texts);
	m->symbol_marks = pl_alloc((rules->symbols.patterns.n + 1) * sizeof *m->symbol_marks);
	m->dso_marks = pl_alloc((rules->dsos.patterns.n + 1) * sizeof *m->dso_marks);
	m->fit_marks = pl_alloc((rules->n + 1) * sizeof *m->fit_marks);
}

static void free_texts(struct match_texts *t)
{
	pl_intern_free(&t->texts);
	free(t->found);
}

void match_free(struct match *m)
{
	free_texts(&m->symbols);
	free_texts(&m->dsos);
	names_free(&m->names);
	pl_arena_free(&m->arena);
	free(m->ids);
	free(m->symbol_marks);
	free(m->dso_marks);
	free(m->fit_marks);
	free(m->fits);
	memset(m, 0, sizeof *m);
}

/* What is known of the text, or room for it: *fresh. */
static struct rule_patterns *look_up(struct match_texts *t, struct pl_str text, bool *fresh)
{
	size_t before = t->texts.n;
	uint32_t id = pl_intern(&t->texts, text.p, text.n);

	*fresh = t->texts.n != before;
	PL_GROW(t->found, t->texts.n, t->found_cap);
	return &t->found[id];
}

static void keep_found(struct match *m, struct rule_patterns *found, size_t n)
{
	if (n == 0)
		return;
	found->v = pl_arena_alloc(&m->arena, n * sizeof *found->v);
	memcpy(found->v, m->ids, n * sizeof *found->v);
	found->n = n;
}

struct rule_patterns match_symbol(struct match *m, struct pl_str symbol)
{
	bool fresh;
	struct rule_patterns *found = look_up(&m->symbols, symbol, &fresh);

	if (fresh)
		keep_found(m, found,
			   globs_match(&m->rules->symbols, names_of(&m->names, symbol), &m->ids,
				       &m->ids_cap));
	return *found;
}

static struct rule_patterns match_dso(struct match *m, struct pl_str dso)
{
	bool fresh;
	struct rule_patterns *found = look_up(&m->dsos, dso, &fresh);

	if (fresh) {
		struct pl_buf name = {0};
		pl_buf_adds(&name, pl_str_base(dso));
		pl_buf_addc(&name, '\0');
		keep_found(m, found,
			   globs_match(&m->rules->dsos, pl_buf_str(&name), &m->ids, &m->ids_cap));
		pl_buf_free(&name);
	}
	return *found;
}

/* ---- rules ---- */

/* 0: nothing is known. */
static unsigned kind_of(const struct pl_analysis_hotspot *h)
{
	static const char *const names[] = {"user", "kernel", "jit", "vdso", "guest", "deleted"};
	struct pl_str dso = h->dso.p ? pl_str_base(h->dso) : PL_S("");

	for (size_t i = 0; h->kind.p && i < PL_COUNT(names); i++)
		if (pl_str_is(h->kind, names[i]))
			return 1u << i;
	if (pl_str_starts(dso, "[kernel") || pl_str_starts(dso, "[guest.kernel") ||
	    pl_str_ends(dso, ".ko"))
		return KIND_KERNEL;
	if (pl_str_is(dso, "[jit]"))
		return KIND_JIT;
	return pl_str_is(dso, "[vdso]") ? KIND_VDSO : 0;
}

static bool any_marked(const struct rule_patterns *p, const uint32_t *marks, uint32_t mark)
{
	for (size_t i = 0; i < p->n; i++)
		if (marks[p->v[i]] == mark)
			return true;
	return false;
}

static bool fits(const struct match *m, const struct rule *rule, unsigned kind)
{
	return !any_marked(&rule->not_symbols, m->symbol_marks, m->mark) &&
	       (rule->dsos.n == 0 || any_marked(&rule->dsos, m->dso_marks, m->mark)) &&
	       !any_marked(&rule->not_dsos, m->dso_marks, m->mark) &&
	       (!rule->kinds || !kind || (rule->kinds & kind));
}

/* fit_marks are, for one hotspot, the index of a rule's fit and 1: a rule that several patterns
 * lead to is looked at once. */
static void add_rules(struct match *m, uint32_t pattern, unsigned kind)
{
	const struct rule_patterns *rules = &m->rules->by_symbol[pattern];
	size_t weight = m->rules->symbols.weights[pattern];

	for (size_t i = 0; i < rules->n; i++) {
		uint32_t r = rules->v[i];
		uint32_t at = m->fit_marks[r];
		if (at && at <= m->fits_n && m->fits[at - 1].rule == &m->rules->v[r]) {
			if (weight > m->fits[at - 1].weight)
				m->fits[at - 1].weight = weight;
			continue;
		}
		if (!fits(m, &m->rules->v[r], kind))
			continue;
		PL_GROW(m->fits, m->fits_n + 1, m->fits_cap);
		m->fits[m->fits_n++] = (struct match_fit){&m->rules->v[r], weight};
		m->fit_marks[r] = (uint32_t)m->fits_n;
	}
}

/* The most telling first. */
static int by_order(const void *a, const void *b)
{
	const struct match_fit *x = a, *y = b;

	if (x->rule->priority != y->rule->priority)
		return x->rule->priority > y->rule->priority ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return pl_str_cmp(x->rule->id, y->rule->id);
}

void match_hotspot(struct match *m, const struct pl_analysis_hotspot *h)
{
	struct rule_patterns symbols = match_symbol(m, pl_analysis_name(h)), dsos = {NULL, 0};
	unsigned kind = kind_of(h);

	m->fits_n = 0;
	if (symbols.n == 0)
		return;
	if (h->dso.p)
		dsos = match_dso(m, h->dso);
	m->mark++; /* there are fewer rows than it counts: each takes more than four bytes */
	for (size_t i = 0; i < symbols.n; i++)
		m->symbol_marks[symbols.v[i]] = m->mark;
	for (size_t i = 0; i < dsos.n; i++)
		m->dso_marks[dsos.v[i]] = m->mark;
	for (size_t i = 0; i < symbols.n; i++)
		add_rules(m, symbols.v[i], kind);
	if (m->fits_n > 1)
		qsort(m->fits, m->fits_n, sizeof *m->fits, by_order);
}
