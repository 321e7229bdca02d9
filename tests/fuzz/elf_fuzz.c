/* elf_fuzz: a file may be anything; what is told of it holds together */
#include "debugfile.h"
#include "elfplt.h"
#include "elfsyms.h"
#include "mem.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A macro, so that a report says which. */
#define expect(ok) ((ok) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #ok), abort()))

static bool is_hex(const char *text)
{
	return strspn(text, "0123456789abcdef") == strlen(text) && strlen(text) % 2 == 0;
}

static void check_info(const struct pl_elf *elf)
{
	struct pl_elf_info info;

	pl_elf_inspect(elf, &info);
	expect(is_hex(info.build_id.hex) && is_hex(info.alt_build_id.hex));
	expect(!strchr(info.link, '/') && !(info.link[0] && info.link_refused));
	expect(!info.static_pie || info.pie);
	expect(strncmp(info.machine, "EM_", 3) == 0 && strncmp(info.type, "ET_", 3) == 0);
	pl_elf_dwarf(elf);
}

/* A byte of the file that has an address is found at it again, unless segments overlap. */
static void check_addresses(const struct pl_elf *elf, size_t size)
{
	uint64_t vaddr, offset;

	for (size_t i = 0; i < size; i += 1 + size / 64)
		if (pl_elf_vaddr(elf, i, &vaddr) == 0)
			expect(pl_elf_offset(elf, vaddr, &offset) == 0);
}

static void check_sections(const struct pl_elf *elf, size_t size)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);
	struct pl_str all = pl_elf_bytes(elf);

	expect(all.n == size);
	for (size_t i = 0; i < n; i++) {
		struct pl_str bytes = pl_elf_section_bytes(elf, &s[i]);
		struct pl_str strings = pl_elf_strings(elf, (uint32_t)i);
		expect(!bytes.p || (bytes.p >= all.p && bytes.p + bytes.n <= all.p + all.n));
		expect(!strings.n || strings.p[strings.n - 1] == '\0');
		expect(strlen(s[i].name) <= size);
	}
}

static void check_symbols(const struct pl_elf *elf)
{
	struct pl_elfsyms syms;
	struct pl_err err;

	pl_elfsyms_read(&syms, elf, NULL, &err);
	expect(syms.n == 0 || syms.v);
	for (size_t i = 0; i < syms.n; i++) {
		const struct pl_elfsym *s = &syms.v[i], *found = pl_elfsyms_find(&syms, s->start);
		expect(i == 0 || syms.v[i - 1].start < s->start);
		expect(s->outer <= i && s->start < s->end);
		expect(found == s);
		expect(pl_elfsym_name(s).n > 0);
		expect(!s->plt || pl_str_ends(pl_elfsym_name(s), "@plt"));
	}
	pl_elfsyms_free(&syms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = pl_realloc(NULL, size + 1, 1); /* libelf writes to it */
	struct pl_elf *elf;
	struct pl_err err;

	if (size)
		memcpy(copy, data, size);
	if (pl_elf_open_memory(&elf, copy, size, &err) == PL_ELF_OK) {
		check_sections(elf, size);
		check_addresses(elf, size);
		check_info(elf);
		check_symbols(elf);
		pl_elf_close(elf);
	} else {
		expect(!elf && err.message[0]);
	}
	free(copy);
	return 0;
}
