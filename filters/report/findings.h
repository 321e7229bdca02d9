/* findings: what a diagnosis says about the rows of a summary, as far as a report shows it */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "diagnosis.h"
#include "intern.h"
#include "summary.h"

enum { FINDINGS_LIST = 16, FINDINGS_GAPS = 64 };

/* The first FINDINGS_LIST texts of a list; `id` of what a statement is about, p NULL: of nothing
 * that has one. */
struct findings_text {
	struct pl_str id, text;
};
struct findings_list {
	struct findings_text *v;
	size_t n;
	uint64_t total;
};

struct findings_candidate {
	struct pl_str id, rule, category, hotspot, symbol, dso, confidence, level, status,
		observation;
	uint64_t rule_version;
	struct findings_list supporting, counter, missing, next, forbidden;
};

struct findings_category {
	struct pl_str name;
	uint64_t hotspots, self, self_pct;
};

struct findings_gap {
	struct pl_str code, message, command; /* command: p NULL, there is none */
};

struct findings_event {
	uint64_t classified_self, unclassified_self;
	struct pl_str *work, *idle; /* the category of each row of the summary; p NULL: none */
	struct findings_category *categories;
	size_t categories_n, categories_cap;
	struct findings_candidate *candidates; /* the first so many */
	size_t candidates_n, candidates_cap;
	uint64_t candidates_total;
	struct findings_gap *gaps; /* the first FINDINGS_GAPS, without those about modules */
	size_t gaps_n, gaps_cap;
	uint64_t gaps_total;
};

struct findings {
	bool given, unsealed;
	struct pl_str sha256;
	struct findings_event *events; /* as many as the summary has, in its order */
	/* private */
	const struct pl_summary *summary;
	uint64_t limit;
	size_t current;		/* event, or SIZE_MAX: one that the summary does not have */
	struct pl_intern ids;	/* of the current event's rows */
	size_t *rows, rows_cap; /* by id: those of work first, then those of idle */
	struct pl_arena arena;
};

/*
 * Reads the diagnosis that `in` is, to its end; candidates beyond `limit` of an event are only
 * counted. 0, or -1 with *err: nothing may be published then. A diagnosis of another analysis is
 * DIGEST_MISMATCH.
 */
int findings_read(struct findings *f, const struct pl_summary *s, uint64_t limit, struct pl_in *in,
		  bool unsealed, struct pl_err *err);
void findings_free(struct findings *f);

#endif
