/* recording: the perf.data file: that it is one, its digest, and that nobody writes to it */
#ifndef PERF_SCRIPT_RECORDING_H
#define PERF_SCRIPT_RECORDING_H

#include "hash.h"
#include "program.h"

struct recording {
	const char *name; /* for messages */
	int fd;
	struct stat st; /* when it was opened */
	uint64_t bytes;
	char sha256[PL_SHA256_HEX + 1]; /* "" without digest */
};

/* Reads the one input of m. 0 or -1. */
int recording_read(struct recording *r, struct pl_main *m, struct pl_err *err);
/* 0, or -1 (PATH_SAFETY_VIOLATION): it changed since it was opened. */
int recording_check(const struct recording *r, struct pl_err *err);

#endif
