/* unwind: the side that asks: batches, what the child was told, and what to do when it dies */
#include "unwind.h"
#include "mem.h"
#include "unwind-child.h"

enum {
	BATCH = 128,
	MAPS_MAX = 1 << 18, /* of code, in all slots; one space may exceed it */
	MODULE_DEATHS = 2,  /* a module that children died of so often is left alone */
	/* What all deaths together may cost until no child is started any more. */
	DEATHS_MAX = 64,
	LATE_COST = 8
};

struct item {
	struct unwind_question_sample question;
	enum unwind_stop stop; /* UNWIND_ROOT: the child is to be asked */
	uint32_t module;       /* at fault, where the child was not or could not be asked */
	size_t leaf_n;	       /* 0: there is no innermost frame */
	struct unwind_frame leaf;
	struct unwind_stack result;
};

/* A state of a space that the child knows, or will with the next question. */
struct slot {
	uint64_t version; /* 0: none */
	struct space_map *maps;
	size_t n, cap;
	uint64_t used; /* the batch that needed it last */
	bool told;
};

struct module_state {
	bool told;
	uint8_t deaths;
	enum unwind_stop reason;
};

struct unwind {
	struct unwind_options options;
	const struct unwind_arch *arch;
	struct unwind_service service;
	struct pl_child child;
	struct item items[BATCH];
	size_t n;
	bool ran;
	uint64_t batch;
	struct slot slots[UNWIND_SLOTS];
	size_t maps;
	struct module_state *modules; /* by number */
	size_t modules_cap;
	unsigned deaths;
	struct pl_buf question, answer;
};

struct unwind *unwind_new(const struct unwind_options *options)
{
	struct unwind *u = pl_alloc(sizeof *u);

	u->options = *options;
	u->arch = unwind_arch(options->arch);
	u->batch = 1;
	u->service = (struct unwind_service){
		.files =
			{
				.arch = u->arch,
				.trust_paths = options->trust_paths,
				.max_file_bytes = options->max_file_bytes,
			},
		.depth = options->depth,
		.child = &u->child,
	};
	pl_child_init(&u->child, unwind_serve, &u->service, options->caps);
	return u;
}

void unwind_end(struct unwind *u)
{
	pl_child_end(&u->child);
	for (size_t i = 0; i < UNWIND_SLOTS; i++)
		free(u->slots[i].maps);
	free(u->modules);
	pl_buf_free(&u->question);
	pl_buf_free(&u->answer);
	free(u);
}

/* ---- spaces ---- */

static bool is_pinned(const struct unwind *u, const struct slot *slot)
{
	return slot->version && slot->used == u->batch;
}

bool unwind_is_full(const struct unwind *u)
{
	size_t pinned = 0, maps = 0;

	if (u->ran)
		return false;
	for (size_t i = 0; i < UNWIND_SLOTS; i++) {
		pinned += is_pinned(u, &u->slots[i]);
		maps += is_pinned(u, &u->slots[i]) ? u->slots[i].n : 0;
	}
	return u->n == BATCH || pinned == UNWIND_SLOTS || maps > MAPS_MAX;
}

static void empty_slot(struct unwind *u, struct slot *slot)
{
	u->maps -= slot->n;
	free(slot->maps);
	*slot = (struct slot){.told = false};
}

/* The slot that this batch does not need and that was not needed for longest; NULL: none. */
static struct slot *oldest_slot(struct unwind *u, bool filled)
{
	struct slot *oldest = NULL;

	for (size_t i = 0; i < UNWIND_SLOTS; i++) {
		struct slot *slot = &u->slots[i];
		if (!is_pinned(u, slot) && (!filled || slot->n) &&
		    (!oldest || slot->used < oldest->used))
			oldest = slot;
	}
	return oldest;
}

static void fill_slot(struct unwind *u, struct slot *slot, const struct space *space)
{
	empty_slot(u, slot);
	slot->version = space->version;
	for (size_t i = 0; i < space->n; i++) {
		if (!space->maps[i].exec)
			continue;
		PL_GROW(slot->maps, slot->n + 1, slot->cap);
		slot->maps[slot->n++] = space->maps[i];
	}
	u->maps += slot->n;
}

static uint32_t slot_of(struct unwind *u, const struct space *space)
{
	for (uint32_t i = 0; i < UNWIND_SLOTS; i++)
		if (u->slots[i].version == space->version) {
			u->slots[i].used = u->batch;
			return i;
		}
	struct slot *slot = oldest_slot(u, false), *other;
	fill_slot(u, slot, space);
	slot->used = u->batch;
	while (u->maps > MAPS_MAX && (other = oldest_slot(u, true)))
		empty_slot(u, other);
	return (uint32_t)(slot - u->slots);
}

/* ---- samples ---- */

/* The innermost frame needs no child. */
static void set_leaf(struct item *item, const struct unwind *u, const struct space *space)
{
	struct unwind_regs regs;
	const struct space_map *map;

	if (!u->arch || item->stop == UNWIND_NO_REGISTERS)
		return;
	unwind_regs_read(&regs, u->arch, item->question.mask, item->question.regs);
	if (regs.lost[u->arch->pc])
		return;
	item->leaf_n = 1;
	item->leaf = (struct unwind_frame){
		.address = regs.v[u->arch->pc],
		.module = UINT32_MAX,
		.exact = 1,
	};
	map = space_find(space, item->leaf.address);
	if (!map || !map->exec)
		return;
	item->leaf.module = map->module;
	item->leaf.offset = item->leaf.address - map->start + map->pgoff;
}

size_t unwind_add(struct unwind *u, const struct space *space, const struct pl_perf_attr *attr,
		  const struct pl_perf_sample *sample)
{
	if (u->ran) {
		u->n = 0;
		u->ran = false;
		u->batch++;
	}
	struct item *item = &u->items[u->n];
	*item = (struct item){
		.module = UINT32_MAX,
		.question =
			{
				.number = (uint32_t)u->n,
				.stack_full = sample->stack_full,
				.mask = attr->sample_regs_user,
				.regs = sample->regs,
				.stack = sample->stack,
			},
	};
	if (sample->regs_abi == PERF_SAMPLE_REGS_ABI_NONE || !sample->regs.n)
		item->stop = UNWIND_NO_REGISTERS;
	else if (!u->arch || sample->regs_abi != PERF_SAMPLE_REGS_ABI_64)
		item->stop = UNWIND_ABI;
	set_leaf(item, u, space);
	if (!item->stop)
		item->question.slot = slot_of(u, space);
	return u->n++;
}

struct unwind_stack unwind_stack(const struct unwind *u, size_t ticket)
{
	return u->items[ticket].result;
}

/* ---- the question ---- */

static void add_part(struct unwind *u, const struct unwind_part *part)
{
	pl_buf_add(&u->question, part, sizeof *part);
}

static enum unwind_stop stop_of(enum module_kind kind)
{
	switch (kind) {
	case MODULE_USER:
	case MODULE_DELETED:
	case MODULE_VDSO:
		return UNWIND_ROOT;
	default:
		return UNWIND_NO_CFI;
	}
}

static void tell_module(struct unwind *u, uint32_t number)
{
	const struct module *module = &u->options.modules->v[number];
	struct module_state *state = &u->modules[number];
	struct unwind_part part = {.kind = UNWIND_PART_MODULE};
	enum unwind_stop stop = stop_of(module->kind);
	const char *path = NULL;

	if (stop == UNWIND_ROOT && state->deaths >= MODULE_DEATHS)
		stop = state->reason;
	if (stop == UNWIND_ROOT && module->kind != MODULE_VDSO)
		path = u->options.path_of(u->options.context, number);
	struct pl_str file = pl_str(path ? path : "");
	part.module = (struct unwind_question_module){
		.number = number,
		.kind = module->kind,
		.stop = stop,
		.path_n = (uint32_t)file.n,
		.build_id_n = (uint32_t)module->build_id.n,
	};
	add_part(u, &part);
	pl_buf_adds(&u->question, file);
	pl_buf_adds(&u->question, module->build_id);
	state->told = true;
}

static void tell_slot(struct unwind *u, struct slot *slot)
{
	struct unwind_part part = {.kind = UNWIND_PART_MAPS};

	for (size_t i = 0; i < slot->n; i++) {
		uint32_t module = slot->maps[i].module;
		PL_GROW(u->modules, (size_t)module + 1, u->modules_cap);
		if (!u->modules[module].told)
			tell_module(u, module);
	}
	part.maps = (struct unwind_question_maps){
		.slot = (uint32_t)(slot - u->slots),
		.n = (uint32_t)slot->n,
	};
	add_part(u, &part);
	if (slot->n)
		pl_buf_add(&u->question, slot->maps, slot->n * sizeof *slot->maps);
	slot->told = true;
}

static bool has_questions(const struct unwind *u)
{
	for (size_t i = 0; i < u->n; i++)
		if (!u->items[i].stop)
			return true;
	return false;
}

/* What it tells counts as told: it must be asked. */
static void make_question(struct unwind *u)
{
	struct unwind_part part = {.kind = UNWIND_PART_SAMPLE};

	pl_buf_clear(&u->question);
	for (size_t i = 0; i < UNWIND_SLOTS; i++)
		if (!u->slots[i].told)
			tell_slot(u, &u->slots[i]);
	for (size_t i = 0; i < u->n; i++) {
		if (u->items[i].stop)
			continue;
		part.sample = u->items[i].question;
		add_part(u, &part);
	}
}

/* ---- the answer: hostile, like the files ---- */

static bool is_module(const struct unwind *u, uint32_t module)
{
	return module == UINT32_MAX || module < u->options.modules->n;
}

static bool take_answer(const struct unwind *u, struct pl_str *rest, struct unwind_stack *stack)
{
	struct unwind_answer a;

	if (rest->n < sizeof a)
		return false;
	memcpy(&a, rest->p, sizeof a);
	size_t bytes = (size_t)a.n * sizeof *stack->frames;
	if (a.n > u->options.depth || bytes > rest->n - sizeof a || a.stop >= UNWIND_STOPS ||
	    !is_module(u, a.module))
		return false;
	*stack = (struct unwind_stack){
		/* sizes of all parts are multiples of eight */
		.frames = (const void *)(rest->p + sizeof a),
		.n = a.n,
		.stop = (enum unwind_stop)a.stop,
		.module = a.module,
	};
	for (size_t i = 0; i < stack->n; i++)
		if (!is_module(u, stack->frames[i].module))
			return false;
	rest->p += sizeof a + bytes;
	rest->n -= sizeof a + bytes;
	return true;
}

static bool take_answers(struct unwind *u)
{
	struct pl_str rest = pl_buf_str(&u->answer);

	for (size_t i = 0; i < u->n; i++)
		if (!u->items[i].stop && !take_answer(u, &rest, &u->items[i].result))
			return false;
	return rest.n == 0;
}

/* ---- deaths ---- */

static void stop_all(struct unwind *u, enum unwind_stop stop)
{
	for (size_t i = 0; i < u->n; i++)
		if (!u->items[i].stop)
			u->items[i].stop = stop;
}

static void blame(struct unwind *u, enum unwind_stop stop)
{
	uint64_t at = pl_child_was_at(&u->child);
	size_t sample = (size_t)(at & UINT32_MAX) - 1;
	uint32_t module = (uint32_t)(at >> 32);

	u->deaths += stop == UNWIND_TIMEOUT ? LATE_COST : 1;
	if (sample >= u->n || u->items[sample].stop) {
		stop_all(u, stop);
		return;
	}
	u->items[sample].stop = stop;
	if (module >= u->modules_cap || module >= u->options.modules->n)
		return;
	u->items[sample].module = module;
	u->modules[module].reason = stop;
	u->modules[module].deaths += u->modules[module].deaths < MODULE_DEATHS;
}

/* The next child knows nothing of what this one was told. */
static void forget_told(struct unwind *u)
{
	for (size_t i = 0; i < u->modules_cap; i++)
		u->modules[i].told = false;
	for (size_t i = 0; i < UNWIND_SLOTS; i++)
		u->slots[i].told = u->slots[i].n == 0;
}

static void keep_leaf(struct item *item)
{
	item->result = (struct unwind_stack){
		.frames = &item->leaf,
		.n = item->leaf_n,
		.stop = item->stop,
		.module = item->module,
	};
}

void unwind_run(struct unwind *u)
{
	u->ran = true;
	while (has_questions(u)) {
		enum pl_child_status status = PL_CHILD_NONE;
		make_question(u);
		if (u->deaths < DEATHS_MAX)
			status = pl_child_ask(&u->child, pl_buf_str(&u->question), &u->answer);
		if (status == PL_CHILD_ANSWERED && take_answers(u))
			break;
		if (status == PL_CHILD_ANSWERED || status == PL_CHILD_NONE) {
			pl_child_end(&u->child);
			u->deaths = DEATHS_MAX;
			stop_all(u, UNWIND_CRASHED);
		} else {
			blame(u, status == PL_CHILD_LATE ? UNWIND_TIMEOUT : UNWIND_CRASHED);
		}
		forget_told(u);
	}
	for (size_t i = 0; i < u->n; i++)
		if (u->items[i].stop)
			keep_leaf(&u->items[i]);
}
