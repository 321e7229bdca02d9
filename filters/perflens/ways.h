/* ways: which of the ways to do a command was asked for */
#ifndef PERFLENS_WAYS_H
#define PERFLENS_WAYS_H

#include "commands.h"
#include "err.h"

/* By --via and the ways' flags among the words, as far as options go. NULL: there is no such way,
 * and err says which ones there are. */
const struct command *ways_choose(const struct command *command, int argc, char **argv,
				  struct pl_err *err);
/* Is this word one that ways_choose() took? *two: its argument is the next word. */
bool ways_is_own(const struct command *command, const char *word, bool *two);
/* The way that has a flag of this name, or NULL. */
const char *ways_of_flag(const struct command *command, const char *name);
/* "native, perf-script" */
void ways_list(const struct command *command, struct pl_buf *out);

#endif
