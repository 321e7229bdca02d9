/* utf8: valid and invalid sequences at every place, replacement, cutting, columns, terminals */
#include "unit.h"
#include "utf8.h"
#include <stdlib.h>

static const char long_ascii[] = "abcdefghijklmnopqrstuvwxyz0123456789";

/* Sequences by RFC 3629, section 4, and how many of their bytes are valid. */
static const struct {
	struct pl_str bytes;
	size_t valid;
} sequences[] = {
	{PL_S("\x01"), 1},
	{PL_S("\x7f"), 1},
	{PL_S("\xc2\x80"), 2},
	{PL_S("\xdf\xbf"), 2},
	{PL_S("\xe0\xa0\x80"), 3},
	{PL_S("\xec\xbf\xbf"), 3},
	{PL_S("\xed\x9f\xbf"), 3},
	{PL_S("\xee\x80\x80"), 3},
	{PL_S("\xef\xbf\xbf"), 3},
	{PL_S("\xf0\x90\x80\x80"), 4},
	{PL_S("\xf3\xbf\xbf\xbf"), 4},
	{PL_S("\xf4\x8f\xbf\xbf"), 4},
	{PL_S("\0"), 0},
	{PL_S("\x80"), 0},
	{PL_S("\xbf"), 0},
	{PL_S("\xc0\x80"), 0},
	{PL_S("\xc1\xbf"), 0},
	{PL_S("\xc2"), 0},
	{PL_S("\xc2\x7f"), 0},
	{PL_S("\xc2\xc0"), 0},
	{PL_S("\xe0\x9f\xbf"), 0},
	{PL_S("\xe1\x80"), 0},
	{PL_S("\xe1\x80\x41"), 0},
	{PL_S("\xe1\x41\x80"), 0},
	{PL_S("\xed\xa0\x80"), 0},
	{PL_S("\xed\xbf\xbf"), 0},
	{PL_S("\xf0\x8f\xbf\xbf"), 0},
	{PL_S("\xf1\x80\x80"), 0},
	{PL_S("\xf1\x80\x80\xc0"), 0},
	{PL_S("\xf4\x90\x80\x80"), 0},
	{PL_S("\xf5\x80\x80\x80"), 0},
	{PL_S("\xf8\x88\x80\x80\x80"), 0},
	{PL_S("\xfe"), 0},
	{PL_S("\xff"), 0},
};

TEST(tells_valid_from_invalid)
{
	for (size_t i = 0; i < PL_COUNT(sequences); i++) {
		size_t n = sequences[i].bytes.n;
		for (size_t before = 0; before <= 20; before++) {
			for (size_t after = 0; after <= 9; after += 3) {
				/* exactly as long as the text, for the sanitizer */
				char *text = malloc(before + n + after);
				memcpy(text, long_ascii, before);
				memcpy(text + before, sequences[i].bytes.p, n);
				memcpy(text + before + n, long_ascii, after);
				struct pl_str s = {text, before + n + after};
				size_t want = sequences[i].valid ? s.n : before;
				CHECK_U64(pl_utf8_valid(s), want);
				free(text);
			}
		}
	}
	CHECK_U64(pl_utf8_valid(PL_S("")), 0);
	CHECK_U64(pl_utf8_valid((struct pl_str){NULL, 0}), 0);
	CHECK_U64(pl_utf8_valid(PL_S("12345678\xe2\x82\xac"
				     "12345678\xc3\xa9z")),
		  22);
}

TEST(decodes_and_encodes)
{
	static const struct {
		uint32_t scalar;
		const char *bytes;
	} list[] = {
		{0x01, "\x01"},
		{0x7f, "\x7f"},
		{0x80, "\xc2\x80"},
		{0x7ff, "\xdf\xbf"},
		{0x800, "\xe0\xa0\x80"},
		{0x20ac, "\xe2\x82\xac"},
		{0xd7ff, "\xed\x9f\xbf"},
		{0xe000, "\xee\x80\x80"},
		{0xffff, "\xef\xbf\xbf"},
		{0x10000, "\xf0\x90\x80\x80"},
		{0x1f600, "\xf0\x9f\x98\x80"},
		{0x10ffff, "\xf4\x8f\xbf\xbf"},
	};
	static const uint32_t none[] = {0xd800, 0xdfff, 0x110000, UINT32_MAX};
	char bytes[4];
	uint32_t scalar;

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		CHECK_STR(bytes, pl_utf8_encode(bytes, list[i].scalar), list[i].bytes);
		CHECK_U64(pl_utf8_decode(pl_str(list[i].bytes), &scalar), strlen(list[i].bytes));
		CHECK_U64(scalar, list[i].scalar);
	}
	for (size_t i = 0; i < PL_COUNT(none); i++)
		CHECK_U64(pl_utf8_encode(bytes, none[i]), 0);
	CHECK_U64(pl_utf8_encode(bytes, 0), 1);
	CHECK(bytes[0] == 0);
	CHECK_U64(pl_utf8_decode((struct pl_str){NULL, 0}, &scalar), 0);
	for (size_t i = 0; i < PL_COUNT(sequences); i++)
		CHECK_U64(pl_utf8_decode(sequences[i].bytes, &scalar), sequences[i].valid);
}

/* Every scalar value there is survives, and nothing between them does. */
TEST(decodes_what_it_encodes)
{
	for (uint32_t c = 1; c < 0x110400; c++) {
		char bytes[4];
		uint32_t back = 0;
		size_t n = pl_utf8_encode(bytes, c);
		bool scalar = c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
		if (!CHECK((n != 0) == scalar) ||
		    (n &&
		     !CHECK(pl_utf8_decode((struct pl_str){bytes, n}, &back) == n && back == c)))
			break;
	}
}

TEST(replaces_each_invalid_byte)
{
	static const struct {
		struct pl_str text;
		const char *want;
		uint64_t replaced;
	} list[] = {
		{PL_S("\xff"), "\xef\xbf\xbd", 1},
		{PL_S("a\0b"),
		 "a\xef\xbf\xbd"
		 "b",
		 1},
		{PL_S("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd", 2},
		{PL_S("caf\xe9 \xc3\xa9"), "caf\xef\xbf\xbd \xc3\xa9", 1},
		{PL_S("\xed\xa0\x80!"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd!", 3},
		{PL_S("\xef\xbf\xbd\xff"), "\xef\xbf\xbd\xef\xbf\xbd", 1},
		{PL_S("12345678\x80"
		      "12345678\x80"),
		 "12345678\xef\xbf\xbd"
		 "12345678\xef\xbf\xbd",
		 2},
	};
	struct pl_buf scratch = {0};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		uint64_t replaced = 100;
		struct pl_str s = pl_utf8_clean(list[i].text, &scratch, &replaced);
		CHECK_STR(s.p, s.n, list[i].want);
		CHECK_U64(replaced, 100 + list[i].replaced);
	}
	struct pl_str valid = PL_S("r\xc3\xa9sum\xc3\xa9 \xef\xbf\xbd");
	uint64_t replaced = 0;
	struct pl_str s = pl_utf8_clean(valid, &scratch, &replaced);
	CHECK(s.p == valid.p && s.n == valid.n);
	CHECK_U64(replaced, 0);
	pl_buf_free(&scratch);
}

TEST(cuts_between_characters)
{
	struct pl_str s = PL_S("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
	static const size_t bytes[] = {0, 1, 3, 6, 10, 11, 11};

	CHECK_U64(pl_utf8_chars(s), 5);
	CHECK_U64(pl_utf8_chars(PL_S("")), 0);
	for (size_t i = 0; i < PL_COUNT(bytes); i++) {
		struct pl_str cut = pl_utf8_cut(s, i);
		CHECK(cut.p == s.p);
		CHECK_U64(cut.n, bytes[i]);
	}
}

TEST(counts_columns)
{
	static const struct {
		const char *text;
		size_t columns;
	} list[] = {
		{"", 0},
		{"main", 4},
		{"r\xc3\xa9sum\xc3\xa9", 6},
		{"e\xcc\x81", 1},			 /* e and a combining acute */
		{"\xe6\xbc\xa2\xe5\xad\x97", 4},	 /* two Han characters */
		{"\xe3\x81\x82\xe3\x82\xa2", 4},	 /* hiragana, katakana */
		{"\xea\xb0\x80", 2},			 /* a Hangul syllable */
		{"\xe1\x84\x80\xe1\x85\xa1", 2},	 /* the same in two parts */
		{"\xef\xbc\xa1", 2},			 /* full-width A */
		{"\xef\xbd\xb1", 1},			 /* half-width katakana */
		{"\xf0\x9f\x98\x80", 2},		 /* an emoji */
		{"a\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf" /* zero-width space, joiner, mark */
		 "b",
		 2},
		{"\xc2\xad", 1},			 /* soft hyphen */
		{"\xce\xb1\xd0\xb6\xd7\x90\xd8\xa7", 4}, /* alpha, zhe, alef, alif */
		{"\xe0\xa4\x95\xe0\xa5\x8d", 1},	 /* ka and virama */
		{"\xf0\xa0\x80\x80", 2},		 /* U+20000 */
		{"\xe2\x94\x80\xe2\x96\x88", 2},	 /* a line and a block for drawing */
	};

	for (size_t i = 0; i < PL_COUNT(list); i++)
		CHECK_U64(pl_utf8_columns(pl_str(list[i].text)), list[i].columns);
}

/* Of each range of what shows nothing, its ends and what is beside them. */
TEST(shows_what_cannot_be_seen)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{0xad, 0xad},	    {0x34f, 0x34f},	{0x61c, 0x61c},	    {0x115f, 0x1160},
		{0x17b4, 0x17b5},   {0x180b, 0x180f},	{0x200b, 0x200f},   {0x2028, 0x202e},
		{0x2060, 0x206f},   {0x3164, 0x3164},	{0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
		{0xffa0, 0xffa0},   {0xfff0, 0xfffb},	{0x13430, 0x13455}, {0x1bca0, 0x1bca3},
		{0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
	};
	struct pl_buf out = {0};
	char bytes[4], want[16];

	for (size_t i = 0; i < PL_COUNT(hidden); i++) {
		for (uint32_t c = hidden[i].first - 1; c <= hidden[i].last + 1; c++) {
			size_t n = pl_utf8_encode(bytes, c);
			bool shown = c < hidden[i].first || c > hidden[i].last;
			pl_buf_clear(&out);
			pl_utf8_terminal(&out, (struct pl_str){bytes, n});
			snprintf(want, sizeof want, "\\u{%x}", (unsigned)c);
			if (shown)
				CHECK_STR(out.p, out.n,
					  ((char[5]){bytes[0], n > 1 ? bytes[1] : 0,
						     n > 2 ? bytes[2] : 0, n > 3 ? bytes[3] : 0}));
			else
				CHECK_STR(out.p, out.n, want);
		}
	}
	pl_buf_free(&out);
}

TEST(makes_harmless_what_drives_a_terminal)
{
	static const struct {
		struct pl_str text;
		const char *want;
	} list[] = {
		{PL_S(""), ""},
		{PL_S("std::map<int, \\x> ~"), "std::map<int, \\x> ~"},
		{PL_S("\x1b[31mred"), "\\x1b[31mred"},
		{PL_S("a\tb\r\n\0z"), "a\\x09b\\x0d\\x0a\\x00z"},
		{PL_S("\x1f \x7e\x7f"), "\\x1f ~\\x7f"},
		{PL_S("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"), "\\u{80}\\u{9b}\\u{9f}\xc2\xa0"},
		{PL_S("\xd8\x9b\xd8\x9c\xd8\x9d"), "\xd8\x9b\\u{61c}\xd8\x9d"},
		{PL_S("\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90"),
		 "\xe2\x80\x8a\\u{200b}\\u{200d}\\u{200e}\\u{200f}\xe2\x80\x90"},
		{PL_S("\xef\xbb\xbe\xef\xbb\xbf\xf3\xa0\x81\x81"),
		 "\xef\xbb\xbe\\u{feff}\\u{e0041}"},
		{PL_S("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf"),
		 "\xe2\x80\xa7\\u{2028}\\u{2029}\\u{202a}\\u{202e}\xe2\x80\xaf"},
		{PL_S("\xe2\x81\x9f\xe2\x81\xa0\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa"),
		 "\xe2\x81\x9f\\u{2060}\\u{2066}\\u{2069}\\u{206a}"},
		{PL_S("\x9b\xff\xe2\x82"), "\\x9b\\xff\\xe2\\x82"},
		{PL_S("\xed\xa0\x80"), "\\xed\\xa0\\x80"},
		{PL_S("\xe6\xbc\xa2 \xf0\x9f\x98\x80"), "\xe6\xbc\xa2 \xf0\x9f\x98\x80"},
	};
	struct pl_buf out = {0};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		pl_buf_clear(&out);
		pl_buf_addc(&out, '>');
		pl_utf8_terminal(&out, list[i].text);
		CHECK_STR(out.p + 1, out.n - 1, list[i].want);
	}
	pl_buf_free(&out);
}

static void check_fit(struct pl_str text, size_t columns, const char *want)
{
	struct pl_buf out = {0};

	pl_buf_addc(&out, '>');
	pl_utf8_fit(&out, text, columns);
	CHECK_STR(out.p + 1, out.n - 1, want);
	CHECK(pl_utf8_columns((struct pl_str){out.p + 1, out.n - 1}) <= columns);
	pl_buf_free(&out);
}

#define MARK "\xe2\x80\xa6"
#define HAN "\xe6\xbc\xa2" /* two columns */
#define ACCENT "\xcc\x81"  /* none */

TEST(shortens_in_the_middle)
{
	check_fit(PL_S("abcdefgh"), 8, "abcdefgh");
	check_fit(PL_S("abcdefgh"), 7, "abc" MARK "fgh");
	check_fit(PL_S("abcdefgh"), 6, "abc" MARK "gh");
	check_fit(PL_S("abcdefgh"), 2, "a" MARK);
	check_fit(PL_S("abcdefgh"), 1, MARK);
	check_fit(PL_S("abcdefgh"), 0, "");
	check_fit(PL_S("a"), 1, "a");
	check_fit(PL_S(""), 5, "");
	check_fit(PL_S(""), 0, "");
}

TEST(shortens_by_columns_and_whole_characters)
{
	check_fit(PL_S(HAN HAN HAN HAN), 8, HAN HAN HAN HAN);
	/* three columns on the left and three on the right: one character each */
	check_fit(PL_S(HAN HAN HAN HAN), 7, HAN MARK HAN);
	check_fit(PL_S(HAN HAN), 2, MARK);
	/* marks stay with what they combine with, on both sides */
	check_fit(PL_S("e" ACCENT "bcdo" ACCENT), 5, "e" ACCENT "bcdo" ACCENT);
	check_fit(PL_S("e" ACCENT "bcdo" ACCENT), 4, "e" ACCENT "b" MARK "o" ACCENT);
	check_fit(PL_S("abcdo" ACCENT), 2, "a" MARK);
	/* what is escaped is escaped whole */
	check_fit(PL_S("a\033b"), 6, "a\\x1bb");
	check_fit(PL_S("a\033bcdefghi"), 9, "a" MARK "fghi");
	check_fit(PL_S("abcdefgh\xe2\x80\xae"), 16, "abcdefgh\\u{202e}");
	check_fit(PL_S("abcdefgh\xe2\x80\xae"), 15, "abcdefg" MARK);
	check_fit(PL_S("abcdefg\x80\xff"), 9, "abcd" MARK "\\xff");
}

/* A flood of marks takes no columns, but is bounded all the same. */
TEST(shortens_what_takes_no_columns)
{
	enum { MARKS = 100000, COLUMNS = 10 };
	struct pl_buf flood = {0}, out = {0};

	pl_buf_addc(&flood, 'a');
	for (int i = 0; i < MARKS; i++)
		pl_buf_addz(&flood, ACCENT);
	pl_utf8_fit(&out, pl_buf_str(&flood), COLUMNS);
	CHECK(out.n > 3 && out.n <= 16 * COLUMNS + 3);
	CHECK(out.n == pl_utf8_valid(pl_buf_str(&out)));
	CHECK(memmem(out.p, out.n, MARK, 3) != NULL);
	pl_buf_free(&flood);
	pl_buf_free(&out);
}

int main(void)
{
	RUN(tells_valid_from_invalid);
	RUN(decodes_and_encodes);
	RUN(decodes_what_it_encodes);
	RUN(replaces_each_invalid_byte);
	RUN(cuts_between_characters);
	RUN(counts_columns);
	RUN(makes_harmless_what_drives_a_terminal);
	RUN(shows_what_cannot_be_seen);
	RUN(shortens_in_the_middle);
	RUN(shortens_by_columns_and_whole_characters);
	RUN(shortens_what_takes_no_columns);
	return unit_done();
}
