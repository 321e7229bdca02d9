/* tracing: tracing data put together by hand, whole and cut at every length */
#include "../../filters/data-parse/tracing.h"
#include "perf_kit.h"

static void put_z(struct pl_buf *b, const char *text)
{
	pl_buf_add(b, text, strlen(text) + 1);
}

static void put_format(struct pl_buf *b, const char *format)
{
	put_u64(b, strlen(format));
	pl_buf_addz(b, format);
}

static void put_start(struct pl_buf *b)
{
	pl_buf_add(b, "\x17\x08\x44tracing", 10);
	put_z(b, "0.6");
	pl_buf_addc(b, 0); /* little-endian */
	pl_buf_addc(b, 8);
	put_u32(b, 4096);
	put_z(b, "header_page");
	put_format(b, "\tfield: u64 timestamp;\n");
	put_z(b, "header_event");
	put_format(b, "# compressed entry header\n");
	put_u32(b, 1); /* formats of ftrace itself */
	put_format(b, "name: function\nID: 1\n");
}

static void put_whole(struct pl_buf *b)
{
	put_start(b);
	put_u32(b, 2); /* systems */
	put_z(b, "sched");
	put_u32(b, 2);
	put_format(b, "name: sched_switch\nID: 314\nformat:\n\tfield:int ID;\toffset:0;\n");
	put_format(b, "name: sched_waking\nID: 318\n");
	put_z(b, "syscalls");
	put_u32(b, 1);
	put_format(b, "name: sys_enter_read\nID: 700");
}

static void check_name(const struct tracing *t, uint64_t id, const char *want)
{
	struct pl_buf name = {0};

	tracing_name(t, id, &name);
	CHECK_STR(pl_buf_str(&name).p, name.n, want);
	pl_buf_free(&name);
}

TEST(names_by_id)
{
	struct tracing t = {0};
	struct pl_buf b = {0};

	put_whole(&b);
	tracing_read(&t, view(&b));
	CHECK_U64(t.n, 3);
	check_name(&t, 314, "sched:sched_switch");
	check_name(&t, 318, "sched:sched_waking");
	check_name(&t, 700, "syscalls:sys_enter_read");
	check_name(&t, 1, "");
	check_name(&t, 0, "");
	check_name(&t, UINT64_MAX, "");
	tracing_free(&t);
	pl_buf_free(&b);
}

TEST(no_data_no_names)
{
	struct tracing t = {0};

	tracing_read(&t, (struct pl_bytes){NULL, 0});
	check_name(&t, 314, "");
	tracing_free(&t);
}

/* What is whole before the cut is found. */
TEST(cut_at_every_length)
{
	struct pl_buf b = {0};
	size_t known = 0;

	put_whole(&b);
	for (size_t n = 0; n <= b.n; n++) {
		struct tracing t = {0};
		unsigned char *p = exact(view(&b), n);
		tracing_read(&t, (struct pl_bytes){p, n});
		CHECK(t.n == known || t.n == known + 1);
		known = t.n;
		if (t.n > 0)
			check_name(&t, 314, "sched:sched_switch");
		tracing_free(&t);
		free(p);
	}
	CHECK_U64(known, 3);
	pl_buf_free(&b);
}

TEST(lengths_that_lie)
{
	static const uint64_t lengths[] = {100, UINT32_MAX, UINT64_MAX - 8, UINT64_MAX};

	for (size_t i = 0; i < PL_COUNT(lengths); i++) {
		struct tracing t = {0};
		struct pl_buf b = {0};
		put_start(&b);
		put_u32(&b, UINT32_MAX);
		put_z(&b, "sched");
		put_u32(&b, UINT32_MAX);
		put_format(&b, "name: a\nID: 1\n");
		put_u64(&b, lengths[i]);
		tracing_read(&t, view(&b));
		CHECK_U64(t.n, 1);
		check_name(&t, 1, "sched:a");
		tracing_free(&t);
		pl_buf_free(&b);
	}
}

TEST(formats_without_name_or_number_and_twice_the_same)
{
	struct tracing t = {0};
	struct pl_buf b = {0};

	put_start(&b);
	put_u32(&b, 1);
	put_z(&b, "s");
	put_u32(&b, 6);
	put_format(&b, "");
	put_format(&b, "ID: 5\n");
	put_format(&b, "name: none\n");
	put_format(&b, "name: bad\nID: 5x\n");
	put_format(&b, "name: first\nID: 5\n");
	put_format(&b, "name: second\nID: 5\n");
	tracing_read(&t, view(&b));
	CHECK_U64(t.n, 2);
	check_name(&t, 5, "s:first");
	tracing_free(&t);
	pl_buf_free(&b);
}

int main(void)
{
	RUN(names_by_id);
	RUN(no_data_no_names);
	RUN(cut_at_every_length);
	RUN(lengths_that_lie);
	RUN(formats_without_name_or_number_and_twice_the_same);
	return unit_done();
}
