/* unwind-walk: one step after the other, until there is a reason to stop */
#include "unwind-walk.h"

enum { FILES_MAX = 1024, WORD = 8 };

/* ---- files ---- */

struct unwind_module *unwind_files_module(struct unwind_files *files, uint32_t number)
{
	PL_GROW(files->modules, (size_t)number + 1, files->cap);
	return &files->modules[number];
}

/* So many at once are rare; then all are read anew. */
static void close_all(struct unwind_files *files)
{
	unwind_steps_forget(&files->steps);
	for (size_t i = 0; i < files->cap; i++) {
		struct unwind_module *m = &files->modules[i];
		if (m->file.elf)
			unwind_file_close(&m->file);
		if (!m->stop)
			m->opened = false;
	}
	files->open = 0;
}

static void open_module(struct unwind_files *files, uint32_t number)
{
	struct unwind_module *m = &files->modules[number];
	struct unwind_file_wanted wanted = {
		.trust = files->trust_paths,
		.machine = files->arch->machine,
		.max_bytes = files->max_file_bytes,
	};

	if (m->build_id.n)
		wanted.build_id = pl_buf_str(&m->build_id);
	if (files->open == FILES_MAX)
		close_all(files);
	files->at(files->context, number);
	if (m->kind == MODULE_VDSO)
		m->stop = unwind_file_vdso(&m->file, &wanted);
	else
		m->stop =
			m->path[0] ? unwind_file_open(&m->file, m->path, &wanted) : UNWIND_NO_FILE;
	/* another kernel's vDSO is none that anyone could put in place */
	if (m->stop == UNWIND_BUILD_ID_MISMATCH && m->kind == MODULE_VDSO)
		m->stop = UNWIND_NO_CFI;
	m->opened = true;
	if (m->stop)
		unwind_file_close(&m->file);
	else
		files->open++;
}

static enum unwind_stop need_file(struct unwind_files *files, uint32_t number)
{
	if (number >= files->cap || !files->modules[number].told)
		return UNWIND_NO_FILE;
	if (!files->modules[number].opened && !files->modules[number].stop)
		open_module(files, number);
	return files->modules[number].stop;
}

/* ---- memory ---- */

static const struct space_map *find_map(const struct unwind_walk *w, uint64_t address)
{
	size_t low = 0, high = w->maps_n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (w->maps[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->maps_n && w->maps[low].start <= address ? &w->maps[low] : NULL;
}

/* Numbers are in the order of this machine, as the whole recording is. */
static uint64_t number(const unsigned char *p, unsigned size)
{
	uint64_t v = 0;

	memcpy(&v, p, size); /* both architectures have the low bytes first */
	return v;
}

static enum unwind_stop read_file(const struct unwind_walk *w, uint64_t address, unsigned size,
				  uint64_t *value)
{
	unsigned char bytes[WORD];
	const struct space_map *map = find_map(w, address);

	if (!map || map->end - address < size || need_file(w->files, map->module))
		return UNWIND_BAD_MEMORY;
	if (unwind_file_read(&w->files->modules[map->module].file,
			     address - map->start + map->pgoff, bytes, size))
		return UNWIND_BAD_MEMORY;
	*value = number(bytes, size);
	return UNWIND_ROOT;
}

static enum unwind_stop read_memory(void *context, uint64_t address, unsigned size, uint64_t *value)
{
	const struct unwind_walk *w = context;
	uint64_t at = address - w->stack_at;

	if (address >= w->stack_at && at < w->stack.n && w->stack.n - at >= size) {
		*value = number(w->stack.p + at, size);
		return UNWIND_ROOT;
	}
	enum unwind_stop stop = read_file(w, address, size, value);
	if (stop && w->stack_full && address >= w->stack_at)
		return UNWIND_STACK_CUT;
	return stop;
}

/* ---- steps ---- */

static void add_frame(struct pl_buf *frames, const struct space_map *map, uint64_t pc, bool exact)
{
	struct unwind_frame frame = {.address = pc, .module = UINT32_MAX, .exact = exact};

	if (map) {
		frame.module = map->module;
		frame.offset = pc - map->start + map->pgoff;
	}
	pl_buf_add(frames, &frame, sizeof frame);
}

/* Where the rules for an address are. `at` lies in the map. */
static enum unwind_stop find_step(struct unwind_walk *w, const struct space_map *map, uint64_t at,
				  const struct unwind_step **step)
{
	uint64_t address;
	struct unwind_files *files = w->files;
	enum unwind_stop stop = need_file(files, map->module);

	if (stop)
		return stop;
	struct unwind_file *file = &files->modules[map->module].file;
	if (pl_elf_vaddr(file->elf, at - map->start + map->pgoff, &address))
		return UNWIND_NO_CFI;
	if (!unwind_steps_find(&files->steps, map->module, address, step)) {
		files->at(files->context, map->module);
		*step = unwind_steps_read(&files->steps, map->module, file, address, files->arch);
	}
	return *step ? UNWIND_ROOT : UNWIND_NO_CFI;
}

/* The registers that the caller has. One that cannot be had is missed when it is needed. */
static enum unwind_stop take_step(struct unwind_walk *w, const struct unwind_step *step)
{
	const struct unwind_arch *arch = w->files->arch;
	struct unwind_memory memory = {read_memory, w};
	struct unwind_regs caller = w->regs;
	uint64_t cfa;
	enum unwind_stop stop = unwind_expr_cfa(step->cfa, &w->regs, &memory, &cfa);

	if (stop)
		return stop;
	caller.v[arch->sp] = cfa;
	caller.lost[arch->sp] = 0;
	for (unsigned i = 0; i < step->rules_n; i++) {
		const struct unwind_rule *rule = &step->rules[i];
		caller.lost[rule->reg] =
			rule->undefined ? UNWIND_NO_REGISTERS
					: unwind_expr_register(rule->expr, &w->regs, cfa, &memory,
							       &caller.v[rule->reg]);
	}
	if (step->return_register == UNWIND_REGS)
		return UNWIND_BAD_CFI;
	stop = caller.lost[step->return_register];
	if (stop)
		return stop;
	caller.v[arch->pc] = caller.v[step->return_register] & arch->code;
	caller.lost[arch->pc] = 0;
	bool same = caller.v[arch->pc] == w->regs.v[arch->pc] &&
		    caller.v[arch->sp] == w->regs.v[arch->sp];
	w->regs = caller;
	return same ? UNWIND_LOOP : UNWIND_ROOT;
}

enum unwind_stop unwind_walk(struct unwind_walk *w, uint32_t depth, struct pl_buf *frames,
			     uint32_t *module)
{
	const uint64_t *pc = &w->regs.v[w->files->arch->pc];
	bool exact = true;

	*module = UINT32_MAX;
	if (w->regs.lost[w->files->arch->pc])
		return UNWIND_NO_REGISTERS;
	for (uint32_t n = 0;; n++) {
		const struct unwind_step *step = NULL;
		uint64_t at = *pc - !exact;
		const struct space_map *map = find_map(w, at);
		if (n == depth)
			return UNWIND_DEPTH;
		/* what lies nowhere is no function, but of the sample itself there is no doubt */
		if (map || n == 0)
			add_frame(frames, map, *pc, exact);
		if (!map)
			return UNWIND_UNMAPPED;
		*module = map->module;
		enum unwind_stop stop = find_step(w, map, at, &step);
		if (stop || step->root)
			return stop;
		stop = take_step(w, step);
		if (stop)
			return stop;
		if (*pc == 0)
			return UNWIND_ROOT;
		exact = step->signal;
	}
}
