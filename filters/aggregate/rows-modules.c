/* rows-modules: the module records: which files hold the weight, and what would name their
 * functions */
#include "mem.h"
#include "rank.h"
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

/* What would cure each reason that parsers and pl-symbolize give. */
static const struct {
	const char *reason, *fix;
} fixes[] = {
	{"BUILD_ID_MISMATCH",
	 "get the file that ran, by its build ID: keep it with the recording, or install that "
	 "version"},
	{"BUILD_ID_UNKNOWN",
	 "record with perf record --buildid-all or --buildid-mmap, or trust the files at their "
	 "paths with --trust-paths"},
	{"DEBUG_ZSTD", "pack its debug sections with zlib: objcopy --compress-debug-sections=zlib"},
	{"DWO_MISSING", "keep its .dwo files where they were built, or name that folder with "
			"--path-map"},
	{"DWP_UNSUPPORTED", "keep its .dwo files where they were built: packages of them (.dwp) "
			    "cannot be read"},
	{"DWZ_MISSING", "install the file that its debug information refers to (.dwz)"},
	{"FILE_MISSING",
	 "get the file that ran, by its build ID, and name its place with --sysroot "
	 "or --path-map"},
	{"FILE_UNREADABLE", "read it as a user who may, or name its folder with --roots"},
	{"JIT_MAP_MISSING", "run the program with a perf map (/tmp/perf-PID.map) and keep it with "
			    "the recording: --jit-dir"},
	{"JIT_MAP_NOT_OURS",
	 "read it as the user who ran the program, or copy the map and name its "
	 "folder with --jit-dir"},
	{"KALLSYMS_RESTRICTED", "read as root, or with kernel.kptr_restrict=0, or with a copy of "
				"/proc/kallsyms: --kallsyms"},
	{"NO_DEBUG_INFO", "build it with -g, or install its debug symbols, with the same build ID"},
	{"NO_SYMBOLS", "install the debug symbols of this file, with the same build ID"},
	{"SYMBOLS_CRASHED", "the file is damaged, or the libraries that read it are at fault: try "
			    "another version of elfutils"},
	{"SYMBOLS_TIMEOUT", "give it more time with --timeout-seconds"},
};

static const char *fix_of_reason(struct pl_str reason)
{
	for (size_t i = 0; i < PL_COUNT(fixes); i++)
		if (pl_str_is(reason, fixes[i].reason))
			return fixes[i].fix;
	return NULL;
}

/* What would name the functions of a module that has unresolved weight, or give it lines. */
static const char *module_fix(const struct profile *p, const struct module_sum *m)
{
	struct pl_str kind = profile_text(p, m->kind), dso = profile_text(p, m->dso);
	const char *fix = fix_of_reason(profile_text(p, m->reason));

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
	return "install the debug symbols of this file, with the same build ID";
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
		pl_jsonw_kstr(j, "reason", profile_text(w->p, m->reason));
		pl_jsonw_kz(j, "fix", module_fix(w->p, m));
		pl_jsonw_record_end(j);
		w->records++;
	}
	free(modules);
}
