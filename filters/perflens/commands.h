/* commands: the table of what `perflens COMMAND` runs */
#ifndef PERFLENS_COMMANDS_H
#define PERFLENS_COMMANDS_H

#include "proc.h"

struct command_stage {
	const char *program;  /* beside our own binary */
	const char *words[2]; /* what it is always told first */
};

struct command {
	const char *name;
	const char *synopsis;
	const char *summary; /* N_(), one sentence without a period */
	/* Each one's stdout is the next one's stdin; the array ends with an entry without program.
	 */
	struct command_stage stages[PL_PROC_STAGES];
	/* Where there are several ways to do it, they are rows of one name, the usual one first:
	 * the word that --via takes for this one; else NULL. */
	const char *via;
	/* A flag that the usual way has, and that is done in this one; else NULL. */
	const char *flag;
	/* An option of the command that its stages know by another name; "" ends it. */
	struct command_rename {
		const char *from, *to, *argument; /* argument: NULL, it takes none */
	} renames[2];
	/* Options that its stages have, but that always fail or say nothing here: it does not know
	 * them. NULL ends it. */
	const char *without[8];
};

extern const struct command commands[]; /* ended by an entry without name */

const struct command *command_find(const char *name); /* the usual way; NULL: none has it */
/* The next way to do the same, or NULL. */
const struct command *command_next(const struct command *command);
size_t command_stages(const struct command *command); /* how many */

#endif
