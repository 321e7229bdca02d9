/* dwarf-lines: a unit's line table, its files, and their paths */
#include "dwarf-parts.h"

/* The unit's line-number program. */
static bool find_program(struct dwarf_file *f, struct dwarf_unit *u, struct dwarf_program *program)
{
	GElf_Ehdr elf;
	Dwarf_Attribute a;
	Dwarf_Word offset;

	if (!dwarf_attr(&u->die, DW_AT_stmt_list, &a) || dwarf_formudata(&a, &offset))
		return false;
	*program = (struct dwarf_program){
		.section = dwarf_section(f->elf, "debug_line", NULL),
		.line_strings = dwarf_section(f->elf, "debug_line_str", NULL),
		.strings = dwarf_section(f->elf, "debug_str", NULL),
		.offset = offset,
		.big_endian = gelf_getehdr(f->elf, &elf) && elf.e_ident[EI_DATA] == ELFDATA2MSB,
		.text = &f->text,
		.room = &f->room,
	};
	return true;
}

static void note(struct dwarf_file *f, int result)
{
	if (result)
		dwarf_lack(f, result > 0 ? DWARF_LIMIT : DWARF_DAMAGED);
}

static void read_rows(struct dwarf_file *f, struct dwarf_unit *u)
{
	struct dwarf_program program;

	if (u->rows_read)
		return;
	u->rows_read = true;
	if (!find_program(f, u, &program))
		return;
	size_t most = f->room < DWARF_ROWS_MAX ? f->room : DWARF_ROWS_MAX, room = most;
	program.room = &room;
	int result = dwarf_rows_read(&u->rows, &program);
	f->room -= most - room;
	u->rows_all = result == 0;
	note(f, result);
}

static void read_files(struct dwarf_file *f, struct dwarf_unit *u)
{
	struct dwarf_program program;

	if (u->files_read)
		return;
	u->files_read = true;
	if (!find_program(f, u, &program))
		return;
	note(f, dwarf_file_names_read(&u->files, &program));
	u->paths = pl_arena_alloc(&f->arena, (u->files.n + 1) * sizeof *u->paths);
	memset(u->paths, 0, (u->files.n + 1) * sizeof *u->paths);
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
static void add_path(struct pl_buf *to, struct pl_str path)
{
	if (path.n && path.p[0] == '/' && to->n == 0)
		pl_buf_addc(to, '/');
	while (path.n) {
		const char *slash = memchr(path.p, '/', path.n);
		size_t n = slash ? (size_t)(slash - path.p) : path.n;
		if (n && !(n == 1 && path.p[0] == '.')) {
			if (to->n && to->p[to->n - 1] != '/')
				pl_buf_addc(to, '/');
			pl_buf_add(to, path.p, n);
		}
		n += slash != NULL;
		path = (struct pl_str){path.p + n, path.n - n};
	}
}

static bool is_absolute(struct pl_str path)
{
	return path.n && path.p[0] == '/';
}

/* The folders that a file's name is below. Number 0 is the compilation directory, which version 5
 * repeats in the table. */
static void add_folders(struct dwarf_file *f, struct dwarf_unit *u, uint64_t number,
			struct pl_buf *to)
{
	const struct dwarf_file_names *files = &u->files;
	struct pl_str folder =
		number < files->folders_n ? files->folders[number] : (struct pl_str){0};
	bool complete = is_absolute(folder) || (number == 0 && folder.n);

	if (!complete)
		add_path(to, pl_str(compilation_folder(f, u)));
	add_path(to, folder);
}

struct pl_str dwarf_lines_path(struct dwarf_file *f, struct dwarf_unit *u, uint64_t number)
{
	struct pl_buf path = {0};

	read_files(f, u);
	if (number >= u->files.n || !u->files.v[number].name.n)
		return (struct pl_str){0};
	if (u->paths[number].p)
		return u->paths[number];

	const struct dwarf_file_name *file = &u->files.v[number];
	if (!is_absolute(file->name))
		add_folders(f, u, file->folder, &path);
	add_path(&path, file->name);
	u->paths[number].p = pl_arena_dup(&f->arena, pl_buf_str(&path).p, path.n);
	u->paths[number].n = path.n;
	pl_buf_free(&path);
	return u->paths[number];
}

void dwarf_lines_find(struct dwarf_file *f, struct dwarf_unit *u, uint64_t address,
		      struct dwarf_frame *frame)
{
	read_rows(f, u);
	const struct dwarf_row *row = dwarf_rows_find(&u->rows, address);
	if (!row)
		return;
	frame->line = row->line;
	frame->column = row->column;
	frame->file = dwarf_lines_path(f, u, row->file);
}
