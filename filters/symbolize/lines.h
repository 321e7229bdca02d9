/*
 * lines: an analysis on its way through: hotspots get the source lines of the addresses that they
 * carry. Lines are dear, and this way they are looked up for what will be shown, not for each
 * position that was ever sampled.
 *
 * A row's addresses are where its own weight was sampled, the 64 heaviest: the lines are of these.
 * Rows that have lines already, and addresses of files that cannot be had, stay as they are.
 */
#ifndef LINES_H
#define LINES_H

#include "analysis.h"
#include "asker.h"

/* Reads the rest of the analysis, whose header was read, and writes it to m's output, which holds
 * it back. 0, or -1 with err. */
int lines_run(struct pl_main *m, struct pl_analysis *analysis, struct asker *asker,
	      struct pl_err *err);

#endif
