/* json: every class of malformed text, where it is refused and why */
#include "json_kit.h"

struct refusal {
	struct text text;
	size_t offset;
	const char *message;
};

static void refuse(const struct refusal *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int failed = parse(r[i].text.p, r[i].text.n);
		if (!CHECK(failed == -1 && json.message && json.offset == r[i].offset &&
			   strcmp(json.message, r[i].message) == 0))
			printf("#   text %zu: %.*s: %s at %zu\n", i, (int)r[i].text.n, r[i].text.p,
			       failed ? json.message : "accepted", json.offset);
		CHECK(parse_within("                ", r[i].text, "                ") == -1);
	}
}

#define REFUSE(list) refuse((list), PL_COUNT(list))

static const char value_wanted[] = "a value was expected", no_more[] = "unexpected end",
		  comma_array[] = "',' or ']' was expected",
		  comma_object[] = "',' or '}' was expected",
		  follows[] = "something follows the value", bad_number[] = "malformed number",
		  bad_escape[] = "malformed escape", lone[] = "lone surrogate",
		  bad_utf8[] = "invalid UTF-8", control[] = "control character in a string",
		  endless[] = "the string has no end", name_wanted[] = "a member name was expected",
		  colon[] = "':' was expected", nul[] = "U+0000 is not allowed",
		  twice[] = "duplicate member name";

TEST(refuses_structure)
{
	static const struct refusal list[] = {
		{T(""), 0, no_more},
		{T(" "), 1, no_more},
		{T("\n\n"), 2, no_more},
		{T("["), 1, no_more},
		{T("[1"), 2, no_more},
		{T("[1,"), 3, no_more},
		{T("[1,\n"), 4, no_more},
		{T("[[]"), 3, no_more},
		{T("{"), 1, no_more},
		{T("{\"a\""), 4, no_more},
		{T("{\"a\":"), 5, no_more},
		{T("{\"a\":1"), 6, no_more},
		{T("{\"a\":1,"), 7, no_more},
		{T("]"), 0, value_wanted},
		{T("}"), 0, value_wanted},
		{T(","), 0, value_wanted},
		{T(":"), 0, value_wanted},
		{T("[,1]"), 1, value_wanted},
		{T("[1,]"), 3, value_wanted},
		{T("[1,2,3,4,5,6,7,]"), 15, value_wanted},
		{T("[1,,2]"), 3, value_wanted},
		{T("[1,2,,3,4,5,6,7,8]"), 5, value_wanted},
		{T("[,]"), 1, value_wanted},
		{T("[1 2]"), 3, comma_array},
		{T("[1:2]"), 2, comma_array},
		{T("[1}"), 2, comma_array},
		{T("[\"a\"\"b\"]"), 4, comma_array},
		{T("[1;2]"), 2, comma_array},
		{T("{]"), 1, name_wanted},
		{T("{,\"a\":1}"), 1, name_wanted},
		{T("{1:1}"), 1, name_wanted},
		{T("{a:1}"), 1, name_wanted},
		{T("{'a':1}"), 1, name_wanted},
		{T("{null:1}"), 1, name_wanted},
		{T("{[]:1}"), 1, name_wanted},
		{T("{\"a\":1,}"), 7, name_wanted},
		{T("{\"a\":1,,\"b\":2}"), 7, name_wanted},
		{T("{\"a\"}"), 4, colon},
		{T("{\"a\" 1}"), 5, colon},
		{T("{\"a\",1}"), 4, colon},
		{T("{\"a\"=1}"), 4, colon},
		{T("{\"a\"::1}"), 5, value_wanted},
		{T("{\"a\":}"), 5, value_wanted},
		{T("{\"a\":1]"), 6, comma_object},
		{T("{\"a\":1 \"b\":2}"), 7, comma_object},
		{T("{\"a\":1:2}"), 6, comma_object},
		/* literals */
		{T("nul"), 0, value_wanted},
		{T("tru"), 0, value_wanted},
		{T("fals"), 0, value_wanted},
		{T("nulL"), 0, value_wanted},
		{T("True"), 0, value_wanted},
		{T("FALSE"), 0, value_wanted},
		{T("undefined"), 0, value_wanted},
		{T("[nul]"), 1, value_wanted},
		{T("nullx"), 4, follows},
		{T("'a'"), 0, value_wanted},
		{T("a"), 0, value_wanted},
		/* comments, and white space that is none of JSON's */
		{T("/**/1"), 0, value_wanted},
		{T("1//"), 1, follows},
		{T("# 1"), 0, value_wanted},
		{T("\f1"), 0, value_wanted},
		{T("\v1"), 0, value_wanted},
		{T("1\f"), 1, follows},
		{T("\xc2\xa0"
		   "1"),
		 0, value_wanted},
		{T("\xe2\x81\xa0"
		   "1"),
		 0, value_wanted},
		{T("\xef\xbb\xbf{}"), 0, value_wanted}, /* a byte order mark */
		{T("\xff\xfe[\0]\0"), 0, value_wanted}, /* UTF-16 */
		{T("\0[\0]"), 0, value_wanted},
		{T("\0"), 0, value_wanted},
		{T("[1\0]"), 2, comma_array},
		{T("[\0]"), 1, value_wanted},
		{T("\x1e{}"), 0, value_wanted}, /* a text sequence's separator */
		{T("\xe9"), 0, value_wanted},
		/* what follows */
		{T("1 1"), 2, follows},
		{T("[]]"), 2, follows},
		{T("{}}"), 2, follows},
		{T("[][]"), 2, follows},
		{T("{},"), 2, follows},
		{T("\"a\"x"), 3, follows},
		{T("1\0"), 1, follows},
		{T("{} \n{}"), 4, follows},
	};

	REFUSE(list);
}

TEST(refuses_numbers)
{
	static const struct refusal list[] = {
		{T("-"), 0, bad_number},
		{T("--1"), 0, bad_number},
		{T("-a"), 0, bad_number},
		{T("- 1"), 0, bad_number},
		{T("-.5"), 0, bad_number},
		{T("-NaN"), 0, bad_number},
		{T("-Infinity"), 0, bad_number},
		{T("01"), 0, bad_number},
		{T("00"), 0, bad_number},
		{T("-01"), 0, bad_number},
		{T("-00.5"), 0, bad_number},
		{T("012.5"), 0, bad_number},
		{T("1."), 0, bad_number},
		{T("1.e5"), 0, bad_number},
		{T("1.-5"), 0, bad_number},
		{T("0.e1"), 0, bad_number},
		{T("1e"), 0, bad_number},
		{T("1E"), 0, bad_number},
		{T("1e+"), 0, bad_number},
		{T("1e-"), 0, bad_number},
		{T("1.0e"), 0, bad_number},
		{T("1e+-1"), 0, bad_number},
		{T("1eE2"), 0, bad_number},
		{T("1ea"), 0, bad_number},
		{T("[01,2,3,4,5]"), 1, bad_number},
		{T("[1,00,3,4,5,6]"), 3, bad_number},
		{T("[1,-,3,4,5,6,7]"), 3, bad_number},
		{T("[1,0000007,3,4]"), 3, bad_number},
		{T("[1,2.,3,4,5,6]"), 3, bad_number},
		{T("[1,2e,3,4,5,6]"), 3, bad_number},
		{T("+1"), 0, value_wanted},
		{T(".5"), 0, value_wanted},
		{T("NaN"), 0, value_wanted},
		{T("Infinity"), 0, value_wanted},
		{T("[1,+2,3,4,5,6]"), 3, value_wanted},
		{T("0x10"), 1, follows},
		{T("1.2.3"), 3, follows},
		{T("1e1.5"), 3, follows},
		{T("1_000"), 1, follows},
		{T("1,000"), 1, follows},
		{T("1a"), 1, follows},
		{T("2."
		   "\xef\xbc\x99"),
		 0, bad_number}, /* a full-width digit */
		{T("\xef\xbc\x91"), 0, value_wanted},
		{T("[1,2 3,4,5,6,7,8]"), 5, comma_array},
		{T("[1,2a,3,4,5,6,7]"), 4, comma_array},
		{T("[12/4,3,4,5,6]"), 3, comma_array},
		{T("[12:4,3,4,5,6]"), 3, comma_array},
	};

	REFUSE(list);
}

TEST(refuses_strings)
{
	static const struct refusal list[] = {
		{T("\""), 1, endless},
		{T("\"a"), 2, endless},
		{T("\"abcdefghijklmnop"), 17, endless},
		{T("[\"a"), 3, endless},
		{T("{\"a"), 3, endless},
		{T("\"\\\""), 3, endless},
		{T("\"a\\n"), 4, endless},
		{T("\"\\"), 1, bad_escape},
		{T("\"\\x41\""), 1, bad_escape},
		{T("\"\\a\""), 1, bad_escape},
		{T("\"\\'\""), 1, bad_escape},
		{T("\"\\0\""), 1, bad_escape},
		{T("\"\\U0041\""), 1, bad_escape},
		{T("\"\\ \""), 1, bad_escape},
		{T("\"\\\n\""), 1, bad_escape},
		{T("\"\\\0\""), 1, bad_escape},
		{T("\"\\\xc3\xa9\""), 1, bad_escape},
		{T("\"ab\\u\""), 3, bad_escape},
		{T("\"\\u0\""), 1, bad_escape},
		{T("\"\\u00\""), 1, bad_escape},
		{T("\"\\u004\""), 1, bad_escape},
		{T("\"\\u004"), 1, bad_escape},
		{T("\"\\u00g1\""), 1, bad_escape},
		{T("\"\\u-041\""), 1, bad_escape},
		{T("\"\\u+041\""), 1, bad_escape},
		{T("\"\\u 041\""), 1, bad_escape},
		{T("\"\\u0x41\""), 1, bad_escape},
		{T("\"\\u0X41\""), 1, bad_escape},
		{T("\"\\u{41}\""), 1, bad_escape},
		{T("\"\\u0000\""), 1, nul},
		{T("\"ab\\u0000\""), 3, nul},
		{T("{\"a\\u0000\":1}"), 3, nul},
		/* surrogates */
		{T("\"\\ud800\""), 1, lone},
		{T("\"\\uD800x\""), 1, lone},
		{T("\"\\udc00\""), 1, lone},
		{T("\"\\uDFFF\""), 1, lone},
		{T("\"\\udbff\\n\""), 1, lone},
		{T("\"\\ud800\\ud800\""), 1, lone},
		{T("\"\\ud800\\udbff\""), 1, lone},
		{T("\"\\udc00\\udc00\""), 1, lone},
		{T("\"\\ud800\\u0041\""), 1, lone},
		{T("\"\\udc00\\ud800\""), 1, lone},
		{T("\"\\ud800\\ue000\""), 1, lone},
		{T("\"\\ud800\\\\udc00\""), 1, lone},
		{T("\"\\ud83d\\ude00\\ude00\""), 13, lone},
		{T("\"\\ud800\\u\""), 1, lone},
		{T("\"\\ud800\\udc0\""), 1, lone},
		/* raw controls */
		{T("\"\n\""), 1, control},
		{T("\"a\tb\""), 2, control},
		{T("\"a\0b\""), 2, control},
		{T("\"\x1f\""), 1, control},
		{T("\"0123456789\r\""), 11, control},
		{T("{\"a\nb\":1}"), 3, control},
		{T("\"\\n\n\""), 3, control},
		/* UTF-8 */
		{T("\"\x80\""), 1, bad_utf8},
		{T("\"\xbf\""), 1, bad_utf8},
		{T("\"\xe9\""), 1, bad_utf8}, /* Latin-1 */
		{T("\"\xc3\""), 1, bad_utf8},
		{T("\"\xc3"), 1, bad_utf8},
		{T("\"\xc3(\""), 1, bad_utf8},
		{T("\"\xe2\x82\""), 1, bad_utf8},
		{T("\"\xe2(\xa1\""), 1, bad_utf8},
		{T("\"\xf0\x9f\x98\""), 1, bad_utf8},
		{T("\"\xf0\x9f\x98"), 1, bad_utf8},
		{T("\"\xc0\xaf\""), 1, bad_utf8},	  /* overlong */
		{T("\"\xc1\xbf\""), 1, bad_utf8},	  /* overlong */
		{T("\"\xe0\x80\xaf\""), 1, bad_utf8},	  /* overlong */
		{T("\"\xe0\x9f\xbf\""), 1, bad_utf8},	  /* overlong */
		{T("\"\xf0\x8f\xbf\xbf\""), 1, bad_utf8}, /* overlong */
		{T("\"\xed\xa0\x80\""), 1, bad_utf8},	  /* U+D800 */
		{T("\"\xed\xbf\xbf\""), 1, bad_utf8},	  /* U+DFFF */
		{T("\"\xed\xa0\xbd\xed\xb8\x80\""), 1, bad_utf8},
		{T("\"\xf4\x90\x80\x80\""), 1, bad_utf8}, /* U+110000 */
		{T("\"\xf5\x80\x80\x80\""), 1, bad_utf8},
		{T("\"\xf8\x88\x80\x80\x80\""), 1, bad_utf8},
		{T("\"\xfc\x84\x80\x80\x80\x80\""), 1, bad_utf8},
		{T("\"\xfe\""), 1, bad_utf8},
		{T("\"\xff\""), 1, bad_utf8},
		{T("\"ab\xc3\xa9\xff\""), 5, bad_utf8},
		{T("{\"\xff\":1}"), 2, bad_utf8},
		{T("\"\\n\xff\""), 3, bad_utf8},
	};

	REFUSE(list);
}

TEST(refuses_duplicates)
{
	static const struct refusal list[] = {
		{T("{\"a\":1,\"a\":1}"), 7, twice},
		{T("{\"a\":1,\"b\":2,\"a\":3}"), 13, twice},
		{T("{\"\":1,\"\":2}"), 6, twice},
		{T("{\"a\":1,\"\\u0061\":2}"), 7, twice},
		{T("{\"\\u0061b\":1,\"a\\u0062\":2}"), 13, twice},
		{T("{\"\\/\":1, \"/\":2}"), 9, twice},
		{T("{\"\xc3\xa9\":1,\"\\u00E9\":2}"), 8, twice},
		{T("{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}"), 18, twice},
		{T("{\"a\":{\"b\":1,\"c\":[2,\"b\"],\"b\":3}}"), 24, twice},
		{T("{\"a\":[{\"a\":1}],\"a\":2}"), 15, twice},
		{T("{\"x\":\"\\\"a\\\\\",\"a\":1,\"a\":2}"), 19, twice},
		{T("[{},{\"a\":1,\"a\":{}}]"), 11, twice},
		{T("{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":"
		   "0,"
		   "\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"0\":0}"),
		 91, twice}, /* the last of 16 */
		{T("{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":"
		   "0,"
		   "\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"0\":0}"),
		 97, twice}, /* the last of 17 */
	};

	REFUSE(list);
}

int main(void)
{
	RUN(refuses_structure);
	RUN(refuses_numbers);
	RUN(refuses_strings);
	RUN(refuses_duplicates);
	pl_json_free(&json);
	return unit_done();
}
