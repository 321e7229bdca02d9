/* help: what there is, and the manual pages */
#ifndef PERFLENS_HELP_H
#define PERFLENS_HELP_H

#include "plan.h"
#include "program.h"

/* Names of the commands and of the programs beside ours (without "pl-"), sorted; kept in *words. */
void help_names(struct pl_list *names, struct pl_arena *words);
/* `perflens --help` */
void help_overview(const struct pl_opt *options, struct pl_buf *out);
/* `perflens COMMAND --help` */
void help_command(const struct plan *plan, struct pl_buf *out);
/*
 * `perflens help NAME`: the manual page, through man(1) on a terminal (and then this does not
 * return), else as plain text to *out. 0; 1 when there is no page or no program to show it; -1.
 */
int help_page(const char *name, struct pl_buf *out, struct pl_err *err);

#endif
