/* stream_inputs: what a header says of its producer and of what was read */
#include "stream.h"
#include "stream_kit.h"

#define PRODUCER "{\"program\":\"t\",\"version\":\"1\",\"options\":{}}"
#define Q "{\"program\":\"pl-select\",\"version\":\"1\",\"options\":{\"comm\":[\"x\"]}}"
#define OPEN(schema) \
	"{\"type\":\"header\",\"schema\":\"" schema "\",\"version\":\"1.0\",\"producer\":"

static const char *const schemas[] = {"perflens.samples", "perflens.verification"};
static struct pl_stream s;

/* Reads a header and an end record whose `inputs` are the digests, and describes the stream. */
static void describes(const char *header, const char *end, const char *want, uint32_t foreign)
{
	struct pl_buf text = {0}, got = {0};
	struct pl_jsonw w = {.buf = &got};

	pl_buf_printf(&text, "%s\n%s\n", header, end);
	CHECK(pl_stream_open(&s, kit_open(text.p, text.n), schemas, 2, true) == 0);
	CHECK(pl_stream_next(&s) == 1);
	uint32_t digests = pl_json_member(&s.json, 0, "inputs");
	CHECK_U64(pl_stream_input(&w, &s, digests ? &s.json : NULL, digests), foreign);
	CHECK_STR(got.p, got.n, want);
	pl_stream_close(&s);
	pl_buf_free(&text);
	pl_buf_free(&got);
}

TEST(foreign_inputs_gain_their_digests_and_lose_their_names)
{
	describes(OPEN("perflens.samples") PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"name\":\"secret.folded\"},"
		  "{\"format\":\"live\",\"host\":{\"arch\":\"x86_64\",\"cpus\":2}}]}",
		  "{\"type\":\"end\",\"inputs\":[{\"bytes\":53,\"sha256\":\"ec\",\"lines\":2},"
		  "{\"bytes\":9,\"lines\":1,\"packed_bytes\":7}]}",
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":53,\"sha256\":\"ec\",\"lines\":2},"
		  "{\"format\":\"live\",\"host\":{\"arch\":\"x86_64\",\"cpus\":2},\"bytes\":9,"
		  "\"lines\":1,\"packed_bytes\":7}]}",
		  2);
}

TEST(inputs_nest_and_digests_are_given_depth_first)
{
	describes(OPEN("perflens.samples") Q
		  ",\"inputs\":[{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"name\":\"a\"},{\"format\":\"folded\"}]},"
		  "{\"format\":\"perf-script\"},"
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER ",\"inputs\":[]},"
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\"}]}]}",
		  "{\"type\":\"end\",\"inputs\":[{\"bytes\":1},{\"bytes\":2},{\"bytes\":3},"
		  "{\"bytes\":4}]}",
		  "{\"schema\":\"perflens.samples\",\"producer\":" Q
		  ",\"inputs\":[{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":1},"
		  "{\"format\":\"folded\",\"bytes\":2}]},"
		  "{\"format\":\"perf-script\",\"bytes\":3},"
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER ",\"inputs\":[]},"
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":4}]}]}",
		  4);
}

#define AB "abababababababababababababababababababababababababababababababab"
#define CD "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
TEST(artifacts_keep_their_digest_as_the_last_member)
{
	describes(OPEN("perflens.verification") Q
		  ",\"inputs\":[{\"schema\":\"perflens.analysis\",\"sha256\":\"" AB
		  "\",\"producer\":" Q
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":5,\"sha256\":\"" CD "\"}]}]}",
		  "{\"type\":\"end\"}",
		  "{\"schema\":\"perflens.verification\",\"producer\":" Q
		  ",\"inputs\":[{\"schema\":\"perflens.analysis\",\"producer\":" Q
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":5,\"sha256\":\"" CD "\"}],"
		  "\"sha256\":\"" AB "\"}]}",
		  1);
}

/* The digest is of the text before it, by sha256sum. */
TEST(the_artifact_that_was_read_is_named_by_its_digest)
{
#define SHA256 "c7d6efac5a34aa8655f6796c6ad2ebb0f73fa46319eb0c3828d4dca89104eda4"
	describes(OPEN("perflens.verification") PRODUCER ",\"inputs\":[]}",
		  "{\"type\":\"end\",\"records\":0,\"sha256\":\"" SHA256 "\"}",
		  "{\"schema\":\"perflens.verification\",\"producer\":" PRODUCER
		  ",\"inputs\":[],\"sha256\":\"" SHA256 "\"}",
		  0);
	/* edited: what is named is what was read */
	describes(OPEN("perflens.verification") PRODUCER ",\"inputs\":[]}",
		  "{\"type\":\"end\",\"records\":0,\"sha256\":\"00000000000000000000000000000000"
		  "00000000000000000000000000000000\"}",
		  "{\"schema\":\"perflens.verification\",\"producer\":" PRODUCER
		  ",\"inputs\":[],\"sha256\":\"" SHA256 "\"}",
		  0);
	describes(OPEN("perflens.verification") PRODUCER ",\"inputs\":[]}",
		  "{\"type\":\"end\",\"records\":0}",
		  "{\"schema\":\"perflens.verification\",\"producer\":" PRODUCER ",\"inputs\":[]}",
		  0);
}

/* More or fewer digests than inputs, and elements that are none: what is known is kept. */
TEST(digests_that_do_not_fit)
{
	describes(OPEN("perflens.samples") PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\"},{\"format\":\"folded\"}]}",
		  "{\"type\":\"end\",\"inputs\":[{\"bytes\":1}]}",
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":1},{\"format\":\"folded\"}]}",
		  2);
	describes(OPEN("perflens.samples") PRODUCER ",\"inputs\":[{\"format\":\"folded\"}]}",
		  "{\"type\":\"end\",\"inputs\":[7,{\"bytes\":1}]}",
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\"}]}",
		  1);
	/* what stands behind the digests, or is none, is not taken for one */
	describes(OPEN("perflens.samples") PRODUCER
		  ",\"inputs\":[{\"format\":\"a\"},{\"format\":\"b\"},{\"format\":\"c\"}]}",
		  "{\"type\":\"end\",\"inputs\":[[\"bytes\",1]],\"fields\":{\"bytes\":2}}",
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"a\"},{\"format\":\"b\"},{\"format\":\"c\"}]}",
		  3);
	/* what both say is said once, as the end record has it */
	describes(OPEN("perflens.samples") PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"bytes\":1,\"x\":2}]}",
		  "{\"type\":\"end\",\"inputs\":[{\"bytes\":3,\"name\":\"n\"}]}",
		  "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER
		  ",\"inputs\":[{\"format\":\"folded\",\"x\":2,\"bytes\":3}]}",
		  1);
}

/* The header's object is at depth 1 and each list of inputs adds 2: the foreign input in the 31st
 * list is at depth 63, that of one list more would be too deep for JSON. */
TEST(as_deep_as_a_header_can_be)
{
	struct pl_buf header = {0}, want = {0};

	pl_buf_addz(&header, OPEN("perflens.samples") PRODUCER ",\"inputs\":[");
	pl_buf_addz(&want,
		    "{\"schema\":\"perflens.samples\",\"producer\":" PRODUCER ",\"inputs\":[");
	for (int i = 0; i < 30; i++) {
		pl_buf_addz(&header, "{\"schema\":\"s\",\"producer\":" PRODUCER ",\"inputs\":[");
		pl_buf_addz(&want, "{\"schema\":\"s\",\"producer\":" PRODUCER ",\"inputs\":[");
	}
	pl_buf_addz(&header, "{\"format\":\"f\"}");
	pl_buf_addz(&want, "{\"format\":\"f\",\"bytes\":8}");
	for (int i = 0; i < 30; i++) {
		pl_buf_addz(&header, "]}");
		pl_buf_addz(&want, "]}");
	}
	pl_buf_addz(&header, "]}");
	pl_buf_addz(&want, "]}");
	describes(header.p, "{\"type\":\"end\",\"inputs\":[{\"bytes\":8}]}", want.p, 1);
	pl_buf_free(&header);
	pl_buf_free(&want);
}

/* ---- headers that are written ---- */

static bool no_paths;
static uint64_t top_n = 5;
static const struct pl_opt options[] = {
	{.name = "no-paths", .kind = PL_OPT_FLAG, .flags = PL_OPT_RECORDED, .value = &no_paths},
	{.name = "top-n", .kind = PL_OPT_COUNT, .flags = PL_OPT_RECORDED, .value = &top_n},
	{0}};
static const struct pl_program program = {.name = "pl-x", .options = options};
static struct pl_main m = {.program = &program};

#define OURS "{\"program\":\"pl-x\",\"version\":\"" PL_VERSION "\",\"options\":{\"no_paths\":true}}"

static void parse_options(void)
{
	static char name[] = "pl-x", word[] = "--no-paths";
	char *argv[] = {name, word, NULL};

	no_paths = false;
	CHECK(pl_args_parse(&m.args, options, 2, argv) == 0);
}

TEST(a_header_says_who_and_how)
{
	struct pl_buf got = {0};
	struct pl_jsonw w = {.buf = &got};

	parse_options();
	pl_stream_header(&w, "perflens.samples", &m);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_end(&w, ']');
	pl_jsonw_ku64(&w, "more", 1);
	pl_jsonw_record_end(&w);
	CHECK_STR(got.p, got.n, OPEN("perflens.samples") OURS ",\"inputs\":[],\"more\":1}\n");
	pl_args_free(&m.args);
	pl_buf_free(&got);
}

TEST(what_is_passed_on)
{
	static const char text[] =
		OPEN("perflens.samples") Q ",\"inputs\":[{\"format\":\"folded\",\"name\":\"a\"}]}\n"
					   "{ \"type\" : \"newer\" }\n";

	parse_options();
	CHECK(pl_stream_open(&s, kit_open(text, sizeof text - 1), schemas, 2, false) == 0);
	pl_stream_pass_header(&s, &m);
	CHECK(pl_stream_next(&s) == 1);
	pl_stream_pass(&s, &m.out.buf);
	CHECK_STR(m.out.buf.p, m.out.buf.n,
		  OPEN("perflens.samples") OURS
		  ",\"inputs\":[{\"schema\":\"perflens.samples\",\"producer\":" Q
		  ",\"inputs\":[{\"format\":\"folded\"}]}]}\n"
		  "{ \"type\" : \"newer\" }\n");
	pl_stream_close(&s);
	pl_args_free(&m.args);
	pl_buf_free(&m.out.buf);
}

int main(void)
{
	RUN(foreign_inputs_gain_their_digests_and_lose_their_names);
	RUN(inputs_nest_and_digests_are_given_depth_first);
	RUN(artifacts_keep_their_digest_as_the_last_member);
	RUN(the_artifact_that_was_read_is_named_by_its_digest);
	RUN(digests_that_do_not_fit);
	RUN(as_deep_as_a_header_can_be);
	RUN(a_header_says_who_and_how);
	RUN(what_is_passed_on);
	kit_close();
	return unit_done();
}
