/*
 * debugfile: where the separate debug information of an ELF file may be, and which of the files
 * there belong to it.
 *
 * In order: for each debug root ROOT/.build-id/xx/REST.debug; then by the debuglink (gdb's manual,
 * "Debugging Information in Separate Files") beside the file, in .debug beside it, and below each
 * root in the folder that the file is in; and ROOT/PATH.debug. A candidate is accepted when it
 * carries the file's build id, or, where it has none, when the debuglink's CRC is that of its
 * bytes; a name alone proves nothing.
 */
#ifndef PL_DEBUGFILE_H
#define PL_DEBUGFILE_H

#include "elfinfo.h"

#define PL_DEBUGFILE_ROOT "/usr/lib/debug" /* comes after the caller's roots */

enum pl_debugfile_reason {
	PL_DEBUGFILE_ACCEPTED,
	PL_DEBUGFILE_ABSENT,
	PL_DEBUGFILE_BUILD_ID_MISMATCH, /* it has another one */
	PL_DEBUGFILE_BUILD_ID_ABSENT,	/* it has none, and nothing else proves that it belongs */
	PL_DEBUGFILE_CRC_MISMATCH,
	PL_DEBUGFILE_NOT_ELF,
	PL_DEBUGFILE_NOT_REGULAR,
	PL_DEBUGFILE_TOO_LARGE,
	PL_DEBUGFILE_UNREADABLE,
	PL_DEBUGFILE_NO_DEBUG_INFO, /* it belongs, but has neither DWARF nor a .symtab */
	PL_DEBUGFILE_BAD_NAME	    /* the debuglink is no bare file name; path is then "" */
};

struct pl_debugfile {
	char *path;
	bool by_link; /* else by build id */
	bool alt;     /* it is the file that several debug files share: pl_debugfile_find_alt() */
	enum pl_debugfile_reason reason;
};

struct pl_debugfiles {
	struct pl_debugfile *v; /* in the order of the search */
	size_t n, cap;
	struct pl_elf *elf;		     /* the first accepted one, open; or NULL */
	const struct pl_debugfile *accepted; /* which one that is */
};

struct pl_debugfile_search {
	const char *path;	  /* of the file, absolute; NULL: not known, nothing is looked for
				     beside it */
	const char *const *roots; /* the caller's, taken as they are */
	size_t roots_n;
	const char *sysroot; /* stands before PL_DEBUGFILE_ROOT and is taken off the file's path
				where that is below a root; NULL: none */
	uint64_t max_bytes;  /* of a candidate; 0: PL_ELF_MAX_BYTES */
	bool list_absent;    /* also those that are not there */
	bool all;	     /* go on behind the first that is accepted */
};

/* Fills *found, which is then to be freed. */
void pl_debugfile_find(struct pl_debugfiles *found, const struct pl_elf_info *info,
		       const struct pl_debugfile_search *search);
/*
 * The same for the file that dwz put in common what several debug files had: .gnu_debugaltlink of
 * `info`, which is what pl_elf_inspect() says of the file at `path` (that which has the DWARF: the
 * program itself or its debug file). Where the link leads, from the file's folder or in the
 * sysroot; then by build id below each root. Only the build id that the link names will do.
 */
void pl_debugfile_find_alt(struct pl_debugfiles *found, const struct pl_elf_info *info,
			   const char *path, const struct pl_debugfile_search *search);
/* Closes elf, too, unless the caller took it and left NULL there. */
void pl_debugfiles_free(struct pl_debugfiles *found);
/* "BUILD_ID_MISMATCH"; NULL for an accepted one. */
const char *pl_debugfile_reason_name(enum pl_debugfile_reason reason);
/* CRC-32 as in a debuglink (zlib's). */
uint32_t pl_debugfile_crc(struct pl_str bytes);

#endif
