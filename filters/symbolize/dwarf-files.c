/* dwarf-files: the names in the header of a line-number program */
#include "dwarf-files.h"
#include "dwarf-parts.h"

struct reader {
	const struct dwarf_program *program;
	struct dwarf_program_header header;
	const unsigned char *p;
	struct dwarf_layout layout;
};

/* 0, or 1: there is no room for another entry. */
static int take_room(const struct dwarf_program *program)
{
	if (*program->room == 0)
		return 1;
	--*program->room;
	return 0;
}

static int add_folder(struct reader *r, struct dwarf_file_names *names, struct pl_str folder)
{
	if (take_room(r->program))
		return 1;
	PL_GROW(names->folders, names->folders_n + 1, names->folders_cap);
	names->folders[names->folders_n++] = folder;
	return 0;
}

static int add_file(struct reader *r, struct dwarf_file_names *names, struct dwarf_file_name file)
{
	if (take_room(r->program))
		return 1;
	PL_GROW(names->v, names->n + 1, names->cap);
	names->v[names->n++] = file;
	return 0;
}

/* The string at p, up to its NUL; absent when there is none before `end`. */
static struct pl_str string_at(const unsigned char *p, const unsigned char *end)
{
	const unsigned char *nul = p < end ? memchr(p, 0, (size_t)(end - p)) : NULL;

	return nul ? (struct pl_str){(const char *)p, (size_t)(nul - p)} : (struct pl_str){0};
}

/* ---- versions 2 to 4: lists that end with an empty string ---- */

static int take_string(struct reader *r, struct pl_str *s)
{
	*s = string_at(r->p, r->header.program);
	if (!s->p)
		return -1;
	r->p += s->n + 1;
	return 0;
}

static int read_old_folders(struct reader *r, struct dwarf_file_names *names)
{
	struct pl_str s = {0};
	int result = add_folder(r, names, s);

	while (result == 0) {
		if (take_string(r, &s))
			return -1;
		if (s.n == 0)
			break;
		result = add_folder(r, names, s);
	}
	return result;
}

static int read_old_files(struct reader *r, struct dwarf_file_names *names)
{
	struct dwarf_file_name file = {0};
	int result = add_file(r, names, file);
	uint64_t time, size;

	while (result == 0) {
		if (take_string(r, &file.name))
			return -1;
		if (file.name.n == 0)
			break;
		if (dwarf_uleb(&r->p, r->header.program, &file.folder) ||
		    dwarf_uleb(&r->p, r->header.program, &time) ||
		    dwarf_uleb(&r->p, r->header.program, &size))
			return -1;
		result = add_file(r, names, file);
	}
	return result;
}

/* ---- version 5: tables that say how they are laid out ---- */

struct format {
	struct {
		uint64_t content, form;
	} v[UINT8_MAX];
	unsigned n;
};

static int read_format(struct reader *r, struct format *format)
{
	if (r->p >= r->header.program)
		return -1;
	format->n = *r->p++;
	for (unsigned i = 0; i < format->n; i++) {
		if (dwarf_uleb(&r->p, r->header.program, &format->v[i].content) ||
		    dwarf_uleb(&r->p, r->header.program, &format->v[i].form) ||
		    format->v[i].form > UINT16_MAX)
			return -1;
	}
	return 0;
}

static struct pl_str string_in(const struct reader *r, struct pl_str section)
{
	uint64_t at = dwarf_number(r->p, r->layout.offset_size, r->layout.big_endian);
	const unsigned char *start = (const unsigned char *)section.p;

	return at < section.n ? string_at(start + at, start + section.n) : (struct pl_str){0};
}

/* The value at r->p, which is all there. Strings by number (strx) are not followed: compilers write
 * none here. */
static struct pl_str string_value(const struct reader *r, uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
		return string_at(r->p, r->header.program);
	case DW_FORM_line_strp:
		return string_in(r, r->program->line_strings);
	case DW_FORM_strp:
		return string_in(r, r->program->strings);
	default:
		return (struct pl_str){0};
	}
}

static uint64_t number_value(const struct reader *r, uint64_t form)
{
	const unsigned char *p = r->p;
	uint64_t value = 0;

	switch (form) {
	case DW_FORM_data1:
		return *p;
	case DW_FORM_data2:
		return dwarf_number(p, 2, r->layout.big_endian);
	case DW_FORM_udata:
		return dwarf_uleb(&p, r->header.program, &value) ? UINT64_MAX : value;
	default:
		return UINT64_MAX;
	}
}

/* 0, or -1: damaged; so is an entry without a byte, of which there might be any number. */
static int read_entry(struct reader *r, const struct format *format, struct dwarf_file_name *entry)
{
	const unsigned char *start = r->p;

	*entry = (struct dwarf_file_name){0};
	for (unsigned i = 0; i < format->n; i++) {
		uint64_t form = format->v[i].form;
		const unsigned char *behind =
			dwarf_form_skip(r->p, r->header.program, (unsigned)form, &r->layout);
		if (!behind)
			return -1;
		if (format->v[i].content == DW_LNCT_path)
			entry->name = string_value(r, form);
		else if (format->v[i].content == DW_LNCT_directory_index)
			entry->folder = number_value(r, form);
		r->p = behind;
	}
	return r->p > start ? 0 : -1;
}

static int read_table(struct reader *r, struct dwarf_file_names *names, bool folders)
{
	struct dwarf_file_name entry;
	struct format format;
	uint64_t n;
	int result = 0;

	if (read_format(r, &format) || dwarf_uleb(&r->p, r->header.program, &n))
		return -1;
	for (uint64_t i = 0; i < n && result == 0; i++) {
		if (read_entry(r, &format, &entry))
			return -1;
		result = folders ? add_folder(r, names, entry.name) : add_file(r, names, entry);
	}
	return result;
}

int dwarf_file_names_read(struct dwarf_file_names *names, const struct dwarf_program *program)
{
	struct reader r = {.program = program};
	int result;

	if (dwarf_program_header(program, &r.header))
		return -1;
	r.p = r.header.names;
	r.layout = (struct dwarf_layout){r.header.version, sizeof(uint64_t), r.header.offset_size,
					 program->big_endian};
	if (r.header.version < 5) {
		result = read_old_folders(&r, names);
		return result ? result : read_old_files(&r, names);
	}
	result = read_table(&r, names, true);
	return result ? result : read_table(&r, names, false);
}

void dwarf_file_names_free(struct dwarf_file_names *names)
{
	free(names->folders);
	free(names->v);
}
