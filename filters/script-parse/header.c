/* header: strict fields behind a free name */
#include "header.h"
#include "num.h"

enum {
	COMM_MAX = 15,	   /* TASK_COMM_LEN is 16, with the NUL */
	COMM_BYTES = 64,   /* with padding, and each invalid byte become three */
	PERIOD_WIDTH = 10, /* perf prints "%10lu ", the pid as "%7d " */
	NS_DIGITS = 9
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct pl_str skip_blanks(struct pl_str s)
{
	while (s.n && is_blank(*s.p)) {
		s.p++;
		s.n--;
	}
	return s;
}

/* The word at the start of s (which does not start with a blank). */
static struct pl_str word_of(struct pl_str s)
{
	size_t n = 0;

	while (n < s.n && !is_blank(s.p[n]))
		n++;
	return (struct pl_str){s.p, n};
}

static struct pl_str after(struct pl_str s, size_t n)
{
	return skip_blanks((struct pl_str){s.p + n, s.n - n});
}

static bool read_id(struct pl_str s, int64_t *id)
{
	return pl_num_i64(s, id) == 0 && *id >= -1 && *id <= INT32_MAX;
}

/* "123/456"; a number alone is a thread's, which perf prints unless told otherwise. Either may be
 * -1. */
static bool read_thread(struct pl_str word, struct script_header *h)
{
	const char *slash = memchr(word.p, '/', word.n);
	struct pl_str tid = word;

	if (slash) {
		struct pl_str pid = {word.p, (size_t)(slash - word.p)};
		tid = (struct pl_str){slash + 1, word.n - pid.n - 1};
		h->has_pid = read_id(pid, &h->pid);
		if (!h->has_pid)
			return false;
	}
	h->has_tid = read_id(tid, &h->tid);
	return h->has_tid;
}

/* "[003]" */
static bool read_cpu(struct pl_str word, struct script_header *h)
{
	if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']')
		return false;
	h->has_cpu = pl_num_i64((struct pl_str){word.p + 1, word.n - 2}, &h->cpu) == 0 &&
		     h->cpu >= -1 && h->cpu <= INT32_MAX;
	return h->has_cpu;
}

/* The letters of the misc field: mode of the sample, then flags (perf-script(1), "misc"). */
static bool is_misc(struct pl_str word)
{
	if (word.n == 0 || word.n > 5)
		return false;
	for (size_t i = 0; i < word.n; i++)
		if (!word.p[i] || !strchr("KUHGgMESp?", word.p[i]))
			return false;
	return true;
}

/* "12.345678:" with any number of decimals; more than nine are cut */
static bool read_time(struct pl_str word, struct script_header *h)
{
	const char *point = memchr(word.p, '.', word.n);
	uint64_t seconds, part;

	if (!point || word.n < 4 || word.p[word.n - 1] != ':')
		return false;
	struct pl_str whole = {word.p, (size_t)(point - word.p)};
	struct pl_str decimals = {point + 1, word.n - whole.n - 2};
	if (pl_num_u64(whole, &seconds) || seconds > UINT64_MAX / 1000000000 - 1)
		return false;
	size_t digits = decimals.n < NS_DIGITS ? decimals.n : NS_DIGITS;
	for (size_t i = 0; i < decimals.n; i++)
		if (!is_digit(decimals.p[i]))
			return false;
	if (pl_num_u64((struct pl_str){decimals.p, digits}, &part))
		return false;
	for (; digits < NS_DIGITS; digits++)
		part *= 10;
	h->time = seconds * 1000000000 + part;
	h->has_time = true;
	return true;
}

/* A name up to the colon that a blank or the line's end follows. Blanks in it are believed only
 * after a time or period. */
static bool read_event(struct pl_str s, struct script_header *h)
{
	bool blanks = h->has_time || h->has_period;

	for (size_t i = 0; i < s.n; i++) {
		if (is_blank(s.p[i]) && !blanks)
			return false;
		if (s.p[i] != ':' || (i + 1 < s.n && !is_blank(s.p[i + 1])))
			continue;
		if (i == 0)
			return false;
		h->event = (struct pl_str){s.p, i};
		h->rest = pl_str_trim((struct pl_str){s.p + i + 1, s.n - i - 1});
		return true;
	}
	return false;
}

/*
 * A period is a number before an event. Where no time parts it from the pid, "4000 cycles:" could
 * be either: the width that perf pads to tells.
 */
static bool read_period(struct pl_str *s, const char *line_start, struct script_header *h)
{
	struct pl_str word = word_of(*s);
	const char *start = s->p;

	if (pl_num_u64(word, &h->period))
		return false;
	while (start > line_start && is_blank(start[-1]))
		start--;
	bool wide = s->p - start - 1 + (ptrdiff_t)word.n >= PERIOD_WIDTH;
	if (!h->has_time && !h->has_tid && !h->has_cpu && !wide)
		return false;
	h->has_period = true;
	*s = after(*s, word.n);
	return true;
}

/* The fields from one place on, in perf's order; each may be missing. */
static bool read_fields(struct pl_str s, const char *line_start, struct script_header *h)
{
	*h = (struct script_header){0};
	h->rest = (struct pl_str){s.p, 0};
	struct pl_str word = word_of(s);
	/* a number that a wide field holds, with an event behind it, is a period and no pid */
	struct script_header as_period = {0};
	struct pl_str behind = s;
	bool period_first =
		read_period(&behind, line_start, &as_period) && read_event(behind, &as_period);
	if (!period_first && (word.n && (is_digit(*word.p) || *word.p == '-')) &&
	    read_thread(word, h)) {
		s = after(s, word.n);
		word = word_of(s);
	} else {
		h->has_pid = h->has_tid = false;
	}
	if (read_cpu(word, h)) {
		s = after(s, word.n);
		word = word_of(s);
	}
	if (is_misc(word) && (h->has_tid || h->has_cpu)) {
		h->misc = word;
		s = after(s, word.n);
		word = word_of(s);
	}
	if (read_time(word, h))
		s = after(s, word.n);
	if (s.n)
		read_period(&s, line_start, h);
	if (s.n && !read_event(s, h)) {
		/* without an event a frame may stand on the line; nothing else */
		if (!h->has_time && !h->has_tid && !h->has_cpu)
			return false;
		h->rest = pl_str_trim(s);
	}
	h->fields = (unsigned)(h->has_pid + h->has_tid + h->has_cpu + (h->misc.p != NULL) +
			       h->has_time + h->has_period + (h->event.p != NULL));
	return h->fields > 0;
}

/*
 * The name that is left over. perf pads it on the left, to 16 columns, where samples have no call
 * chain; else the name stands at the line's start as it is, blanks included.
 */
static struct pl_str comm_before(struct pl_str line, size_t start)
{
	struct pl_str comm = {line.p, start};

	while (comm.n && is_blank(comm.p[comm.n - 1]))
		comm.n--;
	return comm.n == COMM_MAX + 1 ? skip_blanks(comm) : comm;
}

/* Can a word that starts so be a thread, a processor, a time or a period? */
static bool starts_number(char c)
{
	return is_digit(c) || c == '-' || c == '[';
}

/* The best match among the places where a word starts with a number, or (numbers false) with
 * anything else. */
static bool find_fields(struct pl_str line, bool numbers, struct script_header *header)
{
	struct script_header one;
	size_t most = line.n < COMM_BYTES ? line.n : COMM_BYTES;
	bool found = false;

	for (size_t start = 0; start < most; start++) {
		if ((start && !is_blank(line.p[start - 1])) || is_blank(line.p[start]) ||
		    starts_number(line.p[start]) != numbers)
			continue;
		if (!read_fields((struct pl_str){line.p + start, line.n - start}, line.p, &one))
			continue;
		if (found && one.fields <= header->fields)
			continue;
		*header = one;
		header->comm = start ? comm_before(line, start) : (struct pl_str){NULL, 0};
		found = true;
		if (one.has_tid && one.has_cpu && one.has_time && one.event.p)
			break;
	}
	return found;
}

bool script_header_read(struct pl_str line, struct script_header *header)
{
	struct script_header other;

	if (!find_fields(line, true, header))
		return find_fields(line, false, header);
	/* an event alone, behind a name with a number in it, says more than the number */
	if (header->fields == 1 && find_fields(line, false, &other) && other.event.p)
		*header = other;
	return true;
}

bool script_header_is_certain(const struct script_header *h)
{
	return (h->has_tid || h->has_cpu || h->has_pid) && (h->has_time || h->event.p);
}
