/* origin: what a report is made of: a summary, what a diagnosis says about it, and where the
 * analysis comes from */
#ifndef REPORT_ORIGIN_H
#define REPORT_ORIGIN_H

#include "findings.h"
#include "pictures.h"

enum { REPORT_INPUTS = 10, REPORT_EDGES_OF = 5 };

struct report_input {
	struct pl_str format, sha256;
	uint64_t bytes, lines;
	bool has_bytes, has_lines;
};

struct report_options {
	const char *format;	      /* "markdown" or "html" */
	const char *problem, *metric; /* NULL: not given */
	const char *diagnosis;	      /* a file, or NULL */
	uint64_t candidate_limit;     /* candidates shown of each event */
	uint64_t max_bytes;	      /* of the whole report; 0: no limit */
	struct pl_summary_options summary;
};

struct report {
	const struct report_options *options;
	struct pl_summary s;
	struct findings findings;
	struct pictures pictures;
	/* Rows of a table at most, and candidates; less than there are where the report would be
	 * larger than max_bytes. */
	uint64_t rows;
	bool no_pictures;		/* likewise */
	struct pl_str program, version; /* that wrote the analysis */
	struct report_input inputs[REPORT_INPUTS];
	uint64_t inputs_n; /* all that there are */
};

/* What the diagnosis says of an event of the summary; NULL: there is none. */
const struct findings_event *report_findings(const struct report *r,
					     const struct pl_summary_event *e);
/* How many of n rows are shown. */
size_t report_shown(const struct report *r, size_t n);
/* Fills program, version, inputs and inputs_n from the header of the analysis; what is absent or of
 * another kind stays absent. After pl_summary_read(): texts live in the summary's arena. */
void report_read_origin(struct report *r, const struct pl_stream *s);

#endif
