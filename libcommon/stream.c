/* stream: header, records, end and digest */
#include "stream.h"
#include "magic.h"
#include "num.h"
#include "origin.h"
#include "text.h"

enum { MAJOR = 1 };
static const char seal_start[] = ",\"sha256\":\"", seal_end[] = "\"}";
enum {
	START = sizeof seal_start - 1,
	SEAL = START + PL_SHA256_HEX + sizeof seal_end - 1 /* ,"sha256":"…"} */
};

/* Where the digest of an end record begins that ends with one; NULL: it does not. */
static const char *find_seal(struct pl_str line)
{
	const char *seal = line.p + line.n - (line.n > SEAL ? SEAL : line.n);

	return line.n > SEAL && memcmp(seal, seal_start, START) == 0 &&
			       memcmp(seal + START + PL_SHA256_HEX, seal_end,
				      sizeof seal_end - 1) == 0
		       ? seal
		       : NULL;
}

enum pl_seal pl_stream_check_seal(struct pl_str bytes, char sha256[PL_SHA256_HEX + 1])
{
	bool ended = bytes.n && bytes.p[bytes.n - 1] == '\n';
	const char *seal = ended ? find_seal((struct pl_str){bytes.p, bytes.n - 1}) : NULL;
	struct pl_sha256 h;

	sha256[0] = '\0';
	if (!seal)
		return PL_SEAL_ABSENT;
	pl_sha256_start(&h);
	pl_sha256_add(&h, bytes.p, (size_t)(seal - bytes.p));
	pl_sha256_end(&h, sha256);
	return memcmp(seal + START, sha256, PL_SHA256_HEX) == 0 ? PL_SEAL_FITS : PL_SEAL_WRONG;
}

bool pl_stream_sealed_kind(struct pl_str schema)
{
	return !pl_str_is(schema, "perflens.samples") && !pl_str_is(schema, "perflens.partial");
}

bool pl_stream_is(const struct pl_stream *s, const char *type)
{
	return pl_str_is(s->type, type);
}

int pl_stream_fail(struct pl_stream *s, const char *fmt, ...)
{
	char message[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	pl_err_set(&s->err, PL_E_PROFILE_PARSE_FAILED, "%s", message);
	return pl_err_at(&s->err, pl_in_name(s->in, s->in->index), s->in->line);
}

static int truncated(struct pl_stream *s)
{
	pl_err_set(&s->err, PL_E_STREAM_TRUNCATED,
		   s->in->line ? _("the stream was cut off: it has no end record")
			       : _("the stream is empty: what should have written it failed"));
	return pl_err_at(&s->err, pl_in_name(s->in, s->in->index), s->in->line);
}

/* Parses the current line into json and finds its type. */
static int parse_line(struct pl_stream *s, struct pl_json *json)
{
	if (pl_json_parse(json, s->text)) {
		if (!s->in->line_ended)
			return truncated(s);
		pl_stream_fail(s, _("not a line of JSON: %s (byte %zu)"), json->message,
			       json->offset);
		if (pl_str_is(s->text, "{")) /* what jq without -c makes of a record */
			pl_err_action(&s->err, _("a record is one line: jq wants -c"));
		return -1;
	}
	if (json->tape[0].type != PL_JSON_OBJECT)
		return pl_stream_fail(s, _("a record must be a JSON object"));
	uint32_t type = pl_json_member(json, 0, "type");
	if (!type || json->tape[type].type != PL_JSON_STRING)
		return pl_stream_fail(s, _("the record has no \"type\""));
	s->type = pl_json_str(json, type);
	return 0;
}

/* The next line: 1, 0 at the end of the input, -1. */
static int read_line(struct pl_stream *s)
{
	switch (pl_in_line(s->in, &s->text)) {
	case PL_IN_LINE:
		return 1;
	case PL_IN_END:
		return 0;
	case PL_IN_TOO_LONG:
		pl_err_set(&s->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			   _("a stream's line of more than %d bytes"), PL_STREAM_LINE_MAX);
		return pl_err_at(&s->err, pl_in_name(s->in, s->in->index), s->in->line);
	default:
		s->err = s->in->err;
		return -1;
	}
}

static int read_version(struct pl_str s, unsigned *major, unsigned *minor)
{
	const char *dot = memchr(s.p, '.', s.n);
	uint64_t a, b;

	if (!dot || pl_num_u64((struct pl_str){s.p, (size_t)(dot - s.p)}, &a) ||
	    pl_num_u64((struct pl_str){dot + 1, s.n - (size_t)(dot + 1 - s.p)}, &b) || a > 9999 ||
	    b > 9999)
		return -1;
	*major = (unsigned)a;
	*minor = (unsigned)b;
	return 0;
}

static int unsupported(struct pl_stream *s, const char *const *schemas, size_t n)
{
	struct pl_buf wanted = {0};

	for (size_t i = 0; i < n; i++)
		pl_buf_printf(&wanted, "%s%s %d.x", i ? _(" or ") : "", schemas[i], MAJOR);
	pl_err_set(&s->err, PL_E_UNSUPPORTED_FORMAT, _("this is %.*s %u.%u; %s is wanted here"),
		   (int)(s->header.schema.n > 64 ? 64 : s->header.schema.n), s->header.schema.p,
		   s->header.major, s->header.minor, wanted.p);
	pl_buf_free(&wanted);
	return pl_err_at(&s->err, pl_in_name(s->in, s->in->index), s->in->line);
}

const char *pl_stream_read_header(struct pl_stream_header *h, const struct pl_json *j)
{
	uint32_t type = pl_json_member(j, 0, "type"), schema = pl_json_member(j, 0, "schema");
	uint32_t version = pl_json_member(j, 0, "version");

	h->producer = pl_json_member(j, 0, "producer");
	h->inputs = pl_json_member(j, 0, "inputs");
	if (!type || j->tape[type].type != PL_JSON_STRING ||
	    !pl_str_is(pl_json_str(j, type), "header") || !schema ||
	    j->tape[schema].type != PL_JSON_STRING || !version ||
	    j->tape[version].type != PL_JSON_STRING)
		return _("the first line is no header of a PerfLens stream");
	h->schema = pl_json_str(j, schema);
	if (read_version(pl_json_str(j, version), &h->major, &h->minor))
		return _("the header's version is not of the form 1.0");
	return NULL;
}

const char *pl_stream_check_origin(const struct pl_stream_header *h, const struct pl_json *j)
{
	if (!h->producer || !pl_origin_is_producer(j, h->producer))
		return _("the header does not say which program wrote the stream");
	if (!h->inputs || !pl_origin_walk(j, h->inputs, NULL, NULL))
		return _("the header does not say what the inputs were");
	return NULL;
}

static int check_schema(struct pl_stream *s, const char *const *schemas, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pl_str_is(s->header.schema, schemas[i]) && s->header.major == MAJOR)
			return 0;
	return unsupported(s, schemas, n);
}

/* What it is comes first: of a stream that is not wanted here, the rest may be anything. */
static int read_header(struct pl_stream *s, const char *const *schemas, size_t n)
{
	const char *wrong = pl_stream_read_header(&s->header, &s->header_json);

	if (!wrong && check_schema(s, schemas, n))
		return -1;
	if (!wrong)
		wrong = pl_stream_check_origin(&s->header, &s->header_json);
	if (!wrong)
		return 0;
	pl_stream_fail(s, "%s", wrong);
	return pl_err_action(&s->err, _("a filter in between must keep the header and end lines"));
}

static void add_to_digest(struct pl_stream *s)
{
	pl_sha256_add(&s->digest, s->text.p, s->text.n);
	if (s->in->line_ended)
		pl_sha256_add(&s->digest, "\n", 1);
}

int pl_stream_open(struct pl_stream *s, struct pl_in *in, const char *const *schemas, size_t n,
		   bool unsealed)
{
	memset(s, 0, sizeof *s);
	s->in = in;
	s->allow_unsealed = unsealed;
	int got = read_line(s);
	if (got <= 0)
		return got < 0 ? -1 : truncated(s);
	/* a first line that is no JSON is most likely a profile that should have gone through a
	 * parser */
	if (s->text.n == 0 || s->text.p[0] != '{') {
		if (pl_magic_text(s->text, &s->err))
			return pl_err_at(&s->err, pl_in_name(in, 0), 0);
		pl_stream_fail(s, _("the first line is no header of a PerfLens stream"));
		return pl_err_action(&s->err,
				     _("put a parser such as pl-fold-parse before this program"));
	}
	pl_buf_adds(&s->header_text, s->text);
	s->text = pl_buf_str(&s->header_text);
	if (parse_line(s, &s->header_json) || read_header(s, schemas, n))
		return -1;
	s->artifact = pl_stream_sealed_kind(s->header.schema);
	if (s->artifact) {
		pl_sha256_start(&s->digest);
		add_to_digest(s);
	}
	return 0;
}

/* The current line is the end record of an artifact: does its digest fit what was read? */
static int check_seal(struct pl_stream *s)
{
	const char *seal = s->in->line_ended ? find_seal(s->text) : NULL;

	if (seal) {
		pl_sha256_add(&s->digest, s->text.p, (size_t)(seal - s->text.p));
		pl_sha256_end(&s->digest, s->sha256);
		if (memcmp(seal + START, s->sha256, PL_SHA256_HEX) == 0)
			return 0;
	}
	s->unsealed = true;
	if (s->allow_unsealed)
		return 0;
	pl_err_set(&s->err, PL_E_DIGEST_MISMATCH,
		   _("the artifact's digest does not fit its bytes: it was changed"));
	pl_err_action(&s->err, _("make it anew, or accept an edited one with --unsealed"));
	return pl_err_at(&s->err, pl_in_name(s->in, s->in->index), s->in->line);
}

int pl_stream_line(struct pl_stream *s)
{
	int got = read_line(s);

	if (got < 0)
		return -1;
	if (got == 0)
		return s->ended ? 0 : truncated(s);
	if (s->ended)
		return pl_stream_fail(s, _("there is something after the end record"));
	return 1;
}

int pl_stream_parse(struct pl_stream *s)
{
	if (parse_line(s, &s->json))
		return -1;
	s->records++;
	s->ended = pl_stream_is(s, "end");
	if (s->ended)
		return s->artifact && check_seal(s) ? -1 : 1;
	if (pl_stream_is(s, "header"))
		return pl_stream_fail(s, _("a second header in one stream"));
	if (s->artifact)
		add_to_digest(s);
	return 1;
}

int pl_stream_next(struct pl_stream *s)
{
	int got = pl_stream_line(s);

	return got <= 0 ? got : pl_stream_parse(s);
}

void pl_stream_close(struct pl_stream *s)
{
	pl_json_free(&s->header_json);
	pl_json_free(&s->json);
	pl_buf_free(&s->header_text);
}

void pl_stream_header(struct pl_jsonw *w, const char *schema, const struct pl_main *m)
{
	pl_jsonw_record(w, "header");
	pl_jsonw_kz(w, "schema", schema);
	pl_jsonw_kz(w, "version", "1.0");
	pl_jsonw_kbegin(w, "producer", '{');
	pl_jsonw_kz(w, "program", m->program->name);
	pl_jsonw_kz(w, "version", PL_VERSION);
	pl_jsonw_key(w, "options");
	pl_args_record(&m->args, w);
	pl_jsonw_end(w, '}');
	pl_jsonw_key(w, "inputs");
}

uint32_t pl_stream_input(struct pl_jsonw *w, const struct pl_stream *s,
			 const struct pl_json *digests, uint32_t digests_array)
{
	pl_jsonw_begin(w, '{');
	pl_jsonw_kstr(w, "schema", s->header.schema);
	pl_jsonw_key(w, "producer");
	pl_jsonw_value(w, &s->header_json, s->header.producer);
	uint32_t foreign =
		pl_origin_put(w, &s->header_json, s->header.inputs, digests, digests_array);
	if (s->artifact && s->sha256[0])
		pl_jsonw_kz(w, "sha256", s->sha256);
	pl_jsonw_end(w, '}');
	return foreign;
}

void pl_stream_pass_header(const struct pl_stream *s, struct pl_main *m)
{
	struct pl_jsonw w = {.buf = &m->out.buf};
	struct pl_buf schema = {0};

	pl_buf_adds(&schema, s->header.schema);
	pl_stream_header(&w, schema.p, m);
	pl_jsonw_begin(&w, '[');
	pl_stream_input(&w, s, NULL, 0);
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
	pl_buf_free(&schema);
}

void pl_stream_pass(const struct pl_stream *s, struct pl_buf *out)
{
	pl_buf_adds(out, s->text);
	pl_buf_addc(out, '\n');
}

void pl_stream_seal(struct pl_buf *buf)
{
	struct pl_sha256 h;
	char hex[PL_SHA256_HEX + 1];

	pl_sha256_start(&h);
	pl_sha256_add(&h, buf->p, buf->n);
	pl_sha256_end(&h, hex);
	pl_buf_printf(buf, "%s%s%s\n", seal_start, hex, seal_end);
}
