/* resolver: modules are opened when they are first asked for, and kept */
#include "resolver.h"
#include "num.h"
#include "symbol.h"
#include "utf8.h"

#include <stdlib.h>
#include <unistd.h>

void resolver_start(struct resolver *r, const struct resolver_options *options,
		    struct kernel *kernel, struct pl_child *child)
{
	*r = (struct resolver){
		.options = options, .kernel = kernel, .child = child, .user = geteuid()};
	pl_intern_init(&r->pids);
	demangle_start(&r->names);
}

void resolver_end(struct resolver *r)
{
	for (size_t i = 0; i < r->modules_n; i++)
		if (r->modules[i].opened)
			binary_close(&r->modules[i].binary);
	for (size_t i = 0; i < r->pids.n; i++)
		perfmap_free(&r->maps[i].map);
	free(r->modules);
	free(r->maps);
	pl_intern_free(&r->pids);
	demangle_free(&r->names);
	pl_arena_free(&r->texts);
	pl_buf_free(&r->path);
	pl_buf_free(&r->text);
}

/* ---- marks ---- */

enum { STAGE_BITS = 3 };

static void mark(struct resolver *r, uint32_t module, enum resolver_stage stage)
{
	pl_child_at(r->child, ((uint64_t)module << STAGE_BITS | stage));
}

static struct resolver_module *module_at(struct resolver *r, uint32_t number)
{
	PL_GROW(r->modules, (size_t)number + 1, r->modules_cap);
	if (r->modules_n <= number)
		r->modules_n = (size_t)number + 1;
	return &r->modules[number];
}

bool resolver_died(struct resolver *r, uint64_t at, bool late)
{
	unsigned stage = at & ((1 << STAGE_BITS) - 1);

	if (!stage || at >> STAGE_BITS >= UINT32_MAX)
		return false;
	struct resolver_module *m = module_at(r, (uint32_t)(at >> STAGE_BITS));
	if (m->died & stage)
		return false;
	m->died |= stage;
	m->refused = late ? "SYMBOLS_TIMEOUT" : "SYMBOLS_CRASHED";
	return true;
}

/* ---- modules ---- */

static struct pl_str keep(struct resolver *r, struct pl_str s)
{
	if (!s.p)
		return s;
	return (struct pl_str){pl_arena_dup(&r->texts, s.p, s.n), s.n};
}

static bool is_kernel(struct pl_str kind, struct pl_str dso)
{
	return pl_str_is(kind, "kernel") && pl_str_starts(dso, "[kernel");
}

/* With the kernel's names come its modules', while they stay where they were. */
static enum resolver_kind kind_of(const struct resolver *r, const struct question *q)
{
	if (pl_str_is(q->module_kind, "jit"))
		return RESOLVER_JIT;
	if (is_kernel(q->module_kind, q->dso))
		return RESOLVER_KERNEL;
	return pl_str_is(q->module_kind, "kernel") && kernel_has_module(r->kernel, q->dso, q->base)
		       ? RESOLVER_KMOD
		       : RESOLVER_FILE;
}

/* A module that is not the one that is loaded may have its file. */
static void check_kernel_names(struct resolver *r, struct resolver_module *m)
{
	if (m->kind == RESOLVER_KERNEL) {
		if (!m->refused)
			m->refused = kernel_check(r->kernel, m->build_id);
	} else if (m->kind == RESOLVER_KMOD) {
		m->not_loaded =
			kernel_check_module(r->kernel, m->dso, m->base, m->build_id, r->kernel_id);
		if (m->not_loaded)
			m->kind = RESOLVER_FILE;
	}
}

static void learn(struct resolver *r, const struct question *q)
{
	struct resolver_module *m = module_at(r, q->module);

	if (m->known)
		return;
	m->known = true;
	m->dso = keep(r, q->dso);
	m->build_id = keep(r, q->build_id);
	m->base = q->base;
	m->path_is_not_its =
		pl_str_is(q->module_kind, "deleted") || pl_str_is(q->module_kind, "guest");
	m->kind = kind_of(r, q);
	check_kernel_names(r, m);
}

/* What the recording says is gone is not what is at the path now; and a path in a guest is none
 * of ours. */
static bool may_trust_path(const struct resolver_module *m)
{
	return !m->path_is_not_its && !pl_str_ends(m->dso, " (deleted)");
}

static struct binary_search search_for(struct resolver *r, const struct resolver_module *m)
{
	const struct resolver_options *o = r->options;
	/* caches are folders: another text could lead out of them */
	struct pl_elf_build_id id;
	bool keyed = pl_elf_build_id_read(&id, m->build_id);

	pl_buf_clear(&r->path);
	if (o->file.fd)
		pl_buf_addz(&r->path, o->file.path);
	else
		pl_paths_local(&o->paths, m->dso, &r->path);
	return (struct binary_search){
		.dso = m->dso,
		.build_id = m->build_id,
		.path = r->path.p,
		.fd = o->file.fd,
		.trust_path = o->trust_paths && may_trust_path(m),
		.debug_roots = o->debug_roots.v,
		.debug_roots_n = o->debug_roots.n,
		.sysroot = o->paths.sysroot,
		.cache = keyed ? o->cache : NULL,
		.fetched = keyed ? o->fetched : NULL,
	};
}

/* The module's file, or NULL where it cannot be had. */
static struct binary *file_of(struct resolver *r, uint32_t number)
{
	struct resolver_module *m = &r->modules[number];

	if (m->kind != RESOLVER_FILE || m->died & RESOLVER_SYMBOLS)
		return NULL;
	if (!m->opened) {
		struct binary_search search = search_for(r, m);
		mark(r, number, RESOLVER_SYMBOLS);
		binary_open(&m->binary, &search);
		m->opened = true;
	}
	return m->binary.elf ? &m->binary : NULL;
}

static struct dwarf_file *dwarf_of(struct resolver *r, uint32_t number)
{
	struct resolver_module *m = &r->modules[number];
	struct binary *b = file_of(r, number);

	if (!b || m->died & RESOLVER_DWARF || !(r->options->inlines || r->options->lines))
		return NULL;
	mark(r, number, RESOLVER_DWARF);
	struct binary_search search = search_for(r, m);
	return binary_dwarf(b, &search);
}

/* ---- names ---- */

/* A name as it is shown, and how it was spelled. All names come by here, so that none is too long.
 */
static void put_name(struct resolver *r, uint32_t module, struct pl_str name,
		     struct answer_frame *frame)
{
	name = demangle_bounded(&r->names, name);
	struct pl_str plain = name;

	if (name.n == 0)
		return;
	if (!(r->modules[module].died & RESOLVER_DEMANGLE)) {
		mark(r, module, RESOLVER_DEMANGLE);
		plain = demangle_name(&r->names, name);
	} else {
		uint64_t replaced = 0;
		plain = keep(r, pl_utf8_clean(name, &r->text, &replaced));
	}
	frame->symbol = r->options->raw_names ? plain : pl_symbol_normal(plain);
	if (!pl_str_eq(frame->symbol, name))
		frame->raw = pl_utf8_valid(name) == name.n ? name : plain;
}

static void put_place(struct resolver *r, const struct dwarf_frame *from, struct answer_frame *to)
{
	uint64_t replaced = 0;

	if (!r->options->lines || !from->file.n || from->line == 0 ||
	    from->file.n > DEMANGLE_NAME_MAX)
		return;
	pl_paths_source(&r->options->paths, from->file, &r->path);
	to->file = keep(r, pl_utf8_clean(pl_buf_str(&r->path), &r->text, &replaced));
	to->line = from->line;
	to->column = from->column;
}

/* ---- frames ---- */

static void answer_symbol(struct resolver *r, uint32_t module, struct pl_str name,
			  struct pl_buf *answers)
{
	struct answer_frame frame = {0};

	put_name(r, module, name, &frame);
	answer_put_position(answers, &frame, 0);
}

/* Names of functions inlined at one position: those behind stay unknown, or else the line that they
 * make could be longer than a stream's may be. */
enum { INLINES_BYTES = 2 << 20 };

static void answer_file(struct resolver *r, const struct question *q, struct pl_buf *answers)
{
	const struct resolver_options *o = r->options;
	struct binary *b = file_of(r, q->module);
	struct dwarf_answer dwarf = {0};
	struct answer_frame frame = {0};
	uint64_t vaddr;

	if (!b || (q->is_return && q->offset == 0) ||
	    binary_address(b, q->offset - q->is_return, &vaddr)) {
		answer_put_position(answers, &frame, 0);
		return;
	}
	const struct pl_elfsym *sym = pl_elfsyms_find(&b->syms, vaddr);
	struct dwarf_file *file = dwarf_of(r, q->module);
	if (file)
		dwarf_file_lookup(file, vaddr,
				  (o->inlines ? DWARF_INLINES : 0) | (o->lines ? DWARF_LINES : 0),
				  &dwarf);
	put_name(r, q->module,
		 sym	   ? pl_elfsym_name(sym)
		 : dwarf.n ? dwarf.frames[0].name
			   : (struct pl_str){NULL, 0},
		 &frame);
	if (dwarf.n)
		put_place(r, &dwarf.frames[0], &frame);
	uint32_t inlines = dwarf.n > 1 && frame.symbol.p ? (uint32_t)dwarf.n - 1 : 0;
	answer_put_position(answers, &frame, inlines);
	size_t from = answers->n;
	for (uint32_t i = 1; i <= inlines; i++) {
		struct answer_frame inlined = {0};
		if (answers->n - from < INLINES_BYTES)
			put_name(r, q->module, dwarf.frames[i].name, &inlined);
		put_place(r, &dwarf.frames[i], &inlined);
		answer_put_frame(answers, &inlined);
	}
}

/* "/tmp/perf-PID.map" is the name that the recording has for code of that process. */
static int64_t pid_of(const struct resolver_module *m, int64_t pid)
{
	static const char start[] = "/tmp/perf-", end[] = ".map";
	struct pl_str name = m->dso;
	uint64_t number;

	if (!pl_str_starts(name, start) || !pl_str_ends(name, end))
		return pid;
	name = (struct pl_str){name.p + sizeof start - 1,
			       name.n - (sizeof start - 1) - (sizeof end - 1)};
	return pl_num_u64(name, &number) || number > INT32_MAX ? pid : (int64_t)number;
}

static struct resolver_map *map_of(struct resolver *r, int64_t pid)
{
	const struct resolver_options *o = r->options;
	size_t known = r->pids.n;
	uint32_t at = pl_intern(&r->pids, &pid, sizeof pid);

	PL_GROW(r->maps, r->pids.n, r->maps_cap);
	if (at < known)
		return &r->maps[at];
	r->maps[at] = (struct resolver_map){.status = PERFMAP_ABSENT};
	if (perfmap_path(pid, o->jit_dir, &o->paths, &r->path))
		r->maps[at].status =
			perfmap_read(&r->maps[at].map, r->path.p, o->jit_dir ? -1 : r->user);
	return &r->maps[at];
}

static const char *map_reason(enum perfmap_status status)
{
	switch (status) {
	case PERFMAP_READ:
		return NULL;
	case PERFMAP_ABSENT:
		return "JIT_MAP_MISSING";
	case PERFMAP_REFUSED:
		return "JIT_MAP_NOT_OURS";
	case PERFMAP_UNREADABLE:
		break;
	}
	return "JIT_MAP_UNREADABLE";
}

static void answer_jit(struct resolver *r, const struct question *q, struct pl_buf *answers)
{
	struct resolver_module *m = &r->modules[q->module];
	struct resolver_map *map = map_of(r, pid_of(m, q->pid));

	if (!m->refused)
		m->refused = map_reason(map->status);
	answer_symbol(r, q->module, perfmap_find(&map->map, q->offset - q->is_return), answers);
}

static void answer_frame(struct resolver *r, const struct question *q, struct pl_buf *answers)
{
	static const struct answer_frame unknown;
	struct resolver_module *m = q->module < r->modules_n ? &r->modules[q->module] : NULL;
	uint64_t address = q->offset - q->is_return;

	if (!m || !m->known)
		answer_put_position(answers, &unknown, 0);
	else if (m->kind == RESOLVER_FILE)
		answer_file(r, q, answers);
	else if (m->kind == RESOLVER_JIT)
		answer_jit(r, q, answers);
	else if (m->kind == RESOLVER_KERNEL && m->refused)
		answer_put_position(answers, &unknown, 0);
	else
		answer_symbol(r, q->module,
			      m->kind == RESOLVER_KERNEL
				      ? kernel_find(r->kernel, m->base, address)
				      : kallsyms_find(&r->kernel->syms, m->base + address),
			      answers);
}

/* ---- what is said of modules ---- */

static const char *dwarf_reason(struct resolver *r, uint32_t number)
{
	struct dwarf_file *file = dwarf_of(r, number);

	if (!r->options->inlines && !r->options->lines)
		return NULL;
	if (!file)
		return "NO_DEBUG_INFO";
	const char *lacks = dwarf_file_lacks(file);
	return lacks[0] ? lacks : NULL;
}

/* Of a kernel module without a file that it could be in, the running kernel's has more to say. */
static const char *file_reason(const struct resolver_module *m)
{
	const char *reason = m->binary.reason;

	return m->not_loaded && reason && strcmp(reason, "NO_FILE") == 0 ? m->not_loaded : reason;
}

static void answer_module(struct resolver *r, uint32_t number, struct pl_buf *answers)
{
	struct resolver_module *m = &r->modules[number];
	int64_t pid = m->kind == RESOLVER_JIT ? pid_of(m, -1) : -1;
	/* whether its frames arrived with it or later */
	if (pid >= 0 && !m->refused)
		m->refused = map_reason(map_of(r, pid)->status);
	struct answer a = {.symbols = pl_str(m->refused ? "none" : "full"),
			   .reason = pl_str(m->refused)};
	struct pl_elf_build_id id = {0};

	if (m->kind == RESOLVER_FILE) {
		struct binary *b = file_of(r, number);
		a.symbols = pl_str(pl_elfsyms_reach_name(b ? b->syms.reach : PL_ELFSYMS_NONE));
		if (!a.reason.p)
			a.reason = pl_str(file_reason(m));
		if (!a.reason.p && b)
			a.reason = pl_str(dwarf_reason(r, number));
		if (b)
			pl_elf_build_id(b->elf, &id);
		a.build_id = pl_str(id.hex[0] ? id.hex : NULL);
		a.lacks = pl_str(m->binary.lacks);
	}
	answer_put_module(answers, &a);
}

/* Which kernel was recorded, before its modules are looked at, whatever comes first. */
static void learn_kernel(struct resolver *r, struct pl_reader questions)
{
	struct question q;

	while (!r->kernel_id.p && question_take(&questions, &q))
		if (q.kind != QUESTION_FRAME && is_kernel(q.module_kind, q.dso))
			r->kernel_id = keep(r, q.build_id);
}

void resolver_work(void *context, struct pl_str questions, struct pl_buf *answers)
{
	struct resolver *r = context;
	struct pl_bytes bytes = {(const unsigned char *)questions.p, questions.n};
	struct pl_reader frames = pl_reader(bytes), modules = pl_reader(bytes);
	struct question q;

	learn_kernel(r, frames);
	while (question_take(&frames, &q)) {
		if (q.kind == QUESTION_FRAME)
			answer_frame(r, &q, answers);
		else
			learn(r, &q);
	}
	while (question_take(&modules, &q))
		if (q.kind == QUESTION_MODULE)
			answer_module(r, q.module, answers);
}
