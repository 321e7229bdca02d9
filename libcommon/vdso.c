/* vdso: our own image, copied */
#include "vdso.h"
#include "mem.h"

#include <sys/auxv.h>
#include <unistd.h>

/* How long it is: its last loaded byte, or its section headers, which lie behind. */
static size_t size_of(const unsigned char *image)
{
	enum { MAX = 1 << 20 };
	Elf64_Ehdr header;
	size_t size;

	memcpy(&header, image, sizeof header);
	size = header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
		if (segment.p_type == PT_LOAD && segment.p_offset + segment.p_filesz > size)
			size = segment.p_offset + segment.p_filesz;
	}
	return size < MAX ? size : 0;
}

/* The kernel made it, so that it is what it says. A copy, because libelf marks what it read. */
struct pl_elf *pl_vdso_open(void)
{
	static struct pl_buf copy; /* as long as the process: the image is */
	const unsigned char *image = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	struct pl_elf *elf = NULL;
	struct pl_err err;

	if (!image || image[EI_CLASS] != ELFCLASS64)
		return NULL;
	if (copy.n == 0)
		pl_buf_add(&copy, image, size_of(image));
	pl_elf_open_memory(&elf, copy.p, copy.n, &err);
	return elf;
}
