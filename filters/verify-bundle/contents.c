/* contents: the entries of a bundle, and the headers and digests of its artifacts */
#include "checks.h"

/* The header is the first line. One longer than streams have is none. */
static bool read_header(struct member *m)
{
	struct pl_str line = m->entry->data;
	const char *lf = memchr(line.p, '\n', line.n);

	line.n = lf ? (size_t)(lf - line.p) : 0;
	return line.n && line.n <= PL_STREAM_LINE_MAX && pl_json_parse(&m->json, line) == 0 &&
	       m->json.tape[0].type == PL_JSON_OBJECT &&
	       !pl_stream_read_header(&m->header, &m->json) &&
	       !pl_stream_check_origin(&m->header, &m->json);
}

/* Only the first of each part: what comes twice has failed, and a ZIP could hold many of what takes
 * most memory. */
static void read_member(struct member *m, bool first)
{
	const struct pl_zip_entry *entry = m->entry;
	struct pl_sha256 h;

	pl_sha256_start(&h);
	pl_sha256_add(&h, entry->data.p, entry->data.n);
	pl_sha256_end(&h, m->sha256);
	if (!m->file || !m->file->schema || !first)
		return;
	m->has_header = read_header(m);
	m->seal = pl_stream_check_seal(entry->data, m->sealed);
}

int contents_open(struct contents *c, struct pl_str bytes, struct pl_err *err)
{
	if (pl_zip_read(&c->zip, bytes, err))
		return -1;
	for (size_t i = 0; i < c->zip.n; i++) {
		struct member *m = &c->members[i];
		m->entry = &c->zip.entries[i];
		m->file = pl_bundle_find(m->entry->name);
		bool first = m->file && !c->parts[m->file->part];
		if (first)
			c->parts[m->file->part] = m;
		read_member(m, first);
	}
	return 0;
}

void contents_free(struct contents *c)
{
	for (size_t i = 0; i < c->zip.n; i++)
		pl_json_free(&c->members[i].json);
	for (size_t i = 0; i < PL_COUNT(c->manifest.tapes); i++)
		pl_json_free(&c->manifest.tapes[i]);
	*c = (struct contents){0};
}
