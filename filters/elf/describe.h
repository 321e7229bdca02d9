/*
 * describe: the records of an ELF file: what it is, what can be resolved in it, and the separate
 * debug files that were looked at. Runs in a child: libelf and libdw read here.
 */
#ifndef PL_ELF_DESCRIBE_H
#define PL_ELF_DESCRIBE_H

#include "debugfile.h"
#include "jsonw.h"

struct describe {
	void *bytes; /* of the file, n of them; see pl_elf_open_memory() */
	size_t n;
	struct pl_str name; /* base name; absent: not known */
	struct pl_debugfile_search search;
};

/*
 * Appends an elf record and candidate records: their number. 0: it is no ELF file, and nothing was
 * appended.
 */
uint64_t describe(const struct describe *d, struct pl_buf *out);

#endif
