/*
 * kernel: whose names the kernel's addresses may be given: those of a text that was kept with the
 * recording, or the running kernel's, when it is the one that was recorded.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "kallsyms.h"

enum { KERNEL_BUILD_ID_MAX = 128 }; /* hexadecimal digits */

struct kernel {
	struct kallsyms syms;
	bool given;	   /* by --kallsyms: of the recording */
	bool trust;	   /* --trust-paths: a release is enough where there is no build ID */
	const char *lacks; /* why there are no names; NULL: there are */
	char build_id[KERNEL_BUILD_ID_MAX + 1], release[65]; /* of the running one; "" unknown */
	struct kernel_module {
		char name[64];
		uint64_t base;
		char build_id[KERNEL_BUILD_ID_MAX + 1]; /* "" unknown */
	} * modules;					/* those that are loaded */
	size_t modules_n, modules_cap;
	char recorded_release[65]; /* "" unknown: set when the stream's header is known */
};

/* Reads what is needed of /proc and /sys, or the given file; before the sandbox. 0, or -1: the file
 * given cannot be read. */
int kernel_open(struct kernel *k, const char *given, bool trust, struct pl_err *err);
/* May its names be used for what was recorded of the kernel with this build ID (absent: unknown)?
 * NULL, or why not. */
const char *kernel_check(const struct kernel *k, struct pl_str build_id);
/* The name of a function of the kernel. `base` is where it was loaded when it was recorded: it may
 * have been loaded elsewhere since; 0: unknown. */
struct pl_str kernel_find(const struct kernel *k, uint64_t base, uint64_t address);
/* Do the names at hand have those of a kernel module (its file or [name]) that was loaded at
 * `base`, because one of that name still is, or because they are the recording's own? */
bool kernel_has_module(const struct kernel *k, struct pl_str dso, uint64_t base);
/* May they be used for it? NULL, or why not. A module is loaded where another build of it was, so
 * that its own build ID has to be the recorded one; where none was recorded, the kernel's,
 * `kernel_id`, has to be (each absent: not recorded). */
const char *kernel_check_module(const struct kernel *k, struct pl_str dso, uint64_t base,
				struct pl_str build_id, struct pl_str kernel_id);
void kernel_close(struct kernel *k);

#endif
