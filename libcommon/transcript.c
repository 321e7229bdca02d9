/* transcript: the lines around a text that a program of ours had another program write */
#include "transcript.h"
#include "text.h"

bool pl_transcript_line(struct pl_transcript *t, struct pl_str line)
{
	const size_t name = sizeof PL_TRANSCRIPT - 1;

	if (!pl_str_starts(line, PL_TRANSCRIPT)) {
		t->broken |= t->seen && !t->open;
		return false;
	}
	bool ends = pl_str_starts(line, PL_TRANSCRIPT_END);
	bool starts = line.n > name && line.p[name] >= '0' && line.p[name] <= '9';
	t->broken |= starts ? t->open : !t->open;
	t->open = !ends;
	t->seen = true;
	return true;
}

int pl_transcript_end(struct pl_transcript *t, struct pl_err *err)
{
	bool whole = !t->open && !t->broken && (t->seen || !t->needed);

	*t = (struct pl_transcript){.needed = t->needed};
	if (whole)
		return 0;
	return pl_err_set(err, PL_E_STREAM_TRUNCATED,
			  _("the text of pl-perf-script is not whole: its first or last line is "
			    "missing, or not where it belongs"));
}
