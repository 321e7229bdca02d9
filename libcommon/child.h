/*
 * child: hostile bytes in the hands of libraries that are not ours, in a process that may crash,
 * loop or grow without taking its parent with it.
 *
 * The parent asks, the child answers, one question at a time; both are byte strings. The child is a
 * fork of the parent: what the parent knew when it was started, it knows. It holds none of the
 * parent's files but those that it is given, and ends with it.
 */
#ifndef PL_CHILD_H
#define PL_CHILD_H

#include "str.h"
#include <sys/types.h>

struct pl_child_caps {
	uint64_t seconds; /* without a new mark or an answer; 0: any time */
	uint64_t memory;  /* bytes beyond what the parent has; 0: any. A sanitizer build has no such
			     cap. */
	int keep[2];	  /* descriptors of the parent's that the child may use; 0: none */
};

/* Answers one question: appends to *answer, which is empty. Runs in the child. */
typedef void pl_child_work(void *context, struct pl_str question, struct pl_buf *answer);

struct pl_child {
	pl_child_work *work;
	void *context;
	struct pl_child_caps caps;
	/* private */
	pid_t pid; /* 0: none runs */
	int fd;
	struct pl_child_mark {
		uint64_t at, count;
	} * mark; /* shared with the child */
};

enum pl_child_status {
	PL_CHILD_ANSWERED,
	PL_CHILD_CRASHED, /* it died: a signal, or its memory was not enough */
	PL_CHILD_LATE,	  /* it was at one mark for longer than its time, and was killed */
	PL_CHILD_NONE	  /* no process could be made; errno says why */
};

void pl_child_init(struct pl_child *c, pl_child_work *work, void *context,
		   struct pl_child_caps caps);
/* Starts the child now, and not with the first question: it then has what its parent has now, for
 * example no sandbox. 0, or -1 and errno. */
int pl_child_start(struct pl_child *c);
/* Starts a child if none runs, and waits for its answer, which replaces what *answer holds. After
 * a crash the next question goes to a new child. */
enum pl_child_status pl_child_ask(struct pl_child *c, struct pl_str question,
				  struct pl_buf *answer);
/* Is there a child that knows the earlier questions? */
static inline bool pl_child_runs(const struct pl_child *c)
{
	return c->pid != 0;
}
/* What the child that did not answer was at: its last mark; 0 when it made none. */
uint64_t pl_child_was_at(const struct pl_child *c);
/* Ends the child and waits for it. */
void pl_child_end(struct pl_child *c);

/* In the child: what it begins with now. Any number but 0; each call is a sign of life. */
void pl_child_at(struct pl_child *c, uint64_t what);

#endif
