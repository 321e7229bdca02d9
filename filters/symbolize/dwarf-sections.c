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
