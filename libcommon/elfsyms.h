/*
 * elfsyms: the functions of an ELF file, by address: one table, sorted, searched in halves.
 *
 * Addresses are virtual ones, as pl_elf_vaddr() gives them. Names are as the file has them,
 * mangled; they point into the file, which must stay open as long as the table is used.
 *
 * What is taken, as perf 6.1 takes it (elf_sym__filter() in tools/perf/util/symbol-elf.c):
 * functions and indirect functions in sections that are loaded; labels (NOTYPE, not hidden) and
 * objects in sections of code; no absolute or undefined ones, none without a name, no mapping
 * symbols of ARM
 * ($x, $d). A symbol of size 0 reaches to the next one, and never beyond its section.
 *
 * Of several names at one address one is chosen, as choose_best_symbol() in
 * tools/perf/util/symbol.c chooses it. The better one, the first of these rules that tells the two
 * apart decides:
 *   1. has a size (of those that have none, one that is last in the table counts as having one,
 *      because perf lets it reach to the next symbol before it chooses)
 *   2. is not weak
 *   3. is global
 *   4. begins with fewer underscores ("_Z" and "_R" of mangled names are none: perf demangles
 * first)
 *   5. is longer (perf compares demangled names, we mangled ones)
 *   6. does not begin with "SyS" or "compat_SyS"
 *   7. comes first in the symbol table
 * Where symbols lie in one another, the one that starts last is found; none, where more than
 * PL_ELFSYMS_DEPTH_MAX that end before the address lie within it.
 */
#ifndef PL_ELFSYMS_H
#define PL_ELFSYMS_H

#include "elf.h"
#include "mem.h"

struct pl_elfsym {
	uint64_t start, end; /* virtual addresses; end is the first that is no longer in it */
	const char *name;    /* ends with NUL; as the file has it: see pl_elfsym_name() */
	uint32_t outer;	     /* index + 1 of the one around it that is larger; 0: none */
	uint8_t bind, type;  /* STB_, STT_ */
	bool plt;	     /* a stub of the procedure linkage table; its name ends in @plt */
	bool sized;	     /* the file gives its size */
};

/* Which functions have names. */
enum pl_elfsyms_reach {
	PL_ELFSYMS_NONE,    /* no table */
	PL_ELFSYMS_DYNAMIC, /* those that other modules can call: .dynsym */
	PL_ELFSYMS_FULL	    /* all: .symtab of the file, of its separate debug file, or of
			       .gnu_debugdata, which with .dynsym makes up all functions */
};

struct pl_elfsyms {
	struct pl_elfsym *v; /* by start; each start once */
	size_t n;
	enum pl_elfsyms_reach reach;
	bool from_debugdata; /* .gnu_debugdata was what made it full */
	/* private */
	size_t cap;
	struct pl_arena arena;
	struct pl_buf unpacked;
	struct pl_elf *inner;
};

enum {
	PL_ELFSYMS_MAX = 8 << 20,	     /* symbols of one file */
	PL_ELFSYMS_STUB_NAME_MAX = 64 << 10, /* bytes; a stub of a longer name has none */
	PL_ELFSYMS_NAME_MAX = 128 << 10,     /* bytes that are looked at; many symbols can share one
						name of megabytes */
	PL_ELFSYMS_DEPTH_MAX = 64 /* symbols within each other that are looked through: no program
				     has so many, and a file made for it has any number */
};

/*
 * Reads the symbols of `file`, which is what ran; `debug` (may be NULL) is its separate debug file,
 * whose addresses may be other ones (prelink): they are moved by what the program headers differ.
 * 0, also when there are none; -1 and *err when a table is larger than what is taken: what was read
 * until then stays usable. The table is then to be freed. Both files must outlive it.
 */
int pl_elfsyms_read(struct pl_elfsyms *syms, const struct pl_elf *file, const struct pl_elf *debug,
		    struct pl_err *err);
/* What must be added to an address of the debug file to have the same place's in `file`. */
uint64_t pl_elfsyms_bias(const struct pl_elf *file, const struct pl_elf *debug);
void pl_elfsyms_free(struct pl_elfsyms *syms);
/* The symbol that an address lies in, or NULL. */
const struct pl_elfsym *pl_elfsyms_find(const struct pl_elfsyms *syms, uint64_t vaddr);
/* Its name without a version: of memcpy@@GLIBC_2.14 "memcpy", of a stub "memcpy@plt". At most
 * PL_ELFSYMS_NAME_MAX bytes of it. */
struct pl_str pl_elfsym_name(const struct pl_elfsym *sym);
/* "full", "dynamic", "none": what the module record's `symbols` says. */
const char *pl_elfsyms_reach_name(enum pl_elfsyms_reach reach);

#endif
