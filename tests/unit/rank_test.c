/* rank: the foremost few are those that a full sort would put there */
#include "../../filters/aggregate/rank.h"
#include "unit.h"
#include <stdlib.h>

/* Items are indices of an array of weights: heavier first, then the lower index. */
static bool heavier(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *weight = context;

	return weight[a] != weight[b] ? weight[a] > weight[b] : a < b;
}

/* Are these the first k by plain selection? And is every item still there, once? */
static bool is_ranked(const uint32_t *items, size_t n, size_t k, const uint32_t *weight)
{
	bool seen[64] = {false};

	for (size_t i = 0; i < n; i++) {
		if (items[i] >= n || seen[items[i]])
			return false;
		seen[items[i]] = true;
	}
	for (size_t i = 0; i < k; i++)
		for (size_t later = i + 1; later < n; later++)
			if (!heavier(weight, items[i], items[later]))
				return false;
	return true;
}

static void rank_all_cuts(const uint32_t *weight, size_t n)
{
	for (size_t k = 0; k <= n + 2; k++) {
		uint32_t items[64];
		size_t want = k < n ? k : n;
		for (size_t i = 0; i < n; i++)
			items[i] = (uint32_t)i;
		CHECK_U64(rank_first(items, n, k, heavier, weight), want);
		CHECK(is_ranked(items, n, want, weight));
	}
}

TEST(a_few_by_hand)
{
	const uint32_t weight[] = {5, 9, 1, 9, 7};
	uint32_t items[] = {0, 1, 2, 3, 4};

	CHECK_U64(rank_first(items, 5, 3, heavier, weight), 3);
	CHECK_U64(items[0], 1);
	CHECK_U64(items[1], 3);
	CHECK_U64(items[2], 4);
}

TEST(none_and_one)
{
	const uint32_t weight[] = {4};
	uint32_t item = 0;

	CHECK_U64(rank_first(&item, 0, 5, heavier, weight), 0);
	CHECK_U64(rank_first(&item, 1, 0, heavier, weight), 0);
	CHECK_U64(rank_first(&item, 1, UINT32_MAX, heavier, weight), 1);
	CHECK_U64(item, 0);
}

TEST(every_cut_of_every_order)
{
	uint32_t weight[64] = {0};

	for (size_t n = 0; n <= 40; n++) {
		for (size_t i = 0; i < n; i++)
			weight[i] = (uint32_t)i;
		rank_all_cuts(weight, n); /* the worst order: the last is the foremost */
		for (size_t i = 0; i < n; i++)
			weight[i] = (uint32_t)(n - i);
		rank_all_cuts(weight, n);
		for (size_t i = 0; i < n; i++)
			weight[i] = (uint32_t)(i * 7 % 5); /* many equal ones */
		rank_all_cuts(weight, n);
		srand((unsigned)n + 1);
		for (size_t i = 0; i < n; i++)
			weight[i] = (uint32_t)rand() % 16;
		rank_all_cuts(weight, n);
	}
}

int main(void)
{
	RUN(a_few_by_hand);
	RUN(none_and_one);
	RUN(every_cut_of_every_order);
	return unit_done();
}
