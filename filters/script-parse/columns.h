/*
 * columns: what stands behind the event on a sample's header line.
 *
 *     PAYLOAD [ADDRESS SYMBOL (DSO)]                    a tracepoint
 *     ADDR |DATA SOURCE| WEIGHT ADDRESS SYMBOL (DSO)    anything else; each may be missing
 *
 * The frame is there where samples have no call chain; else it stands on the lines below. Branches
 * (FROM/TO/FLAGS…) may end the line, or have one of their own.
 */
#ifndef PL_SCRIPT_COLUMNS_H
#define PL_SCRIPT_COLUMNS_H

#include "str.h"

struct script_columns {
	struct pl_str address, body; /* of the frame; address.p NULL: there is none */
	struct pl_str payload;	     /* p NULL: none */
	bool addr, data_source, weight, branches;
};
struct script_columns script_columns_read(struct pl_str rest, bool tracepoint);

/* The text without the branches at its end; *branches is set when there are some. */
struct pl_str script_without_branches(struct pl_str text, bool *branches);

#endif
