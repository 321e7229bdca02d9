/* json: what the reader accepts, what it makes of it, and its limits */
#include "json_kit.h"

TEST(accepts)
{
	static const struct text texts[] = {
		/* single values, white space */
		T("null"),
		T("true"),
		T("false"),
		T("0"),
		T("\"\""),
		T("[]"),
		T("{}"),
		T(" \t\r\n7 \t\r\n"),
		T("\r\n[\t1\n,\r2 ]\n"),
		T("{ \"a\" : 1 , \"b\"\t:\n2 }"),
		T("[]\n"),
		/* structure */
		T("[null,true,false,1,\"x\",[],{}]"),
		T("[[[[[]]]],[]]"),
		T("{\"a\":{\"b\":{\"c\":[{}]}}}"),
		T("{\"\":0}"),
		T("{\"a\":1,\"A\":1,\"aa\":1,\"ab\":1,\"\":1}"),
		T("{\"a\":{\"a\":{\"a\":[{\"a\":1},{\"a\":1}]}},\"b\":1}"),
		T("[1,2,3,4,5,6,7,8,9,10,11,12]"),
		/* numbers */
		T("-0"),
		T("-1"),
		T("10"),
		T("1.0"),
		T("0.1"),
		T("-0.1"),
		T("0e1"),
		T("0E+1"),
		T("0e-1"),
		T("1e0001"),
		T("1.5E-3"),
		T("1E400"),
		T("-1e-400"),
		T("123456789012345678901234567890"),
		/* strings */
		T("\"a b/c\""),
		T("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
		T("\"\\u0041\\uabcd\\uABCD\""),
		T("\"\\ud834\\udd1e\""),
		T("\"\\uDBFF\\uDFFF\""),
		T("\"\\\\u0000\""),
		T("\"\x7f\""),
		T("\"\xc2\x80\xdf\xbf\""),
		T("\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\""),
		T("\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""),
		T("\"\xe2\x80\xa8\xe2\x80\xa9\""),
		T("\"\xef\xbb\xbf\""),
		T("{\"\\u00e9\":1,\"e\":2}"),
		T("\"\xef\xbf\xbe \xf0\x9f\xbf\xbf\""),
	};

	for (size_t i = 0; i < PL_COUNT(texts); i++) {
		if (!CHECK(parse(texts[i].p, texts[i].n) == 0 && json.tape[0].next == json.n &&
			   parse_within("[\"before before\",", texts[i],
					",\"after after after\"]") == 0 &&
			   json.tape[0].count == 3))
			printf("#   text %zu: %s (%s at %zu)\n", i, texts[i].p, json.message,
			       json.offset);
	}
}

/* {"k0":0,"k1":1,…} with n members, then `tail`, then }. */
static void many_members(struct pl_buf *b, unsigned n, const char *tail)
{
	pl_buf_clear(b);
	pl_buf_addc(b, '{');
	for (unsigned i = 0; i < n; i++)
		pl_buf_printf(b, "%s\"k%u\":%u", i ? "," : "", i, i);
	pl_buf_addz(b, tail);
	pl_buf_addc(b, '}');
}

TEST(tells_many_members_apart)
{
	static const unsigned counts[] = {2, 15, 16, 17, 31, 32, 33, 1000, 100000};
	struct pl_buf b = {0};

	for (size_t i = 0; i < PL_COUNT(counts); i++) {
		unsigned n = counts[i];
		many_members(&b, n, "");
		CHECK(parse(b.p, b.n) == 0);
		CHECK_U64(json.tape[0].count, n);
		CHECK_U64(json.n, 1 + 2 * (uint64_t)n);
		many_members(&b, n, ",\"k1\":0");
		CHECK(parse(b.p, b.n) == -1);
		CHECK_U64(json.offset, b.n - strlen("\"k1\":0}"));
		many_members(&b, n, ",\"\\u006b0\":0");
		CHECK(parse(b.p, b.n) == -1);
		CHECK_U64(json.offset, b.n - strlen("\"\\u006b0\":0}"));
	}
	pl_buf_free(&b);
}

TEST(limits_depth_to_64)
{
	static const struct {
		const char *open, *close;
	} kinds[] = {{"[", "]"}, {"{\"a\":", "}"}};

	for (size_t i = 0; i < PL_COUNT(kinds); i++) {
		for (unsigned depth = 63; depth <= 66; depth++) {
			struct pl_buf b = {0};
			for (unsigned j = 0; j < depth; j++)
				pl_buf_addz(&b, kinds[i].open);
			pl_buf_addc(&b, '0');
			for (unsigned j = 0; j < depth; j++)
				pl_buf_addz(&b, kinds[i].close);
			bool ok = parse(b.p, b.n) == 0;
			CHECK(ok == (depth <= 64));
			if (!ok) {
				CHECK_STR(json.message, strlen(json.message), "nested too deeply");
				CHECK_U64(json.offset, 64 * strlen(kinds[i].open));
			}
			pl_buf_free(&b);
		}
	}
	/* open brackets without end need neither stack nor patience */
	struct pl_buf b = {0};
	for (unsigned i = 0; i < 1000000; i++)
		pl_buf_addc(&b, '[');
	CHECK(parse(b.p, b.n) == -1);
	CHECK_U64(json.offset, 64);
	pl_buf_free(&b);
}

TEST(keeps_numbers_exactly)
{
	static const struct {
		const char *text;
		enum pl_json_type type;
		uint64_t u;
		int64_t i;
	} list[] = {
		{"0", PL_JSON_UINT, 0, 0},
		{"7", PL_JSON_UINT, 7, 0},
		{"12", PL_JSON_UINT, 12, 0},
		{"345", PL_JSON_UINT, 345, 0},
		{"6789", PL_JSON_UINT, 6789, 0},
		{"10203", PL_JSON_UINT, 10203, 0},
		{"987654", PL_JSON_UINT, 987654, 0},
		{"1234567", PL_JSON_UINT, 1234567, 0},
		{"9999999", PL_JSON_UINT, 9999999, 0},
		{"12345678", PL_JSON_UINT, 12345678, 0},
		{"123456789", PL_JSON_UINT, 123456789, 0},
		{"9007199254740993", PL_JSON_UINT, 9007199254740993, 0},
		{"18446744073709551615", PL_JSON_UINT, UINT64_MAX, 0},
		{"18446744073709551616", PL_JSON_REAL, 0, 0},
		{"-0", PL_JSON_INT, 0, 0},
		{"-1", PL_JSON_INT, 0, -1},
		{"-9223372036854775808", PL_JSON_INT, 0, INT64_MIN},
		{"-9223372036854775809", PL_JSON_REAL, 0, 0},
		{"1.0", PL_JSON_REAL, 0, 0},
		{"1e2", PL_JSON_REAL, 0, 0},
		{"-0.0", PL_JSON_REAL, 0, 0},
		{"1E400", PL_JSON_REAL, 0, 0},
		{"100000000000000000000000", PL_JSON_REAL, 0, 0},
	};
	/* at the end of a text, and at every place in an array */
	static const char *const around[][2] = {{"", ""},
						{"        ", "        "},
						{"[", "]"},
						{"[1,", "]"},
						{"[", ",1]"},
						{"[1,2,", ",3,4,5,6]"},
						{"[", " ,11111111]"},
						{"{\"a\":", ",\"bcdefgh\":1}"}};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		size_t n = strlen(list[i].text);
		for (size_t j = 0; j < PL_COUNT(around); j++) {
			struct text t = {list[i].text, n};
			CHECK(parse_within(around[j][0], t, around[j][1]) == 0);
			uint32_t tok = j < 2 ? 0 : j == 3 || j == 7 ? 2 : j == 5 ? 3 : 1;
			const struct pl_json_tok *k = &json.tape[tok];
			CHECK_U64(k->type, list[i].type);
			CHECK_U64(k->next, tok + 1);
			if (k->type == PL_JSON_UINT)
				CHECK_U64(k->v.u, list[i].u);
			else if (k->type == PL_JSON_INT)
				CHECK(k->v.i == list[i].i);
			else
				CHECK_STR(k->v.p, k->count, list[i].text);
		}
	}
}

TEST(reads_long_arrays_of_numbers)
{
	struct pl_buf b = {0};

	pl_buf_addc(&b, '[');
	for (unsigned i = 0; i < 20000; i++)
		pl_buf_printf(&b, "%s%u", i ? "," : "", i * 977);
	pl_buf_addc(&b, ']');
	CHECK(parse(b.p, b.n) == 0);
	CHECK_U64(json.n, 20001);
	CHECK_U64(json.tape[0].count, 20000);
	CHECK_U64(json.tape[0].next, 20001);
	for (unsigned i = 0; i < 20000; i++) {
		const struct pl_json_tok *t = &json.tape[i + 1];
		if (!CHECK(t->type == PL_JSON_UINT && t->v.u == i * 977 && t->next == i + 2))
			break;
	}
	pl_buf_free(&b);
}

TEST(unescapes_strings)
{
	static const struct {
		const char *text, *value;
	} list[] = {
		{"\"\"", ""},
		{"\"plain\"", "plain"},
		{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
		{"\"a\\nb\"", "a\nb"},
		{"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
		{"\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
		 "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"},
		{"\"\\ud800\\udc00\\uDBFF\\uDFFF\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
		{"\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!"},
		{"\"\\\\u0041\"", "\\u0041"},
		{"\"\xe2\x82\xac\"", "\xe2\x82\xac"},
		{"\"tab\\tand a long tail of plain characters\"",
		 "tab\tand a long tail of plain characters"},
	};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		CHECK(parse_z(list[i].text) == 0);
		CHECK_U64(json.tape[0].type, PL_JSON_STRING);
		struct pl_str s = pl_json_str(&json, 0);
		CHECK_STR(s.p, s.n, list[i].value);
	}
}

/* What stops a run of plain bytes is seen at every place of it. */
TEST(sees_every_byte_of_a_string)
{
	static const struct {
		const char *special, *value;
	} list[] = {{"\\n", "\n"}, {"\xc3\xa9", "\xc3\xa9"}, {"\n", NULL}, {"\x80", NULL}};
	static const char fill[] = "!#[]^_`{|}~ abcdefghijklmno";

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		for (int before = 0; before < 20; before++) {
			for (int after = 0; after < 20; after++) {
				char text[80], want[80];
				int n = snprintf(text, sizeof text, "\"%.*s%s%.*s\"", before, fill,
						 list[i].special, after, fill);
				int failed = parse(text, (size_t)n);
				CHECK(failed == (list[i].value ? 0 : -1));
				if (failed) {
					CHECK_U64(json.offset, 1 + (uint64_t)before);
					continue;
				}
				snprintf(want, sizeof want, "%.*s%s%.*s", before, fill,
					 list[i].value, after, fill);
				struct pl_str s = pl_json_str(&json, 0);
				CHECK_STR(s.p, s.n, want);
			}
		}
	}
}

TEST(lays_out_the_tape)
{
	CHECK(parse_z("{\"a\":[1,{\"b\":null},[]],\"c\":\"x\"}") == 0);
	/* 0 {  1 "a"  2 [  3 1  4 {  5 "b"  6 null  7 []  8 "c"  9 "x" */
	static const struct {
		enum pl_json_type type;
		uint32_t next, count;
	} want[] = {{PL_JSON_OBJECT, 10, 2}, {PL_JSON_STRING, 2, 1}, {PL_JSON_ARRAY, 8, 3},
		    {PL_JSON_UINT, 4, 0},    {PL_JSON_OBJECT, 7, 1}, {PL_JSON_STRING, 6, 1},
		    {PL_JSON_NULL, 7, 0},    {PL_JSON_ARRAY, 8, 0},  {PL_JSON_STRING, 9, 1},
		    {PL_JSON_STRING, 10, 1}};
	CHECK_U64(json.n, PL_COUNT(want));
	for (size_t i = 0; i < PL_COUNT(want); i++) {
		CHECK_U64(json.tape[i].type, want[i].type);
		CHECK_U64(json.tape[i].next, want[i].next);
		CHECK_U64(json.tape[i].count, want[i].count);
	}
	CHECK_U64(pl_json_member(&json, 0, "a"), 2);
	CHECK_U64(pl_json_member(&json, 0, "c"), 9);
	CHECK_U64(pl_json_member(&json, 0, "b"), 0);
	CHECK_U64(pl_json_member(&json, 0, ""), 0);
	CHECK_U64(pl_json_member(&json, 4, "b"), 6);
}

TEST(strings_stay_where_they_are)
{
	struct pl_buf b = {0};

	pl_buf_addc(&b, '[');
	for (unsigned i = 0; i < 1000; i++)
		pl_buf_printf(&b, "%s\"\\u0041%u\"", i ? "," : "", i);
	pl_buf_addc(&b, ']');
	CHECK(parse(b.p, b.n) == 0);
	for (uint32_t i = 0; i < 1000; i++) {
		char want[16];
		snprintf(want, sizeof want, "A%u", i);
		struct pl_str s = pl_json_str(&json, i + 1);
		CHECK_STR(s.p, s.n, want);
	}
	pl_buf_free(&b);
}

TEST(allocates_nothing_after_warm_up)
{
	static const char text[] = "{\"a\":[1,2,3,\"\\n\"],\"b\":{\"c\":1.5}}";

	CHECK(parse_z(text) == 0);
	struct pl_json before = json;
	for (int i = 0; i < 3; i++)
		CHECK(parse_z(text) == 0);
	CHECK(json.tape == before.tape && json.cap == before.cap);
	CHECK(json.decoded.p == before.decoded.p && json.decoded.cap == before.decoded.cap);
}

TEST(is_usable_after_a_failure)
{
	CHECK(parse_z("[\"\\n\",{\"a\":[1,") == -1);
	CHECK(json.message != NULL);
	CHECK(parse_z("[2]") == 0);
	CHECK(json.message == NULL);
	CHECK_U64(json.n, 2);
	CHECK_U64(json.tape[1].v.u, 2);
	CHECK(pl_json_parse(&json, (struct pl_str){NULL, 0}) == -1);
}

int main(void)
{
	RUN(accepts);
	RUN(tells_many_members_apart);
	RUN(limits_depth_to_64);
	RUN(keeps_numbers_exactly);
	RUN(reads_long_arrays_of_numbers);
	RUN(unescapes_strings);
	RUN(sees_every_byte_of_a_string);
	RUN(lays_out_the_tape);
	RUN(strings_stay_where_they_are);
	RUN(allocates_nothing_after_warm_up);
	RUN(is_usable_after_a_failure);
	pl_json_free(&json);
	return unit_done();
}
