/* stream_kit: bytes in memory as the input of a reader of streams */
#ifndef STREAM_KIT_H
#define STREAM_KIT_H

#include "in.h"
#include "limits.h"
#include "unit.h"
#include <sys/mman.h>
#include <unistd.h>

/* The one input, and its name. Opening the next one closes it. */
static struct pl_in kit_in;
static char kit_path[40];

static inline void kit_close(void)
{
	if (kit_in.x)
		pl_in_close(&kit_in);
	kit_in = (struct pl_in){0};
}

/* Makes these bytes the current input. */
static inline struct pl_in *kit_open(const void *p, size_t n)
{
	static int fd = -1;
	const struct pl_in_options options = {.max_line = PL_STREAM_LINE_MAX};
	const char *const paths[] = {kit_path};

	kit_close();
	if (fd < 0)
		fd = memfd_create("stream", MFD_CLOEXEC);
	snprintf(kit_path, sizeof kit_path, "/proc/self/fd/%d", fd);
	CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, p, n, 0) == (ssize_t)n);
	CHECK(pl_in_open(&kit_in, paths, 1, &options) == 0);
	CHECK(pl_in_next(&kit_in) == 1);
	return &kit_in;
}

/* Compares code, place and message (NULL: any) of an error. */
static inline void kit_error_is(const struct pl_err *e, enum pl_code code, uint64_t line,
				const char *message)
{
	if (!CHECK(e->code == code))
		printf("#   got %s: %s\n", pl_code_name(e->code), e->message);
	CHECK_U64(e->line, line);
	CHECK_STR(e->file, strlen(e->file), kit_path);
	if (message)
		CHECK_STR(e->message, strlen(e->message), message);
}

#endif
