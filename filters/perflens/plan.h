/*
 * plan: a command's stages with the words each is given.
 *
 * Which options a stage has it says itself (--list-options), so that no option is declared twice.
 * An option goes to every stage that has it; but --input and --progress go to the first only,
 * --output to the last, and operands to the first.
 */
#ifndef PERFLENS_PLAN_H
#define PERFLENS_PLAN_H

#include "args.h"
#include "commands.h"
#include "mem.h"

struct plan_option {
	const char *name;
	const char *argument; /* what its argument is called; NULL: it takes none */
	const char *help;     /* one sentence; "": it says none */
};

struct plan_stage {
	struct pl_buf path;
	struct pl_buf list; /* what it answered; `options` points into it */
	struct plan_option *options;
	size_t n, cap;
	struct pl_list argv;
};

struct plan {
	const struct command *command;
	struct plan_stage stages[PL_PROC_STAGES];
	size_t n;
	struct pl_list operands;
	struct pl_list files; /* named by options as something to read */
	const char *output;   /* NULL: stdout */
	struct pl_arena words;
	bool help, version, quiet, progress; /* were asked for */
};

/* Asks the stages for their options. 0 or -1. */
int plan_start(struct plan *plan, const struct command *command, struct pl_err *err);
/* Hands argv[1...] out to the stages. 0, or -1 (INVALID_INPUT). With --help or --version among
 * them the plan is not to be run. */
int plan_give(struct plan *plan, int argc, char **argv, struct pl_err *err);
/* Gives an option to the stages that it is for, as if it stood on the command line. */
void plan_option(struct plan *plan, const char *name, const char *value);
/* Completes each stage's argv: its operands, NULL. */
void plan_close(struct plan *plan);
/* That stage's option of that name, if it is one that it would be given; else NULL. */
const struct plan_option *plan_goes_to(const struct plan *plan, size_t stage, const char *name);
void plan_free(struct plan *plan);

#endif
