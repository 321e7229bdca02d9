/* dwarf-sections: the bytes of sections, as libdw has them too: decompressed */
#include "dwarf-parts.h"

/* The whole name counts: .debug_line_str may come before .debug_line. */
bool dwarf_section_is(const char *section, const char *name)
{
	if (section[0] != '.')
		return false;
	return strcmp(section + (section[1] == 'z' ? 2 : 1), name) == 0;
}

struct pl_str dwarf_section(Elf *elf, const char *wanted, const void *at)
{
	size_t names;
	Elf_Scn *section = NULL;

	if (elf_getshdrstrndx(elf, &names))
		return (struct pl_str){0};
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;
		if (!name || !dwarf_section_is(name, wanted))
			continue;
		const Elf_Data *data = elf_getdata(section, NULL);
		if (!data || !data->d_buf)
			continue;
		uintptr_t start = (uintptr_t)data->d_buf;
		if (!at || ((uintptr_t)at >= start && (uintptr_t)at - start < data->d_size))
			return (struct pl_str){data->d_buf, data->d_size};
	}
	return (struct pl_str){0};
}

/* How many bytes a section of debug information has once it is unpacked; 0: it is not packed. */
static uint64_t unpacked_size(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	enum { MAGIC = 4, GNU_HEADER = 12 }; /* "ZLIB", and the size, big-endian */
	GElf_Chdr how;

	if (header->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(section, &how) ? how.ch_size : 0;
	if (strncmp(name, ".zdebug_", strlen(".zdebug_")) != 0)
		return 0;
	const Elf_Data *data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf || data->d_size < GNU_HEADER)
		return 0;
	return dwarf_number((const unsigned char *)data->d_buf + MAGIC, GNU_HEADER - MAGIC, true);
}

bool dwarf_sections_are_bounded(Elf *elf)
{
	size_t names, file_n = 0;
	Elf_Scn *section = NULL;

	if (elf_getshdrstrndx(elf, &names) || !elf_rawfile(elf, &file_n))
		return true; /* without names nothing is unpacked */
	uint64_t room = DWARF_UNPACKED_LEAST + (uint64_t)DWARF_UNPACKED_TIMES * file_n;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;
		uint64_t n = name ? unpacked_size(section, &header, name) : 0;
		if (n > room)
			return false;
		room -= n;
	}
	return true;
}
