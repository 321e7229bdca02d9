/*
 * profile: what is kept of an analysis until its last path and its end were seen: the hotspots that
 * rules fit, and for the others their sum. No larger than the analysis itself.
 */
#ifndef CLASSIFY_PROFILE_H
#define CLASSIFY_PROFILE_H

#include "category.h"
#include "match.h"

enum { PROFILE_CITED = 3 }; /* callers, and paths, that a candidate cites */

/* A caller or a path, by the id that it is cited by. */
struct profile_cited {
	struct pl_str id, name; /* name: of a caller */
	uint64_t weight;
};

struct profile_citations {
	struct profile_cited v[PROFILE_CITED]; /* the heaviest, heaviest first */
	size_t n;
};

/* A rule that fits a hotspot, and what callers and paths say about it. */
struct profile_fit {
	const struct rule *rule;
	uint64_t callers_weight, under_weight; /* that comes the way the rule asks for */
	struct profile_citations callers, under;
	bool holds; /* its context, if it has one */
};

struct profile_hotspot {
	struct pl_str id, symbol, dso; /* p NULL: null */
	uint64_t self, self_pct, inclusive, inclusive_pct, self_samples;
	bool has_interval;
	uint64_t low, high;
	struct pl_analysis_line line; /* file.p NULL: none */
	uint64_t paths_weight;	      /* of the exported paths that end here */
	struct profile_citations paths;
	size_t fit, fits; /* of the event's fits: the first, and how many; those whose required
			     context is not there are gone after profile_end() */
};

struct profile_codes {
	struct pl_str *v;
	size_t n;
};

struct profile_event {
	struct pl_analysis_event event;
	struct pl_analysis_quality quality; /* without its tokens */
	struct profile_codes reasons, allowed, forbidden;
	bool paths; /* the analysis has them */
	struct profile_hotspot *hotspots;
	size_t hotspots_n, hotspots_cap;
	struct profile_fit *fits;
	size_t fits_n, fits_cap;
	struct pl_analysis_module *modules; /* with unresolved self weight */
	size_t modules_n, modules_cap;
	uint64_t read_self; /* of all rows */
	uint64_t classified_self;
	struct profile_category {
		uint64_t hotspots, self;
	} categories[CATEGORIES];
	/* private */
	struct pl_intern keys;
	uint32_t *by_key;
	size_t by_key_cap;
	uint64_t read_paths;
};

struct profile {
	struct profile_event *events;
	size_t n, cap;
	bool by_symbol; /* rows are functions */
	/* private */
	struct match *match;
	struct pl_arena arena;
	struct pl_buf key;
	uint32_t *marks, mark; /* patterns that the ancestors on a path match */
};

/* Reads the rows of an open analysis, to its end. 0, or -1 with a->s.err. */
int profile_read(struct profile *p, struct match *match, struct pl_analysis *a);
void profile_free(struct profile *p);

/* context.c: what the callers of the row that was read say about its fits; what a path that ends in
 * the hotspot says; and, when all is read, whether a fit's context holds. */
void context_callers(struct profile *p, struct profile_event *e, struct profile_hotspot *h,
		     const struct pl_analysis *a);
void context_path(struct profile *p, struct profile_event *e, struct profile_hotspot *h,
		  const struct pl_analysis *a);
bool context_holds(const struct profile_hotspot *h, const struct profile_fit *fit);
/* The share, in millionths of a percent, of the weight that comes by the callers that the rule asks
 * for, and on paths under the functions that it asks for. */
uint64_t context_callers_pct(const struct profile_hotspot *h, const struct profile_fit *fit);
uint64_t context_under_pct(const struct profile_hotspot *h, const struct profile_fit *fit);

#endif
