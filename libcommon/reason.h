/* reason: why the functions or lines of a module are not known, as pl-symbolize says it in module
 * records, and what would cure it */
#ifndef PL_REASON_H
#define PL_REASON_H

#include "str.h"

/* The one that only pl-aggregate can tell, from all the frames of a module. */
#define PL_REASON_JIT_MAP_INCOMPLETE "JIT_MAP_INCOMPLETE"

/* What to do about it, for people; NULL: nothing is known. */
const char *pl_reason_fix(struct pl_str reason);

#endif
