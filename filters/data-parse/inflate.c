/* inflate: zstd blocks to whole records */
#include "inflate.h"
#include "limits.h"
#include "mem.h"
#include "text.h"

#include <stdlib.h>
#include <zstd.h>

/* Unpacks into *out, which grows. 0 or -1. */
static int unpack(struct inflate *f, ZSTD_inBuffer *in, struct pl_buf *out)
{
	enum { STEP = 128 << 10 };

	for (;;) {
		pl_buf_reserve(out, STEP);
		ZSTD_outBuffer to = {out->p + out->n, STEP, 0};
		size_t code = ZSTD_decompressStream(f->stream, &to, in);
		if (ZSTD_isError(code))
			return pl_err_set(&f->err, PL_E_PROFILE_PARSE_FAILED,
					  _("a compressed record is damaged: %s"),
					  ZSTD_getErrorName(code));
		out->n += to.pos;
		f->bytes += to.pos;
		if (f->max_bytes && f->bytes > f->max_bytes)
			return pl_limit_exceeded(&f->err, PL_LIMIT_INPUT_BYTES, f->max_bytes);
		if (in->pos == in->size && to.pos < STEP)
			return 0;
	}
}

/* How much of it is whole records. */
static size_t whole(struct pl_bytes b)
{
	struct pl_perf_record record;
	size_t at = 0, size;

	while ((size = pl_perf_record_read(&record, (struct pl_bytes){b.p + at, b.n - at})) > 0)
		at += size;
	return at;
}

int inflate_add(struct inflate *f, struct pl_bytes packed, struct pl_bytes *records)
{
	ZSTD_inBuffer in = {packed.p, packed.n, 0};
	struct inflate_block *block;
	struct pl_buf out = {0};

	if (!f->stream && !(f->stream = ZSTD_createDStream()))
		return pl_err_set(&f->err, PL_E_INTERNAL_ERROR, _("libzstd has no memory"));
	/* a block begins with the link to the one before it */
	pl_buf_add(&out, &f->blocks, sizeof f->blocks);
	pl_buf_add(&out, f->rest.p ? (const void *)f->rest.p : "", f->rest.n);
	int failed = unpack(f, &in, &out);
	block = (struct inflate_block *)(void *)out.p;
	f->blocks = block;
	struct pl_bytes all = {(const unsigned char *)out.p + sizeof *block, out.n - sizeof *block};
	*records = (struct pl_bytes){all.p, whole(all)};
	f->rest = (struct pl_bytes){all.p + records->n, all.n - records->n};
	return failed;
}

void inflate_free(struct inflate *f)
{
	while (f->blocks) {
		struct inflate_block *block = f->blocks;
		f->blocks = block->next;
		free(block);
	}
	ZSTD_freeDStream(f->stream);
	f->stream = NULL;
}
