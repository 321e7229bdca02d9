/* dwarf: this program's own debug information, with lines that #line declares; and damaged ones,
 * made by hand */
#include "../../filters/symbolize/dwarf-parts.h"
#include "../../filters/symbolize/dwarf.h"
#include "dwarf_kit.h"
#include "unit.h"

#include <fcntl.h>
#include <link.h>

static const struct dwarf_files_options no_options;

/* ---- ourselves ---- */

static int own_base(struct dl_phdr_info *info, size_t size, void *to)
{
	(void)size;
	*(uint64_t *)to = info->dlpi_addr;
	return 1; /* the program itself is the first */
}

/* Where its caller called it, as the ELF file counts addresses. */
static __attribute__((noinline)) uint64_t here(void)
{
	uint64_t base = 0;

	dl_iterate_phdr(own_base, &base);
	return (uint64_t)(uintptr_t)__builtin_return_address(0) - 1 - base;
}

static volatile int one = 1;

/* clang-format off */
#line 100 "/virtual/./dir//inlined.c"
static inline __attribute__((always_inline)) uint64_t inner(void)
{
	uint64_t at = here();
	return at + (uint64_t)one - 1;
}
static inline __attribute__((always_inline)) uint64_t middle(void)
{
	one = 1; return inner() * (uint64_t)one;
}
#line 200 "outermost.c"
static __attribute__((noinline)) uint64_t outermost(void)
{
	uint64_t at = middle();
	return at * (uint64_t)one;
}
#line 51 "tests/unit/dwarf_test.c"
/* clang-format on */

static struct dwarf_file *open_self(void)
{
	struct dwarf_file *f = NULL;
	struct pl_err err;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	CHECK(dwarf_file_open(&f, fd, &no_options, &err) == 0);
	close(fd);
	return f;
}

TEST(chain_of_inlined_functions)
{
	struct dwarf_file *f = open_self();
	struct dwarf_answer a;

	CHECK(dwarf_file_lookup(f, outermost(), DWARF_LINES | DWARF_INLINES, &a));
	if (CHECK(a.n == 3)) {
		CHECK_STR(a.frames[0].name.p, a.frames[0].name.n, "outermost");
		CHECK_STR(a.frames[1].name.p, a.frames[1].name.n, "middle");
		CHECK_STR(a.frames[2].name.p, a.frames[2].name.n, "inner");
		CHECK(pl_str_ends(a.frames[0].file, "/outermost.c") &&
		      a.frames[0].file.p[0] == '/');
		CHECK_U64(a.frames[0].line, 202);
		CHECK_U64(a.frames[0].column, 16);
		CHECK_STR(a.frames[1].file.p, a.frames[1].file.n, "/virtual/dir/inlined.c");
		CHECK_U64(a.frames[1].line, 107);
		CHECK_U64(a.frames[1].column, 18);
		CHECK_STR(a.frames[2].file.p, a.frames[2].file.n, "/virtual/dir/inlined.c");
		CHECK_U64(a.frames[2].line, 102);
		CHECK(!a.frames[0].inlined && a.frames[1].inlined && a.frames[2].inlined);
	}
	CHECK_STR(dwarf_file_lacks(f), strlen(dwarf_file_lacks(f)), "");
	dwarf_file_close(f);
}

TEST(tells_what_was_asked_for)
{
	struct dwarf_file *f = open_self();
	struct dwarf_answer a;
	uint64_t at = outermost();

	CHECK(dwarf_file_lookup(f, at, DWARF_LINES, &a) && a.n == 1);
	CHECK(a.frames[0].name.p == NULL && a.frames[0].line == 102 && !a.frames[0].inlined);
	CHECK(dwarf_file_lookup(f, at, DWARF_INLINES, &a) && a.n == 3);
	CHECK(a.frames[2].line == 0 && a.frames[2].file.p == NULL && a.frames[0].line == 0);
	CHECK_STR(a.frames[2].name.p, a.frames[2].name.n, "inner");
	CHECK(!dwarf_file_lookup(f, 1, DWARF_LINES | DWARF_INLINES, &a) && a.n == 0);
	dwarf_file_close(f);
}

/* ---- spans ---- */

static void check_spans(struct dwarf_spans *s, const struct dwarf_span *want, size_t n)
{
	dwarf_spans_flatten(s);
	CHECK_U64(s->n, n);
	for (size_t i = 0; i < n && i < s->n; i++) {
		CHECK_U64(s->v[i].lo, want[i].lo);
		CHECK_U64(s->v[i].hi, want[i].hi);
		CHECK_U64(s->v[i].owner, want[i].owner);
	}
	dwarf_spans_free(s);
}

TEST(spans_within_each_other)
{
	static const struct dwarf_span want[] = {{0, 10, 0},  {10, 20, 1}, {20, 30, 2},
						 {30, 40, 1}, {40, 50, 0}, {60, 70, 1}};
	struct dwarf_spans s = {0};

	dwarf_spans_add(&s, 60, 70, 1);
	dwarf_spans_add(&s, 0, 50, 0);
	dwarf_spans_add(&s, 20, 30, 2);
	dwarf_spans_add(&s, 10, 40, 1);
	dwarf_spans_add(&s, 15, 15, 3);
	dwarf_spans_add(&s, 18, 17, 4);
	check_spans(&s, want, PL_COUNT(want));
}

TEST(spans_that_cross_or_are_the_same)
{
	static const struct dwarf_span want[] = {
		{0, 5, 0}, {5, 15, 1}, {20, 30, 8}, {UINT64_MAX - 9, UINT64_MAX, 9}};
	struct dwarf_spans s = {0};

	dwarf_spans_add(&s, 0, 10, 0);
	dwarf_spans_add(&s, 5, 15, 1);
	dwarf_spans_add(&s, 20, 30, 8);
	dwarf_spans_add(&s, 20, 30, 7);
	dwarf_spans_add(&s, UINT64_MAX - 9, UINT64_MAX, 9);
	check_spans(&s, want, PL_COUNT(want));
}

TEST(spans_that_touch_are_joined)
{
	struct dwarf_spans s = {0};

	dwarf_spans_add(&s, 1, 2, 0);
	dwarf_spans_add(&s, 30, 40, 1);
	dwarf_spans_add(&s, 15, 20, 1);
	dwarf_spans_add(&s, 10, 15, 1);
	dwarf_spans_add(&s, 12, 13, 1);
	dwarf_spans_join(&s, 1);
	CHECK_U64(s.n, 3);
	CHECK(s.v[1].lo == 10 && s.v[1].hi == 20 && s.v[2].lo == 30 && s.v[2].hi == 40);
	CHECK(dwarf_spans_meet(&s, 19, 25) && dwarf_spans_meet(&s, 25, 31));
	CHECK(!dwarf_spans_meet(&s, 20, 30) && !dwarf_spans_meet(&s, 40, 50));
	dwarf_spans_free(&s);
}

TEST(spans_are_found)
{
	struct dwarf_spans s = {0};

	CHECK(dwarf_spans_find(&s, 0) == NULL);
	dwarf_spans_add(&s, 10, 20, 1);
	dwarf_spans_add(&s, 30, 40, 2);
	dwarf_spans_flatten(&s);
	CHECK(dwarf_spans_find(&s, 9) == NULL && dwarf_spans_find(&s, 20) == NULL);
	CHECK(dwarf_spans_find(&s, 10)->owner == 1 && dwarf_spans_find(&s, 19)->owner == 1);
	CHECK(dwarf_spans_find(&s, 39)->owner == 2 && dwarf_spans_find(&s, 40) == NULL);
	dwarf_spans_free(&s);
}

/* ---- forms ---- */

TEST(forms_end_before_the_end)
{
	static const unsigned char b[20] = {2, 0, 0, 0, 'x', 0};
	static const struct {
		unsigned form;
		size_t size; /* of its value at b, DWARF 5, 7.5.6 */
	} list[] = {{DW_FORM_addr, 8},	       {DW_FORM_data1, 1},  {DW_FORM_data16, 16},
		    {DW_FORM_flag_present, 0}, {DW_FORM_string, 2}, {DW_FORM_strx3, 3},
		    {DW_FORM_udata, 1},	       {DW_FORM_block, 3},  {DW_FORM_block1, 3},
		    {DW_FORM_block2, 4},       {DW_FORM_block4, 6}, {DW_FORM_exprloc, 3},
		    {DW_FORM_ref_addr, 4},     {DW_FORM_strp, 4},   {DW_FORM_implicit_const, 0}};
	static const struct dwarf_layout layout = {5, 8, 4, false};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		CHECK(dwarf_form_skip(b, b + sizeof b, list[i].form, &layout) == b + list[i].size);
		for (size_t n = 0; n < list[i].size; n++)
			CHECK(!dwarf_form_skip(b, b + n, list[i].form, &layout));
	}
	CHECK(!dwarf_form_skip(b, b + sizeof b, 0x7777, &layout));
	static const unsigned char indirect[] = {DW_FORM_data2, 1, 2, DW_FORM_indirect};
	CHECK(dwarf_form_skip(indirect, indirect + 4, DW_FORM_indirect, &layout) == indirect + 3);
	CHECK(!dwarf_form_skip(indirect + 3, indirect + 4, DW_FORM_indirect, &layout));
}

TEST(leb128)
{
	static const unsigned char good[] = {0xe5, 0x8e, 0x26},
				   endless[12] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
						  0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
	const unsigned char *p = good;
	uint64_t v = 0;

	CHECK(dwarf_uleb(&p, good + 3, &v) == 0 && p == good + 3);
	CHECK_U64(v, 624485); /* 0x65 + (0x0e << 7) + (0x26 << 14) */
	p = good;
	CHECK(dwarf_uleb(&p, good + 2, &v) == -1);
	p = endless;
	CHECK(dwarf_uleb(&p, endless + sizeof endless, &v) == -1);
}

/* ---- rows ---- */

/* clang-format off */
/* A program of DWARF 2; line_base -5, line_range 14, opcode_base 13. */
static const unsigned char program_bytes[] = {
	85, 0, 0, 0, 2, 0, 20, 0, 0, 0, 1, 1, 0xfb, 14, 13,
	0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, /* arguments of opcodes 1 to 12 */
	0, 0, 0xff, /* no folders, no files; a byte that header_length takes in */
	0, 9, DW_LNE_set_address, 0, 0x11, 0, 0, 0, 0, 0, 0,
	DW_LNS_advance_line, 9, DW_LNS_copy, /* 0x1100: line 10 */
	49, /* (3 + 5) + 14 * 2 + 13: two bytes on, three lines on; 0x1102: line 13 */
	DW_LNS_set_column, 7,
	DW_LNS_const_add_pc, /* (255 - 13) / 14 = 17 */
	DW_LNS_fixed_advance_pc, 13, 0, DW_LNS_advance_line, 0x7d,
	DW_LNS_copy, /* 0x1120: line 10 */
	DW_LNS_advance_pc, 16, 0, 1, DW_LNE_end_sequence, /* 0x1130 */
	0, 9, DW_LNE_set_address, 0, 0, 0, 0, 0, 0, 0, 0,
	DW_LNS_copy, DW_LNS_advance_pc, 0x80, 0x40, 0, 1, DW_LNE_end_sequence, /* removed: 0x2000 */
	0, 9, DW_LNE_set_address, 0, 0x12, 0, 0, 0, 0, 0, 0,
	DW_LNS_copy, /* no end */
};
/* clang-format on */

static int read_rows(struct dwarf_rows *rows, size_t n, size_t room)
{
	struct dwarf_spans text = {0};
	struct dwarf_program program = {
		.section = {(const char *)program_bytes, n}, .text = &text, .room = &room};

	dwarf_spans_add(&text, 0x1000, 0x2000, 0);
	int result = dwarf_rows_read(rows, &program);
	dwarf_spans_free(&text);
	return result;
}

TEST(rows_of_a_line_program)
{
	static const struct {
		uint64_t address, line, column; /* line 0: none */
	} want[] = {{0x10ff, 0, 0},  {0x1100, 10, 0}, {0x1101, 10, 0}, {0x1102, 13, 0},
		    {0x111f, 13, 0}, {0x1120, 10, 7}, {0x112f, 10, 7}, {0x1130, 0, 0},
		    {0x1200, 0, 0},  {0, 0, 0}};
	struct dwarf_rows rows = {0};

	CHECK_U64(program_bytes[0], sizeof program_bytes - 4);
	CHECK(read_rows(&rows, sizeof program_bytes, 100) == 0);
	for (size_t i = 0; i < PL_COUNT(want); i++) {
		const struct dwarf_row *row = dwarf_rows_find(&rows, want[i].address);
		CHECK_U64(row ? row->line : 0, want[i].line);
		CHECK_U64(row ? row->column : 0, want[i].column);
		CHECK(!row || row->file == 1);
	}
	dwarf_rows_free(&rows);
}

/* Rows at 0x1100, 0x1102 and 0x1120, to 0x1130. */
TEST(rows_allow_for_functions_that_begin_at_one)
{
	struct dwarf_unit u = {.rows_read = true, .rows_all = true};

	CHECK(dwarf_lines_allow(NULL, &u, 0x1101, 0x1110)); /* no rows say nothing */
	CHECK(read_rows(&u.rows, sizeof program_bytes, 100) == 0);
	CHECK(dwarf_lines_allow(NULL, &u, 0x1100, 0x1130));
	CHECK(dwarf_lines_allow(NULL, &u, 0x1120, 0x1130));
	CHECK(!dwarf_lines_allow(NULL, &u, 0x1101, 0x1110));
	CHECK(dwarf_lines_allow(NULL, &u, 0x10fc, 0x1110)); /* its first bytes have none */
	CHECK(!dwarf_lines_allow(NULL, &u, 0x10fc, 0x1100));
	CHECK(!dwarf_lines_allow(NULL, &u, 0x1200, 0x1210));
	u.rows_all = false;
	CHECK(dwarf_lines_allow(NULL, &u, 0x1101, 0x1110));
	dwarf_rows_free(&u.rows);
}

TEST(rows_cut_off_or_too_many)
{
	for (size_t n = 0; n < sizeof program_bytes; n++) {
		struct dwarf_rows rows = {0};
		CHECK(read_rows(&rows, n, 100) == -1);
		dwarf_rows_free(&rows);
	}
	struct dwarf_rows rows = {0};
	CHECK(read_rows(&rows, sizeof program_bytes, 2) == 1);
	dwarf_rows_free(&rows);
}

/* ---- names of files ---- */

/* Two folders and two files; the file with number 1 is inc/a.h. */
static void check_file_names(const unsigned char *bytes, size_t n, struct pl_str line_strings)
{
	size_t room = 100;
	struct dwarf_program program = {
		.section = {(const char *)bytes, n}, .line_strings = line_strings, .room = &room};
	struct dwarf_file_names names = {0};

	CHECK(dwarf_file_names_read(&names, &program) == 0);
	if (CHECK(names.folders_n == 2 && names.n == 2)) {
		CHECK_STR(names.folders[1].p, names.folders[1].n, "inc");
		CHECK_STR(names.v[1].name.p, names.v[1].name.n, "a.h");
		CHECK_U64(names.v[1].folder, 1);
	}
	dwarf_file_names_free(&names);
	for (size_t i = 0; i < 4; i++) {
		struct dwarf_file_names some = {0};
		room = i;
		CHECK(dwarf_file_names_read(&some, &program) == 1);
		dwarf_file_names_free(&some);
	}
	for (size_t i = 0; i < n; i++) {
		struct dwarf_file_names some = {0};
		room = 100;
		program.section.n = i;
		CHECK(dwarf_file_names_read(&some, &program) == -1);
		dwarf_file_names_free(&some);
	}
}

TEST(names_of_files)
{
	/* clang-format off */
	static const unsigned char two[] = {
		33, 0, 0, 0, 2, 0, 27, 0, 0, 0, 1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1,
		'i', 'n', 'c', 0, 0, 'a', '.', 'h', 0, 1, 0, 0, 0};
	static const unsigned char five[] = {
		43, 0, 0, 0, 5, 0, 8, 0, 35, 0, 0, 0, 1, 1, 1, 0xfb, 14, 4, 0, 1, 1,
		1, DW_LNCT_path, DW_FORM_line_strp, 2, 0, 0, 0, 0, 2, 0, 0, 0,
		2, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index, DW_FORM_udata,
		2, 'b', 0, 0, 'a', '.', 'h', 0, 1};
	/* clang-format on */

	CHECK_U64(two[0], sizeof two - 4);
	CHECK_U64(five[0], sizeof five - 4);
	check_file_names(two, sizeof two, PL_S(""));
	check_file_names(five, sizeof five, (struct pl_str){"/\0inc", 6});
}

TEST(entries_without_a_byte_are_damaged)
{
	static const unsigned char bytes[] = {22, 0,	0,    0,    5,	  0,	8,    0,  14,
					      0,  0,	0,    1,    1,	  1,	0xfb, 14, 1,
					      0,  0xff, 0xff, 0xff, 0xff, 0x7f, 0,    0};
	size_t room = 100;
	struct dwarf_program program = {.section = {(const char *)bytes, sizeof bytes},
					.room = &room};
	struct dwarf_file_names names = {0};

	CHECK(dwarf_file_names_read(&names, &program) == -1);
	CHECK_U64(room, 100);
	dwarf_file_names_free(&names);
}

/* ---- made by hand ---- */

/* Codes: 1 unit, 2 function, 3 inlined copy, 4 abstract function, 5 namespace, 6 one with a
 * sibling, 7 a unit without addresses, 8 an inlined copy without. */
/* clang-format off */
static const unsigned char abbrevs[] = {
	1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
	DW_AT_high_pc, DW_FORM_data4, 0, 0,
	2, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
	DW_AT_high_pc, DW_FORM_data4, 0, 0,
	3, DW_TAG_inlined_subroutine, 0, DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_low_pc,
	DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_call_line, DW_FORM_data1, 0, 0,
	4, DW_TAG_subprogram, 0, DW_AT_abstract_origin, DW_FORM_ref4, 0, 0,
	5, DW_TAG_namespace, 1, 0, 0,
	6, DW_TAG_enumeration_type, 1, DW_AT_sibling, DW_FORM_ref4, 0, 0,
	7, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, 0, 0,
	8, DW_TAG_inlined_subroutine, 1, DW_AT_abstract_origin, DW_FORM_ref4, 0, 0,
	0};
/* clang-format on */

static void add_number(struct pl_buf *b, uint64_t v, size_t n)
{
	pl_buf_add(b, &v, n); /* of a little-endian host */
}

/* A DWARF 4 unit's header; its length is set by end_unit(). */
static void begin_unit(struct pl_buf *b)
{
	add_number(b, 0, 4);
	add_number(b, 4, 2);
	add_number(b, 0, 4);
	add_number(b, 8, 1);
}
static void add_code(struct pl_buf *b, uint8_t code, const char *name, uint64_t lo, uint32_t size)
{
	add_number(b, code, 1);
	pl_buf_add(b, name, strlen(name) + 1);
	add_number(b, lo, 8);
	add_number(b, size, 4);
}
static void add_inlined(struct pl_buf *b, uint32_t origin, uint64_t lo, uint32_t size, uint8_t line)
{
	add_number(b, 3, 1);
	add_number(b, origin, 4);
	add_number(b, lo, 8);
	add_number(b, size, 4);
	add_number(b, line, 1);
}
static struct dwarf_file *end_unit(struct pl_buf *b)
{
	struct dwarf_file *f = NULL;
	struct pl_err err;
	uint32_t length = (uint32_t)b->n - 4;

	memcpy(b->p, &length, sizeof length);
	const struct kit_section sections[] = {
		{".debug_info", pl_buf_str(b), 0},
		{".debug_abbrev", {(const char *)abbrevs, sizeof abbrevs}, 0}};
	int fd = kit_elf(ET_EXEC, sections, PL_COUNT(sections));
	CHECK(fd >= 0 && dwarf_file_open(&f, fd, &no_options, &err) == 0);
	close(fd);
	pl_buf_free(b);
	return f;
}

/* The frames' names at an address, outermost first, with a blank between; and what is lacking. */
static void check_names(struct dwarf_file *f, uint64_t address, const char *want)
{
	struct dwarf_answer a;
	struct pl_buf names = {0};

	dwarf_file_lookup(f, address, DWARF_LINES | DWARF_INLINES, &a);
	for (size_t i = 0; i < a.n; i++) {
		pl_buf_addz(&names, i ? " " : "");
		pl_buf_adds(&names, a.frames[i].name.n ? a.frames[i].name : PL_S("-"));
	}
	CHECK_STR(pl_buf_str(&names).p, names.n, want);
	pl_buf_free(&names);
}
static void check_lacks(struct dwarf_file *f, const char *want)
{
	CHECK_STR(dwarf_file_lacks(f), strlen(dwarf_file_lacks(f)), want);
	dwarf_file_close(f);
}

TEST(removed_code_is_nobodys)
{
	struct pl_buf b = {0};

	begin_unit(&b);
	add_code(&b, 1, "unit", 0x1000, 0x800);
	add_code(&b, 2, "removed", 0, 0x2000);
	add_inlined(&b, 11, 0x1108, 4, 1);
	pl_buf_addc(&b, 0);
	add_code(&b, 2, "removed-too", UINT64_MAX, 0x10);
	pl_buf_addc(&b, 0);
	add_code(&b, 2, "empty", 0x1100, 0);
	pl_buf_addc(&b, 0);
	add_code(&b, 2, "live", 0x1100, 0x10);
	add_inlined(&b, 11, 0x110c, 8, 1); /* reaches beyond it */
	pl_buf_add(&b, "\0\0", 2);
	struct dwarf_file *f = end_unit(&b);
	check_names(f, 0x10ff, "-");
	check_names(f, 0x1100, "live");
	check_names(f, 0x1108, "live");
	check_names(f, 0x110c, "live");
	check_names(f, 0x1110, "-");
	check_names(f, 0x10, "");
	check_names(f, 0x1800, "");
	check_lacks(f, "");
}

TEST(names_come_by_a_bounded_way)
{
	struct pl_buf b = {0};
	struct dwarf_answer a;

	begin_unit(&b);
	add_code(&b, 1, "unit", 0x1000, 0x800);
	uint32_t first = (uint32_t)b.n, second = first + 5, function = second + 5;
	add_number(&b, 4, 1);
	add_number(&b, second, 4);
	add_number(&b, 4, 1);
	add_number(&b, first, 4);
	add_code(&b, 2, "f", 0x1100, 0x100);
	add_inlined(&b, first, 0x1110, 0x10, 7);
	add_inlined(&b, function, 0x1120, 0x10, 8);
	add_inlined(&b, 0x7fffffff, 0x1130, 0x10, 9);
	pl_buf_add(&b, "\0\0", 2);
	struct dwarf_file *f = end_unit(&b);
	check_names(f, 0x1110, "f -");
	check_names(f, 0x1120, "f f");
	check_names(f, 0x1130, "f -");
	CHECK(dwarf_file_lookup(f, 0x1120, DWARF_LINES | DWARF_INLINES, &a) && a.n == 2);
	CHECK_U64(a.frames[0].line, 8);
	dwarf_file_close(f);
}

TEST(an_inlined_copy_without_addresses_is_between_the_others)
{
	struct pl_buf b = {0};
	struct dwarf_answer a;

	begin_unit(&b);
	add_code(&b, 1, "unit", 0x1000, 0x800);
	uint32_t function = (uint32_t)b.n;
	add_code(&b, 2, "f", 0x1100, 0x100);
	add_number(&b, 8, 1);
	add_number(&b, function, 4);
	add_inlined(&b, function, 0x1110, 0x10, 7);
	pl_buf_add(&b, "\0\0\0", 3);
	struct dwarf_file *f = end_unit(&b);
	check_names(f, 0x1110, "f f f");
	check_names(f, 0x1120, "f");
	CHECK(dwarf_file_lookup(f, 0x1110, DWARF_LINES | DWARF_INLINES, &a) && a.n == 3);
	CHECK_U64(a.frames[0].line, 0);
	CHECK_U64(a.frames[1].line, 7);
	check_lacks(f, "");
}

TEST(a_unit_without_ranges)
{
	struct pl_buf b = {0};

	begin_unit(&b);
	pl_buf_add(&b, "\7unit", 6);
	pl_buf_addc(&b, 5);
	add_code(&b, 2, "within", 0x1200, 0x20);
	pl_buf_add(&b, "\0\0\0", 3);
	struct dwarf_file *f = end_unit(&b);
	check_names(f, 0x121f, "within");
	check_names(f, 0x1220, "");
	check_lacks(f, "");
}

TEST(siblings_lead_forward_only)
{
	struct pl_buf b = {0};

	begin_unit(&b);
	add_code(&b, 1, "unit", 0x1000, 0x800);
	add_number(&b, 6, 1);
	add_number(&b, (uint32_t)b.n - 1, 4); /* itself: not followed */
	pl_buf_addc(&b, 0);
	uint32_t skipped = (uint32_t)b.n;
	add_number(&b, 6, 1);
	add_number(&b, skipped + 8, 4);
	pl_buf_add(&b, "\xff\xff\xff", 3); /* never read */
	add_code(&b, 2, "behind", 0x1300, 0x10);
	pl_buf_add(&b, "\0\0", 2);
	struct dwarf_file *f = end_unit(&b);
	check_names(f, 0x1300, "behind");
	check_lacks(f, "");
}

TEST(depth_is_bounded)
{
	struct pl_buf b = {0};

	begin_unit(&b);
	add_code(&b, 1, "unit", 0x1000, 0x800);
	add_code(&b, 2, "before", 0x1400, 0x10);
	pl_buf_addc(&b, 0);
	for (int i = 0; i < 100000; i++)
		pl_buf_addc(&b, 5);
	struct dwarf_file *f = end_unit(&b);
	check_names(f, 0x1400, "before");
	check_lacks(f, "DEBUG_LIMIT");
}

TEST(what_is_cut_off_or_unknown_is_damaged)
{
	static const char *const tails[] = {"", "\x63", "\x02", "\x80\x80\x80\x80\x80"};

	for (size_t i = 0; i < PL_COUNT(tails); i++) {
		struct pl_buf b = {0};
		begin_unit(&b);
		add_code(&b, 1, "unit", 0x1000, 0x800);
		add_code(&b, 2, "before", 0x1500, 0x10);
		pl_buf_addc(&b, 0);
		pl_buf_addz(&b, tails[i]);
		struct dwarf_file *f = end_unit(&b);
		check_names(f, 0x1500, "before");
		check_lacks(f, "DEBUG_DAMAGED");
	}
}

static void check_file(uint16_t type, struct kit_section section, const char *lacks)
{
	struct dwarf_file *f = NULL;
	struct pl_err err;
	struct dwarf_answer a;
	int fd = kit_elf(type, &section, 1);

	CHECK(dwarf_file_open(&f, fd, &no_options, &err) == 0);
	close(fd);
	CHECK(!dwarf_file_lookup(f, 0x1100, DWARF_LINES | DWARF_INLINES, &a) && a.n == 0);
	check_lacks(f, lacks);
}

TEST(says_why_there_is_nothing)
{
	static const Elf64_Chdr zstd = {.ch_type = 2, .ch_size = 100, .ch_addralign = 1};
	static const Elf64_Chdr other = {.ch_type = 9, .ch_size = 100, .ch_addralign = 1};
	static const struct pl_str compressed = {(const char *)&zstd, sizeof zstd};
	static const struct pl_str unknown = {(const char *)&other, sizeof other};

	static const Elf64_Chdr huge = {.ch_type = 1, .ch_size = 64 << 20, .ch_addralign = 1};
	static const struct pl_str packed = {(const char *)&huge, sizeof huge};
	static const struct pl_str gnu = {"ZLIB\0\0\0\0\4\0\0\0", 12}; /* 64 MiB, too */

	check_file(ET_DYN, (struct kit_section){".debug_info", packed, SHF_COMPRESSED},
		   "DEBUG_LIMIT");
	check_file(ET_DYN, (struct kit_section){".zdebug_info", gnu, 0}, "DEBUG_LIMIT");
	check_file(ET_DYN, (struct kit_section){".data", PL_S("x"), 0}, "NO_DEBUG_INFO");
	check_file(ET_REL, (struct kit_section){".debug_info", PL_S("x"), 0}, "DEBUG_RELOCATABLE");
	check_file(ET_DYN, (struct kit_section){".debug_info", PL_S("x"), 0}, "DEBUG_DAMAGED");
	check_file(ET_DYN, (struct kit_section){".debug_info", compressed, SHF_COMPRESSED},
		   "DEBUG_ZSTD");
	check_file(ET_DYN, (struct kit_section){".debug_info", unknown, SHF_COMPRESSED},
		   "DEBUG_COMPRESSION");
}

TEST(refuses_what_is_no_elf_file)
{
	struct dwarf_file *f = NULL;
	struct pl_err err = {0};
	int fd = memfd_create("text", MFD_CLOEXEC);

	CHECK(write(fd, "text", 4) == 4);
	CHECK(dwarf_file_open(&f, fd, &no_options, &err) == -1 && f == NULL);
	CHECK(err.code == PL_E_UNSUPPORTED_FORMAT);
	close(fd);
	CHECK(dwarf_file_open(&f, -1, &no_options, &err) == -1 && f == NULL);
	dwarf_file_close(f);
}

int main(void)
{
	RUN(chain_of_inlined_functions);
	RUN(tells_what_was_asked_for);
	RUN(spans_within_each_other);
	RUN(spans_that_cross_or_are_the_same);
	RUN(spans_that_touch_are_joined);
	RUN(spans_are_found);
	RUN(forms_end_before_the_end);
	RUN(leb128);
	RUN(rows_of_a_line_program);
	RUN(rows_allow_for_functions_that_begin_at_one);
	RUN(rows_cut_off_or_too_many);
	RUN(names_of_files);
	RUN(entries_without_a_byte_are_damaged);
	RUN(removed_code_is_nobodys);
	RUN(names_come_by_a_bounded_way);
	RUN(an_inlined_copy_without_addresses_is_between_the_others);
	RUN(a_unit_without_ranges);
	RUN(siblings_lead_forward_only);
	RUN(depth_is_bounded);
	RUN(what_is_cut_off_or_unknown_is_damaged);
	RUN(says_why_there_is_nothing);
	RUN(refuses_what_is_no_elf_file);
	return unit_done();
}
