/*
 * model: what a report needs of an analysis, collected while its rows pass by.
 *
 * Everything is copied into the model's arena: a name is never cut, and rows beyond those that are
 * shown are only summed.
 */
#ifndef REPORT_MODEL_H
#define REPORT_MODEL_H

#include "analysis.h"
#include "mem.h"

enum { REPORT_MODULES = 10, REPORT_INPUTS = 10, REPORT_CODES = 64 };

struct report_row {
	struct pl_str id, name, dso; /* dso: p NULL when null or not grouped by */
	uint64_t self, self_pct, self_samples, inclusive, inclusive_pct, samples, idle;
	bool has_ci95;
	uint64_t low, high; /* millionths of a percent */
};

struct report_rows {
	struct report_row *v;
	size_t n, cap;
	uint64_t self; /* of the rows kept */
};

struct report_frame {
	struct pl_str name, dso;
	bool inlined;
};

struct report_path {
	struct pl_str id;
	uint64_t weight, pct, samples;
	struct report_frame *frames;
	size_t n;
};

struct report_codes {
	struct pl_str v[REPORT_CODES];
	size_t n;
};

struct report_event {
	struct pl_analysis_event event;
	struct pl_analysis_quality quality; /* without its tokens */
	struct report_codes reasons, allowed, forbidden;
	struct pl_analysis_totals totals;
	/* those with the most unresolved self weight first */
	struct pl_analysis_module modules[REPORT_MODULES];
	size_t modules_kept;
	uint64_t modules_n, unresolved_modules, unresolved_in_modules;
	struct report_rows work, idle; /* idle: rows that are nothing but idle */
	uint64_t rows_n, idle_n;       /* those that were read */
	uint64_t read_self, idle_self; /* and their sums */
	uint64_t half_rows, most_rows; /* rows that hold 50 % and 90 % of the self weight; 0: more
					  than there are */
	bool has_dso;		       /* a row or a module names one */
	struct report_row widest; /* the largest inclusive weight among rows with self weight */
	struct report_path *paths;
	size_t paths_n, paths_cap;
	uint64_t paths_weight, read_paths_weight;
};

struct report_diagnostic {
	struct pl_str code, message, preview; /* of the first of its code; p NULL: none was kept */
	uint64_t count, line;
	bool has_line;
};

struct report_input {
	struct pl_str format, sha256;
	uint64_t bytes, lines;
	bool has_bytes, has_lines;
};

struct report_options {
	const char *problem, *metric, *event; /* NULL: not given */
	uint64_t top_n, call_path_limit;
};

struct report {
	const struct report_options *options;
	struct pl_str group_by, sha256, program,
		version; /* program and version wrote the analysis */
	bool unsealed;
	struct report_event *events; /* those that are shown */
	size_t events_n, events_cap;
	uint64_t events_read;
	struct report_diagnostic diagnostics[REPORT_CODES]; /* one a code */
	size_t diagnostics_n;
	struct report_input inputs[REPORT_INPUTS];
	uint64_t inputs_n; /* all that there are */
	struct pl_arena arena;
};

/* Reads the whole of an open analysis. 0, or -1 with *err: nothing may be published then. */
int report_collect(struct report *r, const struct report_options *options, struct pl_analysis *a,
		   struct pl_err *err);
void report_free(struct report *r);

#endif
