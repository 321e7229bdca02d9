/* perfsample: the layout of samples, and of what other records end with */
#include "perfsample.h"

enum { WORD = 8, BRANCH = 3 * WORD };

static struct pl_bytes read_words(struct pl_reader *r, uint64_t n)
{
	if (n > pl_left(r) / WORD) {
		r->bad = true;
		return (struct pl_bytes){r->p, 0};
	}
	return pl_take_bytes(r, n * WORD);
}

static void skip_words(struct pl_reader *r, uint64_t n)
{
	(void)read_words(r, n);
}

/* struct read_format: the values of one event, or of a group */
static void skip_read(struct pl_reader *r, uint64_t format)
{
	unsigned times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	unsigned value = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (!(format & PERF_FORMAT_GROUP)) {
		skip_words(r, times + value);
		return;
	}
	uint64_t n = pl_take_u64(r);
	skip_words(r, times);
	if (n > pl_left(r) / WORD)
		r->bad = true;
	else
		skip_words(r, n * value);
}

static void read_raw(struct pl_perf_sample *s, struct pl_reader *r)
{
	uint32_t n = pl_take_u32(r);

	s->raw = pl_take_bytes(r, n);
	/* the length and the bytes together fill words */
	size_t used = (sizeof n + n) % WORD;
	if (used)
		pl_take_bytes(r, WORD - used);
}

static void read_branches(struct pl_perf_sample *s, struct pl_reader *r,
			  const struct pl_perf_attr *attr)
{
	enum { HW_INDEX = 1 << 17, COUNTERS = 1 << 19 }; /* PERF_SAMPLE_BRANCH_* */
	uint64_t n = pl_take_u64(r);

	if (attr->branch_sample_type & HW_INDEX)
		pl_take_u64(r);
	if (n > pl_left(r) / BRANCH) {
		r->bad = true;
		return;
	}
	s->branches = pl_take_bytes(r, n * BRANCH);
	if (attr->branch_sample_type & COUNTERS)
		skip_words(r, n);
}

static struct pl_bytes read_regs(struct pl_reader *r, uint64_t mask, uint64_t *abi)
{
	*abi = pl_take_u64(r);
	return *abi ? read_words(r, (uint64_t)__builtin_popcountll(mask))
		    : (struct pl_bytes){r->p, 0};
}

static void read_stack(struct pl_perf_sample *s, struct pl_reader *r)
{
	uint64_t room = pl_take_u64(r);

	if (room == 0)
		return;
	struct pl_bytes all = pl_take_bytes(r, room);
	uint64_t filled = pl_take_u64(r);
	s->stack = (struct pl_bytes){all.p, filled < all.n ? (size_t)filled : all.n};
	s->stack_full = filled >= all.n;
}

static void read_fixed(struct pl_perf_sample *s, struct pl_reader *r, uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = pl_take_u64(r);
	if (type & PERF_SAMPLE_IP)
		s->ip = pl_take_u64(r);
	if (type & PERF_SAMPLE_TID) {
		s->pid = pl_take_u32(r);
		s->tid = pl_take_u32(r);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = pl_take_u64(r);
	if (type & PERF_SAMPLE_ADDR)
		pl_take_u64(r);
	if (type & PERF_SAMPLE_ID)
		s->id = pl_take_u64(r);
	if (type & PERF_SAMPLE_STREAM_ID)
		pl_take_u64(r);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = pl_take_u32(r);
		pl_take_u32(r);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = pl_take_u64(r);
}

int pl_perf_sample_read(struct pl_perf_sample *s, const struct pl_perf_attr *attr,
			struct pl_bytes body)
{
	struct pl_reader r = pl_reader(body);
	uint64_t type = attr->sample_type;

	memset(s, 0, sizeof *s);
	read_fixed(s, &r, type);
	if (type & PERF_SAMPLE_READ)
		skip_read(&r, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		s->chain = read_words(&r, pl_take_u64(&r));
	if (type & PERF_SAMPLE_RAW)
		read_raw(s, &r);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		read_branches(s, &r, attr);
	if (type & PERF_SAMPLE_REGS_USER)
		s->regs = read_regs(&r, attr->sample_regs_user, &s->regs_abi);
	if (type & PERF_SAMPLE_STACK_USER)
		read_stack(s, &r);
	/* nothing behind these is needed: weights, data sources, physical addresses, … */
	return r.bad ? -1 : 0;
}

int pl_perf_sample_id_at(uint64_t type)
{
	int at = 0;

	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(type & PERF_SAMPLE_ID))
		return -1;
	at += !!(type & PERF_SAMPLE_IP);
	at += !!(type & PERF_SAMPLE_TID);
	at += !!(type & PERF_SAMPLE_TIME);
	at += !!(type & PERF_SAMPLE_ADDR);
	return at;
}

/* The trailer's words: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER. */
int pl_perf_trailer_id_at(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(type & PERF_SAMPLE_ID))
		return -1;
	return 1 + !!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_STREAM_ID);
}

int pl_perf_trailer_read(struct pl_perf_trailer *t, const struct pl_perf_attr *attr,
			 struct pl_bytes body)
{
	static const uint64_t words = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
				      PERF_SAMPLE_IDENTIFIER;
	uint64_t type = attr->sample_type;

	memset(t, 0, sizeof *t);
	if (!pl_perf_attr_flag(attr, PL_PERF_SAMPLE_ID_ALL))
		return 0;
	t->bytes = (size_t)__builtin_popcountll(type & words) * WORD;
	if (t->bytes > body.n)
		return -1;
	struct pl_reader r = pl_reader((struct pl_bytes){body.p + body.n - t->bytes, t->bytes});
	if (type & PERF_SAMPLE_TID) {
		t->pid = pl_take_u32(&r);
		t->tid = pl_take_u32(&r);
	}
	if (type & PERF_SAMPLE_TIME)
		t->time = pl_take_u64(&r);
	if (type & PERF_SAMPLE_ID)
		t->id = pl_take_u64(&r);
	if (type & PERF_SAMPLE_STREAM_ID)
		pl_take_u64(&r);
	if (type & PERF_SAMPLE_CPU) {
		t->cpu = pl_take_u32(&r);
		pl_take_u32(&r);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		t->id = pl_take_u64(&r);
	return 0;
}
