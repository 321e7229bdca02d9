/* digest: the seal of an artifact */
#include "verify.h"

void check_digest(const struct artifact *a, struct pl_verdict *v)
{
	char hex[PL_SHA256_HEX + 1];

	switch (pl_stream_check_seal(pl_buf_str(&a->bytes), hex)) {
	case PL_SEAL_FITS:
		break;
	case PL_SEAL_WRONG:
		pl_verdict_fail(v, "the bytes have the digest %s, which is not the one written",
				hex);
		break;
	case PL_SEAL_ABSENT:
		pl_verdict_fail(v, "the artifact does not end with a digest");
		break;
	}
}
