/*
 * mem: checked allocation and an arena.
 *
 * Running out of memory is no error that a caller could handle: the limits of pl_limits bound what
 * input can ask for. The functions below never return NULL; on failure they call the handler, which
 * must not return (a program's is set by pl_start(); without one the process aborts).
 */
#ifndef PL_MEM_H
#define PL_MEM_H

#include "base.h"

typedef void pl_mem_handler(size_t wanted);
void pl_mem_on_failure(pl_mem_handler *handler);

void *pl_alloc(size_t size);			      /* zeroed */
void *pl_realloc(void *p, size_t count, size_t size); /* count * size bytes, overflow checked */
char *pl_strdup(const char *s);

/* Makes room for `want` elements in the array `ptr` of capacity `cap`, growing by half. */
#define PL_GROW(ptr, want, cap)                                                \
	do {                                                                   \
		if ((size_t)(want) > (size_t)(cap))                            \
			(ptr) = pl_grow((ptr), (want), &(cap), sizeof *(ptr)); \
	} while (0)
/* `cap` is a size_t variable. The new elements are zeroed. */
void *pl_grow(void *p, size_t want, size_t *cap, size_t size);

/* Memory that is given back all at once. */
struct pl_arena {
	struct pl_arena_block *head;
	size_t used; /* bytes handed out, for figures */
};
void *pl_arena_alloc(struct pl_arena *arena, size_t size);	     /* aligned to 8, not zeroed */
char *pl_arena_dup(struct pl_arena *arena, const char *p, size_t n); /* NUL-terminated copy */
void pl_arena_free(struct pl_arena *arena);

#endif
