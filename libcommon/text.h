/*
 * text: what people read: translated messages, tables for a terminal, progress.
 *
 * Codes, option names and JSON never change with the language. _() translates at run time, N_()
 * marks a string that is translated later.
 */
#ifndef PL_TEXT_H
#define PL_TEXT_H

#include "str.h"
#include <libintl.h>
#include <stdio.h>

#define _(s) gettext(s)
#define N_(s) (s)

/* Sets the locale for messages only, binds the catalogue, and loads it (and libc's own) now,
 * because nothing can be opened once a program is in its sandbox. */
void pl_text_start(const char *locale_dir);

/* Progress of a long read on stderr, once a second, gone at the end. All zero: off. */
struct pl_progress {
	bool on;
	const char *label; /* the program's name */
	uint64_t total;	   /* bytes, 0 when not known */
	uint64_t started_ns, shown_ns;
	bool visible;
};
/* Shown when `force`, or when stderr is a terminal and not `quiet`. */
void pl_progress_start(struct pl_progress *p, const char *label, uint64_t total, bool force,
		       bool quiet);
void pl_progress_step(struct pl_progress *p,
		      uint64_t done);	     /* cheap: looks at the clock, writes once a second */
void pl_progress_end(struct pl_progress *p); /* wipes the line */

/* A plain text table: columns padded to the widest cell, cells cut never. */
enum pl_align { PL_LEFT, PL_RIGHT };
struct pl_table {
	struct pl_table_column {
		enum pl_align align;
		size_t width;
	} * columns;
	size_t columns_n;
	struct pl_table_cell {
		struct pl_str text; /* owned */
		const char *paint;  /* NULL: none */
	} * cells;		    /* row by row */
	size_t n, cap;
};
void pl_table_start(struct pl_table *t, const enum pl_align *align, size_t columns);
void pl_table_cell(struct pl_table *t,
		   struct pl_str text); /* copied; controls escaped for a terminal */
/* Colours the last cell: the numbers of an SGR sequence, "1;31", that live as long as the table. */
void pl_table_paint(struct pl_table *t, const char *paint);
void pl_table_print(const struct pl_table *t,
		    struct pl_buf *out); /* two blanks between columns, none at line ends */
void pl_table_free(struct pl_table *t);

#endif
