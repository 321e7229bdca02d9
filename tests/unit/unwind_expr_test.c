/* unwind-expr: DWARF expressions, worked out by hand */
#include "../../filters/data-parse/unwind-expr.h"
#include "unit.h"

#include <dwarf.h>

static enum unwind_stop no_memory(void *context, uint64_t address, unsigned size, uint64_t *value)
{
	(void)context;
	if (address == 0xdead)
		return UNWIND_BAD_MEMORY;
	*value = address * 10 + size;
	return UNWIND_ROOT;
}

static enum unwind_stop evaluate(const Dwarf_Op *ops, size_t n, uint64_t *v)
{
	static const struct unwind_regs regs = {.v = {[7] = 0x1000, [16] = 0x40100b},
						.lost = {[3] = UNWIND_STACK_CUT}};
	struct unwind_memory memory = {no_memory, NULL};

	return unwind_expr_cfa((struct unwind_expr){ops, n}, &regs, &memory, v);
}
#define EVALUATE(v, ...)                          \
	evaluate((const Dwarf_Op[]){__VA_ARGS__}, \
		 sizeof((const Dwarf_Op[]){__VA_ARGS__}) / sizeof(Dwarf_Op), v)

TEST(operations)
{
	uint64_t v = 0;

	/* the CFA in x86-64's .plt, as GNU ld writes it: rsp + 8 + ((rip & 15) >= 11) << 3 */
	CHECK(EVALUATE(&v, {.atom = DW_OP_breg7, .number = 8}, {.atom = DW_OP_breg16},
		       {.atom = DW_OP_lit15}, {.atom = DW_OP_and}, {.atom = DW_OP_lit11},
		       {.atom = DW_OP_ge}, {.atom = DW_OP_lit3}, {.atom = DW_OP_shl},
		       {.atom = DW_OP_plus}) == UNWIND_ROOT);
	CHECK_U64(v, 0x1010);
	CHECK(EVALUATE(&v, {.atom = DW_OP_bregx, .number = 7, .number2 = (Dwarf_Word)-16},
		       {.atom = DW_OP_deref}) == UNWIND_ROOT);
	CHECK_U64(v, 0xff0 * 10 + 8);
	/* signed: -7 / 2 = -3, -7 >> 1 = -4; 5 rot 6 7 = 7 5 6 */
	CHECK(EVALUATE(&v, {.atom = DW_OP_const1s, .number = (Dwarf_Word)-7}, {.atom = DW_OP_lit2},
		       {.atom = DW_OP_div}) == UNWIND_ROOT);
	CHECK_U64(v, (uint64_t)-3);
	CHECK(EVALUATE(&v, {.atom = DW_OP_const1s, .number = (Dwarf_Word)-7}, {.atom = DW_OP_lit1},
		       {.atom = DW_OP_shra}) == UNWIND_ROOT);
	CHECK_U64(v, (uint64_t)-4);
	CHECK(EVALUATE(&v, {.atom = DW_OP_lit5}, {.atom = DW_OP_lit6}, {.atom = DW_OP_lit7},
		       {.atom = DW_OP_rot}, {.atom = DW_OP_drop}) == UNWIND_ROOT);
	CHECK_U64(v, 5);
	CHECK(EVALUATE(&v, {.atom = DW_OP_dup}) == UNWIND_BAD_CFI);
	CHECK(EVALUATE(&v, {.atom = DW_OP_lit1}, {.atom = DW_OP_lit0}, {.atom = DW_OP_div}) ==
	      UNWIND_BAD_CFI);
	CHECK(EVALUATE(&v, {.atom = DW_OP_lit1}, {.atom = DW_OP_lit0}, {.atom = DW_OP_mod}) ==
	      UNWIND_BAD_CFI);
	CHECK(EVALUATE(&v, {.atom = DW_OP_piece}) == UNWIND_BAD_CFI);
	CHECK(EVALUATE(&v, {.atom = DW_OP_breg3}) == UNWIND_STACK_CUT);
	CHECK(EVALUATE(&v, {.atom = DW_OP_bregx, .number = 99}) == UNWIND_NO_REGISTERS);
	CHECK(EVALUATE(&v, {.atom = DW_OP_const2u, .number = 0xdead}, {.atom = DW_OP_deref}) ==
	      UNWIND_BAD_MEMORY);
}

TEST(branches_and_ends)
{
	uint64_t v = 0;

	/* lit3, bra +1 (over lit5), at 1, 2, 5, 6 */
	CHECK(EVALUATE(&v, {.atom = DW_OP_lit9, .offset = 0}, {.atom = DW_OP_lit3, .offset = 1},
		       {.atom = DW_OP_bra, .number = 1, .offset = 2},
		       {.atom = DW_OP_lit5, .offset = 5}, {.atom = DW_OP_lit1, .offset = 6},
		       {.atom = DW_OP_plus, .offset = 7}) == UNWIND_ROOT);
	CHECK_U64(v, 10);
	/* for ever */
	CHECK(EVALUATE(&v, {.atom = DW_OP_skip, .number = (Dwarf_Word)-3, .offset = 0}) ==
	      UNWIND_BAD_CFI);
	/* into the middle of another */
	CHECK(EVALUATE(&v, {.atom = DW_OP_skip, .number = 1, .offset = 0},
		       {.atom = DW_OP_const2u, .offset = 3},
		       {.atom = DW_OP_nop, .offset = 6}) == UNWIND_BAD_CFI);
	Dwarf_Op many[100];
	for (size_t i = 0; i < 100; i++)
		many[i] = (Dwarf_Op){.atom = DW_OP_lit1, .offset = i};
	CHECK(evaluate(many, 64, &v) == UNWIND_ROOT);
	CHECK(evaluate(many, 65, &v) == UNWIND_BAD_CFI);
}

int main(void)
{
	RUN(operations);
	RUN(branches_and_ends);
	return unit_done();
}
