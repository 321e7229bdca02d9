/* context: lines of a source file as the member `lines` of a record, safe to show */
#ifndef SOURCE_CONTEXT_H
#define SOURCE_CONTEXT_H

#include "jsonw.h"

/* {0} is an empty one. */
struct context {
	struct pl_buf json; /* [{"line":…,"text":…},… */
	/* private */
	struct pl_jsonw w;
	struct pl_buf clean, shown;
};

/*
 * Adds a line, of any bytes, without its end. `cut`: these are only its first bytes. Bytes that are
 * no UTF-8 become U+FFFD and are counted in `replaced`; what could drive a terminal or mislead its
 * reader is written as visible escapes (pl_utf8_terminal) and the line marked `escaped`; tabs stay.
 */
void context_add(struct context *c, uint64_t number, struct pl_str line, bool cut);
/* The whole array; valid until context_free(). */
struct pl_str context_end(struct context *c);
void context_free(struct context *c);

#endif
