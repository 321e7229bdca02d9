/*
 * cells: a table of figures whose last column holds names.
 *
 * Without a width, names are whole or cut at a number of bytes. With one, columns that can be
 * spared are left out until the names have room, and names are shortened in the middle; figures
 * never are. So a table is filled twice: once to learn how wide its figures are (cells_start()),
 * then with the names (cells_again()).
 */
#ifndef QUERY_CELLS_H
#define QUERY_CELLS_H

#include "options.h"
#include "text.h"

enum { CELLS_COLUMNS = 8, CELLS_NAMES = 3 };

struct cells_column {
	const char *head;
	unsigned spare; /* 0: never left out; else the higher the sooner */
	enum pl_align align;
};

struct cells {
	const struct pl_terminal *screen;
	const struct cells_column *columns; /* the last one is of names */
	size_t n, at;			    /* at: the column that the next cell is of */
	bool measuring;
	bool left_out[CELLS_COLUMNS];
	size_t room;	 /* columns for names; SIZE_MAX: no width is given */
	size_t name_max; /* bytes of a name, where there is no width */
	bool dim;	 /* colour of the row */
	struct pl_table table;
	struct pl_buf cell;
};

void cells_start(struct cells *c, const struct pl_terminal *screen,
		 const struct cells_column *columns, size_t n, size_t name_max);
/* The table is empty again, and knows its room. */
void cells_again(struct cells *c);
void cells_free(struct cells *c);

/* Each is one cell, from the left to the right. */
void cells_text(struct cells *c, struct pl_str text);
void cells_number(struct cells *c, uint64_t n);
void cells_share(struct cells *c, uint64_t part, uint64_t whole); /* percent without the sign */
void cells_heat(struct cells *c, uint64_t part, uint64_t whole);  /* the same, coloured by size */
/*
 * The last cell of a row: behind `before`, plain ASCII that is never shortened, up to CELLS_NAMES
 * names with two blanks between them; absent ones are left out, and so are the later ones where the
 * room is too small for all.
 */
void cells_names(struct cells *c, const char *before, const struct pl_str *names, size_t n);
/* The row, from here to its end, stands back. */
void cells_dim(struct cells *c);
/* Prints the table, and names the columns that were left out. */
void cells_print(const struct cells *c, struct pl_buf *out);

#endif
