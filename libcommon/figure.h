/*
 * figure: how figures of an analysis are shown to people: each with its unit, none rounded to
 * something that it is not.
 */
#ifndef PL_FIGURE_H
#define PL_FIGURE_H

#include "str.h"

/* Millionths of a percent as "59.82 %". More than nothing never reads as 0 ("< 0.01 %"), less than
 * all never as 100 ("> 99.99 %"). decimals: 0 to 6. */
void pl_figure_share(struct pl_buf *out, uint64_t micro, unsigned decimals);
/* The name of a unit, in the singular for an n of 1; for "unknown" words that say so. */
struct pl_str pl_figure_unit(struct pl_str unit, uint64_t n);
/* "453 nanoseconds" */
void pl_figure_weight(struct pl_buf *out, uint64_t weight, struct pl_str unit);
/* "279 samples"; a folded line is one record of some weight, not that many samples: "279 stack
 * lines". */
void pl_figure_samples(struct pl_buf *out, uint64_t n, struct pl_str weight_source);
/* The head of a column of such counts: "samples" or "lines". */
const char *pl_figure_samples_head(struct pl_str weight_source);
/* What the rows of an analysis are, by its group_by: "Symbol", "DSO", "Thread name", … */
const char *pl_figure_grouping(struct pl_str group_by);
/* What n of them are within a sentence: "functions", "DSOs", …, and "function", … for an n of 1. */
const char *pl_figure_rows(struct pl_str group_by, uint64_t n);

#endif
