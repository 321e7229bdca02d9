/* hash: SHA-256 (nettle) */
#ifndef PL_HASH_H
#define PL_HASH_H

#include "str.h"
#include <nettle/sha2.h>

enum { PL_SHA256_HEX = 64 };

struct pl_sha256 {
	struct sha256_ctx ctx;
};
void pl_sha256_start(struct pl_sha256 *h);
void pl_sha256_add(struct pl_sha256 *h, const void *p, size_t n);
/* 64 lower-case hexadecimal digits and a NUL. The state is then spent. */
void pl_sha256_end(struct pl_sha256 *h, char hex[PL_SHA256_HEX + 1]);

#endif
