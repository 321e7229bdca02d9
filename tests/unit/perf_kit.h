/* perf_kit: bytes of perf.data, put together one after the other */
#ifndef PERF_KIT_H
#define PERF_KIT_H

#include "perfdata.h"
#include "unit.h"
#include <stdlib.h>

static inline void put_u16(struct pl_buf *b, uint16_t v)
{
	pl_buf_add(b, &v, sizeof v);
}
static inline void put_u32(struct pl_buf *b, uint32_t v)
{
	pl_buf_add(b, &v, sizeof v);
}
static inline void put_u64(struct pl_buf *b, uint64_t v)
{
	pl_buf_add(b, &v, sizeof v);
}
/* The text and NULs up to `room` bytes. */
static inline void put_text(struct pl_buf *b, const char *text, size_t room)
{
	size_t n = strlen(text);

	pl_buf_add(b, text, n);
	for (; n < room; n++)
		pl_buf_addc(b, '\0');
}
static inline struct pl_bytes view(const struct pl_buf *b)
{
	return (struct pl_bytes){(const unsigned char *)b->p, b->n};
}
/* A record's header; its size is set by end_record(). */
static inline size_t begin_record(struct pl_buf *b, uint32_t type, uint16_t misc)
{
	size_t at = b->n;

	put_u32(b, type);
	put_u16(b, misc);
	put_u16(b, 0);
	return at;
}
static inline void end_record(struct pl_buf *b, size_t at)
{
	uint16_t size = (uint16_t)(b->n - at);

	memcpy(b->p + at + 6, &size, sizeof size);
}
/* Numbers that look like chance, the same in every run (xorshift). */
static inline uint64_t chance(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}
/* Memory that ends where the bytes end, so that a sanitizer sees what reads on; free() it. */
static inline unsigned char *exact(struct pl_bytes b, size_t n)
{
	unsigned char *p = malloc(n ? n : 1);

	memcpy(p, b.p, n);
	return p;
}

#endif
