/* section: one event of a profile, ranked and capped: which rows are written, and in which order */
#ifndef PL_AGGREGATE_SECTION_H
#define PL_AGGREGATE_SECTION_H

#include "ids.h"
#include "rows-details.h"

struct section {
	struct tally *t;
	struct pl_buf label;
	double n_eff;	    /* NaN: weights are no draws */
	uint32_t *hotspots; /* keys, the first hotspots_n in order */
	size_t hotspots_n, hotspots_total;
	uint32_t *paths; /* of t->paths, the first paths_n in order */
	size_t paths_n, paths_total;
	uint64_t hotspots_self, paths_weight; /* of those that are written */
	uint64_t merged_symbols;
	struct details details;
};

/* Sections of all events, ordered by name, unit, weight source, source, in an array that
 * sections_free() frees. */
struct section *sections_make(struct profile *p, const struct ids *ids, uint64_t top_n,
			      uint64_t path_limit);
void sections_free(struct section *sections, size_t n);

/* The keys of a path, root first. */
const uint32_t *path_keys(const struct tally *t, uint32_t path, size_t *n);

typedef char path_id[PL_ROW_ID_MAX];
/* The ids of the paths that are written, in their order; the caller frees them. */
path_id *section_path_ids(const struct profile *p, const struct ids *ids, const struct section *s);

#endif
