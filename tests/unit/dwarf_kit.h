/*
 * dwarf_kit: ELF files made in memory, with sections of debug information of any bytes, for tests
 * of what reads them.
 */
#ifndef DWARF_KIT_H
#define DWARF_KIT_H

#include "str.h"
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KIT_TEXT = 0x1000, KIT_TEXT_SIZE = 0x1000, KIT_SECTIONS_MAX = 16 };

struct kit_section {
	const char *name;
	struct pl_str bytes;
	uint64_t flags;
};

/* A 64-bit file of our own byte order with the given sections, and code at [0x1000, 0x2000). The
 * descriptor of a memory file, or -1. */
static inline int kit_elf(uint16_t type, const struct kit_section *sections, size_t n)
{
	const uint16_t one = 1;
	Elf64_Shdr headers[KIT_SECTIONS_MAX + 3] = {{0}};
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			    *(const char *)&one ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT},
		.e_type = type,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof header,
		.e_shentsize = sizeof *headers,
		.e_shnum = (uint16_t)(n + 3),
		.e_shstrndx = (uint16_t)(n + 2),
	};
	struct pl_buf file = {0}, names = {0};

	pl_buf_add(&file, &header, sizeof header);
	pl_buf_add(&names, "\0.text", 7);
	headers[1] = (Elf64_Shdr){.sh_name = 1,
				  .sh_type = SHT_NOBITS,
				  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				  .sh_addr = KIT_TEXT,
				  .sh_size = KIT_TEXT_SIZE,
				  .sh_offset = file.n};
	for (size_t i = 0; i < n + 1; i++) {
		struct kit_section s =
			i < n ? sections[i] : (struct kit_section){".shstrtab", PL_S(""), 0};
		size_t name = names.n;
		pl_buf_add(&names, s.name, strlen(s.name) + 1);
		if (i == n)
			s.bytes = pl_buf_str(&names);
		headers[i + 2] = (Elf64_Shdr){.sh_name = (uint32_t)name,
					      .sh_type = i < n ? SHT_PROGBITS : SHT_STRTAB,
					      .sh_flags = s.flags,
					      .sh_offset = file.n,
					      .sh_size = s.bytes.n,
					      .sh_addralign = 1};
		pl_buf_adds(&file, s.bytes);
	}
	while (file.n % 8)
		pl_buf_addc(&file, 0);
	header.e_shoff = file.n;
	memcpy(file.p, &header, sizeof header);
	pl_buf_add(&file, headers, (n + 3) * sizeof *headers);

	int fd = memfd_create("elf", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, file.p, file.n) != (ssize_t)file.n) {
		close(fd);
		fd = -1;
	}
	pl_buf_free(&file);
	pl_buf_free(&names);
	return fd;
}

#endif
