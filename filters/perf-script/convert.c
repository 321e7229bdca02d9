/* convert: perf script run on a recording, its text passed on as it arrives */
#include "convert.h"
#include "fd.h"
#include "text.h"
#include "transcript.h"
#include "utf8.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOTES_MAX = 20, REASON_MAX = 500, BREAK_WAIT_MS = 1000 };

/* What it is asked for, in the order in which it prints; those with a message may be left out. */
static const struct {
	const char *name, *message;
} fields[] = {
	{"comm", NULL},
	{"pid", NULL},
	{"tid", NULL},
	{"cpu", " event do not have CPU attribute set. Cannot print 'cpu' field."},
	{"misc", NULL},
	{"time", " event do not have TIME attribute set. Cannot print 'time' field."},
	{"event", NULL},
	{"period", NULL},
	{"ip", NULL},
	{"sym", NULL},
	{"symoff", NULL}, /* makes return addresses at a function's start visible */
	{"dso", NULL},
};

static const char stack_max[] = "4096";	      /* perf's own 127 cuts what it unwinds from DWARF */
static const char file[] = "/proc/self/fd/3"; /* PL_PROC_FILE */

unsigned convert_lacks(struct pl_str message)
{
	for (unsigned i = 0; i < PL_COUNT(fields); i++)
		if (fields[i].message && message.n &&
		    memmem(message.p, message.n, fields[i].message, strlen(fields[i].message)))
			return 1u << i;
	return 0;
}

static void list_fields(struct convert *c)
{
	pl_buf_clear(&c->fields);
	for (unsigned i = 0; i < PL_COUNT(fields); i++)
		if (!(c->lacking & 1u << i))
			pl_buf_printf(&c->fields, "%s%s", i ? "," : "", fields[i].name);
	if (c->srcline)
		pl_buf_addz(&c->fields, ",srcline");
}

static void make_argv(struct convert *c)
{
	const char *const argv[] = {
		c->tool->path,
		"script",
		"--force", /* the recording of another user, as root */
		"--ns",
		"-F",
		c->fields.p,
		"--show-lost-events",
		"--max-stack",
		stack_max,
		c->inlines ? "--inline" : "--no-inline",
		"-i",
		file,
		c->srcline ? "--full-source-path" : NULL,
		NULL,
	};

	list_fields(c);
	memcpy(c->argv, argv, sizeof argv);
	c->argv[5] = c->fields.p;
}

/* ---- lines of ours ---- */

static void put_digest(struct pl_buf *out, const char *sha256)
{
	if (sha256[0])
		pl_buf_printf(out, ", sha256:%s", sha256);
	pl_buf_addc(out, '\n');
}

static void put_start(const struct convert *c, struct pl_buf *out)
{
	pl_buf_addz(out, PL_TRANSCRIPT PL_VERSION ": ");
	pl_utf8_terminal(out, pl_buf_str(&c->tool->version));
	put_digest(out, c->tool->sha256);
	/* without the path, which is this machine's own */
	pl_buf_addz(out, PL_TRANSCRIPT "argv: perf");
	for (size_t i = 1; c->argv[i]; i++)
		pl_buf_printf(out, " %s", c->argv[i]);
	pl_buf_printf(out, "\n" PL_TRANSCRIPT "input: %llu bytes",
		      (unsigned long long)c->recording->bytes);
	put_digest(out, c->recording->sha256);
}

/* ---- the text ---- */

static bool writes_stdout(const struct convert *c)
{
	return !c->m->output || strcmp(c->m->output, "-") == 0;
}

static int pass_on(struct convert *c, struct pl_str text, struct pl_err *err)
{
	struct pl_out *out = &c->m->out;
	uint64_t most = c->m->limits.v[PL_LIMIT_INPUT_BYTES];

	c->bytes += text.n;
	if (most && c->bytes > most) {
		pl_limit_exceeded(err, PL_LIMIT_INPUT_BYTES, most);
		return pl_err_at(err, "perf script", 0);
	}
	pl_sha256_add(&c->sha, text.p, text.n);
	pl_buf_adds(&out->buf, text);
	pl_progress_step(&c->m->progress, c->bytes);
	/* at once, while there is room for it: later we might have to wait */
	if ((writes_stdout(c) ? pl_out_flush(out) : pl_out_poll(out)) == 0)
		return 0;
	*err = out->err;
	return -1;
}

static int start(struct convert *c, struct pl_err *err)
{
	struct pl_buf lines = {0};

	c->started = true;
	put_start(c, &lines);
	int status = pass_on(c, pl_buf_str(&lines), err);
	pl_buf_free(&lines);
	return status;
}

static int take(void *context, struct pl_str text, struct pl_err *err)
{
	struct convert *c = context;

	if (!c->started && start(c, err))
		return -1;
	return pass_on(c, text, err);
}

/* ---- what perf says beside it ---- */

/* The next line that is not blank of *text, which loses it; absent at the end. */
static struct pl_str next_line(struct pl_str *text)
{
	while (text->n) {
		const char *end = memchr(text->p, '\n', text->n);
		struct pl_str line = {text->p, end ? (size_t)(end - text->p) : text->n};
		size_t taken = line.n + (end != NULL);
		*text = (struct pl_str){text->p + taken, text->n - taken};
		line = pl_str_trim(line);
		if (line.n)
			return line;
	}
	return (struct pl_str){NULL, 0};
}

static size_t count_lines(struct pl_str text)
{
	size_t n = 0;

	while (next_line(&text).p)
		n++;
	return n;
}

/* Passes on what perf wrote to stderr, the last lines of it. */
static void note_all(struct convert *c, struct pl_str text)
{
	size_t n = count_lines(text);

	if (n > NOTES_MAX)
		pl_note(c->m, _("perf said more; these are the last %d lines"), NOTES_MAX);
	for (; n; n--) {
		struct pl_str line = next_line(&text);
		if (n > NOTES_MAX)
			continue;
		pl_buf_clear(&c->note);
		pl_utf8_terminal(&c->note, line);
		pl_note(c->m, "perf: %s", c->note.p);
	}
}

/* The end of what it wrote, in one line: that is where the reason stands. */
static const char *reason_of(struct convert *c, struct pl_str text)
{
	struct pl_str line;

	if (text.n > REASON_MAX)
		text = (struct pl_str){text.p + text.n - REASON_MAX, REASON_MAX};
	pl_buf_clear(&c->note);
	while ((line = next_line(&text)).p) {
		if (c->note.n)
			pl_buf_addz(&c->note, "; ");
		pl_utf8_terminal(&c->note, line);
	}
	return c->note.n ? c->note.p : _("no reason given");
}

static int explain(struct convert *c, const struct pl_stage *stage, struct pl_err *err)
{
	int by = WIFSIGNALED(stage->status) ? WTERMSIG(stage->status) : 0;
	const char *reason = reason_of(c, pl_buf_str(&stage->err_text));

	if (by)
		pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED,
			   _("perf was killed by signal %d (%s): %s"), by, strsignal(by), reason);
	else
		pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED,
			   _("perf script ended with status %d: %s"), WEXITSTATUS(stage->status),
			   reason);
	return pl_err_at(err, c->recording->name, 0);
}

/* ---- running it ---- */

static int judge(struct convert *c, const struct pl_stage *stage, struct pl_err *err)
{
	struct pl_str said = pl_buf_str(&stage->err_text);

	if (stage->status == 0) {
		note_all(c, said);
		return 0;
	}
	unsigned lacks = c->started || !WIFEXITED(stage->status) ? 0 : convert_lacks(said);
	if (lacks == 0 || (c->lacking & lacks))
		return explain(c, stage, err);
	c->lacking |= lacks;
	return 1;
}

/* 0, 1: once more, without what is lacking; -1. */
static int run(struct convert *c, struct pl_err *err)
{
	struct pl_stage stage = {.name = "perf script",
				 .path = c->tool->path,
				 .argv = c->argv,
				 .env = tool_environment,
				 .file = c->recording->fd};
	struct pl_sink sink = {take, c, writes_stdout(c) ? STDOUT_FILENO : -1};
	uint64_t seconds = c->m->limits.v[PL_LIMIT_TIMEOUT_SECONDS];

	make_argv(c);
	int status = pl_proc_relay(&stage, 1, -1, &sink, seconds, err);
	if (status == 0)
		status = judge(c, &stage, err);
	else if (err->code == PL_E_EXTERNAL_TOOL_TIMEOUT)
		pl_err_action(err, _("raise --timeout-seconds to allow it"));
	pl_buf_free(&stage.err_text);
	return status;
}

int convert_run(struct convert *c, struct pl_err *err)
{
	struct pl_main *m = c->m;
	int status;

	pl_sha256_start(&c->sha);
	pl_progress_end(&m->progress); /* that of reading the recording */
	pl_progress_start(&m->progress, m->program->name, 0, m->force_progress, m->quiet);
	do
		status = run(c, err);
	while (status > 0);
	/* a recording without samples has no text, but it was read */
	return status == 0 && !c->started ? start(c, err) : status;
}

int convert_end(struct convert *c, struct pl_err *err)
{
	struct pl_buf line = {0};
	char sha256[PL_SHA256_HEX + 1];

	pl_sha256_end(&c->sha, sha256);
	pl_buf_printf(&line, PL_TRANSCRIPT_END " %llu bytes", (unsigned long long)c->bytes);
	put_digest(&line, c->m->no_digest ? "" : sha256);
	int status = pass_on(c, pl_buf_str(&line), err);
	pl_buf_free(&line);
	return status;
}

void convert_break(const struct convert *c)
{
	static const char line[] = "\n" PL_TRANSCRIPT_FAILED "\n";
	struct pollfd to = {STDOUT_FILENO, POLLOUT, 0};

	/* a file of ours is not kept; a reader that went away needs no word */
	if (c->started && writes_stdout(c) && poll(&to, 1, BREAK_WAIT_MS) == 1 &&
	    to.revents == POLLOUT)
		pl_fd_write(STDOUT_FILENO, line, sizeof line - 1);
}

void convert_free(struct convert *c)
{
	pl_buf_free(&c->fields);
	pl_buf_free(&c->note);
}
