/*
 * unwind-file: a file that code was mapped from: which address of it is where in the file, and the
 * call frame information of its addresses. For a child (child.h): libelf and libdw work on what may
 * be hostile.
 */
#ifndef UNWIND_FILE_H
#define UNWIND_FILE_H

#include "unwind-regs.h"

#include "elf.h"

#include <elfutils/libdw.h>

struct unwind_file {
	struct pl_elf *elf;
	/* private */
	Dwarf_CFI *eh;
	Dwarf *dwarf; /* holds the CFI of .debug_frame */
	Dwarf_CFI *debug;
	bool knows_eh, knows_debug;
};

/* What a file must be to be believed. */
struct unwind_file_wanted {
	struct pl_str build_id; /* hexadecimal; absent: not known */
	bool trust;		/* with a build ID not known, any file will do */
	uint16_t machine;
	uint64_t max_bytes;
};

/* UNWIND_ROOT, or why it cannot be used. Either way *f is to be closed. */
enum unwind_stop unwind_file_open(struct unwind_file *f, const char *path,
				  const struct unwind_file_wanted *wanted);
/* The vDSO of this machine's kernel. */
enum unwind_stop unwind_file_vdso(struct unwind_file *f, const struct unwind_file_wanted *wanted);
void unwind_file_close(struct unwind_file *f);

/* Bytes at an offset, if they are loaded from the file and cannot change when it runs. */
int unwind_file_read(const struct unwind_file *f, uint64_t offset, void *p, size_t n);
/* The call frame information for an address of the file, to be freed, or NULL. */
Dwarf_Frame *unwind_file_frame(struct unwind_file *f, uint64_t address);

#endif
