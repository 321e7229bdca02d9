/* folded: one line, one frame */
#include "folded.h"
#include "num.h"

static const struct folded_fault none;

/* A weight as it is written: whole part, and up to 19 digits behind the point without trailing
 * zeros. */
struct decimal {
	uint64_t whole, fraction, power; /* the value is whole + fraction / power */
	bool point;
};

enum decimal_status { DECIMAL_OK, DECIMAL_BAD, DECIMAL_TOO_BIG };

static enum decimal_status read_decimal(struct pl_str s, struct decimal *d)
{
	const char *point = memchr(s.p, '.', s.n);
	struct pl_str whole = {s.p, point ? (size_t)(point - s.p) : s.n};

	*d = (struct decimal){.power = 1, .point = point != NULL};
	int status = pl_num_u64(whole, &d->whole);
	if (status == PL_NUM_SYNTAX)
		return DECIMAL_BAD;
	if (point) {
		struct pl_str part = {point + 1, s.n - whole.n - 1};
		while (part.n > 1 && part.p[part.n - 1] == '0')
			part.n--;
		if (part.n > 19 || pl_num_u64(part, &d->fraction))
			return DECIMAL_BAD;
		for (size_t i = 0; i < part.n; i++)
			d->power *= 10;
	}
	return status ? DECIMAL_TOO_BIG : DECIMAL_OK;
}

static struct folded_fault overflow(void)
{
	return (struct folded_fault){"WEIGHT_OVERFLOW", "the weight is more than 2^64-1"};
}

static struct folded_fault scale_weight(const struct decimal *d, uint64_t scale, uint64_t *weight)
{
	unsigned __int128 fraction = (unsigned __int128)d->fraction * scale;
	unsigned __int128 value = (unsigned __int128)d->whole * scale + fraction / d->power;

	if (fraction % d->power)
		return (struct folded_fault){"INVALID_WEIGHT",
					     "the weight times --scale is no integer"};
	if (value > UINT64_MAX)
		return overflow();
	*weight = (uint64_t)value;
	return none;
}

static struct folded_fault read_weight(struct pl_str word, uint64_t scale, bool zero_allowed,
				       uint64_t *weight)
{
	struct decimal d;
	enum decimal_status status = read_decimal(word, &d);

	if (status == DECIMAL_BAD)
		return (struct folded_fault){"INVALID_WEIGHT",
					     "the last word is no positive decimal number"};
	if (status == DECIMAL_TOO_BIG)
		return overflow();
	if (d.point && scale == 0)
		return (struct folded_fault){
			"INVALID_WEIGHT",
			"the weight has a decimal point; --scale N makes it an integer"};
	struct folded_fault fault = scale_weight(&d, scale ? scale : 1, weight);
	if (!fault.code && *weight == 0 && !zero_allowed)
		return (struct folded_fault){"INVALID_WEIGHT", "the weight is zero"};
	return fault;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes the last word off *s, which then ends in no blank. */
static struct pl_str take_last_word(struct pl_str *s)
{
	size_t start = s->n;

	while (start > 0 && !is_blank(s->p[start - 1]))
		start--;
	struct pl_str word = {s->p + start, s->n - start};
	while (start > 0 && is_blank(s->p[start - 1]))
		start--;
	s->n = start;
	return word;
}

/* Does the text end in a blank and a number? Looks no further back than the number goes. */
static bool ends_in_number(struct pl_str s)
{
	size_t start = s.n;

	while (start > 0 &&
	       ((s.p[start - 1] >= '0' && s.p[start - 1] <= '9') || s.p[start - 1] == '.'))
		start--;
	return start > 0 && start < s.n && is_blank(s.p[start - 1]);
}

/* The word before the weight, when it is a number and a stack is before it; *stack then ends before
 * it. */
static struct pl_str take_first_column(struct pl_str *stack, struct pl_str last)
{
	static const struct pl_str absent = {NULL, 0};
	struct pl_str shorter = *stack;
	struct decimal d;

	if (!ends_in_number(*stack) || read_decimal(last, &d) == DECIMAL_BAD)
		return absent;
	struct pl_str first = take_last_word(&shorter);
	if (read_decimal(first, &d) == DECIMAL_BAD)
		return absent;
	*stack = shorter;
	return first;
}

struct folded_fault folded_split(struct pl_str line, enum folded_column column, uint64_t scale,
				 struct folded_line *out)
{
	struct pl_str stack = line, last = take_last_word(&stack), shorter = stack;
	bool picked = column == FOLDED_BEFORE || column == FOLDED_AFTER;

	*out = (struct folded_line){.stack = stack};
	if (stack.n == 0)
		return (struct folded_fault){
			"MISSING_WEIGHT", "the line has one word: a stack or a weight is missing"};
	struct pl_str first = take_first_column(&shorter, last);
	out->two_columns = first.p != NULL;
	if (picked && !first.p)
		return (struct folded_fault){"MISSING_WEIGHT",
					     "the line has one number, --column wants two"};
	if (picked)
		out->stack = shorter;
	return read_weight(column == FOLDED_BEFORE ? first : last, scale, picked, &out->weight);
}

struct pl_str folded_next_frame(struct pl_str *rest)
{
	const char *semicolon = memchr(rest->p, ';', rest->n);
	struct pl_str frame = *rest;

	if (semicolon) {
		frame.n = (size_t)(semicolon - rest->p);
		rest->p += frame.n + 1;
		rest->n -= frame.n + 1;
	} else {
		*rest = (struct pl_str){NULL, 0};
	}
	return pl_str_trim(frame);
}

/* Takes one annotation off the end. */
static bool take_annotation(struct folded_frame *f)
{
	const char *end = f->symbol.p + f->symbol.n;

	if (f->symbol.n < 5 || end[-4] != '_' || end[-3] != '[' || end[-1] != ']')
		return false;
	switch (end[-2]) {
	case 'k':
		f->kind = "kernel";
		break;
	case 'j':
		f->kind = "jit";
		break;
	case 'w':
		f->kind = "waker";
		break;
	case 'i':
		f->inlined = true;
		break;
	default:
		return false;
	}
	f->symbol.n -= 4;
	return true;
}

/* "symbol (module)": the parenthesis that closes at the very end, with a blank before it. */
static void split_parenthesis(struct folded_frame *f)
{
	struct pl_str s = f->symbol;
	size_t open = s.n, depth = 0;

	if (s.n < 4 || s.p[s.n - 1] != ')')
		return;
	while (open-- > 0) {
		depth += s.p[open] == ')';
		if (s.p[open] == '(' && --depth == 0)
			break;
	}
	if (open < 2 || open >= s.n || !is_blank(s.p[open - 1]))
		return;
	struct pl_str module = pl_str_trim((struct pl_str){s.p + open + 1, s.n - open - 2});
	if (module.n == 0)
		return;
	f->module = module;
	f->symbol = pl_str_trim((struct pl_str){s.p, open});
}

static void split_module(struct folded_frame *f)
{
	const char *tick = memchr(f->symbol.p, '`', f->symbol.n);
	size_t before = tick ? (size_t)(tick - f->symbol.p) : 0;

	if (tick && before > 0 && before + 1 < f->symbol.n) {
		f->module = pl_str_trim((struct pl_str){f->symbol.p, before});
		f->symbol = pl_str_trim((struct pl_str){tick + 1, f->symbol.n - before - 1});
	} else {
		split_parenthesis(f);
	}
}

struct folded_frame folded_read_frame(struct pl_str text, bool keep_annotations,
				      bool dso_from_frame)
{
	struct folded_frame f = {.symbol = text};

	while (!keep_annotations && take_annotation(&f))
		f.symbol = pl_str_trim(f.symbol);
	if (dso_from_frame)
		split_module(&f);
	return f;
}
