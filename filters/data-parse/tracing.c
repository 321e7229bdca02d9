/* tracing: walks the tracing data to the format of one tracepoint */
#include "tracing.h"
#include "num.h"

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

static struct pl_str named(struct pl_str group, struct pl_str name, struct pl_arena *names)
{
	struct pl_buf text = {0};

	pl_buf_adds(&text, group);
	pl_buf_addc(&text, ':');
	pl_buf_adds(&text, name);
	struct pl_str kept = {pl_arena_dup(names, text.p, text.n), text.n};
	pl_buf_free(&text);
	return kept;
}

static struct pl_str find_in_system(struct pl_reader *r, struct pl_str group, uint64_t id,
				    struct pl_arena *names)
{
	uint32_t n = pl_take_u32(r);

	for (uint32_t i = 0; i < n && !r->bad; i++) {
		struct pl_bytes bytes = pl_take_bytes(r, pl_take_u64(r));
		struct pl_str format = {(const char *)bytes.p, bytes.n};
		uint64_t its;
		if (pl_num_u64(value_of(format, "ID:"), &its) == 0 && its == id)
			return named(group, value_of(format, "name:"), names);
	}
	return (struct pl_str){NULL, 0};
}

struct pl_str tracing_name(struct pl_bytes data, uint64_t id, struct pl_arena *names)
{
	enum { MAGIC = 10, SIZES = 2 };
	struct pl_reader r = pl_reader(data);
	struct pl_str name = {NULL, 0};

	if (!data.p)
		return name;
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
	for (uint32_t i = 0; i < systems && !r.bad && !name.p; i++) {
		struct pl_str group = take_text(&r);
		name = find_in_system(&r, group, id, names);
	}
	return name;
}
