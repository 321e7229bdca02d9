/* rows-modules: the module records: which files hold the weight, and what would name their
 * functions */
#include "mem.h"
#include "rank.h"
#include "reason.h"
#include "writer.h"

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

/* Why functions of it have no names. Of a map of a JIT compiler only all frames together say that
 * it lacks some: pl-symbolize writes the module before them. */
static struct pl_str module_reason(const struct profile *p, const struct module_sum *m)
{
	struct pl_str reason = profile_text(p, m->reason);

	if (!reason.p && m->unresolved_self && pl_str_is(profile_text(p, m->kind), "jit") &&
	    pl_str_is(profile_text(p, m->symbols), "full"))
		return PL_S(PL_REASON_JIT_MAP_INCOMPLETE);
	return reason;
}

/* What would name the functions of a module that has unresolved weight, or give it lines. */
static const char *module_fix(const struct profile *p, const struct module_sum *m)
{
	struct pl_str kind = profile_text(p, m->kind), dso = profile_text(p, m->dso);
	const char *fix = pl_reason_fix(module_reason(p, m));

	if (fix || m->unresolved_self == 0)
		return fix;
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
	return "install the debug symbols of this file, with the same build ID, or get them with "
	       "--debuginfod";
}

void put_modules(struct writer *w, const struct section *s)
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
		pl_jsonw_kstr(j, "reason", module_reason(w->p, m));
		pl_jsonw_kz(j, "fix", module_fix(w->p, m));
		pl_jsonw_record_end(j);
		w->records++;
	}
	free(modules);
}
