/* run: a plan carried out, and what is said of its failure */
#include "run.h"
#include "fd.h"
#include "text.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char error_start[] = "{\"type\":\"error\",";

int run_instead(const char *path, const char *const *argv, struct pl_err *err)
{
	execv(path, (char *const *)argv);
	return pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED, _("cannot start %s: %s"), path,
			  strerror(errno));
}

/* The last line of perflens.error in what a stage wrote; absent when there is none. */
static struct pl_str error_line(struct pl_str text)
{
	struct pl_str line = {NULL, 0};
	const char *end = text.p + text.n, *p = text.p;

	while ((p = memmem(p, (size_t)(end - p), error_start, sizeof error_start - 1))) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));
		if (!line_end)
			break;
		line = (struct pl_str){p, (size_t)(line_end + 1 - p)};
		p = line_end;
	}
	return line;
}

/* The last line that is not empty, without its end. */
static struct pl_str last_line(struct pl_str text)
{
	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r'))
		text.n--;
	const char *start = text.n ? memrchr(text.p, '\n', text.n) : NULL;
	if (start)
		text = (struct pl_str){start + 1, (size_t)(text.p + text.n - start - 1)};
	return text;
}

/* A failure that the stage did not explain itself is explained here. */
static void explain(const struct pl_stage *stage, struct pl_err *err)
{
	struct pl_str last = last_line(pl_buf_str(&stage->err_text));
	int by = WIFSIGNALED(stage->status) ? WTERMSIG(stage->status) : 0;

	if (by)
		pl_err_set(err, PL_E_INTERNAL_ERROR, _("%s was killed by signal %d (%s)"),
			   stage->name, by, strsignal(by));
	else if (last.n)
		pl_err_set(err, PL_E_INTERNAL_ERROR, _("%s ended with status %d: %.*s"),
			   stage->name, WEXITSTATUS(stage->status),
			   (int)(last.n < 512 ? last.n : 512), last.p);
	else
		pl_err_set(err, PL_E_INTERNAL_ERROR, _("%s ended with status %d without a reason"),
			   stage->name, WEXITSTATUS(stage->status));
	if (by == SIGKILL)
		pl_err_action(err, _("the machine may have run out of memory"));
}

static void show(struct pl_str text)
{
	pl_fd_write(STDERR_FILENO, text.p, text.n);
}

/* Of a failure, one line: the culprit's. Else what the stages noted. */
static void report_json(struct pl_stage *stages, size_t n, size_t culprit, struct pl_err *err)
{
	bool check = culprit < n && stages[culprit].status == W_EXITCODE(PL_EXIT_CHECK, 0);

	if (culprit == n || check) {
		for (size_t i = 0; i < n; i++)
			show(pl_buf_str(&stages[i].err_text));
		return;
	}
	struct pl_str line = error_line(pl_buf_str(&stages[culprit].err_text));
	if (line.n && WIFEXITED(stages[culprit].status))
		show(line);
	else
		explain(&stages[culprit], err);
}

/* The stages' lines were passed on. */
static void report_text(const struct pl_stage *stages, size_t n, size_t culprit, struct pl_err *err)
{
	const struct pl_stage *stage = &stages[culprit];

	if (culprit == n || stage->status == W_EXITCODE(PL_EXIT_CHECK, 0))
		return;
	if (WIFSIGNALED(stage->status) || stage->err_text.n == 0)
		explain(stage, err);
}

static int run_pipeline(struct plan *plan, bool json_errors, struct pl_err *err, const char **place)
{
	struct pl_stage stages[PL_PROC_STAGES] = {0};
	size_t n = plan->n, culprit = n;

	for (size_t i = 0; i < n; i++)
		stages[i] = (struct pl_stage){.name = plan->stages[i].argv.v[0],
					      .path = plan->stages[i].path.p,
					      .argv = plan->stages[i].argv.v};
	int status = pl_proc_pipeline(stages, n, STDIN_FILENO, STDOUT_FILENO, !json_errors, 0, err);
	if (status == 0) {
		err->code = PL_E_NONE;
		status = pl_proc_status(stages, n, &culprit);
		if (culprit < n)
			*place = stages[culprit].name;
		if (json_errors)
			report_json(stages, n, culprit, err);
		else
			report_text(stages, n, culprit, err);
	}
	for (size_t i = 0; i < n; i++)
		pl_buf_free(&stages[i].err_text);
	return status < 0 ? (int)pl_code_exit(err->code) : status;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *file_among(const struct pl_list *files, const struct stat *output)
{
	struct stat st;

	for (size_t i = 0; i < files->n; i++)
		if (stat(files->v[i], &st) == 0 && is_same(&st, output))
			return files->v[i];
	return NULL;
}

/* Each program refuses to write over its input; here one reads and another one writes. */
static int check_output(const struct plan *plan, struct pl_err *err)
{
	bool to_stdout = !plan->output || strcmp(plan->output, "-") == 0;
	struct stat output, in;

	if (to_stdout ? fstat(STDOUT_FILENO, &output) : stat(plan->output, &output))
		return 0;
	const char *input = file_among(&plan->files, &output);
	if (!input)
		input = file_among(&plan->operands, &output);
	if (!input && fstat(STDIN_FILENO, &in) == 0 && is_same(&in, &output))
		input = _("standard input");
	if (!input)
		return 0;
	pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("is also an input: %s"), input);
	pl_err_action(err, _("write to another file"));
	return pl_err_at(err, to_stdout ? _("standard output") : plan->output, 0);
}

int run_plan(struct plan *plan, bool json_errors, struct pl_err *err, const char **stage)
{
	/* the stages' stderr is a pipe: what they would see on a terminal they are told */
	if (plan->n > 1 && !plan->quiet && !plan->progress && !json_errors && isatty(STDERR_FILENO))
		plan_option(plan, "progress", NULL);
	plan_close(plan);
	if (plan->n > 1 && check_output(plan, err) == 0)
		return run_pipeline(plan, json_errors, err, stage);
	if (plan->n == 1)
		run_instead(plan->stages[0].path.p, plan->stages[0].argv.v, err);
	return (int)pl_code_exit(err->code);
}
