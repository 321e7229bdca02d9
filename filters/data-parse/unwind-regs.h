/*
 * unwind-regs: registers by their DWARF numbers, which are in another order than perf's.
 *
 * DWARF: "System V ABI, AMD64 Supplement", figure 3.36; "DWARF for the Arm 64-bit Architecture",
 * 4.1. perf: <asm/perf_regs.h> of each.
 */
#ifndef UNWIND_REGS_H
#define UNWIND_REGS_H

#include "perfdata.h"
#include "unwind-stop.h"

enum { UNWIND_REGS = 33 }; /* of the architecture that has most */

struct unwind_arch {
	const char *name; /* as uname(2) says it */
	uint16_t machine; /* EM_… */
	uint8_t regs;	  /* how many are followed */
	uint8_t sp, pc;	  /* their numbers; pc is no number of CFI where the return address comes in
			     a register of its own */
	uint64_t code;	  /* the bits of a return address that are address: the others hold its
			     signature (pointer authentication) */
	uint8_t perf_regs;
	const uint8_t *of_perf; /* by perf's number: DWARF's, or UNWIND_REGS */
};
/* NULL: not known here. */
const struct unwind_arch *unwind_arch(struct pl_str name);

struct unwind_regs {
	uint64_t v[UNWIND_REGS];
	uint8_t lost[UNWIND_REGS]; /* enum unwind_stop: why the value is not known; 0: it is */
};
/* The registers of a sample: a word for each bit of the mask, from the lowest bit on. */
void unwind_regs_read(struct unwind_regs *r, const struct unwind_arch *arch, uint64_t mask,
		      struct pl_bytes words);

#endif
