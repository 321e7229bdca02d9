/* symbol: unresolved names, and what compilers and runtimes append */
#include "symbol.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool pl_symbol_unresolved(struct pl_str s)
{
	if (s.n == 0 || pl_str_is(s, "unknown") || pl_str_is(s, "[unknown]") || pl_str_is(s, "??"))
		return true;
	if (s.n < 3 || s.p[0] != '0' || s.p[1] != 'x')
		return false;
	for (size_t i = 2; i < s.n; i++)
		if (!is_hex(s.p[i]))
			return false;
	return true;
}

/* Takes ".NAME" or ".NAME.DIGITS" off the end. */
static bool take_suffix(struct pl_str *s, const char *name, bool numbered)
{
	struct pl_str rest = *s;

	if (numbered) {
		size_t digits = 0;
		while (digits < rest.n && is_digit(rest.p[rest.n - 1 - digits]))
			digits++;
		if (digits == 0 || digits + 1 >= rest.n || rest.p[rest.n - 1 - digits] != '.')
			return false;
		rest.n -= digits + 1;
	}
	if (!pl_str_ends(rest, name) || rest.n == strlen(name))
		return false;
	s->n = rest.n - strlen(name);
	return true;
}

/* " [clone .isra.0]", as demanglers show suffixes */
static bool take_clone(struct pl_str *s)
{
	static const char clone[] = " [clone ";

	if (s->n == 0 || s->p[s->n - 1] != ']')
		return false;
	for (size_t i = s->n; i-- > 0;) {
		if (s->p[i] != ' ')
			continue;
		struct pl_str tail = {s->p + i, s->n - i};
		if (i > 0 && pl_str_starts(tail, clone)) {
			s->n = i;
			return true;
		}
	}
	return false;
}

static bool take_rust_hash(struct pl_str *s)
{
	size_t digits = 0;

	while (digits < s->n && is_hex(s->p[s->n - 1 - digits]) && s->p[s->n - 1 - digits] > '/' &&
	       !(s->p[s->n - 1 - digits] >= 'A' && s->p[s->n - 1 - digits] <= 'F'))
		digits++;
	if ((digits != 16 && digits != 17) || digits + 3 >= s->n)
		return false;
	struct pl_str before = {s->p, s->n - digits};
	if (!pl_str_ends(before, "::h"))
		return false;
	s->n = before.n - 3;
	return true;
}

struct pl_str pl_symbol_normal(struct pl_str s)
{
	/* suffixes stack up: f.isra.0.part.1.cold; each pass takes one, so this ends */
	while (take_clone(&s) || take_suffix(&s, ".isra", true) ||
	       take_suffix(&s, ".constprop", true) || take_suffix(&s, ".part", true) ||
	       take_suffix(&s, ".llvm", true) || take_suffix(&s, ".cold", true) ||
	       take_suffix(&s, ".cold", false) || take_rust_hash(&s))
		;
	return s;
}

/* Length of the number that may follow a generated name: 123, or 123/0x00007f…, or 0 */
static size_t number_length(struct pl_str s)
{
	size_t n = 0;

	while (n < s.n && is_digit(s.p[n]))
		n++;
	if (n && n + 3 < s.n && s.p[n] == '/' && s.p[n + 1] == '0' && s.p[n + 2] == 'x') {
		n += 3;
		while (n < s.n && is_hex(s.p[n]))
			n++;
	}
	return n;
}

struct pl_str pl_symbol_without_numbers(struct pl_str symbol, struct pl_buf *scratch)
{
	static const char *const before[] = {"Lambda$", "GeneratedMethodAccessor",
					     "GeneratedConstructorAccessor"};
	struct pl_str rest = symbol;

	pl_buf_clear(scratch);
	while (rest.n) {
		size_t n = 1, skip = 0;
		for (size_t i = 0; i < PL_COUNT(before) && skip == 0; i++) {
			if (!pl_str_starts(rest, before[i]))
				continue;
			n = strlen(before[i]);
			skip = number_length((struct pl_str){rest.p + n, rest.n - n});
		}
		pl_buf_add(scratch, rest.p, n);
		rest.p += n + skip;
		rest.n -= n + skip;
	}
	return scratch->n == symbol.n ? symbol : pl_buf_str(scratch);
}
