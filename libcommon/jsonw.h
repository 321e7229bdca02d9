/*
 * jsonw: writes canonical JSON (STREAMS.md section 1) into a buffer: begin, member, end; no tree.
 *
 * Strings must be valid UTF-8 without NUL (pl_utf8_clean); the writer escapes only what JSON
 * demands. The caller keeps begin and end paired. Keys are plain ASCII literals.
 */
#ifndef PL_JSONW_H
#define PL_JSONW_H

#include "json.h"
#include "str.h"

struct pl_jsonw {
	struct pl_buf *buf;
	bool comma; /* a comma is due before the next key or value */
};

void pl_jsonw_begin(struct pl_jsonw *w, char bracket); /* '{' or '[' as a value */
void pl_jsonw_end(struct pl_jsonw *w, char bracket);   /* '}' or ']' */
void pl_jsonw_key(struct pl_jsonw *w, const char *key);
void pl_jsonw_keys(struct pl_jsonw *w, struct pl_str key); /* a key that is data: escaped */
void pl_jsonw_str(struct pl_jsonw *w, struct pl_str s);	   /* absent: null */
void pl_jsonw_u64(struct pl_jsonw *w, uint64_t v);
void pl_jsonw_i64(struct pl_jsonw *w, int64_t v);
void pl_jsonw_micro(struct pl_jsonw *w, uint64_t micro); /* six decimals */
void pl_jsonw_real(struct pl_jsonw *w, double v);	 /* six decimals; null when not finite */
void pl_jsonw_bool(struct pl_jsonw *w, bool v);
void pl_jsonw_null(struct pl_jsonw *w);
void pl_jsonw_raw(struct pl_jsonw *w, struct pl_str json); /* one whole value, already canonical */
/* A value of a tape, in canonical form (members in the order they have). Not recursive. */
void pl_jsonw_value(struct pl_jsonw *w, const struct pl_json *json, uint32_t tok);
/* {"type":"TYPE" … */
void pl_jsonw_record(struct pl_jsonw *w, const char *type);
/* … }\n */
void pl_jsonw_record_end(struct pl_jsonw *w);

/* key and value in one call */
void pl_jsonw_kstr(struct pl_jsonw *w, const char *key, struct pl_str s);
void pl_jsonw_kz(struct pl_jsonw *w, const char *key, const char *z);
void pl_jsonw_ku64(struct pl_jsonw *w, const char *key, uint64_t v);
/* Not written when it is 0: a member that is absent says the same. */
void pl_jsonw_kcount(struct pl_jsonw *w, const char *key, uint64_t v);
void pl_jsonw_kmicro(struct pl_jsonw *w, const char *key, uint64_t micro);
void pl_jsonw_kreal(struct pl_jsonw *w, const char *key, double v);
void pl_jsonw_kbool(struct pl_jsonw *w, const char *key, bool v);
void pl_jsonw_knull(struct pl_jsonw *w, const char *key);
void pl_jsonw_kbegin(struct pl_jsonw *w, const char *key, char bracket);

#endif
