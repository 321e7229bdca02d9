/* ids: the names of rows and paths that stay the same from profile to profile (STREAMS.md section
 * 3, "Ids") */
#ifndef PL_AGGREGATE_IDS_H
#define PL_AGGREGATE_IDS_H

#include "profile.h"
#include "rowid.h"

struct ids {
	uint32_t *order;	    /* by key: its place by name, then DSO, in byte order */
	char (*key)[PL_ROW_ID_MAX]; /* by key: "h-…"; "" for a key that no sample has */
};

const char *group_by_text(enum group_by group_by);
void ids_make(struct ids *ids, const struct profile *p);
void ids_free(struct ids *ids);
/* "p-" and 16 digits, of a path */
void ids_path(const struct profile *p, const uint32_t *keys, size_t n, char id[PL_ROW_ID_MAX]);

#endif
