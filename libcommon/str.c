/* str: views and growable buffers */
#include "str.h"
#include "mem.h"
#include <stdio.h>
#include <stdlib.h>

enum { BUF_LEAST = 64 };

bool pl_str_starts(struct pl_str s, const char *prefix)
{
	size_t n = strlen(prefix);
	return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool pl_str_ends(struct pl_str s, const char *suffix)
{
	size_t n = strlen(suffix);
	return s.n >= n && (n == 0 || memcmp(s.p + (s.n - n), suffix, n) == 0);
}

int pl_str_cmp(struct pl_str a, struct pl_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;
	if (order)
		return order;
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	return (a.p != NULL) - (b.p != NULL);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct pl_str pl_str_trim(struct pl_str s)
{
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	while (s.n && is_blank(*s.p)) {
		s.p++;
		s.n--;
	}
	return s;
}

struct pl_str pl_str_base(struct pl_str path)
{
	if (path.n >= 2 && path.p[0] == '[' && path.p[path.n - 1] == ']')
		return path;
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
	if (!slash)
		return path;
	size_t skip = (size_t)(slash + 1 - path.p);
	return (struct pl_str){path.p + skip, path.n - skip};
}

void pl_buf_reserve(struct pl_buf *b, size_t extra)
{
	size_t want;
	if (extra < b->cap - b->n)
		return;
	if (__builtin_add_overflow(b->n, extra, &want) || want == SIZE_MAX)
		want = SIZE_MAX - 1; /* which no allocation can satisfy */
	want++;
	size_t cap = b->cap + b->cap / 2;
	if (cap < BUF_LEAST)
		cap = BUF_LEAST;
	if (cap < want)
		cap = want;
	b->p = pl_realloc(b->p, cap, 1);
	b->cap = cap;
	b->p[b->n] = 0;
}

void pl_buf_add(struct pl_buf *b, const void *p, size_t n)
{
	pl_buf_reserve(b, n);
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = 0;
}

void pl_buf_addz(struct pl_buf *b, const char *z)
{
	pl_buf_add(b, z, strlen(z));
}

void pl_buf_adds(struct pl_buf *b, struct pl_str s)
{
	pl_buf_add(b, s.p, s.n);
}

void pl_buf_addc(struct pl_buf *b, char c)
{
	pl_buf_reserve(b, 1);
	b->p[b->n++] = c;
	b->p[b->n] = 0;
}

void pl_buf_printf(struct pl_buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	pl_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void pl_buf_vprintf(struct pl_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	pl_buf_reserve(b, 0);
	int n = vsnprintf(b->p + b->n, b->cap - b->n, fmt, ap);
	if (n > 0 && (size_t)n >= b->cap - b->n) {
		pl_buf_reserve(b, (size_t)n);
		n = vsnprintf(b->p + b->n, b->cap - b->n, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->n += (size_t)n;
	b->p[b->n] = 0; /* also when the text could not be formatted */
}

void pl_buf_clear(struct pl_buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = 0;
}

void pl_buf_free(struct pl_buf *b)
{
	free(b->p);
	*b = (struct pl_buf){0};
}
