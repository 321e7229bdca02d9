/*
 * dwarf-rows: the rows of one line-number program (DWARF 5, 6.2; versions 2 to 5), by address.
 *
 * libdw sorts the rows of all sequences together: those of code that the linker removed, which
 * begin at address 0, come between those of code that is there. Here a sequence stays together, and
 * removed ones are left out. Names of files: dwarf-files.h.
 */
#ifndef DWARF_ROWS_H
#define DWARF_ROWS_H

#include "dwarf-spans.h"
#include "str.h"

struct dwarf_row {
	uint64_t address;
	uint32_t file, line, column;
};

struct dwarf_rows {
	struct dwarf_row *v;
	size_t n, cap;
	struct dwarf_sequence {
		size_t first, n; /* rows, in the order of their addresses */
	} * sequences;
	size_t sequences_n, sequences_cap;
	struct dwarf_spans by_sequence; /* flat once it is read; owners are sequences */
};

struct dwarf_program {
	struct pl_str section;		     /* .debug_line */
	struct pl_str line_strings, strings; /* .debug_line_str and .debug_str: names of files */
	uint64_t offset;		     /* where in it the program begins */
	bool big_endian;
	const struct dwarf_spans
		*text; /* sequences that begin elsewhere are left out; none: all stay */
	size_t *room;  /* how many rows may be kept; what is left of it */
};

/* What stands before the instructions. */
struct dwarf_program_header {
	unsigned version, offset_size;
	unsigned instruction, operations, line_range, opcode_base;
	int line_base;
	const unsigned char *lengths; /* of standard opcodes: arguments, from opcode 1 on */
	const unsigned char *names;   /* folders and files, up to: */
	const unsigned char *program, *end;
};

/* 0, or -1: damaged. */
int dwarf_program_header(const struct dwarf_program *program, struct dwarf_program_header *header);
/* 0; -1: damaged, 1: more rows than may be kept. What was read until then is there. */
int dwarf_rows_read(struct dwarf_rows *rows, const struct dwarf_program *program);
/* The last row of the sequence at or before the address, or NULL. */
const struct dwarf_row *dwarf_rows_find(const struct dwarf_rows *rows, uint64_t address);
void dwarf_rows_free(struct dwarf_rows *rows);

#endif
