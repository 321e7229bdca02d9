/* rows: events, qualities, modules, hotspots, paths, diagnostics, end */
#include "rows.h"
#include "edges.h"
#include "ids.h"
#include "mem.h"
#include "num.h"
#include "quality.h"
#include "rank.h"
#include "rows-details.h"
#include "shape.h"
#include "stats.h"
#include "text.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>

/* One event while its records are written. */
struct section {
	struct tally *t;
	struct pl_buf label;
	double n_eff;	    /* NaN: weights are no draws */
	uint32_t *hotspots; /* keys, the first hotspots_n in order */
	size_t hotspots_n, hotspots_total;
	uint32_t *paths;
	size_t paths_n, paths_total;
	uint64_t hotspots_self, paths_weight; /* of those that are written */
	uint64_t merged_symbols;
	struct details details;
};

struct writer {
	struct profile *p;
	const struct sources *sources;
	const struct rows_options *o;
	struct pl_main *m;
	struct pl_jsonw w;
	struct ids ids;
	struct section *sections;
	size_t n;
	struct pl_quality_facts measured; /* which events hardware counted */
	uint64_t records;
};

/* ---- ranking ---- */

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

static const uint32_t *path_keys(const struct tally *t, uint32_t path, size_t *n)
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

static void rank_section(struct writer *w, struct section *s)
{
	struct tally *t = s->t;
	struct ranking ranking = {.t = t, .order = w->ids.order};

	s->hotspots = pl_alloc((w->p->keys.n + 1) * sizeof *s->hotspots);
	for (uint32_t key = 0; key < w->p->keys.n; key++)
		if (t->hot[key].samples)
			s->hotspots[s->hotspots_total++] = key;
	s->hotspots_n =
		rank_first(s->hotspots, s->hotspots_total, w->o->top_n, hotspot_before, &ranking);
	for (size_t i = 0; i < s->hotspots_n; i++)
		s->hotspots_self += t->keys[s->hotspots[i]].self;
	s->paths_total = t->paths.n;
	s->paths = pl_alloc((s->paths_total + 1) * sizeof *s->paths);
	for (uint32_t i = 0; i < s->paths_total; i++)
		s->paths[i] = i;
	s->paths_n = rank_first(s->paths, s->paths_total, w->o->path_limit, path_before, &ranking);
	for (size_t i = 0; i < s->paths_n; i++)
		s->paths_weight += t->path_sums[s->paths[i]].weight;
}

/* ---- conservation ---- */

int rows_check_conservation(const struct profile *p, const struct tally *t, enum pl_code code,
			    struct pl_err *err)
{
	uint64_t self = 0, paths = 0;

	for (size_t key = 0; key < p->keys.n && key < t->keys_cap; key++)
		self += t->keys[key].self;
	for (size_t i = 0; i < t->paths.n; i++)
		paths += t->path_sums[i].weight;
	if (self + t->stackless != t->weight)
		return pl_err_set(err, code,
				  _("self weights do not add up: %" PRIu64 " + %" PRIu64
				    " stackless is not %" PRIu64),
				  self, t->stackless, t->weight);
	if (p->paths_kept && paths + t->stackless != t->weight)
		return pl_err_set(err, code,
				  _("path weights do not add up: %" PRIu64 " + %" PRIu64
				    " stackless is not %" PRIu64),
				  paths, t->stackless, t->weight);
	if (t->received > t->announced)
		return pl_err_set(err, code,
				  _("%" PRIu64 " samples were received, %" PRIu64 " announced"),
				  t->received, t->announced);
	return 0;
}

/* ---- events ---- */

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

/* Are weights draws, and how many independent ones are they worth? (Kish's effective sample size.)
 */
static double effective_samples(const struct tally *t)
{
	if (t->weight == 0)
		return NAN;
	if (pl_str_is(t->weight_source, "period") || pl_str_is(t->weight_source, "count"))
		return (double)t->weight * (double)t->weight / (double)t->squares;
	if (pl_str_is(t->weight_source, "folded_weight") && pl_str_is(t->unit, "samples"))
		return (double)t->weight;
	return NAN;
}

static void prepare_sections(struct writer *w)
{
	struct profile *p = w->p;
	unsigned same = 1;

	qsort(p->tallies, p->tallies_n, sizeof *p->tallies, compare_tallies);
	ids_make(&w->ids, p);
	w->n = p->tallies_n;
	w->sections = pl_alloc((w->n + 1) * sizeof *w->sections);
	for (size_t i = 0; i < w->n; i++) {
		struct section *s = &w->sections[i];
		s->t = p->tallies[i];
		tally_make_room(p, s->t);
		s->n_eff = effective_samples(s->t);
		same = i && pl_str_eq(s->t->name, w->sections[i - 1].t->name) ? same + 1 : 1;
		pl_buf_adds(&s->label, s->t->name);
		if (same > 1)
			pl_buf_printf(&s->label, "#%u", same);
		rank_section(w, s);
		details_make(&s->details, p, s->t);
		s->merged_symbols = details_merged(&s->details, p);
		pl_quality_measured(&w->measured, s->t->name, s->t->source);
	}
}

static void put_event(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;

	pl_jsonw_record(j, "event");
	pl_jsonw_kstr(j, "label", pl_buf_str(&s->label));
	pl_jsonw_kstr(j, "name", t->name);
	pl_jsonw_kstr(j, "unit", t->unit);
	pl_jsonw_kstr(j, "weight_source", t->weight_source);
	pl_jsonw_kstr(j, "source", t->source);
	pl_jsonw_ku64(j, "samples", t->samples);
	pl_jsonw_ku64(j, "weight", t->weight);
	pl_jsonw_ku64(j, "stackless", t->stackless);
	pl_jsonw_ku64(j, "lost", t->lost);
	pl_jsonw_ku64(j, "threads", t->threads);
	pl_jsonw_ku64(j, "multi_frame_weight", t->multi_frame_weight);
	pl_jsonw_ku64(j, "idle_weight", t->idle_weight);
	if (isnan(s->n_eff))
		pl_jsonw_knull(j, "n_eff");
	else
		pl_jsonw_kreal(j, "n_eff", s->n_eff);
	pl_jsonw_record_end(j);
	w->records++;
}

static void put_codes(struct pl_jsonw *j, const char *key, const struct pl_codes *codes)
{
	pl_jsonw_kbegin(j, key, '[');
	for (size_t i = 0; i < codes->n; i++)
		pl_jsonw_str(j, pl_str(codes->v[i]));
	pl_jsonw_end(j, ']');
}

static void put_weight_pct(struct pl_jsonw *j, const char *key, const char *pct_key, uint64_t part,
			   uint64_t total)
{
	pl_jsonw_ku64(j, key, part);
	pl_jsonw_kmicro(j, pct_key, pl_num_percent(part, total));
}

static struct pl_quality_facts facts_of(const struct writer *w, const struct section *s)
{
	const struct tally *t = s->t;
	struct pl_quality_facts f = w->measured;
	uint64_t unresolved =
		t->unresolved[MODE_USER] + t->unresolved[MODE_KERNEL] + t->unresolved[MODE_OTHER];

	f.event = t->name;
	f.source = t->source;
	f.samples = t->samples;
	f.weight = t->weight;
	f.multi_frame_weight = t->multi_frame_weight;
	f.lost = t->lost;
	f.cut_weight = t->cut_weight;
	f.source_line_self = t->source_line_self;
	f.announced_samples = t->announced;
	f.received_samples = t->received;
	f.unresolved_self_pct = pl_num_percent(unresolved, t->weight);
	f.unresolved_threshold_pct = w->o->unresolved_threshold;
	f.merged_symbols = s->merged_symbols;
	f.modes_known = t->known_mode_weight > 0;
	f.jit_frames = t->jit_frames > 0;
	f.omitted_rows = s->hotspots_n < s->hotspots_total || s->paths_n < s->paths_total;
	f.paths_kept = w->p->paths_kept;
	f.malformed = w->p->malformed;
	f.replaced = w->p->replaced;
	f.digest_absent = w->sources->digest_absent;
	return f;
}

static void put_quality(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;
	const uint64_t *unresolved = t->unresolved;
	struct pl_quality_facts f = facts_of(w, s);
	struct pl_codes reasons, allowed, forbidden;

	pl_quality_reasons(&f, &reasons);
	pl_quality_allowed(&f, &allowed);
	pl_quality_forbidden(&f, &forbidden);
	pl_jsonw_record(j, "quality");
	pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	pl_jsonw_kz(j, "status", reasons.n ? "partial" : "verified");
	put_codes(j, "reasons", &reasons);
	put_codes(j, "allowed", &allowed);
	put_codes(j, "forbidden", &forbidden);
	put_weight_pct(j, "unresolved_self", "unresolved_self_pct",
		       unresolved[MODE_USER] + unresolved[MODE_KERNEL] + unresolved[MODE_OTHER],
		       t->weight);
	put_weight_pct(j, "unresolved_self_user", "unresolved_self_user_pct", unresolved[MODE_USER],
		       t->weight);
	put_weight_pct(j, "unresolved_self_kernel", "unresolved_self_kernel_pct",
		       unresolved[MODE_KERNEL], t->weight);
	put_weight_pct(j, "unresolved_self_other", "unresolved_self_other_pct",
		       unresolved[MODE_OTHER], t->weight);
	pl_jsonw_kmicro(j, "unresolved_threshold_pct", w->o->unresolved_threshold);
	pl_jsonw_ku64(j, "source_line_self", t->source_line_self);
	pl_jsonw_ku64(j, "inlined_frames", t->inlined_frames);
	pl_jsonw_ku64(j, "merged_symbols", s->merged_symbols);
	pl_jsonw_ku64(j, "cut_weight", t->cut_weight);
	pl_jsonw_ku64(j, "suspect_callers", t->suspect_callers);
	pl_jsonw_kmicro(j, "largest_sample_pct", pl_num_percent(t->largest, t->weight));
	pl_jsonw_ku64(j, "announced_samples", t->announced);
	pl_jsonw_ku64(j, "received_samples", t->received);
	pl_jsonw_ku64(j, "malformed", w->p->malformed);
	pl_jsonw_ku64(j, "skipped", w->p->skipped);
	pl_jsonw_ku64(j, "replaced", w->p->replaced);
	pl_jsonw_record_end(j);
	w->records++;
}

/* ---- modules ---- */

struct module_order {
	const struct profile *p;
	const struct tally *t;
};

static bool module_before(const void *context, uint32_t a, uint32_t b)
{
	const struct module_order *o = context;
	const struct module_sum *x = &o->t->module_sums[a], *y = &o->t->module_sums[b];

	if (x->self != y->self)
		return x->self > y->self;
	int by_dso = pl_str_cmp(profile_text(o->p, x->dso), profile_text(o->p, y->dso));
	if (by_dso)
		return by_dso < 0;
	return pl_str_cmp(profile_text(o->p, x->build_id), profile_text(o->p, y->build_id)) < 0;
}

/* What would name the functions of a module that has unresolved weight. */
static const char *module_fix(const struct profile *p, const struct module_sum *m)
{
	struct pl_str kind = profile_text(p, m->kind), dso = profile_text(p, m->dso);

	if (m->unresolved_self == 0)
		return NULL;
	if (pl_str_is(kind, "kernel") || pl_str_starts(dso, "[kernel"))
		return "record as root, or with kernel.kptr_restrict=0, so that kernel symbols can "
		       "be read";
	if (pl_str_is(kind, "jit"))
		return "run the program with a perf map (/tmp/perf-PID.map) and keep it with the "
		       "recording";
	if (pl_str_is(kind, "deleted"))
		return "record again with the file still in place, or keep a copy with the same "
		       "build ID";
	if (pl_str_starts(dso, "[unknown"))
		return "record with call graphs that the program was built for (frame pointers or "
		       "DWARF)";
	return "install the debug symbols of this file, with the same build ID";
}

static void put_modules(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;
	struct module_order order = {w->p, t};
	uint32_t *modules = pl_alloc((t->modules.n + 1) * sizeof *modules);

	for (uint32_t i = 0; i < t->modules.n; i++)
		modules[i] = i;
	size_t n = rank_first(modules, t->modules.n, t->modules.n, module_before, &order);
	for (size_t i = 0; i < n; i++) {
		const struct module_sum *m = &t->module_sums[modules[i]];
		pl_jsonw_record(j, "module");
		pl_jsonw_kstr(j, "dso", profile_text(w->p, m->dso));
		pl_jsonw_kstr(j, "build_id", profile_text(w->p, m->build_id));
		put_weight_pct(j, "self", "self_pct", m->self, t->weight);
		pl_jsonw_ku64(j, "unresolved_self", m->unresolved_self);
		pl_jsonw_kstr(j, "reason", profile_text(w->p, m->reason));
		pl_jsonw_kz(j, "fix", module_fix(w->p, m));
		pl_jsonw_record_end(j);
		w->records++;
	}
	free(modules);
}

/* ---- hotspots and paths ---- */

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

static int put_hotspots(struct writer *w, struct section *s)
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

typedef char path_id[ID_MAX];

/* The ids of the paths that are written, in their order. Of several with one id the later by their
 * keys get a suffix: as with hotspots, weights have no say in it. */
static path_id *make_path_ids(const struct writer *w, const struct section *s)
{
	struct ranking ranking = {s->t, w->ids.order, s->paths};
	path_id *ids = pl_alloc((s->paths_n + 1) * sizeof *ids);
	uint32_t *places = pl_alloc((s->paths_n + 1) * sizeof *places);
	uint32_t *taken = NULL; /* by id: how often it was given */
	size_t taken_cap = 0, n;
	struct pl_intern given;

	pl_intern_init(&given);
	for (uint32_t i = 0; i < s->paths_n; i++)
		places[i] = i;
	rank_first(places, s->paths_n, s->paths_n, place_before_by_keys, &ranking);
	for (size_t i = 0; i < s->paths_n; i++) {
		const uint32_t *keys = path_keys(s->t, s->paths[places[i]], &n);
		char *id = ids[places[i]];
		ids_path(w->p, keys, n, id);
		uint32_t base = pl_intern(&given, id, strlen(id));
		PL_GROW(taken, given.n, taken_cap);
		if (++taken[base] > 1)
			snprintf(id + strlen(id), ID_MAX - strlen(id), "-%u", taken[base]);
	}
	pl_intern_free(&given);
	free(taken);
	free(places);
	return ids;
}

static int put_paths(struct writer *w, struct section *s)
{
	struct pl_jsonw *j = &w->w;
	path_id *ids = make_path_ids(w, s);
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

/* ---- diagnostics and end ---- */

/* A heuristic's diagnostic; it names the input when there is but one. */
static void put_heuristic(struct writer *w, const struct section *s, struct pl_diag *counts,
			  const char *code, const char *message)
{
	struct pl_jsonw *j = &w->w;
	struct pl_str preview = pl_utf8_cut(pl_buf_str(&s->t->largest_stack), PL_DIAG_PREVIEW);

	pl_diag_count(counts, code, 1);
	if (counts->kept >= w->sources->max_kept)
		return;
	counts->kept++;
	pl_jsonw_record(j, "diagnostic");
	pl_jsonw_kz(j, "code", code);
	if (sources_foreign(w->sources) == 1)
		pl_jsonw_ku64(j, "input", 0);
	pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	pl_jsonw_kz(j, "message", message);
	pl_jsonw_kstr(j, "preview", preview);
	pl_jsonw_record_end(j);
	w->records++;
}

static void put_heuristics(struct writer *w, struct pl_diag *counts)
{
	char message[160], pct[PL_NUM_MAX];
	uint64_t inner, inclusive;

	for (size_t i = 0; i < w->n; i++) {
		const struct section *s = &w->sections[i];
		if (s->t->largest > s->t->weight / 2) {
			size_t n =
				pl_num_put_micro(pct, pl_num_percent(s->t->largest, s->t->weight));
			snprintf(message, sizeof message, "one sample holds %.*s %% of the weight",
				 (int)n, pct);
			put_heuristic(w, s, counts, "DOMINANT_SAMPLE", message);
		}
		if (w->p->paths_kept && pl_str_is(s->t->weight_source, "folded_weight") &&
		    shape_looks_inclusive(s->t, &inner, &inclusive)) {
			snprintf(
				message, sizeof message,
				"%" PRIu64 " of %" PRIu64
				" inner stacks weigh at least as much as those below them together",
				inclusive, inner);
			put_heuristic(w, s, counts, "LOOKS_INCLUSIVE", message);
		}
	}
}

static void put_end_event(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;

	pl_jsonw_begin(j, '{');
	pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	pl_jsonw_ku64(j, "hotspots_total", s->hotspots_total);
	pl_jsonw_ku64(j, "hotspots", s->hotspots_n);
	pl_jsonw_ku64(j, "omitted_self", t->weight - t->stackless - s->hotspots_self);
	if (w->p->paths_kept) {
		pl_jsonw_ku64(j, "paths_total", s->paths_total);
		pl_jsonw_ku64(j, "paths", s->paths_n);
		pl_jsonw_ku64(j, "omitted_weight", t->weight - t->stackless - s->paths_weight);
	}
	pl_jsonw_end(j, '}');
}

static void put_end(struct writer *w, const struct pl_diag *counts)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_record(j, "end");
	pl_jsonw_kbegin(j, "events", '[');
	for (size_t i = 0; i < w->n; i++)
		put_end_event(w, &w->sections[i]);
	pl_jsonw_end(j, ']');
	pl_diag_counts(counts, j);
	pl_jsonw_ku64(j, "records", w->records);
	pl_stream_seal(j->buf);
}

static void put_header(struct writer *w)
{
	struct pl_jsonw *j = &w->w;

	pl_stream_header(j, "perflens.analysis", w->m);
	sources_put_inputs(w->sources, j);
	pl_jsonw_kz(j, "group_by", group_by_text(w->p->group_by));
	pl_jsonw_kbegin(j, "thresholds", '{');
	pl_jsonw_kmicro(j, "unresolved_pct", w->o->unresolved_threshold);
	pl_jsonw_end(j, '}');
	pl_jsonw_record_end(j);
}

static int put_all(struct writer *w)
{
	struct pl_diag counts = w->sources->counts;

	put_header(w);
	for (size_t i = 0; i < w->n; i++) {
		struct section *s = &w->sections[i];
		put_event(w, s);
		put_quality(w, s);
		put_modules(w, s);
		if (put_hotspots(w, s) || put_paths(w, s)) {
			w->p->err = w->m->out.err;
			return -1;
		}
	}
	put_heuristics(w, &counts);
	w->records += sources_put_diagnostics(w->sources, &w->w, counts.kept);
	put_end(w, &counts);
	return 0;
}

static void writer_free(struct writer *w)
{
	for (size_t i = 0; i < w->n; i++) {
		pl_buf_free(&w->sections[i].label);
		free(w->sections[i].hotspots);
		free(w->sections[i].paths);
		details_free(&w->sections[i].details);
	}
	free(w->sections);
	ids_free(&w->ids);
}

int rows_write(struct profile *p, const struct sources *sources, const struct rows_options *o,
	       struct pl_main *m)
{
	struct writer w = {.p = p, .sources = sources, .o = o, .m = m, .w = {.buf = &m->out.buf}};

	for (size_t i = 0; i < p->tallies_n; i++)
		if (rows_check_conservation(p, p->tallies[i], PL_E_INTERNAL_ERROR, &p->err))
			return -1;
	prepare_sections(&w);
	int status = put_all(&w);
	writer_free(&w);
	return status;
}
