/* text: tables by hand; the progress line on a stand-in for stderr */
#include "mem.h"
#include "text.h"
#include "unit.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- tables ---- */

static void check_table(const char *const *cells, size_t n, const char *want)
{
	static const enum pl_align align[] = {PL_LEFT, PL_RIGHT, PL_LEFT};
	struct pl_table t;
	struct pl_buf out = {0};
	pl_table_start(&t, align, 3);
	for (size_t i = 0; i < n; i++)
		pl_table_cell(&t, pl_str(cells[i]));
	pl_table_print(&t, &out);
	CHECK_STR(out.p ? out.p : "", out.n, want);
	pl_table_free(&t);
	pl_buf_free(&out);
}

TEST(table_aligns_and_leaves_no_blanks_at_line_ends)
{
	check_table((const char *[]){"name", "self", "dso", "f", "7", "", "longer", "1234", "x"}, 9,
		    "name    self  dso\n"
		    "f          7\n"
		    "longer  1234  x\n");
	check_table((const char *[]){"", "", "z", "a", "", ""}, 6, "     z\na\n");
	check_table(NULL, 0, "");
}

/* U+8BA1 takes two columns, U+0301 none */
TEST(table_counts_columns_not_bytes)
{
	check_table(
		(const char *[]){"\xe8\xae\xa1", "1", "a", "e\xcc\x81", "22", "b", "abc", "3", "c"},
		9,
		"\xe8\xae\xa1    1  a\n"
		"e\xcc\x81    22  b\n"
		"abc   3  c\n");
}

TEST(table_escapes_what_drives_a_terminal)
{
	struct pl_table t;
	struct pl_buf out = {0};
	pl_table_start(&t, (const enum pl_align[]){PL_LEFT}, 1);
	pl_table_cell(&t, PL_S("a\033[31m"));
	pl_table_print(&t, &out);
	CHECK(memchr(out.p, '\033', out.n) == NULL);
	CHECK(memmem(out.p, out.n, "[31m", 4) != NULL);
	pl_table_free(&t);
	pl_buf_free(&out);
}

TEST(table_paints_cells_and_not_what_pads_them)
{
	struct pl_table t;
	struct pl_buf out = {0};
	pl_table_start(&t, (const enum pl_align[]){PL_RIGHT, PL_LEFT}, 2);
	pl_table_cell(&t, PL_S("1234"));
	pl_table_cell(&t, PL_S(""));
	pl_table_paint(&t, "2");
	pl_table_cell(&t, PL_S("7"));
	pl_table_paint(&t, "1;31");
	pl_table_cell(&t, PL_S("x"));
	pl_table_print(&t, &out);
	CHECK_STR(out.p, out.n, "1234\n   \033[1;31m7\033[m  x\n");
	pl_table_free(&t);
	pl_buf_free(&out);
}

/* ---- progress ---- */

static int real_stderr, fake_stderr;

static void begin_capture(void)
{
	real_stderr = dup(STDERR_FILENO);
	fake_stderr = memfd_create("stderr", MFD_CLOEXEC);
	dup2(fake_stderr, STDERR_FILENO);
}

/* What was written to stderr since begin_capture(). */
static void end_capture(char text[4096])
{
	dup2(real_stderr, STDERR_FILENO);
	ssize_t n = pread(fake_stderr, text, 4095, 0);
	text[n > 0 ? n : 0] = '\0';
	close(real_stderr);
	close(fake_stderr);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* One step of a read that began `seconds` ago and has shown nothing for that long. */
static void step_after(const char *label, uint64_t total, uint64_t seconds, uint64_t done,
		       char text[4096])
{
	struct pl_progress p;
	begin_capture();
	pl_progress_start(&p, label, total, true, false);
	p.started_ns = p.shown_ns = now_ns() - seconds * 1000000000;
	pl_progress_step(&p, done);
	pl_progress_end(&p);
	end_capture(text);
}

TEST(progress_says_bytes_percent_rate_and_time_left)
{
	char text[4096];
	/* long ago, so that a pause of this process changes no digit */
	const uint64_t mib = 1 << 20;
	step_after("pl-x", 10000 * mib, 1000, 5000 * mib, text);
	CHECK_STR(text, strlen(text),
		  "\rpl-x: 4.9 GiB / 9.8 GiB, 50 %, 5.0 MiB/s, 16:40 left\033[K\r\033[K");
	step_after("pl-x", 0, 1000, 5 << 10, text);
	CHECK_STR(text, strlen(text), "\rpl-x: 5.0 KiB, 5 B/s\033[K\r\033[K");
	step_after("pl-x", 101 * mib, 1000, 100 * mib, text);
	CHECK(strstr(text, ", 99 %, 102.4 KiB/s, 10 s left") != NULL);
	step_after("pl-x", 82 * mib, 1000, 10 * mib, text);
	CHECK(strstr(text, ", 2:00:0") != NULL);
}

TEST(progress_is_silent_in_the_first_second_and_when_off)
{
	struct pl_progress p;
	char text[4096];
	begin_capture();
	pl_progress_start(&p, "pl-x", 100, true, false);
	uint64_t started = p.started_ns;
	pl_progress_step(&p, 1);
	bool slow = now_ns() - started >= 1000000000; /* then it may have spoken */
	pl_progress_end(&p);
	/* a file is no terminal */
	pl_progress_start(&p, "pl-x", 100, false, false);
	CHECK(!p.on);
	p.shown_ns = 0;
	pl_progress_step(&p, 1);
	pl_progress_end(&p);
	end_capture(text);
	CHECK(slow || !*text);
}

TEST(progress_fits_the_line)
{
	char text[4096], label[301];
	memset(label, 'x', 300);
	label[300] = '\0';
	step_after(label, 100, 1000, 50, text);
	/* 79 columns of a terminal of unknown width, the CR before and the wipe after them */
	CHECK_U64(strlen(text), 1 + 79 + 3 + 4);
}

int main(void)
{
	RUN(table_aligns_and_leaves_no_blanks_at_line_ends);
	RUN(table_counts_columns_not_bytes);
	RUN(table_escapes_what_drives_a_terminal);
	RUN(table_paints_cells_and_not_what_pads_them);
	RUN(progress_says_bytes_percent_rate_and_time_left);
	RUN(progress_is_silent_in_the_first_second_and_when_off);
	RUN(progress_fits_the_line);
	return unit_done();
}
