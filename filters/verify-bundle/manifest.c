/* manifest: is it whole, and does it list what is there? */
#include "checks.h"

#include <inttypes.h>

enum { MAJOR = 1, LINE_MAX_BYTES = 64 << 10 /* of a record; a file's has some 200 */ };

struct lines {
	struct pl_str rest;
	size_t number; /* of the current line, from 1 */
	bool ended;    /* its end record was read */
	struct pl_verdict *v;
};

/* The next line, without its LF; false when there is none, or none that ends, or (but for the
 * header) none that a manifest could have. */
static bool next_line(struct lines *l, struct pl_str *line)
{
	const char *lf = memchr(l->rest.p, '\n', l->rest.n);
	size_t n = lf ? (size_t)(lf - l->rest.p) : 0;

	if (!lf || (l->number && n > LINE_MAX_BYTES))
		return false;
	*line = (struct pl_str){l->rest.p, n};
	l->rest = (struct pl_str){lf + 1, l->rest.n - n - 1};
	l->number++;
	return true;
}

static void read_file(struct lines *l, struct manifest *manifest)
{
	char message[256];

	if (pl_record_read(&pl_bundle_file_record, &manifest->tapes[manifest->n], 0,
			   &manifest->files[manifest->n], message))
		pl_verdict_fail(l->v, "line %zu: a member is missing or of a wrong kind",
				l->number);
	manifest->n++;
}

static void read_end(struct lines *l, const struct pl_json *json, const struct manifest *manifest)
{
	struct pl_bundle_end end = {0};
	char message[256];

	l->ended = true;
	if (pl_record_read(&pl_bundle_end_record, json, 0, &end, message))
		pl_verdict_fail(l->v, "line %zu: a member is missing or of a wrong kind",
				l->number);
	else if (end.files != manifest->n || end.records != l->number - 2)
		pl_verdict_fail(l->v,
				"line %zu: files %" PRIu64 " and records %" PRIu64
				", and there are %zu and %zu",
				l->number, end.files, end.records, manifest->n, l->number - 2);
}

/* Types of a newer version are passed over. */
static void read_record(struct lines *l, struct pl_str line, struct manifest *manifest)
{
	if (manifest->n == PL_COUNT(manifest->tapes)) {
		pl_verdict_fail(l->v, "line %zu: more files than a bundle has", l->number);
		return;
	}
	struct pl_json *json = &manifest->tapes[manifest->n];
	bool object = pl_json_parse(json, line) == 0 && json->tape[0].type == PL_JSON_OBJECT;
	uint32_t type = object ? pl_json_member(json, 0, "type") : 0;
	if (!type || json->tape[type].type != PL_JSON_STRING)
		pl_verdict_fail(l->v, "line %zu: no record", l->number);
	else if (pl_str_is(pl_json_str(json, type), "file"))
		read_file(l, manifest);
	else if (pl_str_is(pl_json_str(json, type), "end"))
		read_end(l, json, manifest);
	else if (pl_str_is(pl_json_str(json, type), "header"))
		pl_verdict_fail(l->v, "line %zu: a second header", l->number);
}

static void read_records(const struct member *m, struct manifest *manifest, struct pl_verdict *v)
{
	struct lines l = {.rest = m->entry->data, .v = v};
	struct pl_str line;

	next_line(&l, &line); /* the header, which is there */
	while (!l.ended && v->status == PL_PASSED && next_line(&l, &line))
		read_record(&l, line, manifest);
	if (!l.ended)
		pl_verdict_fail(v, "there is no end record");
	if (l.rest.n)
		pl_verdict_fail(v, "there is something after the end record");
	manifest->readable = v->status == PL_PASSED;
}

/* Does it list what is there, as what it is? */
static void compare(const struct contents *c, struct pl_verdict *v)
{
	const struct manifest *manifest = &c->manifest;

	if (manifest->n != c->zip.n - 1)
		pl_verdict_fail(v, "it lists %zu files, and there are %zu beside it", manifest->n,
				c->zip.n - 1);
	for (size_t i = 0; i < manifest->n && v->status == PL_PASSED; i++) {
		const struct pl_bundle_entry *f = &manifest->files[i];
		const struct pl_bundle_file *file = pl_bundle_find(f->name);
		if (!pl_str_eq(f->name, c->zip.entries[i + 1].name))
			pl_verdict_fail(v, "its file %zu is not the one that stands there", i + 1);
		else if (file &&
			 (file->schema ? !pl_str_is(f->schema, file->schema) : f->schema.p != NULL))
			pl_verdict_fail(v, "it says that %s is of another kind", file->name);
		else if (file && f->has_sealed != (file->schema != NULL))
			pl_verdict_fail(v, "sealed of %s is not what it can be", file->name);
	}
}

void check_manifest(struct contents *c, struct pl_verdict *v)
{
	const struct member *m = c->zip.n ? &c->members[0] : NULL;

	if (!m || !m->file || m->file->part != PL_BUNDLE_MANIFEST)
		pl_verdict_fail(v, "the first entry is not manifest.ndjson");
	else if (!m->has_header || !pl_str_is(m->header.schema, PL_BUNDLE_SCHEMA))
		pl_verdict_fail(v, "it does not begin with a header of " PL_BUNDLE_SCHEMA);
	else if (m->header.major != MAJOR)
		pl_verdict_fail(v, "it is " PL_BUNDLE_SCHEMA " %u.%u, and 1.x is known here",
				m->header.major, m->header.minor);
	else if (m->seal == PL_SEAL_ABSENT)
		pl_verdict_fail(v, "it does not end with a digest");
	else if (m->seal == PL_SEAL_WRONG)
		pl_verdict_fail(v, "its bytes have the digest %s, which is not the one written",
				m->sealed);
	else
		read_records(m, &c->manifest, v);
	if (c->manifest.readable)
		compare(c, v);
}
