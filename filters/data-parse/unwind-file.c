/* unwind-file: ELF files with their call frame information */
#include "unwind-file.h"
#include "fd.h"
#include "mem.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/auxv.h>
#include <unistd.h>

/* ---- which file it is ---- */

static bool is_build_id(struct pl_str hex, const unsigned char *id, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	if (hex.n != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (hex.p[2 * i] != digits[id[i] >> 4] || hex.p[2 * i + 1] != digits[id[i] & 15])
			return false;
	return true;
}

static enum unwind_stop check_identity(Elf *elf, const struct unwind_file_wanted *wanted)
{
	const void *id = NULL;

	if (!wanted->build_id.p || wanted->build_id.n == 0)
		return wanted->trust ? UNWIND_ROOT : UNWIND_NO_BUILD_ID;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);
	return n > 0 && is_build_id(wanted->build_id, id, (size_t)n) ? UNWIND_ROOT
								     : UNWIND_BUILD_ID_MISMATCH;
}

/* ---- what is loaded from it ---- */

static void find_loads(struct unwind_file *f)
{
	size_t n = 0;
	GElf_Phdr phdr;

	if (elf_getphdrnum(f->elf, &n))
		return;
	for (size_t i = 0; i < n && f->load_n < UNWIND_LOADS_MAX; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &phdr))
			return;
		if (phdr.p_type != PT_LOAD)
			continue;
		f->loads[f->load_n++] = (struct unwind_load){
			.offset = phdr.p_offset,
			.address = phdr.p_vaddr,
			.size = phdr.p_filesz,
			.exec = phdr.p_flags & PF_X,
			.writable = phdr.p_flags & PF_W,
		};
	}
}

/* Two segments may share a page of the file, and then both are mapped with it: code is in the one
 * that may run. */
static const struct unwind_load *find_load(const struct unwind_file *f, uint64_t offset)
{
	const struct unwind_load *found = NULL;

	for (size_t i = 0; i < f->load_n; i++) {
		const struct unwind_load *load = &f->loads[i];
		if (offset >= load->offset && offset - load->offset < load->size &&
		    (!found || (load->exec && !found->exec)))
			found = load;
	}
	return found;
}

int unwind_file_address(const struct unwind_file *f, uint64_t offset, uint64_t *address)
{
	const struct unwind_load *load = find_load(f, offset);

	if (!load)
		return -1;
	*address = offset - load->offset + load->address;
	return 0;
}

int unwind_file_read(const struct unwind_file *f, uint64_t offset, void *p, size_t n)
{
	const struct unwind_load *load = find_load(f, offset);
	size_t size = 0;
	const char *file = elf_rawfile(f->elf, &size);

	if (!load || load->writable || load->size - (offset - load->offset) < n || !file ||
	    offset > size || size - offset < n)
		return -1;
	memcpy(p, file + offset, n);
	return 0;
}

/* ---- opening ---- */

static enum unwind_stop check(struct unwind_file *f, const struct unwind_file_wanted *wanted)
{
	GElf_Ehdr ehdr;

	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &ehdr) ||
	    ehdr.e_machine != wanted->machine || gelf_getclass(f->elf) != ELFCLASS64)
		return UNWIND_NO_FILE;
	enum unwind_stop stop = check_identity(f->elf, wanted);
	if (!stop)
		find_loads(f);
	return stop;
}

/* Opening a FIFO waits and opening a device may do anything: look first. */
static int open_regular(const char *path, uint64_t max_bytes)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	int fd = pl_fd_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size <= max_bytes)
		return fd;
	close(fd);
	return -1;
}

enum unwind_stop unwind_file_open(struct unwind_file *f, const char *path,
				  const struct unwind_file_wanted *wanted)
{
	*f = (struct unwind_file){0};
	int fd = open_regular(path, wanted->max_bytes);
	if (fd < 0)
		return UNWIND_NO_FILE;
	elf_version(EV_CURRENT);
	f->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	/* what was not mapped must be read before the descriptor goes */
	if (f->elf && elf_cntl(f->elf, ELF_C_FDREAD)) {
		elf_end(f->elf);
		f->elf = NULL;
	}
	close(fd);
	return check(f, wanted);
}

/* The image ends with its section headers. */
static size_t image_size(const Elf64_Ehdr *ehdr)
{
	return ehdr->e_shoff + (size_t)ehdr->e_shnum * ehdr->e_shentsize;
}

enum unwind_stop unwind_file_vdso(struct unwind_file *f, const struct unwind_file_wanted *wanted)
{
	char *image = (char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR); // NOLINT: an address

	*f = (struct unwind_file){0};
	if (!image)
		return UNWIND_NO_FILE;
	elf_version(EV_CURRENT);
	f->elf = elf_memory(image, image_size((const Elf64_Ehdr *)(const void *)image));
	return check(f, wanted);
}

void unwind_file_close(struct unwind_file *f)
{
	if (f->dwarf)
		dwarf_end(f->dwarf);
	if (f->eh)
		dwarf_cfi_end(f->eh);
	if (f->elf)
		elf_end(f->elf);
	*f = (struct unwind_file){0};
}

/* ---- call frame information ---- */

static bool has_debug_frame(Elf *elf)
{
	size_t names;
	GElf_Shdr shdr;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const char *name =
			gelf_getshdr(s, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;
		if (name &&
		    (strcmp(name, ".debug_frame") == 0 || strcmp(name, ".zdebug_frame") == 0))
			return shdr.sh_type != SHT_NOBITS;
	}
	return false;
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
		f->eh = dwarf_getcfi_elf(f->elf);
	}
	Dwarf_Frame *frame = look_up(f->eh, address);
	if (frame)
		return frame;
	/* opening it inflates all of the debugging information that is compressed */
	if (!f->knows_debug) {
		f->knows_debug = true;
		f->dwarf = has_debug_frame(f->elf) ? dwarf_begin_elf(f->elf, DWARF_C_READ, NULL)
						   : NULL;
		f->debug = f->dwarf ? dwarf_getcfi(f->dwarf) : NULL;
	}
	return look_up(f->debug, address);
}
