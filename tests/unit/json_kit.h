/* json_kit: what the tests of the JSON reader share */
#ifndef JSON_KIT_H
#define JSON_KIT_H

#include "json.h"
#include "unit.h"
#include <stdlib.h>

struct text {
	const char *p;
	size_t n;
};
#define T(literal)                           \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

static struct pl_json json;

/* Parses a copy of exactly n bytes, so that a sanitizer sees any read beyond them. The strings of
 * the tape may point into the copy, which lives until the next call. */
static inline int parse(const char *p, size_t n)
{
	static char *copy;

	free(copy);
	copy = malloc(n ? n : 1);
	memcpy(copy, p, n);
	return pl_json_parse(&json, (struct pl_str){copy, n});
}

static inline int parse_z(const char *z)
{
	return parse(z, strlen(z));
}

/* The text between others, far from both ends: what is read eight bytes at a time. */
static inline int parse_within(const char *before, struct text t, const char *after)
{
	struct pl_buf b = {0};

	pl_buf_addz(&b, before);
	pl_buf_add(&b, t.p, t.n);
	pl_buf_addz(&b, after);
	int failed = parse(b.p, b.n);
	pl_buf_free(&b);
	return failed;
}

#endif
