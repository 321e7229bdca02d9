/*
 * convert: perf script run on a recording, its text passed on as it arrives.
 *
 * The text stands between lines of ours (transcript.h) that say which perf made it from which
 * recording, by which arguments. perf refuses fields that a recording does not have. It is asked
 * for all that is of use, and once more without the processor or the time where its own message
 * says that this is what it lacks: before any text came, so that nothing is passed on twice.
 */
#ifndef PERF_SCRIPT_CONVERT_H
#define PERF_SCRIPT_CONVERT_H

#include "recording.h"
#include "tool.h"

struct convert {
	struct pl_main *m;
	const struct tool *tool;
	const struct recording *recording;
	bool inlines, srcline; /* are to be asked for */
	/* private */
	unsigned lacking; /* bits of fields that the recording does not have */
	struct pl_buf fields, note;
	const char *argv[20];
	bool started; /* our first lines were written */
	uint64_t bytes;
	struct pl_sha256 sha; /* of all text so far */
};

/* Everything but the last line. 0 or -1. */
int convert_run(struct convert *c, struct pl_err *err);
/* The last line: perf ended well, and nothing changed meanwhile. 0 or -1. */
int convert_end(struct convert *c, struct pl_err *err);
/* Instead of the last line, after a failure: what readers of standard output have got is not the
 * whole, whatever its last line looks like. Waits a second at most for room to say it. */
void convert_break(const struct convert *c);
void convert_free(struct convert *c);
/* Which of the fields that may be left out does perf say that samples lack? A bit, or 0. */
unsigned convert_lacks(struct pl_str message);

#endif
