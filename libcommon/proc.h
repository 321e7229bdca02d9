/*
 * proc: programs started without a shell: a pipeline of real processes, its statuses, its stderr.
 *
 * Stages are started with posix_spawn(3) and stand in a process group of their own, so that what
 * they start ends with them. Where the first one's stdin is a terminal they stay in ours instead:
 * there the terminal's own keys (interrupt, stop) must reach them, and a background group could not
 * read it.
 *
 * stderr: every stage writes into a pipe to us, also where ours is a terminal: only so can the
 * message of a stage that merely lost its reader or writer be told from the culprit's and left out.
 * Whoever wants progress gives --progress to the first stage.
 */
#ifndef PL_PROC_H
#define PL_PROC_H

#include "err.h"

enum { PL_PROC_STAGES = 8, PL_PROC_ERR_KEPT = 64 << 10, PL_PROC_FILE = 3 };

struct pl_stage {
	const char *name;	 /* for messages */
	const char *path;	 /* absolute */
	const char *const *argv; /* NULL-terminated */
	const char *const *env;	 /* NULL-terminated; NULL: ours */
	int file;		 /* a descriptor that it is given as PL_PROC_FILE; 0: none */
	/* results */
	int status;  /* as from waitpid(2) */
	bool failed; /* of its own accord (STREAMS.md section 5): not one that only lost its reader
			or writer, nor one that we ended */
	struct pl_buf err_text; /* what it wrote to stderr, from PL_PROC_ERR_KEPT bytes up only its
				   end; the caller frees it */
};

/*
 * Runs the stages, each one's stdout the next one's stdin; the first reads fd `in` (-1:
 * /dev/null), the last writes fd `out`. With pass_stderr the first one's stderr is passed on to
 * ours at once, byte for byte, and that of the others when all have ended, in the stages' order,
 * without those that failed only because another did. Without it nothing is passed on.
 *
 * When a stage fails (status 1, a failed check, is no failure here) the others have a quarter of a
 * second to end by themselves; then, as on a signal that ends us (SIGINT, SIGTERM, SIGHUP, SIGQUIT,
 * …) and when the deadline is over, all get SIGTERM and, after one more second, SIGKILL. A signal
 * to us is sent to us again before the function returns: the caller's own handling of it applies
 * then.
 *
 * deadline_seconds 0: none. 0 when all ran (see the results); -1 with err when one could not be
 * started (EXTERNAL_TOOL_FAILED) or the time was over (EXTERNAL_TOOL_TIMEOUT).
 */
int pl_proc_pipeline(struct pl_stage *stages, size_t n, int in, int out, bool pass_stderr,
		     uint64_t deadline_seconds, struct pl_err *err);
/* Where the last one's stdout goes when it comes to us. */
struct pl_sink {
	/* 0, or -1 with *err: then everything is ended */
	int (*take)(void *context, struct pl_str bytes, struct pl_err *err);
	void *context;
	int fd; /* what take() writes to, so that it does not have to wait there: it is called only
		   with what that has room for. -1: it never waits */
};
/*
 * The same with the last one's stdout handed to *sink as it arrives; nothing of stderr is passed
 * on. -1 also when the sink refused. What the stages started and left behind is ended with them,
 * and after a signal to us SIGKILL follows SIGTERM in half the time: before it meets us.
 */
int pl_proc_relay(struct pl_stage *stages, size_t n, int in, const struct pl_sink *sink,
		  uint64_t deadline_seconds, struct pl_err *err);
/* The same with the last one's stdout appended to *output. More than max_bytes: everything is
 * ended, -1 (RESOURCE_LIMIT_EXCEEDED). */
int pl_proc_capture(struct pl_stage *stages, size_t n, int in, struct pl_buf *output,
		    size_t max_bytes, uint64_t deadline_seconds, struct pl_err *err);
/*
 * The exit status of the whole: 0, or that of the leftmost stage that failed of its own accord (70
 * for a signal that we did not send); *culprit is then its index, else n. 128 + SIGPIPE when
 * nothing failed, but the last stage lost the reader of `out`.
 */
int pl_proc_status(const struct pl_stage *stages, size_t n, size_t *culprit);

/* The path of `name` in the folder of the running binary; NULL when that is not known. */
const char *pl_proc_beside(struct pl_buf *path, const char *name);

#endif
