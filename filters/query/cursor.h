/*
 * cursor: where the next page starts. To users it is opaque; it holds the position and tags of the
 * artifact and of the question, so that it cannot be used with another one.
 */
#ifndef QUERY_CURSOR_H
#define QUERY_CURSOR_H

#include "options.h"

enum { CURSOR_TAG = 16 };

struct cursor {
	char analysis[CURSOR_TAG + 1], question[CURSOR_TAG + 1];
	uint64_t position; /* rows before the page */
};

/* The tag of an artifact's digest; zeros where it has none. */
void cursor_tag_analysis(char tag[CURSOR_TAG + 1], const char *sha256);
/* The tag of what is asked: command, order, event and symbol. */
void cursor_tag_question(char tag[CURSOR_TAG + 1], const struct query_options *o);
void cursor_put(struct pl_buf *out, const struct cursor *c);
/* 0, or -1: no cursor of ours. */
int cursor_parse(struct cursor *c, const char *word);

#endif
