/* partial: perflens.partial: the sums before ranking and capping, written and read */
#ifndef PL_AGGREGATE_PARTIAL_H
#define PL_AGGREGATE_PARTIAL_H

#include "profile.h"
#include "program.h"
#include "sources.h"

/* Writes the profile into m->out, which is not held. 0 or -1 with p->err. */
int partial_write(struct profile *p, const struct sources *sources, struct pl_main *m);
/* Adds the stream at the current input of m->in. 0 or -1 with p->err. */
int partial_read(struct profile *p, struct sources *sources, struct pl_main *m);

#endif
