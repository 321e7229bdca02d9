/* digest: the seal of an artifact */
#include "verify.h"

static const char seal_start[] = ",\"sha256\":\"", seal_end[] = "\"}\n";
enum {
	START = sizeof seal_start - 1,
	END = sizeof seal_end - 1,
	SEAL = START + PL_SHA256_HEX + END,
};

void check_digest(const struct artifact *a, struct verdict *v)
{
	struct pl_str bytes = pl_buf_str(&a->bytes);
	struct pl_sha256 h;
	char hex[PL_SHA256_HEX + 1];

	const char *seal = bytes.p + bytes.n - (bytes.n < SEAL ? bytes.n : SEAL);
	if (bytes.n < SEAL || memcmp(seal, seal_start, START) != 0 ||
	    memcmp(seal + START + PL_SHA256_HEX, seal_end, END) != 0) {
		verdict_fail(v, "the artifact does not end with a digest");
		return;
	}
	pl_sha256_start(&h);
	pl_sha256_add(&h, bytes.p, bytes.n - SEAL);
	pl_sha256_end(&h, hex);
	if (memcmp(seal + START, hex, PL_SHA256_HEX) != 0)
		verdict_fail(v, "the bytes have the digest %s, which is not the one written", hex);
}
