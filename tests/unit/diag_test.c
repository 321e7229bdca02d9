/* diag: what is kept, what is only counted */
#include "diag.h"
#include "unit.h"

static struct pl_buf out;

static void counts_are(const struct pl_diag *d, const char *want)
{
	struct pl_jsonw w = {.buf = &out};

	pl_buf_clear(&out);
	pl_jsonw_begin(&w, '{');
	pl_diag_counts(d, "diagnostics", &w);
	pl_jsonw_end(&w, '}');
	CHECK_STR(out.p, out.n, want);
}

static void add(struct pl_diag *d, const char *code, const char *preview, size_t n)
{
	pl_diag_add(d, &out, code, (struct pl_diag_place){1, 42, false}, "why",
		    (struct pl_str){preview, n});
}

TEST(a_diagnostic_is_a_record)
{
	struct pl_diag d = {.max_kept = 2};

	pl_buf_clear(&out);
	pl_diag_add(&d, &out, "EMPTY_FRAME",
		    (struct pl_diag_place){3, 18446744073709551615u, false}, "a \"frame\"",
		    PL_S("a;;b\t4"));
	CHECK_STR(out.p, out.n,
		  "{\"type\":\"diagnostic\",\"code\":\"EMPTY_FRAME\",\"input\":3,"
		  "\"line\":18446744073709551615,\"message\":\"a \\\"frame\\\"\","
		  "\"preview\":\"a;;b\\t4\"}\n");
	pl_buf_clear(&out);
	pl_diag_add(&d, &out, "X", (struct pl_diag_place){0, 1, false}, "m", PL_S(""));
	CHECK_STR(out.p, out.n,
		  "{\"type\":\"diagnostic\",\"code\":\"X\",\"input\":0,\"line\":1,"
		  "\"message\":\"m\",\"preview\":\"\"}\n");
}

TEST(the_first_are_kept_and_all_are_counted)
{
	struct pl_diag d = {.max_kept = 2};

	pl_buf_clear(&out);
	for (int i = 0; i < 3; i++)
		add(&d, "B", "", 0);
	size_t lines = 0;
	for (size_t i = 0; i < out.n; i++)
		lines += out.p[i] == '\n';
	CHECK_U64(lines, 2);
	CHECK_U64(d.kept, 2);
	pl_diag_count(&d, "A", 7);
	counts_are(&d, "{\"diagnostics\":{\"A\":7,\"B\":3}}");
}

TEST(none_may_be_kept)
{
	struct pl_diag d = {0};

	counts_are(&d, "{\"diagnostics\":{}}");
	pl_buf_clear(&out);
	add(&d, "Z", "p", 1);
	CHECK_U64(out.n, 0);
	counts_are(&d, "{\"diagnostics\":{\"Z\":1}}");
}

TEST(codes_stand_in_byte_order)
{
	struct pl_diag d = {0};
	char b[] = "BB"; /* equal text elsewhere in memory is the same code */

	pl_diag_count(&d, "BB", 1);
	pl_diag_count(&d, "C", 2);
	pl_diag_count(&d, "B_", 3);
	pl_diag_count(&d, "A", 4);
	pl_diag_count(&d, b, 5);
	counts_are(&d, "{\"diagnostics\":{\"A\":4,\"BB\":6,\"B_\":3,\"C\":2}}");
}

TEST(counts_do_not_wrap)
{
	struct pl_diag d = {0};

	pl_diag_count(&d, "A", UINT64_MAX - 1);
	pl_diag_count(&d, "A", 1);
	counts_are(&d, "{\"diagnostics\":{\"A\":18446744073709551615}}");
	pl_diag_count(&d, "A", 5);
	counts_are(&d, "{\"diagnostics\":{\"A\":18446744073709551615}}");
}

/* 100 codes in a table of 64: the first 63 keep their own count, all others are one. */
TEST(more_codes_than_room_are_counted_as_one)
{
	struct pl_diag d = {0};
	char codes[100][16];
	struct pl_jsonw w = {.buf = &out};
	static const char start[] = "\"diagnostics\":{\"C000\":1,\"C001\":2,",
			  end[] = ",\"C062\":63,\"OTHER\":3034}"; /* 64 + 65 + … + 100 */

	for (int i = 0; i < 100; i++) {
		snprintf(codes[i], sizeof codes[i], "C%03d", i);
		pl_diag_count(&d, codes[i], (uint64_t)i + 1);
	}
	pl_buf_clear(&out);
	pl_diag_counts(&d, "diagnostics", &w);
	CHECK(strncmp(out.p, start, sizeof start - 1) == 0);
	CHECK(out.n > sizeof end && strcmp(out.p + out.n - (sizeof end - 1), end) == 0);
	CHECK_U64(d.n, PL_DIAG_CODES);
}

/* The preview of these n bytes is `unit`, so many times. */
static void preview_is(const char *p, size_t n, const char *unit, size_t times)
{
	struct pl_diag d = {.max_kept = 1};
	struct pl_buf want = {0};

	pl_buf_addz(&want, "\"preview\":\"");
	for (size_t i = 0; i < times; i++)
		pl_buf_addz(&want, unit);
	pl_buf_addz(&want, "\"}\n");
	pl_buf_clear(&out);
	add(&d, "C", p, n);
	CHECK(out.n > want.n && strcmp(out.p + out.n - want.n, want.p) == 0);
	pl_buf_free(&want);
}

TEST(a_preview_is_200_characters_of_valid_text)
{
	char text[4000];

	memset(text, 'a', sizeof text);
	preview_is(text, 199, "a", 199);
	preview_is(text, 200, "a", 200);
	preview_is(text, 201, "a", 200);
	preview_is(text, sizeof text, "a", 200);
	for (size_t i = 0; i < sizeof text; i += 4)
		memcpy(text + i, "\xf0\x9f\x99\x82", 4);
	preview_is(text, 800, "\xf0\x9f\x99\x82", 200);
	preview_is(text, sizeof text, "\xf0\x9f\x99\x82", 200);
	memset(text, 0xff, sizeof text);
	preview_is(text, sizeof text, "\xef\xbf\xbd", 200);
	/* one byte first: the 200th character then ends at byte 797, and what follows is cut off */
	text[0] = 'a';
	for (size_t i = 1; i + 4 <= sizeof text; i += 4)
		memcpy(text + i, "\xf0\x9f\x99\x82", 4);
	struct pl_diag d = {.max_kept = 1};
	pl_buf_clear(&out);
	add(&d, "C", text, sizeof text);
	CHECK(strstr(out.p, "\xef\xbf\xbd") == NULL);
	preview_is("a\0b", 3,
		   "a\xef\xbf\xbd"
		   "b",
		   1);
}

int main(void)
{
	RUN(a_diagnostic_is_a_record);
	RUN(the_first_are_kept_and_all_are_counted);
	RUN(none_may_be_kept);
	RUN(codes_stand_in_byte_order);
	RUN(counts_do_not_wrap);
	RUN(more_codes_than_room_are_counted_as_one);
	RUN(a_preview_is_200_characters_of_valid_text);
	pl_buf_free(&out);
	return unit_done();
}
