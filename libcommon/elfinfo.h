/*
 * elfinfo: what an ELF file is, and which debug information it has or names: the facts that a
 * person needs to know what can be resolved in it.
 */
#ifndef PL_ELFINFO_H
#define PL_ELFINFO_H

#include "elf.h"

enum { PL_ELF_LINK_MAX = 255 }; /* bytes of a file name */

/* How sections of debug information are compressed. */
enum pl_elf_compression {
	PL_ELF_PLAIN,
	PL_ELF_ZLIB, /* SHF_COMPRESSED, ELFCOMPRESS_ZLIB */
	PL_ELF_ZSTD, /* SHF_COMPRESSED, ELFCOMPRESS_ZSTD: elfutils before 0.189 cannot read it */
	PL_ELF_ZLIB_GNU,	 /* .zdebug_* of old GNU tools */
	PL_ELF_OTHER_COMPRESSION /* SHF_COMPRESSED by a method that we do not know */
};

struct pl_elf_info {
	struct pl_elf_build_id build_id;
	char machine[24]; /* "EM_X86_64"; "EM_1234" for a number without a name here */
	char type[24];	  /* "ET_DYN" */
	bool pie; /* an executable at any address: DF_1_PIE, or PT_INTERP without DT_SONAME */
	bool static_pie; /* and no interpreter */
	bool stripped;	 /* has no .symtab */
	bool has_dynsym;
	bool has_text; /* has machine code (a separate debug file has none) */
	/* debug information */
	bool debug_info; /* .debug_info or .zdebug_info */
	enum pl_elf_compression compression;
	bool debug_line;
	bool debug_frame, eh_frame;
	bool gnu_debugdata;
	char link[PL_ELF_LINK_MAX + 1]; /* .gnu_debuglink: a bare file name; "" where there is none
					   or what stands there is no name of a file */
	bool link_refused;		/* there is one, and it is no bare file name */
	uint32_t link_crc;
	char alt_link[1024]; /* .gnu_debugaltlink (dwz): a path, relative to the file's folder or
				absolute; "" for none */
	struct pl_elf_build_id alt_build_id;
};

/* From headers and small sections only: cheap. */
void pl_elf_inspect(const struct pl_elf *elf, struct pl_elf_info *info);
/* What libdw makes of its debug information. */
enum pl_elf_dwarf {
	PL_ELF_DWARF_ABSENT,
	PL_ELF_DWARF_UNREADABLE, /* it is there, but this libdw cannot read it: packed in a way that
				    it does not know, or broken */
	PL_ELF_DWARF_WHOLE,
	PL_ELF_DWARF_SPLIT /* units name .dwo files that have the rest of them */
};
/* By the first 64 units; libdw unpacks what is compressed. */
enum pl_elf_dwarf pl_elf_dwarf(const struct pl_elf *elf);
/* "none", "zlib", "zstd", "zlib-gnu", "unknown" */
const char *pl_elf_compression_name(enum pl_elf_compression compression);

#endif
