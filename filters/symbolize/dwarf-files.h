/*
 * dwarf-files: the folders and files that one line-number program names (DWARF 5, 6.2.4; versions 2
 * to 5).
 *
 * libdw reads all rows of a program to tell its files, and keeps them: of a table of 80 million
 * rows, which zlib packs into 80 kB, 4 GB.
 */
#ifndef DWARF_FILES_H
#define DWARF_FILES_H

#include "dwarf-rows.h"

struct dwarf_file_names {
	struct pl_str *folders;
	size_t folders_n, folders_cap;
	struct dwarf_file_name {
		struct pl_str name; /* absent: a string that is elsewhere, or no string */
		uint64_t folder;    /* its number */
	} * v;
	size_t n, cap;
};

/* By the numbers that rows and attributes have: before version 5, number 0 of both is absent.
 * Strings point into the sections. As dwarf_rows_read(). */
int dwarf_file_names_read(struct dwarf_file_names *names, const struct dwarf_program *program);
void dwarf_file_names_free(struct dwarf_file_names *names);

#endif
