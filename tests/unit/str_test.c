/* str: views and buffers at their ends */
#include "str.h"
#include "unit.h"

static const struct pl_str absent;

TEST(compares)
{
	CHECK(pl_str_eq(PL_S("ab"), pl_str("ab")));
	CHECK(!pl_str_eq(PL_S("ab"), PL_S("ac")));
	CHECK(!pl_str_eq(PL_S("ab"), PL_S("abc")));
	CHECK(pl_str_eq(PL_S("a\0b"), PL_S("a\0b")));
	CHECK(!pl_str_eq(PL_S("a\0b"), PL_S("a\0c")));
	CHECK(pl_str_is(PL_S("ab"), "ab"));
	CHECK(!pl_str_is(PL_S("ab"), "a"));
	CHECK(pl_str_is(absent, ""));
	CHECK(pl_str(NULL).p == NULL && pl_str(NULL).n == 0);
}

TEST(orders_by_bytes_then_length)
{
	/* each comes before the next */
	static const struct pl_str sorted[] = {{NULL, 0},    PL_S(""),	   PL_S("\0"),	PL_S("A"),
					       PL_S("a"),    PL_S("a\0"),  PL_S("aa"),	PL_S("b"),
					       PL_S("\x7f"), PL_S("\x80"), PL_S("\xff")};

	for (size_t i = 0; i < PL_COUNT(sorted); i++) {
		for (size_t j = 0; j < PL_COUNT(sorted); j++) {
			int order = pl_str_cmp(sorted[i], sorted[j]);
			CHECK(i < j ? order < 0 : i > j ? order > 0 : order == 0);
		}
	}
}

TEST(starts_and_ends)
{
	CHECK(pl_str_starts(PL_S("[kernel]"), "[ker"));
	CHECK(pl_str_starts(PL_S("a"), "a"));
	CHECK(pl_str_starts(absent, ""));
	CHECK(!pl_str_starts(PL_S("a"), "ab"));
	CHECK(!pl_str_starts(PL_S("ba"), "a"));
	CHECK(pl_str_ends(PL_S("libc.so"), ".so"));
	CHECK(pl_str_ends(PL_S(""), ""));
	CHECK(!pl_str_ends(PL_S("so"), ".so"));
	CHECK(!pl_str_ends(PL_S("a.so "), ".so"));
}

TEST(trims_blanks)
{
	static const struct {
		const char *text, *want;
	} list[] = {{"", ""},		{" \t ", ""},	{"a", "a"}, {"\t a b \t", "a b"},
		    {"\na\n", "\na\n"}, {"a\r ", "a\r"}};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		struct pl_str s = pl_str_trim(pl_str(list[i].text));
		CHECK_STR(s.p, s.n, list[i].want);
	}
	CHECK(pl_str_trim(absent).p == NULL);
}

TEST(finds_base_names)
{
	static const struct {
		const char *path, *want;
	} list[] = {{"/usr/lib/libc.so.6", "libc.so.6"},
		    {"libc.so.6", "libc.so.6"},
		    {"a/", ""},
		    {"[kernel.kallsyms]", "[kernel.kallsyms]"},
		    {"[a/b]", "[a/b]"},
		    {"[a/b", "b"},
		    {"a/b]", "b]"},
		    {"/", ""},
		    {"", ""}};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		struct pl_str s = pl_str_base(pl_str(list[i].path));
		CHECK_STR(s.p, s.n, list[i].want);
	}
	CHECK(pl_str_base(absent).p == NULL);
}

/* The promise of the header, after each thing that adds. */
static void check_ended(const struct pl_buf *b)
{
	CHECK(b->n < b->cap);
	CHECK(b->p[b->n] == 0);
}

TEST(buffers_grow_and_stay_ended)
{
	struct pl_buf b = {0};

	CHECK(pl_buf_str(&b).n == 0 && pl_buf_str(&b).p != NULL);
	pl_buf_clear(&b);
	pl_buf_add(&b, NULL, 0);
	check_ended(&b);
	for (int i = 0; i < 1000; i++) {
		pl_buf_addc(&b, (char)('a' + i % 26));
		check_ended(&b);
	}
	CHECK_U64(b.n, 1000);
	CHECK(b.p[0] == 'a' && b.p[26] == 'a' && b.p[999] == 'a' + 999 % 26);
	size_t cap = b.cap;
	pl_buf_clear(&b);
	CHECK(b.n == 0 && b.cap == cap && b.p[0] == 0);
	pl_buf_addz(&b, "x");
	pl_buf_adds(&b, PL_S("y\0z"));
	pl_buf_adds(&b, absent);
	check_ended(&b);
	CHECK(pl_str_eq(pl_buf_str(&b), PL_S("xy\0z")));
	pl_buf_free(&b);
	CHECK(b.p == NULL && b.n == 0 && b.cap == 0);
}

TEST(reserved_room_does_not_move)
{
	struct pl_buf b = {0};

	pl_buf_reserve(&b, 5000);
	check_ended(&b);
	const char *before = b.p;
	for (int i = 0; i < 5000; i++)
		pl_buf_addc(&b, 'x');
	CHECK(b.p == before);
	check_ended(&b);
	pl_buf_free(&b);
}

TEST(formats_any_length)
{
	struct pl_buf b = {0};

	for (int width = 0; width < 300; width++) {
		pl_buf_clear(&b);
		pl_buf_addc(&b, '<');
		pl_buf_printf(&b, "%*d>", width, 7);
		CHECK_U64(b.n, (width ? (uint64_t)width : 1) + 2);
		CHECK(b.p[b.n - 2] == '7' && b.p[b.n - 1] == '>');
		check_ended(&b);
		pl_buf_free(&b);
	}
	pl_buf_printf(&b, "%s", "");
	check_ended(&b);
	pl_buf_free(&b);
}

int main(void)
{
	RUN(compares);
	RUN(orders_by_bytes_then_length);
	RUN(starts_and_ends);
	RUN(trims_blanks);
	RUN(finds_base_names);
	RUN(buffers_grow_and_stay_ended);
	RUN(reserved_room_does_not_move);
	RUN(formats_any_length);
	return unit_done();
}
