/* err: codes, statuses, and the two ways in which an error is shown */
#include "err.h"
#include "json.h"
#include "unit.h"

/* STREAMS.md section 5 */
static const struct {
	enum pl_code code;
	const char *name;
	int status;
} want[] = {
	{PL_E_NONE, "NONE", 0},
	{PL_E_INVALID_INPUT, "INVALID_INPUT", 2},
	{PL_E_UNSUPPORTED_FORMAT, "UNSUPPORTED_FORMAT", 3},
	{PL_E_PROFILE_PARSE_FAILED, "PROFILE_PARSE_FAILED", 3},
	{PL_E_STREAM_TRUNCATED, "STREAM_TRUNCATED", 3},
	{PL_E_NO_SAMPLES, "NO_SAMPLES", 3},
	{PL_E_DIGEST_MISMATCH, "DIGEST_MISMATCH", 3},
	{PL_E_RESOURCE_LIMIT_EXCEEDED, "RESOURCE_LIMIT_EXCEEDED", 4},
	{PL_E_WEIGHT_OVERFLOW, "WEIGHT_OVERFLOW", 4},
	{PL_E_PATH_SAFETY_VIOLATION, "PATH_SAFETY_VIOLATION", 5},
	{PL_E_OUTPUT_WRITE_FAILED, "OUTPUT_WRITE_FAILED", 5},
	{PL_E_AUTHORIZATION_REQUIRED, "AUTHORIZATION_REQUIRED", 5},
	{PL_E_EXTERNAL_TOOL_FAILED, "EXTERNAL_TOOL_FAILED", 6},
	{PL_E_EXTERNAL_TOOL_TIMEOUT, "EXTERNAL_TOOL_TIMEOUT", 6},
	{PL_E_INTERNAL_ERROR, "INTERNAL_ERROR", 70},
};

TEST(each_code_has_its_name_and_status)
{
	CHECK_U64(PL_COUNT(want), PL_E_COUNT);
	for (size_t i = 0; i < PL_COUNT(want); i++) {
		const char *name = pl_code_name(want[i].code);
		CHECK_STR(name, strlen(name), want[i].name);
		CHECK_U64(pl_code_exit(want[i].code), (uint64_t)want[i].status);
	}
	CHECK_STR(pl_code_name(PL_E_COUNT), 14, "INTERNAL_ERROR");
	CHECK_U64(pl_code_exit(PL_E_COUNT), 70);
}

static struct pl_buf out;

static void text_is(const struct pl_err *e, const char *line)
{
	pl_buf_clear(&out);
	pl_err_text(e, "pl-x", &out);
	CHECK_STR(out.p, out.n, line);
}

static void json_is(const struct pl_err *e, const char *line)
{
	pl_buf_clear(&out);
	pl_err_json(e, "aggregate", &out);
	CHECK_STR(out.p, out.n, line);
}

TEST(an_error_starts_without_a_place)
{
	struct pl_err e;

	memset(&e, 'x', sizeof e);
	CHECK(pl_err_set(&e, PL_E_NO_SAMPLES, "%d of %s", 3, "four") == -1);
	CHECK(e.code == PL_E_NO_SAMPLES && e.line == 0 && !e.file[0] && !e.action[0]);
	CHECK_STR(e.message, strlen(e.message), "3 of four");
	text_is(&e, "pl-x: 3 of four\n");
	CHECK(pl_err_at(&e, NULL, 8) == -1);
	text_is(&e, "pl-x: 3 of four\n"); /* a line of no file says nothing */
	CHECK(pl_err_at(&e, "f", 0) == -1);
	text_is(&e, "pl-x: f: 3 of four\n");
	pl_err_at(&e, "f", 18446744073709551615u);
	CHECK(pl_err_action(&e, "try %d", 5) == -1);
	text_is(&e, "pl-x: f:18446744073709551615: 3 of four; try 5\n");
}

TEST(people_get_no_controls)
{
	struct pl_err e;

	pl_err_set(&e, PL_E_INVALID_INPUT, "%s", "a\x1b[2Jb\nc\xff");
	pl_err_at(&e, "d\re", 1);
	pl_err_action(&e, "%s", "\x07");
	text_is(&e, "pl-x: d\\x0de:1: a\\x1b[2Jb\\x0ac\\xff; \\x07\n");
}

/* The ids are from: printf CODE:STAGE:MESSAGE | sha256sum */
TEST(programs_get_one_line_of_json)
{
	struct pl_err e;

	pl_err_set(&e, PL_E_INVALID_INPUT, "no such file");
	json_is(&e, "{\"type\":\"error\",\"schema\":\"perflens.error\",\"version\":\"1.0\","
		    "\"error_id\":\"err-3676def3aeea21d3\",\"code\":\"INVALID_INPUT\","
		    "\"stage\":\"aggregate\",\"message\":\"no such file\",\"recoverable\":true,"
		    "\"retryable\":false,\"details\":{},\"suggested_actions\":[]}\n");
	pl_err_at(&e, "a\"b", 12);
	pl_err_action(&e, "see --help");
	json_is(&e, "{\"type\":\"error\",\"schema\":\"perflens.error\",\"version\":\"1.0\","
		    "\"error_id\":\"err-3676def3aeea21d3\",\"code\":\"INVALID_INPUT\","
		    "\"stage\":\"aggregate\",\"message\":\"no such file\",\"file\":\"a\\\"b\","
		    "\"line\":12,\"recoverable\":true,\"retryable\":false,\"details\":{},"
		    "\"suggested_actions\":[\"see --help\"]}\n");
	pl_buf_clear(&out);
	pl_err_set(&e, PL_E_WEIGHT_OVERFLOW, "%s", "the \"sum\"\n\xff x");
	pl_err_json(&e, "fold-parse", &out);
	CHECK(strstr(out.p, "\"error_id\":\"err-751cbf90c1073cb8\"") != NULL);
	CHECK(strstr(out.p, "\"message\":\"the \\\"sum\\\"\\n\xef\xbf\xbd x\"") != NULL);
	CHECK(strchr(out.p, '\n') == out.p + out.n - 1);
}

/* An output or a tool may be there the next time; a fault of ours cannot be mended by the caller.
 */
TEST(what_may_succeed_later)
{
	for (int code = PL_E_NONE; code < PL_E_COUNT; code++) {
		struct pl_err e;
		bool later = code == PL_E_OUTPUT_WRITE_FAILED || code == PL_E_EXTERNAL_TOOL_TIMEOUT;
		pl_err_set(&e, (enum pl_code)code, "m");
		pl_buf_clear(&out);
		pl_err_json(&e, "s", &out);
		CHECK(!!strstr(out.p, "\"retryable\":true") == later);
		CHECK(!strstr(out.p, "\"recoverable\":true") == (code == PL_E_INTERNAL_ERROR));
	}
}

TEST(long_texts_are_cut_at_the_arrays_ends)
{
	struct pl_err e;
	char text[2001];
	struct pl_json json = {0};

	/* two bytes a character, so that each array ends within one */
	for (size_t i = 0; i < sizeof text - 1; i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	text[sizeof text - 1] = '\0';
	pl_err_set(&e, PL_E_INVALID_INPUT, "%s", text);
	pl_err_at(&e, text, 1);
	pl_err_action(&e, "%s", text);
	CHECK_U64(strlen(e.message), 767);
	CHECK_U64(strlen(e.file), 255);
	CHECK_U64(strlen(e.action), 255);
	pl_buf_clear(&out);
	pl_err_json(&e, "s", &out);
	CHECK(pl_json_parse(&json, pl_buf_str(&out)) == 0);
	pl_json_free(&json);
}

int main(void)
{
	RUN(each_code_has_its_name_and_status);
	RUN(an_error_starts_without_a_place);
	RUN(people_get_no_controls);
	RUN(programs_get_one_line_of_json);
	RUN(what_may_succeed_later);
	RUN(long_texts_are_cut_at_the_arrays_ends);
	pl_buf_free(&out);
	return unit_done();
}
