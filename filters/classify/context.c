/* context: from where the weight of a hotspot comes */
#include "num.h"
#include "profile.h"

static bool has_any(const struct rule_patterns *wanted, const uint32_t *marks, uint32_t mark)
{
	for (size_t i = 0; i < wanted->n; i++)
		if (marks[wanted->v[i]] == mark)
			return true;
	return false;
}

static void mark_name(struct profile *p, struct pl_str symbol)
{
	struct rule_patterns found = match_symbol(p->match, symbol);

	for (size_t i = 0; i < found.n; i++)
		p->marks[found.v[i]] = p->mark;
}

static struct pl_str keep(struct profile *p, struct pl_str s)
{
	return s.p ? (struct pl_str){pl_arena_dup(&p->arena, s.p, s.n), s.n} : s;
}

/* They come heaviest first. */
static void cite(struct profile *p, struct profile_citations *c, struct pl_str id,
		 struct pl_str name, uint64_t weight)
{
	if (c->n < PROFILE_CITED)
		c->v[c->n++] = (struct profile_cited){keep(p, id), keep(p, name), weight};
}

/* A sum that would not fit is as good as the largest: shares of it are capped. */
static void add_weight(uint64_t *sum, uint64_t weight)
{
	if (!pl_num_add(sum, weight))
		*sum = UINT64_MAX;
}

void context_callers(struct profile *p, struct profile_event *e, struct profile_hotspot *h,
		     const struct pl_analysis *a)
{
	const struct pl_json_tok *tape = a->s.json.tape;
	uint32_t array = a->hotspot.callers;
	struct pl_analysis_edge edge;
	bool wanted = false;

	for (size_t i = 0; i < h->fits; i++)
		wanted |= e->fits[h->fit + i].rule->callers.n != 0;
	if (!wanted || !array)
		return;
	for (uint32_t t = array + 1; t < tape[array].next; t = tape[t].next) {
		if (!pl_analysis_edge(a, t, &edge))
			continue;
		p->mark++;
		mark_name(p, pl_analysis_name(&edge.key));
		for (size_t i = 0; i < h->fits; i++) {
			struct profile_fit *fit = &e->fits[h->fit + i];
			if (!has_any(&fit->rule->callers, p->marks, p->mark))
				continue;
			add_weight(&fit->callers_weight, edge.weight);
			cite(p, &fit->callers, edge.id, pl_analysis_name(&edge.key), edge.weight);
		}
	}
}

static bool wants_paths(const struct profile_event *e, const struct profile_hotspot *h)
{
	for (size_t i = 0; i < h->fits; i++)
		if (e->fits[h->fit + i].rule->under.n)
			return true;
	return false;
}

void context_path(struct profile *p, struct profile_event *e, struct profile_hotspot *h,
		  const struct pl_analysis *a)
{
	const struct pl_json_tok *tape = a->s.json.tape;
	uint32_t frames = a->path.frames;
	struct pl_analysis_hotspot key;

	add_weight(&h->paths_weight, a->path.weight);
	cite(p, &h->paths, a->path.id, (struct pl_str){NULL, 0}, a->path.weight);
	if (!wants_paths(e, h))
		return;
	p->mark++;
	for (uint32_t t = frames + 1; tape[t].next < tape[frames].next; t = tape[t].next) {
		pl_analysis_frame(a, t, &key);
		mark_name(p, pl_analysis_name(&key));
	}
	for (size_t i = 0; i < h->fits; i++) {
		struct profile_fit *fit = &e->fits[h->fit + i];
		if (!has_any(&fit->rule->under, p->marks, p->mark))
			continue;
		add_weight(&fit->under_weight, a->path.weight);
		cite(p, &fit->under, a->path.id, (struct pl_str){NULL, 0}, a->path.weight);
	}
}

/* A pair counts once a sample, so a function that several of its callers are on the stack of gets
 * more than all. */
static uint64_t share(uint64_t part, uint64_t total)
{
	return pl_num_percent(part < total ? part : total, total);
}

uint64_t context_callers_pct(const struct profile_hotspot *h, const struct profile_fit *fit)
{
	return share(fit->callers_weight, h->inclusive);
}

uint64_t context_under_pct(const struct profile_hotspot *h, const struct profile_fit *fit)
{
	return share(fit->under_weight, h->paths_weight);
}

bool context_holds(const struct profile_hotspot *h, const struct profile_fit *fit)
{
	const struct rule *rule = fit->rule;

	return (!rule->callers.n || context_callers_pct(h, fit) >= rule->share_pct) &&
	       (!rule->under.n || context_under_pct(h, fit) >= rule->share_pct);
}
