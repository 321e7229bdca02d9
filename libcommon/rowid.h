/*
 * rowid: the key of a row and the ids of rows and call paths (STREAMS.md section 3, "Ids"): what
 * pl-aggregate writes and pl-verify makes again.
 */
#ifndef PL_ROWID_H
#define PL_ROWID_H

#include "hash.h"
#include "intern.h"

/* Bytes that compare as (name, dso) do, no DSO before an empty one: name, NUL, then 1 for no DSO,
 * or 2 and the DSO. Clears the buffer first. */
void pl_row_key(struct pl_buf *b, struct pl_str name, struct pl_str dso);
/* Its parts. A NUL is behind the name, too. */
struct pl_str pl_row_key_name(struct pl_str key);
struct pl_str pl_row_key_dso(struct pl_str key); /* p NULL: none */

enum { PL_ROW_ID_MAX = 32 };

/* The id of one key or a sequence of them, before a suffix: start, each key, end. */
void pl_row_id_start(struct pl_sha256 *h, struct pl_str group_by);
void pl_row_id_key(struct pl_sha256 *h, struct pl_str key);
void pl_row_id_end(struct pl_sha256 *h, char kind, char id[PL_ROW_ID_MAX]); /* kind: 'h' or 'p' */

/* Ids given so far: of several rows with one id the second gets "-2", the third "-3". */
struct pl_row_ids {
	struct pl_intern ids;
	uint32_t *taken; /* by id: how often it was given */
	size_t taken_cap;
};
void pl_row_ids_start(struct pl_row_ids *given);
/* Appends the suffix that is due. */
void pl_row_ids_add(struct pl_row_ids *given, char id[PL_ROW_ID_MAX]);
void pl_row_ids_free(struct pl_row_ids *given);

#endif
