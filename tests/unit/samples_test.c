/* samples: what the reader of perflens.samples hands out, and what it refuses */
#include "samples_kit.h"

/* ---- what is handed out ---- */

/* main;worker;parse;malloc 182 and main;worker;compute 271 */
TEST(two_folded_lines)
{
	open_text(HEADER EVENT("0") FRAME("0", "null") FRAME("1", "null") FRAME("2", "null")
			  FRAME("3", "null") SAMPLE("182", "0,1,2,3") FRAME("4", "null")
				  SAMPLE("271", "0,1,4") END("2", "453", "0", "5"));
	CHECK(pl_samples_next(&r) == PL_SAMPLES_EVENT);
	for (uint32_t id = 0; id < 4; id++) {
		CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
		CHECK(r.frame.id == id && r.frame.module == PL_NO_MODULE && !r.frame.inlines);
	}
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK_U64(r.sample.weight, 182);
	CHECK_U64(r.sample.depth, 4);
	for (uint32_t i = 0; i < 4; i++)
		CHECK_U64(r.sample.stack[i], i);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
	CHECK_STR(r.frame.symbol.p, r.frame.symbol.n, "f4");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK(r.sample.depth == 3 && r.sample.stack[0] == 0 && r.sample.stack[2] == 4);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_DONE);
	CHECK_U64(r.received, 2);
	CHECK_U64(r.sums_n, 1);
	CHECK(r.sums[0].samples == 2 && r.sums[0].weight == 453);
	CHECK(r.sums[0].announced_samples == 2 && r.sums[0].announced_weight == 453);
	CHECK(r.frames == 5 && r.modules == 0);
	CHECK(r.end.samples == 2 && r.end.records == 9 && r.end.malformed == 2);
	CHECK(r.end.skipped == 3 && r.end.replaced == 4 && r.end.fields == 0);
	pl_samples_close(&r);
}

TEST(every_member_of_definitions)
{
	open_text(HEADER EVENT(
		"0") "{\"type\":\"module\",\"id\":0,\"dso\":\"/lib/a.so\",\"build_id\":\"ab12\","
		     "\"kind\":\"user\",\"symbols\":\"none\",\"reason\":\"missing\"}\n"
		     "{\"type\":\"frame\",\"id\":0,\"symbol\":\"f\",\"module\":0,\"raw\":\"f@@V\","
		     "\"offset\":\"0x1a\",\"return\":true,\"pid\":-1,\"source\":{\"file\":\"a.c\","
		     "\"line\":7,\"column\":3},\"inlines\":[{\"symbol\":\"g\"},{\"symbol\":\"h\"}],"
		     "\"inlined\":true,\"kind\":\"jit\",\"suspect\":\"S\"}\n"
		     "{\"type\":\"frame\",\"id\":1,\"symbol\":\"\",\"module\":null,\"source\":{"
		     "\"line\":1,\"file\":\"b\"},\"return\":false}\n" ENDS("0", "", "1", "2"));
	CHECK(pl_samples_next(&r) == PL_SAMPLES_EVENT);
	CHECK_STR(r.event.name.p, r.event.name.n, "cycles:u");
	CHECK_STR(r.event.unit.p, r.event.unit.n, "cycles");
	CHECK_STR(r.event.weight_source.p, r.event.weight_source.n, "period");
	CHECK_STR(r.event.source.p, r.event.source.n, "hardware");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_MODULE);
	CHECK_STR(r.module.dso.p, r.module.dso.n, "/lib/a.so");
	CHECK_STR(r.module.build_id.p, r.module.build_id.n, "ab12");
	CHECK_STR(r.module.kind.p, r.module.kind.n, "user");
	CHECK_STR(r.module.symbols.p, r.module.symbols.n, "none");
	CHECK_STR(r.module.reason.p, r.module.reason.n, "missing");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
	CHECK_U64(r.frame.module, 0);
	CHECK_STR(r.frame.raw.p, r.frame.raw.n, "f@@V");
	CHECK_STR(r.frame.offset.p, r.frame.offset.n, "0x1a");
	CHECK(r.frame.is_return && r.frame.inlined && r.frame.has_pid && r.frame.pid == -1);
	CHECK_STR(r.frame.source.file.p, r.frame.source.file.n, "a.c");
	CHECK(r.frame.source.line == 7 && r.frame.source.has_column && r.frame.source.column == 3);
	CHECK_U64(pl_samples_frame_json(&r)->tape[r.frame.inlines].count, 2);
	CHECK_STR(r.frame.kind.p, r.frame.kind.n, "jit");
	CHECK_STR(r.frame.suspect.p, r.frame.suspect.n, "S");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_FRAME);
	CHECK(!r.frame.raw.p && !r.frame.offset.p && !r.frame.kind.p && !r.frame.suspect.p);
	CHECK(!r.frame.is_return && !r.frame.inlined && !r.frame.has_pid && !r.frame.inlines);
	CHECK(r.frame.symbol.p && r.frame.symbol.n == 0 && !r.frame.source.has_column);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_DONE);
	pl_samples_close(&r);
}

TEST(every_member_of_samples)
{
	open_text(HEADER EVENT(
		"0") "{\"type\":\"sample\",\"event\":0,\"weight\":18446744073709551615,\"stack\":[]"
		     ","
		     "\"pid\":-1,\"tid\":-9223372036854775808,\"comm\":\"a b\",\"cpu\":3,"
		     "\"time\":18446744073709551615,\"mode\":\"guest\",\"payload\":\"p\","
		     "\"cut\":\"C\",\"newer\":{\"stack\":[7]}}\n"
		     "{\"stack\":[],\"weight\":0,\"event\":0,\"type\":\"sample\"}\n" END(
			     "2", "18446744073709551615", "0", "0"));
	CHECK(pl_samples_next(&r) == PL_SAMPLES_EVENT);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK_U64(r.sample.weight, UINT64_MAX);
	CHECK_U64(r.sample.depth, 0);
	CHECK(r.sample.has_pid && r.sample.pid == -1);
	CHECK(r.sample.has_tid && r.sample.tid == INT64_MIN);
	CHECK(r.sample.has_cpu && r.sample.cpu == 3);
	CHECK(r.sample.has_time && r.sample.time == UINT64_MAX);
	CHECK_STR(r.sample.comm.p, r.sample.comm.n, "a b");
	CHECK_STR(r.sample.mode.p, r.sample.mode.n, "guest");
	CHECK_STR(r.sample.payload.p, r.sample.payload.n, "p");
	CHECK_STR(r.sample.cut.p, r.sample.cut.n, "C");
	CHECK(pl_samples_next(&r) == PL_SAMPLES_SAMPLE);
	CHECK(r.sample.weight == 0 && r.sample.depth == 0);
	CHECK(!r.sample.has_pid && !r.sample.has_tid && !r.sample.has_cpu && !r.sample.has_time);
	CHECK(!r.sample.comm.p && !r.sample.mode.p && !r.sample.payload.p && !r.sample.cut.p);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_DONE);
	pl_samples_close(&r);
}

TEST(lost_records_diagnostics_and_what_is_newer)
{
	open_text(HEADER EVENT(
		"0") "{\"type\":\"lost\",\"count\":5}\n"
		     "{\"type\":\"lost\",\"count\":6,\"event\":0,\"tid\":-1,\"time\":9}\n"
		     "{\"type\":\"diagnostic\",\"code\":\"C\"}\n"
		     "{\"type\":\"newer\",\"id\":-7}\n"
		     "{\"type\":\"Sample\"}\n" ENDS("0", "", "0", "0"));
	CHECK(pl_samples_next(&r) == PL_SAMPLES_EVENT);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_LOST);
	CHECK(r.lost.count == 5 && !r.lost.has_event && !r.lost.has_tid && !r.lost.has_time);
	CHECK(pl_samples_next(&r) == PL_SAMPLES_LOST);
	CHECK(r.lost.count == 6 && r.lost.has_event && r.lost.event == 0);
	CHECK(r.lost.has_tid && r.lost.tid == -1 && r.lost.has_time && r.lost.time == 9);
	rest_is("doo.");
	pl_samples_close(&r);
}

/* ---- definitions ---- */

TEST(ids_are_dense_and_never_redefined)
{
	refuses(HEADER EVENT("1"), 2, "event 1 where 0 is due: ids are dense and never redefined");
	refuses(HEADER EVENT("0") EVENT("0"), 3,
		"event 0 where 1 is due: ids are dense and never redefined");
	refuses(HEADER EVENT("0") EVENT("2"), 3,
		"event 2 where 1 is due: ids are dense and never redefined");
	refuses(HEADER MODULE("1"), 2,
		"module 1 where 0 is due: ids are dense and never redefined");
	refuses(HEADER MODULE("0") MODULE("0"), 3,
		"module 0 where 1 is due: ids are dense and never redefined");
	refuses(HEADER FRAME("1", "null"), 2,
		"frame 1 where 0 is due: ids are dense and never redefined");
	refuses(HEADER FRAME("0", "null") FRAME("0", "null"), 3,
		"frame 0 where 1 is due: ids are dense and never redefined");
	refuses(HEADER FRAME("4294967295", "null"), 2,
		"frame: the member 'id' must be an integer from 0 to 2^32-2");
}

TEST(definitions_come_before_use)
{
#define UNDEFINED "the stack names a frame that is not defined"
	refuses(HEADER SAMPLE("1", ""), 2, "the sample names event 0, which is not defined");
	refuses(HEADER FRAME("0", "0"), 2, "the frame names module 0, which is not defined");
	refuses(HEADER MODULE("0") FRAME("0", "1"), 3,
		"the frame names module 1, which is not defined");
	refuses(HEADER EVENT("0") SAMPLE("1", "0"), 3, UNDEFINED);
	refuses(HEADER EVENT("0") FRAME("0", "null") SAMPLE("1", "0,1"), 4, UNDEFINED);
	refuses(HEADER EVENT("0") FRAME("0", "null") SAMPLE("1", "4294967296"), 4, UNDEFINED);
	refuses(HEADER "{\"type\":\"lost\",\"count\":1,\"event\":0}\n", 2,
		"the lost records name event 0, which is not defined");
	reads(HEADER MODULE("0") EVENT("0") FRAME("0", "0") SAMPLE("1", "0,0,0") MODULE("1")
		      FRAME("1", "1") SAMPLE("1", "1") END("2", "2", "2", "2"),
	      "mefsmfs.");
}

TEST(stacks_hold_ids_and_nothing_else)
{
	static const char *const bad[] = {"-1",	   "0.0", "\"0\"", "null", "[0]",
					  "0,[0]", "{}",  "true",  "-0",   "1e0"};
	char text[1024];

	for (size_t i = 0; i < PL_COUNT(bad); i++) {
		snprintf(text, sizeof text,
			 HEADER EVENT("0") FRAME("0", "null") "{\"type\":\"sample\",\"event\":0,"
							      "\"weight\":1,\"stack\":[%s]}\n",
			 bad[i]);
		refuses(text, 4, UNDEFINED);
	}
	refuses(HEADER EVENT("0") "{\"type\":\"sample\",\"event\":0,\"weight\":1,\"stack\":0}\n", 3,
		"sample: the member 'stack' must be an array");
}

TEST(members_that_are_missing_or_wrong)
{
	refuses(HEADER EVENT("0") "{\"type\":\"sample\",\"event\":0,\"stack\":[]}\n", 3,
		"sample: the member 'weight' is missing");
	refuses(HEADER EVENT("0") "{\"type\":\"sample\",\"weight\":1,\"stack\":[]}\n", 3,
		"sample: the member 'event' is missing");
	refuses(HEADER EVENT("0") "{\"type\":\"sample\",\"event\":0,\"weight\":1}\n", 3,
		"a sample has either a \"stack\" or \"frames\"");
	refuses(HEADER EVENT("0") "{\"type\":\"sample\",\"event\":0,\"weight\":1,\"stack\":[],"
				  "\"frames\":[]}\n",
		3, "a sample has either a \"stack\" or \"frames\"");
	refuses(HEADER EVENT("0") SAMPLE("-1", ""), 3,
		"sample: the member 'weight' must be an integer from 0 to 2^64-1");
	/* what jq makes of large integers */
	refuses(HEADER EVENT("0") SAMPLE("1.8446744073709552e+19", ""), 3,
		"sample: the member 'weight' must be an integer from 0 to 2^64-1");
	refuses(HEADER "{\"type\":\"frame\",\"id\":0,\"symbol\":\"f\"}\n", 2,
		"frame: the member 'module' is missing");
	refuses(HEADER "{\"type\":\"frame\",\"id\":0,\"symbol\":\"f\",\"module\":null,"
		       "\"source\":{\"file\":\"a\"}}\n",
		2, "frame: the member 'line' is missing");
	refuses(HEADER "{\"type\":\"module\",\"id\":0,\"dso\":null}\n", 2,
		"module: the member 'dso' must be a string");
	refuses(HEADER "{\"type\":\"event\",\"id\":0}\n", 2, "event: the member 'name' is missing");
	refuses(HEADER "{\"type\":\"lost\"}\n", 2, "lost: the member 'count' is missing");
	refuses(HEADER "{\"type\":\"end\"}\n", 2, "end: the member 'samples' is missing");
}

/* ---- the end ---- */

TEST(fewer_samples_are_no_error)
{
	open_text(HEADER EVENT("0") SAMPLE("7", "") END("3", "21", "0", "0"));
	rest_is("es.");
	CHECK_U64(r.received, 1);
	CHECK_U64(r.end.samples, 3);
	CHECK(r.sums[0].announced_samples == 3 && r.sums[0].announced_weight == 21);
	CHECK(r.sums[0].samples == 1 && r.sums[0].weight == 7);
	pl_samples_close(&r);
	reads(HEADER EVENT("0") END("3", "21", "0", "0"), "e.");
	reads(HEADER ENDS("0", "", "0", "0"), ".");
}

TEST(more_samples_than_announced)
{
	refuses(HEADER EVENT("0") SAMPLE("7", "") SAMPLE("7", "") END("1", "14", "0", "0"), 5,
		"event 0: 2 samples arrived, the end record announces 1");
	/* the end record does not know the event */
	refuses(HEADER EVENT("0") SAMPLE("7", "") ENDS("0", "", "0", "0"), 4,
		"event 0: 1 samples arrived, the end record announces 0");
	/* each event as announced, but not their sum */
	refuses(HEADER EVENT("0") SAMPLE("7", "") ENDS("0", SUM("0", "1", "7"), "0", "0"), 4,
		"the end record's events do not add up to its samples");
	refuses(HEADER EVENT("0") SAMPLE("7", "") ENDS("2", SUM("0", "1", "7"), "0", "0"), 4,
		"the end record's events do not add up to its samples");
	refuses(HEADER EVENT("0") SAMPLE("7", "")
			ENDS("2", SUM("0", "1", "7") "," SUM("0", "1", "7"), "0", "0"),
		4, "the end record names event 0 twice");
	refuses(HEADER EVENT("0") ENDS("0", SUM("1", "0", "0"), "0", "0"), 3,
		"the end record names event 1, which is not defined");
	refuses(HEADER EVENT("0") ENDS("0", "{\"id\":0,\"samples\":0}", "0", "0"), 3,
		"end: events: the member 'weight' is missing");
	refuses(HEADER EVENT("0") ENDS("0", "7", "0", "0"), 3,
		"end: events: an object is wanted here");
}

/* 2^53 + 1 is what jq 1.6 makes 2^53 of. */
TEST(equal_counts_and_other_weights_point_at_jq)
{
	open_text(HEADER EVENT("0") SAMPLE("9007199254740992", "")
			  END("1", "9007199254740993", "0", "0"));
	rest_is("es!");
	kit_error_is(&r.s.err, PL_E_PROFILE_PARSE_FAILED, 4,
		     "event 0: the 1 samples weigh 9007199254740992, the end record announces "
		     "9007199254740993");
	CHECK(strstr(r.s.err.action, "jq") != NULL);
	pl_samples_close(&r);
	/* fewer samples cannot weigh more than all */
	refuses(HEADER EVENT("0") SAMPLE("22", "") END("3", "21", "0", "0"), 4,
		"event 0: the 1 samples weigh 22, the end record announces 21");
	reads(HEADER EVENT("0") SAMPLE("21", "") END("3", "21", "0", "0"), "es.");
}

TEST(each_event_has_its_own_sums)
{
#define OF1(weight) "{\"type\":\"sample\",\"event\":1,\"weight\":" weight ",\"stack\":[]}\n"
	open_text(HEADER EVENT("0") EVENT("1") OF1("5") SAMPLE("2", "") OF1("6")
			  ENDS("3", SUM("1", "2", "11") "," SUM("0", "1", "2"), "0", "0"));
	rest_is("eesss.");
	CHECK(r.sums[0].samples == 1 && r.sums[0].weight == 2);
	CHECK(r.sums[1].samples == 2 && r.sums[1].weight == 11);
	pl_samples_close(&r);
	refuses(HEADER EVENT("0") EVENT("1") OF1("5") SAMPLE("2", "")
			ENDS("2", SUM("1", "1", "2") "," SUM("0", "1", "5"), "0", "0"),
		6, NULL);
}

TEST(weights_that_do_not_fit)
{
	open_text(HEADER EVENT("0") SAMPLE("18446744073709551615", "") SAMPLE("1", ""));
	rest_is("es!");
	kit_error_is(&r.s.err, PL_E_WEIGHT_OVERFLOW, 4, "the weights add up to more than 2^64-1");
	CHECK_U64(pl_code_exit(r.s.err.code), 4);
	pl_samples_close(&r);
	/* events are not added up */
	reads(HEADER EVENT("0") EVENT("1") SAMPLE("18446744073709551615", "") OF1("1") ENDS(
		      "2", SUM("0", "1", "18446744073709551615") "," SUM("1", "1", "1"), "0", "0"),
	      "eess.");
}

TEST(definitions_are_counted)
{
	refuses(HEADER FRAME("0", "null") ENDS("0", "", "0", "2"), 3,
		"1 frames and 0 modules arrived, the end record announces 2 and 0");
	refuses(HEADER FRAME("0", "null") ENDS("0", "", "0", "0"), 3, NULL);
	refuses(HEADER MODULE("0") ENDS("0", "", "0", "0"), 3,
		"0 frames and 1 modules arrived, the end record announces 0 and 0");
}

TEST(done_means_that_nothing_follows)
{
	refuses(HEADER ENDS("0", "", "0", "0") "{\"type\":\"x\"}\n", 3,
		"there is something after the end record");
	open_text(HEADER EVENT("0") SAMPLE("1", ""));
	rest_is("es!");
	CHECK(r.s.err.code == PL_E_STREAM_TRUNCATED);
	pl_samples_close(&r);
}

TEST(samples_only)
{
	static const char text[] =
		"{\"type\":\"header\",\"schema\":\"perflens.analysis\",\"version\":\"1.0\","
		"\"producer\":{},\"inputs\":[]}\n";

	CHECK(pl_samples_open(&r, kit_open(text, strlen(text))) == -1);
	kit_error_is(&r.s.err, PL_E_UNSUPPORTED_FORMAT, 1,
		     "this is perflens.analysis 1.0; perflens.samples 1.x is wanted here");
	pl_samples_close(&r);
}

int main(void)
{
	RUN(two_folded_lines);
	RUN(every_member_of_definitions);
	RUN(every_member_of_samples);
	RUN(lost_records_diagnostics_and_what_is_newer);
	RUN(ids_are_dense_and_never_redefined);
	RUN(definitions_come_before_use);
	RUN(stacks_hold_ids_and_nothing_else);
	RUN(members_that_are_missing_or_wrong);
	RUN(fewer_samples_are_no_error);
	RUN(more_samples_than_announced);
	RUN(equal_counts_and_other_weights_point_at_jq);
	RUN(each_event_has_its_own_sums);
	RUN(weights_that_do_not_fit);
	RUN(definitions_are_counted);
	RUN(done_means_that_nothing_follows);
	RUN(samples_only);
	kit_close();
	return unit_done();
}
