/* inflate: zstd blocks to whole records */
#include "inflate.h"
#include "limits.h"
#include "mem.h"
#include "text.h"

#include <stdlib.h>
#include <zstd.h>

/* Unpacks to the end of `work`, which grows. 0 or -1. */
static int unpack(struct inflate *f, ZSTD_inBuffer *in)
{
	enum { STEP = 128 << 10 };
	struct pl_buf *out = &f->work;

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

/* They stay where they are from now on: what is unpacked next moves the buffer. */
static struct pl_bytes keep(struct inflate *f, size_t n)
{
	if (n == 0)
		return (struct pl_bytes){NULL, 0};
	struct inflate_block *block = pl_alloc(sizeof *block + n);
	memcpy(block->records, f->work.p, n);
	block->next = f->blocks;
	f->blocks = block;
	return (struct pl_bytes){block->records, n};
}

/* What is left would be the start of a record. Where its size says that it is whole and it is
 * none, no later block can mend it. */
static int check_rest(struct inflate *f)
{
	struct perf_event_header h;

	if (f->rest < sizeof h)
		return 0;
	memcpy(&h, f->work.p, sizeof h);
	if (h.size > f->rest)
		return 0;
	return pl_err_set(&f->err, PL_E_PROFILE_PARSE_FAILED,
			  _("what a compressed record holds is no record"));
}

int inflate_add(struct inflate *f, struct pl_bytes packed, struct pl_bytes *records)
{
	ZSTD_inBuffer in = {packed.p, packed.n, 0};

	*records = (struct pl_bytes){NULL, 0};
	if (!f->stream && !(f->stream = ZSTD_createDStream()))
		return pl_err_set(&f->err, PL_E_INTERNAL_ERROR, _("libzstd has no memory"));
	int failed = unpack(f, &in);
	size_t n = f->work.n ? whole((struct pl_bytes){(unsigned char *)f->work.p, f->work.n}) : 0;
	*records = keep(f, n);
	f->rest = f->work.n - n;
	if (f->rest)
		memmove(f->work.p, f->work.p + n, f->rest);
	if (!failed)
		failed = check_rest(f);
	if (failed) {
		/* after an error zstd must not be asked again without this */
		ZSTD_DCtx_reset(f->stream, ZSTD_reset_session_only);
		f->rest = 0;
	}
	f->work.n = f->rest;
	return failed;
}

void inflate_free(struct inflate *f)
{
	while (f->blocks) {
		struct inflate_block *block = f->blocks;
		f->blocks = block->next;
		free(block);
	}
	pl_buf_free(&f->work);
	ZSTD_freeDStream(f->stream);
	f->stream = NULL;
}
