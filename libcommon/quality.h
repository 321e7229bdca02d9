/*
 * quality: the codes of a quality record, derived from its members (STREAMS.md section 3): why an
 * analysis is partial, which conclusions its data allow and which they forbid. Written by
 * pl-aggregate, recomputed by pl-verify.
 */
#ifndef PL_QUALITY_H
#define PL_QUALITY_H

#include "str.h"

enum { PL_QUALITY_CODES = 24 };
struct pl_codes {
	const char *v[PL_QUALITY_CODES]; /* static */
	size_t n;
};

struct pl_quality_facts {
	/* of the event */
	struct pl_str event, source; /* name and source as recorded */
	uint64_t samples, weight, multi_frame_weight, lost, cut_weight, source_line_self;
	uint64_t announced_samples, received_samples;
	uint64_t unresolved_self;
	uint64_t unresolved_threshold_pct; /* millionths of a percent */
	uint64_t merged_symbols;
	uint64_t trusted_frames; /* named by a file that nothing shows to be the one that ran */
	bool modes_known;	 /* all weight of known functions is known to be user or kernel */
	bool jit_frames;
	bool omitted_rows, paths_kept;
	/* of the whole input */
	uint64_t malformed, replaced;
	bool digest_absent, unsealed;
	/* events of the analysis that hardware counted */
	bool cycles, instructions, cache_misses, branch_misses;
};

/* Notes that the analysis has this event. */
void pl_quality_measured(struct pl_quality_facts *facts, struct pl_str event, struct pl_str source);

void pl_quality_reasons(const struct pl_quality_facts *facts, struct pl_codes *codes);
void pl_quality_allowed(const struct pl_quality_facts *facts, struct pl_codes *codes);
void pl_quality_forbidden(const struct pl_quality_facts *facts, struct pl_codes *codes);

#endif
