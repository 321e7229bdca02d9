/* diag: diagnostics of a reader of foreign bytes: all are counted by code, the first are kept as
 * records */
#ifndef PL_DIAG_H
#define PL_DIAG_H

#include "jsonw.h"

enum { PL_DIAG_CODES = 64, PL_DIAG_PREVIEW = 200 };

struct pl_diag {
	struct pl_diag_count {
		const char
			*code; /* static or interned by the caller: lives as long as the struct */
		uint64_t count;
	} codes[PL_DIAG_CODES];
	size_t n;
	uint64_t kept, max_kept; /* records written, and their limit (--max-warnings) */
};

/* Where it is: in a text a line, else a byte. */
struct pl_diag_place {
	uint64_t input, at;
	bool is_offset;
};
/*
 * Counts `code` and, while fewer than max_kept were written, writes a diagnostic record to buf.
 * `preview` is cut to 200 characters. Any bytes of preview are made valid UTF-8.
 */
void pl_diag_add(struct pl_diag *d, struct pl_buf *buf, const char *code,
		 struct pl_diag_place place, const char *message, struct pl_str preview);
void pl_diag_count(struct pl_diag *d, const char *code, uint64_t n);
/* KEY:{code: count, …}, codes in byte order */
void pl_diag_counts(const struct pl_diag *d, const char *key, struct pl_jsonw *w);

#endif
