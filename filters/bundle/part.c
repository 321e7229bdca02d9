/* part: reading what goes into a bundle, and looking whether it belongs together */
#include "part.h"
#include "text.h"
#include "utf8.h"

static int check_size(struct parts *parts, size_t added, const struct pl_main *m,
		      struct pl_err *err)
{
	uint64_t most = m->limits.v[PL_LIMIT_OUTPUT_BYTES];

	parts->bytes += added;
	return parts->bytes > most ? pl_limit_exceeded(err, PL_LIMIT_OUTPUT_BYTES, most) : 0;
}

static int read_artifact(struct parts *parts, struct part *p, struct pl_in *in,
			 const struct pl_main *m, struct pl_err *err)
{
	const char *const schemas[] = {p->file->schema};
	int got = pl_stream_open(&p->s, in, schemas, 1, m->unsealed) ? -1 : 1;

	while (got > 0) {
		size_t before = p->bytes.n;
		pl_stream_pass(&p->s, &p->bytes);
		if (check_size(parts, p->bytes.n - before, m, err))
			return -1;
		got = pl_stream_next(&p->s);
	}
	if (got < 0)
		*err = p->s.err;
	return got;
}

static int read_report(struct parts *parts, struct part *p, struct pl_in *in,
		       const struct pl_main *m, struct pl_err *err)
{
	struct pl_str block;
	int got;

	while ((got = pl_in_block(in, &block)) > 0) {
		pl_buf_adds(&p->bytes, block);
		if (check_size(parts, block.n, m, err))
			return -1;
	}
	if (got < 0) {
		*err = in->err;
		return -1;
	}
	struct pl_str text = pl_buf_str(&p->bytes);
	p->file = pl_bundle_report(text);
	if (pl_str_starts(text, "{"))
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("this is no report: it is JSON"));
	else if (pl_utf8_valid(text) != text.n)
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT,
			   _("this is no report: it is no UTF-8 text"));
	else
		return 0;
	return pl_err_at(err, p->input, 0);
}

int part_read(struct parts *parts, enum pl_bundle_part part, struct pl_in *in,
	      const struct pl_main *m, struct pl_err *err)
{
	struct part *p = &parts->v[part];
	struct pl_sha256 h;

	p->input = pl_in_name(in, in->index);
	for (size_t i = 0; !p->file; i++)
		if (pl_bundle_files[i].part == part)
			p->file = &pl_bundle_files[i];
	if (p->file->schema ? read_artifact(parts, p, in, m, err)
			    : read_report(parts, p, in, m, err))
		return -1;
	pl_sha256_start(&h);
	pl_sha256_add(&h, p->bytes.p, p->bytes.n);
	pl_sha256_end(&h, p->sha256);
	return 0;
}

static int unbound(const struct part *p, const char *analysis, struct pl_err *err)
{
	if (!analysis[0])
		pl_err_set(err, PL_E_DIGEST_MISMATCH,
			   _("the analysis has no digest, so that nothing can be bound to it"));
	else
		pl_err_set(err, PL_E_DIGEST_MISMATCH,
			   _("this does not belong to the analysis: it does not name its SHA-256, "
			     "%s"),
			   analysis);
	pl_err_action(err, _("make it anew from this analysis"));
	return pl_err_at(err, p->input, 0);
}

int parts_check(const struct parts *parts, struct pl_err *err)
{
	const char *analysis = parts->v[PL_BUNDLE_ANALYSIS].s.sha256;

	for (int i = PL_BUNDLE_ANALYSIS + 1; i < PL_BUNDLE_PARTS; i++) {
		const struct part *p = &parts->v[i];
		if (p->file && !pl_bundle_is_bound(i, &p->s.header, &p->s.header_json,
						   pl_buf_str(&p->bytes), analysis))
			return unbound(p, analysis, err);
	}
	return 0;
}

void parts_free(struct parts *parts)
{
	for (int i = 0; i < PL_BUNDLE_PARTS; i++) {
		pl_buf_free(&parts->v[i].bytes);
		pl_stream_close(&parts->v[i].s);
	}
	*parts = (struct parts){0};
}
