/* unwind-steps: rules, copied out of libdw, in a table of bounded size that is emptied when full */
#include "unwind-steps.h"
#include "intern.h"

#include <sys/random.h>

enum { SLOTS = 1 << 17, FULL = SLOTS / 4 * 3, ARENA_MAX = 64 << 20, OPS_MAX = 1024 };

void unwind_steps_forget(struct unwind_steps *s)
{
	pl_arena_free(&s->arena);
	free(s->slots);
	*s = (struct unwind_steps){0};
}

/* Where the address is, or would be. */
static struct unwind_steps_slot *slot_of(const struct unwind_steps *s, uint32_t file,
					 uint64_t address)
{
	size_t i = (size_t)pl_hash_mix(address ^ s->seed, file ^ 0x9e3779b97f4a7c15);

	for (;; i++) {
		struct unwind_steps_slot *slot = &s->slots[i % SLOTS];
		if (!slot->used || (slot->address == address && slot->file == file))
			return slot;
	}
}

bool unwind_steps_find(const struct unwind_steps *s, uint32_t file, uint64_t address,
		       const struct unwind_step **step)
{
	if (!s->slots)
		return false;
	const struct unwind_steps_slot *slot = slot_of(s, file, address);
	*step = slot->step;
	return slot->used;
}

/* ---- from libdw ---- */

static int copy(struct unwind_steps *s, struct unwind_expr *to, const Dwarf_Op *ops, size_t n)
{
	if (n > OPS_MAX)
		return -1;
	Dwarf_Op *own = pl_arena_alloc(&s->arena, n * sizeof *own);
	memcpy(own, ops, n * sizeof *own);
	*to = (struct unwind_expr){own, n};
	return 0;
}

/* One register's rule; registers that stay as they are get none. */
static int add_rule(struct unwind_steps *s, struct unwind_step *step, Dwarf_Frame *frame,
		    unsigned reg)
{
	Dwarf_Op memory[3], *ops = NULL;
	size_t n = 0;

	if (dwarf_frame_register(frame, (int)reg, memory, &ops, &n))
		return -1;
	if (n == 0 && !ops)
		return 0;
	struct unwind_rule *rule = &step->rules[step->rules_n++];
	*rule = (struct unwind_rule){.reg = (uint8_t)reg, .undefined = n == 0};
	return n == 0 ? 0 : copy(s, &rule->expr, ops, n);
}

static bool is_undefined(const struct unwind_step *step, int reg)
{
	for (unsigned i = 0; i < step->rules_n; i++)
		if (step->rules[i].reg == reg)
			return step->rules[i].undefined;
	return false;
}

static struct unwind_step *make(struct unwind_steps *s, Dwarf_Frame *frame,
				const struct unwind_arch *arch)
{
	struct unwind_step *step =
		pl_arena_alloc(&s->arena, sizeof *step + arch->regs * sizeof step->rules[0]);
	Dwarf_Op *ops;
	size_t n;
	int reg = dwarf_frame_info(frame, NULL, NULL, &step->signal);

	step->rules_n = 0;
	step->return_register = UNWIND_REGS;
	if (dwarf_frame_cfa(frame, &ops, &n) || n == 0 || copy(s, &step->cfa, ops, n))
		return NULL;
	for (unsigned i = 0; i < arch->regs; i++)
		if (add_rule(s, step, frame, i))
			return NULL;
	if (reg >= 0 && reg < arch->regs)
		step->return_register = (uint8_t)reg;
	step->root = is_undefined(step, reg);
	return step;
}

const struct unwind_step *unwind_steps_read(struct unwind_steps *s, uint32_t file,
					    struct unwind_file *f, uint64_t address,
					    const struct unwind_arch *arch)
{
	struct unwind_step *step = NULL;

	if (s->n == FULL || s->arena.used > ARENA_MAX)
		unwind_steps_forget(s);
	if (!s->slots) {
		s->slots = pl_alloc(SLOTS * sizeof *s->slots);
		/* without it, addresses that collide could be chosen; any number will do */
		if (getrandom(&s->seed, sizeof s->seed, 0) < 0)
			s->seed = (uintptr_t)s->slots;
	}
	Dwarf_Frame *frame = unwind_file_frame(f, address);
	if (frame)
		step = make(s, frame, arch);
	free(frame);
	struct unwind_steps_slot *slot = slot_of(s, file, address);
	*slot = (struct unwind_steps_slot){file, address, step, true};
	s->n++;
	return step;
}
