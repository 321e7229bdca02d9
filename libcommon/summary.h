/*
 * summary: the top of an analysis, and what is left of it: for what shows people a part of the rows
 * and owes them the rest.
 *
 * Rows beyond those that are kept are only summed. Everything kept is copied, names whole.
 */
#ifndef PL_SUMMARY_H
#define PL_SUMMARY_H

#include "analysis.h"
#include "mem.h"

enum { PL_SUMMARY_MODULES = 10, PL_SUMMARY_CODES = 64, PL_SUMMARY_EDGES = 3 };

/* A caller or callee of a row; the pair counts once a sample. */
struct pl_summary_edge {
	struct pl_str id, name, dso;
	uint64_t weight;
};

struct pl_summary_edges {
	struct pl_summary_edge v[PL_SUMMARY_EDGES]; /* the heaviest first */
	size_t n;
};

struct pl_summary_row {
	struct pl_str id, name, dso; /* dso: p NULL when null or not grouped by */
	uint64_t self, self_pct, self_samples, inclusive, inclusive_pct, samples, idle;
	bool has_ci95;
	uint64_t low, high; /* millionths of a percent */
	struct pl_str file; /* of the line with the most self weight; or p NULL */
	uint64_t line, line_self;
	char *texts;				  /* owns id, name, dso and file */
	struct pl_summary_edges callers, callees; /* of the first edges_of rows */
};

struct pl_summary_rows {
	struct pl_summary_row *v;
	size_t n, cap;
	uint64_t self; /* of the rows kept */
};

struct pl_summary_frame {
	struct pl_str name, dso;
	bool inlined;
};

struct pl_summary_path {
	struct pl_str id;
	uint64_t weight, pct, samples;
	struct pl_summary_frame *frames;
	size_t n;
};

struct pl_summary_codes {
	struct pl_str v[PL_SUMMARY_CODES + 1]; /* one more: what --unsealed adds */
	size_t n;
};

struct pl_summary_event {
	struct pl_analysis_event event;
	struct pl_analysis_quality quality; /* without its tokens */
	/* Of an unsealed analysis: as if pl-aggregate had known, with status partial. */
	struct pl_summary_codes reasons, allowed, forbidden;
	struct pl_analysis_totals totals;
	uint64_t other_n, other_self; /* neither in `work` nor only idle */
	/* those with the most unresolved self weight first */
	struct pl_analysis_module modules[PL_SUMMARY_MODULES];
	size_t modules_kept;
	uint64_t modules_n, unresolved_modules, unresolved_in_modules;
	struct pl_summary_rows work, idle; /* idle: rows that are nothing but idle */
	uint64_t rows_n, idle_n;	   /* those that were read */
	uint64_t read_self, idle_self;	   /* and their sums */
	uint64_t half_rows, most_rows; /* rows that hold 50 % and 90 % of the self weight; 0: more
					  than there are */
	bool has_dso;		       /* a row or a module names one */
	struct pl_summary_row widest; /* the largest inclusive weight among rows with self weight */
	struct pl_summary_path *paths;
	size_t paths_n, paths_cap;
	uint64_t paths_weight, read_paths_weight;
};

struct pl_summary_diagnostic {
	struct pl_str code, message, preview; /* of the first of its code; p NULL: none was kept */
	struct pl_str event;		      /* its label; p NULL: of the whole input */
	uint64_t count, line;
	bool has_line;
};

enum pl_summary_order {
	PL_SUMMARY_STREAM, /* self weight, as the analysis has it */
	PL_SUMMARY_INCLUSIVE,
	PL_SUMMARY_SAMPLES,
	PL_SUMMARY_SYMBOL
};

struct pl_summary_options {
	const char *event; /* the label of the only event wanted; NULL: all */
	enum pl_summary_order order;
	uint64_t top_n, call_path_limit; /* rows kept of each event: of work, of idle, of paths */
	uint64_t edges_of; /* rows of work, in the stream's order only, that keep callers and
			      callees */
	/* Called for each row of a wanted event, kept or not, while it is the current one, and at
	 * the end (PL_ANALYSIS_DONE). 0, or -1 with a->s.err, which ends the reading. NULL: none.
	 */
	int (*row)(void *to, enum pl_analysis_kind kind, struct pl_analysis *a);
	void *row_to;
};

struct pl_summary {
	const struct pl_summary_options *options;
	struct pl_str group_by, sha256; /* of the analysis; sha256 is empty where it has none */
	bool unsealed;
	struct pl_summary_event *events;
	size_t events_n, events_cap;
	struct pl_str *names; /* of all events_read, also of those that are not wanted */
	size_t names_cap;
	uint64_t events_read;
	struct pl_summary_diagnostic diagnostics[PL_SUMMARY_CODES]; /* one a code */
	size_t diagnostics_n;
	struct pl_arena arena;
};

/*
 * Reads the rows of an open analysis, to its end. 0, or -1 with *err: nothing may be published
 * then. Rows that exceed their event's totals are an error; an event that does not exist is
 * INVALID_INPUT.
 */
int pl_summary_read(struct pl_summary *r, const struct pl_summary_options *options,
		    struct pl_analysis *a, struct pl_err *err);
void pl_summary_free(struct pl_summary *r);
/* The event's self weight: all but that of samples without a stack. */
uint64_t pl_summary_self(const struct pl_summary_event *e);

#endif
