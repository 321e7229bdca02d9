/*
 * str: views and growable buffers.
 *
 * struct pl_str is a view: it does not own its bytes, is not NUL-terminated, may hold any byte.
 *   p == NULL means "absent" and then n == 0; an empty string has p != NULL.
 * struct pl_buf owns its bytes. {0} is a valid empty buffer. After any pl_buf_ function that adds,
 *   p[n] == 0 (not counted in n) and n < cap. Adding may move p: views into it die.
 */
#ifndef PL_STR_H
#define PL_STR_H

#include "base.h"
#include <stdarg.h>
#include <string.h>

struct pl_str {
	const char *p;
	size_t n;
};

#define PL_S(literal) ((struct pl_str){"" literal, sizeof(literal) - 1})

static inline struct pl_str pl_str(const char *z)
{
	return (struct pl_str){z, z ? strlen(z) : 0};
}
static inline bool pl_str_eq(struct pl_str a, struct pl_str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool pl_str_is(struct pl_str a, const char *z)
{
	size_t n = strlen(z);
	return a.n == n && (n == 0 || memcmp(a.p, z, n) == 0);
}
bool pl_str_starts(struct pl_str s, const char *prefix);
bool pl_str_ends(struct pl_str s, const char *suffix);
int pl_str_cmp(struct pl_str a, struct pl_str b); /* bytes, then length; absent before empty */
struct pl_str pl_str_trim(struct pl_str s);	  /* blanks (space, tab) off both ends */
struct pl_str pl_str_base(
	struct pl_str path); /* after the last '/'; bracketed names whole (STREAMS: base name) */

struct pl_buf {
	char *p;
	size_t n, cap;
};
void pl_buf_reserve(struct pl_buf *b, size_t extra); /* room for extra bytes and a NUL */
void pl_buf_add(struct pl_buf *b, const void *p, size_t n);
void pl_buf_addz(struct pl_buf *b, const char *z);
void pl_buf_adds(struct pl_buf *b, struct pl_str s);
void pl_buf_addc(struct pl_buf *b, char c);
void pl_buf_printf(struct pl_buf *b, const char *fmt, ...) PL_PRINTF(2, 3);
void pl_buf_vprintf(struct pl_buf *b, const char *fmt, va_list ap) PL_PRINTF(2, 0);
void pl_buf_clear(struct pl_buf *b); /* n = 0, memory kept */
void pl_buf_free(struct pl_buf *b);
static inline struct pl_str pl_buf_str(const struct pl_buf *b)
{
	return (struct pl_str){b->p ? b->p : "", b->n};
}

#endif
