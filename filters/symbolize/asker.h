/*
 * asker: questions to the resolver in its child, many at a time. When the child dies, it loses what
 * it died of, and is asked again.
 */
#ifndef ASKER_H
#define ASKER_H

#include "fetch.h"
#include "program.h"
#include "resolver.h"

struct asker {
	struct pl_main *m;
	struct pl_buf questions; /* those to be asked next: question_put(), asker_module() */
	struct pl_buf answers;
	bool hopeless; /* the child cannot be kept alive: nothing more will be known */
	struct resolver resolver;
	struct fetch *fetch; /* or NULL: nothing is fetched */
	/* private */
	struct pl_child child;
	struct pl_buf known, asked;
};

/* After pl_open(). What is passed must outlive it. */
void asker_start(struct asker *a, struct pl_main *m, const struct resolver_options *options,
		 struct kernel *kernel, uint64_t memory);
/* Puts the question for a module. */
void asker_module(struct asker *a, struct question *module);
/* Asks; a reader of the answers, empty where there are none. Then there are no questions. */
struct pl_reader asker_ask(struct asker *a);
void asker_end(struct asker *a);

#endif
