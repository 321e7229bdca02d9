/* tracing: walks the tracing data from format to format */
#include "tracing.h"
#include "mem.h"
#include "num.h"

#include <stdlib.h>

/* Names are the kernel's. One that is longer than any is cut: events may be many, and name it all.
 */
static struct pl_str clip(struct pl_str name)
{
	enum { NAME_MAX_BYTES = 256 };

	return (struct pl_str){name.p, name.n < NAME_MAX_BYTES ? name.n : NAME_MAX_BYTES};
}

/* The text up to a NUL, which is taken too. */
static struct pl_str take_text(struct pl_reader *r)
{
	struct pl_str text = pl_perf_text((struct pl_bytes){r->p, pl_left(r)});

	pl_take_bytes(r, text.n + 1);
	return text;
}

/* "header_page" or "header_event", a length, and a format */
static void skip_header(struct pl_reader *r)
{
	take_text(r);
	pl_take_bytes(r, pl_take_u64(r));
}

/* What stands behind `key` on a line of its own. */
static struct pl_str value_of(struct pl_str format, const char *key)
{
	while (format.n) {
		const char *end = memchr(format.p, '\n', format.n);
		size_t n = end ? (size_t)(end - format.p) : format.n;
		struct pl_str line = {format.p, n};
		if (pl_str_starts(line, key))
			return pl_str_trim(
				(struct pl_str){line.p + strlen(key), line.n - strlen(key)});
		n += end != NULL;
		format = (struct pl_str){format.p + n, format.n - n};
	}
	return (struct pl_str){NULL, 0};
}

/* The formats of the tracepoints of one system. */
static void read_system(struct tracing *t, struct pl_reader *r)
{
	struct pl_str group = clip(take_text(r));
	uint32_t n = pl_take_u32(r);

	for (uint32_t i = 0; i < n && !r->bad; i++) {
		struct pl_bytes bytes = pl_take_bytes(r, pl_take_u64(r));
		struct pl_str format = {(const char *)bytes.p, bytes.n};
		struct tracing_event event = {.group = group,
					      .name = clip(value_of(format, "name:"))};
		if (!event.name.n || pl_num_u64(value_of(format, "ID:"), &event.id))
			continue;
		PL_GROW(t->v, t->n + 1, t->cap);
		t->v[t->n++] = event;
	}
}

/* Of two with one ID the first in the data comes first. */
static int compare(const void *a, const void *b)
{
	const struct tracing_event *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->name.p < y->name.p ? -1 : x->name.p > y->name.p;
}

void tracing_read(struct tracing *t, struct pl_bytes data)
{
	enum { MAGIC = 10, SIZES = 2 };
	struct pl_reader r = pl_reader(data);

	pl_take_bytes(&r, MAGIC);
	take_text(&r);		  /* version */
	pl_take_bytes(&r, SIZES); /* byte order, size of long */
	pl_take_u32(&r);	  /* size of a page */
	skip_header(&r);
	skip_header(&r);
	uint32_t own = pl_take_u32(&r); /* formats of ftrace itself */
	for (uint32_t i = 0; i < own && !r.bad; i++)
		pl_take_bytes(&r, pl_take_u64(&r));
	uint32_t systems = pl_take_u32(&r);
	for (uint32_t i = 0; i < systems && !r.bad; i++)
		read_system(t, &r);
	if (t->n)
		qsort(t->v, t->n, sizeof *t->v, compare);
}

void tracing_free(struct tracing *t)
{
	free(t->v);
	*t = (struct tracing){0};
}

void tracing_name(const struct tracing *t, uint64_t id, struct pl_buf *name)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->v[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == t->n || t->v[low].id != id)
		return;
	pl_buf_adds(name, t->v[low].group);
	pl_buf_addc(name, ':');
	pl_buf_adds(name, t->v[low].name);
}
