/* origin: producers and inputs, checked, visited, written */
#include "origin.h"
#include "record.h"

enum { SHA256_HEX = 64 };

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

static const struct pl_record producer_record = {"producer", producer_members,
						 PL_COUNT(producer_members)},
			      foreign_record = {"input", foreign_members,
						PL_COUNT(foreign_members)},
			      digest_record = {"input", foreign_members + 1,
					       PL_COUNT(foreign_members) - 1},
			      stream_record = {"input", stream_members, PL_COUNT(stream_members)};

static bool is_record(const struct pl_record *record, const struct pl_json *json, uint32_t object,
		      void *out)
{
	char message[256];

	return !pl_record_read(record, json, object, out, message);
}

bool pl_origin_is_producer(const struct pl_json *json, uint32_t object)
{
	struct producer p = {0};

	return is_record(&producer_record, json, object, &p);
}

static bool is_digest(struct pl_str s)
{
	if (!s.p)
		return true; /* there need not be one */
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'f')))
			return false;
	return s.n == SHA256_HEX;
}

/* Reads an element of `inputs`: a foreign input when it has no inputs of its own. */
static bool read_input(const struct pl_json *json, uint32_t tok, struct input *in)
{
	bool object = json->tape[tok].type == PL_JSON_OBJECT;
	bool nested = object && pl_json_member(json, tok, "inputs");

	*in = (struct input){0};
	return is_record(nested ? &stream_record : &foreign_record, json, tok, in) &&
	       is_digest(in->sha256) && is_digest(in->packed_sha256) &&
	       (!nested || pl_origin_is_producer(json, in->producer));
}

bool pl_origin_walk(const struct pl_json *json, uint32_t array, pl_origin_visit *visit,
		    void *context)
{
	struct range {
		uint32_t at, end;
	} open[PL_JSON_DEPTH]; /* the reader allows no deeper text */
	struct input in;
	size_t depth = 0;

	if (json->tape[array].type != PL_JSON_ARRAY)
		return false;
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
		if (in.inputs)
			open[depth++] = (struct range){in.inputs + 1, json->tape[in.inputs].next};
		else if (visit)
			visit(context,
			      &(struct pl_origin_foreign){in.format, in.sha256, in.packed_sha256});
	}
	return true;
}

bool pl_origin_are_digests(const struct pl_json *json, uint32_t array)
{
	for (uint32_t at = array + 1; at < json->tape[array].next; at = json->tape[at].next) {
		struct input in = {0};
		if (!is_record(&digest_record, json, at, &in) || !is_digest(in.sha256) ||
		    !is_digest(in.packed_sha256))
			return false;
	}
	return true;
}

/* ---- writing ---- */

/* Copies the members of an object except those called `not1` and `not2`, and those that `other` (or
 * 0) has, too. */
static void copy_members(struct pl_jsonw *w, const struct pl_json *j, uint32_t object,
			 const char *not1, const char *not2, const struct pl_json *other,
			 uint32_t other_object)
{
	for (uint32_t key = object + 1; key < j->tape[object].next; key = j->tape[key + 1].next) {
		struct pl_str name = pl_json_str(j, key);
		bool twice = false;
		if (pl_str_is(name, not1) || pl_str_is(name, not2))
			continue;
		for (uint32_t k = other_object + 1;
		     other && !twice && k < other->tape[other_object].next;
		     k = other->tape[k + 1].next)
			twice = pl_str_eq(name, pl_json_str(other, k));
		if (twice)
			continue;
		pl_jsonw_keys(w, name);
		pl_jsonw_value(w, j, key + 1);
	}
}

/* Where the writing of a nested list of inputs stands. */
struct nesting {
	struct level {
		uint32_t at, end; /* elements still to write */
		uint32_t stream;  /* the object that holds this list, 0: the outermost */
	} levels[PL_JSON_DEPTH];
	size_t depth;
	uint32_t foreign; /* foreign inputs met */
};

static void push_inputs(struct nesting *n, struct pl_jsonw *w, const struct pl_json *j,
			uint32_t array, uint32_t stream)
{
	pl_jsonw_kbegin(w, "inputs", '[');
	n->levels[n->depth++] = (struct level){array + 1, j->tape[array].next, stream};
}

/* One foreign input, with what the end record `digests` knows of it. */
static void put_foreign(struct nesting *n, struct pl_jsonw *w, const struct pl_json *j,
			uint32_t object, const struct pl_json *digests, uint32_t digest)
{
	pl_jsonw_begin(w, '{');
	copy_members(w, j, object, "name", "name", digests, digest);
	if (digests)
		copy_members(w, digests, digest, "name", "name", NULL, 0);
	pl_jsonw_end(w, '}');
	n->foreign++;
}

/* The element of the digests' array for foreign input k, or 0. */
static uint32_t nth(const struct pl_json *j, uint32_t array, uint32_t k)
{
	uint32_t at = array + 1;

	if (!j || k >= j->tape[array].count)
		return 0;
	while (k--)
		at = j->tape[at].next;
	return j->tape[at].type == PL_JSON_OBJECT ? at : 0;
}

static void put_element(struct nesting *n, struct pl_jsonw *w, const struct pl_json *j,
			uint32_t element, const struct pl_json *digests, uint32_t digests_array)
{
	uint32_t inputs =
		j->tape[element].type == PL_JSON_OBJECT ? pl_json_member(j, element, "inputs") : 0;

	if (inputs && j->tape[inputs].type == PL_JSON_ARRAY && n->depth < PL_JSON_DEPTH) {
		pl_jsonw_begin(w, '{');
		copy_members(w, j, element, "inputs", "sha256", NULL, 0);
		push_inputs(n, w, j, inputs, element);
	} else if (j->tape[element].type == PL_JSON_OBJECT) {
		uint32_t digest = nth(digests, digests_array, n->foreign);
		put_foreign(n, w, j, element, digest ? digests : NULL, digest);
	} else {
		pl_jsonw_value(w, j, element);
	}
}

uint32_t pl_origin_put(struct pl_jsonw *w, const struct pl_json *j, uint32_t array,
		       const struct pl_json *digests, uint32_t digests_array)
{
	struct nesting n = {0};

	push_inputs(&n, w, j, array, 0);
	while (n.depth) {
		struct level *l = &n.levels[n.depth - 1];
		if (l->at < l->end) {
			uint32_t element = l->at;
			l->at = j->tape[element].next;
			put_element(&n, w, j, element, digests, digests_array);
			continue;
		}
		pl_jsonw_end(w, ']');
		n.depth--;
		uint32_t sha = l->stream ? pl_json_member(j, l->stream, "sha256") : 0;
		if (sha) {
			pl_jsonw_key(w, "sha256");
			pl_jsonw_value(w, j, sha);
		}
		if (l->stream)
			pl_jsonw_end(w, '}');
	}
	return n.foreign;
}
