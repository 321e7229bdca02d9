/* record: records that are no samples */
#include "record.h"
#include "num.h"

static const char prefix[] = "PERF_RECORD_";

bool script_is_record(struct pl_str text)
{
	return pl_str_starts(text, prefix);
}

bool script_header_is_record(const struct script_header *h, struct pl_str *record)
{
	*record = pl_str_trim(h->rest);
	/* "PERF_RECORD_MMAP2 12/12: …" looks like an event with a blank in it */
	if (h->event.p && script_is_record(h->event))
		*record = (struct pl_str){h->event.p, (size_t)(h->rest.p + h->rest.n - h->event.p)};
	return script_is_record(*record);
}

/* Is it of this kind, or of one that begins with it (LOST_SAMPLES)? */
static bool is_kind(struct pl_str record, const char *kind)
{
	record = pl_str_trim(record);
	return pl_str_starts(
		(struct pl_str){record.p + sizeof prefix - 1, record.n - (sizeof prefix - 1)},
		kind);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool script_record_lost(struct pl_str record, uint64_t *count)
{
	static const char lost[] = " lost ";
	const char *at = memmem(record.p, record.n, lost, sizeof lost - 1);

	if (!at || !is_kind(record, "LOST"))
		return false;
	struct pl_str number = {at + sizeof lost - 1, 0};
	while (number.p + number.n < record.p + record.n && is_digit(number.p[number.n]))
		number.n++;
	return pl_num_u64(number, count) == 0;
}

bool script_record_ends(struct pl_str line)
{
	size_t n = line.n, digits;

	while (n > 0 && is_digit(line.p[n - 1]))
		n--;
	if (n == line.n || n == 0 || line.p[n - 1] != '/')
		return false;
	digits = --n;
	while (n > 0 && is_digit(line.p[n - 1]))
		n--;
	return n < digits && n > 0 && line.p[n - 1] == ':';
}

bool script_record_is_open(struct pl_str record)
{
	return is_kind(record, "COMM") && !script_record_ends(pl_str_trim(record));
}
