/* elfinfo: what an ELF file is, and which debug information it has or names */
#include "elfinfo.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

/* ---- names of numbers (elf.h) ---- */

struct name {
	unsigned number;
	const char *name;
};
#define NAME(constant)              \
	{                           \
		constant, #constant \
	}

static const struct name machines[] = {
	NAME(EM_386),	  NAME(EM_68K),	   NAME(EM_AARCH64), NAME(EM_ALPHA),
	NAME(EM_ARC),	  NAME(EM_ARCV2),  NAME(EM_ARM),     NAME(EM_BPF),
	NAME(EM_CSKY),	  NAME(EM_IA_64),  NAME(EM_MIPS),    NAME(EM_NONE),
	NAME(EM_PARISC),  NAME(EM_PPC),	   NAME(EM_PPC64),   NAME(EM_RISCV),
	NAME(EM_S390),	  NAME(EM_SH),	   NAME(EM_SPARC),   NAME(EM_SPARC32PLUS),
	NAME(EM_SPARCV9), NAME(EM_X86_64), NAME(EM_XTENSA),  {258, "EM_LOONGARCH"},
};
static const struct name types[] = {
	NAME(ET_NONE), NAME(ET_REL), NAME(ET_EXEC), NAME(ET_DYN), NAME(ET_CORE),
};

static void put_name(char *dst, size_t size, const struct name *names, size_t n, unsigned number,
		     const char *prefix)
{
	for (size_t i = 0; i < n; i++) {
		if (names[i].number == number) {
			snprintf(dst, size, "%s", names[i].name);
			return;
		}
	}
	snprintf(dst, size, "%s_%u", prefix, number);
}

const char *pl_elf_compression_name(enum pl_elf_compression compression)
{
	static const char *const names[] = {[PL_ELF_PLAIN] = "none",
					    [PL_ELF_ZLIB] = "zlib",
					    [PL_ELF_ZSTD] = "zstd",
					    [PL_ELF_ZLIB_GNU] = "zlib-gnu",
					    [PL_ELF_OTHER_COMPRESSION] = "unknown"};
	return names[compression];
}

/* ---- program and library ---- */

static bool has_segment(const struct pl_elf *elf, uint32_t type)
{
	size_t n;
	const GElf_Phdr *h = pl_elf_segments(elf, &n);

	for (size_t i = 0; i < n; i++)
		if (h[i].p_type == type)
			return true;
	return false;
}

/* The dynamic section's entries, by the program headers, which are there without sections. */
static Elf_Data *dynamic(const struct pl_elf *elf)
{
	size_t n;
	const GElf_Phdr *h = pl_elf_segments(elf, &n);

	for (size_t i = 0; i < n; i++)
		if (h[i].p_type == PT_DYNAMIC)
			return pl_elf_chunk(elf, h[i].p_offset, h[i].p_filesz, ELF_T_DYN);
	return NULL;
}

static void inspect_pie(const struct pl_elf *elf, struct pl_elf_info *info)
{
	bool interpreter = has_segment(elf, PT_INTERP), marked = false, library = false;
	Elf_Data *entries = dynamic(elf);
	GElf_Dyn d;

	if (pl_elf_header(elf)->e_type != ET_DYN)
		return;
	for (int i = 0; entries && gelf_getdyn(entries, i, &d) && d.d_tag != DT_NULL; i++) {
		marked |= d.d_tag == DT_FLAGS_1 && d.d_un.d_val & DF_1_PIE;
		library |= d.d_tag == DT_SONAME;
	}
	/* libc.so.6 can be run, and is a library all the same */
	info->pie = marked || (interpreter && !library);
	info->static_pie = info->pie && !interpreter;
}

static bool is_code(const struct pl_elf_section *s)
{
	return s->flags & SHF_ALLOC && s->flags & SHF_EXECINSTR && s->type == SHT_PROGBITS &&
	       s->size > 0;
}

static bool has_code_segment(const struct pl_elf *elf)
{
	size_t n;
	const GElf_Phdr *h = pl_elf_segments(elf, &n);

	for (size_t i = 0; i < n; i++)
		if (h[i].p_type == PT_LOAD && h[i].p_flags & PF_X && h[i].p_filesz > 0)
			return true;
	return false;
}

/* ---- debug information ---- */

static void take_link(struct pl_elf_info *info, struct pl_str bytes, uint32_t crc)
{
	bool bare = bytes.n > 0 && bytes.n <= PL_ELF_LINK_MAX && !memchr(bytes.p, '/', bytes.n) &&
		    !pl_str_is(bytes, ".") && !pl_str_is(bytes, "..");

	info->link_refused = !bare;
	if (!bare)
		return;
	memcpy(info->link, bytes.p, bytes.n);
	info->link[bytes.n] = '\0';
	info->link_crc = crc;
}

/* A name, its NUL, up to three more bytes, and the CRC in the file's byte order (gdb's manual,
 * "Debugging Information in Separate Files"). */
static void inspect_link(const struct pl_elf *elf, const struct pl_elf_section *s,
			 struct pl_elf_info *info)
{
	struct pl_str bytes = pl_elf_section_bytes(elf, s);
	const unsigned char *c;
	size_t length = bytes.n ? strnlen(bytes.p, bytes.n) : 0, at = (length + 4) & ~(size_t)3;

	if (bytes.n < 4 || at > bytes.n - 4) {
		info->link_refused = true;
		return;
	}
	c = (const unsigned char *)bytes.p + at;
	bool big = pl_elf_header(elf)->e_ident[EI_DATA] == ELFDATA2MSB;
	uint32_t crc = 0;
	for (unsigned i = 0; i < 4; i++)
		crc |= (uint32_t)c[i] << 8 * (big ? 3 - i : i);
	bytes.n = length;
	take_link(info, bytes, crc);
}

/* A path, its NUL, and the build id of the file there (dwz). */
static void inspect_alt_link(const struct pl_elf *elf, const struct pl_elf_section *s,
			     struct pl_elf_info *info)
{
	struct pl_str bytes = pl_elf_section_bytes(elf, s);
	size_t length = bytes.n ? strnlen(bytes.p, bytes.n) : 0, id_n = bytes.n - length;

	if (length == 0 || length >= sizeof info->alt_link || id_n < 2 ||
	    id_n - 1 > PL_ELF_BUILD_ID_MAX)
		return;
	memcpy(info->alt_link, bytes.p, length + 1);
	for (size_t i = 0; i + 1 < id_n; i++)
		snprintf(info->alt_build_id.hex + 2 * i, 3, "%02x",
			 (unsigned char)bytes.p[length + 1 + i]);
}

static enum pl_elf_compression compression_of(const struct pl_elf *elf,
					      const struct pl_elf_section *s)
{
	size_t n;
	size_t index = (size_t)(s - pl_elf_sections(elf, &n));
	GElf_Chdr h;

	if (!(s->flags & SHF_COMPRESSED))
		return strncmp(s->name, ".zdebug", 7) == 0 ? PL_ELF_ZLIB_GNU : PL_ELF_PLAIN;
	if (!gelf_getchdr(elf_getscn(pl_elf_handle(elf), index), &h))
		return PL_ELF_OTHER_COMPRESSION;
	/* the second has a name since elfutils 0.189 */
	return h.ch_type == ELFCOMPRESS_ZLIB ? PL_ELF_ZLIB
	       : h.ch_type == 2		     ? PL_ELF_ZSTD
					     : PL_ELF_OTHER_COMPRESSION;
}

static bool is_named(const struct pl_elf_section *s, const char *plain, const char *packed)
{
	return strcmp(s->name, plain) == 0 || (packed && strcmp(s->name, packed) == 0);
}

static void inspect_section(const struct pl_elf *elf, const struct pl_elf_section *s,
			    struct pl_elf_info *info)
{
	info->stripped &= s->type != SHT_SYMTAB;
	info->has_dynsym |= s->type == SHT_DYNSYM;
	info->has_text |= is_code(s);
	if (s->type == SHT_NOBITS || s->size == 0)
		return;
	if (is_named(s, ".debug_info", ".zdebug_info")) {
		info->debug_info = true;
		info->compression = compression_of(elf, s);
	}
	info->debug_line |= is_named(s, ".debug_line", ".zdebug_line");
	info->debug_frame |= is_named(s, ".debug_frame", ".zdebug_frame");
	info->eh_frame |= is_named(s, ".eh_frame", NULL);
	info->gnu_debugdata |= is_named(s, ".gnu_debugdata", NULL);
	if (is_named(s, ".gnu_debuglink", NULL))
		inspect_link(elf, s, info);
	if (is_named(s, ".gnu_debugaltlink", NULL))
		inspect_alt_link(elf, s, info);
}

/* A program is built in one way: a few units tell. */
enum pl_elf_dwarf pl_elf_dwarf(const struct pl_elf *elf)
{
	enum { UNITS = 64 };
	Dwarf *dwarf = NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int n = 0;
	bool split = false;

	if (!pl_elf_section(elf, ".debug_info", SHT_NULL) &&
	    !pl_elf_section(elf, ".zdebug_info", SHT_NULL))
		return PL_ELF_DWARF_ABSENT;
	dwarf = dwarf_begin_elf(pl_elf_handle(elf), DWARF_C_READ, NULL);
	for (; dwarf && !split && n < UNITS; n++) {
		if (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) != 0)
			break;
		split = dwarf_hasattr(&die, DW_AT_dwo_name) ||
			dwarf_hasattr(&die, DW_AT_GNU_dwo_name);
	}
	dwarf_end(dwarf);
	return split ? PL_ELF_DWARF_SPLIT : n ? PL_ELF_DWARF_WHOLE : PL_ELF_DWARF_UNREADABLE;
}

void pl_elf_inspect(const struct pl_elf *elf, struct pl_elf_info *info)
{
	const GElf_Ehdr *h = pl_elf_header(elf);
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);

	*info = (struct pl_elf_info){.stripped = true};
	pl_elf_build_id(elf, &info->build_id);
	put_name(info->machine, sizeof info->machine, machines, PL_COUNT(machines), h->e_machine,
		 "EM");
	put_name(info->type, sizeof info->type, types, PL_COUNT(types), h->e_type, "ET");
	inspect_pie(elf, info);
	for (size_t i = 1; i < n; i++)
		inspect_section(elf, &s[i], info);
	if (n == 0)
		info->has_text = has_code_segment(elf);
}
