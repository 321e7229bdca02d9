/*
 * dwarf_fuzz: the sections of debug information may be anything; looking addresses up in them ends,
 * within bounds, and says the same twice.
 *
 * The ELF file around them is sound, and so small that nothing is mapped behind it but its own end:
 * libelf and libdw are not ours to mend, and the programs let them work in a child (child.h).
 * Input: two lengths of 16 bits, as many bytes of .debug_abbrev and .debug_info, and the rest,
 * which is .debug_line, .debug_ranges, .debug_rnglists, .debug_addr and .debug_str alike.
 */
#include "../../filters/symbolize/dwarf.h"
#include "../unit/dwarf_kit.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH_MAX = 512 };

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static struct pl_str take(struct pl_str *rest, size_t n)
{
	if (n > rest->n)
		n = rest->n;
	struct pl_str taken = {rest->p, n};
	rest->p += n;
	rest->n -= n;
	return taken;
}

static size_t length(struct pl_str b)
{
	return b.n < 2 ? 0 : (size_t)(unsigned char)b.p[0] | (size_t)(unsigned char)b.p[1] << 8;
}

static struct dwarf_file *open_sections(struct pl_str rest)
{
	static const struct dwarf_files_options options;
	size_t abbrevs_n = length(take(&rest, 2)), info_n = length(take(&rest, 2));
	struct pl_str abbrevs = take(&rest, abbrevs_n), info = take(&rest, info_n);
	const struct kit_section sections[] = {
		{".debug_abbrev", abbrevs, 0}, {".debug_info", info, 0},
		{".debug_line", rest, 0},      {".debug_ranges", rest, 0},
		{".debug_rnglists", rest, 0},  {".debug_addr", rest, 0},
		{".debug_str", rest, 0}};
	struct dwarf_file *f;
	struct pl_err err;
	int fd = kit_elf(ET_EXEC, sections, PL_COUNT(sections));

	expect(fd >= 0 && dwarf_file_open(&f, fd, &options, &err) == 0);
	close(fd);
	return f;
}

/* Adds up what an answer holds, so that it is read, and can be compared. */
static uint64_t sum_of(const struct dwarf_answer *a)
{
	uint64_t sum = a->n;

	for (size_t i = 0; i < a->n; i++) {
		const struct dwarf_frame *f = &a->frames[i];
		sum = sum * 31 + f->line + f->column + f->inlined;
		for (size_t k = 0; k < f->name.n; k++)
			sum = sum * 31 + (unsigned char)f->name.p[k];
		for (size_t k = 0; k < f->file.n; k++)
			sum = sum * 31 + (unsigned char)f->file.p[k];
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { STEP_OUTSIDE = KIT_TEXT / 2, STEP = 0x21 };
	struct dwarf_file *f = open_sections((struct pl_str){(const char *)data, size});
	struct dwarf_answer a;

	for (uint64_t at = 0; at < KIT_TEXT + KIT_TEXT_SIZE;
	     at += at < KIT_TEXT ? STEP_OUTSIDE : STEP) {
		bool found = dwarf_file_lookup(f, at, DWARF_LINES | DWARF_INLINES, &a);
		expect(found == (a.n > 0) && a.n <= DEPTH_MAX);
		uint64_t sum = sum_of(&a);
		dwarf_file_lookup(f, at, DWARF_LINES | DWARF_INLINES, &a);
		expect(sum == sum_of(&a));
	}
	expect(strlen(dwarf_file_lacks(f)) < 32);
	dwarf_file_close(f);
	return 0;
}
