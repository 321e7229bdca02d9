/*
 * markdown: GitHub-flavoured Markdown in which names are data.
 *
 * The functions that return text use one of MD_TEXTS buffers in turn: a result is good until
 * MD_TEXTS more were asked for, which is enough for one sentence.
 */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "analysis.h"

enum { MD_TEXTS = 12 };

struct md {
	struct pl_buf *out;
	/* private */
	struct pl_buf texts[MD_TEXTS], scratch;
	size_t next;
};

void md_free(struct md *m);
/* s as plain text: whatever Markdown or HTML would read as markup is escaped, controls and blanks
 * that would vanish are made visible, nothing is cut. */
const char *md_name(struct md *m, struct pl_str s);
/* A code, an id or a digest as a code span where it is of the letters those are made of, else as
 * md_name() has it. */
const char *md_code(struct md *m, struct pl_str s);
const char *md_share(struct md *m, uint64_t micro);    /* two decimals */
const char *md_coverage(struct md *m, uint64_t micro); /* one decimal */
const char *md_weight(struct md *m, uint64_t weight, struct pl_str unit);
/* "1 sample", or what they are in this event */
const char *md_samples(struct md *m, uint64_t n, const struct pl_analysis_event *event);
const char *md_records(struct md *m, uint64_t n); /* "1 record" */
const char *md_bytes(struct md *m, uint64_t n);
const char *md_frames(struct md *m, uint64_t n);
const char *md_text(struct md *m, const char *fmt, ...) PL_PRINTF(2, 3);
/* Adds to the output. */
void md_say(struct md *m, const char *fmt, ...) PL_PRINTF(2, 3);

/* A table row: cells, then the end. The text of a cell is Markdown already. */
void md_cell(struct md *m, const char *text);
void md_row_end(struct md *m);
/* The line below the head: columns aligned left, then those aligned right. */
void md_rule(struct md *m, size_t left, size_t right);

#endif
