/* dwarf-lines: a unit's line table, its files, and their paths */
#include "dwarf-parts.h"

/* Where the unit's line table is. */
static bool find_table(struct dwarf_unit *u, Dwarf_Word *offset)
{
	Dwarf_Attribute a;

	return dwarf_attr(&u->die, DW_AT_stmt_list, &a) && dwarf_formudata(&a, offset) == 0;
}

static void read_rows(struct dwarf_file *f, struct dwarf_unit *u)
{
	GElf_Ehdr elf;
	Dwarf_Word offset;

	if (u->rows_read)
		return;
	u->rows_read = true;
	if (!find_table(u, &offset))
		return;
	struct dwarf_program program = {
		.section = dwarf_section(f->elf, "debug_line", NULL),
		.offset = offset,
		.big_endian = gelf_getehdr(f->elf, &elf) && elf.e_ident[EI_DATA] == ELFDATA2MSB,
		.text = &f->text,
		.room = &f->room,
	};
	int result = dwarf_rows_read(&u->rows, &program);
	u->rows_all = result == 0;
	if (result)
		dwarf_lack(f, result > 0 ? DWARF_LIMIT : DWARF_DAMAGED);
}

static void read_lines(struct dwarf_file *f, struct dwarf_unit *u)
{
	Dwarf_Word offset;

	read_rows(f, u);
	if (u->lines_read || !find_table(u, &offset))
		return;
	u->lines_read = true;
	if (dwarf_getsrcfiles(&u->die, &u->files, &u->files_n)) {
		u->files_n = 0;
		dwarf_lack(f, DWARF_DAMAGED);
	}
	u->paths = pl_arena_alloc(&f->arena, (u->files_n + 1) * sizeof *u->paths);
	memset(u->paths, 0, (u->files_n + 1) * sizeof *u->paths);
}

bool dwarf_lines_allow(struct dwarf_file *f, struct dwarf_unit *u, uint64_t lo, uint64_t hi)
{
	read_rows(f, u);
	if (!u->rows_all || u->rows.n == 0)
		return true;
	const struct dwarf_row *row = dwarf_rows_find(&u->rows, lo);
	return row ? row->address == lo : dwarf_spans_meet(&u->rows.by_sequence, lo, hi);
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

void dwarf_lines_find(struct dwarf_file *f, struct dwarf_unit *u, uint64_t address,
		      struct dwarf_frame *frame)
{
	read_lines(f, u);
	const struct dwarf_row *row = dwarf_rows_find(&u->rows, address);
	if (!row)
		return;
	frame->line = row->line;
	frame->column = row->column;
	frame->file = dwarf_lines_path(f, u, row->file);
}
