/* inflate: a zstd stream made here, cut into blocks at every place */
#include "../../filters/data-parse/inflate.h"
#include "perf_kit.h"
#include <zstd.h>

/* Records of many lengths; returns how many. */
static size_t put_records(struct pl_buf *b)
{
	size_t n = 0;

	for (size_t body = 0; body < 60; body += 4, n++) {
		size_t at = begin_record(b, (uint32_t)n, 0);
		for (size_t i = 0; i < body; i++)
			pl_buf_addc(b, (char)(n + i));
		end_record(b, at);
	}
	return n;
}

/* One frame over all of it, flushed every `step` bytes as perf does; each flush is one block. */
struct packed {
	struct pl_buf bytes;
	size_t ends[2000], n;
};

static void pack(struct packed *p, struct pl_bytes all, size_t step)
{
	ZSTD_CStream *z = ZSTD_createCStream();

	for (size_t at = 0; at < all.n; at += step) {
		ZSTD_inBuffer in = {all.p + at, step < all.n - at ? step : all.n - at, 0};
		pl_buf_reserve(&p->bytes, 4096);
		ZSTD_outBuffer out = {p->bytes.p + p->bytes.n, 4096, 0};
		CHECK(ZSTD_compressStream2(z, &out, &in, ZSTD_e_flush) == 0);
		p->bytes.n += out.pos;
		p->ends[p->n++] = p->bytes.n;
	}
	ZSTD_freeCStream(z);
}

static struct pl_bytes block(const struct packed *p, size_t i)
{
	size_t from = i ? p->ends[i - 1] : 0;

	return (struct pl_bytes){(const unsigned char *)p->bytes.p + from, p->ends[i] - from};
}

TEST(records_that_straddle_blocks)
{
	struct pl_buf all = {0};
	size_t records = put_records(&all);

	for (size_t step = 1; step <= all.n; step += step < 80 ? 1 : 97) {
		static struct pl_bytes got[2000];
		struct packed p = {0};
		struct inflate f = {0};
		struct pl_buf together = {0};
		size_t whole = 0;
		pack(&p, view(&all), step);
		for (size_t i = 0; i < p.n; i++)
			CHECK(inflate_add(&f, block(&p, i), &got[i]) == 0);
		/* all of them at the end: none has moved */
		for (size_t i = 0; i < p.n; i++)
			for (size_t at = 0; at < got[i].n; whole++) {
				struct pl_perf_record r;
				at += pl_perf_record_read(
					&r, (struct pl_bytes){got[i].p + at, got[i].n - at});
				CHECK_U64(r.type, whole);
			}
		for (size_t i = 0; i < p.n; i++)
			pl_buf_add(&together, got[i].p, got[i].n);
		CHECK_U64(whole, records);
		CHECK(pl_str_eq(pl_buf_str(&together), pl_buf_str(&all)));
		CHECK_U64(f.bytes, all.n);
		CHECK_U64(f.rest, 0);
		inflate_free(&f);
		pl_buf_free(&p.bytes);
		pl_buf_free(&together);
	}
	pl_buf_free(&all);
}

TEST(a_record_without_its_end_is_the_rest)
{
	struct pl_buf all = {0};
	struct packed p = {0};
	struct inflate f = {0};
	struct pl_bytes got;

	put_records(&all);
	pack(&p, (struct pl_bytes){view(&all).p, all.n - 5}, all.n);
	CHECK(inflate_add(&f, block(&p, 0), &got) == 0);
	CHECK_U64(got.n, all.n - 64); /* the last has 8 + 56 bytes */
	CHECK_U64(f.rest, 59);
	inflate_free(&f);
	pl_buf_free(&all);
	pl_buf_free(&p.bytes);
}

TEST(an_empty_block_has_nothing)
{
	struct inflate f = {0};
	struct pl_bytes got;

	CHECK(inflate_add(&f, (struct pl_bytes){(const unsigned char *)"", 0}, &got) == 0);
	CHECK_U64(got.n, 0);
	inflate_free(&f);
}

/* What came before is kept, and a new frame can be read. */
TEST(damage_costs_its_own_block)
{
	struct pl_buf all = {0};
	struct packed p = {0};
	struct inflate f = {0};
	struct pl_bytes got;

	put_records(&all);
	pack(&p, (struct pl_bytes){view(&all).p, all.n - 5}, all.n);
	CHECK(inflate_add(&f, block(&p, 0), &got) == 0);
	CHECK(inflate_add(&f, (struct pl_bytes){(const unsigned char *)"no zstd at all", 14},
			  &got) == -1);
	CHECK_U64(f.err.code, PL_E_PROFILE_PARSE_FAILED);
	CHECK_U64(got.n, 0);
	CHECK_U64(f.rest, 0);
	CHECK(inflate_add(&f, block(&p, 0), &got) == 0);
	CHECK_U64(got.n, all.n - 64);
	inflate_free(&f);
	pl_buf_free(&all);
	pl_buf_free(&p.bytes);
}

/* A size that no record has: whatever follows cannot be told. */
TEST(what_is_no_record_is_not_carried_along)
{
	for (uint16_t size = 0; size < 8; size++) {
		struct pl_buf all = {0};
		struct packed p = {0};
		struct inflate f = {0};
		struct pl_bytes got;
		put_u64(&all, 8ull << 48); /* a whole one */
		put_u32(&all, 1);
		put_u16(&all, 0);
		put_u16(&all, size);
		put_text(&all, "", 1000);
		pack(&p, view(&all), all.n);
		CHECK(inflate_add(&f, block(&p, 0), &got) == -1);
		CHECK_U64(got.n, 8);
		CHECK_U64(f.rest, 0);
		inflate_free(&f);
		pl_buf_free(&all);
		pl_buf_free(&p.bytes);
	}
}

TEST(a_bomb_is_stopped)
{
	struct pl_buf all = {0};
	struct packed p = {0};
	struct inflate f = {.max_bytes = 1 << 20};
	struct pl_bytes got;

	pl_buf_reserve(&all, 8 << 20);
	memset(all.p, 0, 8 << 20);
	all.n = 8 << 20;
	pack(&p, view(&all), all.n);
	CHECK(p.bytes.n < 4096);
	CHECK(inflate_add(&f, block(&p, 0), &got) == -1);
	CHECK_U64(f.err.code, PL_E_RESOURCE_LIMIT_EXCEEDED);
	CHECK(f.bytes <= (1 << 20) + (128 << 10));
	inflate_free(&f);
	pl_buf_free(&all);
	pl_buf_free(&p.bytes);
}

int main(void)
{
	RUN(records_that_straddle_blocks);
	RUN(a_record_without_its_end_is_the_rest);
	RUN(an_empty_block_has_nothing);
	RUN(damage_costs_its_own_block);
	RUN(what_is_no_record_is_not_carried_along);
	RUN(a_bomb_is_stopped);
	return unit_done();
}
