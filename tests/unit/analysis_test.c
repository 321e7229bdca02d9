/* analysis: rows, their order, their labels, the end record's counts; figures and the summary */
#include "figure.h"
#include "summary.h"
#include "unit.h"
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADER                                                                                     \
	"{\"type\":\"header\",\"schema\":\"perflens.analysis\",\"version\":\"1.0\",\"producer\":{" \
	"\"program\":\"t\",\"version\":\"1\",\"options\":{}},\"inputs\":[],"
#define GROUPED HEADER "\"group_by\":\"symbol,dso\",\"thresholds\":{\"unresolved_pct\":2.5}}\n"
#define EVENT(label, weight)                                                                    \
	"{\"type\":\"event\",\"label\":\"" label "\",\"name\":\"n\",\"unit\":\"samples\","      \
	"\"weight_source\":\"count\",\"source\":\"software\",\"samples\":3,\"weight\":" weight  \
	",\"stackless\":1,\"lost\":0,\"threads\":2,\"multi_frame_weight\":8,\"idle_weight\":4," \
	"\"n_eff\":null}\n"
#define QUALITY(label)                                                                           \
	"{\"type\":\"quality\",\"event\":\"" label "\",\"status\":\"partial\",\"reasons\":["     \
	"\"lost_records\"],\"allowed\":[],\"forbidden\":[\"wall_clock_time\"],"                  \
	"\"unresolved_self\":0,\"unresolved_self_pct\":0.000000,\"unresolved_self_user\":0,"     \
	"\"unresolved_self_user_pct\":0,\"unresolved_self_kernel\":0,"                           \
	"\"unresolved_self_kernel_pct\":0,\"unresolved_self_other\":0,"                          \
	"\"unresolved_self_other_pct\":0,\"unresolved_threshold_pct\":0,\"source_line_self\":0," \
	"\"inlined_frames\":0,\"merged_symbols\":0,\"cut_weight\":0,\"suspect_callers\":0,"      \
	"\"largest_sample_pct\":60.25,\"announced_samples\":3,\"received_samples\":3,"           \
	"\"malformed\":0,\"skipped\":0,\"replaced\":0}\n"
#define MODULE                                                                     \
	"{\"type\":\"module\",\"dso\":\"/lib/a.so\",\"build_id\":null,\"self\":6," \
	"\"self_pct\":60,\"unresolved_self\":0,\"reason\":null,\"fix\":null}\n"
#define HOTSPOT(label, symbol, self, inclusive, idle)                              \
	"{\"type\":\"hotspot\",\"id\":\"h-" symbol "\",\"event\":\"" label         \
	"\",\"symbol\":\"" symbol "\",\"dso\":null,\"kind\":null,\"self\":" self   \
	",\"self_pct\":1,\"inclusive\":" inclusive                                 \
	",\"inclusive_pct\":1,\"self_samples\":1,\"samples\":1,\"occurrences\":1," \
	"\"threads\":1,\"idle\":" idle ",\"self_ci95\":[1.5,20]}\n"
#define PATH(label, weight)                                                                  \
	"{\"type\":\"path\",\"id\":\"p-1\",\"event\":\"" label "\",\"weight\":" weight       \
	",\"pct\":50,\"samples\":2,\"frames\":[{\"symbol\":\"m\",\"dso\":null},{\"symbol\":" \
	"\"a\",\"dso\":\"/lib/a.so\",\"inlined\":true}]}\n"
#define DIAGNOSTIC                                                                  \
	"{\"type\":\"diagnostic\",\"code\":\"EMPTY_FRAME\",\"input\":0,\"line\":7," \
	"\"message\":\"m\",\"preview\":\"p\"}\n"
#define TOTALS(label, hotspots)                                                    \
	"{\"event\":\"" label "\",\"hotspots_total\":" hotspots ",\"hotspots\":2," \
	"\"omitted_self\":1,\"paths_total\":1,\"paths\":1,\"omitted_weight\":0}"
#define END(totals, records) \
	"{\"type\":\"end\",\"events\":[" totals "],\"diagnostics\":{},\"records\":" records

static struct pl_in in;
static struct pl_analysis a;

/* Opens an analysis with these bytes; `seal`: with its digest, else as it stands. */
static int open_text(const char *text, bool seal, bool unsealed)
{
	const struct pl_in_options options = {.max_line = 1 << 20};
	struct pl_buf buf = {0};
	static char path[64]; /* pl_in keeps the names */
	static const char *const paths[] = {path};
	int fd = memfd_create("analysis", 0);

	pl_buf_addz(&buf, text);
	if (seal)
		pl_stream_seal(&buf);
	else
		pl_buf_addz(&buf, "}\n");
	CHECK(write(fd, buf.p, buf.n) == (ssize_t)buf.n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	CHECK(pl_in_open(&in, paths, 1, &options) == 0);
	CHECK(pl_in_next(&in) == 1);
	close(fd);
	pl_buf_free(&buf);
	return pl_analysis_open(&a, &in, unsealed);
}

static void close_all(void)
{
	pl_analysis_close(&a);
	pl_in_close(&in);
}

/* Reads all rows; the kinds as letters, "!" for an error. */
static void read_all(char kinds[64])
{
	enum pl_analysis_kind kind;
	size_t n = 0;

	while ((kind = pl_analysis_next(&a)) > PL_ANALYSIS_DONE && n < 62)
		kinds[n++] = " eqmhpdo"[kind];
	kinds[n++] = kind == PL_ANALYSIS_DONE ? '.' : '!';
	kinds[n] = '\0';
}

static void expect_rows(const char *text, const char *want)
{
	char kinds[64] = "";

	CHECK(open_text(text, true, false) == 0);
	read_all(kinds);
	CHECK_STR(kinds, strlen(kinds), want);
	close_all();
}

TEST(rows_come_in_order_and_are_decoded)
{
	CHECK(open_text(GROUPED EVENT("cycles", "11") QUALITY("cycles")
				MODULE HOTSPOT("cycles", "a", "6", "9", "4") PATH("cycles", "10")
					DIAGNOSTIC END(TOTALS("cycles", "3"), "6"),
			true, false) == 0);
	CHECK_STR(a.group_by.p, a.group_by.n, "symbol,dso");
	CHECK_U64(a.unresolved_pct, 2500000);
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_EVENT);
	CHECK_U64(a.event.weight, 11);
	CHECK(isnan(a.event.n_eff));
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_QUALITY);
	CHECK_U64(a.quality.largest_sample_pct, 60250000);
	CHECK_U64(a.s.json.tape[a.quality.reasons].count, 1);
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_MODULE);
	CHECK(!a.module.build_id.p);
	CHECK_STR(a.module.dso.p, a.module.dso.n, "/lib/a.so");
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_HOTSPOT);
	CHECK(a.hotspot.has_symbol && !a.hotspot.has_dso && !a.hotspot.dso.p);
	CHECK_U64(a.hotspot.inclusive, 9);
	CHECK_U64(a.s.json.tape[a.hotspot.self_ci95].count, 2);
	CHECK_U64(a.hotspot.callers, 0);
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_PATH);
	CHECK_U64(a.path.weight, 10);
	/* the event's texts outlive its line */
	CHECK_STR(a.event.unit.p, a.event.unit.n, "samples");
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_DIAGNOSTIC);
	CHECK(a.diagnostic.has_line && !a.diagnostic.has_offset && !a.diagnostic.event.p);
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_DONE);
	CHECK_U64(a.end.records, 6);
	CHECK(pl_analysis_next(&a) == PL_ANALYSIS_DONE);

	struct pl_analysis_totals totals;
	CHECK(pl_analysis_totals(&a, PL_S("cycles"), &totals) == 0);
	CHECK_U64(totals.hotspots_total, 3);
	CHECK(totals.has_paths);
	CHECK(pl_analysis_totals(&a, PL_S("other"), &totals) == -1);
	close_all();
}

#define ONE EVENT("c", "11") QUALITY("c")
TEST(several_events_stand_one_after_the_other)
{
	expect_rows(GROUPED ONE EVENT("d", "1") QUALITY("d") HOTSPOT("d", "a", "1", "1", "0")
			    END(TOTALS("c", "3") "," TOTALS("d", "3"), "5"),
		    "eqeqh.");
	expect_rows(GROUPED END("", "0"), ".");
	expect_rows(GROUPED DIAGNOSTIC END("", "1"), "d.");
}

TEST(a_newer_row_is_no_error)
{
	expect_rows(GROUPED ONE "{\"type\":\"newer\"}\n" MODULE END(TOTALS("c", "3"), "4"),
		    "eqom.");
}

TEST(rows_out_of_place_are_refused)
{
	expect_rows(GROUPED QUALITY("c") END("", "1"), "!");
	expect_rows(GROUPED EVENT("c", "1") MODULE END(TOTALS("c", "3"), "2"), "e!");
	expect_rows(GROUPED EVENT("c", "1") END(TOTALS("c", "3"), "1"), "e!");
	expect_rows(GROUPED ONE QUALITY("c") END(TOTALS("c", "3"), "3"), "eq!");
	expect_rows(GROUPED ONE PATH("c", "1") MODULE END(TOTALS("c", "3"), "4"), "eqp!");
	expect_rows(GROUPED ONE PATH("c", "1") HOTSPOT("c", "a", "1", "1", "0")
			    END(TOTALS("c", "3"), "4"),
		    "eqp!");
	expect_rows(GROUPED DIAGNOSTIC ONE END(TOTALS("c", "3"), "3"), "d!");
}

TEST(rows_of_another_event_are_refused)
{
	expect_rows(GROUPED EVENT("c", "1") QUALITY("d") END(TOTALS("c", "3"), "2"), "e!");
	expect_rows(GROUPED ONE HOTSPOT("d", "a", "1", "1", "0") END(TOTALS("c", "3"), "3"), "eq!");
	expect_rows(GROUPED ONE PATH("d", "1") END(TOTALS("c", "3"), "3"), "eq!");
}

TEST(the_end_record_counts)
{
	expect_rows(GROUPED ONE END(TOTALS("c", "3"), "3"), "eq!");
	expect_rows(GROUPED ONE END("", "2"), "eq!");
	CHECK(open_text(GROUPED ONE END(TOTALS("c", "3"), "3"), true, false) == 0);
	while (pl_analysis_next(&a) > PL_ANALYSIS_DONE)
		;
	CHECK(a.s.err.code == PL_E_PROFILE_PARSE_FAILED);
	CHECK_U64(a.s.err.line, 4);
	close_all();
}

TEST(an_edited_analysis_wants_unsealed)
{
	char kinds[64] = "";

	CHECK(open_text(GROUPED ONE END(TOTALS("c", "3"), "9"), false, false) == 0);
	read_all(kinds);
	CHECK_STR(kinds, strlen(kinds), "eq!");
	CHECK(a.s.err.code == PL_E_DIGEST_MISMATCH);
	close_all();
	CHECK(open_text(GROUPED ONE END(TOTALS("c", "3"), "9"), false, true) == 0);
	read_all(kinds);
	CHECK_STR(kinds, strlen(kinds), "eq.");
	CHECK(a.s.unsealed && !a.end.sha256.p);
	close_all();
}

TEST(a_header_without_grouping_is_refused)
{
	CHECK(open_text(HEADER "\"thresholds\":{}}\n" END("", "0"), true, false) == -1);
	CHECK(a.s.err.code == PL_E_PROFILE_PARSE_FAILED);
	close_all();
	CHECK(open_text(HEADER "\"group_by\":7}\n" END("", "0"), true, false) == -1);
	close_all();
	CHECK(open_text(HEADER "\"group_by\":\"dso\",\"thresholds\":1}\n" END("", "0"), true,
			false) == -1);
	close_all();
}

TEST(a_row_is_called_what_it_is_grouped_by)
{
	struct pl_analysis_hotspot h = {.dso = PL_S("[jit]")};

	CHECK_STR(pl_analysis_name(&h).p, pl_analysis_name(&h).n, "[jit]");
	h.tid = PL_S("42");
	CHECK_STR(pl_analysis_name(&h).p, pl_analysis_name(&h).n, "42");
	h.symbol = PL_S("f");
	CHECK_STR(pl_analysis_name(&h).p, pl_analysis_name(&h).n, "f");
	h = (struct pl_analysis_hotspot){0};
	CHECK_STR(pl_analysis_name(&h).p, pl_analysis_name(&h).n, "unknown");
}

static void expect_share(uint64_t micro, unsigned decimals, const char *want)
{
	struct pl_buf b = {0};

	pl_figure_share(&b, micro, decimals);
	CHECK_STR(b.p, b.n, want);
	pl_buf_free(&b);
}

TEST(a_share_is_never_rounded_to_none_or_all)
{
	expect_share(0, 2, "0.00 %");
	expect_share(1, 2, "< 0.01 %");
	expect_share(4999, 2, "< 0.01 %");
	expect_share(5000, 2, "0.01 %");
	expect_share(59823400, 2, "59.82 %");
	expect_share(59825000, 2, "59.83 %"); /* half up */
	expect_share(91400000, 1, "91.4 %");
	expect_share(99994999, 2, "99.99 %");
	expect_share(99999999, 2, "> 99.99 %");
	expect_share(99960000, 1, "> 99.9 %");
	expect_share(100000000, 1, "100.0 %");
	expect_share(12345678, 6, "12.345678 %");
	expect_share(99700000, 0, "> 99 %");
}

TEST(an_unknown_unit_is_said_to_be_unknown)
{
	struct pl_buf b = {0};

	pl_figure_weight(&b, 7, PL_S("bytes"));
	CHECK_STR(b.p, b.n, "7 bytes");
	pl_buf_clear(&b);
	pl_figure_weight(&b, 7, PL_S("unknown"));
	CHECK_STR(b.p, b.n, "7 weight units (unit not recorded)");
	pl_buf_free(&b);
}

static void expect_weight(uint64_t n, struct pl_str unit, const char *want)
{
	struct pl_buf b = {0};

	pl_figure_weight(&b, n, unit);
	CHECK_STR(b.p, b.n, want);
	pl_buf_free(&b);
}

TEST(one_is_singular)
{
	expect_weight(1, PL_S("cycles"), "1 cycle");
	expect_weight(0, PL_S("cycles"), "0 cycles");
	expect_weight(11, PL_S("milliseconds"), "11 milliseconds");
	expect_weight(1, PL_S("unknown"), "1 weight unit (unit not recorded)");
	expect_weight(1, PL_S("axis"), "1 axis"); /* of a newer version */
	CHECK(strcmp(pl_figure_rows(PL_S("symbol,dso"), 1), "function") == 0);
	CHECK(strcmp(pl_figure_rows(PL_S("symbol"), 0), "functions") == 0);
	CHECK(strcmp(pl_figure_rows(PL_S("dso"), 1), "DSO") == 0);
	CHECK(strcmp(pl_figure_rows(PL_S("comm"), 1), "thread name") == 0);
	CHECK(strcmp(pl_figure_rows(PL_S("tid"), 2), "threads") == 0);
	CHECK(strcmp(pl_figure_rows(PL_S("source"), 1), "source line") == 0);
	CHECK(strcmp(pl_figure_rows(PL_S("newer"), 1), "group") == 0);
	CHECK(strcmp(pl_figure_grouping(PL_S("source")), "Source") == 0);
	CHECK(strcmp(pl_figure_grouping(PL_S("newer")), "Group") == 0);
}

/* Weight 11, of which 1 has no stack: a 3, c 2, i 4 (idle), and one row omitted with 1. */
#define ROWS                                                                        \
	GROUPED EVENT("c", "11") QUALITY("c") HOTSPOT("c", "i", "4", "4", "4")      \
		HOTSPOT("c", "a", "3", "3", "0") HOTSPOT("c", "c", "2", "9", "0")   \
			END("{\"event\":\"c\",\"hotspots_total\":4,\"hotspots\":3," \
			    "\"omitted_self\":1}",                                  \
			    "5")

static void summarize(struct pl_summary *s, const struct pl_summary_options *options,
		      const char *text, int want)
{
	struct pl_err err = {0};

	CHECK(open_text(text, true, false) == 0);
	CHECK(pl_summary_read(s, options, &a, &err) == want);
}

TEST(what_is_not_kept_is_summed)
{
	const struct pl_summary_options options = {.top_n = 1};
	struct pl_summary s;

	summarize(&s, &options, ROWS, 0);
	const struct pl_summary_event *e = &s.events[0];
	CHECK_U64(e->work.n, 1);
	CHECK_STR(e->work.v[0].name.p, e->work.v[0].name.n, "a");
	CHECK(e->work.v[0].has_ci95);
	CHECK_U64(e->work.v[0].low, 1500000);
	CHECK_U64(e->work.v[0].high, 20000000);
	CHECK_U64(e->idle.n, 1);
	CHECK_U64(e->idle_self, 4);
	CHECK_U64(pl_summary_self(e), 10);
	CHECK_U64(e->other_n, 2);
	CHECK_U64(e->other_self, 3);
	CHECK_U64(e->half_rows, 2); /* 4 + 3 of 10 */
	CHECK_U64(e->most_rows, 3); /* 9 of 10 */
	CHECK_STR(e->widest.name.p, e->widest.name.n, "c");
	CHECK(!e->totals.has_paths);
	pl_summary_free(&s);
	close_all();
}

TEST(a_summary_keeps_the_first_of_its_order)
{
	struct pl_summary_options options = {.top_n = 1, .order = PL_SUMMARY_INCLUSIVE};
	struct pl_summary s;

	summarize(&s, &options, ROWS, 0);
	CHECK_STR(s.events[0].work.v[0].name.p, 1, "c");
	CHECK_U64(s.events[0].work.self, 2);
	CHECK_U64(s.events[0].other_self, 4);
	pl_summary_free(&s);
	close_all();
	options.order = PL_SUMMARY_SAMPLES; /* all the same: the first stays */
	summarize(&s, &options, ROWS, 0);
	CHECK_STR(s.events[0].work.v[0].name.p, 1, "a");
	pl_summary_free(&s);
	close_all();
}

/* A row with four callers, of which one is no object of ours, and one callee; one without either.
 */
#define EDGE(id, symbol, weight) \
	"{\"id\":\"" id "\",\"symbol\":\"" symbol "\",\"dso\":\"/s\",\"weight\":" weight "}"
#define EDGES                                                                                      \
	"{\"type\":\"hotspot\",\"id\":\"h-1\",\"event\":\"c\",\"symbol\":\"f\",\"dso\":null,"      \
	"\"kind\":null,\"self\":4,\"self_pct\":1,\"inclusive\":9,\"inclusive_pct\":1,"             \
	"\"self_samples\":1,\"samples\":1,\"occurrences\":1,\"threads\":1,\"idle\":0,"             \
	"\"callers\":[" EDGE("h-a", "a", "7") "," EDGE("h-b", "b", "5") "," EDGE(                  \
		"h-c", "c",                                                                        \
		"3") "," EDGE("h-d", "d",                                                          \
			      "1") "],\"callees\":[{\"id\":\"h-x\",\"symbol\":\"x\",\"dso\":null," \
				   "\"weight\":2},7]}\n"

TEST(the_first_rows_keep_their_callers_and_callees)
{
	struct pl_summary_options options = {.top_n = 9, .edges_of = 1};
	struct pl_summary s;

	summarize(&s, &options,
		  GROUPED EVENT("c", "11") QUALITY("c") EDGES HOTSPOT("c", "g", "3", "3", "0")
			  END(TOTALS("c", "2"), "4"),
		  0);
	const struct pl_summary_row *row = &s.events[0].work.v[0];
	CHECK_U64(row->callers.n, 3);
	CHECK_STR(row->callers.v[0].id.p, row->callers.v[0].id.n, "h-a");
	CHECK_STR(row->callers.v[2].name.p, row->callers.v[2].name.n, "c");
	CHECK_STR(row->callers.v[2].dso.p, row->callers.v[2].dso.n, "/s");
	CHECK_U64(row->callers.v[1].weight, 5);
	CHECK_U64(row->callees.n, 1);
	CHECK(!row->callees.v[0].dso.p);
	CHECK_U64(row[1].callers.n + row[1].callees.n, 0);
	pl_summary_free(&s);
	close_all();
	options.edges_of = 0;
	summarize(&s, &options,
		  GROUPED EVENT("c", "11") QUALITY("c") EDGES END(TOTALS("c", "2"), "3"), 0);
	CHECK_U64(s.events[0].work.v[0].callers.n, 0);
	pl_summary_free(&s);
	close_all();
}

/* Sums the paths of event 0; a weight of 7 is too much for it. */
static int add_seen(void *to, enum pl_analysis_kind kind, struct pl_analysis *from)
{
	if (kind != PL_ANALYSIS_PATH)
		return 0;
	if (from->path.weight == 7)
		return pl_stream_fail(&from->s, "seven");
	*(uint64_t *)to += from->path.weight;
	return 0;
}

TEST(each_path_of_a_wanted_event_is_handed_out)
{
	uint64_t seen = 0;
	const struct pl_summary_options options = {
		.event = "d", .top_n = 9, .row = add_seen, .row_to = &seen};
	struct pl_summary s;

	/* none is kept; that of c is not wanted */
	summarize(&s, &options,
		  GROUPED EVENT("c", "11") QUALITY("c") PATH("c", "5") EVENT("d", "11") QUALITY("d")
			  PATH("d", "4") PATH("d", "2")
				  END(TOTALS("c", "2") "," TOTALS("d", "2"), "7"),
		  0);
	CHECK_U64(seen, 6);
	CHECK_U64(s.events[0].paths_n, 0);
	CHECK_U64(s.events_read, 2);
	CHECK_STR(s.names[1].p, s.names[1].n, "n");
	pl_summary_free(&s);
	close_all();
	summarize(&s, &options,
		  GROUPED EVENT("d", "11") QUALITY("d") PATH("d", "7") END(TOTALS("d", "2"), "3"),
		  -1);
	pl_summary_free(&s);
	close_all();
}

TEST(what_was_edited_is_never_verified)
{
	const struct pl_summary_options options = {.top_n = 9};
	struct pl_err err = {0};
	struct pl_summary s;

	CHECK(open_text(ROWS, false, true) == 0);
	CHECK(pl_summary_read(&s, &options, &a, &err) == 0);
	const struct pl_summary_event *e = &s.events[0];
	CHECK(s.unsealed);
	CHECK_STR(e->quality.status.p, e->quality.status.n, "partial");
	CHECK_U64(e->reasons.n, 2);
	CHECK_STR(e->reasons.v[1].p, e->reasons.v[1].n, "unsealed_input");
	CHECK_U64(e->forbidden.n, 2);
	CHECK_STR(e->forbidden.v[1].p, e->forbidden.v[1].n, "unqualified_profile_conclusion");
	pl_summary_free(&s);
	close_all();
	/* one that has its digest is what it says, --unsealed or not */
	CHECK(open_text(ROWS, true, true) == 0);
	CHECK(pl_summary_read(&s, &options, &a, &err) == 0);
	CHECK(!s.unsealed);
	CHECK_U64(s.events[0].reasons.n, 1);
	CHECK_U64(s.events[0].forbidden.n, 1);
	pl_summary_free(&s);
	close_all();
}

TEST(rows_beyond_the_totals_are_refused)
{
	const struct pl_summary_options options = {.top_n = 9};
	struct pl_summary s;

	summarize(&s, &options,
		  GROUPED EVENT("c", "4") QUALITY("c") HOTSPOT("c", "a", "4", "4", "0")
			  END(TOTALS("c", "3"), "3"),
		  -1);
	pl_summary_free(&s);
	close_all();
	summarize(&s, &options,
		  GROUPED ONE HOTSPOT("c", "a", "18446744073709551615", "1", "0")
			  HOTSPOT("c", "b", "1", "1", "0") END(TOTALS("c", "3"), "4"),
		  -1);
	pl_summary_free(&s);
	close_all();
}

TEST(an_event_that_does_not_exist_is_a_usage_error)
{
	const struct pl_summary_options options = {.top_n = 9, .event = "d"};
	struct pl_summary s;
	struct pl_err err = {0};

	CHECK(open_text(ROWS, true, false) == 0);
	CHECK(pl_summary_read(&s, &options, &a, &err) == -1);
	CHECK(err.code == PL_E_INVALID_INPUT);
	pl_summary_free(&s);
	close_all();
}

int main(void)
{
	RUN(rows_come_in_order_and_are_decoded);
	RUN(several_events_stand_one_after_the_other);
	RUN(a_newer_row_is_no_error);
	RUN(rows_out_of_place_are_refused);
	RUN(rows_of_another_event_are_refused);
	RUN(the_end_record_counts);
	RUN(an_edited_analysis_wants_unsealed);
	RUN(a_header_without_grouping_is_refused);
	RUN(a_row_is_called_what_it_is_grouped_by);
	RUN(a_share_is_never_rounded_to_none_or_all);
	RUN(an_unknown_unit_is_said_to_be_unknown);
	RUN(one_is_singular);
	RUN(what_is_not_kept_is_summed);
	RUN(a_summary_keeps_the_first_of_its_order);
	RUN(the_first_rows_keep_their_callers_and_callees);
	RUN(each_path_of_a_wanted_event_is_handed_out);
	RUN(what_was_edited_is_never_verified);
	RUN(rows_beyond_the_totals_are_refused);
	RUN(an_event_that_does_not_exist_is_a_usage_error);
	return unit_done();
}
