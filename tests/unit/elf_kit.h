/*
 * elf_kit: makes ELF files in memory, piece by piece: 64 bits, little-endian.
 *
 *     struct image e;
 *     image_start(&e, ET_DYN, EM_X86_64);
 *     uint16_t text = image_section(&e, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
 * bytes, n); image_symbol(&e, "f", STT_FUNC, STB_GLOBAL, text, 0x1000, 16); struct pl_elf *elf =
 * image_open(&e);        // .symtab and headers are written now
 */
#ifndef ELF_KIT_H
#define ELF_KIT_H

#include "elf.h"
#include "unit.h"
#include <elf.h>

enum { IMAGE_MAX = 64 };

struct image {
	struct pl_buf bytes, names, strings, symbols;
	Elf64_Ehdr header;
	Elf64_Shdr sections[IMAGE_MAX];
	Elf64_Phdr segments[IMAGE_MAX];
	uint16_t sections_n, segments_n;
	struct pl_elf *elf;
};

static inline void image_start(struct image *e, uint16_t type, uint16_t machine)
{
	static const Elf64_Sym none;

	*e = (struct image){.header = {.e_type = type,
				       .e_machine = machine,
				       .e_version = EV_CURRENT,
				       .e_ehsize = sizeof e->header,
				       .e_phentsize = sizeof *e->segments,
				       .e_shentsize = sizeof *e->sections},
			    .sections_n = 1};
	memcpy(e->header.e_ident, ELFMAG, SELFMAG);
	e->header.e_ident[EI_CLASS] = ELFCLASS64;
	e->header.e_ident[EI_DATA] = ELFDATA2LSB;
	e->header.e_ident[EI_VERSION] = EV_CURRENT;
	pl_buf_add(&e->bytes, &e->header, sizeof e->header);
	pl_buf_addc(&e->names, '\0');
	pl_buf_addc(&e->strings, '\0');
	pl_buf_add(&e->symbols, &none, sizeof none);
}

static inline void image_align(struct image *e, size_t to)
{
	while (e->bytes.n % to)
		pl_buf_addc(&e->bytes, '\0');
}

/* Its index. Link, alignment and the like are the caller's to set in e->sections. */
static inline uint16_t image_section(struct image *e, const char *name, uint32_t type,
				     uint64_t flags, uint64_t addr, const void *p, size_t n)
{
	image_align(e, 8);
	e->sections[e->sections_n] = (Elf64_Shdr){.sh_name = (uint32_t)e->names.n,
						  .sh_type = type,
						  .sh_flags = flags,
						  .sh_addr = addr,
						  .sh_offset = e->bytes.n,
						  .sh_size = n,
						  .sh_addralign = 1};
	pl_buf_add(&e->names, name, strlen(name) + 1);
	for (size_t i = 0; type != SHT_NOBITS && i < n; i++)
		pl_buf_addc(&e->bytes, p ? ((const char *)p)[i] : '\0');
	return e->sections_n++;
}

/* Code of n zeros, at an address. */
static inline uint16_t image_code(struct image *e, const char *name, uint64_t addr, size_t n)
{
	return image_section(e, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, addr, NULL, n);
}

static inline void image_segment(struct image *e, uint32_t type, uint32_t flags, uint64_t offset,
				 uint64_t vaddr, uint64_t n)
{
	e->segments[e->segments_n++] = (Elf64_Phdr){.p_type = type,
						    .p_flags = flags,
						    .p_offset = offset,
						    .p_vaddr = vaddr,
						    .p_filesz = n,
						    .p_memsz = n,
						    .p_align = 4};
}

static inline void image_symbol(struct image *e, const char *name, unsigned type, unsigned bind,
				uint16_t section, uint64_t value, uint64_t size)
{
	Elf64_Sym s = {.st_name = (uint32_t)e->strings.n,
		       .st_info = ELF64_ST_INFO(bind, type),
		       .st_shndx = section,
		       .st_value = value,
		       .st_size = size};

	pl_buf_add(&e->strings, name, strlen(name) + 1);
	pl_buf_add(&e->symbols, &s, sizeof s);
}

/* Puts the symbols so far into a section of that type, and its strings behind it; starts anew. */
static inline uint16_t image_symbols(struct image *e, const char *name, uint32_t type)
{
	static const Elf64_Sym none;
	uint64_t flags = type == SHT_DYNSYM ? SHF_ALLOC : 0;
	uint16_t at = image_section(e, name, type, flags, 0, e->symbols.p, e->symbols.n);

	e->sections[at].sh_entsize = sizeof(Elf64_Sym);
	e->sections[at].sh_link = at + 1u;
	image_section(e, ".strings", SHT_STRTAB, 0, 0, e->strings.p, e->strings.n);
	pl_buf_clear(&e->symbols);
	pl_buf_clear(&e->strings);
	pl_buf_addc(&e->strings, '\0');
	pl_buf_add(&e->symbols, &none, sizeof none);
	return at;
}

/* Writes the headers; the bytes of the file are then e->bytes. */
static inline void image_finish(struct image *e)
{
	if (e->symbols.n > sizeof(Elf64_Sym))
		image_symbols(e, ".symtab", SHT_SYMTAB);
	e->header.e_shstrndx = image_section(e, ".shstrtab", SHT_STRTAB, 0, 0, NULL, 0);
	e->sections[e->header.e_shstrndx].sh_size = e->names.n;
	pl_buf_add(&e->bytes, e->names.p, e->names.n);
	image_align(e, 8);
	e->header.e_shoff = e->bytes.n;
	e->header.e_shnum = e->sections_n;
	pl_buf_add(&e->bytes, e->sections, e->sections_n * sizeof *e->sections);
	e->header.e_phoff = e->segments_n ? e->bytes.n : 0;
	e->header.e_phnum = e->segments_n;
	pl_buf_add(&e->bytes, e->segments, e->segments_n * sizeof *e->segments);
	memcpy(e->bytes.p, &e->header, sizeof e->header);
}

static inline struct pl_elf *image_open(struct image *e)
{
	struct pl_err err;

	image_finish(e);
	CHECK(pl_elf_open_memory(&e->elf, e->bytes.p, e->bytes.n, &err) == PL_ELF_OK);
	return e->elf;
}

static inline void image_free(struct image *e)
{
	pl_elf_close(e->elf);
	pl_buf_free(&e->bytes);
	pl_buf_free(&e->names);
	pl_buf_free(&e->strings);
	pl_buf_free(&e->symbols);
}

#endif
