/*
 * rewrite: a stream of samples on its way through: modules and frames get what their resolver
 * found, all else passes byte for byte.
 *
 * What arrives with one read is asked for at once: a child costs a trip for each batch, not for
 * each frame. Frames that have a symbol already, or no offset, pass too.
 */
#ifndef REWRITE_H
#define REWRITE_H

#include "asker.h"
#include "stream.h"

struct rewrite {
	struct pl_main *m;
	struct pl_err err;
	struct asker *asker;
	/* private */
	struct pl_stream *stream;
	struct pl_buf pending; /* from the first line on that waits for an answer */
	struct rewrite_hole {
		size_t at, n; /* the line, without its end, in pending */
		bool is_module;
	} * holes;
	size_t holes_n, holes_cap;
	struct pl_json json;
};

/* Reads the rest of a stream, whose header was read, from m's input, and writes it. 0, or -1 with
 * err. */
int rewrite_run(struct rewrite *w, struct pl_stream *stream);
void rewrite_free(struct rewrite *w);

#endif
