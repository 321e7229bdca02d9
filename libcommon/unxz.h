/* unxz: bytes packed by xz, all at once (liblzma) */
#ifndef PL_UNXZ_H
#define PL_UNXZ_H

#include "str.h"

enum {
	PL_UNXZ_MAX = 256 << 20,   /* bytes that come out at most */
	PL_UNXZ_MEMORY = 128 << 20 /* bytes that unpacking may need: xz -9 asks for 65 MiB */
};

/* Appends what `packed`, a whole .xz file, unpacks to. 0, or -1: broken, too large, wants too much
 * memory; what *out then has more is of no use. */
int pl_unxz(struct pl_str packed, struct pl_buf *out);

#endif
