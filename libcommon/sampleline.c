/* sampleline: the line of a sample, as we write it, read without a JSON parser */
#include "sampleline.h"
#include "mem.h"

/* A place in the line. What is taken must be there: a function that returns false leaves it
 * anywhere. */
struct place {
	const char *p, *end;
};

static inline bool take_text(struct place *at, const char *text, size_t n)
{
	if ((size_t)(at->end - at->p) < n || memcmp(at->p, text, n) != 0)
		return false;
	at->p += n;
	return true;
}
#define TAKE(at, literal) take_text(at, literal, sizeof literal - 1)

/* As JSON has integers: no zeros in front. */
static inline bool take_u64(struct place *at, uint64_t *v)
{
	enum { DIGITS_MAX = 18 }; /* less than 2^63 */
	const char *start = at->p;
	uint64_t u = 0;

	while (at->p < at->end && *at->p >= '0' && *at->p <= '9')
		u = u * 10 + (uint64_t)(*at->p++ - '0');
	size_t n = (size_t)(at->p - start);
	*v = u;
	return n > 0 && n <= DIGITS_MAX && (n == 1 || *start != '0');
}

static inline bool take_u32(struct place *at, uint32_t *v)
{
	uint64_t u;

	if (!take_u64(at, &u) || u > UINT32_MAX)
		return false;
	*v = (uint32_t)u;
	return true;
}

/* Up to the quote, and the quote. */
static inline bool take_ascii(struct place *at, struct pl_str *text)
{
	const char *start = at->p;

	while (at->p < at->end && *at->p >= ' ' && *at->p < 0x7f && *at->p != '"' && *at->p != '\\')
		at->p++;
	*text = (struct pl_str){start, (size_t)(at->p - start)};
	return TAKE(at, "\"");
}

static bool take_stack(struct place *at, uint32_t frames, struct pl_sample *s, uint32_t **stack,
		       size_t *cap)
{
	size_t n = 0;

	if (TAKE(at, "]"))
		return true;
	do {
		PL_GROW(*stack, n + 1, *cap);
		if (!take_u32(at, &(*stack)[n]) || (*stack)[n] >= frames)
			return false;
		n++;
	} while (TAKE(at, ","));
	s->depth = n;
	return TAKE(at, "]");
}

/* Optional: true when it is not there. */
static inline bool take_number(struct place *at, const char *name, size_t n, bool *has, uint64_t *v)
{
	*has = take_text(at, name, n);
	return !*has || take_u64(at, v);
}
static inline bool take_string(struct place *at, const char *name, size_t n, struct pl_str *text)
{
	return !take_text(at, name, n) || take_ascii(at, text);
}
#define NUMBER(at, name, has, v) take_number(at, ",\"" name "\":", sizeof name + 3, has, v)
#define STRING(at, name, text) take_string(at, ",\"" name "\":\"", sizeof name + 4, text)

/* pid, tid and cpu may be negative, but not here. */
static bool take_members(struct place *at, struct pl_sample *s)
{
	uint64_t pid = 0, tid = 0, cpu = 0;
	bool good = NUMBER(at, "pid", &s->has_pid, &pid) && NUMBER(at, "tid", &s->has_tid, &tid) &&
		    STRING(at, "comm", &s->comm) && NUMBER(at, "cpu", &s->has_cpu, &cpu) &&
		    NUMBER(at, "time", &s->has_time, &s->time) && STRING(at, "mode", &s->mode) &&
		    STRING(at, "payload", &s->payload) && STRING(at, "cut", &s->cut);

	s->pid = (int64_t)pid;
	s->tid = (int64_t)tid;
	s->cpu = (int64_t)cpu;
	return good;
}

static inline bool take_start(struct place *at, struct pl_sample *s)
{
	return TAKE(at, "{\"type\":\"sample\",\"event\":") && take_u32(at, &s->event) &&
	       TAKE(at, ",\"weight\":") && take_u64(at, &s->weight) && TAKE(at, ",\"stack\":[");
}

bool pl_sampleline_is(struct pl_str line)
{
	struct place at = {line.p, line.p + line.n};
	struct pl_sample ignored;

	return line.n && take_start(&at, &ignored);
}

bool pl_sampleline_read(struct pl_str line, uint32_t frames, struct pl_sample *sample,
			uint32_t **stack, size_t *cap)
{
	struct place at = {line.p, line.p + line.n};

	*sample = (struct pl_sample){0};
	if (!take_start(&at, sample) || !take_stack(&at, frames, sample, stack, cap) ||
	    !take_members(&at, sample) || !TAKE(&at, "}"))
		return false;
	sample->stack = *stack;
	return at.p == at.end;
}
