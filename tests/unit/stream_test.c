/* stream: headers, records, ends, digests */
#include "mem.h"
#include "stream.h"
#include "stream_kit.h"
#include <stdlib.h>

#define PRODUCER "{\"program\":\"t\",\"version\":\"1\",\"options\":{}}"
#define HEADER(schema, version)                                                 \
	"{\"type\":\"header\",\"schema\":\"" schema "\",\"version\":\"" version \
	"\",\"producer\":" PRODUCER ",\"inputs\":[]}\n"
#define SAMPLES HEADER("perflens.samples", "1.0")
#define END "{\"type\":\"end\"}\n"
#define BODY                                                               \
	HEADER("perflens.verification", "1.0")                             \
	"{\"type\":\"check\",\"name\":\"digest\",\"status\":\"passed\"}\n" \
	"{\"type\":\"end\",\"records\":1"
/* of BODY, by sha256sum */
#define SHA256 "8ee1b4795d7679fedebb38bcaf279831317fab709e18b54688c236054153b0b4"
#define SEALED BODY ",\"sha256\":\"" SHA256 "\"}\n"

static const char *const schemas[] = {"perflens.samples", "perflens.verification"};
static struct pl_stream s;

static int open_bytes(const void *p, size_t n, bool unsealed)
{
	return pl_stream_open(&s, kit_open(p, n), schemas, PL_COUNT(schemas), unsealed);
}

static int open_text(const char *text)
{
	return open_bytes(text, strlen(text), false);
}

/* Reads to the end: 0, or -1 with s.err. */
static int read_all(void)
{
	int got;

	while ((got = pl_stream_next(&s)) > 0)
		;
	return got;
}

/* The code that reading these bytes to the end gives, or PL_E_NONE. */
static enum pl_code code_of(const void *p, size_t n, bool unsealed)
{
	bool failed = open_bytes(p, n, unsealed) || read_all();
	enum pl_code code = failed ? s.err.code : PL_E_NONE;

	CHECK(!failed || code != PL_E_NONE);
	pl_stream_close(&s);
	return code;
}

static void opening_fails(const char *text, enum pl_code code, const char *message)
{
	CHECK(open_text(text) == -1);
	kit_error_is(&s.err, code, *text ? 1 : 0, message);
	pl_stream_close(&s);
}

static void reading_fails(const char *text, enum pl_code code, uint64_t line, const char *message)
{
	CHECK(open_text(text) == 0);
	CHECK(read_all() == -1);
	kit_error_is(&s.err, code, line, message);
	pl_stream_close(&s);
}

/* ---- headers ---- */

TEST(a_stream_from_header_to_end)
{
	CHECK(open_text(SAMPLES "{\"a\":1,\"type\":\"x\"}\n" END) == 0);
	CHECK_STR(s.header.schema.p, s.header.schema.n, "perflens.samples");
	CHECK(s.header.major == 1 && s.header.minor == 0 && !s.artifact);
	CHECK(pl_stream_next(&s) == 1);
	CHECK(pl_stream_is(&s, "x") && !pl_stream_is(&s, "xy"));
	CHECK_STR(s.text.p, s.text.n, "{\"a\":1,\"type\":\"x\"}");
	CHECK_U64(pl_json_member(&s.json, 0, "a"), 2);
	CHECK(pl_stream_next(&s) == 1);
	CHECK(pl_stream_is(&s, "end"));
	CHECK(pl_stream_next(&s) == 0);
	CHECK_U64(s.records, 2);
	/* the header is still there */
	CHECK_STR(s.header.schema.p, s.header.schema.n, "perflens.samples");
	uint32_t program = pl_json_member(&s.header_json, s.header.producer, "program");
	CHECK_STR(pl_json_str(&s.header_json, program).p, 1, "t");
	pl_stream_close(&s);
}

TEST(any_order_any_white_space_newer_minor)
{
	CHECK(open_text("{ \"inputs\" : [ ],\t\"newer\":[1], "
			"\"producer\":{\"program\":\"t\",\"version\":\"1\",\"options\":{}}, "
			"\"version\":\"1.23\","
			"\"schema\":\"perflens.samples\", \"type\":\"header\" } \r\n { \"type\" : "
			"\"end\" }") == 0);
	CHECK_U64(s.header.minor, 23);
	CHECK(read_all() == 0);
	pl_stream_close(&s);
}

TEST(what_is_no_header)
{
#define NO_HEADER "the first line is no header of a PerfLens stream"
#define REST ",\"producer\":" PRODUCER ",\"inputs\":[]}\n"
	opening_fails("{\"type\":\"end\"}\n", PL_E_PROFILE_PARSE_FAILED, NO_HEADER);
	opening_fails(
		"{\"type\":\"heade\",\"schema\":\"perflens.samples\",\"version\":\"1.0\"" REST,
		PL_E_PROFILE_PARSE_FAILED, NO_HEADER);
	opening_fails("{\"type\":\"header\"}\n", PL_E_PROFILE_PARSE_FAILED, NO_HEADER);
	opening_fails("{\"type\":\"header\",\"schema\":1,\"version\":\"1.0\"" REST,
		      PL_E_PROFILE_PARSE_FAILED, NO_HEADER);
	opening_fails("{\"type\":\"header\",\"schema\":\"perflens.samples\",\"version\":1.0" REST,
		      PL_E_PROFILE_PARSE_FAILED, NO_HEADER);
	opening_fails("{\"type\":\"header\",\"schema\":\"perflens.samples\"" REST,
		      PL_E_PROFILE_PARSE_FAILED, NO_HEADER);
	opening_fails("{}\n", PL_E_PROFILE_PARSE_FAILED, "the record has no \"type\"");
	opening_fails("{\"type\":[]}\n", PL_E_PROFILE_PARSE_FAILED, "the record has no \"type\"");
	opening_fails("{]\n", PL_E_PROFILE_PARSE_FAILED, NULL);
}

TEST(a_profile_is_told_from_a_stream)
{
	static const char *const texts[] = {"main;compute 271\n", "\n", "[]\n", " {}\n"};

	for (size_t i = 0; i < PL_COUNT(texts); i++) {
		CHECK(open_text(texts[i]) == -1);
		kit_error_is(&s.err, PL_E_PROFILE_PARSE_FAILED, 1, NO_HEADER);
		CHECK(strstr(s.err.action, "pl-fold-parse") != NULL);
		pl_stream_close(&s);
	}
	CHECK(open_text("PERFILE2") == -1);
	CHECK(s.err.code == PL_E_UNSUPPORTED_FORMAT && s.err.file[0]);
	CHECK(strstr(s.err.action, "perflens analyze-perf-data") != NULL);
	pl_stream_close(&s);
}

TEST(versions)
{
	static const char *const bad[] = {"",	  "1",	     ".",      "1.",   ".0",
					  "1.x",  "x.0",     "1.0.0",  "+1.0", "1.-1",
					  "1. 0", "99999.0", "1.10000"};
	char text[300];

	for (size_t i = 0; i < PL_COUNT(bad); i++) {
		snprintf(text, sizeof text,
			 "{\"type\":\"header\",\"schema\":\"perflens.samples\","
			 "\"version\":\"%s\"" REST,
			 bad[i]);
		opening_fails(text, PL_E_PROFILE_PARSE_FAILED,
			      "the header's version is not of the form 1.0");
	}
	opening_fails(HEADER("perflens.samples", "2.0"), PL_E_UNSUPPORTED_FORMAT,
		      "this is perflens.samples 2.0; perflens.samples 1.x or "
		      "perflens.verification 1.x is wanted here");
	opening_fails(HEADER("perflens.samples", "0.9"), PL_E_UNSUPPORTED_FORMAT,
		      "this is perflens.samples 0.9; perflens.samples 1.x or "
		      "perflens.verification 1.x is wanted here");
	opening_fails(HEADER("perflens.trace", "1.4"), PL_E_UNSUPPORTED_FORMAT,
		      "this is perflens.trace 1.4; perflens.samples 1.x or "
		      "perflens.verification 1.x is wanted here");
	CHECK_U64(pl_code_exit(PL_E_UNSUPPORTED_FORMAT), 3);
}

TEST(producer_and_inputs_must_be_there)
{
#define GOOD "\"producer\":{\"program\":\"t\",\"version\":\"1\",\"options\":{}}"
	static const char program[] = "the header does not say which program wrote the stream";
	static const char inputs[] = "the header does not say what the inputs were";
	static const struct {
		const char *members, *wrong;
	} bad[] = {
		{"\"inputs\":[]", program},
		{"\"producer\":[],\"inputs\":[]", program},
		{"\"producer\":null,\"inputs\":[]", program},
		{"\"producer\":{},\"inputs\":[]", program},
		{"\"producer\":{\"program\":1,\"version\":\"1\",\"options\":{}},\"inputs\":[]",
		 program},
		{GOOD, inputs},
		{GOOD ",\"inputs\":{}", inputs},
		{GOOD ",\"inputs\":[7]", inputs},
		{GOOD ",\"inputs\":[{}]", inputs},
		{GOOD ",\"inputs\":[{\"format\":1}]", inputs},
		{GOOD ",\"inputs\":[{\"format\":\"f\",\"bytes\":-1}]", inputs},
		{GOOD ",\"inputs\":[{\"format\":\"f\",\"sha256\":\"00\"}]", inputs},
		{GOOD ",\"inputs\":[{\"schema\":\"s\",\"inputs\":[]}]", inputs},
		{GOOD ",\"inputs\":[{\"schema\":\"s\"," GOOD ",\"inputs\":[{}]}]", inputs},
	};
	char text[400];

	for (size_t i = 0; i < PL_COUNT(bad); i++) {
		snprintf(text, sizeof text,
			 "{\"type\":\"header\",\"schema\":\"perflens.samples\","
			 "\"version\":\"1.0\",%s}\n",
			 bad[i].members);
		opening_fails(text, PL_E_PROFILE_PARSE_FAILED, bad[i].wrong);
	}
#undef GOOD
}

/* ---- records and the end ---- */

TEST(records_that_are_none)
{
	reading_fails(SAMPLES "[]\n", PL_E_PROFILE_PARSE_FAILED, 2,
		      "a record must be a JSON object");
	reading_fails(SAMPLES "{\"type\":1}\n", PL_E_PROFILE_PARSE_FAILED, 2,
		      "the record has no \"type\"");
	reading_fails(SAMPLES "{\"typ\":\"x\"}\n", PL_E_PROFILE_PARSE_FAILED, 2,
		      "the record has no \"type\"");
	reading_fails(SAMPLES "{\"type\":\"x\"}\n\n" END, PL_E_PROFILE_PARSE_FAILED, 3, NULL);
	reading_fails(SAMPLES "{\"type\":\"x\",\"a\":01}\n", PL_E_PROFILE_PARSE_FAILED, 2, NULL);
	reading_fails(SAMPLES "{\"type\":\"x\",\"a\":1,\"a\":1}\n", PL_E_PROFILE_PARSE_FAILED, 2,
		      NULL);
	reading_fails(SAMPLES "{\"type\":\"x\xff\"}\n", PL_E_PROFILE_PARSE_FAILED, 2, NULL);
	reading_fails(SAMPLES "{\"type\":\"\\u0000\"}\n", PL_E_PROFILE_PARSE_FAILED, 2, NULL);
	reading_fails(SAMPLES "{\"type\":\"x\"}{\"type\":\"y\"}\n", PL_E_PROFILE_PARSE_FAILED, 2,
		      NULL);
}

TEST(one_header_one_end)
{
	reading_fails(SAMPLES SAMPLES END, PL_E_PROFILE_PARSE_FAILED, 2,
		      "a second header in one stream");
	reading_fails(SAMPLES END "\n", PL_E_PROFILE_PARSE_FAILED, 3,
		      "there is something after the end record");
	reading_fails(SAMPLES END END, PL_E_PROFILE_PARSE_FAILED, 3,
		      "there is something after the end record");
	reading_fails(SAMPLES END SAMPLES END, PL_E_PROFILE_PARSE_FAILED, 3,
		      "there is something after the end record");
}

TEST(a_stream_that_was_cut_off)
{
#define CUT "the stream was cut off: it has no end record"
	static const char text[] = SAMPLES "{\"type\":\"x\"}\n";

	opening_fails("", PL_E_STREAM_TRUNCATED,
		      "the stream is empty: what should have written it failed");
	reading_fails(SAMPLES, PL_E_STREAM_TRUNCATED, 1, CUT);
	reading_fails(SAMPLES "{\"type\":\"x\"}\n", PL_E_STREAM_TRUNCATED, 2, CUT);
	reading_fails(SAMPLES "{\"type\":\"x\"}", PL_E_STREAM_TRUNCATED, 2, CUT);
	reading_fails(SAMPLES "{\"type\":\"e", PL_E_STREAM_TRUNCATED, 2, CUT);
	for (size_t n = 0; n < sizeof text; n++)
		CHECK(code_of(text, n, false) == PL_E_STREAM_TRUNCATED);
	CHECK_U64(pl_code_exit(PL_E_STREAM_TRUNCATED), 3);
}

/* A record whose line has n bytes. */
static char *line_of(size_t n, size_t *total)
{
	static const char start[] = SAMPLES "{\"type\":\"x\",\"a\":\"", end[] = "\"}\n" END;
	size_t header = sizeof SAMPLES - 1, before = sizeof start - 1;
	size_t filled = header + n - 2 - before; /* "} */

	*total = before + filled + sizeof end - 1;
	char *text = pl_alloc(*total);
	memcpy(text, start, before);
	memset(text + before, 'a', filled);
	memcpy(text + before + filled, end, sizeof end - 1);
	return text;
}

TEST(lines_up_to_16_mib)
{
	size_t n;
	char *text = line_of(16777216, &n);

	CHECK(open_bytes(text, n, false) == 0);
	CHECK(pl_stream_next(&s) == 1);
	CHECK_U64(s.text.n, 16777216);
	CHECK(read_all() == 0);
	/* more was read than is kept of an input, but the header is still there */
	CHECK_STR(s.header.schema.p, s.header.schema.n, "perflens.samples");
	pl_stream_close(&s);
	free(text);
	text = line_of(16777217, &n);
	CHECK(open_bytes(text, n, false) == 0);
	CHECK(read_all() == -1);
	kit_error_is(&s.err, PL_E_RESOURCE_LIMIT_EXCEEDED, 2,
		     "a stream's line of more than 16777216 bytes");
	CHECK_U64(pl_code_exit(s.err.code), 4);
	pl_stream_close(&s);
	free(text);
}

TEST(a_failure_is_placed)
{
	CHECK(open_text(SAMPLES "{\"type\":\"x\"}\n" END) == 0);
	CHECK(pl_stream_next(&s) == 1);
	CHECK(pl_stream_fail(&s, "%d is odd", 3) == -1);
	kit_error_is(&s.err, PL_E_PROFILE_PARSE_FAILED, 2, "3 is odd");
	pl_stream_close(&s);
}

/* ---- digests ---- */

TEST(kinds_with_a_digest)
{
	static const char *const sealed[] = {"perflens.analysis",     "perflens.elf",
					     "perflens.source",	      "perflens.diagnosis",
					     "perflens.benchmark",    "perflens.counters",
					     "perflens.comparison",   "perflens.collection",
					     "perflens.verification", "perflens.capabilities"};

	for (size_t i = 0; i < PL_COUNT(sealed); i++)
		CHECK(pl_stream_sealed_kind(pl_str(sealed[i])));
	CHECK(!pl_stream_sealed_kind(PL_S("perflens.samples")));
	CHECK(!pl_stream_sealed_kind(PL_S("perflens.partial")));
}

TEST(the_seal_is_the_digest_of_what_stands_before_it)
{
	struct pl_buf b = {0};

	pl_buf_addz(&b, BODY);
	pl_stream_seal(&b);
	CHECK_STR(b.p, b.n, SEALED);
	pl_buf_free(&b);
	CHECK(open_text(SEALED) == 0);
	CHECK(s.artifact);
	CHECK(read_all() == 0);
	CHECK(!s.unsealed);
	CHECK_STR(s.sha256, strlen(s.sha256), SHA256);
	pl_stream_close(&s);
}

/* Is SEALED refused with what stands at `at` (`n` bytes) replaced by `with`? */
static bool refused(size_t at, size_t n, const char *with, size_t with_n)
{
	struct pl_buf b = {0};

	pl_buf_add(&b, SEALED, at);
	pl_buf_add(&b, with, with_n);
	pl_buf_addz(&b, &SEALED[at + n]);
	enum pl_code code = code_of(b.p, b.n, false);
	pl_buf_free(&b);
	return code != PL_E_NONE && pl_code_exit(code) == PL_EXIT_FORMAT;
}

TEST(every_byte_counts)
{
	static const char sealed[] = SEALED;

	for (size_t at = 0; at < sizeof sealed - 1; at++) {
		const char c = sealed[at], twice[2] = {c, c};
		const char others[] = {(char)(c ^ 1), (char)(c ^ 32), (char)(c ^ 128),
				       ' ',	      '\n',	      '\0'};
		bool found = refused(at, 1, "", 0) && refused(at, 1, twice, 2);
		for (size_t i = 0; i < sizeof others; i++)
			found &= others[i] == c || refused(at, 1, &others[i], 1);
		if (!CHECK(found))
			printf("#   at byte %zu\n", at);
	}
}

TEST(every_prefix_is_refused)
{
	static const char sealed[] = SEALED;
	size_t n = sizeof sealed - 1;

	for (size_t i = 0; i < n - 1; i++)
		CHECK(code_of(sealed, i, false) == PL_E_STREAM_TRUNCATED);
	CHECK(code_of(sealed, n - 1, false) == PL_E_DIGEST_MISMATCH);
	CHECK(code_of(sealed, n, false) == PL_E_NONE);
}

#define WITHOUT BODY "}\n"
#define WRONG                                                              \
	HEADER("perflens.verification", "1.0")                             \
	"{\"type\":\"check\",\"name\":\"digest\",\"status\":\"failed\"}\n" \
	"{\"type\":\"end\",\"records\":1,\"sha256\":\"" SHA256 "\"}\n"

TEST(a_digest_that_is_missing_or_wrong)
{
	static const char *const texts[] = {WITHOUT, WRONG, BODY ",\"sha256\":null}\n",
					    BODY ",\"sha256\":\"" SHA256 "\" }\n",
					    /* not the last member */
					    BODY ",\"sha256\":\"" SHA256 "\",\"a\":1}\n",
					    /* of the wrong length */
					    BODY ",\"sha256\":\"" SHA256 "00\"}\n"};

	for (size_t i = 0; i < PL_COUNT(texts); i++) {
		CHECK(open_text(texts[i]) == 0);
		CHECK(pl_stream_next(&s) == 1);
		CHECK(pl_stream_next(&s) == -1);
		kit_error_is(&s.err, PL_E_DIGEST_MISMATCH, 3, NULL);
		CHECK(strstr(s.err.action, "--unsealed") != NULL);
		pl_stream_close(&s);
	}
	CHECK_U64(pl_code_exit(PL_E_DIGEST_MISMATCH), 3);
}

static void passes_unsealed(const char *text, bool unsealed)
{
	CHECK(open_bytes(text, strlen(text), true) == 0);
	CHECK(read_all() == 0);
	CHECK(s.unsealed == unsealed);
	pl_stream_close(&s);
}

TEST(unsealed_lets_pass_and_says_so)
{
	passes_unsealed(WITHOUT, true);
	passes_unsealed(WRONG, true);
	passes_unsealed(SEALED, false);
	passes_unsealed(SAMPLES END, false);
	/* and nothing else passes */
	CHECK(code_of(BODY, strlen(BODY), true) == PL_E_STREAM_TRUNCATED);
	CHECK(code_of(WRONG "\n", strlen(WRONG) + 1, true) == PL_E_PROFILE_PARSE_FAILED);
}

int main(void)
{
	RUN(a_stream_from_header_to_end);
	RUN(any_order_any_white_space_newer_minor);
	RUN(what_is_no_header);
	RUN(a_profile_is_told_from_a_stream);
	RUN(versions);
	RUN(producer_and_inputs_must_be_there);
	RUN(records_that_are_none);
	RUN(one_header_one_end);
	RUN(a_stream_that_was_cut_off);
	RUN(lines_up_to_16_mib);
	RUN(kinds_with_a_digest);
	RUN(the_seal_is_the_digest_of_what_stands_before_it);
	RUN(every_byte_counts);
	RUN(every_prefix_is_refused);
	RUN(a_digest_that_is_missing_or_wrong);
	RUN(unsealed_lets_pass_and_says_so);
	RUN(a_failure_is_placed);
	kit_close();
	return unit_done();
}
