/* module: what a mapping is of */
#include "module.h"
#include "mem.h"
#include "samplesw.h"
#include "utf8.h"

#include <stdlib.h>

static const uint32_t build_id_ambiguous = UINT32_MAX - 1;

void modules_start(struct modules *ms, uint64_t *replaced)
{
	*ms = (struct modules){.replaced = replaced};
	pl_intern_init(&ms->keys);
	pl_intern_init(&ms->texts);
	pl_intern_init(&ms->paths);
}

void modules_free(struct modules *ms)
{
	pl_intern_free(&ms->keys);
	pl_intern_free(&ms->texts);
	pl_intern_free(&ms->paths);
	pl_buf_free(&ms->clean);
	free(ms->paths_of);
	free(ms->v);
}

/* ---- build IDs ---- */

static uint32_t text_of_id(struct modules *ms, struct pl_bytes id)
{
	static const char digits[] = "0123456789abcdef";
	char hex[2 * PL_PERF_BUILD_ID_MAX];

	for (size_t i = 0; i < id.n; i++) {
		hex[2 * i] = digits[id.p[i] >> 4];
		hex[2 * i + 1] = digits[id.p[i] & 15];
	}
	return pl_intern(&ms->texts, hex, 2 * id.n);
}

/* What is known of a path; a new one has nothing. */
static struct modules_path *path_of(struct modules *ms, struct pl_str path)
{
	size_t known = ms->paths.n;
	uint32_t at = pl_intern(&ms->paths, path.p, path.n);

	PL_GROW(ms->paths_of, ms->paths.n, ms->paths_cap);
	if (at == known)
		ms->paths_of[at].build_id = PL_INTERN_NONE;
	return &ms->paths_of[at];
}

/* An ID of zeros is what perf writes for a file that it could not read. */
static bool is_id(struct pl_bytes id)
{
	for (size_t i = 0; i < id.n; i++)
		if (id.p[i])
			return true;
	return false;
}

void modules_add_build_id(struct modules *ms, const struct pl_perf_build_id *b)
{
	struct modules_path *path = path_of(ms, b->file);

	if (!is_id(b->id))
		return;
	uint32_t id = text_of_id(ms, b->id);
	path->build_id =
		path->build_id == PL_INTERN_NONE || path->build_id == id ? id : build_id_ambiguous;
}

bool modules_note_mmap(struct modules *ms, const struct pl_perf_mmap *m)
{
	struct modules_path *path;

	if (m->build_id.n || (m->inode == 0 && m->device == 0))
		return true;
	path = path_of(ms, m->file);
	/* the inode of a file that was removed is soon another's, of another generation; perf does
	 * not know the generation of what was mapped before the recording */
	bool reused = path->generation && m->generation && path->generation != m->generation;
	bool other = path->seen && (path->inode != m->inode || path->device != m->device || reused);
	bool first = other && path->build_id != build_id_ambiguous;
	path->seen = true;
	path->inode = m->inode;
	path->device = m->device;
	if (m->generation || other)
		path->generation = m->generation;
	if (other)
		path->build_id = build_id_ambiguous;
	return !first;
}

static struct pl_str build_id_of(struct modules *ms, struct pl_str file, struct pl_bytes own)
{
	uint32_t id = is_id(own) ? text_of_id(ms, own) : PL_INTERN_NONE;

	if (id == PL_INTERN_NONE)
		id = path_of(ms, file)->build_id;
	if (id == PL_INTERN_NONE || id == build_id_ambiguous)
		return (struct pl_str){NULL, 0};
	return pl_intern_str(&ms->texts, id);
}

/* ---- modules ---- */

/* What makes a module one. All bytes count. */
struct key {
	uint64_t base, device, inode, generation;
	uint32_t kind, path, build_id, unused;
};

/* `identity` tells files of one name apart. */
static uint32_t add(struct modules *ms, struct module module, const struct pl_perf_mmap *identity)
{
	static const struct pl_perf_mmap none;
	const struct pl_perf_mmap *m = identity ? identity : &none;
	struct pl_str id = module.build_id;
	struct key key = {
		.base = module.base,
		.device = m->device,
		.inode = m->inode,
		.generation = m->generation,
		.kind = module.kind,
		.path = (uint32_t)(path_of(ms, module.dso) - ms->paths_of),
		.build_id = id.p ? pl_intern(&ms->texts, id.p, id.n) : PL_INTERN_NONE,
	};
	size_t known = ms->keys.n;
	uint32_t at = pl_intern(&ms->keys, &key, sizeof key);

	if (at < known)
		return at;
	PL_GROW(ms->v, ms->keys.n, ms->cap);
	ms->n = ms->keys.n;
	module.dso = pl_utf8_clean(pl_intern_str(&ms->paths, key.path), &ms->clean, ms->replaced);
	/* nearly always it is the path as it is kept already */
	if (module.dso.p != pl_intern_str(&ms->paths, key.path).p)
		module.dso = pl_intern_str(&ms->texts,
					   pl_intern(&ms->texts, module.dso.p, module.dso.n));
	module.id = UINT32_MAX;
	ms->v[at] = module;
	return at;
}

uint32_t modules_named(struct modules *ms, struct pl_str dso, enum module_kind kind, uint64_t base,
		       bool has_symbol)
{
	return add(
		ms,
		(struct module){.dso = dso, .kind = kind, .base = base, .has_symbol = has_symbol},
		NULL);
}

uint32_t modules_kernel(struct modules *ms, const struct pl_perf_mmap *m)
{
	struct module module = {.dso = PL_S("[kernel.kallsyms]"), .kind = MODULE_KERNEL};

	module.base = m ? m->pgoff : 0;
	module.build_id = build_id_of(ms, module.dso, m ? m->build_id : (struct pl_bytes){NULL, 0});
	return add(ms, module, NULL);
}

/* Code that no file holds: perf looks for its names in a map of the process
 * (tools/perf/util/map.c: is_anon_memory(), is_no_dso_memory()). */
bool modules_is_anonymous(struct pl_str file)
{
	static const char *const starts[] = {"//anon", "/dev/zero", "/anon_hugepage",
					     "[heap]", "[stack",    "/SYSV"};

	for (size_t i = 0; i < PL_COUNT(starts); i++)
		if (pl_str_starts(file, starts[i]))
			return true;
	return file.n == 0;
}

static enum module_kind kind_of(struct pl_str file, bool kernel)
{
	if (kernel)
		return MODULE_KMOD;
	if (pl_str_is(file, "[vdso]") || pl_str_is(file, "[vdso32]"))
		return MODULE_VDSO;
	if (modules_is_anonymous(file) || pl_str_starts(file, "/memfd:"))
		return MODULE_JIT;
	return pl_str_ends(file, " (deleted)") ? MODULE_DELETED : MODULE_USER;
}

uint32_t modules_of_mmap(struct modules *ms, const struct pl_perf_mmap *m, bool kernel)
{
	struct module module = {.dso = m->file, .kind = kind_of(m->file, kernel)};
	char map[32];

	if (module.kind == MODULE_JIT && modules_is_anonymous(m->file)) {
		snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)m->pid);
		module.dso = pl_str(map);
		return add(ms, module, NULL);
	}
	if (module.kind == MODULE_KMOD)
		module.base = m->start;
	module.build_id = build_id_of(ms, m->file, m->build_id);
	return add(ms, module, m);
}

static const char *const kind_names[] = {
	[MODULE_USER] = "user",	  [MODULE_KERNEL] = "kernel", [MODULE_KMOD] = "kernel",
	[MODULE_JIT] = "jit",	  [MODULE_VDSO] = "vdso",     [MODULE_DELETED] = "deleted",
	[MODULE_GUEST] = "guest", [MODULE_UNKNOWN] = NULL,
};

uint32_t modules_id(struct modules *ms, uint32_t number, struct pl_parser *p)
{
	struct module *m = &ms->v[number];
	char base[2 + 16 + 1];

	if (m->id != UINT32_MAX)
		return m->id;
	m->id = (uint32_t)p->modules++;
	snprintf(base, sizeof base, "0x%llx", (unsigned long long)m->base);
	pl_samplesw_module(&p->m->out.buf, &(struct pl_module){
						   .id = m->id,
						   .dso = m->dso,
						   .build_id = m->build_id,
						   .kind = pl_str(kind_names[m->kind]),
						   .base = pl_str(m->base ? base : NULL),
					   });
	return m->id;
}
