/* verdict: what a check found, the first reason for it, and the records that tell it */
#include "verdict.h"
#include "jsonw.h"
#include "stream.h"
#include "utf8.h"

static void set(struct pl_verdict *v, enum pl_verdict_status status, const char *fmt, va_list ap)
	PL_PRINTF(3, 0);
static void set(struct pl_verdict *v, enum pl_verdict_status status, const char *fmt, va_list ap)
{
	if (v->status != PL_PASSED)
		return;
	v->status = status;
	vsnprintf(v->reason, sizeof v->reason, fmt, ap);
}

void pl_verdict_fail(struct pl_verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(v, PL_FAILED, fmt, ap);
	va_end(ap);
}

void pl_verdict_skip(struct pl_verdict *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(v, PL_SKIPPED, fmt, ap);
	va_end(ap);
}

static void put_check(struct pl_main *m, const char *name, const struct pl_verdict *v)
{
	static const char *const words[] = {"passed", "failed", "skipped"};
	struct pl_jsonw w = {&m->out.buf, false};
	struct pl_str reason = pl_str(v->reason);

	reason.n = pl_utf8_valid(reason); /* it may have been cut inside a character */
	pl_jsonw_record(&w, "check");
	pl_jsonw_kz(&w, "name", name);
	pl_jsonw_kz(&w, "status", words[v->status]);
	pl_jsonw_kstr(&w, "reason", v->status == PL_PASSED ? (struct pl_str){0} : reason);
	pl_jsonw_record_end(&w);
}

static void note(const struct pl_main *m, const char *name, const struct pl_verdict *v)
{
	struct pl_buf reason = {0};

	if (v->status == PL_PASSED)
		return;
	pl_utf8_terminal(&reason, pl_str(v->reason));
	pl_note(m, v->status == PL_FAILED ? _("the check %s failed: %s") : _("%s was skipped: %s"),
		name, reason.p);
	pl_buf_free(&reason);
}

enum pl_exit pl_verdict_report(struct pl_main *m, const char *const *names,
			       const struct pl_verdict *v, size_t n)
{
	struct pl_jsonw w = {&m->out.buf, false};
	size_t with[] = {[PL_PASSED] = 0, [PL_FAILED] = 0, [PL_SKIPPED] = 0};

	for (size_t c = 0; c < n; c++) {
		put_check(m, names[c], &v[c]);
		note(m, names[c], &v[c]);
		with[v[c].status]++;
	}
	if (with[PL_PASSED] < n)
		pl_note(m, _("%zu of %zu checks passed, %zu skipped, %zu failed"), with[PL_PASSED],
			n, with[PL_SKIPPED], with[PL_FAILED]);
	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "records", n);
	pl_stream_seal(&m->out.buf);
	return with[PL_FAILED] ? PL_EXIT_CHECK : PL_EXIT_DONE;
}
