/* json: text to a tape of tokens, strictly */
#include "json.h"
#include "intern.h"
#include "mem.h"
#include "num.h"
#include "text.h"
#include "utf8.h"
#include <stdlib.h>
#include <sys/random.h>

enum { FEW_MEMBERS = 16 }; /* up to here comparing each with each is cheaper than hashing */

struct parser {
	const char *text, *p, *end;
	struct pl_json *json;
	size_t depth;
	uint32_t open[PL_JSON_DEPTH]; /* tokens of the containers that p is in */
};

static bool fail(struct parser *s, const char *at, const char *message)
{
	s->p = at;
	s->json->message = message;
	return false;
}

/* Not inlined, so that push() is. */
static __attribute__((noinline)) void grow(struct pl_json *json)
{
	PL_GROW(json->tape, json->n + 1, json->cap);
}

static inline struct pl_json_tok *push(struct pl_json *json, enum pl_json_type type)
{
	if (json->n == json->cap)
		grow(json);
	struct pl_json_tok *t = &json->tape[json->n++];
	*t = (struct pl_json_tok){.type = (uint8_t)type, .next = (uint32_t)json->n};
	return t;
}

static size_t left(const struct parser *s)
{
	return (size_t)(s->end - s->p);
}

static char after_blanks(struct parser *s)
{
	for (; s->p < s->end; s->p++) {
		char c = *s->p;
		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return c;
	}
	return 0;
}

/* The next byte that is no white space, or NUL (which fits nowhere) at the end. */
static inline char peek(struct parser *s)
{
	return s->p<s->end && * s->p> ' ' ? *s->p : after_blanks(s);
}

/* ---- strings ---- */

/* As pl_json_special(), for bytes beyond ASCII too. */
static inline uint64_t special_or_beyond(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof w);
	return pl_json_special(p) | (le64toh(w) & 0x8080808080808080);
}

/* From p to the first quote, backslash, control or invalid byte, or to the end. */
static const char *plain(const char *p, const char *end)
{
	uint32_t scalar;

	for (;;) {
		for (; end - p >= 8; p += 8) {
			uint64_t special = special_or_beyond(p);
			if (special) {
				p += pl_json_first(special);
				break;
			}
		}
		if (p == end || (unsigned char)*p < 0x20 || *p == '"' || *p == '\\')
			return p;
		size_t n = pl_utf8_decode((struct pl_str){p, (size_t)(end - p)}, &scalar);
		if (n == 0)
			return p;
		p += n;
	}
}

/* The end of a string of less than eight bytes, as most names are, if it is one; else as plain().
 */
static inline const char *plain_short(const char *p, const char *end)
{
	if (end - p >= 8) {
		uint64_t special = special_or_beyond(p);
		if (special && p[pl_json_first(special)] == '"')
			return p + pl_json_first(special);
	}
	return plain(p, end);
}

/* Four hexadecimal digits at p, or -1. */
static long hex4(const char *p, const char *end)
{
	uint64_t v;

	if (end - p < 4 || p[1] == 'x' || p[1] == 'X')
		return -1;
	return pl_num_hex((struct pl_str){p, 4}, &v) ? -1 : (long)v;
}

/* The escape \uXXXX at s->p, or a pair of them. */
static bool unicode_escape(struct parser *s)
{
	const char *at = s->p;
	char bytes[4];
	long c = hex4(at + 2, s->end);

	if (c < 0)
		return fail(s, at, _("malformed escape"));
	s->p += 6;
	if (c >= 0xd800 && c < 0xdc00 && left(s) >= 6 && s->p[0] == '\\' && s->p[1] == 'u') {
		long low = hex4(s->p + 2, s->end);
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			s->p += 6;
		}
	}
	if (c == 0)
		return fail(s, at, _("U+0000 is not allowed"));
	size_t n = pl_utf8_encode(bytes, (uint32_t)c);
	if (n == 0)
		return fail(s, at, _("lone surrogate"));
	pl_buf_add(&s->json->decoded, bytes, n);
	return true;
}

/* The escape at s->p, a backslash. */
static bool escape(struct parser *s)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char c = left(s) > 1 ? s->p[1] : 0;

	if (c == 'u')
		return unicode_escape(s);
	const char *found = c ? strchr(from, c) : NULL;
	if (!found)
		return fail(s, s->p, _("malformed escape"));
	pl_buf_addc(&s->json->decoded, to[found - from]);
	s->p += 2;
	return true;
}

static bool not_in_string(struct parser *s)
{
	if (s->p == s->end)
		return fail(s, s->p, _("the string has no end"));
	if ((unsigned char)*s->p < 0x20)
		return fail(s, s->p, _("control character in a string"));
	return fail(s, s->p, _("invalid UTF-8"));
}

/* A string with escapes; s->p is after its quote, q is what plain() stopped at. */
static bool escaped_string(struct parser *s, const char *q, struct pl_str *value)
{
	struct pl_buf *b = &s->json->decoded;

	/* Unescaped text is never longer: reserved once, the buffer does not move. */
	if (b->n == 0)
		pl_buf_reserve(b, left(s));
	size_t start = b->n;
	for (;; q = plain(s->p, s->end)) {
		pl_buf_add(b, s->p, (size_t)(q - s->p));
		s->p = q;
		if (q == s->end || (*q != '"' && *q != '\\'))
			return not_in_string(s);
		if (*q == '"')
			break;
		if (!escape(s))
			return false;
	}
	s->p++;
	*value = (struct pl_str){b->p + start, b->n - start};
	return true;
}

/* The string whose opening quote is at s->p. */
static bool string(struct parser *s)
{
	const char *start = ++s->p, *q = plain_short(start, s->end);
	struct pl_str value = {start, (size_t)(q - start)};

	if (q < s->end && *q == '"')
		s->p = q + 1;
	else if (!escaped_string(s, q, &value))
		return false;
	struct pl_json_tok *t = push(s->json, PL_JSON_STRING);
	t->count = (uint32_t)value.n;
	t->v.p = value.p;
	return true;
}

/* ---- numbers ---- */

/*
 * The plain integer of 1 to 7 digits at p, of which eight bytes can be read, if `,` follows it: its
 * length, or 0. What decides the length is as short as can be, because the next number waits for
 * it: a comma is the one byte that may follow here and has no 0x10. That the others are digits is
 * tested beside.
 */
static inline size_t integer7(const char *p, uint64_t *v)
{
	const uint64_t ones = 0x0101010101010101, tops = ones << 7;
	uint64_t w;

	memcpy(&w, p, sizeof w);
	w = le64toh(w);
	uint64_t stop = ~w & (ones << 4);
	if (!stop)
		return 0;
	size_t n = pl_json_first(stop);
	if (n == 0 || p[n] != ',' || (n > 1 && *p == '0'))
		return 0;
	/* zeros in front make it eight digits; then pairs, fours, eights */
	w = (w ^ ones * '0') << 8 * (8 - n);
	if (((w + ones * 118) | w) & tops)
		return 0;
	w = w * 10 + (w >> 8);
	*v = ((w & 0x000000ff000000ff) * (100 + (1000000ull << 32)) +
	      (w >> 16 & 0x000000ff000000ff) * (1 + (10000ull << 32))) >>
	     32;
	return n;
}

/* The plain integer of 1 to 19 digits at p, if `,`, `]` or `}` follows it: its length, or 0. */
static inline size_t integer_plain(const char *p, const char *end, uint64_t *v)
{
	enum { DIGITS_MAX = 19 }; /* 10^19 - 1 is less than 2^64 */
	const char *q = p;
	uint64_t u = 0;

	for (; q < end && *q >= '0' && *q <= '9'; q++)
		u = u * 10 + (uint64_t)(*q - '0');
	size_t n = (size_t)(q - p);
	if (n == 0 || n > DIGITS_MAX || q == end || (*q != ',' && *q != ']' && *q != '}') ||
	    (n > 1 && *p == '0'))
		return 0;
	*v = u;
	return n;
}

/* `N,` again and again, as long as each N is a short plain integer: what stacks are made of. What
 * else there is the general road takes. Returns how many. */
static uint32_t integers(struct parser *s)
{
	const char *p = s->p;
	uint32_t count = 0;
	uint64_t v;
	size_t n;

	while (s->end - p >= 8 && (n = integer7(p, &v)) != 0) {
		push(s->json, PL_JSON_UINT)->v.u = v;
		count++;
		p += n + 1;
	}
	s->p = p;
	return count;
}

static bool number(struct parser *s)
{
	struct pl_str text = {s->p, left(s)};
	bool integer;
	uint64_t u = 0;
	int64_t i = 0;
	size_t n = text.n >= 8 ? integer7(s->p, &u) : 0;

	if (n == 0)
		n = integer_plain(s->p, s->end, &u);
	if (n) {
		push(s->json, PL_JSON_UINT)->v.u = u;
		s->p += n;
		return true;
	}
	text.n = pl_num_scan(text, &integer);
	if (text.n == 0)
		return fail(s, s->p, _("malformed number"));
	s->p += text.n;
	if (integer && pl_num_u64(text, &u) == 0) {
		push(s->json, PL_JSON_UINT)->v.u = u;
	} else if (integer && pl_num_i64(text, &i) == 0) {
		push(s->json, PL_JSON_INT)->v.i = i;
	} else {
		struct pl_json_tok *t = push(s->json, PL_JSON_REAL);
		t->count = (uint32_t)text.n;
		t->v.p = text.p;
	}
	return true;
}

/* ---- duplicate members ---- */

static bool same(const struct pl_json *json, uint32_t a, uint32_t b)
{
	return pl_str_eq(pl_json_str(json, a), pl_json_str(json, b));
}

/* One of 64 bits for a name: names with different bits differ. Those of a sample are all different,
 * and nearly all of other records. */
static inline uint64_t bit_of(const struct pl_json_tok *name)
{
	unsigned n = name->count, first, second;

	if (n == 0)
		return 1;
	first = (unsigned char)name->v.p[0];
	second = (unsigned char)name->v.p[n > 1];
	return 1ull << ((first + second + 8 * n) & 63);
}

/* Are the bits of an object's names all different? Then so are the names, which saves comparing
 * each with each. */
static bool bits_differ(const struct pl_json *json, uint32_t object)
{
	const struct pl_json_tok *tape = json->tape;
	uint64_t seen = 0;

	for (uint32_t i = object + 1; i < tape[object].next; i = tape[i + 1].next) {
		uint64_t bit = bit_of(&tape[i]);
		if (seen & bit)
			return false;
		seen |= bit;
	}
	return true;
}

/* The key that stood before in the object, or 0. */
static uint32_t twice_of_few(const struct pl_json *json, uint32_t object)
{
	const struct pl_json_tok *tape = json->tape;

	for (uint32_t i = object + 1; i < tape[object].next; i = tape[i + 1].next) {
		for (uint32_t j = object + 1; j < i; j = tape[j + 1].next) {
			if (same(json, i, j))
				return i;
		}
	}
	return 0;
}

/* The same by a table of tokens, at most half full; 0 is free. */
static uint32_t twice_of_many(struct pl_json *json, uint32_t object)
{
	const struct pl_json_tok *tape = json->tape;
	size_t size = 2 * FEW_MEMBERS;

	while (size < 2 * (size_t)tape[object].count)
		size *= 2;
	PL_GROW(json->seen, size, json->seen_cap);
	memset(json->seen, 0, size * sizeof *json->seen);
	/* A name is hashed with a seed that nobody outside knows, or else at least an address. */
	if (json->seed == 0 && getrandom(&json->seed, sizeof json->seed, GRND_NONBLOCK) < 0)
		json->seed = (uintptr_t)json->seen;
	for (uint32_t i = object + 1; i < tape[object].next; i = tape[i + 1].next) {
		size_t slot = pl_hash_bytes(tape[i].v.p, tape[i].count, json->seed) & (size - 1);
		for (; json->seen[slot]; slot = (slot + 1) & (size - 1)) {
			if (same(json, i, json->seen[slot]))
				return i;
		}
		json->seen[slot] = i;
	}
	return 0;
}

/* Where in the text the string of a token begins: strings stand there in the tape's order. */
static const char *place_of_string(const struct pl_json *json, uint32_t tok, const char *text)
{
	const char *p = rawmemchr(text, '"');

	for (uint32_t i = 0; i < tok; i++) {
		if (json->tape[i].type != PL_JSON_STRING)
			continue;
		for (p++; *p != '"'; p++)
			p += *p == '\\';
		p = rawmemchr(p + 1, '"');
	}
	return p;
}

/* ---- values ---- */

static bool unexpected(struct parser *s, const char *message)
{
	return fail(s, s->p, s->p == s->end ? _("unexpected end") : message);
}

static bool literal(struct parser *s, const char *word, enum pl_json_type type)
{
	size_t n = strlen(word);

	if (left(s) < n || memcmp(s->p, word, n) != 0)
		return fail(s, s->p, _("a value was expected"));
	s->p += n;
	push(s->json, type);
	return true;
}

static bool begin(struct parser *s, enum pl_json_type type)
{
	if (s->depth == PL_JSON_DEPTH)
		return fail(s, s->p, _("nested too deeply"));
	s->open[s->depth++] = (uint32_t)s->json->n;
	push(s->json, type);
	s->p++;
	return true;
}

static bool end(struct parser *s)
{
	struct pl_json *json = s->json;
	uint32_t tok = s->open[--s->depth], twice = 0;
	struct pl_json_tok *t = &json->tape[tok];

	t->next = (uint32_t)json->n;
	s->p++;
	if (t->type == PL_JSON_OBJECT && !bits_differ(json, tok))
		twice = t->count <= FEW_MEMBERS ? twice_of_few(json, tok)
						: twice_of_many(json, tok);
	return !twice || fail(s, place_of_string(json, twice, s->text), _("duplicate member name"));
}

/* A scalar, or the beginning of a container. */
static bool value(struct parser *s)
{
	char c = peek(s);

	switch (c) {
	case '{':
		return begin(s, PL_JSON_OBJECT);
	case '[':
		return begin(s, PL_JSON_ARRAY);
	case '"':
		return string(s);
	case 'n':
		return literal(s, "null", PL_JSON_NULL);
	case 'f':
		return literal(s, "false", PL_JSON_FALSE);
	case 't':
		return literal(s, "true", PL_JSON_TRUE);
	default:
		if (c == '-' || (c >= '0' && c <= '9'))
			return number(s);
		return unexpected(s, _("a value was expected"));
	}
}

static bool key(struct parser *s)
{
	if (peek(s) != '"')
		return unexpected(s, _("a member name was expected"));
	if (!string(s))
		return false;
	if (peek(s) != ':')
		return unexpected(s, _("':' was expected"));
	s->p++;
	return true;
}

/* The next element or member of the innermost container, or its end. */
static bool step(struct parser *s)
{
	struct pl_json *json = s->json;
	uint32_t in = s->open[s->depth - 1];
	bool object = json->tape[in].type == PL_JSON_OBJECT;

	char c = peek(s);
	if (c == (object ? '}' : ']'))
		return end(s);
	if (json->tape[in].count++) {
		if (c != ',')
			return unexpected(s, object ? _("',' or '}' was expected")
						    : _("',' or ']' was expected"));
		s->p++;
	}
	if (object)
		return key(s) && value(s);
	uint32_t n = integers(s);
	json->tape[in].count += n;
	return value(s);
}

static bool whole(struct parser *s, size_t n)
{
	if (n > UINT32_MAX)
		return fail(s, s->p, _("longer than 4 GiB"));
	if (!value(s))
		return false;
	while (s->depth) {
		if (!step(s))
			return false;
	}
	peek(s);
	return s->p == s->end || fail(s, s->p, _("something follows the value"));
}

int pl_json_parse(struct pl_json *json, struct pl_str text)
{
	struct parser s;

	s.text = s.p = text.p ? text.p : "";
	s.end = s.p + text.n;
	s.json = json;
	s.depth = 0;
	json->n = 0;
	json->message = NULL;
	json->offset = 0;
	pl_buf_clear(&json->decoded);
	if (whole(&s, text.n))
		return 0;
	json->offset = (size_t)(s.p - s.text);
	return -1;
}

void pl_json_free(struct pl_json *json)
{
	free(json->tape);
	free(json->seen);
	pl_buf_free(&json->decoded);
	*json = (struct pl_json){0};
}

uint32_t pl_json_member(const struct pl_json *json, uint32_t object, const char *name)
{
	const struct pl_json_tok *tape = json->tape;
	size_t n = strlen(name);

	for (uint32_t i = object + 1; i < tape[object].next; i = tape[i + 1].next) {
		if (tape[i].count == n && memcmp(tape[i].v.p, name, n) == 0)
			return i + 1;
	}
	return 0;
}
