/* store: a recording in memory, or windows of its file */
#include "store.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void store_memory(struct store *s, struct pl_bytes whole)
{
	*s = (struct store){.size = whole.n, .fd = -1, .sets_used = 1};
	s->whole = whole.p ? whole.p : (const unsigned char *)"";
}

void store_file(struct store *s, int fd, uint64_t size)
{
	*s = (struct store){.size = size, .fd = fd, .sets_used = 1};
}

void store_free(struct store *s)
{
	for (size_t i = 0; i < STORE_SETS * STORE_WAYS; i++)
		free(s->sets[i / STORE_WAYS].bytes[i % STORE_WAYS]);
	pl_buf_free(&s->joined);
	pl_buf_free(&s->loaded);
	pl_arena_free(&s->kept);
}

/* Reads n bytes, which were there when the file was opened. What is not there now is zeros. */
static void read_at(struct store *s, uint64_t at, void *to, size_t n)
{
	unsigned char *p = to;

	while (n > 0) {
		ssize_t got = pread(s->fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		p += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	if (n == 0)
		return;
	memset(p, 0, n);
	if (!s->err.code)
		pl_err_set(&s->err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was read"));
}

void store_load(struct store *s)
{
	if (s->whole)
		return;
	pl_buf_reserve(&s->loaded, (size_t)s->size);
	read_at(s, 0, s->loaded.p, (size_t)s->size);
	s->whole = (const unsigned char *)s->loaded.p;
}

/* Two windows for each place, as they do not fall into the sets evenly. More places than there are
 * windows are slower, and not wrong. */
void store_spread(struct store *s, size_t places)
{
	while (s->sets_used < STORE_SETS && s->sets_used * STORE_WAYS < 2 * places)
		s->sets_used *= 2;
}

/* How many bytes there are of n at a place. */
static size_t within(const struct store *s, uint64_t at, uint64_t n)
{
	if (at >= s->size)
		return 0;
	return (size_t)(n < s->size - at ? n : s->size - at);
}

static unsigned char *load_window(struct store *s, struct store_window *set, uint64_t number)
{
	unsigned way = set->next++ % STORE_WAYS;
	uint64_t at = (number - 1) * STORE_WINDOW;

	if (!set->bytes[way])
		set->bytes[way] = pl_realloc(NULL, STORE_WINDOW, 1);
	read_at(s, at, set->bytes[way], within(s, at, STORE_WINDOW));
	set->number[way] = number;
	return set->bytes[way];
}

/* The window that holds the byte at a place of the file. */
static unsigned char *window(struct store *s, uint64_t at)
{
	uint64_t number = at / STORE_WINDOW + 1;
	struct store_window *set = &s->sets[number & (s->sets_used - 1)];

	for (unsigned way = 0; way < STORE_WAYS; way++)
		if (set->number[way] == number)
			return set->bytes[way];
	return load_window(s, set, number);
}

static struct pl_bytes join(struct store *s, uint64_t at, size_t n)
{
	pl_buf_clear(&s->joined);
	pl_buf_reserve(&s->joined, n);
	read_at(s, at, s->joined.p, n);
	return (struct pl_bytes){(const unsigned char *)s->joined.p, n};
}

struct pl_bytes store_bytes(struct store *s, uint64_t at, uint64_t n)
{
	size_t there = within(s, at, n), in_window = at % STORE_WINDOW;

	if (there == 0)
		return (struct pl_bytes){(const unsigned char *)"", 0};
	if (s->whole)
		return (struct pl_bytes){s->whole + at, there};
	if (in_window + there > STORE_WINDOW)
		return join(s, at, there);
	return (struct pl_bytes){window(s, at) + in_window, there};
}

struct pl_bytes store_kept(struct store *s, struct pl_bytes bytes)
{
	if (s->whole || bytes.n == 0)
		return bytes;
	return (struct pl_bytes){
		(const unsigned char *)pl_arena_dup(&s->kept, (const char *)bytes.p, bytes.n),
		bytes.n};
}

struct pl_bytes store_keep(struct store *s, uint64_t at, uint64_t n)
{
	return store_kept(s, store_bytes(s, at, n));
}
