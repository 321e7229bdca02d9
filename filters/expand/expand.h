/*
 * expand: samples that carry their frames: the text that stands for each frame.
 */
#ifndef EXPAND_H
#define EXPAND_H

#include "mem.h"
#include "samples.h"

/* A text for each frame, by id. */
struct texts {
	struct pl_str *v;
	size_t cap;
	struct pl_arena bytes;
	struct pl_buf scratch; /* where the next one is put together */
};
/* A copy that lives as long as the texts. */
struct pl_str texts_keep(struct texts *t, struct pl_str text);
/* Keeps `text` as that of frame `id`. */
void texts_set(struct texts *t, uint32_t id, struct pl_str text);
void texts_free(struct texts *t);

/*
 * Is the line of the sample just read, begun at `start`, still one that readers take? 0, or -1 with
 * *err. To be asked while it grows: frames are defined once and may be named without end.
 */
int check_line(const struct pl_samples *r, const struct pl_buf *out, size_t start,
	       struct pl_err *err);

/* Samples that carry their frames themselves: an object each. */
struct contained {
	struct texts frames; /* without what their module says, which may be long */
	struct contained_frame {
		uint32_t module;
		size_t head; /* bytes of the text that stand before the DSO */
	} * parts;	     /* by id */
	size_t parts_cap;
	struct contained_module {
		struct pl_str dso, rest; /* members, a comma before each */
	} * modules;			 /* by id */
	size_t modules_cap;
};
/* Appends what one record, just read from r, becomes. 0, or -1 with *err. */
int contained_take(struct contained *x, const struct pl_samples *r, enum pl_samples_kind kind,
		   struct pl_buf *out, struct pl_err *err);
void contained_free(struct contained *x);

#endif
