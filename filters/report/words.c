/* words: what the codes of an analysis mean */
#include "words.h"
#include "text.h"

struct word {
	const char *code, *text;
};

static const struct word conclusions[] = {
	{"sampled_event_hotspot_distribution",
	 N_("how the sampled weight of this event spreads over functions")},
	{"call_path_distribution", N_("how the sampled weight spreads over call paths")},
	{"source_line_observation", N_("on which source lines sampled weight was seen")},
	{"on_cpu_hotspot_distribution", N_("where time on a CPU was spent, as far as sampled")},
	{"sample_privilege_distribution",
	 N_("how the weight splits into user, kernel and other modes")},
	{"performance_root_cause",
	 N_("the cause of a performance problem: a hotspot is an observation, not a cause")},
	{"verified_improvement",
	 N_("that something became faster: that takes measurements before and after a change")},
	{"wall_clock_time", N_("elapsed time: percentages are shares of the sampled weight")},
	{"off_cpu_time", N_("time spent waiting: this event is not known to measure it")},
	{"instructions_per_cycle",
	 N_("instructions per cycle: the hardware events are not known to have been measured")},
	{"hardware_cache_miss_rate",
	 N_("rates of cache misses: the hardware events are not known to have been measured")},
	{"hardware_branch_miss_rate", N_("rates of mispredicted branches: the hardware events are "
					 "not known to have been measured")},
	{"microarchitectural_bottleneck", N_("what limits the processor inside: the hardware "
					     "events are not known to have been measured")},
	{"caller_callee_relationship", N_("who calls whom: there is no call graph")},
	{"exact_source_line_attribution",
	 N_("which source line costs what: the leaves carry no lines")},
	{"unique_machine_code_identity_from_normalized_symbol",
	 N_("that one name is one piece of machine code: several spellings were merged")},
	{"cross_time_jit_symbol_replay",
	 N_("that a name of just-in-time compiled code meant the same code all the time")},
	{"complete_profile_distribution", N_("a complete distribution: rows were omitted")},
	{"unqualified_profile_conclusion",
	 N_("anything without naming the reasons why the analysis is partial")},
};

static const struct word reasons[] = {
	{"malformed_records", N_("some records could not be read and were skipped")},
	{"replaced_bytes", N_("some bytes were no valid text and were replaced")},
	{"lost_records", N_("the recorder lost samples")},
	{"stream_filtered", N_("fewer samples arrived than the parser announced")},
	{"unresolved_self", N_("more self weight than the threshold allows has no symbol")},
	{"cut_stacks", N_("some stacks are known to be incomplete")},
	{"omitted_rows", N_("functions or call paths beyond a limit were left out")},
	{"no_samples", N_("there are no samples")},
	{"input_digest_absent", N_("the input was read without its SHA-256")},
	{"trusted_paths", N_("names come from files that nothing shows to be the ones that ran")},
	{"unsealed_input", N_("an edited artifact was accepted with --unsealed")},
};

/* In place of the advice below, where this is so. */
static const struct {
	unsigned where;
	struct word word;
} special_advice[] = {
	{WORDS_NO_MODULES,
	 {"unresolved_self",
	  N_("record again with symbols at hand and with the names of modules, before trusting the "
	     "order of functions: nothing here says where the missing symbols are")}},
	{WORDS_FOLDED,
	 {"DOMINANT_SAMPLE",
	  N_("one stack line holds most of the weight: that is normal for a hot loop, and "
	     "suspicious when values of another kind are mixed in")}},
};

static const struct word advice[] = {
	{"malformed_records", N_("look at the diagnostics above, and record or export the input "
				 "again; the skipped records are missing from every figure")},
	{"replaced_bytes", N_("names with replaced bytes may stand for several functions; check "
			      "the input's encoding")},
	{"lost_records", N_("record again with a larger buffer (perf record -m) or a lower "
			    "frequency (-F)")},
	{"stream_filtered",
	 N_("samples were taken out on the way: read every share as one of what is left, or run "
	    "the pipeline without the filter")},
	{"unresolved_self",
	 N_("resolve the modules without symbols (section 7) before trusting the "
	    "order of functions")},
	{"cut_stacks", N_("before reading inclusive weights and call paths, see among the "
			  "diagnostics why: record deeper stacks (perf record --max-stack, or a "
			  "larger --call-graph dwarf,SIZE), or have the files that ran at hand")},
	{"omitted_rows", N_("raise --top-n and --call-path-limit of pl-aggregate to see the rest")},
	{"no_samples", N_("check what was recorded: the target may not have run, or the event may "
			  "not count here")},
	{"input_digest_absent",
	 N_("run the parser without --no-digest, so that the analysis names its input")},
	{"trusted_paths",
	 N_("record with build IDs (perf record --buildid-all, or --buildid-mmap), so that "
	    "--trust-paths is not needed: a file that was built anew has other functions there")},
	{"unsealed_input", N_("make the analysis anew from its input")},
	{"LOOKS_INCLUSIVE",
	 N_("the values look inclusive: check how the input was made; if they are, self and "
	    "inclusive weights here are wrong")},
	{"DOMINANT_SAMPLE", N_("one sample holds most of the weight: look at it alone, and record "
			       "again before drawing a conclusion from the shares")},
};

static const char *find(const struct word *words, size_t n, struct pl_str code)
{
	for (size_t i = 0; i < n; i++)
		if (pl_str_is(code, words[i].code))
			return _(words[i].text);
	return NULL;
}

const char *words_conclusion(struct pl_str code)
{
	return find(conclusions, PL_COUNT(conclusions), code);
}

const char *words_reason(struct pl_str code)
{
	return find(reasons, PL_COUNT(reasons), code);
}

const char *words_advice(struct pl_str code, unsigned where)
{
	for (size_t i = 0; i < PL_COUNT(special_advice); i++)
		if ((special_advice[i].where & where) &&
		    pl_str_is(code, special_advice[i].word.code))
			return _(special_advice[i].word.text);
	return find(advice, PL_COUNT(advice), code);
}
