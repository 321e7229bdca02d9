/* verdict: of a figure that should lie within bounds */
#include "verify.h"

#include <inttypes.h>

void verdict_within(struct pl_verdict *v, size_t line, const char *what, uint64_t got,
		    uint64_t least, uint64_t slack, const char *from)
{
	if (got >= least && got - least <= slack)
		return;
	bool high = got > least && slack;
	uint64_t bound = !high ? least : least > UINT64_MAX - slack ? UINT64_MAX : least + slack;
	pl_verdict_fail(v, "line %zu: %s is %" PRIu64 ", but %s%" PRIu64 " by %s", line, what, got,
			slack == 0 ? ""
			: high	   ? "at most "
				   : "at least ",
			bound, from);
}
