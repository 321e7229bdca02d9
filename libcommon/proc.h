/*
 * proc: programs started without a shell: a pipeline in a process group of its own, its statuses,
 * its stderr.
 */
#ifndef PL_PROC_H
#define PL_PROC_H

#include "err.h"

enum { PL_PROC_STAGES = 8 };

struct pl_stage {
	const char *name;	 /* for messages */
	const char *path;	 /* absolute */
	const char *const *argv; /* NULL-terminated */
	/* results */
	int status;  /* as from waitpid(2) */
	bool failed; /* of its own accord (STREAMS.md section 5): not one that only lost its reader
			or writer */
	struct pl_buf err_text; /* what it wrote to stderr, the first 64 KiB */
};

/*
 * Runs the stages, each one's stdout the next one's stdin; the first reads fd `in`, the last writes
 * fd `out`. Their stderr is collected line by line and, when `pass_stderr`, passed on at once to
 * ours. When a stage fails, or on SIGINT, SIGTERM or SIGHUP to us, the whole group gets SIGTERM
 * and, after a second, SIGKILL. deadline_seconds 0: none. 0 when all ran (see the results), -1 when
 * one could not be started (err).
 */
int pl_proc_pipeline(struct pl_stage *stages, size_t n, int in, int out, bool pass_stderr,
		     uint64_t deadline_seconds, struct pl_err *err);
/* The exit status of the whole: 0, or that of the leftmost stage that failed of its own accord (70
 * for a signal that we did not send). *culprit is its index. */
int pl_proc_status(const struct pl_stage *stages, size_t n, size_t *culprit);

#endif
