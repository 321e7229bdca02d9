/*
 * bundle: what a bundle of evidence consists of (perflens.bundle): a stored ZIP with a manifest, an
 * analysis, and what was made of that analysis, each under a fixed name and bound to the analysis
 * by its SHA-256.
 */
#ifndef PL_BUNDLE_H
#define PL_BUNDLE_H

#include "record.h"
#include "stream.h"

#define PL_BUNDLE_SCHEMA "perflens.bundle"

enum pl_bundle_part {
	PL_BUNDLE_MANIFEST,
	PL_BUNDLE_ANALYSIS,
	PL_BUNDLE_DIAGNOSIS,
	PL_BUNDLE_REPORT,
	PL_BUNDLE_COMPARISON,
	PL_BUNDLE_VERIFICATION,
	PL_BUNDLE_PARTS
};

/* A file that a bundle may hold. */
struct pl_bundle_file {
	enum pl_bundle_part part;
	const char *name;
	const char *schema; /* of an artifact; NULL: text */
	const char *format; /* of a text: what a header's inputs call it */
};
/* In the order in which they stand in a bundle; one at most of each part. */
enum { PL_BUNDLE_FILES = PL_BUNDLE_PARTS + 1 };
extern const struct pl_bundle_file pl_bundle_files[PL_BUNDLE_FILES];
const struct pl_bundle_file *pl_bundle_find(struct pl_str name); /* or NULL */
/* What a report is by its first characters: HTML or Markdown. */
const struct pl_bundle_file *pl_bundle_report(struct pl_str text);

/* The SHA-256 of input number `index` in a header that pl_stream_check_origin() accepts; absent
 * where it has none, or there is no such input. */
struct pl_str pl_bundle_input(const struct pl_stream_header *header, const struct pl_json *json,
			      size_t index);
/* Is what has this header (of a stream of the part's kind), or this text, bound to the analysis
 * with that digest? Only a comparison may name another analysis, too. */
bool pl_bundle_is_bound(enum pl_bundle_part part, const struct pl_stream_header *header,
			const struct pl_json *json, struct pl_str text, const char *sha256);

/* The records of a manifest. */
struct pl_bundle_entry {
	struct pl_str name, schema, sha256;
	uint64_t bytes;
	bool sealed, has_sealed;
};
struct pl_bundle_end {
	uint64_t files, records;
	struct pl_str sha256;
};
extern const struct pl_record pl_bundle_file_record, pl_bundle_end_record;

#endif
