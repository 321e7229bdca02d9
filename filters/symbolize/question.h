/*
 * question: what the filter asks its child (child.h), and how the answers come back: modules and
 * positions in them, as bytes. Both sides are this program, but the child may have been taken over
 * by a hostile file: what it answers is looked at as any other input.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "bytes.h"

enum question_kind {
	QUESTION_KNOWN,	 /* a module of an earlier question: a new child has to be told, and answers
			    nothing */
	QUESTION_MODULE, /* a module */
	QUESTION_FRAME	 /* a position in one */
};

struct question {
	enum question_kind kind;
	uint32_t module; /* its number: in the stream, or any */
	/* of a module: */
	struct pl_str dso, build_id, module_kind; /* absent: p NULL */
	uint64_t base;				  /* of the kernel and its modules; 0: unknown */
	/* of a frame: */
	uint64_t offset;
	bool is_return;
	int64_t pid; /* of code without a file; else 0 */
};

/* A function that is inlined at the position, or the one that contains it. */
struct answer_frame {
	struct pl_str symbol; /* absent: not known */
	struct pl_str raw;    /* absent: the same */
	struct pl_str file;   /* absent: not known, or not asked for */
	uint64_t line, column;
};

struct answer {
	/* of a module: the build ID is its file's own, lacks what debuginfod might have of it */
	struct pl_str symbols, reason, build_id, lacks;
	struct answer_frame frame; /* of a frame */
	uint32_t inlines;	   /* so many follow: answer_take_frame() */
};

void question_put(struct pl_buf *b, const struct question *q);
/* The next question; false: there is none, or it cannot be read. */
bool question_take(struct pl_reader *r, struct question *q);

void answer_put_module(struct pl_buf *b, const struct answer *module);
/* `inlines` frames are put behind it. */
void answer_put_position(struct pl_buf *b, const struct answer_frame *frame, uint32_t inlines);
void answer_put_frame(struct pl_buf *b, const struct answer_frame *frame);
/* false: it cannot be read. */
bool answer_take_module(struct pl_reader *r, struct answer *a);
bool answer_take_position(struct pl_reader *r, struct answer *a);
bool answer_take_frame(struct pl_reader *r, struct answer_frame *frame);

#endif
