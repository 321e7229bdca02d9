/* manifest: what a bundle holds, where that came from, and the digests to check it by */
#include "part.h"

static void put_input(struct pl_jsonw *w, const struct part *p)
{
	if (p->file->schema) {
		pl_stream_input(w, &p->s, NULL, 0);
		return;
	}
	pl_jsonw_begin(w, '{');
	pl_jsonw_kz(w, "format", p->file->format);
	pl_jsonw_ku64(w, "bytes", p->bytes.n);
	pl_jsonw_kz(w, "sha256", p->sha256);
	pl_jsonw_end(w, '}');
}

static void put_file(struct pl_jsonw *w, const struct part *p)
{
	pl_jsonw_record(w, "file");
	pl_jsonw_kz(w, "name", p->file->name);
	pl_jsonw_kz(w, "schema", p->file->schema);
	pl_jsonw_ku64(w, "bytes", p->bytes.n);
	pl_jsonw_kz(w, "sha256", p->sha256);
	if (p->file->schema)
		pl_jsonw_kbool(w, "sealed", !p->s.unsealed);
	else
		pl_jsonw_knull(w, "sealed");
	pl_jsonw_record_end(w);
}

void manifest_write(struct pl_buf *out, const struct parts *parts, const struct pl_main *m)
{
	struct pl_jsonw w = {out, false};
	uint64_t files = 0;

	pl_stream_header(&w, PL_BUNDLE_SCHEMA, m);
	pl_jsonw_begin(&w, '[');
	for (int i = 0; i < PL_BUNDLE_PARTS; i++)
		if (parts->v[i].file)
			put_input(&w, &parts->v[i]);
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
	for (int i = 0; i < PL_BUNDLE_PARTS; i++) {
		if (!parts->v[i].file)
			continue;
		put_file(&w, &parts->v[i]);
		files++;
	}
	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "files", files);
	pl_jsonw_ku64(&w, "records", files);
	pl_stream_seal(out);
}
