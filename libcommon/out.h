/*
 * out: the output of a filter: stdout, or a file that is replaced at once or not at all.
 *
 * A file is written to an unnamed temporary in its folder (a named one, removed on SIGINT, SIGTERM,
 * SIGHUP and failure, where the file system has no O_TMPFILE), synced, given its name by rename(2),
 * and the folder synced. Refused before any work: a directory, an output that is one of the inputs
 * (also by hard link or symlink), a folder that cannot be written. An existing special file
 * (/dev/null, a FIFO) is written in place; a symlink is followed to its target; missing parents are
 * created. EPIPE on stdout: SIGPIPE's default action.
 */
#ifndef PL_OUT_H
#define PL_OUT_H

#include "err.h"
#include "in.h"

enum { PL_OUT_BLOCK = 1 << 20 };

struct pl_out {
	struct pl_buf buf; /* writers append here, then call pl_out_poll() */
	uint64_t written;  /* bytes already passed on */
	struct pl_err err;
	struct pl_out_private *x;
};

/* path NULL or "-": stdout. `in` (may be NULL) is what the output must not be. */
int pl_out_open(struct pl_out *out, const char *path, const struct pl_in *in);
/* Nothing is passed on before pl_out_close(); more than max_bytes is RESOURCE_LIMIT_EXCEEDED
 * (--max-output-bytes). */
void pl_out_hold(struct pl_out *out, uint64_t max_bytes);
/* Passes buf on when a block is full. 0 or -1. */
static inline int pl_out_poll(struct pl_out *out);
int pl_out_flush(struct pl_out *out);
/* Flushes, syncs, renames. After it the file is there, whole; without it the old one is untouched.
 * 0 or -1. */
int pl_out_close(struct pl_out *out);
/* Gives up: nothing appears, nothing is left behind. Safe after a failure and after close. */
void pl_out_discard(struct pl_out *out);
/* The folder (an open descriptor) that close needs to create and remove names in, or -1: for the
 * sandbox. */
int pl_out_folder(const struct pl_out *out);

static inline int pl_out_poll(struct pl_out *out)
{
	return out->buf.n < PL_OUT_BLOCK ? 0 : pl_out_flush(out);
}

#endif
