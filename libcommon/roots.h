/*
 * roots: below which folders a program that resolves symbols may read.
 *
 * People build anywhere, so that it is every top-level folder but those of the kernel and of
 * running programs: /proc, /sys, /dev and /run. Narrowed by --roots.
 */
#ifndef PL_ROOTS_H
#define PL_ROOTS_H

#include "args.h"
#include "err.h"

struct pl_roots {
	char **v;
	size_t n, cap;
};

/*
 * The folders given, or, where none is, the default ones. They are made absolute, and links
 * followed. 0, or -1: one that is given does not exist or is no folder (INVALID_INPUT).
 */
int pl_roots(struct pl_roots *roots, const struct pl_list *given, struct pl_err *err);
/* One more, unless it is below one of them; what does not exist or is no folder is left out. */
void pl_roots_add(struct pl_roots *roots, const char *folder);
/* What is in another system's root, an open folder that stays open, as in ours: all but proc, sys,
 * dev and run. */
void pl_roots_add_system(struct pl_roots *roots, int root);
void pl_roots_free(struct pl_roots *roots);
/* For struct pl_main.roots. */
static inline const char *const *pl_roots_list(const struct pl_roots *roots)
{
	return (const char *const *)roots->v;
}

#endif
