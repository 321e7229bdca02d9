/*
 * gen LINES FRAMES DEPTH SEED > F: synthetic folded stacks.
 * A random walk on a skewed call graph of FRAMES functions with six callees each; the same
 * arguments give the same bytes. About 94 % of a million lines are distinct at FRAMES=50000,
 * DEPTH=25. cc -O2 -o gen gen.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLEES = 6 };
static uint64_t state;
static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545F4914F6CDD1DULL;
}
static const char *const words[] = {
	"get",	"set",	 "handle", "alloc",  "free",   "page",	"node",	 "tree", "parse", "emit",
	"read", "write", "map",	   "lock",   "unlock", "init",	"do",	 "list", "hash",  "buf",
	"str",	"copy",	 "find",   "insert", "update", "sched", "vm",	 "fs",	 "io",	  "net",
	"json", "token", "expr",   "type",   "decl",   "visit", "lower", "fold", "range", "iter"};

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: gen LINES FRAMES DEPTH SEED\n");
		return 2;
	}
	uint64_t lines = strtoull(argv[1], NULL, 10);
	uint32_t frames = strtoul(argv[2], NULL, 10), depth = strtoul(argv[3], NULL, 10);
	state = strtoull(argv[4], NULL, 10) * 7919 + 1;
	char **name = malloc(frames * sizeof *name);
	uint32_t *callee = malloc((size_t)frames * CALLEES * sizeof *callee);
	for (uint32_t i = 0; i < frames; i++) {
		char b[96];
		int n = 0;
		for (int k = 1 + rnd() % 3, j = 0; j < k; j++)
			n += sprintf(b + n, "%s%s", j ? "_" : "", words[rnd() % 40]);
		sprintf(b + n, "_%x", i);
		name[i] = strdup(b);
	}
	for (size_t i = 0; i < (size_t)frames * CALLEES; i++)
		callee[i] = rnd() % frames;
	static char buf[1 << 20];
	setvbuf(stdout, buf, _IOFBF, sizeof buf);
	for (uint64_t i = 0; i < lines; i++) {
		uint32_t d = depth / 2 + rnd() % (depth + 1);
		uint32_t f = rnd() % 8 == 0 ? rnd() % (frames < 64 ? frames : 64) : 0;
		for (uint32_t j = 0; j < d || j == 0; j++) {
			if (j)
				putchar_unlocked(';');
			fputs(name[f], stdout);
			uint64_t r = (rnd() >> 40) & 0xffff;
			f = callee[f * CALLEES + (r < 45000   ? 0
						  : r < 58000 ? 1
						  : r < 62500 ? 2
						  : r < 64500 ? 3
						  : r < 65200 ? 4
							      : 5)];
		}
		printf(" %u\n", 1 + (unsigned)(rnd() >> 60));
	}
	return fflush(stdout) || ferror(stdout);
}
