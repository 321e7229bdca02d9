/*
 * binary: one module's files: the ELF file that ran, proven by its build ID, its symbols, and where
 * its debug information is.
 */
#ifndef BINARY_H
#define BINARY_H

#include "dwarf.h"
#include "elfsyms.h"

struct binary_search {
	struct pl_str dso;	/* as recorded, for the vdso: "[vdso]" */
	struct pl_str build_id; /* as recorded; absent: not known */
	const char *path;	/* on this machine */
	int fd;			/* it, open: nothing else is taken; 0: it is looked for */
	bool trust_path;	/* without a recorded build ID the path is enough */
	const char *const *debug_roots;
	size_t debug_roots_n;
	const char *sysroot; /* or NULL */
	const char *cache;   /* perf's build ID cache (~/.debug), or NULL */
	const char *fetched; /* the cache of debuginfod's client, or NULL */
};

struct binary {
	struct pl_elf *elf; /* NULL: there is none to be used */
	struct pl_elfsyms syms;
	const char *lacks;  /* what debuginfod might have: "executable", "debuginfo", or NULL */
	const char *reason; /* why symbols are missing or refused; NULL: nothing is */
	/* private */
	struct pl_elf *debug; /* separate; or NULL */
	char *debug_path;
	bool looked_for_dwarf;
	struct dwarf_file *dwarf;
	struct dwarf_files_options dwarf_options;
	char *path;
};

/* Reasons, with BUILD_ID_MISMATCH and those of debugfile.h and dwarf.h:
 *     FILE_MISSING FILE_UNREADABLE FILE_NOT_REGULAR FILE_TOO_LARGE NOT_ELF
 *     BUILD_ID_UNKNOWN   the recording has none, and paths are not to be trusted
 *     BUILD_ID_MISMATCH  the file at the path is another one, or has become another one
 *     SYMBOLS_STRIPPED   it is the right file, and only what others call has names
 *     NO_SYMBOLS         it is the right file, and has no names at all
 *     NO_FILE            there is no file of this kind of module */
void binary_open(struct binary *b, const struct binary_search *search);
/* The address that a position in the file is loaded at, before the file is moved. 0, or -1. */
int binary_address(const struct binary *b, uint64_t offset, uint64_t *vaddr);
/* Its debug information, or NULL; b->reason may say what is wrong with it: a file that was replaced
 * after binary_open() is not used. */
struct dwarf_file *binary_dwarf(struct binary *b, const struct binary_search *search);
void binary_close(struct binary *b);

#endif
