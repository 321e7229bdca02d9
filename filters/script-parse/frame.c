/* frame: addresses, bodies, source lines */
#include "frame.h"
#include "num.h"

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool script_frame_split(struct pl_str line, struct pl_str *address, struct pl_str *body)
{
	size_t start = line.n >= 2 && line.p[0] == '0' && line.p[1] == 'x' ? 2 : 0, n = start;

	while (n < line.n && is_hex(line.p[n]))
		n++;
	if (n == start || n > start + 16 || (n < line.n && !is_blank(line.p[n])))
		return false;
	*address = (struct pl_str){line.p + start, n - start};
	*body = pl_str_trim((struct pl_str){line.p + n, line.n - n});
	return true;
}

bool script_frame_split_plain(struct pl_str line, struct pl_str *address, struct pl_str *body)
{
	const char *p = line.p, *end = line.p + line.n;

	if (line.n < 4 || end[-1] != ')' || *p != '\t')
		return false;
	while (is_blank(*p)) /* the parenthesis ends it, and the next loop */
		p++;
	const char *start = p;
	while ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'))
		p++;
	if (p == start || p - start > 16 || *p != ' ' || is_blank(p[1]))
		return false;
	*address = (struct pl_str){start, (size_t)(p - start)};
	*body = (struct pl_str){p + 1, (size_t)(end - p - 1)};
	return true;
}

/* Takes "+0x1f" off the end of a symbol. */
static void take_offset(struct script_frame *f)
{
	size_t digits = 0;
	bool zero = true;

	while (digits < f->symbol.n && is_hex(f->symbol.p[f->symbol.n - 1 - digits]))
		zero &= f->symbol.p[f->symbol.n - 1 - digits++] == '0';
	struct pl_str before = {f->symbol.p, f->symbol.n - digits};
	if (digits == 0 || !pl_str_ends(before, "+0x"))
		return;
	f->symbol.n = before.n - 3;
	f->has_offset = true;
	f->offset_zero = zero;
}

/* The length of the parenthesis that opens at s, or 0 when it never closes. */
static size_t parenthesis(struct pl_str s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		depth += s.p[i] == '(';
		if (s.p[i] == ')' && --depth == 0)
			return i + 1;
	}
	return 0;
}

static void set_dso(struct script_frame *f, struct pl_str inner)
{
	f->inlined = pl_str_is(inner, "inlined");
	if (!f->inlined)
		f->dso = inner;
}

static bool is_source(struct pl_str s)
{
	struct pl_str file;
	uint64_t line;

	return script_source_read(s, &file, &line);
}

/* Parentheses that do not match, in a symbol or a file's name: from one that a path or a bracket
 * follows, else from the last one. */
static bool find_unbalanced_dso(struct pl_str body, size_t *start, size_t *length)
{
	bool found = false, path = false;

	if (body.n == 0 || body.p[body.n - 1] != ')')
		return false;
	for (size_t i = 0; i + 1 < body.n && !path; i++) {
		if (body.p[i] != '(' || (i && !is_blank(body.p[i - 1])))
			continue;
		path = body.p[i + 1] == '/' || body.p[i + 1] == '[';
		*start = i;
		*length = body.n - i;
		found = true;
	}
	return found;
}

/*
 * Where the DSO starts: the first parenthesis, at the start or after a blank, that closes at the
 * very end of the body or before a source line. Signatures and "(anonymous namespace)" close
 * earlier. Each is skipped whole, so this is linear.
 */
static bool find_dso(struct pl_str body, size_t *start, size_t *length)
{
	for (size_t i = 0; i < body.n; i++) {
		if (body.p[i] != '(')
			continue;
		size_t n = parenthesis((struct pl_str){body.p + i, body.n - i});
		if (n == 0)
			break;
		struct pl_str tail = pl_str_trim((struct pl_str){body.p + i + n, body.n - i - n});
		if ((i == 0 || is_blank(body.p[i - 1])) && (tail.n == 0 || is_source(tail))) {
			*start = i;
			*length = n;
			return true;
		}
		i += n - 1;
	}
	return find_unbalanced_dso(body, start, length);
}

struct script_frame script_frame_read(struct pl_str body)
{
	struct script_frame f = {.symbol = body};
	size_t start, length;

	if (find_dso(body, &start, &length)) {
		struct pl_str tail = {body.p + start + length, body.n - start - length};
		f.symbol = pl_str_trim((struct pl_str){body.p, start});
		set_dso(&f, (struct pl_str){body.p + start + 1, length - 2});
		tail = pl_str_trim(tail);
		if (tail.n)
			f.source = tail;
	}
	take_offset(&f);
	return f;
}

bool script_frame_is_whole(struct pl_str body)
{
	struct script_frame f = script_frame_read(body);
	size_t open = 0, closed = 0;

	for (size_t i = 0; i < body.n; i++) {
		open += body.p[i] == '(';
		closed += body.p[i] == ')';
	}
	return (f.dso.p || f.inlined) && open == closed;
}

/* Takes ":DIGITS" off the end of s. */
static bool take_number(struct pl_str *s, uint64_t *value)
{
	size_t digits = 0;

	while (digits < s->n && s->p[s->n - 1 - digits] >= '0' && s->p[s->n - 1 - digits] <= '9')
		digits++;
	if (digits == 0 || digits + 1 >= s->n || s->p[s->n - 1 - digits] != ':')
		return false;
	if (pl_num_u64((struct pl_str){s->p + s->n - digits, digits}, value))
		return false;
	s->n -= digits + 1;
	return true;
}

bool script_take_inlined(struct pl_str *text)
{
	static const char inlined[] = " (inlined)";

	if (!pl_str_ends(*text, inlined))
		return false;
	text->n -= sizeof inlined - 1;
	return true;
}

bool script_source_read(struct pl_str text, struct pl_str *file, uint64_t *line)
{
	uint64_t last, before;

	*file = (struct pl_str){NULL, 0};
	*line = 0;
	/* ":0": there is debug information, which has no line here */
	if (pl_str_is(text, "??:?") || pl_str_is(text, ":0"))
		return true;
	/* a compiler's discriminator is no part of the line */
	if (text.n && text.p[text.n - 1] == ')') {
		for (size_t i = text.n; i-- > 0;) {
			struct pl_str tail = {text.p + i, text.n - i};
			if (pl_str_starts(tail, " (discriminator ")) {
				text.n = i;
				break;
			}
		}
	}
	if (!take_number(&text, &last))
		return false;
	bool column = take_number(&text, &before);
	*line = column ? before : last;
	if (*line && !pl_str_is(text, "??"))
		*file = text;
	return true;
}

bool script_is_address_annotation(struct pl_str s)
{
	size_t n = s.n;

	if (n < 4 || s.p[n - 1] != ']')
		return false;
	for (n--; n > 0 && is_hex(s.p[n - 1]); n--)
		;
	return n > 1 && s.p[n - 1] == '[' && n < s.n - 1;
}
