/* rows-details: the spellings, source lines and addresses of a hotspot's row */
#ifndef PL_AGGREGATE_ROWS_DETAILS_H
#define PL_AGGREGATE_ROWS_DETAILS_H

#include "profile.h"

enum { VARIANTS_SHOWN = 32, SOURCES_SHOWN = 16, ADDRESSES_SHOWN = 64 };

/* The details of a tally by key. */
struct details {
	const struct tally *t;
	size_t keys;	  /* that the tally has room for */
	uint32_t *ids;	  /* of details, key by key */
	uint32_t *first;  /* by key: where its ids start; one more at the end */
	uint32_t *picked; /* scratch */
	size_t picked_cap;
};

void details_make(struct details *d, const struct profile *p, const struct tally *t);
void details_free(struct details *d);
/* How many keys have more than one spelling. */
uint64_t details_merged(const struct details *d);
/* As details_put(), all of them and without the totals: for partial sums. */
void details_put_all(struct details *d, const struct profile *p, uint32_t key, struct pl_jsonw *w);
/* "variants":…, "variants_total":…, "sources":…, "addresses":… of a key */
void details_put(struct details *d, const struct profile *p, uint32_t key, struct pl_jsonw *w);

#endif
