/* frames: what the frames of one stream mean for the sums: their keys, and what is known of a leaf
 */
#ifndef PL_AGGREGATE_FRAMES_H
#define PL_AGGREGATE_FRAMES_H

#include "profile.h"

/* A function at a position of a stack: a frame has one, and one more for each function inlined into
 * it. */
struct place {
	uint32_t key;
	uint32_t variant; /* string: the spelling that was recorded */
	uint32_t file;	  /* string, or NO_STRING */
	uint64_t line;
	bool inlined;
};

struct frame_info {
	uint32_t first, n; /* its places in frames.places, outermost first */
	uint32_t kind;	   /* string, or NO_STRING */
	uint32_t module;   /* of the stream, or PL_NO_MODULE */
	uint32_t offset;   /* string, or NO_STRING */
	bool unresolved, idle, suspect, jit, trusted;
	enum mode mode; /* by the frame's kind */
};

struct module_info {
	uint32_t dso, build_id, kind, symbols, reason; /* strings */
	bool trusted;
};

struct frames {
	struct profile *profile;
	struct module_info *modules;
	size_t modules_n, modules_cap;
	struct frame_info *info; /* by frame id */
	size_t n, cap;
	uint32_t *key;	/* by frame id: the key of its one place, or PL_INTERN_NONE when it has
			   several */
	bool *nameless; /* by frame id: unresolved */
	size_t key_cap, nameless_cap;
	struct place *places;
	size_t places_n, places_cap;
	struct pl_buf text;
	char message[256]; /* of a failure */
};

void frames_start(struct frames *f, struct profile *profile);
void frames_free(struct frames *f);
void frames_add_module(struct frames *f, const struct pl_module *module);
/* `json` holds the frame's inlines. NULL or a message. */
const char *frames_add(struct frames *f, const struct pl_frame *frame, const struct pl_json *json);

enum mode mode_of(struct pl_str mode_or_kind);

#endif
