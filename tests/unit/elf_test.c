/* elf: opening, build ids, addresses, what a file is */
#include "elf.h"
#include "elf_kit.h"
#include "elfinfo.h"
#include "fd.h"
#include "folder_kit.h"
#include "mem.h"

#include <fcntl.h>
#include <unistd.h>

/* ---- opening ---- */

TEST(what_cannot_be_opened)
{
	struct pl_elf *elf = NULL;
	struct pl_err err;

	CHECK(pl_elf_open(&elf, "none", 0, &err) == PL_ELF_ABSENT);
	CHECK_STR(err.file, strlen(err.file), "none");
	CHECK(pl_elf_open(&elf, "/dev/null/x", 0, &err) == PL_ELF_ABSENT);
	CHECK(pl_elf_open(&elf, "/", 0, &err) == PL_ELF_NOT_REGULAR);
	CHECK(pl_elf_open(&elf, "/dev/zero", 0, &err) == PL_ELF_NOT_REGULAR);
	CHECK(mkfifo("fifo", 0600) == 0);
	CHECK(pl_elf_open(&elf, "fifo", 0, &err) == PL_ELF_NOT_REGULAR);
	folder_write("file", "", 0);
	CHECK(pl_elf_open(&elf, "file", 0, &err) == PL_ELF_NOT_ELF);
	folder_write("file", "\177ELF and no more", 16);
	CHECK(pl_elf_open(&elf, "file", 0, &err) == PL_ELF_NOT_ELF);
	CHECK(pl_elf_open(&elf, "file", 15, &err) == PL_ELF_TOO_LARGE);
	CHECK(err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	CHECK(symlink("loop", "loop") == 0);
	CHECK(pl_elf_open(&elf, "loop", 0, &err) == PL_ELF_UNREADABLE);
	CHECK(!elf);
}

TEST(a_file_and_its_identity)
{
	struct image e;
	struct pl_elf *elf;
	struct pl_err err;
	struct stat st;

	image_start(&e, ET_DYN, EM_X86_64);
	image_code(&e, ".text", 0x1000, 16);
	image_finish(&e);
	folder_write("file", e.bytes.p, e.bytes.n);
	CHECK(pl_elf_open(&elf, "file", e.bytes.n, &err) == PL_ELF_OK);
	CHECK(stat("file", &st) == 0 && pl_fd_is_same(&st, pl_elf_stat(elf)));
	CHECK_U64(pl_elf_bytes(elf).n, e.bytes.n);
	CHECK(memcmp(pl_elf_bytes(elf).p, e.bytes.p, e.bytes.n) == 0);
	CHECK_U64(pl_elf_header(elf)->e_machine, EM_X86_64);
	const struct pl_elf_section *text = pl_elf_section(elf, ".text", SHT_PROGBITS);
	CHECK(text && text->addr == 0x1000 && text->size == 16 && text->placed);
	CHECK(!pl_elf_section(elf, ".text", SHT_NOTE) && !pl_elf_section(elf, ".data", SHT_NULL));
	pl_elf_close(elf);
	image_free(&e);
}

TEST(sections_that_reach_beyond_the_file_have_no_bytes)
{
	struct image e;
	size_t n;

	image_start(&e, ET_DYN, EM_X86_64);
	e.sections[image_code(&e, "long", 0, 16)].sh_size = 1 << 20;
	e.sections[image_code(&e, "far", 0, 16)].sh_offset = UINT64_MAX - 8;
	image_section(&e, "none", SHT_NOBITS, SHF_ALLOC, 0, NULL, 16);
	image_code(&e, "good", 0, 16);
	const struct pl_elf *elf = image_open(&e);
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);
	CHECK_U64(n, 6);
	for (size_t i = 1; i < 4; i++)
		CHECK(!pl_elf_section_bytes(elf, &s[i]).p && !pl_elf_section_data(elf, &s[i]));
	CHECK_U64(pl_elf_section_bytes(elf, &s[4]).n, 16);
	CHECK(!pl_elf_chunk(elf, UINT64_MAX, 16, ELF_T_BYTE));
	CHECK(!pl_elf_chunk(elf, 16, UINT64_MAX, ELF_T_BYTE));
	image_free(&e);
}

TEST(strings_end_with_the_last_nul)
{
	struct image e;

	image_start(&e, ET_DYN, EM_X86_64);
	uint16_t good = image_section(&e, "good", SHT_STRTAB, 0, 0, "\0ab\0cut", 7);
	uint16_t bad = image_section(&e, "bad", SHT_STRTAB, 0, 0, "abc", 3);
	uint16_t other = image_code(&e, "code", 0, 16);
	const struct pl_elf *elf = image_open(&e);
	CHECK_U64(pl_elf_strings(elf, good).n, 4);
	CHECK_U64(pl_elf_strings(elf, bad).n, 0);
	CHECK_U64(pl_elf_strings(elf, other).n, 0);
	CHECK_U64(pl_elf_strings(elf, 4711).n, 0);
	image_free(&e);
}

/* ---- the build id ---- */

/* One note: name "GNU", and n bytes. */
static void put_note(struct pl_buf *b, uint32_t type, const char *name, const void *p, uint32_t n)
{
	uint32_t head[] = {4, n, type};

	pl_buf_add(b, head, sizeof head);
	pl_buf_add(b, name, 4);
	for (uint32_t i = 0; i < (n + 3) / 4 * 4; i++)
		pl_buf_addc(b, i < n ? ((const char *)p)[i] : '\0');
}

static const unsigned char id_bytes[65] = {0x01, 0x23, 0xab, 0xcd, 0xef};

/* The build id that a note of n bytes gives, in a section, a segment, or both. */
static struct pl_elf_build_id id_of(uint32_t n, bool section, bool segment)
{
	struct pl_elf_build_id id;
	struct pl_buf note = {0};
	struct image e;

	put_note(&note, 1, "GNU", "\1\2\3\4", 4); /* NT_GNU_ABI_TAG stands before it */
	put_note(&note, NT_GNU_BUILD_ID, "XXX", "\1\2\3\4", 4);
	put_note(&note, NT_GNU_BUILD_ID, "GNU", id_bytes, n);
	image_start(&e, ET_DYN, EM_X86_64);
	uint16_t at = image_section(&e, ".note", section ? SHT_NOTE : SHT_PROGBITS, SHF_ALLOC, 0,
				    note.p, note.n);
	e.sections[at].sh_addralign = 4;
	if (segment)
		image_segment(&e, PT_NOTE, PF_R, e.sections[at].sh_offset, 0, note.n);
	pl_elf_build_id(image_open(&e), &id);
	image_free(&e);
	pl_buf_free(&note);
	return id;
}

#define CHECK_ID(id, want) CHECK_STR((id).hex, strlen((id).hex), want)

TEST(build_ids)
{
	CHECK_ID(id_of(5, true, false), "0123abcdef");
	CHECK_ID(id_of(5, false, true), "0123abcdef");
	CHECK_ID(id_of(1, false, true), "01");
	CHECK_ID(id_of(0, true, true), "");
	CHECK_ID(id_of(5, false, false), "");
	CHECK_U64(strlen(id_of(64, true, true).hex), 128);
	CHECK_ID(id_of(65, true, true), "");
}

TEST(the_segments_build_id_comes_first)
{
	struct pl_elf_build_id id;
	struct pl_buf a = {0}, b = {0};
	struct image e;

	put_note(&a, NT_GNU_BUILD_ID, "GNU", "\xaa\xaa\xaa\xaa", 4);
	put_note(&b, NT_GNU_BUILD_ID, "GNU", "\xbb\xbb\xbb\xbb", 4);
	image_start(&e, ET_DYN, EM_X86_64);
	image_section(&e, ".note", SHT_NOTE, SHF_ALLOC, 0, a.p, a.n);
	uint16_t at = image_section(&e, "other", SHT_PROGBITS, SHF_ALLOC, 0, b.p, b.n);
	image_segment(&e, PT_NOTE, PF_R, e.sections[at].sh_offset, 0, b.n);
	pl_elf_build_id(image_open(&e), &id);
	CHECK_ID(id, "bbbbbbbb");
	image_free(&e);
	pl_buf_free(&a);
	pl_buf_free(&b);
}

/* As in segments of .note.gnu.property: the second note begins at a multiple of 8. */
TEST(a_build_id_behind_a_note_of_8_byte_alignment)
{
	static const uint32_t tag[] = {4, 4, 1}, head[] = {4, 4, NT_GNU_BUILD_ID};
	struct pl_elf_build_id id;
	struct pl_buf notes = {0};
	struct image e;

	pl_buf_add(&notes, tag, sizeof tag);
	pl_buf_add(&notes, "GNU\0\1\2\3\4\0\0\0", 12);
	pl_buf_add(&notes, head, sizeof head);
	pl_buf_add(&notes, "GNU\0\xab\xcd\xef\1\0\0\0", 12);
	image_start(&e, ET_DYN, EM_X86_64);
	uint16_t at = image_section(&e, "n", SHT_PROGBITS, SHF_ALLOC, 0, notes.p, notes.n);
	image_segment(&e, PT_NOTE, PF_R, e.sections[at].sh_offset, 0, notes.n);
	e.segments[0].p_align = 8;
	pl_elf_build_id(image_open(&e), &id);
	CHECK_ID(id, "abcdef01");
	image_free(&e);
	pl_buf_free(&notes);
}

/* ---- addresses ---- */

static void check_vaddr(const struct pl_elf *elf, uint64_t offset, int64_t want)
{
	uint64_t vaddr = 0;
	int result = pl_elf_vaddr(elf, offset, &vaddr);

	CHECK(result == (want < 0 ? -1 : 0));
	if (want >= 0)
		CHECK_U64(vaddr, (uint64_t)want);
}

TEST(addresses_by_program_headers)
{
	struct image e;
	uint64_t offset;

	image_start(&e, ET_DYN, EM_X86_64);
	/* as lld lays out: text at 0x600 is at 0x1600, data at 0x700 at 0x3700; the read-only
	 * segment covers the first byte of text, too */
	image_segment(&e, PT_LOAD, PF_R, 0, 0, 0x601);
	image_segment(&e, PT_LOAD, PF_R | PF_X, 0x600, 0x1600, 0x100);
	image_segment(&e, PT_LOAD, PF_R | PF_W, 0x700, 0x3700, 0x80);
	image_segment(&e, PT_DYNAMIC, PF_R | PF_X, 0x800, 0x9000, 0x80);
	image_segment(&e, PT_LOAD, PF_R | PF_X, 0x900, UINT64_MAX - 1, 0x80);
	const struct pl_elf *elf = image_open(&e);
	check_vaddr(elf, 0, 0);
	check_vaddr(elf, 0x5ff, 0x5ff);
	check_vaddr(elf, 0x600, 0x1600);
	check_vaddr(elf, 0x6ff, 0x16ff);
	check_vaddr(elf, 0x700, 0x3700);
	check_vaddr(elf, 0x77f, 0x377f);
	check_vaddr(elf, 0x780, -1);
	check_vaddr(elf, 0x800, -1);
	check_vaddr(elf, 0x900, -1);
	check_vaddr(elf, UINT64_MAX, -1);
	CHECK(pl_elf_offset(elf, 0x16ff, &offset) == 0);
	CHECK_U64(offset, 0x6ff);
	CHECK(pl_elf_offset(elf, 0x1700, &offset) == -1);
	image_free(&e);
}

TEST(a_kernel_modules_text_is_laid_out)
{
	struct image e;
	uint64_t offset;

	image_start(&e, ET_REL, EM_X86_64);
	uint16_t text = image_code(&e, ".text", 0, 0x11);
	uint16_t init = image_code(&e, ".init.text", 0, 0x20);
	image_section(&e, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, NULL, 0x40);
	uint16_t cold = image_code(&e, ".text.unlikely", 0, 8);
	uint16_t leave = image_code(&e, ".exit.text", 0, 8);
	e.sections[cold].sh_addralign = 16;
	e.sections[leave].sh_addralign = 0;
	const struct pl_elf *elf = image_open(&e);
	check_vaddr(elf, e.sections[text].sh_offset, 0);
	check_vaddr(elf, e.sections[text].sh_offset + 0x10, 0x10);
	check_vaddr(elf, e.sections[init].sh_offset, -1);
	check_vaddr(elf, e.sections[cold].sh_offset + 1, 0x21);
	check_vaddr(elf, e.sections[leave].sh_offset, 0x28);
	CHECK(pl_elf_offset(elf, 0x21, &offset) == 0);
	CHECK_U64(offset, e.sections[cold].sh_offset + 1);
	image_free(&e);
}

/* ---- what a file is ---- */

static struct pl_elf_info info_of(struct image *e)
{
	struct pl_elf_info info;

	pl_elf_inspect(image_open(e), &info);
	image_free(e);
	return info;
}

#define CHECK_TEXT(text, want) CHECK_STR(text, strlen(text), want)

TEST(names_of_numbers)
{
	struct image e;
	struct pl_elf_info info;

	image_start(&e, ET_CORE, EM_AARCH64);
	info = info_of(&e);
	CHECK_TEXT(info.machine, "EM_AARCH64");
	CHECK_TEXT(info.type, "ET_CORE");
	image_start(&e, 4711, 9999);
	info = info_of(&e);
	CHECK_TEXT(info.machine, "EM_9999");
	CHECK_TEXT(info.type, "ET_4711");
	CHECK(info.stripped && !info.has_dynsym && !info.has_text && !info.debug_info);
}

static struct pl_elf_info with_dynamic(uint16_t type, bool interpreter, const Elf64_Dyn *d,
				       size_t n)
{
	struct image e;

	image_start(&e, type, EM_X86_64);
	uint16_t at = image_section(&e, "d", SHT_PROGBITS, SHF_ALLOC, 0, d, n * sizeof *d);
	image_segment(&e, PT_DYNAMIC, PF_R, e.sections[at].sh_offset, 0, n * sizeof *d);
	if (interpreter)
		image_segment(&e, PT_INTERP, PF_R, 0, 0, 1);
	return info_of(&e);
}

TEST(pie)
{
	static const Elf64_Dyn marked[] = {{DT_FLAGS_1, {DF_1_NOW | DF_1_PIE}}, {DT_NULL, {0}}},
			       late[] = {{DT_NULL, {0}}, {DT_FLAGS_1, {DF_1_PIE}}},
			       library[] = {{DT_SONAME, {1}}};
	struct pl_elf_info info = with_dynamic(ET_DYN, true, marked, 2);

	CHECK(info.pie && !info.static_pie);
	info = with_dynamic(ET_DYN, false, marked, 2);
	CHECK(info.pie && info.static_pie);
	info = with_dynamic(ET_DYN, false, late, 2);
	CHECK(!info.pie);
	info = with_dynamic(ET_DYN, true, late, 2);
	CHECK(info.pie && !info.static_pie);
	info = with_dynamic(ET_DYN, true, library, 1);
	CHECK(!info.pie);
	info = with_dynamic(ET_EXEC, true, marked, 2);
	CHECK(!info.pie);
}

static struct pl_elf_info with_section(const char *name, const void *p, size_t n)
{
	struct image e;

	image_start(&e, ET_DYN, EM_X86_64);
	image_section(&e, name, SHT_PROGBITS, 0, 0, p, n);
	return info_of(&e);
}

TEST(debuglinks)
{
	struct pl_elf_info info =
		with_section(".gnu_debuglink", "ab.debug\0\0\0\0\x78\x56\x34\x12", 16);

	CHECK_TEXT(info.link, "ab.debug");
	CHECK_U64(info.link_crc, 0x12345678);
	CHECK(!info.link_refused);
	/* three bytes and NUL are four: no padding */
	info = with_section(".gnu_debuglink", "a.d\0\x78\x56\x34\x12", 8);
	CHECK_TEXT(info.link, "a.d");
	CHECK_U64(info.link_crc, 0x12345678);
	static const struct {
		const char *bytes;
		size_t n;
	} bad[] = {{"a/b\0crc.", 8},
		   {"..\0\0crc.", 8},
		   {".\0\0\0crc.", 8},
		   {"\0\0\0\0crc.", 8},
		   {"abcdefgh", 8},
		   {"abc\0crc", 7},
		   {"", 1},
		   {"a\0\0", 3}};
	for (size_t i = 0; i < PL_COUNT(bad); i++) {
		info = with_section(".gnu_debuglink", bad[i].bytes, bad[i].n);
		CHECK(info.link_refused && !info.link[0]);
	}
	info = with_section(".other", "", 1);
	CHECK(!info.link_refused);
}

/* An integer of so many bytes, the most significant first. */
static void put_big(struct pl_buf *b, unsigned bytes, uint64_t v)
{
	while (bytes-- > 0)
		pl_buf_addc(b, (char)(v >> 8 * bytes));
}

static void put_big_section(struct pl_buf *b, uint32_t name, uint64_t offset, uint64_t n)
{
	put_big(b, 4, name);
	put_big(b, 4, n ? SHT_PROGBITS : SHT_NULL);
	put_big(b, 8, 0);
	put_big(b, 8, 0);
	put_big(b, 8, offset);
	put_big(b, 8, n);
	put_big(b, 8, 0);
	put_big(b, 8, 1);
	put_big(b, 8, 0);
}

TEST(a_debuglink_in_the_other_byte_order)
{
	enum { HEADER = 64, NAMES = HEADER + 12, TABLE = NAMES + 16 };
	static const char ident[EI_NIDENT] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2MSB, 1};
	struct pl_buf b = {0};
	struct pl_elf *elf = NULL;
	struct pl_elf_info info;
	struct pl_err err;

	pl_buf_add(&b, ident, sizeof ident);
	put_big(&b, 2, ET_DYN);
	put_big(&b, 2, EM_S390);
	put_big(&b, 4, EV_CURRENT);
	put_big(&b, 8, 0); /* entry */
	put_big(&b, 8, 0); /* program headers */
	put_big(&b, 8, TABLE + 4);
	put_big(&b, 4, 0); /* flags */
	put_big(&b, 2, HEADER);
	put_big(&b, 4, 0); /* size and number of program headers */
	put_big(&b, 2, 64);
	put_big(&b, 2, 3);
	put_big(&b, 2, 2); /* names are in section 2 */
	pl_buf_add(&b, "ab.link\0", 8);
	put_big(&b, 4, 0x12345678);
	pl_buf_add(&b, "\0.gnu_debuglink", 16);
	put_big(&b, 4, 0);
	put_big_section(&b, 0, 0, 0);
	put_big_section(&b, 1, HEADER, 12);
	put_big_section(&b, 0, NAMES, 16);
	b.p[TABLE + 4 + 2 * 64 + 7] = SHT_STRTAB;
	CHECK(pl_elf_open_memory(&elf, b.p, b.n, &err) == PL_ELF_OK);
	pl_elf_inspect(elf, &info);
	CHECK_TEXT(info.machine, "EM_S390");
	CHECK_TEXT(info.link, "ab.link");
	CHECK_U64(info.link_crc, 0x12345678);
	pl_elf_close(elf);
	pl_buf_free(&b);
}

TEST(links_to_dwz_files)
{
	struct pl_elf_info info = with_section(".gnu_debugaltlink", "/d/x\0\xab\x01", 7);

	CHECK_TEXT(info.alt_link, "/d/x");
	CHECK_TEXT(info.alt_build_id.hex, "ab01");
	CHECK(!with_section(".gnu_debugaltlink", "abcdefg", 7).alt_link[0]);
	CHECK(!with_section(".gnu_debugaltlink", "\0abcdef", 7).alt_link[0]);
	CHECK(!with_section(".gnu_debugaltlink", "abcdef\0", 7).alt_link[0]);
}

static struct pl_elf_info with_compression(uint32_t type, size_t n)
{
	Elf64_Chdr h = {.ch_type = type, .ch_size = 1, .ch_addralign = 1};
	struct image e;

	image_start(&e, ET_DYN, EM_X86_64);
	image_section(&e, ".debug_info", SHT_PROGBITS, SHF_COMPRESSED, 0, &h, n);
	return info_of(&e);
}

TEST(debug_information_and_how_it_is_packed)
{
	CHECK(with_compression(ELFCOMPRESS_ZLIB, sizeof(Elf64_Chdr)).compression == PL_ELF_ZLIB);
	CHECK(with_compression(2, sizeof(Elf64_Chdr)).compression == PL_ELF_ZSTD);
	CHECK(with_compression(77, sizeof(Elf64_Chdr)).compression == PL_ELF_OTHER_COMPRESSION);
	CHECK(with_compression(1, 4).compression == PL_ELF_OTHER_COMPRESSION);
	struct pl_elf_info info = with_section(".debug_info", "x", 1);
	CHECK(info.debug_info && info.compression == PL_ELF_PLAIN);
	info = with_section(".zdebug_info", "x", 1);
	CHECK(info.debug_info && info.compression == PL_ELF_ZLIB_GNU);
	CHECK(!with_section(".debug_info", "", 0).debug_info);
	CHECK(!with_section(".debug_infos", "x", 1).debug_info);
	CHECK(with_section(".eh_frame", "x", 1).eh_frame);
	CHECK(with_section(".debug_frame", "x", 1).debug_frame);
	CHECK(with_section(".gnu_debugdata", "x", 1).gnu_debugdata);
	CHECK(with_section(".debug_line", "x", 1).debug_line);
	CHECK_TEXT(pl_elf_compression_name(PL_ELF_ZLIB_GNU), "zlib-gnu");
}

int main(void)
{
	if (!folder_start())
		return 1;
	RUN(what_cannot_be_opened);
	RUN(a_file_and_its_identity);
	RUN(sections_that_reach_beyond_the_file_have_no_bytes);
	RUN(strings_end_with_the_last_nul);
	RUN(build_ids);
	RUN(the_segments_build_id_comes_first);
	RUN(a_build_id_behind_a_note_of_8_byte_alignment);
	RUN(addresses_by_program_headers);
	RUN(a_kernel_modules_text_is_laid_out);
	RUN(names_of_numbers);
	RUN(pie);
	RUN(debuglinks);
	RUN(a_debuglink_in_the_other_byte_order);
	RUN(links_to_dwz_files);
	RUN(debug_information_and_how_it_is_packed);
	folder_end();
	return unit_done();
}
