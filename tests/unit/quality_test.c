/* quality: the codes of STREAMS.md section 3, each on and off, in that page's order */
#include "quality.h"
#include "unit.h"

/* The codes as one text, a blank between them. */
static const char *joined(const struct pl_codes *codes)
{
	static char text[2048];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < codes->n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? " " : "", codes->v[i]);
	return text;
}

typedef void codes_of(const struct pl_quality_facts *facts, struct pl_codes *codes);

static void codes_are(codes_of *of, const struct pl_quality_facts *facts, const char *want)
{
	struct pl_codes codes = {.n = 7}; /* what was there is forgotten */
	of(facts, &codes);
	const char *got = joined(&codes);
	CHECK_STR(got, strlen(got), want);
}

/* An event with nothing against it, and nothing known but its weight. */
static struct pl_quality_facts plain(void)
{
	return (struct pl_quality_facts){.event = PL_S("faults"),
					 .source = PL_S("software"),
					 .samples = 4,
					 .weight = 9,
					 .announced_samples = 4,
					 .received_samples = 4,
					 .paths_kept = true};
}

/* Checks the codes of a plain event with one thing changed. */
#define WITH(of, change, want)                        \
	do {                                          \
		struct pl_quality_facts f = plain();  \
		f.change;                             \
		codes_are(pl_quality_##of, &f, want); \
	} while (0)

TEST(no_reason_no_code)
{
	struct pl_quality_facts f = plain();

	codes_are(pl_quality_reasons, &f, "");
}

TEST(each_reason_alone)
{
	WITH(reasons, malformed = 1, "malformed_records");
	WITH(reasons, replaced = 1, "replaced_bytes");
	WITH(reasons, lost = 1, "lost_records");
	WITH(reasons, received_samples = 3, "stream_filtered");
	WITH(reasons, announced_samples = 5, "stream_filtered");
	WITH(reasons, unresolved_self = 1, "unresolved_self");
	WITH(reasons, cut_weight = 1, "cut_stacks");
	WITH(reasons, omitted_rows = true, "omitted_rows");
	WITH(reasons, samples = 0, "no_samples");
	WITH(reasons, digest_absent = true, "input_digest_absent");
	WITH(reasons, trusted_frames = 1, "trusted_paths");
	WITH(reasons, unsealed = true, "unsealed_input");
}

TEST(unresolved_up_to_the_threshold_is_no_reason)
{
	struct pl_quality_facts f = plain();

	f.weight = 1000;
	f.unresolved_self = 25;
	f.unresolved_threshold_pct = 2500000;
	codes_are(pl_quality_reasons, &f, "");
	f.unresolved_self++;
	codes_are(pl_quality_reasons, &f, "unresolved_self");
	/* what is printed as 0.000000 is more than nothing */
	f.weight = 10000000049;
	f.unresolved_self = 49;
	f.unresolved_threshold_pct = 0;
	codes_are(pl_quality_reasons, &f, "unresolved_self");
}

TEST(what_is_no_reason)
{
	WITH(reasons, paths_kept = false, "");
	WITH(reasons, merged_symbols = 3, "");
	WITH(reasons, jit_frames = true, "");
	WITH(reasons, weight = 0, "");
}

TEST(all_reasons_in_order)
{
	struct pl_quality_facts f = {.event = PL_S("e"),
				     .source = PL_S("unknown"),
				     .malformed = 1,
				     .replaced = 1,
				     .lost = 1,
				     .announced_samples = 1,
				     .unresolved_self = 1,
				     .cut_weight = 1,
				     .omitted_rows = true,
				     .digest_absent = true,
				     .trusted_frames = 1,
				     .unsealed = true};

	codes_are(pl_quality_reasons, &f,
		  "malformed_records replaced_bytes lost_records stream_filtered unresolved_self "
		  "cut_stacks omitted_rows no_samples input_digest_absent trusted_paths "
		  "unsealed_input");
}

TEST(each_allowed_alone)
{
	WITH(allowed, lost = 0, "sampled_event_hotspot_distribution");
	WITH(allowed, weight = 0, "");
	WITH(allowed, multi_frame_weight = 1,
	     "sampled_event_hotspot_distribution call_path_distribution");
	WITH(allowed, source_line_self = 1,
	     "sampled_event_hotspot_distribution source_line_observation");
	WITH(allowed, modes_known = true,
	     "sampled_event_hotspot_distribution sample_privilege_distribution");
}

TEST(paths_that_were_not_kept_allow_nothing)
{
	struct pl_quality_facts f = plain();

	f.multi_frame_weight = 9;
	f.paths_kept = false;
	codes_are(pl_quality_allowed, &f, "sampled_event_hotspot_distribution");
}

TEST(events_that_run_on_a_cpu)
{
#define ON_CPU "sampled_event_hotspot_distribution on_cpu_hotspot_distribution"
	WITH(allowed, event = PL_S("cycles"), ON_CPU);
	WITH(allowed, event = PL_S("cpu-cycles:ppp"), ON_CPU);
	WITH(allowed, event = PL_S("cpu_atom/cycles/"), ON_CPU);
	WITH(allowed, event = PL_S("cpu-clock:u"), ON_CPU);
	WITH(allowed, event = PL_S("task-clock:u"), ON_CPU);
	WITH(allowed, event = PL_S("instructions"), "sampled_event_hotspot_distribution");
	WITH(allowed, event = PL_S("cycles:sched"), "sampled_event_hotspot_distribution");
	WITH(allowed, event = PL_S("off_cpu"), "sampled_event_hotspot_distribution");
	WITH(allowed, event = PL_S("unknown"), "sampled_event_hotspot_distribution");
}

TEST(all_allowed_in_order)
{
	struct pl_quality_facts f = plain();

	f.event = PL_S("cycles");
	f.multi_frame_weight = f.source_line_self = 1;
	f.modes_known = true;
	codes_are(pl_quality_allowed, &f,
		  "sampled_event_hotspot_distribution call_path_distribution "
		  "source_line_observation on_cpu_hotspot_distribution "
		  "sample_privilege_distribution");
}

#define ALWAYS "performance_root_cause verified_improvement wall_clock_time"
#define HARDWARE                                                                    \
	"instructions_per_cycle hardware_cache_miss_rate hardware_branch_miss_rate" \
	" microarchitectural_bottleneck"
#define SHAPE "caller_callee_relationship exact_source_line_attribution"

TEST(forbidden_unless)
{
	WITH(forbidden, lost = 0, ALWAYS " off_cpu_time " HARDWARE " " SHAPE);
	WITH(forbidden, event = PL_S("off_cpu"), ALWAYS " " HARDWARE " " SHAPE);
	WITH(forbidden, multi_frame_weight = 1,
	     ALWAYS " off_cpu_time " HARDWARE " exact_source_line_attribution");
	WITH(forbidden, source_line_self = 1,
	     ALWAYS " off_cpu_time " HARDWARE " caller_callee_relationship");
	/* what hardware counted elsewhere says nothing of an event of software */
	WITH(forbidden, cache_misses = true, ALWAYS " off_cpu_time " HARDWARE " " SHAPE);
	WITH(forbidden, branch_misses = true, ALWAYS " off_cpu_time " HARDWARE " " SHAPE);
}

TEST(hardware_events_lift_what_they_measure)
{
	struct pl_quality_facts f = plain();

	f.source = PL_S("hardware");
	codes_are(pl_quality_forbidden, &f,
		  ALWAYS " off_cpu_time instructions_per_cycle hardware_cache_miss_rate "
			 "hardware_branch_miss_rate " SHAPE);
	f.cycles = true;
	codes_are(pl_quality_forbidden, &f,
		  ALWAYS " off_cpu_time instructions_per_cycle hardware_cache_miss_rate "
			 "hardware_branch_miss_rate " SHAPE);
	f.cycles = false;
	f.instructions = true;
	codes_are(pl_quality_forbidden, &f,
		  ALWAYS " off_cpu_time instructions_per_cycle hardware_cache_miss_rate "
			 "hardware_branch_miss_rate " SHAPE);
	f.cycles = true;
	codes_are(pl_quality_forbidden, &f,
		  ALWAYS " off_cpu_time hardware_cache_miss_rate "
			 "hardware_branch_miss_rate " SHAPE);
	f.cache_misses = true;
	codes_are(pl_quality_forbidden, &f,
		  ALWAYS " off_cpu_time hardware_branch_miss_rate " SHAPE);
	f.branch_misses = true;
	codes_are(pl_quality_forbidden, &f, ALWAYS " off_cpu_time " SHAPE);
}

TEST(forbidden_when)
{
#define ALL ALWAYS " off_cpu_time " HARDWARE " " SHAPE " "
	WITH(forbidden, merged_symbols = 1,
	     ALL "unique_machine_code_identity_from_normalized_symbol");
	WITH(forbidden, jit_frames = true, ALL "cross_time_jit_symbol_replay");
	WITH(forbidden, omitted_rows = true,
	     ALL "complete_profile_distribution unqualified_profile_conclusion");
	WITH(forbidden, malformed = 1, ALL "unqualified_profile_conclusion");
	WITH(forbidden, unsealed = true, ALL "unqualified_profile_conclusion");
}

TEST(all_forbidden_in_order)
{
	struct pl_quality_facts f = plain();

	f.merged_symbols = 1;
	f.jit_frames = f.omitted_rows = true;
	codes_are(pl_quality_forbidden, &f,
		  ALL "unique_machine_code_identity_from_normalized_symbol "
		      "cross_time_jit_symbol_replay complete_profile_distribution "
		      "unqualified_profile_conclusion");
}

TEST(hardware_events_are_noted_by_their_base)
{
	static const struct {
		const char *event;
		unsigned want; /* cycles 1, instructions 2, cache misses 4, branch misses 8 */
	} rows[] = {
		{"cycles", 1},
		{"cpu-cycles:u", 1},
		{"cpu_core/cycles/", 1},
		{"instructions:k", 2},
		{"cache-misses", 4},
		{"cpu/branch-misses/u", 8},
		{"branch-instructions", 0},
		{"faults", 0},
	};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		struct pl_quality_facts f = {0}, g = {0};
		pl_quality_measured(&f, pl_str(rows[i].event), PL_S("hardware"));
		CHECK_U64(f.cycles + 2u * f.instructions + 4u * f.cache_misses +
				  8u * f.branch_misses,
			  rows[i].want);
		pl_quality_measured(&g, pl_str(rows[i].event), PL_S("software"));
		CHECK(!g.cycles && !g.instructions && !g.cache_misses && !g.branch_misses);
	}
	/* one event does not undo another */
	struct pl_quality_facts f = {0};
	pl_quality_measured(&f, PL_S("cycles"), PL_S("hardware"));
	pl_quality_measured(&f, PL_S("instructions"), PL_S("hardware"));
	CHECK(f.cycles && f.instructions);
}

int main(void)
{
	RUN(no_reason_no_code);
	RUN(each_reason_alone);
	RUN(unresolved_up_to_the_threshold_is_no_reason);
	RUN(what_is_no_reason);
	RUN(all_reasons_in_order);
	RUN(each_allowed_alone);
	RUN(paths_that_were_not_kept_allow_nothing);
	RUN(events_that_run_on_a_cpu);
	RUN(all_allowed_in_order);
	RUN(forbidden_unless);
	RUN(hardware_events_lift_what_they_measure);
	RUN(forbidden_when);
	RUN(all_forbidden_in_order);
	RUN(hardware_events_are_noted_by_their_base);
	return unit_done();
}
