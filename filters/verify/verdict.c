/* verdict: what a check found, and the first reason for it */
#include "verify.h"

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

void verdict_skip(struct verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(v, SKIPPED, fmt, ap);
	va_end(ap);
}
