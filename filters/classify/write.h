/* write: the records of perflens.diagnosis. Its sentences are English, as all artifacts are. */
#ifndef CLASSIFY_WRITE_H
#define CLASSIFY_WRITE_H

#include "judge.h"
#include "stream.h"

struct writer {
	struct pl_jsonw w;
	uint64_t records, candidates, gaps; /* written so far */
	struct pl_buf text;		    /* a sentence in the making */
};

void write_header(struct writer *w, const struct pl_main *m, const struct pl_stream *analysis,
		  const struct rules *rules);
void write_event(struct writer *w, const struct profile_event *e);
void write_categories(struct writer *w, const struct profile_event *e);
/* Ends the stream and seals it. */
void write_end(struct writer *w);

/* candidate.c: the candidates of an event */
void write_candidates(struct writer *w, const struct profile_event *e);
/* gaps.c: what was not measured, or is missing; `classified`: categories were looked for */
void write_gaps(struct writer *w, const struct profile *p, const struct profile_event *e);

/* Adds to the sentence: a share in percent; a weight with the event's unit. */
void write_share(struct writer *w, uint64_t micro);
void write_weight(struct writer *w, const struct profile_event *e, uint64_t weight);

#endif
