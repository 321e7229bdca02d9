/* writer: what the parts of rows.c share while an analysis is written; each writes records of one
 * kind */
#ifndef PL_AGGREGATE_WRITER_H
#define PL_AGGREGATE_WRITER_H

#include "quality.h"
#include "rows.h"
#include "section.h"

struct writer {
	struct profile *p;
	const struct sources *sources;
	const struct rows_options *o;
	struct pl_main *m;
	struct pl_jsonw w;
	struct ids ids;
	struct section *sections;
	size_t n;
	struct pl_quality_facts measured; /* which events hardware counted */
	uint64_t records;
};

void put_event(struct writer *w, const struct section *s);
void put_quality(struct writer *w, const struct section *s);
void put_modules(struct writer *w, const struct section *s);
/* 0, or -1 with m->out.err: the output limit */
int put_hotspots(struct writer *w, struct section *s);
int put_paths(struct writer *w, struct section *s);

/* A weight and its share of the event's. */
void put_weight_pct(struct pl_jsonw *j, const char *key, const char *pct_key, uint64_t part,
		    uint64_t total);

#endif
