/* samples with frames (pl-expand): they are interned, and do not mix with stacks of ids */
#include "samples_kit.h"

#define MAIN "{\"symbol\":\"main\",\"dso\":null}"
#define LIB                                                                            \
	"{\"symbol\":\"lib\",\"dso\":\"/lib/a.so\",\"build_id\":\"ab\","               \
	"\"module_kind\":\"user\",\"symbols\":\"full\",\"module_reason\":\"R\","       \
	"\"kind\":\"jit\",\"raw\":\"l\",\"offset\":\"0x2\",\"return\":true,\"pid\":4," \
	"\"source\":{\"file\":\"a.c\",\"line\":7},\"inlines\":[{\"symbol\":\"in\"}]}"
#define LIB2                                                              \
	"{\"symbol\":\"lib2\",\"dso\":\"/lib/a.so\",\"build_id\":\"ab\"," \
	"\"module_kind\":\"user\",\"symbols\":\"full\",\"module_reason\":\"R\"}"

TEST(samples_with_frames_define_them)
{
	/* the frames' members in another order, with white space, are the same frames */
	open_text(HEADER EVENT("0") FRAMES("3", MAIN "," LIB) FRAMES("4", "")
			  FRAMES("5", MAIN "," LIB2 "," LIB "," MAIN)
				  FRAMES("6", "{ \"symbol\" : \"m\\u0061in\", \"dso\" : null }")
					  END("4", "18", "0", "0"));
	CHECK(pl_samples_next(&r) == PL_SAMPLES_EVENT);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
	CHECK(r.frame.id == 0 && r.frame.module == PL_NO_MODULE);
	CHECK_STR(r.frame.symbol.p, r.frame.symbol.n, "main");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_MODULE);
	CHECK_U64(r.module.id, 0);
	CHECK_STR(r.module.dso.p, r.module.dso.n, "/lib/a.so");
	CHECK_STR(r.module.build_id.p, r.module.build_id.n, "ab");
	CHECK_STR(r.module.kind.p, r.module.kind.n, "user");
	CHECK_STR(r.module.symbols.p, r.module.symbols.n, "full");
	CHECK_STR(r.module.reason.p, r.module.reason.n, "R");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
	CHECK(r.frame.id == 1 && r.frame.module == 0);
	CHECK_STR(r.frame.symbol.p, r.frame.symbol.n, "lib");
	CHECK_STR(r.frame.kind.p, r.frame.kind.n, "jit");
	CHECK_STR(r.frame.raw.p, r.frame.raw.n, "l");
	CHECK_STR(r.frame.offset.p, r.frame.offset.n, "0x2");
	CHECK(r.frame.is_return && r.frame.pid == 4 && r.frame.source.line == 7);
	const struct pl_json *json = pl_samples_frame_json(&r);
	uint32_t symbol = pl_json_member(json, r.frame.inlines + 1, "symbol");
	CHECK_STR(pl_json_str(json, symbol).p, pl_json_str(json, symbol).n, "in");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK(r.sample.weight == 3 && r.sample.depth == 2);
	CHECK(r.sample.stack[0] == 0 && r.sample.stack[1] == 1);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK(r.sample.weight == 4 && r.sample.depth == 0);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
	CHECK(r.frame.id == 2 && r.frame.module == 0); /* of the module that is known */
	CHECK_STR(r.frame.symbol.p, r.frame.symbol.n, "lib2");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK(r.sample.depth == 4 && r.sample.stack[0] == 0 && r.sample.stack[1] == 2);
	CHECK(r.sample.stack[2] == 1 && r.sample.stack[3] == 0);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK(r.sample.weight == 6 && r.sample.depth == 1 && r.sample.stack[0] == 0);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_DONE);
	CHECK(r.frames == 3 && r.modules == 1 && r.received == 4 && r.sums[0].weight == 18);
	pl_samples_close(&r);
}

TEST(each_member_makes_another_module)
{
#define OF(module) FRAMES("1", "{\"symbol\":\"f\"," module "}")
	reads(HEADER EVENT("0") OF("\"dso\":\"a\"") OF("\"dso\":\"b\"")
		      OF("\"dso\":\"a\",\"build_id\":\"\"") OF("\"dso\":\"a\",\"build_id\":\"x\"")
			      OF("\"dso\":\"a\",\"module_kind\":\"x\"")
				      OF("\"dso\":\"a\",\"symbols\":\"x\"")
					      OF("\"dso\":\"a\",\"module_reason\":\"x\"")
	      /* a frame of its own, of the first module */
	      OF("\"dso\":\"a\",\"kind\":\"x\"") END("8", "8", "0", "0"),
	      "emfsmfsmfsmfsmfsmfsmfsfs.");
}

TEST(frames_that_are_none)
{
	static const struct {
		const char *frames, *message;
	} rows[] = {
		{"7", "frames: an object is wanted here"},
		{"null", "frames: an object is wanted here"},
		{"[" MAIN "]", "frames: an object is wanted here"},
		{"{}", "frames: the member 'symbol' is missing"},
		{"{\"symbol\":1,\"dso\":null}", "frames: the member 'symbol' must be a string"},
		{MAIN ",{\"symbol\":\"f\",\"dso\":7}", "frames: the member 'dso' must be a string"},
		{"{\"symbol\":\"f\",\"source\":{}}", "frames: the member 'file' is missing"},
	};
	char text[1024];

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		snprintf(text, sizeof text,
			 HEADER EVENT("0") "{\"type\":\"sample\",\"event\":0,\"weight\":1,"
					   "\"frames\":[%s]}\n",
			 rows[i].frames);
		refuses(text, 3, rows[i].message);
	}
	/* "dso" may be left out, "id" and "module" mean nothing here */
	reads(HEADER EVENT("0") FRAMES("1", "{\"symbol\":\"f\",\"id\":\"x\",\"module\":9}")
		      END("1", "1", "0", "0"),
	      "efs.");
}

TEST(the_two_forms_do_not_mix)
{
#define MIXED "a sample with \"frames\" in a stream that defines frames or modules"
	refuses(HEADER EVENT("0") FRAME("0", "null") FRAMES("1", MAIN), 4, MIXED);
	refuses(HEADER EVENT("0") MODULE("0") FRAMES("1", LIB), 4, MIXED);
	refuses(HEADER EVENT("0") FRAMES("1", MAIN) FRAME("1", "null"), 4,
		"a frame record after samples with \"frames\"");
	refuses(HEADER EVENT("0") FRAMES("1", MAIN) MODULE("0"), 4,
		"a module record after samples with \"frames\"");
	refuses(HEADER EVENT("0") FRAMES("1", MAIN) SAMPLE("1", "0"), 4,
		"a \"stack\" after samples with \"frames\"");
	/* a sample without a stack says so in either form */
	reads(HEADER EVENT("0") FRAMES("1", MAIN) SAMPLE("1", "") FRAMES("1", "")
		      END("3", "3", "0", "0"),
	      "efsss.");
}

/* What is wrong with a sample is found before what its frames define is handed out. */
TEST(sums_of_samples_with_frames)
{
	refuses(HEADER EVENT("0") FRAMES("1", MAIN) END("1", "2", "0", "0"), 4,
		"event 0: the 1 samples weigh 1, the end record announces 2");
	open_text(HEADER EVENT("0") FRAMES("18446744073709551615", MAIN) FRAMES("1", LIB));
	rest_is("efs!");
	CHECK(r.s.err.code == PL_E_WEIGHT_OVERFLOW);
	pl_samples_close(&r);
	/* frames were interned by what wrote the stream: their number is not held against it */
	reads(HEADER EVENT("0") FRAMES("1", MAIN) END("1", "1", "7", "9"), "efs.");
}

int main(void)
{
	RUN(samples_with_frames_define_them);
	RUN(each_member_makes_another_module);
	RUN(frames_that_are_none);
	RUN(the_two_forms_do_not_mix);
	RUN(sums_of_samples_with_frames);
	kit_close();
	return unit_done();
}
