/* cells: a table of figures whose last column holds names */
#include "cells.h"
#include "around.h"
#include "figure.h"
#include "num.h"
#include "utf8.h"

#include <inttypes.h>

/* Columns: so many are wanted for names before figures are spared; less is no name. */
enum { NAMES_WANTED = 32, NAME_LEAST = 8, GAP = 2 };

static void start_table(struct cells *c)
{
	enum pl_align align[CELLS_COLUMNS];
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (!c->left_out[i])
			align[n++] = c->columns[i].align;
	pl_table_start(&c->table, align, n);
	c->at = 0;
	for (size_t i = 0; i + 1 < c->n; i++)
		cells_text(c, pl_str(c->columns[i].head));
	const struct pl_str head = pl_str(c->columns[c->n - 1].head);
	cells_names(c, "", &head, 1);
}

void cells_start(struct cells *c, const struct pl_terminal *screen,
		 const struct cells_column *columns, size_t n, size_t name_max)
{
	*c = (struct cells){.screen = screen,
			    .columns = columns,
			    .n = n,
			    .measuring = true,
			    .room = SIZE_MAX,
			    .name_max = name_max};
	start_table(c);
}

/* The column that is spared next, or the last one: none. */
static size_t next_spare(const struct cells *c)
{
	size_t best = c->n - 1;

	for (size_t i = 0; i + 1 < c->n; i++)
		if (!c->left_out[i] && c->columns[i].spare &&
		    (best == c->n - 1 || c->columns[i].spare > c->columns[best].spare))
			best = i;
	return best;
}

void cells_again(struct cells *c)
{
	size_t used = 0, columns = c->screen->columns, spare;

	for (size_t i = 0; i + 1 < c->n; i++)
		used += c->table.columns[i].width + GAP;
	while (columns && used + NAMES_WANTED > columns && (spare = next_spare(c)) < c->n - 1) {
		c->left_out[spare] = true;
		used -= c->table.columns[spare].width + GAP;
	}
	if (columns)
		c->room = columns > used + NAME_LEAST ? columns - used : NAME_LEAST;
	pl_table_free(&c->table);
	c->measuring = false;
	start_table(c);
}

void cells_free(struct cells *c)
{
	pl_table_free(&c->table);
	pl_buf_free(&c->cell);
}

static void end_cell(struct cells *c, const char *paint)
{
	if (!c->left_out[c->at]) {
		pl_table_cell(&c->table, pl_buf_str(&c->cell));
		paint = c->dim ? "2" : paint;
		if (paint && c->screen->colour)
			pl_table_paint(&c->table, paint);
	}
	pl_buf_clear(&c->cell);
	if (++c->at == c->n) {
		c->at = 0;
		c->dim = false;
	}
}

void cells_text(struct cells *c, struct pl_str text)
{
	around_cut(&c->cell, text, AROUND_LABEL);
	end_cell(c, NULL);
}

void cells_number(struct cells *c, uint64_t n)
{
	pl_buf_printf(&c->cell, "%" PRIu64, n);
	end_cell(c, NULL);
}

/* Without its sign: the column's head has it. */
static void put_share(struct cells *c, uint64_t micro)
{
	pl_figure_share(&c->cell, micro, 2);
	c->cell.n -= strlen(" %");
	c->cell.p[c->cell.n] = '\0';
}

void cells_share(struct cells *c, uint64_t part, uint64_t whole)
{
	put_share(c, pl_num_percent(part, whole));
	end_cell(c, NULL);
}

void cells_heat(struct cells *c, uint64_t part, uint64_t whole)
{
	enum { HOT = 10000000, WARM = 5000000 }; /* millionths of a percent */
	uint64_t micro = pl_num_percent(part, whole);

	put_share(c, micro);
	end_cell(c, micro >= HOT ? "31" : micro >= WARM ? "33" : NULL);
}

void cells_dim(struct cells *c)
{
	c->dim = true;
}

/* ---- names ---- */

/* A path is known by its end: "…/libz.so.1" where that fits and the whole does not. */
static void put_fitting(struct pl_buf *out, struct pl_str name, size_t room)
{
	static const char mark[] = "…/";
	struct pl_buf base = {0};

	if (name.n && name.p[0] == '/' && pl_utf8_columns(name) > room) {
		pl_buf_addz(&base, mark);
		pl_buf_adds(&base, pl_str_base(name));
		if (pl_utf8_columns(pl_buf_str(&base)) <= room)
			name = pl_buf_str(&base);
	}
	pl_utf8_fit(out, name, room);
	pl_buf_free(&base);
}

/* Columns that a name takes in a terminal, looked at no further than `most`. */
static size_t columns_of(struct pl_str name, size_t most)
{
	struct pl_buf text = {0};

	pl_utf8_fit(&text, name, most);
	size_t columns = pl_utf8_columns(pl_buf_str(&text));
	pl_buf_free(&text);
	return columns;
}

/*
 * Shares `room` columns among names: who wants less than a fair part gets what is wanted, the
 * others share what is left, the first of them the odd columns.
 */
static void share_room(size_t *got, const size_t *wanted, size_t n, size_t room)
{
	bool done[CELLS_NAMES] = {false};
	size_t open = n;

	for (size_t i = 0; i < n; i++) {
		if (done[i] || wanted[i] > room / open)
			continue;
		got[i] = wanted[i];
		room -= wanted[i];
		done[i] = true;
		open--;
		i = SIZE_MAX; /* the parts of the others have grown: from the beginning */
	}
	for (size_t i = 0; i < n; i++) {
		if (done[i])
			continue;
		got[i] = room / open + (room % open > 0);
		room -= got[i];
		open--;
	}
}

static void put_narrow(struct cells *c, size_t room, const struct pl_str *names, size_t n)
{
	size_t wanted[CELLS_NAMES], got[CELLS_NAMES];

	while (n > 1 && room < n * NAME_LEAST + (n - 1) * GAP)
		n--;
	for (size_t i = 0; i < n; i++)
		wanted[i] = columns_of(names[i], room);
	share_room(got, wanted, n, room - (n - 1) * GAP);
	for (size_t i = 0; i < n; i++) {
		pl_buf_addz(&c->cell, i ? "  " : "");
		put_fitting(&c->cell, names[i], got[i]);
	}
}

static void put_whole(struct cells *c, const struct pl_str *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pl_buf_addz(&c->cell, i ? "  " : "");
		around_cut(&c->cell, names[i], c->name_max);
	}
}

void cells_names(struct cells *c, const char *before, const struct pl_str *names, size_t n)
{
	struct pl_str given[CELLS_NAMES];
	size_t k = 0, taken = strlen(before);

	for (size_t i = 0; i < n; i++)
		if (names[i].p)
			given[k++] = names[i];
	if (!c->measuring) {
		pl_buf_addz(&c->cell, before);
		if (c->room == SIZE_MAX || k == 0)
			put_whole(c, given, k);
		else
			put_narrow(c, c->room > taken ? c->room - taken : 1, given, k);
	}
	end_cell(c, NULL);
}

void cells_print(const struct cells *c, struct pl_buf *out)
{
	size_t n = 0;

	pl_table_print(&c->table, out);
	for (size_t i = 0; i < c->n; i++) {
		if (!c->left_out[i])
			continue;
		pl_buf_addz(out, n++ ? ", " : _("columns left out for want of width: "));
		pl_buf_addz(out, c->columns[i].head);
	}
	pl_buf_addz(out, n ? "\n" : "");
}
