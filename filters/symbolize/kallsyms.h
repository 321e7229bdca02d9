/*
 * kallsyms: the kernel's functions by address, from the text of /proc/kallsyms: "address type name
 * [module]" a line. The text may be of any file (--kallsyms). Of several names at one address the
 * last one is taken, as perf takes it. A function reaches to the next one, the last one of the
 * kernel or of a module by about a page.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include "err.h"
#include "mem.h"

struct kallsyms {
	struct kallsyms_symbol {
		uint64_t start;
		uint32_t name; /* in bytes */
		uint32_t name_n;
	} * v; /* by start, each once */
	size_t n, cap;
	uint64_t text, stext; /* of _text and _stext; 0: it has none */
	struct pl_buf bytes;
};

/* Reads an open file. 0, or -1: it cannot be read, is too large, or has no functions with
 * addresses (a kernel that hides them shows zeros). */
int kallsyms_read(struct kallsyms *k, int fd, struct pl_err *err);
/* The name of the function at an address; absent: none. */
struct pl_str kallsyms_find(const struct kallsyms *k, uint64_t address);
void kallsyms_free(struct kallsyms *k);

#endif
