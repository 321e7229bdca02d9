/*
 * err: what went wrong, where, and what to do: the errors of STREAMS.md section 5.
 *
 * Library functions that can fail return -1 (or NULL) and leave a struct pl_err filled, in the
 * struct they work on or in one passed by the caller. Only programs print it and exit (program.h).
 */
#ifndef PL_ERR_H
#define PL_ERR_H

#include "str.h"

enum pl_code {
	PL_E_NONE,
	PL_E_INVALID_INPUT,
	PL_E_UNSUPPORTED_FORMAT,
	PL_E_PROFILE_PARSE_FAILED,
	PL_E_STREAM_TRUNCATED,
	PL_E_NO_SAMPLES,
	PL_E_DIGEST_MISMATCH,
	PL_E_RESOURCE_LIMIT_EXCEEDED,
	PL_E_WEIGHT_OVERFLOW,
	PL_E_PATH_SAFETY_VIOLATION,
	PL_E_OUTPUT_WRITE_FAILED,
	PL_E_AUTHORIZATION_REQUIRED,
	PL_E_EXTERNAL_TOOL_FAILED,
	PL_E_EXTERNAL_TOOL_TIMEOUT,
	PL_E_INTERNAL_ERROR,
	PL_E_COUNT
};

enum pl_exit {
	PL_EXIT_DONE = 0,
	PL_EXIT_CHECK = 1, /* only where the manual says so */
	PL_EXIT_USAGE = 2,
	PL_EXIT_FORMAT = 3,
	PL_EXIT_LIMIT = 4,
	PL_EXIT_PATH = 5,
	PL_EXIT_TOOL = 6,
	PL_EXIT_INTERNAL = 70
};

struct pl_err {
	enum pl_code code;
	char message[768]; /* a sentence without the program's name, file and line; translated */
	char file[256];	   /* "" where no file is concerned */
	uint64_t line;	   /* 0 where no line is */
	char action[256];  /* what to do about it; "" where there is nothing to say */
};

/* Fills *e; truncates at the arrays' ends. Returns -1, so that callers can `return
 * pl_err_set(...)`. */
int pl_err_set(struct pl_err *e, enum pl_code code, const char *fmt, ...) PL_PRINTF(3, 4);
int pl_err_at(struct pl_err *e, const char *file, uint64_t line); /* adds the place; returns -1 */
int pl_err_action(struct pl_err *e, const char *fmt, ...)
	PL_PRINTF(2, 3); /* adds what to do; returns -1 */

const char *pl_code_name(enum pl_code code); /* "INVALID_INPUT" */
enum pl_exit pl_code_exit(enum pl_code code);

/* One line for people, "PROGRAM: FILE:LINE: message; action\n", controls escaped for a terminal. */
void pl_err_text(const struct pl_err *e, const char *program, struct pl_buf *out);
/* One line of perflens.error; `stage` is where it happened (a program's name without "pl-"). */
void pl_err_json(const struct pl_err *e, const char *stage, struct pl_buf *out);

#endif
