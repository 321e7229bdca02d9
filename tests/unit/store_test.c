/* store: whatever is asked for, a file and memory give the same bytes */
#include "../../filters/data-parse/store.h"
#include "perf_kit.h"
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 3 * STORE_WINDOW + 1000 };

static unsigned char *noise(void)
{
	unsigned char *p = malloc(SIZE);
	uint64_t state = 99;

	for (size_t i = 0; i < SIZE; i++)
		p[i] = (unsigned char)chance(&state);
	return p;
}

static int file_of(const unsigned char *p, size_t n)
{
	int fd = memfd_create("store", 0);

	CHECK(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	return fd;
}

static bool same(struct pl_bytes b, const unsigned char *p, size_t n)
{
	return b.n == n && memcmp(b.p, p, n) == 0;
}

static void check_place(struct store *s, const unsigned char *p, uint64_t at, uint64_t n)
{
	size_t left = at < SIZE ? SIZE - (size_t)at : 0;
	size_t want = n < left ? (size_t)n : left;

	CHECK(same(store_bytes(s, at, n), want ? p + at : p, want));
}

static void check_places(struct store *s, const unsigned char *p)
{
	uint64_t state = 5;

	for (uint64_t edge = 0; edge <= SIZE; edge += STORE_WINDOW)
		for (uint64_t at = edge < 3 ? 0 : edge - 3; at < edge + 3; at++)
			for (uint64_t n = 0; n < 6; n++)
				check_place(s, p, at, n);
	for (int i = 0; i < 3000; i++)
		check_place(s, p, chance(&state) % (SIZE + 10), chance(&state) % 70000);
	check_place(s, p, 0, UINT64_MAX);
	check_place(s, p, 1, UINT64_MAX);
	check_place(s, p, UINT64_MAX, UINT64_MAX);
	check_place(s, p, SIZE - 1, 2);
}

TEST(a_file_and_memory_give_the_same)
{
	unsigned char *p = noise();
	int fd = file_of(p, SIZE);
	struct store s;

	store_memory(&s, (struct pl_bytes){p, SIZE});
	check_places(&s, p);
	store_free(&s);
	for (size_t places = 0; places < 1000; places = 3 * places + 1) {
		store_file(&s, fd, SIZE);
		check_places(&s, p);
		store_spread(&s, places);
		check_places(&s, p);
		CHECK(s.err.code == PL_E_NONE);
		store_free(&s);
	}
	store_file(&s, fd, SIZE);
	store_load(&s);
	check_places(&s, p);
	store_free(&s);
	close(fd);
	free(p);
}

TEST(nothing_is_nothing)
{
	struct store s;

	store_memory(&s, (struct pl_bytes){NULL, 0});
	CHECK_U64(store_bytes(&s, 0, 10).n, 0);
	CHECK_U64(store_keep(&s, 0, 10).n, 0);
	store_free(&s);
}

TEST(what_is_kept_stays)
{
	unsigned char *p = noise();
	int fd = file_of(p, SIZE);
	struct pl_bytes kept[20];
	struct store s;

	store_file(&s, fd, SIZE);
	for (size_t i = 0; i < 20; i++)
		kept[i] = store_keep(&s, i * 10000, 5000 + i);
	check_places(&s, p);
	for (size_t i = 0; i < 20; i++)
		CHECK(same(kept[i], p + i * 10000, 5000 + i));
	store_free(&s);
	close(fd);
	free(p);
}

/* It was cut after it was opened: nothing is read that is not there, and it is said. */
TEST(a_file_that_shrinks_is_told)
{
	unsigned char *p = noise();
	int fd = file_of(p, SIZE);
	struct store s;

	store_file(&s, fd, SIZE);
	CHECK(same(store_bytes(&s, 0, 10), p, 10));
	CHECK(ftruncate(fd, STORE_WINDOW + 5) == 0);
	CHECK(same(store_bytes(&s, STORE_WINDOW - 10, 15), p + STORE_WINDOW - 10, 15));
	CHECK(s.err.code == PL_E_NONE);
	struct pl_bytes b = store_bytes(&s, STORE_WINDOW + 3, 4);
	CHECK_U64(b.n, 4);
	CHECK(b.p[0] == p[STORE_WINDOW + 3] && b.p[1] == p[STORE_WINDOW + 4] && b.p[2] == 0);
	CHECK_U64(s.err.code, PL_E_PATH_SAFETY_VIOLATION);
	store_free(&s);
	store_file(&s, fd, SIZE);
	store_load(&s);
	CHECK_U64(s.err.code, PL_E_PATH_SAFETY_VIOLATION);
	store_free(&s);
	close(fd);
	free(p);
}

int main(void)
{
	RUN(a_file_and_memory_give_the_same);
	RUN(nothing_is_nothing);
	RUN(what_is_kept_stays);
	RUN(a_file_that_shrinks_is_told);
	return unit_done();
}
