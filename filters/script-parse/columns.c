/* columns: payload, data source, frame and branches on one line */
#include "columns.h"
#include "frame.h"

enum {
	ADDRESS_WIDTH = 16, /* perf prints "%16lx" */
	ADDRESS_LEAST = 8   /* digits that no number beside it has, where nothing is padded */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The flags of a branch: "/P/-/-/12": mispredicted, in a transaction, aborted, cycles */
static bool has_flags(struct pl_str word)
{
	for (size_t i = 0; i + 7 < word.n; i++) {
		const char *p = word.p + i;
		if (p[0] == '/' && p[2] == '/' && p[4] == '/' && p[6] == '/' &&
		    strchr("PMN-", p[1]) && strchr("X-", p[3]) && strchr("A-", p[5]) &&
		    p[7] >= '0' && p[7] <= '9')
			return true;
	}
	return false;
}

struct pl_str script_without_branches(struct pl_str text, bool *branches)
{
	for (;;) {
		size_t start = text.n;
		while (start > 0 && !is_blank(text.p[start - 1]))
			start--;
		if (!has_flags((struct pl_str){text.p + start, text.n - start}))
			return text;
		*branches = true;
		text = pl_str_trim((struct pl_str){text.p, start});
	}
}

static const char *find_data_source(struct pl_str s)
{
	return s.n ? memmem(s.p, s.n, "|OP ", 4) : NULL;
}

static bool is_number(struct pl_str word)
{
	struct pl_str address, none;

	return script_frame_split(word, &address, &none);
}

/* The word at s, and the blanks in front of it. */
struct word {
	struct pl_str text;
	size_t blanks;
};

/* Takes the first word off s. false: none is left. */
static bool take_word(struct pl_str *s, struct word *w)
{
	const char *start = s->p, *end = s->p + s->n;

	while (s->p < end && is_blank(*s->p))
		s->p++;
	w->blanks = (size_t)(s->p - start);
	w->text = (struct pl_str){s->p, 0};
	while (s->p < end && !is_blank(*s->p))
		s->p++;
	w->text.n = (size_t)(s->p - w->text.p);
	s->n = (size_t)(end - s->p);
	return w->text.n > 0;
}

/* Where the last number is that may be a frame's address: perf pads it. Where blanks were squeezed,
 * it is long and stands behind another number. s.n: there is none. */
static size_t find_address(struct pl_str s, bool tracepoint)
{
	struct pl_str rest = s;
	struct word w;
	size_t found = s.n;
	bool behind = find_data_source(s) != NULL, first = !tracepoint;

	while (take_word(&rest, &w)) {
		bool number = is_number(w.text);
		if (number && (first || w.blanks + w.text.n > ADDRESS_WIDTH ||
			       (behind && !tracepoint && w.text.n >= ADDRESS_LEAST)))
			found = (size_t)(w.text.p - s.p);
		behind |= number;
		first = false;
	}
	return found;
}

static size_t count_numbers(struct pl_str s)
{
	struct word w;
	size_t n = 0;

	while (take_word(&s, &w))
		n += is_number(w.text);
	return n;
}

/* What the numbers in front of the frame are. */
static void read_numbers(struct script_columns *c, struct pl_str before)
{
	const char *source = find_data_source(before), *bar = before.p + before.n;

	c->data_source = source != NULL;
	if (!source) {
		c->addr = count_numbers(before) > 0;
		c->weight = count_numbers(before) > 1;
		return;
	}
	while (bar[-1] != '|')
		bar--;
	/* the data source is a number, too */
	c->addr = count_numbers((struct pl_str){before.p, (size_t)(source - before.p)}) > 1;
	c->weight = count_numbers((struct pl_str){bar, before.n - (size_t)(bar - before.p)}) > 0;
}

/* With a tracepoint only a whole frame is one: its payload may hold anything. */
static bool is_frame(struct pl_str body, bool tracepoint)
{
	return tracepoint ? script_frame_read(body).dso.p != NULL : !find_data_source(body);
}

struct script_columns script_columns_read(struct pl_str rest, bool tracepoint)
{
	struct script_columns c = {0};

	if (rest.n == 0)
		return c;
	rest = script_without_branches(rest, &c.branches);
	size_t at = find_address(rest, tracepoint);
	struct pl_str before = {rest.p, at}, frame = {rest.p + at, rest.n - at}, address, body;
	if (script_frame_split(frame, &address, &body) && is_frame(body, tracepoint)) {
		c.address = address;
		c.body = body;
		if (!tracepoint)
			read_numbers(&c, before);
		rest = tracepoint ? pl_str_trim(before) : PL_S("");
	} else if (!tracepoint) {
		c.data_source = find_data_source(rest) != NULL;
	}
	if (rest.n)
		c.payload = pl_str_trim(rest);
	return c;
}
