/* artifact: the whole of it in memory, its lines, its header */
#include "mem.h"
#include "num.h"
#include "verify.h"

enum { MAJOR = 1 };

int artifact_read(struct artifact *a, struct pl_in *in)
{
	struct pl_str block;
	int got;

	while ((got = pl_in_block(in, &block)) > 0)
		pl_buf_adds(&a->bytes, block);
	return got;
}

static void problem(struct artifact *a, const char *fmt, ...) PL_PRINTF(2, 3);
static void problem(struct artifact *a, const char *fmt, ...)
{
	va_list ap;

	if (a->problem[0])
		return;
	va_start(ap, fmt);
	vsnprintf(a->problem, sizeof a->problem, fmt, ap);
	va_end(ap);
}

static void split_lines(struct artifact *a)
{
	struct pl_str rest = pl_buf_str(&a->bytes);

	while (rest.n) {
		const char *lf = memchr(rest.p, '\n', rest.n);
		size_t n = lf ? (size_t)(lf - rest.p) : rest.n;
		PL_GROW(a->lines, a->n + 1, a->cap);
		a->lines[a->n++] = (struct pl_str){rest.p, n};
		n += lf != NULL;
		rest = (struct pl_str){rest.p + n, rest.n - n};
		if (!lf)
			problem(a, "the last line is cut off");
	}
}

/* The token of the header's member, if it is of this type, else 0. */
static uint32_t header_member(const struct pl_json *json, const char *name, enum pl_json_type type)
{
	uint32_t tok = pl_json_member(json, 0, name);

	return tok && json->tape[tok].type == type ? tok : 0;
}

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

/* Is this the header of a stream of ours? Fills the stream's header when it is. */
static bool read_header(struct artifact *a)
{
	struct pl_stream *s = &a->stream;
	const struct pl_json *json = &s->header_json;

	if (a->n == 0 || pl_json_parse(&s->header_json, a->lines[0]) ||
	    json->tape[0].type != PL_JSON_OBJECT)
		return false;
	uint32_t type = header_member(json, "type", PL_JSON_STRING);
	uint32_t schema = header_member(json, "schema", PL_JSON_STRING);
	uint32_t version = header_member(json, "version", PL_JSON_STRING);
	s->header.producer = header_member(json, "producer", PL_JSON_OBJECT);
	s->header.inputs = header_member(json, "inputs", PL_JSON_ARRAY);
	if (!type || !pl_str_is(pl_json_str(json, type), "header") || !schema || !version ||
	    !s->header.producer || !s->header.inputs)
		return false;
	s->header.schema = pl_json_str(json, schema);
	return read_version(pl_json_str(json, version), &s->header.major, &s->header.minor);
}

static void read_analysis_header(struct artifact *a)
{
	static const struct pl_member members[] = {
		{"unresolved_pct", PL_M_MICRO, PL_M_REQUIRED, 0, SIZE_MAX},
	};
	static const struct pl_record record = {"thresholds", members, PL_COUNT(members)};
	const struct pl_json *json = &a->stream.header_json;
	uint32_t group_by = header_member(json, "group_by", PL_JSON_STRING);
	uint32_t thresholds = header_member(json, "thresholds", PL_JSON_OBJECT);
	char message[256];

	if (!group_by)
		problem(a, "line 1: the header has no group_by");
	else
		a->group_by = pl_json_str(json, group_by);
	if (!thresholds || pl_record_read(&record, json, thresholds, &a->unresolved_pct, message))
		problem(a, "line 1: the header has no thresholds");
}

/* Is this the only end record, and the last line? */
static void check_frame(struct artifact *a, size_t i, struct pl_str type)
{
	bool last = i + 1 == a->n;

	if (pl_str_is(type, "header") && i > 0)
		problem(a, "line %zu: a second header", i + 1);
	if (pl_str_is(type, "end") && !last)
		problem(a, "line %zu: an end record that is not the last line", i + 1);
	if (!pl_str_is(type, "end") && last)
		problem(a, "there is no end record: the artifact was cut off");
}

/* Is every line a record? */
static void check_lines(struct artifact *a)
{
	struct pl_json json = {0};

	for (size_t i = 0; i < a->n && !a->problem[0]; i++) {
		if (pl_json_parse(&json, a->lines[i])) {
			problem(a, "line %zu: no JSON (byte %zu)", i + 1, json.offset + 1);
			break;
		}
		uint32_t type = json.tape[0].type == PL_JSON_OBJECT
					? header_member(&json, "type", PL_JSON_STRING)
					: 0;
		if (!type)
			problem(a, "line %zu: no record", i + 1);
		else
			check_frame(a, i, pl_json_str(&json, type));
	}
	pl_json_free(&json);
}

void artifact_open(struct artifact *a)
{
	split_lines(a);
	a->has_header = read_header(a);
	if (!a->has_header)
		problem(a, "line 1: no header of a stream of ours");
	check_lines(a);
	a->stream.artifact = true;
	a->analysis = a->has_header && a->stream.header.major == MAJOR &&
		      pl_str_is(a->stream.header.schema, PL_ANALYSIS_SCHEMA);
	if (a->analysis)
		read_analysis_header(a);
}

void artifact_close(struct artifact *a)
{
	pl_json_free(&a->stream.header_json);
	pl_buf_free(&a->bytes);
	free(a->lines);
	*a = (struct artifact){0};
}

/* ---- foreign inputs ---- */

static void add_foreign(struct foreign_list *list, const struct pl_json *json, uint32_t object)
{
	uint32_t format = pl_json_member(json, object, "format");
	uint32_t sha256 = pl_json_member(json, object, "sha256");
	struct foreign f = {0};

	if (format && json->tape[format].type == PL_JSON_STRING)
		f.format = pl_json_str(json, format);
	if (sha256 && json->tape[sha256].type == PL_JSON_STRING)
		f.sha256 = pl_json_str(json, sha256);
	PL_GROW(list->v, list->n + 1, list->cap);
	list->v[list->n++] = f;
}

void artifact_foreign(const struct artifact *a, struct foreign_list *list)
{
	const struct pl_json *json = &a->stream.header_json;
	const struct pl_json_tok *tape = json->tape;
	struct range {
		uint32_t at, end;
	} open[PL_JSON_DEPTH];
	size_t depth = 0;

	open[depth++] =
		(struct range){a->stream.header.inputs + 1, tape[a->stream.header.inputs].next};
	while (depth) {
		struct range *r = &open[depth - 1];
		if (r->at >= r->end) {
			depth--;
			continue;
		}
		uint32_t object = r->at;
		r->at = tape[object].next;
		if (tape[object].type != PL_JSON_OBJECT)
			continue;
		uint32_t inputs = pl_json_member(json, object, "inputs");
		if (!inputs || tape[inputs].type != PL_JSON_ARRAY)
			add_foreign(list, json, object);
		else
			/* never full: the reader allows no deeper text */
			open[depth++] = (struct range){inputs + 1, tape[inputs].next};
	}
}
