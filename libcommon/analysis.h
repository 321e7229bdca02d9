/*
 * analysis: reads perflens.analysis (STREAMS.md section 3), row by row, for everything that works
 * on analyses.
 *
 * Rows are handed out in the stream's order; the reader checks that order and the digest. Publish
 * nothing before PL_ANALYSIS_DONE: hold the output (pl_out_hold).
 */
#ifndef PL_ANALYSIS_H
#define PL_ANALYSIS_H

#include "record.h"
#include "stream.h"

#define PL_ANALYSIS_SCHEMA "perflens.analysis"

struct pl_analysis_event {
	struct pl_str label, name, unit, weight_source, source;
	uint64_t samples, weight, stackless, lost, threads, multi_frame_weight, idle_weight;
	double n_eff; /* NaN: weights are no draws */
	uint32_t collection;
};

struct pl_analysis_quality {
	struct pl_str event, status;
	uint32_t reasons, allowed, forbidden; /* tokens */
	uint64_t unresolved_self, unresolved_self_pct, unresolved_self_user,
		unresolved_self_user_pct, unresolved_self_kernel, unresolved_self_kernel_pct,
		unresolved_self_other, unresolved_self_other_pct, unresolved_threshold_pct;
	uint64_t source_line_self, inlined_frames, merged_symbols, cut_weight, suspect_callers,
		largest_sample_pct, unresolved_callers, trusted_frames;
	uint64_t announced_samples, received_samples, malformed, skipped, replaced;
};

struct pl_analysis_module {
	struct pl_str dso, build_id, reason, fix;
	uint64_t self, self_pct, unresolved_self;
};

struct pl_analysis_hotspot {
	struct pl_str id, event;
	struct pl_str symbol, dso, comm, tid, source,
		kind; /* those that are not grouped by: p NULL */
	bool has_symbol, has_dso;
	uint64_t self, self_pct, inclusive, inclusive_pct, self_samples, samples, occurrences,
		threads, idle;
	uint32_t self_ci95; /* token, 0: none */
	uint32_t variants, sources, addresses, callers, callees;
	uint64_t variants_total, sources_total, addresses_total;
};

struct pl_analysis_path {
	struct pl_str id, event;
	uint64_t weight, pct, samples;
	uint32_t frames; /* token */
};

struct pl_analysis_diagnostic {
	struct pl_str code, event, message, preview;
	uint64_t input, line, offset;
	bool has_input, has_line, has_offset;
};

struct pl_analysis_end {
	uint32_t events, diagnostics; /* tokens of pl_analysis.end_json */
	uint64_t records;
	struct pl_str sha256; /* p NULL: unsealed */
};

/* One element of the end record's events. */
struct pl_analysis_totals {
	struct pl_str event;
	uint64_t hotspots_total, hotspots, omitted_self;
	uint64_t paths_total, paths, omitted_weight;
	bool has_paths; /* false: --no-paths */
};

enum pl_analysis_kind {
	PL_ANALYSIS_ERROR = -1,
	PL_ANALYSIS_DONE =
		0, /* the end record was read, digest and order are right; `end` is filled */
	PL_ANALYSIS_EVENT,
	PL_ANALYSIS_QUALITY,
	PL_ANALYSIS_MODULE,
	PL_ANALYSIS_HOTSPOT,
	PL_ANALYSIS_PATH,
	PL_ANALYSIS_DIAGNOSTIC,
	PL_ANALYSIS_OTHER
};

/* Views and tokens of a row live until the next call; those of `event` until the next event row
 * (its token `collection` excepted), those of `end` as long as the reader. */
struct pl_analysis {
	struct pl_stream s;	 /* s.json is the tape of the current row; s.err what went wrong */
	struct pl_str group_by;	 /* of the header: valid as long as the reader */
	uint64_t unresolved_pct; /* of the header's thresholds */
	struct pl_analysis_event event;
	struct pl_analysis_quality quality;
	struct pl_analysis_module module;
	struct pl_analysis_hotspot hotspot;
	struct pl_analysis_path path;
	struct pl_analysis_diagnostic diagnostic;
	struct pl_analysis_end end;
	struct pl_json end_json;
	uint64_t events; /* read so far */
	/* private */
	enum pl_analysis_kind last;
	uint32_t totals_at;
	struct pl_buf event_text, end_text;
};

extern const struct pl_record pl_analysis_event_record, pl_analysis_quality_record,
	pl_analysis_module_record, pl_analysis_hotspot_record, pl_analysis_path_record,
	pl_analysis_diagnostic_record, pl_analysis_end_record, pl_analysis_totals_record;

/* As pl_stream_open(), for analyses only; reads group_by and thresholds. 0, or -1 with s.err. */
int pl_analysis_open(struct pl_analysis *a, struct pl_in *in, bool unsealed);
/* The same for one that is {0} but for s, an open stream that may be of several kinds and is an
 * analysis. */
int pl_analysis_begin(struct pl_analysis *a);
/*
 * The next row, decoded into the member of its kind. Out of order, under another event's label, or
 * with other counts than the end record's: PL_ANALYSIS_ERROR (counts are not held against an
 * analysis that only --unsealed let pass).
 */
enum pl_analysis_kind pl_analysis_next(struct pl_analysis *a);
void pl_analysis_close(struct pl_analysis *a);
/* At PL_ANALYSIS_DONE: the element of the end record's events at this token. 0, or -1 with s.err.
 */
int pl_analysis_totals_at(struct pl_analysis *a, uint32_t tok, struct pl_analysis_totals *totals);
/* At PL_ANALYSIS_DONE: what the end record says of the event `label`. 0, or -1 with s.err. */
int pl_analysis_totals(struct pl_analysis *a, struct pl_str label,
		       struct pl_analysis_totals *totals);
/* The frame of a path at this token of s.json: *key gets the members by which a hotspot is named,
 * absent where the frame has none. */
void pl_analysis_frame(const struct pl_analysis *a, uint32_t frame,
		       struct pl_analysis_hotspot *key);
/* A caller or callee of a hotspot: which one, and the weight of the samples with that pair. */
struct pl_analysis_edge {
	struct pl_str id;
	uint64_t weight;
	struct pl_analysis_hotspot key; /* its names, as of pl_analysis_frame() */
};
/* The element of the current hotspot's callers or callees at this token of s.json; false when it is
 * none. */
bool pl_analysis_edge(const struct pl_analysis *a, uint32_t object, struct pl_analysis_edge *edge);
/* Fills *err: no event has this label. Returns -1. */
int pl_analysis_no_event(struct pl_err *err, const char *label);
/* What a hotspot is called: its symbol, dso, comm, tid or source, whichever it is grouped by;
 * "unknown" when null. */
struct pl_str pl_analysis_name(const struct pl_analysis_hotspot *h);

#endif
