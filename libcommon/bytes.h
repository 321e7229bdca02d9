/* bytes: numbers and texts taken off the front of binary data whose lengths nobody vouches for */
#ifndef PL_BYTES_H
#define PL_BYTES_H

#include "str.h"

/* A view, as struct pl_str, of what is no text. */
struct pl_bytes {
	const unsigned char *p;
	size_t n;
};

/* Once it was asked for more than there is, `bad` is set, and all that was lacking is 0. Numbers
 * have this machine's byte order, and need not be aligned. */
struct pl_reader {
	const unsigned char *p, *end;
	bool bad;
};
/* Of an absent view (p NULL), too: then nothing is left. */
static inline struct pl_reader pl_reader(struct pl_bytes b)
{
	const unsigned char *p = b.p ? b.p : (const unsigned char *)"";

	return (struct pl_reader){p, p + b.n, false};
}
static inline size_t pl_left(const struct pl_reader *r)
{
	return (size_t)(r->end - r->p);
}
static inline uint64_t pl_take_u64(struct pl_reader *r)
{
	uint64_t v = 0;

	if (pl_left(r) < sizeof v) {
		r->bad = true;
		return 0;
	}
	memcpy(&v, r->p, sizeof v);
	r->p += sizeof v;
	return v;
}
static inline uint32_t pl_take_u32(struct pl_reader *r)
{
	uint32_t v = 0;

	if (pl_left(r) < sizeof v) {
		r->bad = true;
		return 0;
	}
	memcpy(&v, r->p, sizeof v);
	r->p += sizeof v;
	return v;
}
/* n bytes as they are; none when there are fewer. */
static inline struct pl_bytes pl_take_bytes(struct pl_reader *r, uint64_t n)
{
	struct pl_bytes b = {r->p, (size_t)n};

	if (pl_left(r) < n) {
		r->bad = true;
		return (struct pl_bytes){r->p, 0};
	}
	r->p += n;
	return b;
}

#endif
