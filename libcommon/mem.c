/* mem: checked allocation and an arena */
#include "mem.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ARENA_BLOCK = 64 << 10, GROW_LEAST = 16 };

struct pl_arena_block {
	struct pl_arena_block *next;
	size_t size, used;
	uint64_t bytes[]; /* so that what is handed out is aligned to 8 */
};

static pl_mem_handler *on_failure;

void pl_mem_on_failure(pl_mem_handler *handler)
{
	on_failure = handler;
}

static _Noreturn void fail(size_t wanted)
{
	if (on_failure)
		on_failure(wanted);
	abort();
}

/* Large memory in huge pages where the kernel has them: in virtual machines, first touches of small
 * ones cost more than what is done with them. It is advice: nothing depends on it. */
static void advise(void *p, size_t bytes)
{
	enum { PAGE = 4096, LARGE = 4 << 20 };

	if (bytes >= LARGE) {
		size_t skip = -(uintptr_t)p % PAGE;
		madvise((char *)p + skip, (bytes - skip) / PAGE * PAGE, MADV_HUGEPAGE);
	}
}

void *pl_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);
	if (!p)
		fail(size);
	advise(p, size);
	return p;
}

void *pl_realloc(void *p, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		fail(SIZE_MAX);
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		fail(bytes);
	advise(p, bytes);
	return p;
}

char *pl_strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	return memcpy(pl_realloc(NULL, n, 1), s, n);
}

void *pl_grow(void *p, size_t want, size_t *cap, size_t size)
{
	size_t old = *cap, new = old + old / 2;
	if (new < GROW_LEAST)
		new = GROW_LEAST;
	if (new < want)
		new = want;
	p = pl_realloc(p, new, size);
	memset((char *)p + old * size, 0, (new - old) * size);
	*cap = new;
	return p;
}

static struct pl_arena_block *arena_block(size_t size)
{
	size_t bytes;
	if (__builtin_add_overflow(sizeof(struct pl_arena_block), size, &bytes))
		fail(SIZE_MAX);
	struct pl_arena_block *block = pl_realloc(NULL, bytes, 1);
	*block = (struct pl_arena_block){.size = size};
	return block;
}

/* A block with room for `size` bytes; what is too big for a common block gets one of its own,
 * behind the head, so that the room left in the head is not lost. */
static struct pl_arena_block *arena_room(struct pl_arena *arena, size_t size)
{
	struct pl_arena_block *head = arena->head;
	if (head && head->size - head->used >= size)
		return head;
	bool own = size > ARENA_BLOCK / 4;
	struct pl_arena_block *block = arena_block(own ? size : ARENA_BLOCK);
	if (own && head) {
		block->next = head->next;
		head->next = block;
	} else {
		block->next = head;
		arena->head = block;
	}
	return block;
}

void *pl_arena_alloc(struct pl_arena *arena, size_t size)
{
	if (size > SIZE_MAX - 7)
		fail(size);
	size = (size + 7) & ~(size_t)7;
	struct pl_arena_block *block = arena_room(arena, size);
	void *p = (char *)block->bytes + block->used;
	block->used += size;
	arena->used += size;
	return p;
}

char *pl_arena_dup(struct pl_arena *arena, const char *p, size_t n)
{
	if (n == SIZE_MAX)
		fail(n);
	char *copy = pl_arena_alloc(arena, n + 1);
	if (n)
		memcpy(copy, p, n);
	copy[n] = 0;
	return copy;
}

void pl_arena_free(struct pl_arena *arena)
{
	struct pl_arena_block *block = arena->head;
	while (block) {
		struct pl_arena_block *next = block->next;
		free(block);
		block = next;
	}
	*arena = (struct pl_arena){0};
}
