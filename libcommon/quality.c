/* quality: facts to codes */
#include "quality.h"

static void add(struct pl_codes *codes, bool when, const char *code)
{
	if (when && codes->n < PL_QUALITY_CODES)
		codes->v[codes->n++] = code;
}

/* perf-list(1), "EVENT MODIFIERS" */
static bool only_modifiers(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("ukhGHpPSDWebR", p[i]) || !p[i])
			return false;
	return true;
}

struct pl_str pl_event_base(struct pl_str event)
{
	const char *slash = memchr(event.p, '/', event.n);

	if (slash) { /* PMU/NAME/modifiers */
		struct pl_str rest = {slash + 1, event.n - (size_t)(slash + 1 - event.p)};
		const char *end = memchr(rest.p, '/', rest.n);
		if (end && pl_str_starts(event, "cpu") &&
		    !memchr(rest.p, '=', (size_t)(end - rest.p)))
			event = (struct pl_str){rest.p, (size_t)(end - rest.p)};
	} else {
		const char *colon = memchr(event.p, ':', event.n);
		/* one colon is a modifier; sched:sched_switch is a tracepoint, whose name is its
		 * whole name */
		if (colon) {
			size_t n = (size_t)(event.p + event.n - colon - 1);
			if (n && only_modifiers(colon + 1, n))
				event.n = (size_t)(colon - event.p);
		}
	}
	return pl_str_is(event, "cpu-cycles") ? PL_S("cycles") : event;
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

void pl_quality_reasons(const struct pl_quality_facts *f, struct pl_codes *codes)
{
	codes->n = 0;
	add(codes, f->malformed, "malformed_records");
	add(codes, f->replaced, "replaced_bytes");
	add(codes, f->lost, "lost_records");
	add(codes, f->received_samples < f->announced_samples, "stream_filtered");
	add(codes, f->unresolved_self_pct > f->unresolved_threshold_pct, "unresolved_self");
	add(codes, f->cut_weight, "cut_stacks");
	add(codes, f->omitted_rows, "omitted_rows");
	add(codes, f->samples == 0, "no_samples");
	add(codes, f->digest_absent, "input_digest_absent");
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

bool pl_symbol_unresolved(struct pl_str s)
{
	if (s.n == 0 || pl_str_is(s, "unknown") || pl_str_is(s, "[unknown]") || pl_str_is(s, "??"))
		return true;
	if (s.n < 3 || s.p[0] != '0' || s.p[1] != 'x')
		return false;
	for (size_t i = 2; i < s.n; i++)
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'f') ||
		      (s.p[i] >= 'A' && s.p[i] <= 'F')))
			return false;
	return true;
}
