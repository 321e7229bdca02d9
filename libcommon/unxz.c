/* unxz: bytes packed by xz, all at once */
#include "unxz.h"

#include <lzma.h>

int pl_unxz(struct pl_str packed, struct pl_buf *out)
{
	enum { STEP = 1 << 20 };
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_stream_decoder(&s, PL_UNXZ_MEMORY, LZMA_CONCATENATED);
	size_t start = out->n;

	s.next_in = (const uint8_t *)packed.p;
	s.avail_in = packed.n;
	while (ret == LZMA_OK && out->n - start <= PL_UNXZ_MAX) {
		pl_buf_reserve(out, STEP);
		s.next_out = (uint8_t *)out->p + out->n;
		s.avail_out = STEP;
		ret = lzma_code(&s, LZMA_FINISH);
		out->n += STEP - s.avail_out;
		out->p[out->n] = '\0';
	}
	lzma_end(&s);
	return ret == LZMA_STREAM_END && out->n - start <= PL_UNXZ_MAX ? 0 : -1;
}
