/* sections: the parts of a report, in their order; each writes its heading and what is below it */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "doc.h"
#include "origin.h"

void section_problem(struct doc *d, const struct report *r);
void section_quality(struct doc *d, const struct report *r);
void section_observations(struct doc *d, const struct report *r);
void section_hotspots(struct doc *d, const struct report *r);
void section_paths(struct doc *d, const struct report *r);
void section_candidates(struct doc *d, const struct report *r);
void section_gaps(struct doc *d, const struct report *r);
void section_recommendations(struct doc *d, const struct report *r);
void section_conclusions(struct doc *d, const struct report *r);

/* In section 5: callers and callees of the event's first hotspots, where rows have any. */
void section_edges(struct doc *d, const struct report *r, const struct pl_summary_event *e);
/* "### Event: NAME", where there are several. */
void section_event(struct doc *d, const struct report *r, const struct pl_summary_event *e);
/* The event as the start of a sentence, where there are several: "cycles: ". */
const char *section_of_event(struct doc *d, const struct report *r,
			     const struct pl_summary_event *e);
/* A heading within what section_event() begins, or within the section. */
void section_heading(struct doc *d, const struct report *r, const char *text);
/* "compute in libm.so": a function and, where it has one, its DSO. */
const char *section_symbol(struct doc *d, struct pl_str name, struct pl_str dso);
/* The same of a row. */
const char *section_row_name(struct doc *d, const struct pl_summary_row *row);
/* "12 nanoseconds, 3.40 % of weight" */
const char *section_part(struct doc *d, const struct pl_summary_event *e, uint64_t weight);
/* What is measured for an A/B comparison: the metric of the options. */
const char *section_metric(struct doc *d, const struct report *r);
/* Are its samples lines of folded stacks, each of some weight? */
bool section_is_folded(const struct pl_summary_event *e);
/* Do the 95 % intervals of the two heaviest rows overlap, so that their order is open? */
bool section_order_open(const struct pl_summary_event *e);

#endif
