/*
 * export: the formats of other tools. Each is given one stack after the other, those that stand for
 * what has none last (pl_stacks_rest), and writes what it can at once, the rest at the end.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "stacks.h"

struct exporter {
	const char *name; /* what --to calls it */
	/* Its state: zeroed memory of this size, given to each of these. */
	size_t size;
	/* The current stack of k. 0, or -1 with *err. */
	int (*take)(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err);
	/* After the last stack. 0, or -1 with *err. */
	int (*end)(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err);
	/* What people should know of what was written; may be NULL. */
	void (*note)(const void *state, const struct pl_main *m);
	void (*free)(void *state);
	bool one_event; /* it holds one only */
	bool streams;	/* writes as it reads: the output is not held */
};

extern const struct exporter csv_exporter, firefox_exporter, folded_exporter, pprof_exporter,
	speedscope_exporter;

/* Rows of an analysis as CSV: what csv_exporter is for samples. 0, or -1 with *err. */
int csv_rows(struct pl_analysis *a, const char *only, struct pl_buf *out, struct pl_err *err);

#endif
