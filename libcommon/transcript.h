/*
 * transcript: the lines around a text that a program of ours had another program write.
 *
 *     # pl-perf-script 0.1.0: perf version 6.1.187, sha256:…
 *     # pl-perf-script argv: …
 *     …the text…
 *     # pl-perf-script end: …
 *
 * Text has no end of its own: if the program that writes it fails half-way, what came before looks
 * like the whole. So the first line announces a last one, and a reader that does not find it
 * refuses the text. A writer that fails says so, too, if it can: what stands last may be a symbol's
 * name that holds line ends and looks like an end. To other readers they are comments, as perf
 * script writes them itself.
 */
#ifndef PL_TRANSCRIPT_H
#define PL_TRANSCRIPT_H

#include "err.h"

/* How each of the lines starts; then a version or what it is about, and a colon. */
#define PL_TRANSCRIPT "# pl-perf-script "
#define PL_TRANSCRIPT_END PL_TRANSCRIPT "end:"
#define PL_TRANSCRIPT_FAILED PL_TRANSCRIPT "failed"

/* {0} before the first line, but for what the caller wants. */
struct pl_transcript {
	bool needed; /* text without those lines is refused, too */
	bool open;   /* announced, and not ended yet */
	bool broken; /* one was not ended, or not begun, or text stood behind its end */
	bool seen;   /* there was one */
};

/* Is this line, of all that are not empty, one of those, and so neither text nor a comment in it?
 */
bool pl_transcript_line(struct pl_transcript *t, struct pl_str line);
/* No line follows. 0, or -1 (STREAM_TRUNCATED): it is not whole. Ready for the next input. */
int pl_transcript_end(struct pl_transcript *t, struct pl_err *err);

#endif
