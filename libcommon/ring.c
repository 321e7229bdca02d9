/* ring: blocks that one thread fills while a second thread makes the SHA-256 of them */
#include "ring.h"
#include "mem.h"
#include <signal.h>
#include <stdlib.h>

void pl_ring_start(struct pl_ring *r, bool digest)
{
	*r = (struct pl_ring){.digest = digest};
	r->block = r->blocks[0] = pl_realloc(NULL, PL_RING_BLOCK, 1);
	if (!digest)
		return;
	pl_sha256_start(&r->sha);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
}

/* The thread: takes the posted blocks in their order. */
static void *work(void *ring)
{
	struct pl_ring *r = ring;
	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->done == r->posted && !r->stop)
			pthread_cond_wait(&r->changed, &r->lock);
		if (r->done == r->posted)
			break;
		size_t k = r->done % PL_RING_BLOCKS;
		pthread_mutex_unlock(&r->lock);
		pl_sha256_add(&r->sha, r->blocks[k], r->sizes[k]);
		pthread_mutex_lock(&r->lock);
		r->done++;
		pthread_cond_signal(&r->changed);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* Signals are the main thread's: its handlers must not run here. */
static bool start_thread(struct pl_ring *r)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	r->threaded = pthread_create(&r->thread, NULL, work, r) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r->threaded;
}

/* Waits until at most `left` posted blocks are not yet in the digest. */
static void wait_for(struct pl_ring *r, uint64_t left)
{
	pthread_mutex_lock(&r->lock);
	while (r->posted - r->done > left)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

static void post(struct pl_ring *r, size_t n)
{
	pthread_mutex_lock(&r->lock);
	r->sizes[r->posted % PL_RING_BLOCKS] = n;
	r->posted++;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

void pl_ring_next(struct pl_ring *r, size_t n)
{
	if (!r->digest)
		return;
	if (!r->threaded && !start_thread(r)) {
		/* No thread to be had: slower, not wrong. */
		pl_sha256_add(&r->sha, r->block, n);
		return;
	}
	post(r, n);
	wait_for(r, PL_RING_BLOCKS - 1);
	size_t k = r->posted % PL_RING_BLOCKS;
	if (!r->blocks[k])
		r->blocks[k] = pl_realloc(NULL, PL_RING_BLOCK, 1);
	r->block = r->blocks[k];
}

void pl_ring_end(struct pl_ring *r, size_t n, char hex[PL_SHA256_HEX + 1])
{
	hex[0] = '\0';
	if (!r->digest)
		return;
	if (r->threaded)
		wait_for(r, 0);
	pl_sha256_add(&r->sha, r->block, n);
	pl_sha256_end(&r->sha, hex);
	pl_sha256_start(&r->sha);
}

void pl_ring_reset(struct pl_ring *r)
{
	if (r->threaded)
		wait_for(r, 0);
	if (r->digest)
		pl_sha256_start(&r->sha);
}

void pl_ring_free(struct pl_ring *r)
{
	if (r->threaded) {
		pthread_mutex_lock(&r->lock);
		r->stop = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	if (r->digest) {
		pthread_cond_destroy(&r->changed);
		pthread_mutex_destroy(&r->lock);
	}
	for (size_t i = 0; i < PL_RING_BLOCKS; i++)
		free(r->blocks[i]);
	*r = (struct pl_ring){0};
}
