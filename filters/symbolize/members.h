/* members: the records of a module and of a frame, written anew with what was found out */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "jsonw.h"
#include "question.h"

/* A module record; an absent symbols or reason leaves what there was. */
void members_put_module(struct pl_jsonw *w, const struct pl_json *json, const struct answer *a);
/* A frame record, or NULL-ended frame of a sample that holds its frames; `inlines` has the answer's
 * inlined frames. */
void members_put_frame(struct pl_jsonw *w, const struct pl_json *json, uint32_t object,
		       const struct answer *a, struct pl_reader *inlines);

#endif
