/* header: of a stream of ours: what wrote it, and from which inputs */
#include "mem.h"
#include "num.h"
#include "verify.h"

enum { MAJOR = 1 };

/* ---- tables ---- */

struct header {
	struct pl_str type, schema, version, group_by;
	uint32_t producer, inputs, thresholds;
	uint64_t unresolved_pct;
};
#define MEMBER(name, field, kind, flags) PL_MEMBER(struct header, name, field, kind, flags)
static const struct pl_member header_members[] = {
	MEMBER("type", type, PL_M_STR, PL_M_REQUIRED),
	MEMBER("schema", schema, PL_M_STR, PL_M_REQUIRED),
	MEMBER("version", version, PL_M_STR, PL_M_REQUIRED),
	MEMBER("producer", producer, PL_M_OBJECT, PL_M_REQUIRED),
	MEMBER("inputs", inputs, PL_M_ARRAY, PL_M_REQUIRED),
};
static const struct pl_member analysis_members[] = {
	MEMBER("group_by", group_by, PL_M_STR, PL_M_REQUIRED),
	MEMBER("thresholds", thresholds, PL_M_OBJECT, PL_M_REQUIRED),
};
static const struct pl_member threshold_members[] = {
	MEMBER("unresolved_pct", unresolved_pct, PL_M_MICRO, PL_M_REQUIRED),
};

struct producer {
	struct pl_str program, version;
	uint32_t options;
};
static const struct pl_member producer_members[] = {
	PL_MEMBER(struct producer, "program", program, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct producer, "version", version, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct producer, "options", options, PL_M_OBJECT, PL_M_REQUIRED),
};

struct input {
	struct pl_str format, schema, sha256, packed_sha256;
	uint32_t producer, inputs;
	uint64_t bytes, lines, packed_bytes;
};
static const struct pl_member foreign_members[] = {
	PL_MEMBER(struct input, "format", format, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct input, "bytes", bytes, PL_M_U64, 0),
	PL_MEMBER(struct input, "sha256", sha256, PL_M_STR, 0),
	PL_MEMBER(struct input, "lines", lines, PL_M_U64, 0),
	PL_MEMBER(struct input, "packed_bytes", packed_bytes, PL_M_U64, 0),
	PL_MEMBER(struct input, "packed_sha256", packed_sha256, PL_M_STR, 0),
};
static const struct pl_member stream_members[] = {
	PL_MEMBER(struct input, "schema", schema, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct input, "producer", producer, PL_M_OBJECT, PL_M_REQUIRED),
	PL_MEMBER(struct input, "inputs", inputs, PL_M_ARRAY, PL_M_REQUIRED),
	PL_MEMBER(struct input, "sha256", sha256, PL_M_STR, 0),
};

#define RECORD(type, members)                    \
	{                                        \
		type, members, PL_COUNT(members) \
	}
static const struct pl_record header_record = RECORD("header", header_members),
			      analysis_record = RECORD("header", analysis_members),
			      threshold_record = RECORD("thresholds", threshold_members),
			      producer_record = RECORD("producer", producer_members),
			      foreign_record = RECORD("input", foreign_members),
			      stream_record = RECORD("input", stream_members);

static bool is_record(const struct pl_record *record, const struct pl_json *json, uint32_t object,
		      void *out)
{
	char message[256];

	return !pl_record_read(record, json, object, out, message);
}

static bool is_producer(const struct pl_json *json, uint32_t object)
{
	struct producer p = {0};

	return is_record(&producer_record, json, object, &p);
}

/* ---- inputs ---- */

static bool is_digest(struct pl_str s)
{
	if (!s.p)
		return true; /* there need not be one */
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'f')))
			return false;
	return s.n == PL_SHA256_HEX;
}

/* Reads an element of `inputs`: a foreign input when it has no inputs of its own. */
static bool read_input(const struct pl_json *json, uint32_t tok, struct input *in)
{
	bool object = json->tape[tok].type == PL_JSON_OBJECT;
	bool nested = object && pl_json_member(json, tok, "inputs");

	*in = (struct input){0};
	return is_record(nested ? &stream_record : &foreign_record, json, tok, in) &&
	       is_digest(in->sha256) && is_digest(in->packed_sha256) &&
	       (!nested || is_producer(json, in->producer));
}

/* Walks all inputs, depth first, and adds the foreign ones to `list` (which may be NULL). False
 * when one of them is malformed. */
static bool walk_inputs(const struct pl_json *json, uint32_t array, struct foreign_list *list)
{
	struct range {
		uint32_t at, end;
	} open[PL_JSON_DEPTH]; /* the reader allows no deeper text */
	struct input in;
	size_t depth = 0;

	open[depth++] = (struct range){array + 1, json->tape[array].next};
	while (depth) {
		struct range *r = &open[depth - 1];
		uint32_t tok = r->at;
		if (tok >= r->end) {
			depth--;
			continue;
		}
		r->at = json->tape[tok].next;
		if (!read_input(json, tok, &in))
			return false;
		if (in.inputs) {
			open[depth++] = (struct range){in.inputs + 1, json->tape[in.inputs].next};
		} else if (list) {
			PL_GROW(list->v, list->n + 1, list->cap);
			list->v[list->n++] = (struct foreign){in.format, in.sha256};
		}
	}
	return true;
}

void header_foreign(const struct artifact *a, struct foreign_list *list)
{
	walk_inputs(&a->stream.header_json, a->stream.header.inputs, list);
}

/* ---- the header ---- */

static bool read_version(struct pl_str s, unsigned *major, unsigned *minor)
{
	const char *dot = memchr(s.p, '.', s.n);
	uint64_t a, b;

	if (!dot || pl_num_u64((struct pl_str){s.p, (size_t)(dot - s.p)}, &a) ||
	    pl_num_u64((struct pl_str){dot + 1, s.n - (size_t)(dot + 1 - s.p)}, &b) ||
	    a > UINT32_MAX || b > UINT32_MAX)
		return false;
	*major = (unsigned)a;
	*minor = (unsigned)b;
	return true;
}

static bool read_header(struct artifact *a)
{
	struct pl_json *json = &a->stream.header_json;
	struct header h = {0};

	if (a->n == 0 || pl_json_parse(json, a->lines[0]) ||
	    !is_record(&header_record, json, 0, &h) || !pl_str_is(h.type, "header"))
		return false;
	a->stream.header.schema = h.schema;
	a->stream.header.producer = h.producer;
	a->stream.header.inputs = h.inputs;
	return read_version(h.version, &a->stream.header.major, &a->stream.header.minor) &&
	       is_producer(json, h.producer) && walk_inputs(json, h.inputs, NULL);
}

void header_read(struct artifact *a)
{
	const struct pl_json *json = &a->stream.header_json;
	struct header h = {0};

	a->stream.artifact = true;
	a->has_header = read_header(a);
	if (!a->has_header)
		artifact_problem(a, "line 1: no header of a stream of ours");
	a->analysis = a->has_header && a->stream.header.major == MAJOR &&
		      pl_str_is(a->stream.header.schema, PL_ANALYSIS_SCHEMA);
	if (!a->analysis)
		return;
	if (!is_record(&analysis_record, json, 0, &h) ||
	    !is_record(&threshold_record, json, h.thresholds, &h))
		artifact_problem(a, "line 1: the header lacks group_by or thresholds");
	a->group_by = h.group_by;
	a->unresolved_pct = h.unresolved_pct;
}
