/*
 * stacks: the weighted stacks of a profile, whether it comes as samples or as an analysis: for
 * pictures and exports, which show stacks and do not care where they are from.
 *
 * Positions of a stack are functions, root first: a frame of samples with inlined functions is one
 * function for each of them. Functions are named as an analysis names them (normalised symbol and
 * DSO); what else was recorded of the position (spelling, line, address) stands beside. From
 * samples there is a stack for each of them; from an analysis one for each call path that it kept,
 * and what it left out is counted.
 */
#ifndef PL_STACKS_H
#define PL_STACKS_H

#include "analysis.h"
#include "intern.h"
#include "rowid.h"
#include "samples.h"

/* A function at a position. Texts live as long as the reader; what is not known has p NULL. */
struct pl_stacks_frame {
	uint32_t key; /* of the function: the same for all positions of one (name, dso) */
	struct pl_str name, dso, kind;
	struct pl_str raw;  /* the recorded spelling, when it is another than the name */
	struct pl_str file; /* of the source line */
	struct pl_str build_id, offset; /* of the module; within it */
	uint64_t line;
	bool inlined;
};

struct pl_stacks_event {
	struct pl_str label, name, unit, weight_source,
		source;		    /* of samples the label is the name */
	struct pl_str status;	    /* of an analysis' quality; of samples p NULL */
	uint64_t samples, weight;   /* all of the event, read or not; of samples: those so far */
	uint64_t stackless_samples; /* of samples: those without a stack */
	uint64_t stackless;	    /* weight without a stack */
	uint64_t omitted, omitted_paths; /* weight and number of the paths that the analysis left
					    out, at the end */
	bool has_paths;	 /* at the end: false for an analysis that was made without them */
	uint64_t stacks; /* handed out so far */
	double n_eff;	 /* at the end: NaN where weights are no draws */
	unsigned __int128 squares; /* private: of the weights of samples */
};

enum pl_stacks_kind {
	PL_STACKS_ERROR = -1,
	PL_STACKS_DONE = 0, /* the end was read, and what can be checked is right */
	PL_STACKS_STACK
};

struct pl_stacks {
	/* set between pl_stacks_open() and the first pl_stacks_next(): */
	const char *only;    /* stacks of the events of this label; NULL: of all */
	uint64_t max_frames; /* --max-unique-frames; 0: no limit */

	/* The reader of an analysis; NULL for samples. Who is after its other rows may read them
	 * (pl_analysis_next) and hand them on with pl_stacks_take(). */
	struct pl_analysis *analysis;
	struct pl_stacks_event *events;
	size_t events_n, events_cap;
	struct pl_stacks_frame *frames; /* may move with each call; indices do not change */
	size_t frames_n, frames_cap;
	/* the current stack: */
	uint32_t event;
	uint64_t weight, samples;
	const uint32_t *stack; /* indices of frames, root first */
	size_t depth;
	const struct pl_sample *sample; /* with its thread, time and so on; NULL in an analysis */
	struct pl_str path_id;		/* in an analysis */
	struct pl_err err;		/* what went wrong, with file and line */
	/* The stream that is read, with its header and, at the end, its digest. */
	struct pl_stream *stream;

	/* private */
	union {
		struct pl_samples samples;
		struct pl_analysis analysis;
	} r;
	struct pl_intern texts, keys, positions;
	uint32_t *first, *count; /* by frame of samples: its functions, as indices of frames */
	bool *used;		 /* it is in a sample, of whatever event */
	size_t first_cap, count_cap, used_cap;
	uint32_t *functions; /* of the frames of samples, one after the other */
	size_t functions_n, functions_cap;
	struct stacks_module {
		struct pl_str dso, build_id, kind;
	} * modules;
	size_t modules_n, modules_cap;
	uint32_t *path; /* the current stack */
	size_t path_cap;
	size_t rest;	    /* how many of these were looked at */
	struct pl_str *ids; /* by key: of an analysis' rows */
	size_t ids_cap;
	struct pl_buf scratch;
};

/* Reads the header: perflens.samples or perflens.analysis. 0, or -1 with err. `unsealed`: as
 * pl_stream_open(). */
int pl_stacks_open(struct pl_stacks *k, struct pl_in *in, bool unsealed);
/* The same for one that is {0}, and whose reader reads the rows of an analysis itself: it hands
 * events, hotspots and paths over with pl_stacks_take(), and calls nothing else but
 * pl_stacks_close(). */
void pl_stacks_begin(struct pl_stacks *k, struct pl_analysis *a);
/* The row just read. PL_STACKS_STACK where it is a path that is wanted, else PL_STACKS_DONE; -1. */
enum pl_stacks_kind pl_stacks_take(struct pl_stacks *k, enum pl_analysis_kind kind);
/* The next sample or path that has a stack: those without are counted only. Views live until the
 * next call. */
enum pl_stacks_kind pl_stacks_next(struct pl_stacks *k);
/*
 * At the end: what no stack above holds, so that totals stay whole: for each event that is wanted,
 * where there is any, a stack of the one frame "[no stack]" and one of "[omitted]". How many
 * samples that was is not known of an analysis, and 0. DONE after the last.
 */
enum pl_stacks_kind pl_stacks_rest(struct pl_stacks *k);
void pl_stacks_close(struct pl_stacks *k);
/*
 * At the end, for what can show one event only: its index. -1 with err where there are several (and
 * which), none of that label, or no stacks at all.
 */
int64_t pl_stacks_one(struct pl_stacks *k);
/* At the end: the ids of functions ("h-…"), by key, as rows of an analysis have them; k->keys.n
 * of them; "" where the analysis left the row out. To be freed by the caller. */
char (*pl_stacks_ids(const struct pl_stacks *k))[PL_ROW_ID_MAX];

#endif
