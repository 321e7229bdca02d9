/*
 * elf: an ELF file opened for inspection: what its headers say, and where its bytes are.
 *
 * The bytes are hostile and libelf is not ours: a program calls this in a child (child.h), where a
 * crash costs one answer. A file is mapped, not read; it must not shrink meanwhile.
 */
#ifndef PL_ELF_H
#define PL_ELF_H

#include "err.h"
#include <gelf.h>
#include <sys/stat.h>

#define PL_ELF_MAX_BYTES                                                                \
	((uint64_t)4 << 30)	   /* size of a file, where the caller has no other cap \
				    */
enum { PL_ELF_BUILD_ID_MAX = 64 }; /* bytes of a build id; what is longer is none */

/* Why a file could not be opened. */
enum pl_elf_status {
	PL_ELF_OK,
	PL_ELF_ABSENT,	    /* nothing has this name */
	PL_ELF_UNREADABLE,  /* no permission, outside of the roots, an I/O error */
	PL_ELF_NOT_REGULAR, /* a folder, device, FIFO or socket */
	PL_ELF_TOO_LARGE,
	PL_ELF_NOT_ELF /* another format, or its headers are broken */
};

struct pl_elf;

/* One section header. */
struct pl_elf_section {
	const char *name; /* "" where the file has no names; valid as long as the file is open */
	uint32_t type, link, info;
	uint64_t flags, offset, size, entsize;
	uint64_t addr; /* virtual address; of a relocatable file as pl_elf_vaddr() lays it out */
	bool placed;   /* is at an address at all */
};

/* What a build id is, as text. */
struct pl_elf_build_id {
	char hex[2 * PL_ELF_BUILD_ID_MAX + 1]; /* lower case; "" where there is none */
};

/*
 * Opens a regular file, of at most max_bytes (0: PL_ELF_MAX_BYTES). On success *elf is to be
 * closed; else it is NULL and *err says what is wrong (its file is the path).
 */
enum pl_elf_status pl_elf_open(struct pl_elf **elf, const char *path, uint64_t max_bytes,
			       struct pl_err *err);
/* The same for a file that is open already; the descriptor stays the caller's, and may be closed.
 */
enum pl_elf_status pl_elf_open_fd(struct pl_elf **elf, int fd, uint64_t max_bytes,
				  struct pl_err *err);
/* The same for n bytes in memory, which must stay there until pl_elf_close(). They are written to
 * where sections are unpacked (libelf notes it in their headers). */
enum pl_elf_status pl_elf_open_memory(struct pl_elf **elf, void *p, size_t n, struct pl_err *err);
void pl_elf_close(struct pl_elf *elf); /* NULL is fine */

/* Device, inode, size and time of change when it was opened, for pl_fd_is_same(); all zero of what
 * came from memory. */
const struct stat *pl_elf_stat(const struct pl_elf *elf);
struct pl_str pl_elf_bytes(const struct pl_elf *elf); /* the whole file */
const GElf_Ehdr *pl_elf_header(const struct pl_elf *elf);
/* By index; index 0 is the empty section. n is 0 where section headers are gone. */
const struct pl_elf_section *pl_elf_sections(const struct pl_elf *elf, size_t *n);
/* The first section of this name and, where type is not SHT_NULL, type; NULL when there is none. */
const struct pl_elf_section *pl_elf_section(const struct pl_elf *elf, const char *name,
					    uint32_t type);
const GElf_Phdr *pl_elf_segments(const struct pl_elf *elf, size_t *n);
/* The bytes of a section as the file has them; absent for SHT_NOBITS and where they reach beyond
 * the file. */
struct pl_str pl_elf_section_bytes(const struct pl_elf *elf, const struct pl_elf_section *s);
/* The bytes of a section or of a part of the file, each item turned to this machine's byte order;
 * NULL when there are none. Valid as long as the file is open. */
Elf_Data *pl_elf_section_data(const struct pl_elf *elf, const struct pl_elf_section *s);
Elf_Data *pl_elf_chunk(const struct pl_elf *elf, uint64_t offset, uint64_t size, Elf_Type type);
/* A string table up to its last NUL, so that at each offset below n a string begins that ends in
 * it; absent when there is none. By the index of its section. */
struct pl_str pl_elf_strings(const struct pl_elf *elf, uint32_t index);
/* For libdw: dwarf_begin_elf(). Stays elf's. */
Elf *pl_elf_handle(const struct pl_elf *elf);

/* Reads a build id as people and other programs write it: pairs of hexadecimal digits of either
 * case. false: that is none. */
bool pl_elf_build_id_read(struct pl_elf_build_id *id, struct pl_str text);
/* The GNU build id: from the notes of the program headers, else of the section headers. */
void pl_elf_build_id(const struct pl_elf *elf, struct pl_elf_build_id *id);

/*
 * The virtual address of a byte of the file: 0, or -1 where it is not loaded. By the PT_LOAD
 * headers, because linkers (lld, mold) let addresses and offsets drift apart; where several cover
 * the byte, by the executable one. Only the program headers of the file that ran will do: those of
 * a separate debug file have other offsets.
 *
 * A relocatable file (ET_REL: a kernel module) has no addresses; its executable sections are laid
 * out one after the other from 0, each aligned as it asks for, those named .init* left out. That is
 * how the kernel lays out a module's text (layout_sections() in kernel/module/main.c), so that
 * the address is the distance from the module's base in /proc/modules.
 */
int pl_elf_vaddr(const struct pl_elf *elf, uint64_t file_offset, uint64_t *vaddr);
/* The other way round: where in the file the byte at an address is. 0, or -1. */
int pl_elf_offset(const struct pl_elf *elf, uint64_t vaddr, uint64_t *file_offset);

#endif
