/* run: a plan carried out, and what is said of its failure */
#ifndef PERFLENS_RUN_H
#define PERFLENS_RUN_H

#include "plan.h"

/*
 * Runs the plan between our stdin and stdout; of one stage only, becomes it. Returns the exit
 * status; where *err has a code, that is still to be said, with *stage (a program's name) as the
 * place. Returns only after a stage's reader went away as 128 + SIGPIPE.
 */
int run_plan(struct plan *plan, bool json_errors, struct pl_err *err, const char **stage);
/* Becomes the program at `path`. Returns only with a failure: -1 and *err. */
int run_instead(const char *path, const char *const *argv, struct pl_err *err);

#endif
