/* ids: the names of rows and paths that stay the same from profile to profile (STREAMS.md section
 * 3, "Ids") */
#ifndef PL_AGGREGATE_IDS_H
#define PL_AGGREGATE_IDS_H

#include "profile.h"

enum { ID_MAX = 32 };

struct ids {
	uint32_t *order;     /* by key: its place by name, then DSO, in byte order */
	char (*key)[ID_MAX]; /* by key: "h-…"; "" for a key that no sample has */
};

/* Ids given so far: of several rows with one id the second gets "-2", the third "-3". */
struct given_ids {
	struct pl_intern ids;
	uint32_t *taken; /* by id: how often it was given */
	size_t taken_cap;
};
void given_ids_start(struct given_ids *given);
void given_ids_add(struct given_ids *given, char id[ID_MAX]); /* appends the suffix that is due */
void given_ids_free(struct given_ids *given);

const char *group_by_text(enum group_by group_by);
void ids_make(struct ids *ids, const struct profile *p);
void ids_free(struct ids *ids);
/* "p-" and 16 digits, of a path */
void ids_path(const struct profile *p, const uint32_t *keys, size_t n, char id[ID_MAX]);

#endif
