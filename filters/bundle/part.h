/* part: what pl-bundle puts into a bundle: an artifact or a report, whole, and what it says of its
 * origin */
#ifndef PART_H
#define PART_H

#include "bundle.h"

struct part {
	const struct pl_bundle_file *file; /* NULL: it was not given */
	const char *input;		   /* what messages call it: in's */
	struct pl_buf bytes;
	struct pl_stream s;		/* of an artifact, read to its end */
	char sha256[PL_SHA256_HEX + 1]; /* of bytes */
};
/* By enum pl_bundle_part; the manifest's stays empty. */
struct parts {
	struct part v[PL_BUNDLE_PARTS];
	uint64_t bytes; /* of all of them */
};

/* Reads the current input as this part. Adds to parts->bytes, which stays within the limit of
 * output. 0, or -1 with *err. */
int part_read(struct parts *parts, enum pl_bundle_part part, struct pl_in *in,
	      const struct pl_main *m, struct pl_err *err);
/* All parts but the analysis are of that analysis: 0, or -1 with *err for the first that is not. */
int parts_check(const struct parts *parts, struct pl_err *err);
void parts_free(struct parts *parts);

/* The manifest of these parts: a sealed stream of perflens.bundle. */
void manifest_write(struct pl_buf *out, const struct parts *parts, const struct pl_main *m);

#endif
