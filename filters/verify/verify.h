/*
 * verify: what the parts of pl-verify share: the artifact in memory, a walk over its rows,
 * verdicts.
 *
 * Everything here must bear a broken artifact: a check judges, it never fails. Reasons stand in an
 * artifact of our own, so they are English in every locale.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "analysis.h"
#include "samples.h"

enum status { PASSED, FAILED, SKIPPED };

struct verdict {
	enum status status;
	char reason[512]; /* "" when passed; cut at its end */
};

/* Sets the verdict and the reason, unless one was set before: the first reason stays. */
void verdict_fail(struct verdict *v, const char *fmt, ...) PL_PRINTF(2, 3);
void verdict_skip(struct verdict *v, const char *fmt, ...) PL_PRINTF(2, 3);

struct artifact {
	struct pl_buf bytes;
	struct pl_str *lines; /* without LF */
	size_t n, cap;
	/* Only header, header_json and artifact are filled: what pl_stream_input() looks at. */
	struct pl_stream stream;
	bool has_header; /* of a stream of ours */
	bool analysis;	 /* of this kind, and one whose major version we know */
	struct pl_str group_by;
	uint64_t unresolved_pct;
	char problem[256]; /* why its rows cannot be read; "" when they can */
};

/* Reads the current input whole. 0, or -1 with in->err. */
int artifact_read(struct artifact *a, struct pl_in *in);
/* Finds lines and header in a->bytes; whatever is wrong with them goes to a->problem. */
void artifact_open(struct artifact *a);
void artifact_close(struct artifact *a);
/* Notes why its rows cannot be read, unless something else was noted before. */
void artifact_problem(struct artifact *a, const char *fmt, ...) PL_PRINTF(2, 3);

/* Reads the header from the first line: has_header and all that follows from it. */
void header_read(struct artifact *a);
/* A foreign input that the header names. */
struct foreign {
	struct pl_str format, sha256; /* absent: p NULL */
};
struct foreign_list {
	struct foreign *v;
	size_t n, cap;
};
/* All of them, depth first. The caller frees v. */
void header_foreign(const struct artifact *a, struct foreign_list *list);

/*
 * The rows of an analysis between header and end, in order. To be used on artifacts whose `members`
 * check passed. A row lives until the next but one of a known type, an event row until the next but
 * one event, the end record as long as the walk.
 */
struct walk {
	const struct artifact *a;
	size_t line; /* number of the current row, from 1 */
	enum pl_analysis_kind kind;
	struct pl_str type;
	struct pl_json *json; /* of the current row */
	struct pl_analysis_event event;
	struct pl_analysis_quality quality;
	struct pl_analysis_module module;
	struct pl_analysis_hotspot hotspot;
	struct pl_analysis_path path;
	struct pl_analysis_diagnostic diagnostic;
	struct pl_analysis_end end;
	struct pl_json end_json;
	/* private */
	struct pl_json tapes[2], event_tapes[2];
	bool tape, event_tape; /* those of the last row of a known type, of the last event */
};

void walk_start(struct walk *w, const struct artifact *a);
/* The next row: its kind, PL_ANALYSIS_DONE behind the last one. */
enum pl_analysis_kind walk_next(struct walk *w);
void walk_close(struct walk *w);
/* What the end record says of event number `index`; false when it has no such element. */
bool walk_totals(const struct walk *w, size_t index, struct pl_analysis_totals *totals);
/* The kind of row with this type; PL_ANALYSIS_OTHER for those that we do not know. */
enum pl_analysis_kind row_kind(struct pl_str type);
/* The table of its members; NULL for PL_ANALYSIS_OTHER. */
const struct pl_record *row_record(enum pl_analysis_kind kind);

/* What --source names. */
struct source {
	const char *path;
	bool regular; /* can be read again */
	char sha256[PL_SHA256_HEX + 1], packed_sha256[PL_SHA256_HEX + 1];
};
struct sources {
	struct source *v;
	size_t n;
};
/* The source whose bytes, packed or unpacked, have this digest, or NULL. */
const struct source *source_find(const struct sources *sources, struct pl_str sha256);

/* ---- the checks ---- */

/* The end record's digest is that of the bytes before it, and nothing follows it. */
void check_digest(const struct artifact *a, struct verdict *v);
/* Every record has the members of its table, each of its kind. */
void check_members(const struct artifact *a, struct verdict *v);
/* Records, events, rows stand in the order of STREAMS.md section 3; the end counts them. */
void check_order(const struct artifact *a, struct verdict *v);
/* The rows of each event add up to its weight; no part is greater than its whole. */
void check_conservation(const struct artifact *a, struct verdict *v);
/* Percentages and intervals are those of the integers beside them. */
void check_percent(const struct artifact *a, struct verdict *v);
/* Status, reasons, allowed and forbidden conclusions follow from the members. */
void check_quality(const struct artifact *a, struct verdict *v);
/* The sources are the bytes whose digests the header holds. */
void check_source_digest(const struct artifact *a, const struct sources *sources,
			 struct verdict *v);
/* The producers that the header records give the same rows from the sources again. */
void check_replay(const struct artifact *a, const struct sources *sources,
		  const struct pl_limits *limits, struct verdict *v);

#endif
