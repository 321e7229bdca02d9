/* num: strict integers, hexadecimal, six-decimal percentages and reals */
#include "num.h"
#include "mem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int pl_num_u64(struct pl_str s, uint64_t *value)
{
	uint64_t v = 0;
	bool fits = true;

	if (s.n == 0)
		return PL_NUM_SYNTAX;
	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return PL_NUM_SYNTAX;
		fits = fits && !__builtin_mul_overflow(v, 10, &v) &&
		       !__builtin_add_overflow(v, (unsigned)(s.p[i] - '0'), &v);
	}
	if (!fits)
		return PL_NUM_RANGE;
	*value = v;
	return PL_NUM_OK;
}

int pl_num_i64(struct pl_str s, int64_t *value)
{
	uint64_t v;
	bool minus = s.n && s.p[0] == '-';

	if (minus) {
		s.p++;
		s.n--;
	}
	int failed = pl_num_u64(s, &v);
	if (failed)
		return failed;
	if (v > (uint64_t)INT64_MAX + minus)
		return PL_NUM_RANGE;
	*value = minus ? (int64_t)(0 - v) : (int64_t)v;
	return PL_NUM_OK;
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int pl_num_hex(struct pl_str s, uint64_t *value)
{
	uint64_t v = 0;

	if (s.n >= 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) {
		s.p += 2;
		s.n -= 2;
	}
	if (s.n == 0)
		return PL_NUM_SYNTAX;
	for (size_t i = 0; i < s.n; i++) {
		int digit = hex_digit(s.p[i]);
		if (digit < 0)
			return PL_NUM_SYNTAX;
		v = v << 4 | (unsigned)digit;
	}
	if (s.n > 16)
		return PL_NUM_RANGE;
	*value = v;
	return PL_NUM_OK;
}

/* Digits and, optionally, K, M or G: the first, second or third power of `unit`. */
static int scaled(struct pl_str s, uint64_t unit, uint64_t *value)
{
	static const char suffixes[] = "KkMmGg";
	const char *suffix = s.n ? memchr(suffixes, s.p[s.n - 1], sizeof suffixes - 1) : NULL;
	uint64_t v;

	s.n -= suffix != NULL;
	int failed = pl_num_u64(s, &v);
	if (failed)
		return failed;
	for (int power = suffix ? (int)(suffix - suffixes) / 2 + 1 : 0; power > 0; power--)
		if (__builtin_mul_overflow(v, unit, &v))
			return PL_NUM_RANGE;
	*value = v;
	return PL_NUM_OK;
}

int pl_num_size(struct pl_str s, uint64_t *value)
{
	return scaled(s, 1024, value);
}

int pl_num_count(struct pl_str s, uint64_t *value)
{
	return scaled(s, 1000, value);
}

static size_t skip_digits(struct pl_str s, size_t from)
{
	while (from < s.n && is_digit(s.p[from]))
		from++;
	return from;
}

size_t pl_num_scan(struct pl_str s, bool *integer)
{
	size_t start = s.n && s.p[0] == '-';
	size_t i = skip_digits(s, start);

	*integer = true;
	if (i == start || (s.p[start] == '0' && i > start + 1))
		return 0;
	if (i < s.n && s.p[i] == '.') {
		*integer = false;
		start = i + 1;
		i = skip_digits(s, start);
		if (i == start)
			return 0;
	}
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		*integer = false;
		start = i + 1;
		if (start < s.n && (s.p[start] == '+' || s.p[start] == '-'))
			start++;
		i = skip_digits(s, start);
		if (i == start)
			return 0;
	}
	return i;
}

int pl_num_real(struct pl_str s, double *value)
{
	char few[64], *text = few;
	bool integer;

	if (s.n == 0 || pl_num_scan(s, &integer) != s.n)
		return PL_NUM_SYNTAX;
	if (s.n >= sizeof few)
		text = pl_realloc(NULL, s.n + 1, 1);
	memcpy(text, s.p, s.n);
	text[s.n] = 0;
	double v = strtod(text, NULL);
	if (text != few)
		free(text);
	if (!isfinite(v))
		return PL_NUM_RANGE;
	*value = v;
	return PL_NUM_OK;
}

static size_t count_digits(uint64_t value)
{
	size_t n = 1;

	for (; value >= 10000; value /= 10000)
		n += 4;
	return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Hot (each frame of each sample): the digits go straight to their places, two at a time. */
size_t pl_num_put_u64(char *dst, uint64_t value)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	size_t n = count_digits(value), at = n;

	for (; at >= 2; value /= 100) {
		at -= 2;
		memcpy(dst + at, pairs + value % 100 * 2, 2);
	}
	if (at)
		*dst = (char)('0' + value);
	return n;
}

size_t pl_num_put_i64(char *dst, int64_t value)
{
	if (value >= 0)
		return pl_num_put_u64(dst, (uint64_t)value);
	*dst = '-';
	return 1 + pl_num_put_u64(dst + 1, 0 - (uint64_t)value);
}

size_t pl_num_put_micro(char *dst, uint64_t micro)
{
	size_t n = pl_num_put_u64(dst, micro / 1000000);
	uint32_t rest = (uint32_t)(micro % 1000000);

	dst[n] = '.';
	for (size_t i = 6; i > 0; i--) {
		dst[n + i] = (char)('0' + rest % 10);
		rest /= 10;
	}
	return n + 7;
}

size_t pl_num_put_real(char *dst, double value)
{
	char text[PL_REAL_MAX];
	int n = snprintf(text, sizeof text, fabs(value) < 1e20 ? "%.6f" : "%.16e", value);
	const char *p = text;

	if (strcmp(text, "-0.000000") == 0) {
		p++;
		n--;
	}
	memcpy(dst, p, (size_t)n);
	return (size_t)n;
}

uint64_t pl_num_percent(uint64_t part, uint64_t total)
{
	if (total == 0)
		return 0;
	unsigned __int128 micro = ((unsigned __int128)part * 100000000 + total / 2) / total;
	return micro > UINT64_MAX ? UINT64_MAX : (uint64_t)micro;
}
