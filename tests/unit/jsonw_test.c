/* jsonw: the canonical form */
#include "jsonw.h"
#include "unit.h"
#include <math.h>

static struct pl_buf buf;

static struct pl_jsonw fresh(void)
{
	pl_buf_clear(&buf);
	return (struct pl_jsonw){.buf = &buf};
}

TEST(commas_and_brackets)
{
	struct pl_jsonw w = fresh();

	pl_jsonw_begin(&w, '{');
	pl_jsonw_kbegin(&w, "empty", '[');
	pl_jsonw_end(&w, ']');
	pl_jsonw_kbegin(&w, "list", '[');
	pl_jsonw_u64(&w, 1);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_end(&w, ']');
	pl_jsonw_begin(&w, '{');
	pl_jsonw_end(&w, '}');
	pl_jsonw_null(&w);
	pl_jsonw_end(&w, ']');
	pl_jsonw_kbool(&w, "yes", true);
	pl_jsonw_kbool(&w, "no", false);
	pl_jsonw_end(&w, '}');
	CHECK_STR(buf.p, buf.n, "{\"empty\":[],\"list\":[1,[],{},null],\"yes\":true,\"no\":false}");
}

TEST(records)
{
	struct pl_jsonw w = fresh();

	pl_jsonw_record(&w, "module");
	pl_jsonw_ku64(&w, "id", 0);
	pl_jsonw_kz(&w, "dso", "/usr/lib/libc.so.6");
	pl_jsonw_kz(&w, "kind", NULL);
	pl_jsonw_kstr(&w, "reason", (struct pl_str){NULL, 0});
	pl_jsonw_kstr(&w, "name", PL_S(""));
	pl_jsonw_knull(&w, "none");
	pl_jsonw_record_end(&w);
	pl_jsonw_record(&w, "end");
	pl_jsonw_record_end(&w);
	CHECK_STR(buf.p, buf.n,
		  "{\"type\":\"module\",\"id\":0,\"dso\":\"/usr/lib/libc.so.6\",\"kind\":null,"
		  "\"reason\":null,\"name\":\"\",\"none\":null}\n{\"type\":\"end\"}\n");
}

TEST(numbers)
{
	struct pl_jsonw w = fresh();

	pl_jsonw_begin(&w, '[');
	pl_jsonw_u64(&w, UINT64_MAX);
	pl_jsonw_i64(&w, INT64_MIN);
	pl_jsonw_i64(&w, -1);
	pl_jsonw_i64(&w, 42);
	pl_jsonw_micro(&w, 59823400);
	pl_jsonw_micro(&w, 0);
	pl_jsonw_real(&w, 0.5);
	pl_jsonw_real(&w, -0.0);
	pl_jsonw_real(&w, (double)NAN);
	pl_jsonw_real(&w, (double)INFINITY);
	pl_jsonw_end(&w, ']');
	CHECK_STR(buf.p, buf.n,
		  "[18446744073709551615,-9223372036854775808,-1,42,59.823400,0.000000,"
		  "0.500000,0.000000,null,null]");
	w = fresh();
	pl_jsonw_begin(&w, '{');
	pl_jsonw_kmicro(&w, "a", 100000000);
	pl_jsonw_kreal(&w, "b", 1.25);
	pl_jsonw_end(&w, '}');
	CHECK_STR(buf.p, buf.n, "{\"a\":100.000000,\"b\":1.250000}");
}

TEST(escapes_what_json_demands_and_nothing_else)
{
	static const struct {
		struct pl_str text;
		const char *want;
	} list[] = {
		{PL_S("\"\\/"), "\"\\\"\\\\/\""},
		{PL_S("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\""},
		{PL_S("\x01\x07\x0b\x0e\x0f\x10\x1b\x1f"),
		 "\"\\u0001\\u0007\\u000b\\u000e\\u000f\\u0010\\u001b\\u001f\""},
		{PL_S(" !#[]~\x7f"), "\" !#[]~\x7f\""},
		{PL_S("\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80<>&'"),
		 "\"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80<>&'\""},
	};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		struct pl_jsonw w = fresh();
		pl_jsonw_str(&w, list[i].text);
		CHECK_STR(buf.p, buf.n, list[i].want);
	}
	struct pl_jsonw w = fresh();
	pl_jsonw_begin(&w, '{');
	pl_jsonw_keys(&w, PL_S("a\"b"));
	pl_jsonw_null(&w);
	pl_jsonw_keys(&w, PL_S(""));
	pl_jsonw_null(&w);
	pl_jsonw_end(&w, '}');
	CHECK_STR(buf.p, buf.n, "{\"a\\\"b\":null,\"\":null}");
}

/* What needs an escape is seen at every place among bytes that do not, the neighbours of those that
 * do among them. */
TEST(escapes_at_every_place)
{
	static const struct {
		char c;
		const char *escape;
	} list[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\x1f', "\\u001f"}};
	static const char fill[] = " !#[]\x7f\xc3\xa9\xef\xbf\xbfz !#[]\x7f\xc3\xa9z";

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		for (int before = 0; before < 22; before++) {
			for (int after = 0; after < 22; after++) {
				char text[64], want[64];
				int n = snprintf(text, sizeof text, "%.*s%c%.*s", before, fill,
						 list[i].c, after, fill);
				snprintf(want, sizeof want, "\"%.*s%s%.*s\"", before, fill,
					 list[i].escape, after, fill);
				struct pl_jsonw w = fresh();
				pl_jsonw_str(&w, (struct pl_str){text, (size_t)n});
				CHECK_STR(buf.p, buf.n, want);
			}
		}
	}
}

TEST(rewrites_values)
{
	static const struct {
		const char *text, *want;
	} list[] = {
		{" null ", "null"},
		{"[ ]", "[]"},
		{"{ }", "{}"},
		{"[ 1 , true,\tfalse , null ]", "[1,true,false,null]"},
		{"{ \"b\" : 1, \"a\" : [ { } , [ ] ] }", "{\"b\":1,\"a\":[{},[]]}"},
		{"[[[],[[]]],{\"a\":{\"b\":{}},\"c\":{}}]",
		 "[[[],[[]]],{\"a\":{\"b\":{}},\"c\":{}}]"},
		{"\"\\u0041\\/\\u00e9\\u001F\\u000a\\u007f\"", "\"A/\xc3\xa9\\u001f\\n\x7f\""},
		{"{\"\\u0061\\n\":\"\\ud83d\\ude00\"}", "{\"a\\n\":\"\xf0\x9f\x98\x80\"}"},
		{"[18446744073709551615,-9223372036854775808,-0,-7]",
		 "[18446744073709551615,-9223372036854775808,0,-7]"},
		{"[1E400,1.50,-0.0,18446744073709551616]",
		 "[1E400,1.50,-0.0,18446744073709551616]"},
	};
	struct pl_json json = {0};

	for (size_t i = 0; i < PL_COUNT(list); i++) {
		struct pl_jsonw w = fresh();
		CHECK(pl_json_parse(&json, pl_str(list[i].text)) == 0);
		pl_jsonw_value(&w, &json, 0);
		CHECK_STR(buf.p, buf.n, list[i].want);
	}
	pl_json_free(&json);
}

TEST(rewrites_parts_and_joins_them)
{
	struct pl_json json = {0};
	struct pl_jsonw w = fresh();

	CHECK(pl_json_parse(&json, PL_S("{\"a\":{\"x\":[1,{}]},\"b\":2}")) == 0);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_value(&w, &json, pl_json_member(&json, 0, "b"));
	pl_jsonw_value(&w, &json, pl_json_member(&json, 0, "a"));
	pl_jsonw_raw(&w, PL_S("{\"raw\":0}"));
	pl_jsonw_u64(&w, 3);
	pl_jsonw_end(&w, ']');
	CHECK_STR(buf.p, buf.n, "[2,{\"x\":[1,{}]},{\"raw\":0},3]");
	pl_json_free(&json);
}

TEST(rewrites_the_deepest_value)
{
	char text[4 * PL_JSON_DEPTH];
	size_t n = 0;
	struct pl_json json = {0};
	struct pl_jsonw w = fresh();

	memset(text, '[', PL_JSON_DEPTH);
	n = PL_JSON_DEPTH;
	text[n++] = '1';
	memset(text + n, ']', PL_JSON_DEPTH);
	n += PL_JSON_DEPTH;
	text[n] = 0;
	CHECK(pl_json_parse(&json, pl_str(text)) == 0);
	pl_jsonw_value(&w, &json, 0);
	CHECK_STR(buf.p, buf.n, text);
	pl_json_free(&json);
}

int main(void)
{
	RUN(commas_and_brackets);
	RUN(records);
	RUN(numbers);
	RUN(escapes_what_json_demands_and_nothing_else);
	RUN(escapes_at_every_place);
	RUN(rewrites_values);
	RUN(rewrites_parts_and_joins_them);
	RUN(rewrites_the_deepest_value);
	pl_buf_free(&buf);
	return unit_done();
}
