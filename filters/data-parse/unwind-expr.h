/* unwind-expr: what DWARF expressions of call frame information come to (DWARF 5, 2.5 and 6.4.3) */
#ifndef UNWIND_EXPR_H
#define UNWIND_EXPR_H

#include "unwind-regs.h"

#include <elfutils/libdw.h>

struct unwind_memory {
	/* `size` bytes, at most 8, as a number; UNWIND_ROOT, or why they cannot be read. */
	enum unwind_stop (*read)(void *context, uint64_t address, unsigned size, uint64_t *value);
	void *context;
};

/* A rule: how a register, or the CFA, is found. */
struct unwind_expr {
	const Dwarf_Op *ops;
	size_t n;
};

/*
 * The value that the rule of a register describes: what its expression says where it is, or what
 * is. `cfa` is the frame's canonical frame address. UNWIND_ROOT, or why there is no value.
 */
enum unwind_stop unwind_expr_register(struct unwind_expr e, const struct unwind_regs *regs,
				      uint64_t cfa, const struct unwind_memory *memory,
				      uint64_t *value);
/* The CFA itself. */
enum unwind_stop unwind_expr_cfa(struct unwind_expr e, const struct unwind_regs *regs,
				 const struct unwind_memory *memory, uint64_t *value);

#endif
