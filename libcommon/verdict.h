/*
 * verdict: what checks find, and how that is told: the records of a perflens.verification.
 *
 * Reasons stand in an artifact of our own, so they are English in every locale.
 */
#ifndef PL_VERDICT_H
#define PL_VERDICT_H

#include "program.h"

#define PL_VERDICT_SCHEMA "perflens.verification"

enum pl_verdict_status { PL_PASSED, PL_FAILED, PL_SKIPPED };

struct pl_verdict {
	enum pl_verdict_status status;
	char reason[512]; /* "" when passed; cut at its end */
};

/* Sets the verdict and the reason, unless one was set before: the first reason stays. */
void pl_verdict_fail(struct pl_verdict *v, const char *fmt, ...) PL_PRINTF(2, 3);
void pl_verdict_skip(struct pl_verdict *v, const char *fmt, ...) PL_PRINTF(2, 3);

/*
 * After the header of the artifact: writes a record for each of n checks, and the sealed end. What
 * did not pass is noted on stderr as well, so that it is not missed by someone who reads only the
 * terminal. The exit status: PL_EXIT_CHECK when a check failed.
 */
enum pl_exit pl_verdict_report(struct pl_main *m, const char *const *names,
			       const struct pl_verdict *v, size_t n);

#endif
