/*
 * json: text to a tape of tokens. Strict RFC 8259; no I/O; no allocation per text after warm-up.
 *
 * Refused, with a message and the byte offset: anything after the value, duplicate members
 * (compared after unescaping), invalid UTF-8, U+0000 (raw or escaped), lone surrogates, raw
 * controls in strings, depth over PL_JSON_DEPTH, texts over 4 GiB, numbers outside the grammar
 * (leading zeros, "+1", ".5", "1.", NaN, …). Not recursive. Integers that fit are kept exactly as
 * u64 or (negative) i64; all other numbers are PL_JSON_REAL and kept as text.
 */
#ifndef PL_JSON_H
#define PL_JSON_H

#include "str.h"
#include <endian.h>

enum { PL_JSON_DEPTH = 64 };
enum pl_json_type {
	PL_JSON_NULL,
	PL_JSON_FALSE,
	PL_JSON_TRUE,
	PL_JSON_UINT, /* 0 to 2^64-1 */
	PL_JSON_INT,  /* -2^63 to -1, and -0 */
	PL_JSON_REAL, /* fraction, exponent, or an integer that does not fit */
	PL_JSON_STRING,
	PL_JSON_ARRAY,
	PL_JSON_OBJECT
};

/*
 * A value. The children of an array are the tokens from index+1 up to (not including)
 * tape[index].next, each child's successor being its own `next`; the children of an object
 * alternate key (a STRING) and value.
 */
struct pl_json_tok {
	uint8_t type;
	uint32_t next;	/* index of the token after this value and all that is in it */
	uint32_t count; /* elements of an array, members of an object; bytes of a string or real */
	union {
		uint64_t u;    /* UINT */
		int64_t i;     /* INT */
		const char *p; /* STRING: unescaped bytes, in the text or in `decoded`; REAL: its
				  text */
	} v;
};

struct pl_json {
	struct pl_json_tok *tape; /* tape[0] is the value */
	size_t n, cap;
	/* of a failure: */
	const char *message; /* static, translated */
	size_t offset;	     /* of the byte in the text */
	/* private */
	struct pl_buf decoded;
	uint32_t *seen;
	size_t seen_cap;
	uint64_t seed;
};

/* Parses the whole of text (white space around the value allowed). 0, or -1 with message and
 * offset. The tape and its strings live until the next call; text must live as long. `json` starts
 * as {0}. */
int pl_json_parse(struct pl_json *json, struct pl_str text) PL_MUST_CHECK;
void pl_json_free(struct pl_json *json);

static inline struct pl_str pl_json_str(const struct pl_json *json, uint32_t tok)
{
	return (struct pl_str){json->tape[tok].v.p, json->tape[tok].count};
}
/* Of the eight bytes at p: the top bit of each that a string cannot hold as it is (quote,
 * backslash, control) is set in the result. Exact up to and with the first of them, which is what
 * pl_json_first() finds; 0 when there is none. */
static inline uint64_t pl_json_special(const char *p)
{
	const uint64_t ones = 0x0101010101010101, tops = ones << 7;
	uint64_t w;

	memcpy(&w, p, sizeof w);
	w = le64toh(w);
	uint64_t quote = w ^ ones * '"', backslash = w ^ ones * '\\';
	return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) |
		((w - ones * 0x20) & ~w)) &
	       tops;
}
static inline size_t pl_json_first(uint64_t special)
{
	return (size_t)__builtin_ctzll(special) / 8;
}
/* The value token of member `name` of the object at `object`, or 0 (never a member's index) when it
 * has none. */
uint32_t pl_json_member(const struct pl_json *json, uint32_t object, const char *name);

#endif
