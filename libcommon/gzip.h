/* gzip: unpacks gzip data: one or several members, nothing after them (zlib) */
#ifndef PL_GZIP_H
#define PL_GZIP_H

#include "err.h"
#include <sys/types.h>
#include <zlib.h>

/* {0} is one at the start of its data. */
struct pl_gzip {
	z_stream z;
	bool open, in_member;
};

bool pl_gzip_is(struct pl_str start); /* by its magic */
/*
 * Unpacks from *in into dst (room bytes). Takes off *in what was used and returns how many bytes
 * were made; 0 with an empty *in: it wants more. -1: damaged, or bytes that are no gzip follow the
 * last member (PROFILE_PARSE_FAILED).
 */
ssize_t pl_gzip_read(struct pl_gzip *g, struct pl_str *in, char *dst, size_t room,
		     struct pl_err *err);
/* The data ended here: 0, or -1 when it was cut off (PROFILE_PARSE_FAILED). */
int pl_gzip_end(const struct pl_gzip *g, struct pl_err *err);
void pl_gzip_free(struct pl_gzip *g);

#endif
