/* sections: the parts of a report, in their order; each writes its heading and what is below it */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "markdown.h"
#include "model.h"

void section_problem(struct md *m, const struct report *r);
void section_quality(struct md *m, const struct report *r);
void section_observations(struct md *m, const struct report *r);
void section_hotspots(struct md *m, const struct report *r);
void section_paths(struct md *m, const struct report *r);
void section_candidates(struct md *m, const struct report *r);
void section_recommendations(struct md *m, const struct report *r);
void section_conclusions(struct md *m, const struct report *r);

/* "### Event: NAME", where there are several. */
void section_event(struct md *m, const struct report *r, const struct report_event *e);
/* The event's self weight: all but that of samples without a stack. */
uint64_t section_self_weight(const struct report_event *e);
/* "compute in libm.so": the row's name and, where it has one, its DSO. */
const char *section_row_name(struct md *m, const struct report_row *row);
/* "12 nanoseconds, 3.40 % of weight" */
const char *section_part(struct md *m, const struct report_event *e, uint64_t weight);
/* Do the 95 % intervals of the two heaviest rows overlap, so that their order is open? */
bool section_order_open(const struct report_event *e);

#endif
