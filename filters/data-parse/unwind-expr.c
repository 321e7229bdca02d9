/* unwind-expr: a machine with a stack for the expressions of call frame information */
#include "unwind-expr.h"

#include <dwarf.h>

enum { STACK_MAX = 64, STEPS_MAX = 1000 };

struct machine {
	struct unwind_expr e;
	const struct unwind_regs *regs;
	const struct unwind_memory *memory;
	uint64_t cfa;
	bool has_cfa;
	bool is_value; /* the top is the value, not where it is */
	uint64_t stack[STACK_MAX];
	size_t depth;
	size_t next; /* operation */
	enum unwind_stop fault;
};

static void fail(struct machine *m, enum unwind_stop fault)
{
	if (!m->fault)
		m->fault = fault;
}

static void push(struct machine *m, uint64_t v)
{
	if (m->depth == STACK_MAX)
		fail(m, UNWIND_BAD_CFI);
	else
		m->stack[m->depth++] = v;
}

static uint64_t pop(struct machine *m)
{
	if (m->depth == 0) {
		fail(m, UNWIND_BAD_CFI);
		return 0;
	}
	return m->stack[--m->depth];
}

/* The i-th from the top. */
static uint64_t pick(struct machine *m, uint64_t i)
{
	if (i >= m->depth) {
		fail(m, UNWIND_BAD_CFI);
		return 0;
	}
	return m->stack[m->depth - 1 - (size_t)i];
}

static uint64_t reg(struct machine *m, uint64_t number)
{
	if (number >= UNWIND_REGS) {
		fail(m, UNWIND_NO_REGISTERS);
		return 0;
	}
	fail(m, m->regs->lost[number]);
	return m->regs->v[number];
}

static uint64_t deref(struct machine *m, uint64_t address, uint64_t size)
{
	uint64_t v = 0;

	if (size == 0 || size > sizeof v)
		fail(m, UNWIND_BAD_CFI);
	else if (!m->fault)
		fail(m, m->memory->read(m->memory->context, address, (unsigned)size, &v));
	return v;
}

/* Distances of branches count from behind the operation, which has three bytes. */
static void branch(struct machine *m, const Dwarf_Op *op)
{
	enum { BRANCH_BYTES = 3 };
	uint64_t target = op->offset + BRANCH_BYTES + (uint64_t)(int16_t)op->number;

	for (size_t i = 0; i < m->e.n; i++)
		if (m->e.ops[i].offset == target) {
			m->next = i;
			return;
		}
	m->next = m->e.n; /* behind the last is an end; anywhere else is a fault */
	const Dwarf_Op *last = &m->e.ops[m->e.n - 1];
	if (target <= last->offset)
		fail(m, UNWIND_BAD_CFI);
}

static uint64_t shift(uint8_t atom, uint64_t a, uint64_t by)
{
	bool out = by >= 64;

	if (atom == DW_OP_shl)
		return out ? 0 : a << by;
	if (atom == DW_OP_shr)
		return out ? 0 : a >> by;
	return (uint64_t)((int64_t)a >> (out ? 63 : by));
}

static uint64_t divide(struct machine *m, int64_t a, int64_t b)
{
	if (b == 0) {
		fail(m, UNWIND_BAD_CFI);
		return 0;
	}
	return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static uint64_t modulo(struct machine *m, uint64_t a, uint64_t b)
{
	if (b == 0) {
		fail(m, UNWIND_BAD_CFI);
		return 0;
	}
	return a % b;
}

static bool compare(uint8_t atom, int64_t a, int64_t b, uint64_t *v)
{
	switch (atom) {
	case DW_OP_eq:
		*v = a == b;
		return true;
	case DW_OP_ne:
		*v = a != b;
		return true;
	case DW_OP_lt:
		*v = a < b;
		return true;
	case DW_OP_le:
		*v = a <= b;
		return true;
	case DW_OP_gt:
		*v = a > b;
		return true;
	case DW_OP_ge:
		*v = a >= b;
		return true;
	default:
		return false;
	}
}

static bool calculate(struct machine *m, uint8_t atom, uint64_t a, uint64_t b, uint64_t *v)
{
	switch (atom) {
	case DW_OP_and:
		*v = a & b;
		return true;
	case DW_OP_or:
		*v = a | b;
		return true;
	case DW_OP_xor:
		*v = a ^ b;
		return true;
	case DW_OP_plus:
		*v = a + b;
		return true;
	case DW_OP_minus:
		*v = a - b;
		return true;
	case DW_OP_mul:
		*v = a * b;
		return true;
	case DW_OP_div:
		*v = divide(m, (int64_t)a, (int64_t)b);
		return true;
	case DW_OP_mod:
		*v = modulo(m, a, b);
		return true;
	default:
		return false;
	}
}

/* Of the two on top: all operations that are left. Comparisons are of signed numbers. */
static bool binary(struct machine *m, uint8_t atom)
{
	uint64_t b = pick(m, 0), a = pick(m, 1), v;

	if (atom == DW_OP_shl || atom == DW_OP_shr || atom == DW_OP_shra)
		v = shift(atom, a, b);
	else if (!calculate(m, atom, a, b, &v) && !compare(atom, (int64_t)a, (int64_t)b, &v))
		return false;
	pop(m);
	pop(m);
	push(m, v);
	return true;
}

static bool unary(struct machine *m, const Dwarf_Op *op)
{
	uint64_t a = pick(m, 0), v;

	switch (op->atom) {
	case DW_OP_neg:
		v = 0 - a;
		break;
	case DW_OP_not:
		v = ~a;
		break;
	case DW_OP_abs:
		v = (int64_t)a < 0 ? 0 - a : a;
		break;
	case DW_OP_plus_uconst:
		v = a + op->number;
		break;
	case DW_OP_deref:
		v = deref(m, a, sizeof a);
		break;
	case DW_OP_deref_size:
		v = deref(m, a, op->number);
		break;
	default:
		return false;
	}
	pop(m);
	push(m, v);
	return true;
}

static bool shuffle(struct machine *m, const Dwarf_Op *op)
{
	uint64_t a = 0, b = 0, c = 0;

	switch (op->atom) {
	case DW_OP_dup:
		push(m, pick(m, 0));
		break;
	case DW_OP_drop:
		pop(m);
		break;
	case DW_OP_over:
		push(m, pick(m, 1));
		break;
	case DW_OP_pick:
		push(m, pick(m, op->number));
		break;
	case DW_OP_swap:
		a = pop(m);
		b = pop(m);
		push(m, a);
		push(m, b);
		break;
	case DW_OP_rot:
		a = pop(m);
		b = pop(m);
		c = pop(m);
		push(m, a);
		push(m, c);
		push(m, b);
		break;
	default:
		return false;
	}
	return true;
}

/* libdw has brought operands to 64 bits, signs included. */
static bool constant(struct machine *m, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		push(m, (uint64_t)(op->atom - DW_OP_lit0));
	else if (op->atom == DW_OP_addr || (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts))
		push(m, op->number);
	else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		push(m, reg(m, (uint64_t)(op->atom - DW_OP_breg0)) + op->number);
	else if (op->atom == DW_OP_bregx)
		push(m, reg(m, op->number) + op->number2);
	else
		return false;
	return true;
}

/* Those that say what the result is. */
static bool location(struct machine *m, const Dwarf_Op *op)
{
	if (op->atom == DW_OP_call_frame_cfa) {
		if (!m->has_cfa)
			fail(m, UNWIND_BAD_CFI);
		push(m, m->cfa);
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		push(m, reg(m, (uint64_t)(op->atom - DW_OP_reg0)));
		m->is_value = true;
	} else if (op->atom == DW_OP_regx) {
		push(m, reg(m, op->number));
		m->is_value = true;
	} else if (op->atom == DW_OP_stack_value) {
		m->is_value = true;
	} else {
		return false;
	}
	return true;
}

static void step(struct machine *m)
{
	const Dwarf_Op *op = &m->e.ops[m->next++];

	if (location(m, op) || constant(m, op) || op->atom == DW_OP_nop)
		return;
	if (op->atom == DW_OP_skip || (op->atom == DW_OP_bra && pop(m) != 0))
		branch(m, op);
	else if (op->atom != DW_OP_bra && !shuffle(m, op) && !unary(m, op) && !binary(m, op->atom))
		fail(m, UNWIND_BAD_CFI);
}

static enum unwind_stop run(struct machine *m, uint64_t *value)
{
	for (unsigned steps = 0; m->next < m->e.n && !m->fault; steps++) {
		if (steps == STEPS_MAX)
			return UNWIND_BAD_CFI;
		step(m);
	}
	*value = pop(m);
	return m->fault;
}

enum unwind_stop unwind_expr_register(struct unwind_expr e, const struct unwind_regs *regs,
				      uint64_t cfa, const struct unwind_memory *memory,
				      uint64_t *value)
{
	struct machine m;

	/* not the stack: nothing of it is read before it is written */
	m.e = e;
	m.regs = regs;
	m.memory = memory;
	m.cfa = cfa;
	m.has_cfa = true;
	m.is_value = false;
	m.depth = m.next = 0;
	m.fault = UNWIND_ROOT;
	enum unwind_stop stop = run(&m, value);
	if (stop || m.is_value)
		return stop;
	return memory->read(memory->context, *value, sizeof *value, value);
}

enum unwind_stop unwind_expr_cfa(struct unwind_expr e, const struct unwind_regs *regs,
				 const struct unwind_memory *memory, uint64_t *value)
{
	struct machine m;

	m.e = e;
	m.regs = regs;
	m.memory = memory;
	m.cfa = 0;
	m.has_cfa = m.is_value = false;
	m.depth = m.next = 0;
	m.fault = UNWIND_ROOT;
	return run(&m, value);
}
