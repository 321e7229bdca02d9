/*
 * checks: what the parts of pl-verify-bundle share: the bundle in memory, and what is looked at.
 *
 * Whatever could be taken apart is judged, never refused, so all of this must bear any bytes.
 */
#ifndef CHECKS_H
#define CHECKS_H

#include "bundle.h"
#include "verdict.h"
#include "zip.h"

/* An entry of the ZIP, and what it says of itself. */
struct member {
	const struct pl_zip_entry *entry;
	const struct pl_bundle_file *file; /* NULL: no name that a bundle has */
	char sha256[PL_SHA256_HEX + 1];	   /* of its bytes */
	/* of an artifact: */
	struct pl_json json; /* of its header */
	struct pl_stream_header header;
	bool has_header; /* it begins with a header of a stream of ours */
	enum pl_seal seal;
	char sealed[PL_SHA256_HEX + 1]; /* the digest of the artifact, as pl_stream_check_seal() */
};

/* What the manifest lists; views of tapes, or of the bytes. */
struct manifest {
	bool readable;
	struct pl_bundle_entry files[PL_BUNDLE_FILES];
	struct pl_json tapes[PL_BUNDLE_FILES];
	size_t n;
};

struct contents {
	struct pl_zip zip;
	struct member members[PL_ZIP_ENTRIES];
	const struct member *parts[PL_BUNDLE_PARTS]; /* the first of each part, or NULL */
	struct manifest manifest;
};

/* Takes the bytes, which must stay, apart. 0, or -1 with *err: this is no ZIP that could be judged.
 * `c` starts as {0}. */
int contents_open(struct contents *c, struct pl_str bytes, struct pl_err *err);
void contents_free(struct contents *c);

/* Reads the manifest, and checks it: a sealed stream of its kind, which lists exactly what is there
 * beside it, in its order. */
void check_manifest(struct contents *c, struct pl_verdict *v);

/* The fields of the ZIP are those that a bundle has, and no entry is anything but a file. */
void check_container(const struct contents *c, struct pl_verdict *v);
/* Every name is one that a bundle has; none comes twice; they stand in their order; what must be
 * there is there. */
void check_names(const struct contents *c, struct pl_verdict *v);
/* Of what the manifest lists: the number of bytes. */
void check_sizes(const struct contents *c, struct pl_verdict *v);
/* The CRC-32 of each entry fits its bytes. */
void check_crc(const struct contents *c, struct pl_verdict *v);
/* Of what the manifest lists: the SHA-256. */
void check_sha256(const struct contents *c, struct pl_verdict *v);
/* Each artifact is of the kind that its name says, and its own digest fits. */
void check_seals(const struct contents *c, struct pl_verdict *v);
/* Each part names the SHA-256 of the analysis, and the manifest's inputs are the parts. */
void check_bindings(const struct contents *c, struct pl_verdict *v);

#endif
