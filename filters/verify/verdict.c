/* verdict: what a check found, and the first reason for it */
#include "verify.h"

#include <inttypes.h>

static void set(struct verdict *v, enum status status, const char *fmt, va_list ap) PL_PRINTF(3, 0);
static void set(struct verdict *v, enum status status, const char *fmt, va_list ap)
{
	if (v->status != PASSED)
		return;
	v->status = status;
	vsnprintf(v->reason, sizeof v->reason, fmt, ap);
}

void verdict_fail(struct verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(v, FAILED, fmt, ap);
	va_end(ap);
}

void verdict_within(struct verdict *v, size_t line, const char *what, uint64_t got, uint64_t least,
		    uint64_t slack, const char *from)
{
	if (got >= least && got - least <= slack)
		return;
	bool high = got > least && slack;
	uint64_t bound = !high ? least : least > UINT64_MAX - slack ? UINT64_MAX : least + slack;
	verdict_fail(v, "line %zu: %s is %" PRIu64 ", but %s%" PRIu64 " by %s", line, what, got,
		     slack == 0 ? ""
		     : high	? "at most "
				: "at least ",
		     bound, from);
}

void verdict_skip(struct verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(v, SKIPPED, fmt, ap);
	va_end(ap);
}
