/* program: what every main() does before and after its work, in processes of their own */
#include "program.h"
#include "unit.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a program: copies lines; "note" is a note, "fail" a failure, "check" a failed check ---- */

static uint64_t top = 5;
static const struct pl_opt options[] = {{.name = "top",
					 .letter = 't',
					 .kind = PL_OPT_COUNT,
					 .flags = PL_OPT_RECORDED,
					 .value = &top,
					 .argument = "N",
					 .help = "So many"},
					{0}};
static struct pl_program program = {
	.name = "pl-copy",
	.summary = "Copy lines",
	.synopsis = "[option...] [FILE...]",
	.options = options,
	.limits = PL_LIMIT_BIT(PL_LIMIT_LINE_BYTES) | PL_LIMIT_BIT(PL_LIMIT_RECORDS),
};
enum { FILTER = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT };

static enum pl_exit copy_line(struct pl_main *m, struct pl_str line)
{
	struct pl_err err;

	if (pl_str_is(line, "note"))
		pl_note(m, "%s of %d", "two", 3);
	if (pl_str_is(line, "red"))
		pl_note(m, "%s", "\x1b[31mred\x07");
	if (pl_str_is(line, "fail")) {
		pl_err_set(&err, PL_E_NO_SAMPLES, "nothing here");
		pl_fail(m, &err);
	}
	pl_buf_adds(&m->out.buf, line);
	pl_buf_addc(&m->out.buf, '\n');
	return pl_str_is(line, "check") ? PL_EXIT_CHECK : PL_EXIT_DONE;
}

static int copy(int argc, char **argv)
{
	struct pl_main m;
	struct pl_str line;
	enum pl_exit status = PL_EXIT_DONE;
	int got;

	pl_start(&m, &program, argc, argv);
	pl_open(&m);
	while ((got = pl_in_next(&m.in)) > 0)
		while ((got = pl_in_line(&m.in, &line)) > 0)
			status = got == PL_IN_LINE ? copy_line(&m, line) : PL_EXIT_LIMIT;
	if (got < 0)
		pl_fail(&m, &m.in.err);
	return pl_finish(&m, status);
}

/* ---- running it ---- */

static char out[8192], err[8192];
static int closed = -1; /* a standard descriptor that is closed before the start */
static char words[1024], *argv[32];

static int argc_of(const char *line)
{
	int argc = 0;
	char *state = NULL;

	snprintf(words, sizeof words, "%s", line);
	for (char *w = strtok_r(words, " ", &state); w; w = strtok_r(NULL, " ", &state))
		argv[argc++] = w;
	argv[argc] = NULL;
	return argc;
}

static void read_back(int fd, char *text, size_t size)
{
	ssize_t n = pread(fd, text, size - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

/* Runs a command line with this input; returns its exit status. */
static int run(const char *line, const char *input)
{
	int files[3] = {memfd_create("in", 0), memfd_create("out", 0), memfd_create("err", 0)};
	int status = 0;

	CHECK(write(files[0], input, strlen(input)) == (ssize_t)strlen(input));
	lseek(files[0], 0, SEEK_SET);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		for (int fd = 0; fd < 3; fd++)
			dup2(files[fd], fd);
		if (closed >= 0)
			close(closed);
		_exit(copy(argc_of(line), argv));
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	close(files[0]);
	read_back(files[1], out, sizeof out);
	read_back(files[2], err, sizeof err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The status, and all that was written. */
static void runs(const char *line, const char *input, int status, const char *want_out,
		 const char *want_err)
{
	CHECK_U64((uint64_t)run(line, input), (uint64_t)status);
	CHECK_STR(out, strlen(out), want_out);
	CHECK_STR(err, strlen(err), want_err);
}

/* ---- questions ---- */

TEST(help_goes_to_stdout)
{
	runs("pl-copy a b --help", "", 0,
	     "Usage: pl-copy [option...] [FILE...]\nCopy lines.\n\nOptions:\n"
	     "  -t, --top N                     So many (default 5)\n"
	     "      --max-records N             records read at most (default 10000000)\n"
	     "      --max-line-bytes SIZE       a longer line is malformed (default 1M)\n"
	     "  -i, --input FILE                read FILE; '-' is standard input\n"
	     "  -o, --output FILE               write FILE, at once or not at all\n"
	     "      --no-digest                 leave the input's SHA-256 out; the result says so\n"
	     "  -q, --quiet                     no progress and no notes\n"
	     "  -v, --verbose                   say what is usually not worth saying\n"
	     "      --progress                  show progress also where stderr is no terminal\n"
	     "      --json-errors               print a failure as one line of perflens.error\n"
	     "  -h, --help                      print this text\n"
	     "  -V, --version                   print the version\n"
	     "\nThe manual: man pl-copy, or perflens help pl-copy\n",
	     "");
}

/* Takes the third field, the help sentence, off each line of --list-options; every line must have
 * one. */
static void without_help(void)
{
	char *to = out;

	for (const char *p = out; *p;) {
		const char *tab = strchr(strchr(p, '\t') + 1, '\t'), *end = strchr(p, '\n');
		if (!CHECK(tab && tab < end))
			return;
		memmove(to, p, (size_t)(tab - p));
		to += tab - p;
		*to++ = '\n';
		p = end + 1;
	}
	*to = '\0';
}

TEST(version_and_options)
{
	runs("pl-copy -V", "", 0, "pl-copy (PerfLens) " PL_VERSION "\n", "");
	run("pl-copy --list-options", "");
	without_help();
	CHECK_STR(
		out, strlen(out),
		"top\tN\nmax-records\tN\nmax-line-bytes\tSIZE\ninput\tFILE\noutput\tFILE\n"
		"no-digest\t-\nquiet\t-\nverbose\t-\nprogress\t-\njson-errors\t-\nlist-options\t-\n"
		"help\t-\nversion\t-\n");
	/* readers of streams read no foreign bytes, those of artifacts may accept an edited one */
	program.flags = FILTER | PL_PROGRAM_STREAMS | PL_PROGRAM_ARTIFACTS;
	run("pl-copy --list-options", "");
	CHECK(!strstr(out, "no-digest") && strstr(out, "\nunsealed\t-\t"));
	program.flags = 0;
	run("pl-copy --list-options", "");
	CHECK(!strstr(out, "input\t") && !strstr(out, "output\t"));
	program.flags = FILTER;
}

TEST(an_answer_that_cannot_be_written)
{
	closed = 1;
	CHECK_U64((uint64_t)run("pl-copy --help", ""), 5);
	CHECK(strstr(err, "pl-copy: standard output: cannot write: ") == err);
	closed = -1;
}

/* ---- faults before the work ---- */

TEST(bad_options_are_usage)
{
	runs("pl-copy --bogus", "", 2, "", "pl-copy: unknown option '--bogus'; see --help\n");
	runs("pl-copy --top", "", 2, "", "pl-copy: '--top' wants an argument\n");
	runs("pl-copy --max-records 0", "", 2, "",
	     "pl-copy: --max-records: '0' is no whole number of at least 1 (K, M or G may "
	     "follow)\n");
	/* a bad option is told before any question is answered */
	runs("pl-copy --help --bogus", "", 2, "",
	     "pl-copy: unknown option '--bogus'; see --help\n");
}

TEST(operands_that_are_too_many)
{
	program.flags = FILTER | PL_PROGRAM_ONE_INPUT;
	runs("pl-copy /dev/null /dev/null", "", 2, "",
	     "pl-copy: unexpected operand '/dev/null'; see --help\n");
	runs("pl-copy -i /dev/null", "", 0, "", "");
	program.flags = 0;
	runs("pl-copy x", "", 2, "", "pl-copy: unexpected operand 'x'; see --help\n");
	program.flags = FILTER;
}

TEST(an_input_that_is_not_there)
{
	CHECK_U64((uint64_t)run("pl-copy /nonexistent/a", ""), 2);
	CHECK(strstr(err, "pl-copy: /nonexistent/a: ") == err);
	CHECK_STR(out, strlen(out), "");
}

TEST(errors_as_json_when_asked_for)
{
	static const char *const asking[] = {"pl-copy --json-errors --bogus",
					     "pl-copy --bogus --json-errors",
					     "pl-copy --json-errors /nonexistent/a"};

	for (size_t i = 0; i < PL_COUNT(asking); i++) {
		CHECK_U64((uint64_t)run(asking[i], ""), 2);
		CHECK(strstr(err, "{\"type\":\"error\",\"schema\":\"perflens.error\"") == err);
		CHECK(strstr(err, "\"code\":\"INVALID_INPUT\",\"stage\":\"copy\"") != NULL);
		CHECK(strchr(err, '\n') == err + strlen(err) - 1);
	}
	/* an operand is no option */
	run("pl-copy --bogus -- --json-errors", "");
	CHECK(strncmp(err, "pl-copy: ", 9) == 0);
	setenv("PERFLENS_JSON_ERRORS", "1", 1);
	run("pl-copy --bogus", "");
	CHECK(err[0] == '{');
	setenv("PERFLENS_JSON_ERRORS", "0", 1);
	run("pl-copy --bogus", "");
	CHECK(err[0] == 'p');
	unsetenv("PERFLENS_JSON_ERRORS");
}

/* ---- the work ---- */

TEST(a_filter_from_end_to_end)
{
	runs("pl-copy", "a\nb", 0, "a\nb\n", "");
	runs("pl-copy -", "a\n", 0, "a\n", "");
	runs("pl-copy /dev/null", "a\n", 0, "", "");
	runs("pl-copy", "a\ncheck\n", 1, "a\ncheck\n", "");
	runs("pl-copy", "a\r\n", 0, "a\n", "");
	/* a line limit of the program, or that of our own streams */
	runs("pl-copy --max-line-bytes 16", "0123456789abcdefg\n", 4, "", "");
	program.flags = FILTER | PL_PROGRAM_STREAMS;
	runs("pl-copy --max-line-bytes 16", "0123456789abcdefg\r\n", 0, "0123456789abcdefg\r\n",
	     "");
	program.flags = FILTER;
}

TEST(notes)
{
	runs("pl-copy", "note\n", 0, "note\n", "pl-copy: two of 3\n");
	runs("pl-copy --quiet", "note\n", 0, "note\n", "");
	/* what a stream says may be in it */
	runs("pl-copy", "red\n", 0, "red\n", "pl-copy: \\x1b[31mred\\x07\n");
}

TEST(a_failure_leaves_nothing_behind)
{
	char folder[] = "/tmp/perflens-program-XXXXXX", line[128], path[64];

	if (!CHECK(mkdtemp(folder) != NULL))
		return;
	snprintf(path, sizeof path, "%s/out", folder);
	snprintf(line, sizeof line, "pl-copy -o %s", path);
	runs(line, "a\nfail\n", 3, "", "pl-copy: nothing here\n");
	CHECK(rmdir(folder) == 0 && mkdir(folder, 0700) == 0); /* it is empty */
	runs(line, "a\n", 0, "", "");
	int fd = open(path, O_RDONLY);
	read_back(fd, out, sizeof out);
	CHECK_STR(out, strlen(out), "a\n");
	runs(line, "b\nfail\n", 3, "", "pl-copy: nothing here\n");
	fd = open(path, O_RDONLY);
	read_back(fd, out, sizeof out);
	CHECK_STR(out, strlen(out), "a\n");
	unlink(path);
	CHECK(rmdir(folder) == 0);
}

TEST(closed_descriptors_are_not_taken_for_files)
{
	closed = 1;
	CHECK_U64((uint64_t)run("pl-copy", "a\n"), 5);
	CHECK(strstr(err, "pl-copy: standard output: ") == err);
	closed = 0;
	CHECK(run("pl-copy", "a\n") != 0);
	CHECK_STR(out, strlen(out), "");
	/* with stderr closed the status still tells */
	closed = 2;
	CHECK_U64((uint64_t)run("pl-copy --bogus", ""), 2);
	CHECK_U64((uint64_t)run("pl-copy", "note\n"), 0);
	CHECK_STR(out, strlen(out), "note\n");
	closed = -1;
}

/* ---- data ---- */

TEST(data_is_where_it_is_said_to_be)
{
	struct pl_buf path = {0};

	setenv("PERFLENS_DATADIR", "/nonexistent/data", 1);
	const char *got = pl_data_path(&path, "schemas/a");
	CHECK_STR(got, strlen(got), "/nonexistent/data/schemas/a");
	unsetenv("PERFLENS_DATADIR");
	/* else below the source tree: this test is build/FLAVOUR/unit/NAME */
	got = pl_data_path(&path, "schemas/check.jq");
	CHECK(access(got, R_OK) == 0);
	/* or where it would be installed */
	got = pl_data_path(&path, "no/such/file");
	CHECK(pl_str_ends(pl_str(got), "/unit/../share/perflens/no/such/file"));
	pl_buf_free(&path);
}

int main(void)
{
	program.flags = FILTER;
	RUN(help_goes_to_stdout);
	RUN(version_and_options);
	RUN(an_answer_that_cannot_be_written);
	RUN(bad_options_are_usage);
	RUN(operands_that_are_too_many);
	RUN(an_input_that_is_not_there);
	RUN(errors_as_json_when_asked_for);
	RUN(a_filter_from_end_to_end);
	RUN(notes);
	RUN(a_failure_leaves_nothing_behind);
	RUN(closed_descriptors_are_not_taken_for_files);
	RUN(data_is_where_it_is_said_to_be);
	return unit_done();
}
