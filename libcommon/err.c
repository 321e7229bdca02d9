/* err: the table of error codes and the two ways in which an error is shown */
#include "err.h"
#include "hash.h"
#include "jsonw.h"
#include "utf8.h"

#include <inttypes.h>

static const struct {
	const char *name;
	enum pl_exit status;
	bool recoverable; /* the caller can mend its input, options or machine and go on */
	bool retryable;	  /* the same call may succeed later */
} codes[PL_E_COUNT] = {
	[PL_E_NONE] = {"NONE", PL_EXIT_DONE, true, false},
	[PL_E_INVALID_INPUT] = {"INVALID_INPUT", PL_EXIT_USAGE, true, false},
	[PL_E_UNSUPPORTED_FORMAT] = {"UNSUPPORTED_FORMAT", PL_EXIT_FORMAT, true, false},
	[PL_E_PROFILE_PARSE_FAILED] = {"PROFILE_PARSE_FAILED", PL_EXIT_FORMAT, true, false},
	[PL_E_STREAM_TRUNCATED] = {"STREAM_TRUNCATED", PL_EXIT_FORMAT, true, false},
	[PL_E_NO_SAMPLES] = {"NO_SAMPLES", PL_EXIT_FORMAT, true, false},
	[PL_E_DIGEST_MISMATCH] = {"DIGEST_MISMATCH", PL_EXIT_FORMAT, true, false},
	[PL_E_RESOURCE_LIMIT_EXCEEDED] = {"RESOURCE_LIMIT_EXCEEDED", PL_EXIT_LIMIT, true, false},
	[PL_E_WEIGHT_OVERFLOW] = {"WEIGHT_OVERFLOW", PL_EXIT_LIMIT, true, false},
	[PL_E_PATH_SAFETY_VIOLATION] = {"PATH_SAFETY_VIOLATION", PL_EXIT_PATH, true, false},
	[PL_E_OUTPUT_WRITE_FAILED] = {"OUTPUT_WRITE_FAILED", PL_EXIT_PATH, true, true},
	[PL_E_AUTHORIZATION_REQUIRED] = {"AUTHORIZATION_REQUIRED", PL_EXIT_PATH, true, false},
	[PL_E_EXTERNAL_TOOL_FAILED] = {"EXTERNAL_TOOL_FAILED", PL_EXIT_TOOL, true, false},
	[PL_E_EXTERNAL_TOOL_TIMEOUT] = {"EXTERNAL_TOOL_TIMEOUT", PL_EXIT_TOOL, true, true},
	[PL_E_INTERNAL_ERROR] = {"INTERNAL_ERROR", PL_EXIT_INTERNAL, false, false},
};

int pl_err_set(struct pl_err *e, enum pl_code code, const char *fmt, ...)
{
	va_list ap;

	memset(e, 0, sizeof *e);
	e->code = code;
	va_start(ap, fmt);
	vsnprintf(e->message, sizeof e->message, fmt, ap);
	va_end(ap);
	return -1;
}

int pl_err_at(struct pl_err *e, const char *file, uint64_t line)
{
	snprintf(e->file, sizeof e->file, "%s", file ? file : "");
	e->line = line;
	return -1;
}

int pl_err_action(struct pl_err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->action, sizeof e->action, fmt, ap);
	va_end(ap);
	return -1;
}

const char *pl_code_name(enum pl_code code)
{
	return codes[code < PL_E_COUNT ? code : PL_E_INTERNAL_ERROR].name;
}

enum pl_exit pl_code_exit(enum pl_code code)
{
	return codes[code < PL_E_COUNT ? code : PL_E_INTERNAL_ERROR].status;
}

void pl_err_text(const struct pl_err *e, const char *program, struct pl_buf *out)
{
	struct pl_buf plain = {0};

	if (e->file[0])
		pl_buf_printf(&plain, "%s:", e->file);
	if (e->file[0] && e->line)
		pl_buf_printf(&plain, "%" PRIu64 ":", e->line);
	if (e->file[0])
		pl_buf_addc(&plain, ' ');
	pl_buf_addz(&plain, e->message);
	if (e->action[0])
		pl_buf_printf(&plain, "; %s", e->action);
	pl_buf_printf(out, "%s: ", program);
	pl_utf8_terminal(out, pl_buf_str(&plain));
	pl_buf_addc(out, '\n');
	pl_buf_free(&plain);
}

/* "err-" and the first 16 digits of SHA-256 of "code:stage:message" */
static void error_id(const struct pl_err *e, const char *stage, char id[24])
{
	struct pl_sha256 h;
	char hex[PL_SHA256_HEX + 1];
	struct pl_buf text = {0};

	pl_buf_printf(&text, "%s:%s:%s", pl_code_name(e->code), stage, e->message);
	pl_sha256_start(&h);
	pl_sha256_add(&h, text.p, text.n);
	pl_sha256_end(&h, hex);
	snprintf(id, 24, "err-%.16s", hex);
	pl_buf_free(&text);
}

void pl_err_json(const struct pl_err *e, const char *stage, struct pl_buf *out)
{
	struct pl_jsonw w = {.buf = out};
	struct pl_buf scratch = {0};
	uint64_t replaced = 0;
	char id[24];

	error_id(e, stage, id);
	pl_jsonw_record(&w, "error");
	pl_jsonw_kz(&w, "schema", "perflens.error");
	pl_jsonw_kz(&w, "version", "1.0");
	pl_jsonw_kz(&w, "error_id", id);
	pl_jsonw_kz(&w, "code", pl_code_name(e->code));
	pl_jsonw_kz(&w, "stage", stage);
	pl_jsonw_kstr(&w, "message", pl_utf8_clean(pl_str(e->message), &scratch, &replaced));
	if (e->file[0])
		pl_jsonw_kstr(&w, "file", pl_utf8_clean(pl_str(e->file), &scratch, &replaced));
	if (e->line)
		pl_jsonw_ku64(&w, "line", e->line);
	pl_jsonw_kbool(&w, "recoverable", codes[e->code].recoverable);
	pl_jsonw_kbool(&w, "retryable", codes[e->code].retryable);
	pl_jsonw_kbegin(&w, "details", '{');
	pl_jsonw_end(&w, '}');
	pl_jsonw_kbegin(&w, "suggested_actions", '[');
	if (e->action[0])
		pl_jsonw_str(&w, pl_utf8_clean(pl_str(e->action), &scratch, &replaced));
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
	pl_buf_free(&scratch);
}
