/*
 * sources: the streams that were read: how they are named in the header, and their diagnostics.
 */
#ifndef PL_AGGREGATE_SOURCES_H
#define PL_AGGREGATE_SOURCES_H

#include "diag.h"
#include "intern.h"
#include "stream.h"

struct kept_diagnostic {
	struct pl_buf text; /* the members after `input`, canonical, without the braces */
	struct pl_str code; /* view of `codes` */
	uint64_t input;	    /* among this source's foreign inputs */
	bool has_input;
};

struct source {
	struct pl_buf element; /* of the header's inputs */
	struct pl_buf digests; /* SHA-256 of its foreign inputs, one after the other: the order when
				  merging */
	uint32_t foreign;      /* how many foreign inputs */
	struct kept_diagnostic *kept;
	size_t kept_n, kept_cap;
};

struct sources {
	struct source *v;
	size_t n, cap;
	struct pl_diag counts;
	struct pl_intern codes; /* the codes' texts live here */
	uint64_t max_kept;
	bool digest_absent;
	struct pl_json json;
};

void sources_start(struct sources *s, uint64_t max_kept);
void sources_free(struct sources *s);
void sources_begin(struct sources *s); /* the stream that is read now */
/* A diagnostic record of the current stream. NULL, or what is wrong with it (in `message`). */
const char *sources_add_diagnostic(struct sources *s, const struct pl_json *json,
				   char message[256]);
/* The stream's end: digests and counts of its end record (digests_array 0: they are in its header
 * already). */
void sources_end(struct sources *s, const struct pl_stream *stream, const struct pl_json *end,
		 uint32_t digests_array, uint32_t counts_object);
/* By digest: for merging, where the order of the operands must not matter. */
void sources_sort(struct sources *s);
void sources_put_inputs(const struct sources *s, struct pl_jsonw *w);
/* The kept diagnostics, at most max_kept with those already written; returns how many records were
 * written. */
uint64_t sources_put_diagnostics(const struct sources *s, struct pl_jsonw *w, uint64_t already);
uint32_t sources_foreign(const struct sources *s);
/* Is one foreign input there twice (by its SHA-256)? *first and *again are their indices. */
bool sources_find_twice(const struct sources *s, uint32_t *first, uint32_t *again);

#endif
