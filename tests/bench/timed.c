/*
 * timed LOG COMMAND [ARG...]: runs the command, appends "WALL_US CPU_US PEAK_KB" to LOG, exits as
 * it did.
 *
 * For one stage of a pipeline: stdin and stdout are the command's.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t us(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: timed LOG COMMAND [ARG...]\n");
		return 2;
	}
	int64_t start = now_us();
	pid_t child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	/* only the child holds the pipe's ends, so that the next stage sees its end at once */
	close(0);
	close(1);
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 70;
	int64_t wall = now_us() - start;
	FILE *log = fopen(argv[1], "a");
	if (!log)
		return 70;
	fprintf(log, "%lld %lld %ld\n", (long long)wall,
		(long long)(us(usage.ru_utime) + us(usage.ru_stime)), usage.ru_maxrss);
	fclose(log);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}
