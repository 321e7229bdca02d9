/*
 * in: the inputs of a filter: FILE…, "-", stdin; gzip by content; 1 MiB reads; lines.
 *
 * All inputs are opened before the first is read, each once. A regular file's identity (device,
 * inode, size, mtime) is compared when its end is reached: a file that changed while it was read is
 * PATH_SAFETY_VIOLATION. The SHA-256 of what was read is made on a second thread, over a ring of
 * four blocks.
 */
#ifndef PL_IN_H
#define PL_IN_H

#include "err.h"
#include "text.h"
#include <sys/stat.h>

struct pl_in_options {
	uint64_t max_bytes; /* of all inputs together, unpacked; 0: none */
	size_t max_line;    /* bytes without the line end */
	bool digest;	    /* SHA-256 of each input (and of the packed bytes of a gzip input) */
	bool text; /* foreign text: CR LF is a line end, a UTF-8 BOM is dropped and noted, UTF-16
		    * refused; else (our own streams) lines are handed out as they are, a CR being
		    * part of them */
	struct pl_progress *progress; /* or NULL */
};

/* What is known of an input when its end was reached. */
struct pl_in_info {
	uint64_t bytes, lines; /* unpacked */
	uint64_t packed_bytes; /* of a gzip input */
	bool packed, bom;
	char sha256[65], packed_sha256[65]; /* "" without digest */
};

enum pl_in_line { PL_IN_ERROR = -1, PL_IN_END = 0, PL_IN_LINE = 1, PL_IN_TOO_LONG = 2 };

struct pl_in {
	size_t n;	   /* inputs */
	size_t index;	   /* of the current one */
	uint64_t line;	   /* number of the line last handed out, from 1 */
	uint64_t offset;   /* of its first byte in the unpacked input */
	bool line_ended;   /* it ended with LF (only the last line of an input may not) */
	struct pl_err err; /* with file and line filled in */
	struct pl_in_private *x;
};

/* Opens every path; none at all, or "-", is stdin (once). 0 or -1. */
int pl_in_open(struct pl_in *in, const char *const *paths, size_t n,
	       const struct pl_in_options *options);
/* The same with one input that the caller has opened by rules of its own; `name` is what messages
 * call it. The descriptor is in's from then on, also when this fails. */
int pl_in_open_fd(struct pl_in *in, int fd, const char *name, const struct pl_in_options *options);
void pl_in_close(struct pl_in *in);
/* Moves to the first, then to the next input. 1, 0 when there is none left, -1. */
int pl_in_next(struct pl_in *in);
/*
 * The next line of the current input, without its line end; valid until the next call.
 * PL_IN_TOO_LONG: *line is the first max_line bytes, the rest was drained. A lone CR is no line
 * end.
 */
enum pl_in_line pl_in_line(struct pl_in *in, struct pl_str *line);
/* What is left of the current block, which may end within a line: a run of lines can be taken from
 * it at once. */
struct pl_str pl_in_peek(const struct pl_in *in);
/* Takes so many whole lines, of so many bytes with their ends, off what pl_in_peek() shows. */
void pl_in_take(struct pl_in *in, size_t bytes, uint64_t lines);
/* Up to one block of raw (unpacked) bytes of the current input: for binary formats. 1, 0 at the
 * end, -1. */
int pl_in_block(struct pl_in *in, struct pl_str *block);
/* Of the current input, after PL_IN_END (or 0 from pl_in_block). */
const struct pl_in_info *pl_in_info(const struct pl_in *in);
const char *pl_in_name(const struct pl_in *in, size_t index); /* as given, or "standard input" */
/* The open file of an input that was not read to its end yet; it stays in's. */
int pl_in_fd(const struct pl_in *in, size_t index);
/* Is this open file one of the inputs (device and inode)? The index, or -1. Pipes and terminals
 * never are. */
int pl_in_find(const struct pl_in *in, const struct stat *st);
uint64_t pl_in_total(const struct pl_in *in); /* sum of the sizes of regular inputs, for progress; 0
						 when unknown */

#endif
