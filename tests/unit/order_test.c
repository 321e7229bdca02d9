/* order: held to qsort(3) on interleavings of sorted sequences and on noise */
#include "../../filters/data-parse/order.h"
#include "perf_kit.h"

enum { MOST = 3000 };

struct want {
	uint64_t time;
	size_t at;
};

static int compare(const void *a, const void *b)
{
	const struct want *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Takes them all: by time, and what has one time in the order of the file. */
static void check(const uint64_t *times, size_t n)
{
	static struct want want[MOST];
	struct order o = {0};

	for (size_t i = 0; i < n; i++) {
		want[i] = (struct want){times[i], i};
		order_add(&o, &(struct order_entry){
				      .time = times[i], .at = i, .event = (uint32_t)i % 7});
	}
	qsort(want, n, sizeof *want, compare);
	order_end(&o);
	for (size_t i = 0; i < n; i++) {
		const struct order_entry *e = order_take(&o);
		if (!CHECK(e != NULL))
			break;
		CHECK_U64(e->at, want[i].at);
		CHECK_U64(e->time, want[i].time);
		CHECK_U64(e->event, want[i].at % 7);
	}
	CHECK(order_take(&o) == NULL);
	CHECK(order_take(&o) == NULL);
	order_free(&o);
}

TEST(nothing_one_and_a_few_by_hand)
{
	check(NULL, 0);
	check((uint64_t[]){5}, 1);
	check((uint64_t[]){0, 0, 3, 0, 2, 3, 0, 1, 3}, 9);
	check((uint64_t[]){UINT64_MAX, 0, UINT64_MAX, 1}, 4);
}

TEST(sorted_backwards_and_all_equal)
{
	static uint64_t times[MOST];

	for (size_t i = 0; i < MOST; i++)
		times[i] = i;
	check(times, MOST);
	for (size_t i = 0; i < MOST; i++)
		times[i] = MOST - i;
	check(times, MOST);
	for (size_t i = 0; i < MOST; i++)
		times[i] = 7;
	check(times, MOST);
}

/* As perf writes: rounds, in each of which every CPU's buffer follows the other. */
TEST(buffers_of_cpus_in_rounds)
{
	static uint64_t times[MOST];
	uint64_t state = 42;

	for (size_t cpus = 1; cpus <= 9; cpus += 4) {
		uint64_t now[9] = {0};
		size_t n = 0;
		while (n < MOST) {
			size_t cpu = chance(&state) % cpus;
			for (uint64_t k = chance(&state) % 50; k > 0 && n < MOST; k--)
				times[n++] = now[cpu] += chance(&state) % 4;
		}
		check(times, n);
	}
}

TEST(noise_with_many_ties)
{
	static uint64_t times[MOST];
	uint64_t state = 7;

	for (int round = 0; round < 40; round++) {
		size_t n = chance(&state) % MOST;
		uint64_t range = 1 + chance(&state) % (round % 2 ? 20 : 100000);
		for (size_t i = 0; i < n; i++)
			times[i] = chance(&state) % range;
		check(times, n);
	}
}

int main(void)
{
	RUN(nothing_one_and_a_few_by_hand);
	RUN(sorted_backwards_and_all_equal);
	RUN(buffers_of_cpus_in_rounds);
	RUN(noise_with_many_ties);
	return unit_done();
}
