/* transcript: a text that announces its end has one */
#include "transcript.h"
#include "unit.h"

static const char start[] = "# pl-perf-script 0.1.0: perf version 6.1.187";
static const char middle[] = "# pl-perf-script argv: perf script";
static const char end[] = "# pl-perf-script end: 7 bytes";

/* The lines, and whether that was whole: 0 or -1. */
static int read_lines(const char *const *lines, bool needed)
{
	struct pl_transcript t = {.needed = needed};
	struct pl_err err;

	for (; *lines; lines++)
		pl_transcript_line(&t, pl_str(*lines));
	int status = pl_transcript_end(&t, &err);
	CHECK(status == 0 || err.code == PL_E_STREAM_TRUNCATED);
	CHECK(!t.open && !t.broken && !t.seen && t.needed == needed);
	return status;
}

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(its_own_lines_are_told_from_comments)
{
	struct pl_transcript t = {0};

	CHECK(pl_transcript_line(&t, pl_str(start)));
	CHECK(pl_transcript_line(&t, pl_str(middle)));
	CHECK(!pl_transcript_line(&t, pl_str("# captured on    : Mon Nov 30")));
	CHECK(!pl_transcript_line(&t, pl_str("# pl-perf-scripts 0.1.0: x")));
	CHECK(!pl_transcript_line(&t, pl_str(" # pl-perf-script end:")));
	CHECK(!pl_transcript_line(&t, PL_S("")));
	CHECK(pl_transcript_line(&t, pl_str(end)));
}

TEST(whole_ones)
{
	CHECK(read_lines(LINES(start, middle, "text", end), false) == 0);
	CHECK(read_lines(LINES(start, middle, "text", end), true) == 0);
	CHECK(read_lines(LINES(start, end, start, middle, end), true) == 0);
	CHECK(read_lines(LINES("text"), false) == 0);
}

TEST(cut_ones)
{
	CHECK(read_lines(LINES(start, middle, "text"), false) == -1);
	CHECK(read_lines(LINES(middle, "text", end), false) == -1);
	CHECK(read_lines(LINES("text", end), false) == -1);
	CHECK(read_lines(LINES(start, "text", start, "text", end), false) == -1);
	CHECK(read_lines(LINES(start, end, "text", end), false) == -1);
	CHECK(read_lines(LINES(start, end, start), false) == -1);
	/* an end that the text itself holds */
	CHECK(read_lines(LINES(start, end, "text"), false) == -1);
	CHECK(read_lines(LINES(start, end, "text", start, end), false) == -1);
	CHECK(read_lines(LINES(start, end, "# pl-perf-script failed"), false) == -1);
	CHECK(read_lines(LINES(start, end, "# pl-perf-script failed", end), false) == -1);
}

TEST(one_that_is_needed)
{
	CHECK(read_lines(LINES("text"), true) == -1);
	CHECK(read_lines((const char *const[]){NULL}, true) == -1);
	CHECK(read_lines((const char *const[]){NULL}, false) == 0);
}

int main(void)
{
	RUN(its_own_lines_are_told_from_comments);
	RUN(whole_ones);
	RUN(cut_ones);
	RUN(one_that_is_needed);
	return unit_done();
}
