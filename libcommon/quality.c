/* quality: facts to codes */
#include "quality.h"
#include "event.h"

static void add(struct pl_codes *codes, bool when, const char *code)
{
	if (when && codes->n < PL_QUALITY_CODES)
		codes->v[codes->n++] = code;
}

void pl_quality_measured(struct pl_quality_facts *f, struct pl_str event, struct pl_str source)
{
	struct pl_str base = pl_event_base(event);

	if (!pl_str_is(source, "hardware"))
		return;
	f->cycles |= pl_str_is(base, "cycles");
	f->instructions |= pl_str_is(base, "instructions");
	f->cache_misses |= pl_str_is(base, "cache-misses");
	f->branch_misses |= pl_str_is(base, "branch-misses");
}

/* Exactly, not as it is printed: a part of a large weight that rounds to 0 % is more than nothing.
 */
static bool exceeds(uint64_t part, uint64_t total, uint64_t micro_percent)
{
	return (unsigned __int128)part * 100000000 > (unsigned __int128)total * micro_percent;
}

void pl_quality_reasons(const struct pl_quality_facts *f, struct pl_codes *codes)
{
	codes->n = 0;
	add(codes, f->malformed, "malformed_records");
	add(codes, f->replaced, "replaced_bytes");
	add(codes, f->lost, "lost_records");
	add(codes, f->received_samples < f->announced_samples, "stream_filtered");
	add(codes, exceeds(f->unresolved_self, f->weight, f->unresolved_threshold_pct),
	    "unresolved_self");
	add(codes, f->cut_weight, "cut_stacks");
	add(codes, f->omitted_rows, "omitted_rows");
	add(codes, f->samples == 0, "no_samples");
	add(codes, f->digest_absent, "input_digest_absent");
	add(codes, f->trusted_frames, "trusted_paths");
	add(codes, f->unsealed, "unsealed_input");
}

void pl_quality_allowed(const struct pl_quality_facts *f, struct pl_codes *codes)
{
	struct pl_str base = pl_event_base(f->event);

	codes->n = 0;
	add(codes, f->weight, "sampled_event_hotspot_distribution");
	add(codes, f->multi_frame_weight && f->paths_kept, "call_path_distribution");
	add(codes, f->source_line_self, "source_line_observation");
	add(codes,
	    pl_str_is(base, "cpu-clock") || pl_str_is(base, "task-clock") ||
		    pl_str_is(base, "cycles"),
	    "on_cpu_hotspot_distribution");
	add(codes, f->modes_known, "sample_privilege_distribution");
}

void pl_quality_forbidden(const struct pl_quality_facts *f, struct pl_codes *codes)
{
	bool hardware = pl_str_is(f->source, "hardware");
	struct pl_codes reasons;

	pl_quality_reasons(f, &reasons);
	codes->n = 0;
	add(codes, true, "performance_root_cause");
	add(codes, true, "verified_improvement");
	add(codes, true, "wall_clock_time");
	add(codes, !pl_str_is(f->event, "off_cpu"), "off_cpu_time");
	add(codes, !(hardware && f->cycles && f->instructions), "instructions_per_cycle");
	add(codes, !(hardware && f->cache_misses), "hardware_cache_miss_rate");
	add(codes, !(hardware && f->branch_misses), "hardware_branch_miss_rate");
	add(codes, !hardware, "microarchitectural_bottleneck");
	add(codes, !f->multi_frame_weight, "caller_callee_relationship");
	add(codes, !f->source_line_self, "exact_source_line_attribution");
	add(codes, f->merged_symbols, "unique_machine_code_identity_from_normalized_symbol");
	add(codes, f->jit_frames, "cross_time_jit_symbol_replay");
	add(codes, f->omitted_rows, "complete_profile_distribution");
	add(codes, reasons.n, "unqualified_profile_conclusion");
}
