/*
 * unit: the kit of the unit tests: TAP on stdout, one line a TEST.
 *
 *     TEST(percent_rounds_half_up) { CHECK_U64(pl_num_percent(1, 8), 12500000); }
 *     int main(void) { RUN(percent_rounds_half_up); return unit_done(); }
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int unit_number, unit_failures;
static bool unit_ok;

#define TEST(name) static void test_##name(void)
#define RUN(name) unit_run(#name, test_##name)

static inline void unit_run(const char *name, void (*test)(void))
{
	unit_ok = true;
	test();
	unit_number++;
	unit_failures += !unit_ok;
	printf("%s %d - %s\n", unit_ok ? "ok" : "not ok", unit_number, name);
	fflush(stdout);
}
static inline int unit_done(void)
{
	printf("1..%d\n", unit_number);
	return unit_failures != 0;
}
static inline bool unit_check(bool ok, const char *file, int line, const char *what)
{
	if (!ok) {
		unit_ok = false;
		printf("# %s:%d: %s\n", file, line, what);
	}
	return ok;
}
#define CHECK(condition) unit_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_U64(got, want)                                                                    \
	do {                                                                                    \
		uint64_t unit_got = (got), unit_want = (want);                                  \
		if (!CHECK(unit_got == unit_want))                                              \
			printf("#   got %" PRIu64 ", want %" PRIu64 "\n", unit_got, unit_want); \
	} while (0)
/* got: pointer and length; want: a C string */
#define CHECK_STR(p, n, want)                                                                      \
	do {                                                                                       \
		const char *unit_p = (p), *unit_want = (want);                                     \
		size_t unit_n = (n);                                                               \
		if (!CHECK(unit_n == strlen(unit_want) && memcmp(unit_p, unit_want, unit_n) == 0)) \
			printf("#   got  %.*s\n#   want %s\n", (int)unit_n, unit_p, unit_want);    \
	} while (0)

#endif
