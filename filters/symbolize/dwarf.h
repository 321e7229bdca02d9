/*
 * dwarf: what debug information says of an address: the functions inlined there, and the lines.
 *
 * One struct dwarf_file is one module's debug information, read with libdw. Nothing is read per
 * address: the units' ranges are sorted once, and the tables of a unit are built when an address
 * first falls into it. The bytes may be hostile: every count is bounded, but libdw is not ours, so
 * a program does this in a child (child.h). Messages of libdw are never handed on.
 */
#ifndef DWARF_FILE_H
#define DWARF_FILE_H

#include "err.h"

struct dwarf_file;

struct dwarf_files_options {
	const char *path; /* of the file that is opened: what it names is looked for beside it.
			     NULL: only what it names by an absolute path */
	const char *const *debug_roots; /* folders as "/usr/lib/debug", below which .dwz/ and
					   .build-id/ are looked for */
	size_t debug_roots_n;
	const char
		*sysroot; /* before absolute names and the system's own /usr/lib/debug; or NULL */
	uint64_t bias; /* what addresses that are asked for have more than the file's own: those of
			  a program that was moved after its debug file was split off (prelink) */
};

/* What dwarf_file_lookup() is asked for. */
enum { DWARF_LINES = 1, DWARF_INLINES = 2 };

struct dwarf_frame {
	struct pl_str name; /* the linkage name, mangled; else DW_AT_name; absent where there is no
			       function here, or none of them was asked for */
	struct pl_str file; /* as DWARF has it: compilation directory, directory and name joined,
			       "//" and "/./" taken out, ".." kept. Absent: unknown */
	uint64_t line, column; /* 0: unknown */
	bool inlined;
};

/* Outermost first. The last one is at the line table's row of the address, each other one where the
 * one behind it was called. */
struct dwarf_answer {
	const struct dwarf_frame *frames; /* until the next look-up in the file, or its end; */
	size_t n;			  /* the strings in them: until the file's end */
};

/*
 * Opens an ELF file by a descriptor, which stays the caller's. The options are needed until
 * dwarf_file_close(). A file without usable debug information is opened, too: see
 * dwarf_file_lacks(). -1: it is no ELF file, or cannot be read. Nothing is ever downloaded.
 */
int dwarf_file_open(struct dwarf_file **f, int fd, const struct dwarf_files_options *options,
		    struct pl_err *err);
void dwarf_file_close(struct dwarf_file *f); /* NULL is allowed */

/* `vaddr` is an address as the ELF file counts them, plus the options' bias; of a return address,
 * one less. `want` is a sum of the above: without DWARF_INLINES one frame is told, without its
 * name. False, and no frames, when the debug information has nothing on that address. */
bool dwarf_file_lookup(struct dwarf_file *f, uint64_t vaddr, unsigned want,
		       struct dwarf_answer *answer);

/*
 * Why answers may be missing or be less than complete, as far as look-ups have shown; "" when
 * nothing is known to be lacking. The first of these that applies:
 *
 *     NO_DEBUG_INFO       there is no .debug_info
 *     DEBUG_ZSTD          sections compressed with zstd, which this libelf cannot read
 *     DEBUG_COMPRESSION   sections compressed in a way that is not known
 *     DEBUG_RELOCATABLE   an object file: its debug information still has to be relocated
 *     DEBUG_DAMAGED       some of it cannot be read
 *     DEBUG_LIMIT         some of it has more entries, is nested deeper, or is larger once it is
 *                         unpacked, than is read
 *     DWP_UNSUPPORTED     a .dwo file is missing, and there is a .dwp, which libdw cannot read
 *     DWO_MISSING         a .dwo file is missing, or is another build's
 *     DWZ_MISSING         the file of .gnu_debugaltlink is missing, is another build's, or cannot
 *                         be read
 */
const char *dwarf_file_lacks(const struct dwarf_file *f);

#endif
