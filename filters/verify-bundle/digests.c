/* digests: do bytes, sizes, digests and the parts among themselves fit? */
#include "checks.h"

#include <inttypes.h>

enum { MAJOR = 1 };

static bool needs_manifest(const struct contents *c, struct pl_verdict *v)
{
	if (!c->manifest.readable)
		pl_verdict_skip(v, "the manifest could not be read");
	return c->manifest.readable;
}

/* The entry that the manifest lists under this name, or NULL: that is another check's matter. */
static const struct member *listed(const struct contents *c, struct pl_str name)
{
	for (size_t i = 0; i < c->zip.n; i++)
		if (c->members[i].file && pl_str_eq(c->zip.entries[i].name, name))
			return &c->members[i];
	return NULL;
}

void check_sizes(const struct contents *c, struct pl_verdict *v)
{
	if (!needs_manifest(c, v))
		return;
	for (size_t i = 0; i < c->manifest.n; i++) {
		const struct pl_bundle_entry *f = &c->manifest.files[i];
		const struct member *m = listed(c, f->name);
		if (m && m->entry->data.n != f->bytes)
			pl_verdict_fail(v, "%s has %zu bytes, and the manifest says %" PRIu64,
					m->file->name, m->entry->data.n, f->bytes);
	}
}

void check_crc(const struct contents *c, struct pl_verdict *v)
{
	for (size_t i = 0; i < c->zip.n; i++) {
		const struct pl_zip_entry *e = &c->zip.entries[i];
		uint32_t crc = pl_zip_crc(e->data);
		if (crc != e->crc)
			pl_verdict_fail(v,
					"entry %zu has the CRC %08" PRIx32
					", and the ZIP says %08" PRIx32,
					i + 1, crc, e->crc);
	}
}

void check_sha256(const struct contents *c, struct pl_verdict *v)
{
	if (!needs_manifest(c, v))
		return;
	for (size_t i = 0; i < c->manifest.n; i++) {
		const struct pl_bundle_entry *f = &c->manifest.files[i];
		const struct member *m = listed(c, f->name);
		if (m && !pl_str_is(f->sha256, m->sha256))
			pl_verdict_fail(v,
					"%s has the SHA-256 %s, which is not the one in the "
					"manifest",
					m->file->name, m->sha256);
	}
}

/* ---- seals ---- */

static void check_seal(const struct member *m, struct pl_verdict *v)
{
	const char *name = m->file->name;

	if (!m->has_header || !pl_str_is(m->header.schema, m->file->schema))
		pl_verdict_fail(v, "%s does not begin with a header of %s", name, m->file->schema);
	else if (m->header.major != MAJOR)
		pl_verdict_fail(v, "%s is %s %u.%u, and 1.x is known here", name, m->file->schema,
				m->header.major, m->header.minor);
	else if (m->seal == PL_SEAL_ABSENT)
		pl_verdict_fail(v, "%s does not end with a digest", name);
	else if (m->seal == PL_SEAL_WRONG)
		pl_verdict_fail(v, "%s has the digest %s, which is not the one written", name,
				m->sealed);
}

void check_seals(const struct contents *c, struct pl_verdict *v)
{
	for (int i = PL_BUNDLE_ANALYSIS; i < PL_BUNDLE_PARTS; i++)
		if (c->parts[i] && c->parts[i]->file->schema)
			check_seal(c->parts[i], v);
	for (size_t i = 0; i < c->manifest.n; i++) {
		const struct pl_bundle_entry *f = &c->manifest.files[i];
		const struct member *m = listed(c, f->name);
		if (m && f->has_sealed && !f->sealed)
			pl_verdict_fail(v, "the manifest says that %s is not sealed",
					m->file->name);
	}
}

/* ---- bindings ---- */

static bool is_bound(const struct member *m, const char *analysis)
{
	return (!m->file->schema || m->has_header) &&
	       pl_bundle_is_bound(m->file->part, &m->header, &m->json, m->entry->data, analysis);
}

/* The manifest's inputs are the parts, each by its digest: of an artifact its own, of a report that
 * of the bytes. */
static void check_inputs(const struct contents *c, struct pl_verdict *v)
{
	const struct member *manifest = &c->members[0];

	for (size_t i = 1; i < c->zip.n; i++) {
		const struct member *m = &c->members[i];
		if (m->file &&
		    !pl_str_is(pl_bundle_input(&manifest->header, &manifest->json, i - 1),
			       m->file->schema ? m->sealed : m->sha256))
			pl_verdict_fail(v, "the manifest's input %zu is not %s", i - 1,
					m->file->name);
	}
}

void check_bindings(const struct contents *c, struct pl_verdict *v)
{
	const struct member *analysis = c->parts[PL_BUNDLE_ANALYSIS];

	if (!analysis || !analysis->has_header) {
		pl_verdict_fail(v, "there is no analysis that anything could be bound to");
		return;
	}
	for (int i = PL_BUNDLE_ANALYSIS + 1; i < PL_BUNDLE_PARTS; i++) {
		const struct member *m = c->parts[i];
		if (m && !is_bound(m, analysis->sealed))
			pl_verdict_fail(v, "%s does not name the SHA-256 of the analysis",
					m->file->name);
	}
	if (c->manifest.readable)
		check_inputs(c, v);
}
