/*
 * stream: header, records, end: what all kinds of our NDJSON have in common (STREAMS.md section 1).
 */
#ifndef PL_STREAM_H
#define PL_STREAM_H

#include "hash.h"
#include "in.h"
#include "json.h"
#include "jsonw.h"
#include "program.h"

/* ---- reading ---- */

struct pl_stream_header {
	struct pl_str schema; /* "perflens.samples" */
	unsigned major, minor;
	uint32_t producer, inputs; /* tokens of pl_stream.header_json */
};

struct pl_stream {
	struct pl_in *in; /* borrowed; positioned by the caller with pl_in_next() */
	struct pl_stream_header header;
	struct pl_json header_json; /* tape of the header line, valid as long as the stream */
	/* the current record: */
	struct pl_str text; /* the line */
	struct pl_str type; /* its "type" */
	struct pl_json json;
	uint64_t records;  /* records handed out since the header, the end included */
	bool artifact;	   /* its end carries a digest, which was or will be checked */
	bool unsealed;	   /* --unsealed let a missing or wrong digest pass */
	char sha256[65];   /* of an artifact that has a digest, after its end: of the bytes read */
	struct pl_err err; /* with file and line */
	/* private */
	struct pl_buf header_text;
	struct pl_sha256 digest;
	bool allow_unsealed, ended;
};

/*
 * Reads the header of the current input. `schemas` (n of them) are those that the caller can use,
 * for example "perflens.samples"; another schema or major version is UNSUPPORTED_FORMAT naming
 * both, a stream that is empty or none of ours PROFILE_PARSE_FAILED. `unsealed`: accept an artifact
 * whose digest is missing or wrong.
 */
int pl_stream_open(struct pl_stream *s, struct pl_in *in, const char *const *schemas, size_t n,
		   bool unsealed);
/* Reads a header from its tape: NULL, or what is wrong with it. Schema and version may be any. */
const char *pl_stream_read_header(struct pl_stream_header *header, const struct pl_json *json);
/* Are its producer and inputs what they must be? NULL, or what is wrong. */
const char *pl_stream_check_origin(const struct pl_stream_header *header,
				   const struct pl_json *json);
/*
 * The next record: 1 (also for the end record, whose digest has then been checked), 0 when the end
 * record was seen and nothing follows it, -1: malformed (PROFILE_PARSE_FAILED), without end
 * (STREAM_TRUNCATED), DIGEST_MISMATCH.
 */
int pl_stream_next(struct pl_stream *s);
/* Its two halves: the next line, into s->text; and the record in it, into s->json. A line that is
 * no end record, of no artifact, may be read otherwise, and is then counted in s->records. */
int pl_stream_line(struct pl_stream *s);
int pl_stream_parse(struct pl_stream *s);
bool pl_stream_is(const struct pl_stream *s, const char *type);
/* Is this kind one that ends with a digest (all but samples and partial)? */
bool pl_stream_sealed_kind(struct pl_str schema);
enum pl_seal { PL_SEAL_ABSENT, PL_SEAL_WRONG, PL_SEAL_FITS };
/* The digest at the end of a whole artifact: is it that of the bytes before it? They have the
 * digest in sha256, "" where none is written. */
enum pl_seal pl_stream_check_seal(struct pl_str bytes, char sha256[PL_SHA256_HEX + 1]);
void pl_stream_close(struct pl_stream *s);
/* An error at the current line: PROFILE_PARSE_FAILED with file and line. Returns -1. */
int pl_stream_fail(struct pl_stream *s, const char *fmt, ...) PL_PRINTF(2, 3);

/* ---- writing ---- */

/* {"type":"header","schema":…,"version":"1.0","producer":{…},"inputs": — the caller then writes one
 * array and more members, and ends the record. Options are those that m->args records. */
void pl_stream_header(struct pl_jsonw *w, const char *schema, const struct pl_main *m);
/*
 * The element of `inputs` that describes a stream that was read:
 * {"schema":…,"producer":…,"inputs":[…]}, with "sha256" last when it is an artifact. For streams of
 * samples `digests` is the tape of the end record and `digests_array` its `inputs`: their members
 * (bytes, sha256, lines, …) are added to the foreign inputs, depth first; a foreign input's `name`
 * is dropped. digests may be NULL. Returns the number of foreign inputs met.
 */
uint32_t pl_stream_input(struct pl_jsonw *w, const struct pl_stream *s,
			 const struct pl_json *digests, uint32_t digests_array);
/* The whole header of a filter whose one input is the stream s, of the same kind. */
void pl_stream_pass_header(const struct pl_stream *s, struct pl_main *m);
/* The current line, byte for byte. */
void pl_stream_pass(const struct pl_stream *s, struct pl_buf *out);
/*
 * Seals an artifact: buf holds the whole stream up to and including the end record without its
 * closing brace (its last byte is that of a member's value). Adds ,"sha256":"…"} and LF. buf must
 * hold the stream from its first byte.
 */
void pl_stream_seal(struct pl_buf *buf);

#endif
