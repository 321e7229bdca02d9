/*
 * origin: what a stream says of where it comes from: the program that wrote it, and its inputs,
 * nested as the pipeline was (STREAMS.md section 1): each is a stream
 * {"schema","producer","inputs",["sha256"]} or foreign {"format",…}.
 */
#ifndef PL_ORIGIN_H
#define PL_ORIGIN_H

#include "jsonw.h"

/* A foreign input; what is not known of it is absent. */
struct pl_origin_foreign {
	struct pl_str format, sha256, packed_sha256;
};
typedef void pl_origin_visit(void *context, const struct pl_origin_foreign *foreign);

bool pl_origin_is_producer(const struct pl_json *json, uint32_t object);
/* Visits the foreign inputs of an array, depth first (visit may be NULL). false: something in it is
 * malformed. */
bool pl_origin_walk(const struct pl_json *json, uint32_t array, pl_origin_visit *visit,
		    void *context);
/* Are these the `inputs` of an end record: objects whose known members are of the right kind? */
bool pl_origin_are_digests(const struct pl_json *json, uint32_t array);

/*
 * Writes "inputs":[…] from an array that pl_origin_walk() finds well-formed. `digests` (or NULL) is
 * the tape of an end record and digests_array its `inputs`: their members (bytes, sha256, lines, …)
 * are added to the foreign inputs, depth first. A foreign input's `name` is dropped. Returns the
 * number of foreign inputs.
 */
uint32_t pl_origin_put(struct pl_jsonw *w, const struct pl_json *json, uint32_t array,
		       const struct pl_json *digests, uint32_t digests_array);

#endif
