/* rows-tables: the hotspot and path records */
#include "edges.h"
#include "mem.h"
#include "stats.h"
#include "writer.h"

#include <math.h>

/* The members that say what a key is: those that rows are grouped by. */
static void put_key(const struct profile *p, struct pl_jsonw *j, uint32_t key)
{
	const char *name = group_by_text(p->group_by);

	if (p->group_by == BY_SYMBOL_DSO)
		name = "symbol";
	if (p->group_by != BY_DSO)
		pl_jsonw_kstr(j, name, profile_key_name(p, key));
	if (p->group_by == BY_SYMBOL_DSO || p->group_by == BY_DSO)
		pl_jsonw_kstr(j, "dso", profile_key_dso(p, key));
}

static void put_neighbours(struct writer *w, const char *name, const struct neighbour *list,
			   uint32_t n)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_kbegin(j, name, '[');
	for (uint32_t i = 0; i < n; i++) {
		pl_jsonw_begin(j, '{');
		pl_jsonw_kz(j, "id", w->ids.key[list[i].key]);
		put_key(w->p, j, list[i].key);
		pl_jsonw_ku64(j, "weight", list[i].weight);
		pl_jsonw_end(j, '}');
	}
	pl_jsonw_end(j, ']');
}

static void put_interval(struct pl_jsonw *j, uint64_t self, uint64_t weight, double n_eff)
{
	double low, high;

	pl_stats_wilson((double)self / (double)weight, n_eff, &low, &high);
	pl_jsonw_kbegin(j, "self_ci95", '[');
	pl_jsonw_real(j, low * 100);
	pl_jsonw_real(j, high * 100);
	pl_jsonw_end(j, ']');
}

static void put_hotspot(struct writer *w, struct section *s, uint32_t key,
			const struct neighbours *near)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;
	const struct key_hot *hot = &t->hot[key];
	const struct key_sum *sum = &t->keys[key];

	pl_jsonw_record(j, "hotspot");
	pl_jsonw_kz(j, "id", w->ids.key[key]);
	pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	put_key(w->p, j, key);
	if (w->p->group_by != BY_COMM && w->p->group_by != BY_TID)
		pl_jsonw_kstr(j, "kind", profile_text(w->p, sum->kind));
	put_weight_pct(j, "self", "self_pct", sum->self, t->weight);
	if (!isnan(s->n_eff))
		put_interval(j, sum->self, t->weight, s->n_eff);
	put_weight_pct(j, "inclusive", "inclusive_pct", hot->inclusive, t->weight);
	pl_jsonw_ku64(j, "self_samples", sum->self_samples);
	pl_jsonw_ku64(j, "samples", hot->samples);
	pl_jsonw_ku64(j, "occurrences", sum->occurrences);
	pl_jsonw_ku64(j, "threads", sum->threads);
	pl_jsonw_ku64(j, "idle", sum->idle);
	details_put(&s->details, w->p, key, j);
	if (w->p->paths_kept) {
		put_neighbours(w, "callers", near->callers, near->callers_n);
		put_neighbours(w, "callees", near->callees, near->callees_n);
	}
	pl_jsonw_record_end(j);
	w->records++;
}

int put_hotspots(struct writer *w, struct section *s)
{
	struct neighbours *near = NULL;
	int status = 0;

	if (w->p->paths_kept)
		near = edges_of(w->p, s->t, s->hotspots, s->hotspots_n, w->ids.order);
	for (size_t i = 0; status == 0 && i < s->hotspots_n; i++) {
		put_hotspot(w, s, s->hotspots[i], near ? &near[i] : NULL);
		status = pl_out_poll(&w->m->out);
	}
	free(near);
	return status;
}

static void put_path_frames(struct writer *w, const struct section *s, const uint32_t *keys,
			    size_t n)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_kbegin(j, "frames", '[');
	for (size_t i = 0; i < n; i++) {
		const struct key_sum *sum = &s->t->keys[keys[i]];
		pl_jsonw_begin(j, '{');
		put_key(w->p, j, keys[i]);
		if (sum->kind != NO_STRING)
			pl_jsonw_kstr(j, "kind", profile_text(w->p, sum->kind));
		if (sum->inlined == 1)
			pl_jsonw_kbool(j, "inlined", true);
		pl_jsonw_end(j, '}');
	}
	pl_jsonw_end(j, ']');
}

int put_paths(struct writer *w, struct section *s)
{
	struct pl_jsonw *j = &w->w;
	path_id *ids = section_path_ids(w->p, &w->ids, s);
	int status = 0;
	size_t n;

	for (size_t i = 0; status == 0 && i < s->paths_n; i++) {
		const struct path_sum *sum = &s->t->path_sums[s->paths[i]];
		const uint32_t *keys = path_keys(s->t, s->paths[i], &n);
		pl_jsonw_record(j, "path");
		pl_jsonw_kz(j, "id", ids[i]);
		pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
		put_weight_pct(j, "weight", "pct", sum->weight, s->t->weight);
		pl_jsonw_ku64(j, "samples", sum->samples);
		put_path_frames(w, s, keys, n);
		pl_jsonw_record_end(j);
		w->records++;
		status = pl_out_poll(&w->m->out);
	}
	free(ids);
	return status;
}
