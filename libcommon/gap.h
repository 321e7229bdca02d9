/*
 * gap: what an analysis does not measure, or lacks, and the command that would measure it: one
 * table for all that prints it.
 *
 *     const struct pl_gap *g = NULL;
 *     while ((g = pl_gap_next(&facts, g)))
 *             … g->code, g->message, g->command …
 *
 * Modules without symbols are gaps, too, each with a message of its own: pl_gap_module().
 */
#ifndef PL_GAP_H
#define PL_GAP_H

#include "str.h"

/* The code of what pl_gap_module() describes; it has no command. */
#define PL_GAP_MODULE "unresolved_module"

struct pl_gap {
	const char *code;
	const char *message; /* N_(): artifacts have it as it stands, people a translation */
	const char *command; /* NULL: there is none. COMMAND and PID stand for the reader's own */
	/* private */
	unsigned when;
	const char *forbidden;	/* only where the analysis forbids this conclusion */
	const char *event;	/* only where no event of the analysis has this name */
	const char *categories; /* "a b": only where one of them has self weight */
};

/* What decides which gaps an event has. */
struct pl_gap_facts {
	uint64_t weight, multi_frame_weight, source_line_self;
	struct pl_str unit;
	const struct pl_str *forbidden; /* codes of the event's quality record */
	size_t forbidden_n;
	const struct pl_str *events; /* names of all events of the analysis, with modifiers or not
				      */
	size_t events_n;
	bool paths;	 /* the analysis has call paths (not --no-paths) */
	bool classified; /* categories are known; else all gaps that hang on one apply */
	const struct pl_str *weighty; /* categories that have self weight */
	size_t weighty_n;
};

/* The first gap that applies after `last` (NULL: from the start), in the table's order; NULL: there
 * is none left. */
const struct pl_gap *pl_gap_next(const struct pl_gap_facts *facts, const struct pl_gap *last);
/*
 * Appends what an artifact says of a module with unresolved self weight: its name, share
 * (unresolved_pct in millionths of a percent of the event's weight), reason and fix (p NULL: not
 * known). In English, with the fix of the analysis as it stands.
 */
void pl_gap_module(struct pl_buf *out, struct pl_str dso, uint64_t unresolved_pct,
		   struct pl_str reason, struct pl_str fix);

#endif
