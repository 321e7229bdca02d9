/* num: strict integers, hexadecimal, six-decimal percentages and reals. Programs leave LC_NUMERIC
 * alone, so the point is always '.'. */
#ifndef PL_NUM_H
#define PL_NUM_H

#include "str.h"

enum { PL_NUM_OK = 0, PL_NUM_SYNTAX = -1, PL_NUM_RANGE = -2 };

/* The whole of s is decimal digits (no sign, no blanks, leading zeros allowed): 0, else
 * PL_NUM_SYNTAX or PL_NUM_RANGE. */
int pl_num_u64(struct pl_str s, uint64_t *value);
int pl_num_i64(struct pl_str s, int64_t *value);  /* one optional '-' */
int pl_num_hex(struct pl_str s, uint64_t *value); /* "0x" or "0X" optional, 1 to 16 digits */
/* Digits and, perhaps, one of K M G (powers of 1024) in either case. */
int pl_num_size(struct pl_str s, uint64_t *value);
/* The same for counts, in powers of 1000. */
int pl_num_count(struct pl_str s, uint64_t *value);
/* Length of the JSON number that s begins with: digits, fraction and exponent as far as they go; 0
 * when it begins with none, or with one that is cut short ("-", "1.", "1e"). *integer: it has
 * neither fraction nor exponent. */
size_t pl_num_scan(struct pl_str s, bool *integer);
/* A finite JSON number, wholly; correctly rounded. 0, PL_NUM_SYNTAX, or PL_NUM_RANGE for what
 * overflows a double. */
int pl_num_real(struct pl_str s, double *value);

enum { PL_NUM_MAX = 24, PL_REAL_MAX = 32 }; /* room that the functions below need */
/* Writes decimal digits, no NUL; returns how many (at most 20). */
size_t pl_num_put_u64(char *dst, uint64_t value);
size_t pl_num_put_i64(char *dst, int64_t value);
/* Millionths as a number with six decimals: 59823400 -> 59.823400. No NUL; at most PL_NUM_MAX
 * bytes. */
size_t pl_num_put_micro(char *dst, uint64_t micro);
/* A finite real with six decimals, or from 1e20 up with 17 digits and an exponent; no NUL. What
 * rounds to zero has no sign. */
size_t pl_num_put_real(char *dst, double value);

/* part / total in millionths of a percent, half up, from integers: 271 of 453 -> 59823400. 0 when
 * total is 0; 2^64-1 for what does not fit. */
uint64_t pl_num_percent(uint64_t part, uint64_t total);
/* The sum, or false when it does not fit 64 bits (*sum is then unchanged). */
static inline bool pl_num_add(uint64_t *sum, uint64_t v)
{
	if (v > UINT64_MAX - *sum)
		return false;
	*sum += v;
	return true;
}

#endif
