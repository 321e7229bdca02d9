/* hash: SHA-256 (nettle) */
#include "hash.h"

void pl_sha256_start(struct pl_sha256 *h)
{
	sha256_init(&h->ctx);
}

void pl_sha256_add(struct pl_sha256 *h, const void *p, size_t n)
{
	sha256_update(&h->ctx, n, p);
}

void pl_sha256_end(struct pl_sha256 *h, char hex[PL_SHA256_HEX + 1])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t sum[SHA256_DIGEST_SIZE];
	sha256_digest(&h->ctx, sizeof sum, sum);
	for (size_t i = 0; i < sizeof sum; i++) {
		hex[2 * i] = digits[sum[i] >> 4];
		hex[2 * i + 1] = digits[sum[i] & 15];
	}
	hex[PL_SHA256_HEX] = '\0';
}
