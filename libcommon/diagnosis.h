/*
 * diagnosis: reads perflens.diagnosis, what pl-classify says about an analysis, row by row.
 *
 * Rows are handed out in the stream's order: of each event the event itself, its categories,
 * candidates and gaps. The reader checks that order, the counts and the digest. Publish nothing
 * before PL_DIAGNOSIS_DONE: hold the output (pl_out_hold).
 */
#ifndef PL_DIAGNOSIS_H
#define PL_DIAGNOSIS_H

#include "record.h"
#include "stream.h"

#define PL_DIAGNOSIS_SCHEMA "perflens.diagnosis"

struct pl_diagnosis_event {
	struct pl_str label, unit, status;
	uint64_t weight, samples;
	uint32_t reasons, allowed, forbidden; /* tokens: arrays of codes */
	uint64_t classified_self, classified_self_pct, unclassified_self, unclassified_self_pct;
};

struct pl_diagnosis_category {
	struct pl_str event, category;
	uint64_t hotspots, self, self_pct;
};

struct pl_diagnosis_candidate {
	struct pl_str id, rule, category, hotspot, event;
	struct pl_str symbol, dso; /* p NULL: null */
	struct pl_str confidence, level, conclusion_status, observation;
	uint64_t rule_version;
	uint32_t supporting, counter;	   /* tokens: arrays for pl_diagnosis_evidence() */
	uint32_t missing, next, forbidden; /* tokens: arrays of texts */
};

struct pl_diagnosis_gap {
	struct pl_str event, code, message;
	struct pl_str command; /* p NULL: there is none */
};

struct pl_diagnosis_end {
	uint64_t candidates, gaps, records;
	struct pl_str sha256; /* p NULL: unsealed */
};

/* One statement for or against a candidate. */
struct pl_diagnosis_evidence {
	struct pl_str kind, statement;
	struct pl_str id; /* of a hotspot or path of the analysis; p NULL: none */
};

enum pl_diagnosis_kind {
	PL_DIAGNOSIS_ERROR = -1,
	PL_DIAGNOSIS_DONE = 0, /* the end record was read, digest, order and counts are right */
	PL_DIAGNOSIS_EVENT,
	PL_DIAGNOSIS_CATEGORY,
	PL_DIAGNOSIS_CANDIDATE,
	PL_DIAGNOSIS_GAP,
	PL_DIAGNOSIS_OTHER
};

/* Views and tokens of a row live until the next call; the texts of `event` (not its tokens) until
 * the next event row, `analysis` as long as the reader. */
struct pl_diagnosis {
	struct pl_stream s;	/* s.json is the tape of the current row; s.err what went wrong */
	struct pl_str analysis; /* SHA-256 of the analysis that it is about; p NULL: that had none
				 */
	struct pl_diagnosis_event event;
	struct pl_diagnosis_category category;
	struct pl_diagnosis_candidate candidate;
	struct pl_diagnosis_gap gap;
	struct pl_diagnosis_end end;
	uint64_t events, candidates, gaps; /* read so far */
	/* private */
	enum pl_diagnosis_kind last;
	struct pl_buf event_text;
};

extern const struct pl_record pl_diagnosis_event_record, pl_diagnosis_category_record,
	pl_diagnosis_candidate_record, pl_diagnosis_gap_record, pl_diagnosis_end_record;

/* As pl_stream_open(), for diagnoses only. 0, or -1 with s.err. */
int pl_diagnosis_open(struct pl_diagnosis *d, struct pl_in *in, bool unsealed);
/* The same for one that is {0} but for s, an open stream that may be of several kinds and is a
 * diagnosis. */
int pl_diagnosis_begin(struct pl_diagnosis *d);
/* The next row, decoded into the member of its kind. Out of order, under another event's label, or
 * with other counts than the end record's: PL_DIAGNOSIS_ERROR (counts are not held against one that
 * only --unsealed let pass). */
enum pl_diagnosis_kind pl_diagnosis_next(struct pl_diagnosis *d);
/* The element of `supporting` or `counter` at this token of s.json; members that are no text are
 * absent. */
struct pl_diagnosis_evidence pl_diagnosis_evidence(const struct pl_diagnosis *d, uint32_t tok);
void pl_diagnosis_close(struct pl_diagnosis *d);

#endif
