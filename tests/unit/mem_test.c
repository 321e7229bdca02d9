/* mem: growth, the arena, and what happens when there is no memory */
#include "mem.h"
#include "unit.h"
#include <setjmp.h>
#include <stdlib.h>

TEST(grows_and_zeroes)
{
	uint32_t *v = NULL;
	size_t cap = 0;

	for (size_t n = 1; n <= 1000; n++) {
		size_t old = cap;
		PL_GROW(v, n, cap);
		CHECK(cap >= n);
		for (size_t i = old; i < cap; i++)
			CHECK(v[i] == 0);
		memset(v, 0xff, cap * sizeof *v);
	}
	uint32_t *before = v;
	PL_GROW(v, cap, cap);
	CHECK(v == before);
	size_t far = 10 * cap;
	PL_GROW(v, far, cap);
	CHECK(cap >= far);
	free(v);
}

TEST(allocates_nothing_at_all)
{
	void *p = pl_alloc(0);
	CHECK(p != NULL);
	p = pl_realloc(p, 0, 8);
	CHECK(p != NULL);
	free(p);
	char *copy = pl_strdup("");
	CHECK_STR(copy, strlen(copy), "");
	free(copy);
}

TEST(arena_keeps_what_it_hands_out)
{
	enum { N = 3000 };
	struct pl_arena arena = {0};
	char *texts[N];
	size_t used = 0;

	for (size_t i = 0; i < N; i++) {
		char text[32];
		int n = snprintf(text, sizeof text, "text %zu", i);
		/* now and then one that is larger than a block */
		if (i % 1000 == 7) {
			size_t big = 200000;
			memset(pl_arena_alloc(&arena, big), 0xff, big);
			used += big;
		}
		texts[i] = pl_arena_dup(&arena, text, (size_t)n);
		CHECK((uintptr_t)texts[i] % 8 == 0);
		used += ((size_t)n + 1 + 7) / 8 * 8;
	}
	CHECK_U64(arena.used, used);
	for (size_t i = 0; i < N; i++) {
		char want[32];
		snprintf(want, sizeof want, "text %zu", i);
		CHECK_STR(texts[i], strlen(texts[i]), want);
	}
	CHECK_STR(pl_arena_dup(&arena, NULL, 0), (size_t)0, "");
	pl_arena_free(&arena);
	CHECK(arena.head == NULL && arena.used == 0);
	pl_arena_free(&arena);
}

static jmp_buf out;
static size_t asked;

static void handler(size_t wanted)
{
	asked = wanted;
	longjmp(out, 1);
}

/* 1 when the handler was called. */
#define FAILS(call) (setjmp(out) ? 1 : ((void)(call), 0))

TEST(calls_the_handler_when_a_size_overflows)
{
	struct pl_arena arena = {0};
	size_t cap = 0;

	pl_mem_on_failure(handler);
	asked = 0;
	CHECK(FAILS(pl_realloc(NULL, SIZE_MAX / 8 + 1, 8)));
	CHECK(asked == SIZE_MAX);
	CHECK(FAILS(pl_grow(NULL, SIZE_MAX / 4, &cap, 8)));
	CHECK(cap == 0);
	CHECK(FAILS(pl_arena_alloc(&arena, SIZE_MAX)));
	CHECK(FAILS(pl_arena_alloc(&arena, SIZE_MAX - 7)));
	CHECK(FAILS(pl_arena_dup(&arena, "", SIZE_MAX)));
	CHECK(arena.head == NULL && arena.used == 0);
	pl_mem_on_failure(NULL);
}

int main(void)
{
	RUN(grows_and_zeroes);
	RUN(allocates_nothing_at_all);
	RUN(arena_keeps_what_it_hands_out);
	RUN(calls_the_handler_when_a_size_overflows);
	return unit_done();
}
