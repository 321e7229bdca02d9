/*
 * dwarf-parts: what the parts of dwarf.c know of each other: a file, its units, their scopes.
 */
#ifndef DWARF_PARTS_H
#define DWARF_PARTS_H

#include "dwarf-files.h"
#include "dwarf-rows.h"
#include "dwarf-spans.h"
#include "dwarf.h"
#include "mem.h"
#include <dwarf.h>
#include <elfutils/libdw.h>

/* In the order in which dwarf_file_lacks() tells them. */
enum dwarf_lack {
	DWARF_NO_INFO,
	DWARF_ZSTD,
	DWARF_COMPRESSION,
	DWARF_RELOCATABLE,
	DWARF_DAMAGED,
	DWARF_LIMIT,
	DWARF_DWP,
	DWARF_DWO,
	DWARF_DWZ,
	DWARF_LACKS
};

/* Bounds of what is read, far above what compilers write. */
enum {
	DWARF_ROOM = 1 << 26,	     /* units, scopes, spans and rows of a file, all together */
	DWARF_ROWS_MAX = 1 << 23,    /* of a unit's line table */
	DWARF_DEPTH_MAX = 512,	     /* of entries within each other */
	DWARF_ATTRIBUTES_MAX = 128,  /* of an entry */
	DWARF_ABBREVS_MAX = 1 << 20, /* the greatest code of an abbreviation */
	DWARF_HOPS_MAX = 16,	     /* from an entry to the one that has its name */
	/* bytes of sections once they are unpacked: so many, and so many times those of the file,
	 * all together. zlib packs debug information to a half or a fifth, and zeros to a
	 * thousandth
	 */
	DWARF_UNPACKED_LEAST = 16 << 20,
	DWARF_UNPACKED_TIMES = 16
};

#define DWARF_NO_SCOPE UINT32_MAX

/* What is read of a scope when it is first part of an answer. */
struct dwarf_facts {
	struct pl_str name;
	struct pl_str call_file;
	uint64_t call_line, call_column;
};

/* A function, or an inlined copy of one. */
struct dwarf_scope {
	void *die;			 /* its entry, of scopes_cu */
	const struct dwarf_facts *facts; /* NULL: not read yet */
	uint32_t parent;		 /* what it is inlined into, a smaller number */
	bool inlined;
};

struct dwarf_unit {
	Dwarf_Die die;			   /* in the file itself; of split DWARF: the skeleton */
	bool skeleton;			   /* and its scopes are in a .dwo, where that is found */
	bool unranged;			   /* it does not say which addresses are its */
	bool removed;			   /* the linker removed some of its code, or may have */
	bool built, rows_read, files_read; /* what follows is there */
	bool rows_all;			   /* of rows */
	Dwarf_CU *scopes_cu;
	struct dwarf_scope *scopes;
	size_t scopes_n, scopes_cap;
	struct dwarf_spans spans; /* flat; owners are scopes */
	struct dwarf_rows rows;
	struct dwarf_file_names files;
	struct pl_str *paths; /* of files, absent until used */
};

struct dwarf_file {
	const struct dwarf_files_options *options;
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	struct dwarf_alt {
		bool wanted; /* there is a .gnu_debugaltlink */
		int fd;
		Elf *elf;
		Dwarf *dwarf; /* NULL: not found */
	} alt;
	unsigned lacks;		 /* bits: enum dwarf_lack */
	size_t room;		 /* what is left of DWARF_ROOM */
	struct dwarf_spans text; /* flat: where code is */
	struct dwarf_unit *units;
	size_t units_n, units_cap;
	struct dwarf_spans by_unit; /* flat; owners are units */
	struct dwarf_spans by_late; /* the same, of the unranged */
	bool late_read;
	struct dwarf_names {
		struct dwarf_name {
			const void *die;
			struct pl_str name;
		} * v;
		size_t n, cap; /* a power of two */
	} names;
	struct dwarf_abbrevs *abbrevs; /* of the unit that was built last */
	struct dwarf_frame *frames;
	size_t frames_cap;
	struct pl_arena arena; /* facts and paths */
};

static inline void dwarf_lack(struct dwarf_file *f, enum dwarf_lack lack)
{
	f->lacks |= 1u << lack;
}
/* Takes one entry's worth of the file's room; false when there is none left. */
static inline bool dwarf_take_room(struct dwarf_file *f)
{
	if (f->room == 0) {
		dwarf_lack(f, DWARF_LIMIT);
		return false;
	}
	f->room--;
	return true;
}

/* ---- dwarf-links.c: other files that hold parts of the debug information ---- */

/* Finds the file of .gnu_debugaltlink, if there is such a section. */
void dwarf_alt_open(struct dwarf_file *f);
void dwarf_alt_close(struct dwarf_file *f);
/* Can the attribute's value be reached? Not when it is in a file that is missing. */
bool dwarf_alt_readable(struct dwarf_file *f, const Dwarf_Attribute *attribute);
/* The unit whose scopes a skeleton stands for; of any other its own; the skeleton itself when the
 * .dwo is missing. */
void dwarf_split_unit(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die);

/* ---- dwarf-sections.c ---- */

/* Is `section`, as .debug_info or .zdebug_info, called `name`: "debug_info"? */
bool dwarf_section_is(const char *section, const char *name);
/* The section called `name` that has the byte `at` (any, with NULL) in it; or absent. */
struct pl_str dwarf_section(Elf *elf, const char *name, const void *at);
/* Are its packed sections of a size that is unpacked? libdw does so when it begins, without bounds.
 */
bool dwarf_sections_are_bounded(Elf *elf);

/* ---- dwarf-units.c: which addresses are whose ---- */

void dwarf_units_read(struct dwarf_file *f);
/* NULL: no unit claims the address. */
struct dwarf_unit *dwarf_units_find(struct dwarf_file *f, uint64_t address);
/* Adds the ranges of an entry, without those of code that was removed by the linker. Were there
 * any of these? */
bool dwarf_units_add_ranges(struct dwarf_file *f, Dwarf_Die *die, struct dwarf_spans *to,
			    uint32_t owner);
/* Adds one of them, or not. Was it removed? */
bool dwarf_units_add_range(struct dwarf_file *f, uint64_t lo, uint64_t hi, struct dwarf_spans *to,
			   uint32_t owner);
void dwarf_units_free(struct dwarf_file *f);

/* ---- dwarf-scopes.c: the functions of a unit ---- */

/* Reads a unit's entries once: scopes and spans. */
void dwarf_scopes_build(struct dwarf_file *f, struct dwarf_unit *u);

/* ---- dwarf-abbrevs.c: the forms of a unit's entries ---- */

struct dwarf_layout {
	unsigned version, address_size, offset_size, big_endian;
};

/* A step through an entry: so many bytes to skip, then an attribute of which more is to be known.
 */
struct dwarf_step {
	uint32_t skip;
	uint16_t name, form;
};

struct dwarf_abbrev {
	uint16_t tag;
	bool children, has_code, declaration;
	uint16_t steps_n;
	uint32_t skip_last; /* behind the last step */
	struct dwarf_step *steps;
};

/* Those at `offset`, which are the unit's; kept in f->abbrevs. NULL: damaged, or more than is read,
 * which is noted. */
const struct dwarf_abbrevs *dwarf_abbrevs_read(struct dwarf_file *f, Dwarf_Die *unit,
					       Dwarf_Off offset, const struct dwarf_layout *layout);
const struct dwarf_abbrev *dwarf_abbrevs_find(const struct dwarf_abbrevs *a, uint64_t code);
/* Can there be code in the unit? Of those that link-time optimisation and dwz leave, most have
 * none, and need not be read. */
bool dwarf_abbrevs_have_functions(const struct dwarf_abbrevs *a);
void dwarf_abbrevs_free(struct dwarf_file *f);
/* Behind a value of that form at p, or NULL where it does not end before `end`. */
const unsigned char *dwarf_form_skip(const unsigned char *p, const unsigned char *end,
				     unsigned form, const struct dwarf_layout *layout);
/* A number of `width` (at most 8) bytes. */
uint64_t dwarf_number(const unsigned char *p, unsigned width, bool big_endian);
/* An unsigned LEB128; -1 where it does not end before `end`, or has more than 64 bits. */
int dwarf_uleb(const unsigned char **p, const unsigned char *end, uint64_t *value);

/* ---- dwarf-names.c: what scopes are called, and where they were called ---- */

const struct dwarf_facts *dwarf_facts_of(struct dwarf_file *f, struct dwarf_unit *u,
					 struct dwarf_scope *scope);
void dwarf_names_free(struct dwarf_file *f);

/* ---- dwarf-lines.c: files and lines ---- */

/* Do the unit's rows allow for a function there? */
bool dwarf_lines_allow(struct dwarf_file *f, struct dwarf_unit *u, uint64_t lo, uint64_t hi);
/* Sets the frame's file, line and column, where the line table has a row for the address. */
void dwarf_lines_find(struct dwarf_file *f, struct dwarf_unit *u, uint64_t address,
		      struct dwarf_frame *frame);
/* The path of a unit's file, by its number as attributes have it. */
struct pl_str dwarf_lines_path(struct dwarf_file *f, struct dwarf_unit *u, uint64_t number);

#endif
