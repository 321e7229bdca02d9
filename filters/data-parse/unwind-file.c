/* unwind-file: ELF files with their call frame information */
#include "unwind-file.h"
#include "vdso.h"

/* ---- which file it is ---- */

static enum unwind_stop check_identity(const struct pl_elf *elf,
				       const struct unwind_file_wanted *wanted)
{
	struct pl_elf_build_id id;

	if (!wanted->build_id.p || wanted->build_id.n == 0)
		return wanted->trust ? UNWIND_ROOT : UNWIND_NO_BUILD_ID;
	pl_elf_build_id(elf, &id);
	return pl_str_is(wanted->build_id, id.hex) ? UNWIND_ROOT : UNWIND_BUILD_ID_MISMATCH;
}

static enum unwind_stop check(const struct unwind_file *f, const struct unwind_file_wanted *wanted)
{
	const GElf_Ehdr *header = f->elf ? pl_elf_header(f->elf) : NULL;

	if (!header || header->e_machine != wanted->machine ||
	    header->e_ident[EI_CLASS] != ELFCLASS64)
		return UNWIND_NO_FILE;
	return check_identity(f->elf, wanted);
}

enum unwind_stop unwind_file_open(struct unwind_file *f, const char *path,
				  const struct unwind_file_wanted *wanted)
{
	struct pl_err err;

	*f = (struct unwind_file){0};
	pl_elf_open(&f->elf, path, wanted->max_bytes, &err);
	return check(f, wanted);
}

enum unwind_stop unwind_file_vdso(struct unwind_file *f, const struct unwind_file_wanted *wanted)
{
	*f = (struct unwind_file){.elf = pl_vdso_open()};
	return check(f, wanted);
}

/* ---- what is loaded from it ---- */

/* The segment that has all of these bytes and cannot be written to. */
static bool is_constant(const struct unwind_file *f, uint64_t offset, size_t n)
{
	size_t segments;
	const GElf_Phdr *s = pl_elf_segments(f->elf, &segments);

	for (size_t i = 0; i < segments; i++)
		if (s[i].p_type == PT_LOAD && !(s[i].p_flags & PF_W) && offset >= s[i].p_offset &&
		    offset - s[i].p_offset <= s[i].p_filesz &&
		    s[i].p_filesz - (offset - s[i].p_offset) >= n)
			return true;
	return false;
}

int unwind_file_read(const struct unwind_file *f, uint64_t offset, void *p, size_t n)
{
	struct pl_str bytes = pl_elf_bytes(f->elf);

	if (!is_constant(f, offset, n) || offset > bytes.n || bytes.n - offset < n)
		return -1;
	memcpy(p, bytes.p + offset, n);
	return 0;
}

void unwind_file_close(struct unwind_file *f)
{
	if (f->dwarf)
		dwarf_end(f->dwarf);
	if (f->eh)
		dwarf_cfi_end(f->eh);
	pl_elf_close(f->elf);
	*f = (struct unwind_file){0};
}

/* ---- call frame information ---- */

static bool has_debug_frame(const struct pl_elf *elf)
{
	const struct pl_elf_section *plain = pl_elf_section(elf, ".debug_frame", SHT_NULL);
	const struct pl_elf_section *packed = pl_elf_section(elf, ".zdebug_frame", SHT_NULL);

	return (plain && plain->type != SHT_NOBITS) || (packed && packed->type != SHT_NOBITS);
}

static Dwarf_Frame *look_up(Dwarf_CFI *cfi, uint64_t address)
{
	Dwarf_Frame *frame = NULL;

	return cfi && dwarf_cfi_addrframe(cfi, address, &frame) == 0 ? frame : NULL;
}

Dwarf_Frame *unwind_file_frame(struct unwind_file *f, uint64_t address)
{
	if (!f->knows_eh) {
		f->knows_eh = true;
		f->eh = dwarf_getcfi_elf(pl_elf_handle(f->elf));
	}
	Dwarf_Frame *frame = look_up(f->eh, address);
	if (frame)
		return frame;
	/* opening it inflates all of the debugging information that is compressed */
	if (!f->knows_debug) {
		f->knows_debug = true;
		f->dwarf = has_debug_frame(f->elf)
				   ? dwarf_begin_elf(pl_elf_handle(f->elf), DWARF_C_READ, NULL)
				   : NULL;
		f->debug = f->dwarf ? dwarf_getcfi(f->dwarf) : NULL;
	}
	return look_up(f->debug, address);
}
