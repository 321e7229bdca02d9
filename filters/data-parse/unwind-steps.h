/*
 * unwind-steps: the steps up a stack that were taken already: for an address of a file, the rules
 * that bring its caller's registers. Most samples repeat addresses; libdw interprets CFI anew each
 * time that it is asked.
 */
#ifndef UNWIND_STEPS_H
#define UNWIND_STEPS_H

#include "mem.h"
#include "unwind-expr.h"
#include "unwind-file.h"

struct unwind_step {
	struct unwind_expr cfa;
	uint8_t return_register; /* that holds the return address; UNWIND_REGS: none */
	bool root;		 /* nothing called it */
	bool signal;		 /* what the kernel made to call a signal handler */
	uint8_t rules_n;
	struct unwind_rule { /* of registers that are not kept as they are */
		uint8_t reg;
		bool undefined;
		struct unwind_expr expr;
	} rules[];
};

struct unwind_steps {
	struct pl_arena arena;
	struct unwind_steps_slot {
		uint32_t file;
		uint64_t address;
		const struct unwind_step *step; /* NULL: there is no CFI */
		bool used;
	} * slots;
	size_t n;
	uint64_t seed;
};

/* Finds what is known of an address: true and *step. */
bool unwind_steps_find(const struct unwind_steps *s, uint32_t file, uint64_t address,
		       const struct unwind_step **step);
/* Reads it from the file, and keeps it. What was found before may be gone afterwards. NULL: the
 * file has no CFI there. */
const struct unwind_step *unwind_steps_read(struct unwind_steps *s, uint32_t file,
					    struct unwind_file *f, uint64_t address,
					    const struct unwind_arch *arch);
void unwind_steps_forget(struct unwind_steps *s);

#endif
