/*
 * threads: threads with names that are hard to read, each at work for a while in a function of its
 * own call chain, one after the other. Built and recorded by tests/pl-script-parse.bats.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* What perf script prints as it is: fields, comments, ends of lines and bytes that are no UTF-8 */
static const char *const names[] = {
	"12345",      "1/2",	   "t 99", "# hash", " lead", "a:b",	      "kworker/u8:1-ev",
	"two\nlines", "\xff\xfe!", "-1",   "[003]",  "1.5:",  "4000 cycles:", "worker 7 8/9",
};

static volatile unsigned long sink;

/* The workload's leaf. */
__attribute__((noinline)) void burn(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}

/* A second level, so that chains have callers. */
__attribute__((noinline)) void work(long milliseconds)
{
	struct timespec start, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		burn(20000);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 <
		 milliseconds);
}

static void *run(void *name)
{
	prctl(PR_SET_NAME, name);
	work(20);
	return NULL;
}

int main(void)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, run, (void *)names[i]))
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}
