/* sampleline: what the writer writes is read as the JSON reader reads it; anything else is refused
 */
#include "perf_kit.h"
#include "record.h"
#include "sampleline.h"
#include "samplesw.h"

enum { FRAMES = 40000 };

struct read {
	struct pl_sample sample;
	uint32_t *stack;
	size_t cap;
};

static bool take(struct read *r, struct pl_str line)
{
	/* memory that ends where the line does */
	unsigned char *p = exact((struct pl_bytes){(const unsigned char *)line.p, line.n}, line.n);
	struct pl_str copy = {(const char *)p, line.n};
	bool good = pl_sampleline_read(copy, FRAMES, &r->sample, &r->stack, &r->cap);

	CHECK(!good || pl_sampleline_is(copy));
	free(p);
	return good;
}

static bool same_text(struct pl_str a, struct pl_str b)
{
	return !a.p == !b.p && pl_str_eq(a, b);
}

/* By the general reader, of JSON. */
static void check_same(const struct pl_sample *got, struct pl_str line)
{
	struct pl_json json = {0};
	struct pl_sample want = {0};
	char message[256];

	CHECK(pl_json_parse(&json, line) == 0);
	CHECK(pl_record_read(&pl_sample_record, &json, 0, &want, message) == NULL);
	CHECK_U64(got->event, want.event);
	CHECK_U64(got->weight, want.weight);
	CHECK_U64(got->depth, json.tape[want.stack_token].count);
	for (size_t i = 0; i < got->depth; i++)
		CHECK_U64(got->stack[i], json.tape[want.stack_token + 1 + i].v.u);
	CHECK(got->has_pid == want.has_pid && got->pid == want.pid);
	CHECK(got->has_tid == want.has_tid && got->tid == want.tid);
	CHECK(got->has_cpu == want.has_cpu && got->cpu == want.cpu);
	CHECK(got->has_time == want.has_time && got->time == want.time);
	CHECK(same_text(got->comm, want.comm) && same_text(got->mode, want.mode));
	CHECK(same_text(got->payload, want.payload) && same_text(got->cut, want.cut));
	pl_json_free(&json);
}

static uint64_t few_digits(uint64_t *state)
{
	static const uint64_t powers[] = {1, 10, 1000, 100000, 10000000, 1000000000000000000};

	return chance(state) % powers[chance(state) % PL_COUNT(powers)];
}

static struct pl_str maybe(uint64_t *state, const char *text)
{
	return chance(state) % 2 ? pl_str(text) : (struct pl_str){NULL, 0};
}

static void make(struct pl_sample *s, uint32_t *stack, uint64_t *state)
{
	*s = (struct pl_sample){.event = (uint32_t)few_digits(state),
				.weight = few_digits(state),
				.stack = stack,
				.depth = chance(state) % 50,
				.pid = (int64_t)few_digits(state),
				.tid = (int64_t)few_digits(state),
				.cpu = (int64_t)few_digits(state),
				.time = few_digits(state),
				.has_pid = chance(state) % 2,
				.has_tid = chance(state) % 2,
				.has_cpu = chance(state) % 2,
				.has_time = chance(state) % 2,
				.comm = maybe(state, "a comm:0"),
				.mode = maybe(state, "user"),
				.payload = maybe(state, ""),
				.cut = maybe(state, "truncated_stack")};
	for (size_t i = 0; i < s->depth; i++)
		stack[i] = (uint32_t)(few_digits(state) % FRAMES);
}

TEST(what_the_writer_writes_is_read)
{
	uint64_t state = 3;
	uint32_t stack[50];
	struct read r = {0};

	for (int i = 0; i < 5000; i++) {
		struct pl_buf b = {0};
		struct pl_sample s;
		make(&s, stack, &state);
		pl_samplesw_sample(&b, &s);
		struct pl_str line = {b.p, b.n - 1}; /* without its end */
		if (CHECK(pl_sampleline_read(line, FRAMES, &r.sample, &r.stack, &r.cap)))
			check_same(&r.sample, line);
		pl_buf_free(&b);
	}
	free(r.stack);
}

#define START "{\"type\":\"sample\",\"event\":0,\"weight\":"

TEST(what_is_not_so_is_for_the_general_road)
{
	static const char *const lines[] = {
		"",
		"{}",
		START "1,\"frames\":[]}",
		START "1}",
		START "1,\"stack\":[1,2,],\"pid\":1}",
		START "1,\"stack\":[,1]}",
		START "1,\"stack\":[01]}",
		START "1,\"stack\":[40000]}",
		START "1,\"stack\":[1]",
		START "1,\"stack\":[1]}}",
		START "1,\"stack\":[1]} ",
		START "1,\"stack\":[1], \"pid\":1}",
		START "1,\"stack\":[1],\"pid\":-1}",
		START "1,\"stack\":[1],\"pid\":1,\"pid\":1}",
		START "1,\"stack\":[1],\"tid\":1,\"pid\":1}",
		START "1,\"stack\":[1],\"pid\":1.0}",
		START "1,\"stack\":[1],\"pid\":1e0}",
		START "1,\"stack\":[1],\"pid\":}",
		START "1,\"stack\":[1],\"comm\":\"a\\\"b\"}",
		START "1,\"stack\":[1],\"comm\":\"\xc3\xa9\"}",
		START "1,\"stack\":[1],\"comm\":\"a\tb\"}",
		START "1,\"stack\":[1],\"comm\":\"ab}",
		START "1,\"stack\":[1],\"mine\":1}",
		START "01,\"stack\":[1]}",
		START "-1,\"stack\":[1]}",
		START "1000000000000000000000000,\"stack\":[1]}",
		START "18446744073709551615,\"stack\":[1]}",
		START "1,\"stack\":[1],\"time\":9999999999999999999}",
		"{\"type\":\"sample\",\"event\":4294967296,\"weight\":1,\"stack\":[]}",
	};
	struct read r = {0};

	for (size_t i = 0; i < PL_COUNT(lines); i++)
		CHECK(!take(&r, pl_str(lines[i])));
	CHECK(take(&r, PL_S(START "1,\"stack\":[]}")));
	CHECK(take(&r, PL_S(START "999999999999999999,\"stack\":[0,39999]}")));
	CHECK_U64(r.sample.weight, 999999999999999999);
	CHECK_U64(r.sample.depth, 2);
	free(r.stack);
}

TEST(cut_anywhere_it_is_refused)
{
	static const char line[] = START "17,\"stack\":[3,14],\"pid\":1,\"tid\":2,\"comm\":\"x\","
					 "\"cpu\":0,\"time\":5,\"mode\":\"user\"}";
	struct read r = {0};

	for (size_t n = 0; n < sizeof line - 1; n++)
		CHECK(!take(&r, (struct pl_str){line, n}));
	CHECK(take(&r, pl_str(line)));
	free(r.stack);
}

int main(void)
{
	RUN(what_the_writer_writes_is_read);
	RUN(what_is_not_so_is_for_the_general_road);
	RUN(cut_anywhere_it_is_refused);
	return unit_done();
}
