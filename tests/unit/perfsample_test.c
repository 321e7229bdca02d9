/* perfsample: samples of every type, held to a layout that the test makes itself in the order of
 * perf_event_open(2); each cut at every length */
#include "perf_kit.h"
#include "perfsample.h"

enum { CHAIN_N = 3, RAW_N = 9, BRANCHES_N = 2, STACK_ROOM = 16, STACK_FILLED = 11 };

static const struct pl_perf_attr plain = {.sample_regs_user = 0x101, .read_format = 0};

/* A sample with all that the attribute asks for. Values say what they are. */
static void put_sample(struct pl_buf *b, const struct pl_perf_attr *attr)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(b, 77);
	if (type & PERF_SAMPLE_IP)
		put_u64(b, 0x401000);
	if (type & PERF_SAMPLE_TID) {
		put_u32(b, 41);
		put_u32(b, 42);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(b, 123456789);
	if (type & PERF_SAMPLE_ADDR)
		put_u64(b, 0xadd4);
	if (type & PERF_SAMPLE_ID)
		put_u64(b, 77);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(b, 0x57);
	if (type & PERF_SAMPLE_CPU) {
		put_u32(b, 3);
		put_u32(b, 0xdead);
	}
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(b, 250000);
	if (type & PERF_SAMPLE_READ) {
		bool enabled = attr->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED;
		bool running = attr->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING;
		bool id = attr->read_format & PERF_FORMAT_ID, lost = attr->read_format & (1 << 4);
		bool group = attr->read_format & PERF_FORMAT_GROUP;
		put_u64(b, group ? 2 : 900);
		for (int i = 0; i < enabled + running; i++)
			put_u64(b, 901);
		for (int i = 0; i < (group ? 2 : 0) * (1 + id + lost) + (group ? 0 : id + lost);
		     i++)
			put_u64(b, 902);
	}
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_u64(b, CHAIN_N);
		put_u64(b, (uint64_t)PERF_CONTEXT_USER);
		put_u64(b, 0x401000);
		put_u64(b, 0x402000);
	}
	if (type & PERF_SAMPLE_RAW) {
		put_u32(b, RAW_N);
		put_text(b, "raw bytes", 12);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		put_u64(b, BRANCHES_N);
		if (attr->branch_sample_type & 1 << 17)
			put_u64(b, 5); /* hw_idx */
		for (int i = 0; i < 3 * BRANCHES_N; i++)
			put_u64(b, 0xb0 + (uint64_t)i);
		if (attr->branch_sample_type & 1 << 19)
			for (int i = 0; i < BRANCHES_N; i++)
				put_u64(b, 0xc0);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		put_u64(b, PERF_SAMPLE_REGS_ABI_64);
		for (int i = 0; i < __builtin_popcountll(attr->sample_regs_user); i++)
			put_u64(b, 0x4e65 + (uint64_t)i);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		put_u64(b, STACK_ROOM);
		put_text(b, "on the stack", STACK_ROOM);
		put_u64(b, STACK_FILLED);
	}
}

static void check_values(const struct pl_perf_sample *s, uint64_t type)
{
	bool tid = type & PERF_SAMPLE_TID, id = type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);

	CHECK_U64(s->ip, type & PERF_SAMPLE_IP ? 0x401000 : 0);
	CHECK_U64(s->pid, tid ? 41 : 0);
	CHECK_U64(s->tid, tid ? 42 : 0);
	CHECK_U64(s->time, type & PERF_SAMPLE_TIME ? 123456789 : 0);
	CHECK_U64(s->id, id ? 77 : 0);
	CHECK_U64(s->cpu, type & PERF_SAMPLE_CPU ? 3 : 0);
	CHECK_U64(s->period, type & PERF_SAMPLE_PERIOD ? 250000 : 0);
	CHECK_U64(s->chain.n, type & PERF_SAMPLE_CALLCHAIN ? 8 * CHAIN_N : 0);
	CHECK_U64(s->raw.n, type & PERF_SAMPLE_RAW ? RAW_N : 0);
	CHECK_U64(s->branches.n, type & PERF_SAMPLE_BRANCH_STACK ? 24 * BRANCHES_N : 0);
	CHECK_U64(s->regs_abi, type & PERF_SAMPLE_REGS_USER ? 2 : 0);
	CHECK_U64(s->stack.n, type & PERF_SAMPLE_STACK_USER ? STACK_FILLED : 0);
	CHECK(!s->stack_full);
	if (s->raw.n)
		CHECK(memcmp(s->raw.p, "raw bytes", RAW_N) == 0);
	if (s->branches.n)
		CHECK(s->branches.p[0] == 0xb0 && s->branches.p[40] == 0xb5);
	if (s->stack.n)
		CHECK(memcmp(s->stack.p, "on the stac", STACK_FILLED) == 0);
}

/* Whole, longer, and at every shorter length. */
static void check_layout(const struct pl_perf_attr *attr)
{
	struct pl_perf_sample s;
	struct pl_buf b = {0};

	put_sample(&b, attr);
	size_t whole = b.n;
	put_u64(&b, 0x7ea1); /* what may follow: weights, data sources */
	for (size_t n = 0; n <= b.n; n++) {
		unsigned char *p = exact(view(&b), n);
		int failed = pl_perf_sample_read(&s, attr, (struct pl_bytes){p, n});
		CHECK(failed == (n < whole ? -1 : 0));
		if (!failed)
			check_values(&s, attr->sample_type);
		free(p);
	}
	int at = pl_perf_sample_id_at(attr->sample_type);
	bool has_id = attr->sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);
	CHECK((at >= 0) == has_id);
	if (has_id)
		CHECK_U64((unsigned char)b.p[8 * at], 77);
	pl_buf_free(&b);
}

static const uint64_t bits[] = {
	PERF_SAMPLE_IDENTIFIER,	  PERF_SAMPLE_IP,	 PERF_SAMPLE_TID,	 PERF_SAMPLE_TIME,
	PERF_SAMPLE_ADDR,	  PERF_SAMPLE_ID,	 PERF_SAMPLE_STREAM_ID,	 PERF_SAMPLE_CPU,
	PERF_SAMPLE_PERIOD,	  PERF_SAMPLE_READ,	 PERF_SAMPLE_CALLCHAIN,	 PERF_SAMPLE_RAW,
	PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER,
};

TEST(every_bit_alone_and_all_pairs)
{
	for (size_t i = 0; i < PL_COUNT(bits); i++)
		for (size_t k = i; k < PL_COUNT(bits); k++) {
			struct pl_perf_attr attr = plain;
			attr.sample_type = bits[i] | bits[k];
			check_layout(&attr);
		}
}

TEST(many_types_at_random_and_the_fullest)
{
	uint64_t state = 20260101;

	for (int i = 0; i < 300; i++) {
		struct pl_perf_attr attr = plain;
		for (size_t k = 0; k < PL_COUNT(bits); k++)
			if (i == 0 || chance(&state) & 1)
				attr.sample_type |= bits[k];
		check_layout(&attr);
	}
}

TEST(every_read_format)
{
	for (uint64_t format = 0; format < 32; format++) {
		struct pl_perf_attr attr = plain;
		attr.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN;
		attr.read_format = format;
		check_layout(&attr);
	}
}

TEST(branches_with_index_and_counters)
{
	for (uint64_t i = 0; i < 4; i++) {
		struct pl_perf_attr attr = plain;
		attr.sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER;
		attr.branch_sample_type = (i & 1) << 17 | (i >> 1) << 19;
		check_layout(&attr);
	}
}

/* A count of any size is held against what is there. */
TEST(counts_that_promise_more_than_there_is)
{
	static const uint64_t kinds[] = {PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
					 PERF_SAMPLE_STACK_USER, PERF_SAMPLE_RAW, PERF_SAMPLE_READ};
	static const uint64_t counts[] = {4,
					  1ull << 29,
					  1ull << 32,
					  1ull << 61,
					  (1ull << 61) + 1,
					  1ull << 62,
					  1ull << 63,
					  UINT64_MAX / 24,
					  UINT64_MAX / 24 + 1,
					  UINT64_MAX / 8,
					  UINT64_MAX - 7,
					  UINT64_MAX};

	for (size_t i = 0; i < PL_COUNT(kinds); i++)
		for (size_t k = 0; k < PL_COUNT(counts); k++) {
			struct pl_perf_attr attr = {.sample_type = kinds[i],
						    .read_format = PERF_FORMAT_GROUP};
			struct pl_perf_sample s;
			struct pl_buf b = {0};
			/* of 32 bits only: not 2^32 and its like, which are 0 then */
			if (kinds[i] == PERF_SAMPLE_RAW)
				put_u32(&b, counts[k] < 1ull << 32 ? 200 + (uint32_t)counts[k]
								   : UINT32_MAX);
			else
				put_u64(&b, kinds[i] == PERF_SAMPLE_STACK_USER && counts[k] == 4
						    ? 25
						    : counts[k]);
			put_text(&b, "", 24);
			CHECK(pl_perf_sample_read(&s, &attr, view(&b)) == -1);
			pl_buf_free(&b);
		}
}

TEST(no_registers_no_words_and_no_stack_no_length)
{
	struct pl_perf_attr attr = {.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
				    .sample_regs_user = UINT64_MAX};
	struct pl_perf_sample s;
	struct pl_buf b = {0};

	put_u64(&b, 0); /* a kernel thread has none */
	put_u64(&b, 0);
	CHECK(pl_perf_sample_read(&s, &attr, view(&b)) == 0);
	CHECK(s.regs_abi == 0 && s.regs.n == 0 && s.stack.n == 0 && !s.stack_full);
	pl_buf_free(&b);
}

TEST(a_stack_that_filled_its_room_may_go_on)
{
	struct pl_perf_attr attr = {.sample_type = PERF_SAMPLE_STACK_USER};
	static const struct {
		uint64_t filled;
		size_t n;
		bool full;
	} all[] = {{0, 0, false}, {7, 7, false}, {8, 8, true}, {9, 8, true}, {UINT64_MAX, 8, true}};

	for (size_t i = 0; i < PL_COUNT(all); i++) {
		struct pl_perf_sample s;
		struct pl_buf b = {0};
		put_u64(&b, 8);
		put_u64(&b, 1);
		put_u64(&b, all[i].filled);
		CHECK(pl_perf_sample_read(&s, &attr, view(&b)) == 0);
		CHECK_U64(s.stack.n, all[i].n);
		CHECK(s.stack_full == all[i].full);
		pl_buf_free(&b);
	}
}

TEST(raw_data_are_filled_up_to_words)
{
	for (uint32_t n = 0; n < 20; n++) {
		struct pl_perf_attr attr = {.sample_type =
						    PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK};
		size_t room = ((size_t)n + 4 + 7) / 8 * 8 - 4;
		struct pl_perf_sample s;
		struct pl_buf b = {0};
		put_u32(&b, n);
		put_text(&b, "", room);
		put_u64(&b, 1);
		for (int i = 0; i < 3; i++)
			put_u64(&b, 0xb0);
		CHECK(pl_perf_sample_read(&s, &attr, view(&b)) == 0);
		CHECK_U64(s.raw.n, n);
		CHECK_U64(s.branches.n, 24);
		pl_buf_free(&b);
	}
}

/* ---- what other records end with ---- */

TEST(trailers_of_every_type)
{
	static const uint64_t words[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					 PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
					 PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};

	for (unsigned set = 0; set < 64; set++) {
		struct pl_perf_attr attr = {.flags = 1ull << PL_PERF_SAMPLE_ID_ALL,
					    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD};
		struct pl_perf_trailer t;
		struct pl_buf b = {0};
		size_t n = 0;
		put_text(&b, "a body", 8);
		for (size_t i = 0; i < 6; i++) {
			if (!(set >> i & 1))
				continue;
			attr.sample_type |= words[i];
			n += 8;
			put_u32(&b, 10 + (uint32_t)i);
			put_u32(&b, words[i] == PERF_SAMPLE_TID ? 42 : 0);
		}
		CHECK(pl_perf_trailer_read(&t, &attr, view(&b)) == 0);
		CHECK_U64(t.bytes, n);
		CHECK_U64(t.pid, set & 1 ? 10 : 0);
		CHECK_U64(t.tid, set & 1 ? 42 : 0);
		CHECK_U64(t.time, set & 2 ? 11 : 0);
		CHECK_U64(t.cpu, set & 16 ? 14 : 0);
		CHECK_U64(t.id, set & 32 ? 15 : set & 4 ? 12 : 0);
		int at = pl_perf_trailer_id_at(attr.sample_type);
		CHECK((at > 0) == ((set & 36) != 0));
		if (at > 0)
			CHECK_U64((unsigned char)b.p[b.n - 8 * (size_t)at], t.id);
		for (size_t k = 0; k < n; k++)
			CHECK(pl_perf_trailer_read(&t, &attr, (struct pl_bytes){view(&b).p, k}) ==
			      -1);
		attr.flags = 0;
		CHECK(pl_perf_trailer_read(&t, &attr, view(&b)) == 0);
		CHECK(t.bytes == 0 && t.time == 0);
		pl_buf_free(&b);
	}
}

int main(void)
{
	RUN(every_bit_alone_and_all_pairs);
	RUN(many_types_at_random_and_the_fullest);
	RUN(every_read_format);
	RUN(branches_with_index_and_counters);
	RUN(counts_that_promise_more_than_there_is);
	RUN(no_registers_no_words_and_no_stack_no_length);
	RUN(a_stack_that_filled_its_room_may_go_on);
	RUN(raw_data_are_filled_up_to_words);
	RUN(trailers_of_every_type);
	return unit_done();
}
