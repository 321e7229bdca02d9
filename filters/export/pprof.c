/*
 * pprof: profile.proto of https://github.com/google/pprof, packed with gzip.
 *
 * Samples with one stack are one Sample. Each event has two values: how many samples, and their
 * weight. A position is a Location of one Line; its address is the offset in the module, whose
 * mapping therefore starts at 0. The numbers below are those of the fields in profile.proto.
 */
#include "export.h"
#include "jsonw.h"
#include "num.h"
#include "protobuf.h"
#include "text.h"

#include <zlib.h>

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	MAPPING_ID = 1,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILENAME = 4,
};

struct sum {
	uint64_t samples, weight;
};

struct pprof {
	struct pl_intern stacks; /* the event and the frames, leaf first */
	struct sum *sums;	 /* by number of the stack */
	size_t sums_cap;
	uint32_t *frames; /* scratch: a stack as it is interned */
	size_t frames_cap;
	struct pl_intern strings, mappings, functions;
	bool *placed; /* by frame: its location is written */
	size_t placed_cap;
	struct pl_buf message, inner, samples, locations;
};

static void start(struct pprof *p)
{
	if (p->strings.n)
		return;
	pl_intern_init(&p->stacks);
	pl_intern_init(&p->strings);
	pl_intern_init(&p->mappings);
	pl_intern_init(&p->functions);
	pl_intern(&p->strings, "", 0); /* string_table[0] */
}

static int take(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct pprof *p = state;

	(void)out;
	start(p);
	PL_GROW(p->frames, k->depth + 1, p->frames_cap);
	p->frames[0] = k->event;
	for (size_t i = 0; i < k->depth; i++)
		p->frames[i + 1] = k->stack[k->depth - 1 - i];
	uint32_t at = pl_intern(&p->stacks, p->frames, (k->depth + 1) * sizeof *p->frames);
	PL_GROW(p->sums, p->stacks.n, p->sums_cap);
	struct sum *sum = &p->sums[at];
	sum->samples += k->samples;
	if (!pl_num_add(&sum->weight, k->weight) || sum->weight > INT64_MAX) {
		pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			   _("a weight is more than 2^63-1, which pprof cannot hold"));
		return pl_err_action(err, _("write another format"));
	}
	return 0;
}

static uint32_t string(struct pprof *p, struct pl_str s)
{
	return pl_intern(&p->strings, s.p ? s.p : "", s.n);
}

/* Appends all of `plain` as gzip. The bytes are those of this machine's zlib; what they unpack to
 * is the same everywhere. */
static int gzip_add(struct pl_buf *out, struct pl_str plain, struct pl_err *err)
{
	enum { WINDOW_BITS = 15, GZIP = 16, MEM_LEVEL = 8 };
	z_stream z = {0};

	if (plain.n > UINT32_MAX)
		return pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
				  _("the profile is more than 4 GiB"));
	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS + GZIP, MEM_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return pl_err_set(err, PL_E_INTERNAL_ERROR, _("zlib: %s"), z.msg ? z.msg : "");
	size_t most = deflateBound(&z, plain.n);
	pl_buf_reserve(out, most);
	z.next_in = (Bytef *)(uintptr_t)plain.p;
	z.avail_in = (uInt)plain.n;
	z.next_out = (Bytef *)out->p + out->n;
	z.avail_out = (uInt)most;
	int status = deflate(&z, Z_FINISH);
	out->n += z.total_out;
	deflateEnd(&z);
	return status == Z_STREAM_END
		       ? 0
		       : pl_err_set(err, PL_E_INTERNAL_ERROR, _("zlib: status %d"), status);
}

/* Appends p->message as that field of the profile. */
static void put_message(struct pprof *p, struct pl_buf *to, unsigned field)
{
	protobuf_bytes(to, field, pl_buf_str(&p->message));
	pl_buf_clear(&p->message);
}

/* ids are numbers from 1 */
static uint32_t mapping_of(struct pprof *p, const struct pl_stacks_frame *f, struct pl_buf *out)
{
	if (!f->dso.p)
		return 0;
	const uint32_t what[] = {string(p, f->dso), string(p, f->build_id)};
	uint32_t known = (uint32_t)p->mappings.n;
	uint32_t at = pl_intern(&p->mappings, what, sizeof what);

	if (at == known) {
		protobuf_u64(&p->message, MAPPING_ID, at + 1);
		protobuf_u64(&p->message, MAPPING_FILENAME, what[0]);
		protobuf_u64(&p->message, MAPPING_BUILD_ID, what[1]);
		protobuf_u64(&p->message, MAPPING_HAS_FUNCTIONS, 1);
		put_message(p, out, PROFILE_MAPPING);
	}
	return at + 1;
}

static uint32_t function_of(struct pprof *p, const struct pl_stacks_frame *f, struct pl_buf *out)
{
	const uint32_t what[] = {string(p, f->name), string(p, f->raw.p ? f->raw : f->name),
				 string(p, f->file)};
	uint32_t known = (uint32_t)p->functions.n;
	uint32_t at = pl_intern(&p->functions, what, sizeof what);

	if (at == known) {
		protobuf_u64(&p->message, FUNCTION_ID, at + 1);
		protobuf_u64(&p->message, FUNCTION_NAME, what[0]);
		protobuf_u64(&p->message, FUNCTION_SYSTEM_NAME, what[1]);
		protobuf_u64(&p->message, FUNCTION_FILENAME, what[2]);
		put_message(p, out, PROFILE_FUNCTION);
	}
	return at + 1;
}

/* "0x1f"; 0 where it is none. */
static uint64_t address_of(struct pl_str offset)
{
	uint64_t v = 0;

	if (offset.n < 3 || offset.n > 18)
		return 0;
	for (size_t i = 2; i < offset.n; i++) {
		char c = offset.p[i];
		v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return v;
}

static void place(struct pprof *p, const struct pl_stacks *k, uint32_t frame, struct pl_buf *out)
{
	const struct pl_stacks_frame *f = &k->frames[frame];

	if (p->placed[frame])
		return;
	p->placed[frame] = true;
	uint32_t mapping = mapping_of(p, f, out), function = function_of(p, f, out);
	pl_buf_clear(&p->inner);
	protobuf_u64(&p->inner, LINE_FUNCTION_ID, function);
	protobuf_u64(&p->inner, LINE_LINE, f->line <= INT64_MAX ? f->line : 0);
	protobuf_u64(&p->message, LOCATION_ID, (uint64_t)frame + 1);
	protobuf_u64(&p->message, LOCATION_MAPPING_ID, mapping);
	protobuf_u64(&p->message, LOCATION_ADDRESS, address_of(f->offset));
	protobuf_bytes(&p->message, LOCATION_LINE, pl_buf_str(&p->inner));
	put_message(p, &p->locations, PROFILE_LOCATION);
}

/* The frames of an interned stack, leaf first; *event is its event. */
static const uint32_t *stack_at(const struct pprof *p, uint32_t at, uint32_t *event, size_t *n)
{
	struct pl_str bytes = pl_intern_str(&p->stacks, at);
	const uint32_t *v = (const uint32_t *)(const void *)bytes.p; /* the arena aligns to 8 */

	*event = v[0];
	*n = bytes.n / sizeof *v - 1;
	return v + 1;
}

static void put_sample(struct pprof *p, const struct pl_stacks *k, uint32_t at)
{
	uint32_t event;
	size_t n;
	const uint32_t *frames = stack_at(p, at, &event, &n);

	pl_buf_clear(&p->inner);
	for (size_t i = 0; i < n; i++)
		protobuf_varint(&p->inner, (uint64_t)frames[i] + 1);
	protobuf_bytes(&p->message, SAMPLE_LOCATION_ID, pl_buf_str(&p->inner));
	pl_buf_clear(&p->inner);
	for (uint32_t e = 0; e < k->events_n; e++) {
		protobuf_varint(&p->inner, e == event ? p->sums[at].samples : 0);
		protobuf_varint(&p->inner, e == event ? p->sums[at].weight : 0);
	}
	protobuf_bytes(&p->message, SAMPLE_VALUE, pl_buf_str(&p->inner));
	put_message(p, &p->samples, PROFILE_SAMPLE);
}

static void put_value_type(struct pprof *p, struct pl_str type, struct pl_str unit,
			   struct pl_buf *out)
{
	protobuf_u64(&p->message, VALUE_TYPE, string(p, type));
	protobuf_u64(&p->message, VALUE_UNIT, string(p, unit));
	put_message(p, out, PROFILE_SAMPLE_TYPE);
}

static void put_value_types(struct pprof *p, const struct pl_stacks *k, struct pl_buf *out)
{
	struct pl_buf samples = {0};

	for (size_t i = 0; i < k->events_n; i++) {
		pl_buf_clear(&samples);
		pl_buf_addz(&samples, "samples");
		if (k->events_n > 1)
			pl_buf_printf(&samples, " of %.*s", (int)k->events[i].label.n,
				      k->events[i].label.p);
		put_value_type(p, pl_buf_str(&samples), PL_S("count"), out);
		put_value_type(p, k->events[i].label, k->events[i].unit, out);
	}
	pl_buf_free(&samples);
}

static void put_profile(struct pprof *p, const struct pl_stacks *k, struct pl_buf *out)
{
	size_t n;

	put_value_types(p, k, out);
	PL_GROW(p->placed, k->frames_n, p->placed_cap);
	for (uint32_t at = 0; at < p->stacks.n; at++) {
		uint32_t event;
		const uint32_t *frames = stack_at(p, at, &event, &n);
		for (size_t i = 0; i < n; i++)
			place(p, k, frames[i], out);
	}
	for (uint32_t at = 0; at < p->stacks.n; at++)
		put_sample(p, k, at);
	pl_buf_adds(out, pl_buf_str(&p->locations));
	pl_buf_adds(out, pl_buf_str(&p->samples));
	uint32_t comment = string(p, PL_S("perflens " PL_VERSION));
	for (uint32_t i = 0; i < p->strings.n; i++)
		protobuf_bytes(out, PROFILE_STRING_TABLE, pl_intern_str(&p->strings, i));
	protobuf_u64(out, PROFILE_COMMENT, comment);
}

static int end(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct pprof *p = state;
	struct pl_buf plain = {0};

	start(p);
	put_profile(p, k, &plain);
	int failed = gzip_add(out, pl_buf_str(&plain), err);
	pl_buf_free(&plain);
	return failed;
}

static void release(void *state)
{
	struct pprof *p = state;

	pl_intern_free(&p->stacks);
	pl_intern_free(&p->strings);
	pl_intern_free(&p->mappings);
	pl_intern_free(&p->functions);
	free(p->sums);
	free(p->frames);
	free(p->placed);
	pl_buf_free(&p->message);
	pl_buf_free(&p->inner);
	pl_buf_free(&p->samples);
	pl_buf_free(&p->locations);
}

const struct exporter pprof_exporter = {
	.name = "pprof",
	.size = sizeof(struct pprof),
	.take = take,
	.end = end,
	.free = release,
};
