/*
 * verify: what the parts of pl-verify share: the artifact in memory, a walk over its rows,
 * verdicts.
 *
 * Everything here must bear a broken artifact: a check judges, it never fails.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "analysis.h"
#include "intern.h"
#include "samples.h"
#include "verdict.h"

/* Fails unless `got` is at least `least` and at most `slack` more, as `from` says. */
void verdict_within(struct pl_verdict *v, size_t line, const char *what, uint64_t got,
		    uint64_t least, uint64_t slack, const char *from);

struct artifact {
	struct pl_buf bytes;
	struct pl_str *lines; /* without LF */
	size_t n, cap;
	/* Only header, header_json and artifact are filled: what pl_stream_input() looks at. */
	struct pl_stream stream;
	bool has_header;		 /* of a stream of ours */
	bool analysis;			 /* of this kind, and one whose major version we know */
	const struct grouping *grouping; /* NULL: by what we do not know */
	uint64_t unresolved_pct;
	char problem[256]; /* why its rows cannot be read; "" when they can */
};

/* What rows are grouped by. */
struct grouping {
	const char *text; /* as the header has it */
	const char *name; /* the member that names a row beside its DSO; NULL: it has none */
	bool dso;	  /* has it a DSO? */
	bool frames;	  /* are rows functions of a stack? Else they are the sample's */
};

/* Reads the current input whole. 0, or -1 with in->err. */
int artifact_read(struct artifact *a, struct pl_in *in);
/* Finds lines and header in a->bytes; whatever is wrong with them goes to a->problem. */
void artifact_open(struct artifact *a);
void artifact_close(struct artifact *a);
/* Notes why its rows cannot be read, unless something else was noted before. */
void artifact_problem(struct artifact *a, const char *fmt, ...) PL_PRINTF(2, 3);

/*
 * The keys of rows, of callers and callees, and of the frames of paths, numbered as they are met.
 */
struct keys {
	struct pl_intern all; /* bytes of pl_row_key() */
	struct pl_buf scratch;
};
void keys_start(struct keys *keys);
void keys_free(struct keys *keys);
/* The number of the key that the object at this token names. */
uint32_t keys_of(struct keys *keys, const struct grouping *grouping, const struct pl_json *json,
		 uint32_t object);
/* By name, then DSO: less than, equal to or greater than 0. */
int keys_compare(const struct keys *keys, uint32_t a, uint32_t b);
/* A text that the object has as this member; absent when it has none. */
struct pl_str text_member(const struct pl_json *json, uint32_t object, const char *name);
/* A member that the object should have by what rows are grouped by and lacks, or has and should
 * not; NULL when there is none. */
const char *wrong_key_member(const struct grouping *grouping, const struct pl_json *json,
			     uint32_t object);

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
	size_t totals_n; /* where walk_totals() was last: number of the element, its token */
	uint32_t totals_at;
	struct pl_json tapes[2], event_tapes[2];
	bool tape, event_tape; /* those of the last row of a known type, of the last event */
};

void walk_start(struct walk *w, const struct artifact *a);
/* The next row: its kind, PL_ANALYSIS_DONE behind the last one. */
enum pl_analysis_kind walk_next(struct walk *w);
void walk_close(struct walk *w);
/* What the end record says of event number `index`; false when it has no such element. To be asked
 * in the order of events: each search goes on where the last one ended. */
bool walk_totals(struct walk *w, size_t index, struct pl_analysis_totals *totals);
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
void check_digest(const struct artifact *a, struct pl_verdict *v);
/* Every record has the members of its table, each of its kind. */
void check_members(const struct artifact *a, struct pl_verdict *v);
/* Records, events, rows and the lists in them stand in the order of STREAMS.md section 3, are
 * counted, and are named by their rules. */
void check_order(const struct artifact *a, struct pl_verdict *v);
/* Its part: the lists in the rows. */
void check_lists(const struct artifact *a, struct pl_verdict *v);
/* Its part: the ids of rows, callers, callees and paths. */
void check_ids(const struct artifact *a, struct pl_verdict *v);
/* The rows of each event add up to its weight; no part is greater than its whole; rows follow from
 * the call paths. */
void check_conservation(const struct artifact *a, struct pl_verdict *v);
/* Its part, once sums are known to fit: rows, callers and callees against the call paths. */
void check_call_paths(const struct artifact *a, struct pl_verdict *v);
/* Percentages and intervals are those of the integers beside them. */
void check_percent(const struct artifact *a, struct pl_verdict *v);
/* Status, reasons, allowed and forbidden conclusions follow from the members. */
void check_quality(const struct artifact *a, struct pl_verdict *v);
/* The sources are the bytes whose digests the header holds. */
void check_source_digest(const struct artifact *a, const struct sources *sources,
			 struct pl_verdict *v);
/* The producers that the header records give the same rows from the sources again. */
void check_replay(const struct artifact *a, const struct sources *sources,
		  const struct pl_limits *limits, struct pl_verdict *v);

#endif
