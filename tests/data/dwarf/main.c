/* A program whose addresses tests ask about: inline chains, cold parts, a nested function, code
 * that a linker can remove. What it computes does not matter. */
#include "clamp.h"
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int value;
};

static inline int square(int x)
{
	return x * x;
}
static inline int twice(int x)
{
	int s = 0;
	for (int i = 0; i < x; i++)
		s += square(i) ^ x;
	return s;
}
__attribute__((noinline, cold)) static void give_up(const char *why)
{
	fprintf(stderr, "%s\n", why);
	abort();
}
static int dead(int x)
{
	return twice(x) + 1;
}
int never_called(int x)
{
	return dead(x) * twice(x + 3);
}
__attribute__((noinline)) int sum(struct node *n)
{
	int total = 0;
	for (; n; n = n->next) {
		if (n->value < 0)
			give_up("negative");
		if (__builtin_expect(n->value > 1000, 0)) {
			printf("big %d\n", n->value);
			abort();
		}
		total += twice(n->value) + clamp(n->value, 3, 9);
	}
	return total;
}
int main(int argc, char **argv)
{
	struct node a = {0, argc}, b = {&a, 2};
#ifdef __clang__
	return sum(&b) + other(argc) + more(argc, argv);
#else
	__attribute__((noinline)) int nested(int y)
	{
		return y * argc + square(y);
	}
	return nested(sum(&b) + other(argc) + more(argc, argv));
#endif
}
