/*
 * ring: blocks that the main thread fills and uses while a second thread makes the SHA-256 of
 * them.
 *
 * The caller fills the current block, leaves it with pl_ring_next() and ends an input with
 * pl_ring_end(). A block is handed out again only when its bytes are in the digest. The thread is
 * made when the first block is left, once: an input of less than a block needs none, and it is made
 * inside the sandbox.
 */
#ifndef PL_RING_H
#define PL_RING_H

#include "hash.h"
#include <pthread.h>

enum { PL_RING_BLOCKS = 4, PL_RING_BLOCK = 1 << 20 };

struct pl_ring {
	char *block; /* the current one, PL_RING_BLOCK bytes */
	/* private */
	bool digest, threaded, stop;
	char *blocks[PL_RING_BLOCKS];
	size_t sizes[PL_RING_BLOCKS];
	uint64_t posted, done; /* blocks; the current one is posted % PL_RING_BLOCKS */
	struct pl_sha256 sha;  /* of the thread's while posted > done */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

void pl_ring_start(struct pl_ring *r, bool digest);
/* The current block holds n bytes; the next one becomes current. Without digest it is the same. */
void pl_ring_next(struct pl_ring *r, size_t n);
/* The input ends with n bytes in the current block: its digest ("" without), which starts anew. */
void pl_ring_end(struct pl_ring *r, size_t n, char hex[PL_SHA256_HEX + 1]);
/* Forgets what was put in since the last end. */
void pl_ring_reset(struct pl_ring *r);
void pl_ring_free(struct pl_ring *r);

#endif
