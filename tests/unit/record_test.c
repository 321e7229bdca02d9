/* record: an object is read by its table of members; what does not fit is named */
#include "record.h"
#include "unit.h"
#include <math.h>

struct all {
	struct pl_str text, name;
	uint64_t count, pct;
	uint32_t id, optional_id, list, object, any;
	int64_t pid;
	double real, draws;
	bool flag, has_pid, has_name;
};

static const struct pl_member members[] = {
	PL_MEMBER(struct all, "text", text, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct all, "count", count, PL_M_U64, 0),
	PL_MEMBER(struct all, "id", id, PL_M_U32, 0),
	PL_MEMBER(struct all, "optional_id", optional_id, PL_M_U32, PL_M_NULLABLE),
	PL_MEMBER_HAS(struct all, "pid", pid, PL_M_I64, 0),
	PL_MEMBER(struct all, "pct", pct, PL_M_MICRO, 0),
	PL_MEMBER(struct all, "real", real, PL_M_REAL, 0),
	PL_MEMBER(struct all, "draws", draws, PL_M_REAL, PL_M_NULLABLE),
	PL_MEMBER(struct all, "flag", flag, PL_M_BOOL, 0),
	PL_MEMBER(struct all, "list", list, PL_M_ARRAY, 0),
	PL_MEMBER(struct all, "object", object, PL_M_OBJECT, 0),
	PL_MEMBER(struct all, "any", any, PL_M_ANY, 0),
	PL_MEMBER_HAS(struct all, "name", name, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
};
static const struct pl_record record = {"all", members, PL_COUNT(members)};

static struct pl_json json;
static struct all got;

/* What is wrong with this text, or "" when nothing is. */
static const char *read_text(const char *text)
{
	static char message[256];

	memset(&got, 0, sizeof got);
	if (!CHECK(pl_json_parse(&json, pl_str(text)) == 0))
		return "no JSON";
	const char *wrong = pl_record_read(&record, &json, 0, &got, message);
	return wrong ? wrong : "";
}

static void refuses(const char *text, const char *want)
{
	const char *wrong = read_text(text);
	CHECK_STR(wrong, strlen(wrong), want);
}

static void reads(const char *text)
{
	refuses(text, "");
}

/* The two members that are required, around others. */
#define R(more) "{\"text\":\"t\"," more ",\"name\":\"n\"}"

TEST(every_kind)
{
	reads("{\"text\":\"t\\u00e9\",\"count\":18446744073709551615,\"id\":4294967294,"
	      "\"optional_id\":3,\"pid\":-1,\"pct\":59.823400,\"real\":-2.5e1,\"draws\":453,"
	      "\"flag\":true,\"list\":[1],\"object\":{\"a\":1},\"any\":false,\"name\":\"n\"}");
	CHECK_STR(got.text.p, got.text.n, "t\xc3\xa9");
	CHECK_U64(got.count, UINT64_MAX);
	CHECK_U64(got.id, 4294967294);
	CHECK_U64(got.optional_id, 3);
	CHECK(got.pid == -1 && got.has_pid);
	CHECK_U64(got.pct, 59823400);
	CHECK(got.real == -25 && got.draws == 453);
	CHECK(got.flag);
	CHECK(json.tape[got.list].type == PL_JSON_ARRAY && json.tape[got.list].count == 1);
	CHECK(json.tape[got.object].type == PL_JSON_OBJECT && json.tape[got.object].count == 1);
	CHECK(json.tape[got.any].type == PL_JSON_FALSE);
	CHECK_STR(got.name.p, got.name.n, "n");
	CHECK(got.has_name);
}

TEST(any_order_and_unknown_members)
{
	reads("{\"later\":{\"text\":1,\"id\":[]},\"name\":null,\"flag\":false,\"newer\":[1,2],"
	      "\"text\":\"\",\"id\":7,\"type\":\"all\"}");
	CHECK_U64(got.id, 7);
	CHECK(got.text.p && got.text.n == 0);
	CHECK(!got.has_name && !got.name.p);
	CHECK(!got.has_pid);
	/* a name that another begins with is not that one */
	reads("{\"tex\":1,\"textual\":2,\"text\":\"x\",\"i\":\"\",\"name\":\"n\"}");
	CHECK_STR(got.text.p, got.text.n, "x");
}

TEST(null_is_absence_where_it_may_be)
{
	reads(R("\"optional_id\":null,\"draws\":null"));
	CHECK_U64(got.optional_id, UINT32_MAX);
	CHECK(isnan(got.draws));
	refuses(R("\"id\":null"), "the member 'id' must be an integer from 0 to 2^32-2");
	refuses(R("\"real\":null"), "the member 'real' must be a number");
	refuses("{\"text\":null,\"name\":null}", "the member 'text' must be a string");
}

TEST(required_members)
{
	refuses("{\"name\":\"n\"}", "the member 'text' is missing");
	refuses("{\"text\":\"t\"}",
		"the member 'name' is missing"); /* null it may be, not absent */
	refuses("{}", "the member 'text' is missing");
	refuses("[]", "an object is wanted here");
	refuses("7", "an object is wanted here");
	reads("{\"text\":\"t\",\"name\":null}");
}

TEST(wrong_kinds_are_named)
{
#define INTEGER "the member 'count' must be an integer from 0 to 2^64-1"
	refuses("{\"text\":1,\"name\":\"n\"}", "the member 'text' must be a string");
	refuses(R("\"count\":-1"), INTEGER);
	refuses(R("\"count\":-0"), INTEGER);
	refuses(R("\"count\":1.0"), INTEGER);
	refuses(R("\"count\":1e3"), INTEGER);
	refuses(R("\"count\":18446744073709551616"), INTEGER);
	refuses(R("\"count\":\"1\""), INTEGER);
	refuses(R("\"count\":true"), INTEGER);
	refuses(R("\"count\":[1]"), INTEGER);
	refuses(R("\"id\":4294967295"), "the member 'id' must be an integer from 0 to 2^32-2");
	refuses(R("\"optional_id\":4294967295"),
		"the member 'optional_id' must be an integer from 0 to 2^32-2");
	refuses(R("\"flag\":1"), "the member 'flag' must be true or false");
	refuses(R("\"flag\":null"), "the member 'flag' must be true or false");
	refuses(R("\"list\":{}"), "the member 'list' must be an array");
	refuses(R("\"object\":[]"), "the member 'object' must be an object");
	refuses(R("\"real\":\"1\""), "the member 'real' must be a number");
	refuses(R("\"real\":1e999"), "the member 'real' must be a number");
	reads(R("\"any\":null"));
	reads(R("\"any\":1e999"));
}

TEST(signed_integers)
{
	reads(R("\"pid\":9223372036854775807"));
	CHECK(got.pid == INT64_MAX && got.has_pid);
	reads(R("\"pid\":-9223372036854775808"));
	CHECK(got.pid == INT64_MIN);
	reads(R("\"pid\":-0"));
	CHECK(got.pid == 0 && got.has_pid);
	refuses(R("\"pid\":9223372036854775808"), "the member 'pid' must be an integer");
	refuses(R("\"pid\":-9223372036854775809"), "the member 'pid' must be an integer");
	refuses(R("\"pid\":1.5"), "the member 'pid' must be an integer");
	refuses(R("\"pid\":null"), "the member 'pid' must be an integer");
}

TEST(millionths)
{
	static const struct {
		const char *text;
		uint64_t want;
	} rows[] = {
		{R("\"pct\":0"), 0},
		{R("\"pct\":100"), 100000000},
		{R("\"pct\":0.000001"), 1},
		{R("\"pct\":99.999999"), 99999999},
		{R("\"pct\":2.5e0"), 2500000},
		{R("\"pct\":0.0"), 0},
		{R("\"pct\":18446744073709"), 18446744073709000000u},
		{R("\"pct\":33.333333333333"), 33333333},
		{R("\"pct\":66.666666666666"), 66666667},
	};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		reads(rows[i].text);
		CHECK_U64(got.pct, rows[i].want);
	}
	refuses(R("\"pct\":18446744073710"),
		"the member 'pct' must be a number that is not negative");
	refuses(R("\"pct\":-1"), "the member 'pct' must be a number that is not negative");
	refuses(R("\"pct\":-0.5"), "the member 'pct' must be a number that is not negative");
	refuses(R("\"pct\":1e300"), "the member 'pct' must be a number that is not negative");
	refuses(R("\"pct\":\"1\""), "the member 'pct' must be a number that is not negative");
	refuses(R("\"pct\":null"), "the member 'pct' must be a number that is not negative");
}

TEST(an_object_within_another)
{
	char message[256];

	memset(&got, 0, sizeof got);
	CHECK(pl_json_parse(&json, PL_S("[1,{\"a\":{\"text\":\"in\",\"name\":null}},\"text\"]")) ==
	      0);
	/* 0 the array, 1 a number, 2 the object, 3 its key, 4 the inner object */
	CHECK(pl_record_read(&record, &json, 4, &got, message) == NULL);
	CHECK_STR(got.text.p, got.text.n, "in");
	CHECK(pl_record_read(&record, &json, 1, &got, message) != NULL);
}

int main(void)
{
	RUN(every_kind);
	RUN(any_order_and_unknown_members);
	RUN(null_is_absence_where_it_may_be);
	RUN(required_members);
	RUN(wrong_kinds_are_named);
	RUN(signed_integers);
	RUN(millionths);
	RUN(an_object_within_another);
	pl_json_free(&json);
	return unit_done();
}
