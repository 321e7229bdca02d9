/*
 * frame: the lines below a sample's header: frames, source lines, annotations of addresses.
 *
 *     ADDRESS SYMBOL+0xOFFSET (DSO)      or (inlined) in place of the DSO
 *       FILE:LINE
 *     NAME[ADDRESS]
 *
 * With source lines " (inlined)" stands behind them.
 */
#ifndef PL_SCRIPT_FRAME_H
#define PL_SCRIPT_FRAME_H

#include "str.h"

/* The address and what follows it. false: the line (trimmed at its start) does not begin with one.
 */
bool script_frame_split(struct pl_str line, struct pl_str *address, struct pl_str *body);
/*
 * Hot: most lines are a tab, an address, a symbol and a DSO, and say so at both ends. false: the
 * line is not quite that; script_frame_split() comes to the same for those that are.
 */
bool script_frame_split_plain(struct pl_str line, struct pl_str *address, struct pl_str *body);

/* What a body says. */
struct script_frame {
	struct pl_str symbol; /* without offset; n == 0: none is named */
	struct pl_str dso;    /* p NULL: none */
	struct pl_str
		source; /* "FILE:LINE" behind the DSO, as some versions write it; p NULL: none */
	bool inlined;	/* "(inlined)" */
	bool has_offset, offset_zero;
};
struct script_frame script_frame_read(struct pl_str body);
/* Does a body end where perf ends one, whose DSO is printed? */
bool script_frame_is_whole(struct pl_str body);

/* FILE:LINE or FILE:LINE:COLUMN. "??:0" and line 0 give file.p NULL. false: it is neither. */
bool script_source_read(struct pl_str text, struct pl_str *file, uint64_t *line);
/* Takes " (inlined)" off the end, where perf prints it when a source line is between. */
bool script_take_inlined(struct pl_str *text);
/* Is this "NAME[HEX]"? */
bool script_is_address_annotation(struct pl_str text);

#endif
