/* dso: names of DSOs, and how those of one object are brought together. */
#ifndef PL_DSO_H
#define PL_DSO_H

#include "str.h"

/*
 * The name without what differs from run to run (STREAMS.md section 3, "Definitions"): code of a
 * JIT compiler is of "[jit]", "/memfd:NAME (deleted)" of "memfd:NAME", and " (deleted)" goes, which
 * *deleted tells. Directories stay. A view into the argument, or a literal; absent stays absent.
 */
struct pl_str pl_dso_normal(struct pl_str dso, bool *deleted);

#endif
