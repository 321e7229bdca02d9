/* header: strict fields behind a free name */
#include "header.h"
#include "event.h"
#include "frame.h"
#include "num.h"

enum {
	COMM_BYTES = 64, /* with padding, and each invalid byte become three */
	TID_WIDTH = 5,	 /* perf prints "%5d ", later "%7d " */
	TIME_DIGITS = 6, /* decimals, or 9 */
	ADDRESS_WIDTH = 16,
	PERIOD_WIDTH = 10, /* "%10lu " */
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

/* "5290.118300", or other fields and then that: behind a name that holds numbers, a time could be
 * taken for an event, or for its end */
static bool ends_in_decimal(const char *p, size_t n)
{
	while (n > 0 && (is_digit(p[n - 1]) || p[n - 1] == '.'))
		n--;
	return n == 0 || is_blank(p[n - 1]);
}

static struct pl_str without_end_blanks(struct pl_str s)
{
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
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
		if (ends_in_decimal(s.p, i))
			return false;
		h->event = (struct pl_str){s.p, i};
		/* the blanks in front tell how wide the first column is */
		h->rest = without_end_blanks((struct pl_str){s.p + i + 1, s.n - i - 1});
		return true;
	}
	return false;
}

/* The columns of a number that is padded on its left, behind the one blank that ends the field
 * before it. */
static size_t width_of(struct pl_str word, const char *line_start)
{
	const char *start = word.p;

	while (start > line_start && is_blank(start[-1]))
		start--;
	return (size_t)(word.p - start) - (start > line_start) + word.n;
}

/*
 * A period is a number before an event. Where no time parts it from the pid, "4000 cycles:" could
 * be either: the width that perf pads to tells.
 */
static bool read_period(struct pl_str *s, const char *line_start, struct script_header *h)
{
	struct pl_str word = word_of(*s);

	if (pl_num_u64(word, &h->period))
		return false;
	bool wide = width_of(word, line_start) >= PERIOD_WIDTH;
	if (!h->has_time && !h->has_tid && !h->has_cpu && !wide)
		return false;
	h->has_period = true;
	*s = after(*s, word.n);
	return true;
}

/* The number and the event, or what stands in their place: without an event a frame may. */
static bool read_counts(struct pl_str s, const char *line_start, struct script_header *h)
{
	struct pl_str behind = s, period = word_of(s);

	if (s.n == 0 || (read_period(&behind, line_start, h) && read_event(behind, h)))
		return true;
	/* without an event only its width tells a period from an address */
	if (h->has_period && width_of(period, line_start) < PERIOD_WIDTH)
		h->has_period = false;
	if (!h->has_period)
		behind = s;
	if (behind.n && !read_event(behind, h)) {
		h->rest = pl_str_trim(behind);
		return h->has_time || h->has_tid || h->has_cpu || h->has_period;
	}
	return true;
}

/* A number that a wide field holds is a period and no thread, unless fields that come before a
 * period are behind it. */
static bool is_period(struct pl_str s, const char *line_start)
{
	struct script_header h = {0};
	struct pl_str address, body;

	return read_period(&s, line_start, &h) &&
	       (s.n == 0 || read_event(s, &h) || script_frame_split(s, &address, &body));
}

/* The fields from one place on, in perf's order; each may be missing. */
static bool read_fields(struct pl_str s, const char *line_start, struct script_header *h)
{
	*h = (struct script_header){0};
	h->rest = (struct pl_str){s.p, 0};
	struct pl_str word = word_of(s);
	if (!is_period(s, line_start) && (word.n && (is_digit(*word.p) || *word.p == '-')) &&
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
	if (!read_counts(s, line_start, h))
		return false;
	h->fields = (unsigned)(h->has_pid + h->has_tid + h->has_cpu + (h->misc.p != NULL) +
			       h->has_time + h->has_period + (h->event.p != NULL));
	return h->fields > 0;
}

/* Characters; each byte of a name is at most one, as bytes that are no UTF-8 were replaced. */
static size_t letters(struct pl_str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}

bool script_comm_read(struct pl_str text, struct pl_str *comm)
{
	while (text.n && is_blank(text.p[text.n - 1]))
		text.n--;
	size_t n = letters(text);
	if (n == SCRIPT_COMM_WIDTH && is_blank(*text.p))
		text = skip_blanks(text);
	else if (n >= SCRIPT_COMM_WIDTH)
		return false;
	*comm = text.n ? text : (struct pl_str){NULL, 0};
	return true;
}

/* Can a word that starts so be a thread, a processor, a time or a period? */
static bool starts_number(char c)
{
	return is_digit(c) || c == '-' || c == '[';
}

/* How wide the column of the first field is: of "12/34" the first number counts. */
static size_t first_width(struct pl_str first, const char *line_start)
{
	const char *slash = memchr(first.p, '/', first.n);

	if (slash)
		first.n = (size_t)(slash - first.p);
	return width_of(first, line_start);
}

/* perf pads what it prints; other numbers may be part of a name. */
static bool is_padded(const struct script_header *h, struct pl_str first, const char *line_start)
{
	return h->has_tid && first_width(first, line_start) >= TID_WIDTH;
}

/* "1.5:", but not "1.500000:" */
static bool is_short_time(struct pl_str word)
{
	const char *point = memchr(word.p, '.', word.n);

	return point && word.p + word.n - point - 2 < TIME_DIGITS;
}

/* Does the first word end where a name ends that is padded to its whole width? No field does, but
 * for a time. */
static bool ends_a_name(struct pl_str line, struct pl_str first)
{
	const char *end = line.p + SCRIPT_COMM_WIDTH;

	return is_blank(*line.p) && first.p + first.n == end && line.n > SCRIPT_COMM_WIDTH;
}

/* Behind an event that is no tracepoint stand numbers, or nothing. */
static bool is_odd(const struct script_header *h)
{
	struct pl_str address, body, rest = pl_str_trim(h->rest);

	return h->event.p && rest.n && !pl_str_starts(rest, "0x") &&
	       !script_frame_split(rest, &address, &body) &&
	       !pl_str_is(pl_event_source(h->event), "tracepoint");
}

/* Fields that stand so by accident are part of a name. */
static bool is_accident(const struct script_header *h, struct pl_str line, struct pl_str first)
{
	bool time_first = h->has_time && !h->has_tid && !h->has_cpu;

	if (ends_a_name(line, first) && !(h->has_period && h->comm.p))
		return !time_first || is_short_time(first);
	if (time_first)
		return is_short_time(first);
	return !h->has_cpu && !h->has_time && ((h->has_tid && !h->padded) || is_odd(h));
}

/* More fields are better. As many from a later place: what was taken for a field before it was part
 * of the name. */
static bool is_better(const struct script_header *one, const struct script_header *best)
{
	if (one->fields != best->fields)
		return one->fields > best->fields;
	if (one->has_period != best->has_period)
		return one->has_period;
	if (one->padded != best->padded)
		return one->padded;
	return one->has_tid || one->has_cpu || one->has_time || one->has_period ||
	       pl_str_is(pl_event_source(best->event), "unknown");
}

/* The best match among the places where a word starts with a number, or (numbers false) with
 * anything else. */
static bool find_fields(struct pl_str line, bool numbers, struct script_header *header)
{
	struct script_header one;
	struct pl_str comm;
	size_t most = line.n < COMM_BYTES ? line.n : COMM_BYTES;
	bool found = false;

	for (size_t start = 0; start < most; start++) {
		if ((start && !is_blank(line.p[start - 1])) || is_blank(line.p[start]) ||
		    starts_number(line.p[start]) != numbers)
			continue;
		struct pl_str rest = {line.p + start, line.n - start};
		if (!script_comm_read((struct pl_str){line.p, start}, &comm))
			break;
		if (!read_fields(rest, line.p, &one))
			continue;
		one.comm = comm;
		one.at = start;
		one.padded = is_padded(&one, word_of(rest), line.p);
		if (is_accident(&one, line, word_of(rest)))
			continue;
		if (found && !is_better(&one, header))
			continue;
		*header = one;
		found = true;
		/* no name is long enough to look like all of this */
		if (one.padded && one.has_cpu && one.has_time && one.event.p)
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
	if (header->fields == 1 && !header->padded && !header->has_period &&
	    find_fields(line, false, &other) && other.event.p)
		*header = other;
	return true;
}

bool script_header_is_certain(const struct script_header *h)
{
	bool place = h->has_tid || h->has_cpu;

	return (place && h->has_period && h->padded) || (place && (h->has_time || h->event.p)) ||
	       (h->event.p && (h->has_time || h->has_period));
}

bool script_header_is_thread(const struct script_header *h, struct pl_str line)
{
	return h->padded && !h->event.p && !h->has_time && !h->has_cpu && !h->has_period &&
	       (h->rest.n || is_blank(line.p[line.n - 1])) &&
	       (!is_blank(*line.p) || h->at > SCRIPT_COMM_WIDTH ||
		(!h->comm.p && h->at < SCRIPT_COMM_WIDTH / 2));
}

bool script_header_read_comm(struct pl_str line, struct script_header *header)
{
	struct pl_str address, body, comm = {line.p, 0};

	while (comm.n < line.n && letters((struct pl_str){comm.p, comm.n + 1}) <= SCRIPT_COMM_WIDTH)
		comm.n++;
	struct pl_str rest = after(line, comm.n);
	if (!is_blank(line.p[0]) || !script_frame_split(rest, &address, &body) ||
	    (size_t)(address.p + address.n - line.p) < comm.n + 1 + ADDRESS_WIDTH)
		return false;
	*header = (struct script_header){.rest = pl_str_trim(rest)};
	return script_comm_read(comm, &header->comm) && header->comm.p;
}
