/* rows: a profile, ranked and capped, as the records of perflens.analysis */
#ifndef PL_AGGREGATE_ROWS_H
#define PL_AGGREGATE_ROWS_H

#include "profile.h"
#include "program.h"
#include "sources.h"

struct rows_options {
	uint64_t top_n, path_limit;
	uint64_t unresolved_threshold; /* millionths of a percent */
};

/*
 * Checks conservation (INTERNAL_ERROR with the figures when it is broken), then writes all records
 * between header and end, and the sealed end, into m->out. 0 or -1 with p->err.
 */
int rows_write(struct profile *p, const struct sources *sources, const struct rows_options *o,
	       struct pl_main *m);
/* Σ self + stackless = weight and, with paths, Σ paths + stackless = weight? Fills err with `code`
 * when not. */
int rows_check_conservation(const struct profile *p, const struct tally *t, enum pl_code code,
			    struct pl_err *err);

#endif
