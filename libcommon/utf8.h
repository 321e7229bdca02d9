/* utf8: check, replace, cut, escape for a terminal (RFC 3629: no surrogates, no overlong forms, up
 * to U+10FFFF) */
#ifndef PL_UTF8_H
#define PL_UTF8_H

#include "str.h"

/* Length of the longest prefix that is valid UTF-8 without NUL: s.n when all of it is. Fast on
 * ASCII. */
size_t pl_utf8_valid(struct pl_str s);
/* Length of the character that s begins with, 1 to 4, and what it is in *scalar; 0 when s is empty
 * or its first byte is NUL or begins no valid character. */
size_t pl_utf8_decode(struct pl_str s, uint32_t *scalar);
/*
 * s itself when valid; else a copy in *scratch (cleared first) in which each invalid byte and each
 * NUL is one U+FFFD; *replaced grows by their number. A genuine U+FFFD does not count.
 */
struct pl_str pl_utf8_clean(struct pl_str s, struct pl_buf *scratch, uint64_t *replaced);
/* The first max_chars characters of valid UTF-8 (never cut inside one). */
struct pl_str pl_utf8_cut(struct pl_str s, size_t max_chars);
size_t pl_utf8_chars(struct pl_str s);
/* Columns that a terminal uses for valid UTF-8: 0 for combining and zero-width, 2 for East Asian
 * wide. */
size_t pl_utf8_columns(struct pl_str s);
/*
 * Appends s with everything that could drive a terminal made visible: C0, DEL, C1, bidi controls
 * and overrides, line and paragraph separators, and characters that show nothing, because names
 * could look alike. Bytes (C0, DEL, invalid ones) become \xNN, characters \u{...}, in lower-case
 * digits. The rest stays as it is.
 */
void pl_utf8_terminal(struct pl_buf *out, struct pl_str s);
/*
 * Appends s as pl_utf8_terminal() does. Where that would take over `columns` columns, or s over 16
 * bytes a column, its middle is replaced by a mark of one column ("…"), between whole characters
 * with their combining marks. Nothing for 0 columns. Takes time by columns, not by s.
 */
void pl_utf8_fit(struct pl_buf *out, struct pl_str s, size_t columns);
/* Encodes a scalar value; returns the number of bytes (1 to 4), 0 for what is none. dst has room
 * for 4. */
size_t pl_utf8_encode(char *dst, uint32_t scalar);

#endif
