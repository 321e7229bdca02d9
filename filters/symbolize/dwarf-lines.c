/* dwarf-lines: a unit's line table, its files, and their paths */
#include "dwarf-parts.h"

static void read_lines(struct dwarf_file *f, struct dwarf_unit *u)
{
	if (u->lines_read)
		return;
	u->lines_read = true;
	if (!dwarf_hasattr(&u->die, DW_AT_stmt_list))
		return;
	if (dwarf_getsrclines(&u->die, &u->lines, &u->lines_n)) {
		u->lines = NULL;
		dwarf_lack(f, DWARF_DAMAGED);
	}
	if (dwarf_getsrcfiles(&u->die, &u->files, &u->files_n))
		u->files_n = 0;
	u->paths = pl_arena_alloc(&f->arena, (u->files_n + 1) * sizeof *u->paths);
	memset(u->paths, 0, (u->files_n + 1) * sizeof *u->paths);
}

static const char *compilation_folder(struct dwarf_file *f, struct dwarf_unit *u)
{
	Dwarf_Attribute a;

	if (!dwarf_attr(&u->die, DW_AT_comp_dir, &a) || !dwarf_alt_readable(f, &a))
		return NULL;
	return dwarf_formstring(&a);
}

/* Appends a part of a path, of which nothing is taken out but what says nothing: "." and "". */
static void add_path(struct pl_buf *to, const char *path)
{
	if (path[0] == '/' && to->n == 0)
		pl_buf_addc(to, '/');
	while (*path) {
		size_t n = strcspn(path, "/");
		if (n && !(n == 1 && path[0] == '.')) {
			if (to->n && to->p[to->n - 1] != '/')
				pl_buf_addc(to, '/');
			pl_buf_add(to, path, n);
		}
		path += n + (path[n] == '/');
	}
}

struct pl_str dwarf_lines_path(struct dwarf_file *f, struct dwarf_unit *u, uint64_t number)
{
	read_lines(f, u);
	if (number >= u->files_n)
		return (struct pl_str){0};
	if (u->paths[number].p)
		return u->paths[number];

	const char *name = dwarf_filesrc(u->files, (size_t)number, NULL, NULL);
	if (!name || pl_str_is(pl_str(name), "???")) /* libdw's word for number 0 before DWARF 5 */
		return (struct pl_str){0};
	struct pl_buf path = {0};
	const char *folder = name[0] == '/' ? NULL : compilation_folder(f, u);
	if (folder)
		add_path(&path, folder);
	add_path(&path, name);
	u->paths[number].p = pl_arena_dup(&f->arena, pl_buf_str(&path).p, path.n);
	u->paths[number].n = path.n;
	pl_buf_free(&path);
	return u->paths[number];
}

/* The last row at or before the address, or NULL. Rows are in the order of their addresses. */
static Dwarf_Line *row_of(struct dwarf_unit *u, uint64_t address)
{
	size_t lo = 0, hi = u->lines_n;
	Dwarf_Addr at;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (dwarf_lineaddr(dwarf_onesrcline(u->lines, mid), &at) == 0 && at <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? dwarf_onesrcline(u->lines, lo - 1) : NULL;
}

void dwarf_lines_find(struct dwarf_file *f, struct dwarf_unit *u, uint64_t address,
		      struct dwarf_frame *frame)
{
	Dwarf_Files *files;
	size_t number;
	int line = 0, column = 0;
	bool end = true;

	read_lines(f, u);
	Dwarf_Line *row = row_of(u, address);
	if (!row || dwarf_lineendsequence(row, &end) || end)
		return;
	dwarf_lineno(row, &line);
	dwarf_linecol(row, &column);
	frame->line = line > 0 ? (uint64_t)line : 0;
	frame->column = column > 0 ? (uint64_t)column : 0;
	if (dwarf_line_file(row, &files, &number) == 0)
		frame->file = dwarf_lines_path(f, u, number);
}
