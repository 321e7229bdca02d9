/* pl-source: a few lines of a source file, as evidence */
#include "source/beneath.h"
#include "source/context.h"
#include "stream.h"
#include "utf8.h"

#include <inttypes.h>

enum { LINES_MAX = 200, LINE_BYTES = 16 << 10, LINE_BYTES_MAX = 1 << 20 };

static struct {
	const char *file, *workspace;
	uint64_t line, before, after, line_bytes;
} options = {.before = 20, .after = 20, .line_bytes = LINE_BYTES};

static const struct pl_opt table[] = {
	{.name = "file",
	 .kind = PL_OPT_TEXT,
	 .value = &options.file,
	 .argument = "PATH",
	 .help = N_("the source file, relative to the workspace or absolute and below it")},
	{.name = "line",
	 .kind = PL_OPT_COUNT,
	 .value = &options.line,
	 .argument = "N",
	 .help = N_("the line wanted; the first is 1"),
	 .min = 1},
	{.name = "workspace",
	 .kind = PL_OPT_TEXT,
	 .value = &options.workspace,
	 .argument = "DIR",
	 .help = N_("read nothing that is not below DIR")},
	{.name = "before",
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_RECORDED,
	 .value = &options.before,
	 .argument = "N",
	 .help = N_("lines before it"),
	 .max = LINES_MAX},
	{.name = "after",
	 .kind = PL_OPT_COUNT,
	 .flags = PL_OPT_RECORDED,
	 .value = &options.after,
	 .argument = "N",
	 .help = N_("lines after it"),
	 .max = LINES_MAX},
	{.name = "max-line-bytes",
	 .kind = PL_OPT_SIZE,
	 .flags = PL_OPT_RECORDED,
	 .value = &options.line_bytes,
	 .argument = "SIZE",
	 .help = N_("a longer line is cut, and marked"),
	 .min = 16,
	 .max = LINE_BYTES_MAX},
	{0},
};

static const struct pl_program program = {
	.name = "pl-source",
	.summary = N_("Show a line of a source file and those around it, from one folder only"),
	.synopsis = "--file PATH --line N --workspace DIR [option...]",
	.options = table,
	.limits = PL_LIMIT_BIT(PL_LIMIT_INPUT_BYTES) | PL_LIMIT_BIT(PL_LIMIT_OUTPUT_BYTES),
	.flags = PL_PROGRAM_OUTPUT,
};

static void check_options(struct pl_main *m)
{
	const char *lacking = !options.file || !*options.file		  ? "--file PATH"
			      : !options.line				  ? "--line N"
			      : !options.workspace || !*options.workspace ? "--workspace DIR"
									  : NULL;
	struct pl_err err;

	if (!lacking)
		return;
	pl_err_set(&err, PL_E_INVALID_INPUT, _("%s is missing"), lacking);
	pl_err_action(&err, _("see --help"));
	pl_fail(m, &err);
}

/* Reads the whole file, for its digest and the number of its lines, and keeps those asked for. */
static int read_lines(struct pl_main *m, struct context *c, struct pl_err *err)
{
	uint64_t first = options.line > options.before ? options.line - options.before : 1;
	uint64_t most = m->limits.v[PL_LIMIT_OUTPUT_BYTES];
	enum pl_in_line got;
	struct pl_str line;

	while ((got = pl_in_line(&m->in, &line)) > 0) {
		uint64_t number = m->in.line;
		if (number < first ||
		    (number > options.line && number - options.line > options.after))
			continue;
		context_add(c, number, line, got == PL_IN_TOO_LONG);
		if (c->json.n > most)
			return pl_limit_exceeded(err, PL_LIMIT_OUTPUT_BYTES, most);
	}
	if (got == PL_IN_ERROR)
		*err = m->in.err;
	return got == PL_IN_ERROR ? -1 : 0;
}

static int check_packed(const struct pl_in *in, struct pl_err *err)
{
	if (!pl_in_info(in)->packed)
		return 0;
	pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("is packed by gzip: no source text"));
	return pl_err_at(err, pl_in_name(in, 0), 0);
}

/* How many lines there are is only known when all were read. */
static int check_line(const struct pl_in *in, struct pl_err *err)
{
	uint64_t lines = pl_in_info(in)->lines;

	if (lines >= options.line)
		return 0;
	if (lines == 0)
		pl_err_set(err, PL_E_INVALID_INPUT, _("there is no line %" PRIu64 ": it is empty"),
			   options.line);
	else
		pl_err_set(err, PL_E_INVALID_INPUT,
			   _("there is no line %" PRIu64 ": the last one is %" PRIu64),
			   options.line, lines);
	pl_err_action(err, _("is this the version of the file that was measured?"));
	return pl_err_at(err, pl_in_name(in, 0), 0);
}

static void put(struct pl_main *m, struct pl_str name, struct context *c)
{
	const struct pl_in_info *info = pl_in_info(&m->in);
	struct pl_jsonw w = {&m->out.buf, false};
	struct pl_buf scratch = {0};
	uint64_t replaced = 0;

	pl_stream_header(&w, "perflens.source", m);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_begin(&w, '{');
	pl_jsonw_kz(&w, "format", "source");
	pl_jsonw_ku64(&w, "bytes", info->bytes);
	pl_jsonw_kz(&w, "sha256", info->sha256);
	pl_jsonw_ku64(&w, "lines", info->lines);
	pl_jsonw_end(&w, '}');
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
	pl_jsonw_record(&w, "context");
	pl_jsonw_kstr(&w, "file", pl_utf8_clean(name, &scratch, &replaced));
	pl_jsonw_ku64(&w, "line", options.line);
	pl_jsonw_kz(&w, "sha256", info->sha256);
	pl_jsonw_key(&w, "lines");
	pl_jsonw_raw(&w, context_end(c));
	pl_jsonw_record_end(&w);
	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "records", 1);
	pl_stream_seal(&m->out.buf);
	pl_buf_free(&scratch);
}

int main(int argc, char **argv)
{
	struct context c = {0};
	struct pl_buf name = {0};
	struct pl_err err = {0};
	struct pl_main m;

	pl_start(&m, &program, argc, argv);
	check_options(&m);
	m.limits.v[PL_LIMIT_LINE_BYTES] = options.line_bytes;
	m.file.fd = beneath_open(options.workspace, options.file, &name, &err);
	if (m.file.fd < 0)
		pl_fail(&m, &err);
	m.file.name = name.p;
	pl_open(&m);
	pl_out_hold(&m.out, m.limits.v[PL_LIMIT_OUTPUT_BYTES]);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (check_packed(&m.in, &err) || read_lines(&m, &c, &err) || check_line(&m.in, &err))
		pl_fail(&m, &err);
	put(&m, pl_buf_str(&name), &c);
	context_free(&c);
	enum pl_exit status = pl_finish(&m, PL_EXIT_DONE);
	pl_buf_free(&name);
	return status;
}
