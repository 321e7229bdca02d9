/*
 * within: opens what a path names in a folder, and nothing outside of it, wherever ".." and links
 * on the way lead.
 *
 * The path is walked here, a part at a time, and the kernel follows no link: what is moved
 * meanwhile can end the walk, and cannot lead it out. openat2(2) does the same, but not every
 * kernel and container has it, its flags are out of a seccomp filter's sight, and it refuses
 * absolute links that lead back inside.
 */
#ifndef PL_WITHIN_H
#define PL_WITHIN_H

#include "base.h"

struct pl_within {
	int root; /* the folder, open */
	/* NULL: its root is the folder, as for a process after chroot(2): absolute links begin
	 * there, and ".." leads no further. Else its path without links: absolute links lead inside
	 * where they begin with it, and whatever leads outside is refused with EXDEV, without a
	 * look at what is there. */
	const char *real;
};

/* open(2) with these flags; a path that begins with '/' begins at the folder, too. A descriptor, or
 * -1 and errno. */
int pl_within_open(const struct pl_within *within, const char *path, int flags);
/* What follows the folder in a path that begins with its name, without slashes in front, or NULL.
 * Nothing is looked at but the two texts. */
const char *pl_within_rest(const char *folder, const char *path);

#endif
