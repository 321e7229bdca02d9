/*
 * store: the bytes of a recording, by their offset: all of them in memory, or windows of a file.
 *
 * Records are read twice, by their place and by their time, which needs few places at once: those
 * that the buffers of the CPUs were written to. A file that is in no memory need not be in ours.
 * Whoever writes to the file meanwhile changes what is read, and not what was checked: what is
 * given out is a copy.
 */
#ifndef STORE_H
#define STORE_H

#include "bytes.h"
#include "err.h"
#include "mem.h"

enum { STORE_SETS = 64, STORE_WAYS = 8, STORE_WINDOW = 1 << 16 }; /* 32 MiB at most */

struct store {
	uint64_t size;
	struct pl_err err; /* set when the file cannot be read where it could before */
	/* private */
	const unsigned char *whole; /* NULL: windows */
	int fd;
	uint64_t sets_used; /* a power of two */
	struct store_window {
		uint64_t number[STORE_WAYS]; /* of the window, from 1 on; 0: none */
		unsigned char *bytes[STORE_WAYS];
		unsigned next; /* to be replaced */
	} sets[STORE_SETS];
	struct pl_buf joined; /* what lies in several windows */
	struct pl_arena kept;
	struct pl_buf loaded;
};

void store_memory(struct store *s, struct pl_bytes whole);
/* A regular file; the descriptor stays the caller's. */
void store_file(struct store *s, int fd, uint64_t size);
/* From now on all is in memory, and whatever was given out stays. */
void store_load(struct store *s);
void store_free(struct store *s);

/* From now on bytes are asked for at so many places in turn. */
void store_spread(struct store *s, size_t places);
/* At most n bytes, fewer only where the recording ends or cannot be read; valid until the next
 * call, or for good once all is in memory. */
struct pl_bytes store_bytes(struct store *s, uint64_t at, uint64_t n);
/* The same, valid for good. */
struct pl_bytes store_keep(struct store *s, uint64_t at, uint64_t n);
/* What store_bytes() gave, or a part of it, as a view that is valid for good. */
struct pl_bytes store_kept(struct store *s, struct pl_bytes bytes);

#endif
