/* demangle: names that stand for far longer ones, and names that are too long themselves */
#include "../../filters/symbolize/demangle.h"
#include "unit.h"

#include <malloc.h>

static struct demangle d;

static void check(struct pl_str name, const char *want)
{
	struct pl_str got = demangle_name(&d, name);

	CHECK_STR(got.p, got.n, want);
}

TEST(names_as_people_write_them)
{
	demangle_start(&d);
	check(PL_S("_ZN5outer1S3runEi"), "outer::S::run");
	check(PL_S("_ZN5outer1S3runEi@plt"), "outer::S::run@plt");
	check(PL_S("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"),
	      "core::fmt::Write::write_fmt");
	check(PL_S("_RNvC1fu8gdel_5qa"), "f::g\xc3\xb6"
					 "del");
	check(PL_S("main"), "main");
	check(PL_S("_Z"), "_Z");
	check(PL_S("_"), "_");
	check(PL_S(""), "");
	demangle_free(&d);
}

/* ---- bombs ---- */

/* The reference to an earlier place (base 62, "_" for 0), as Rust has it. */
static void put_reference(struct pl_buf *b, size_t at)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char text[16];
	size_t n = sizeof text;

	pl_buf_addc(b, 'B');
	for (size_t v = at; v; v = (v - 1) / 62)
		text[--n] = digits[(v - 1) % 62];
	pl_buf_add(b, text + n, sizeof text - n);
	pl_buf_addc(b, '_');
}

/* f::<…> of pairs of pairs: each level is twice as long as the one before. The innermost has an
 * identifier in punycode. */
static void rust_bomb(struct pl_buf *b, int levels, int salt)
{
	size_t last = 4;

	pl_buf_clear(b);
	pl_buf_printf(b, "_RIC1fTNtC1fu8gdel_5qaNtC1f%d%.*sE", salt, salt, "aaaaaaaaaaaaaaaa");
	for (int i = 0; i < levels; i++) {
		size_t at = b->n - 2;
		pl_buf_addc(b, 'T');
		put_reference(b, last);
		put_reference(b, last);
		pl_buf_addc(b, 'E');
		last = at;
	}
	pl_buf_addc(b, 'E');
}

/* The reference to the n-th part, from S_ on (base 36). */
static void put_part(struct pl_buf *b, size_t n)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	pl_buf_addc(b, 'S');
	if (n > 36)
		pl_buf_addc(b, digits[(n - 1) / 36]);
	if (n > 0)
		pl_buf_addc(b, digits[(n - 1) % 36]);
	pl_buf_addc(b, '_');
}

/* The same in C++: f<A, B<A, A>, B<B<A, A>, B<A, A>>, …> */
static void cxx_bomb(struct pl_buf *b, int levels, int salt)
{
	pl_buf_clear(b);
	pl_buf_printf(b, "_Z%d%.*sI1A1BIS0_S0_E", salt, salt, "ffffffffffffffff");
	for (int i = 0; i < levels; i++) {
		pl_buf_addz(b, "S1_I");
		put_part(b, (size_t)i + 3);
		put_part(b, (size_t)i + 3);
		pl_buf_addc(b, 'E');
	}
	pl_buf_addz(b, "Evv");
}

typedef void bomb(struct pl_buf *b, int levels, int salt);

/* Few levels are written out, to show that they are what they should be; many stay mangled, and
 * leave no memory behind. */
static void check_bomb(bomb *make, const char *small)
{
	struct pl_buf b = {0};
	size_t before = 0;

	demangle_start(&d);
	make(&b, 1, 1);
	check(pl_buf_str(&b), small);
	for (int salt = 1; salt <= 16; salt++) {
		make(&b, 40, salt);
		CHECK(b.n < 1024);
		check(pl_buf_str(&b), b.p);
	}
	demangle_free(&d);
	for (int turn = 0; turn < 200; turn++) {
		demangle_start(&d);
		check(pl_buf_str(&b), b.p);
		demangle_free(&d);
		if (turn == 10)
			before = mallinfo2().uordblks;
	}
	CHECK(mallinfo2().uordblks <= before);
	pl_buf_free(&b);
}

TEST(a_short_name_for_an_endless_one_of_cxx)
{
	check_bomb(cxx_bomb, "f<A, B<A, A>, B<B<A, A>, B<A, A> > >");
}

TEST(a_short_name_for_an_endless_one_of_rust)
{
	check_bomb(rust_bomb, "f::<(f::g\xc3\xb6"
			      "del, f::a), ((f::g\xc3\xb6"
			      "del, f::a), "
			      "(f::g\xc3\xb6"
			      "del, f::a))>");
}

/* ---- long names ---- */

TEST(long_names_are_cut_between_characters)
{
	/* each begins so that another byte of a character of four stands at the cut */
	for (size_t shift = 0; shift < 4; shift++) {
		struct pl_buf b = {0};
		demangle_start(&d);
		for (size_t i = 0; i < shift; i++)
			pl_buf_addc(&b, 'x');
		while (b.n <= DEMANGLE_NAME_MAX)
			pl_buf_addz(&b, "\xf0\x9f\x98\x80");
		struct pl_str got = demangle_bounded(&d, pl_buf_str(&b));
		CHECK(got.n <= DEMANGLE_NAME_MAX && got.n > DEMANGLE_NAME_MAX - 4);
		CHECK((got.n - shift - 3) % 4 == 0);
		CHECK(memcmp(got.p + got.n - 3, "\xe2\x80\xa6", 3) == 0);
		CHECK(memcmp(got.p, b.p, got.n - 3) == 0);
		demangle_free(&d);
		pl_buf_free(&b);
	}
}

TEST(a_name_of_the_greatest_length_stays)
{
	struct pl_buf b = {0};

	demangle_start(&d);
	while (b.n < DEMANGLE_NAME_MAX)
		pl_buf_addc(&b, 'x');
	CHECK(pl_str_eq(demangle_bounded(&d, pl_buf_str(&b)), pl_buf_str(&b)));
	CHECK(pl_str_eq(demangle_name(&d, pl_buf_str(&b)), pl_buf_str(&b)));
	/* bytes that are no characters get longer, and it is cut then */
	memset(b.p, 0xff, b.n);
	struct pl_str got = demangle_name(&d, pl_buf_str(&b));
	CHECK(got.n <= DEMANGLE_NAME_MAX && got.n > DEMANGLE_NAME_MAX - 4);
	CHECK(memcmp(got.p + got.n - 6, "\xef\xbf\xbd\xe2\x80\xa6", 6) == 0);
	demangle_free(&d);
	pl_buf_free(&b);
}

int main(void)
{
	RUN(names_as_people_write_them);
	RUN(a_short_name_for_an_endless_one_of_cxx);
	RUN(a_short_name_for_an_endless_one_of_rust);
	RUN(long_names_are_cut_between_characters);
	RUN(a_name_of_the_greatest_length_stays);
	return unit_done();
}
