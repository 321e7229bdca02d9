/* resolve: one question, one location record */
#include "resolve.h"
#include "fd.h"
#include "num.h"
#include "regular.h"
#include "stream.h"
#include "text.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- before the sandbox ---- */

static int missing(struct pl_err *err, const char *option)
{
	pl_err_set(err, PL_E_INVALID_INPUT, _("%s is missing"), option);
	return pl_err_action(err, _("see --help"));
}

static int read_number(const char *text, const char *option, uint64_t *v, struct pl_err *err)
{
	struct pl_str s = pl_str(text);
	bool hex = pl_str_starts(s, "0x") || pl_str_starts(s, "0X");

	if ((hex ? pl_num_hex(s, v) : pl_num_u64(s, v)) == 0)
		return 0;
	pl_err_set(err, PL_E_INVALID_INPUT, _("%s %s: no number"), option, text);
	return pl_err_action(err, _("write it as 0x1234 or 4660"));
}

static int refuse(const struct resolve *r, struct pl_err *err)
{
	return pl_err_at(err, r->binary, 0);
}

/* The file is opened once: its digest and what is told of it are of the same bytes. */
static int open_file(struct resolve *r, struct pl_main *m, struct pl_err *err)
{
	char *real = realpath(r->binary, NULL);

	r->fd = real ? pl_regular_open(real, 0) : -1;
	if (r->fd < 0 || fstat(r->fd, &r->st) ||
	    (m->file.fd = fcntl(r->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) < 0) {
		if (real && (errno == EINVAL || errno == EISDIR))
			pl_err_set(err, PL_E_INVALID_INPUT, _("is no regular file"));
		else
			pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"),
				   strerror(errno));
		free(real);
		return refuse(r, err);
	}
	pl_buf_addz(&r->path, real);
	free(real);
	m->file.name = r->binary;
	return 0;
}

int resolve_open(struct resolve *r, struct pl_main *m, struct pl_err *err)
{
	if (!r->binary || !*r->binary)
		return missing(err, "--binary FILE");
	if (!r->offset)
		return missing(err, "--module-offset N");
	if (read_number(r->offset, "--module-offset", &r->at, err) ||
	    (r->runtime && read_number(r->runtime, "--runtime-address", &r->address, err)))
		return -1;
	if (r->build_id && !pl_elf_build_id_read(&r->id, pl_str(r->build_id))) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("--build-id %s: no build ID"), r->build_id);
		return pl_err_action(err, _("write it as pairs of hexadecimal digits"));
	}
	return open_file(r, m, err);
}

/* ---- the file is the one that was meant ---- */

static int check_file(const struct resolve *r, const struct pl_main *m, struct pl_err *err)
{
	const struct pl_in_info *info = pl_in_info(&m->in);
	struct stat st;

	if (info->packed) {
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, _("is packed by gzip"));
		return refuse(r, err);
	}
	if (r->sha256 && strcasecmp(r->sha256, info->sha256) != 0) {
		pl_err_set(err, PL_E_INVALID_INPUT,
			   _("is not the file that was inspected: its SHA-256 is %s"),
			   info->sha256);
		pl_err_action(err, _("inspect it again with perflens inspect-elf"));
		return refuse(r, err);
	}
	if (fstat(r->fd, &st) == 0 && pl_fd_is_same(&st, &r->st))
		return 0;
	pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was read"));
	return refuse(r, err);
}

static int check_answer(const struct resolve *r, const struct answer *module, struct pl_err *err)
{
	if (pl_str_is(module->reason, "NOT_ELF"))
		pl_err_set(err, PL_E_PROFILE_PARSE_FAILED, _("is no ELF file"));
	else if (pl_str_is(module->reason, "BUILD_ID_MISMATCH"))
		pl_err_set(err, PL_E_INVALID_INPUT, _("has another build ID than %s"), r->build_id);
	else if (pl_str_is(module->reason, "SYMBOLS_CRASHED") ||
		 pl_str_is(module->reason, "SYMBOLS_TIMEOUT"))
		pl_err_set(err, PL_E_PROFILE_PARSE_FAILED,
			   _("the libraries that read ELF files cannot read it"));
	else if (pl_str_is(module->reason, "FILE_TOO_LARGE"))
		pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be read: it has more than 4 GiB"));
	else
		return 0;
	return refuse(r, err);
}

/* ---- the artifact ---- */

static void put_optional_u64(struct pl_jsonw *w, const char *key, uint64_t v)
{
	if (v)
		pl_jsonw_ku64(w, key, v);
	else
		pl_jsonw_knull(w, key);
}

static void put_frame(struct pl_jsonw *w, const struct answer_frame *f, bool inlined)
{
	pl_jsonw_begin(w, '{');
	pl_jsonw_kstr(w, "symbol", f->symbol);
	pl_jsonw_kstr(w, "file", f->file);
	put_optional_u64(w, "line", f->line);
	put_optional_u64(w, "column", f->column);
	pl_jsonw_kbool(w, "inlined", inlined);
	pl_jsonw_end(w, '}');
}

/* Innermost first, as a debugger shows them; the last is the function that has the code. */
static const char *put_frames(struct pl_jsonw *w, const struct answer *a, struct pl_reader inlines)
{
	struct answer_frame *frames = pl_alloc(((size_t)a->inlines + 1) * sizeof *frames);
	bool has_line = a->frame.file.p != NULL;
	uint32_t n = 1;

	frames[0] = a->frame;
	while (n <= a->inlines && answer_take_frame(&inlines, &frames[n]))
		has_line |= frames[n++].file.p != NULL;
	pl_jsonw_kbegin(w, "frames", '[');
	if (a->frame.symbol.p || has_line)
		for (uint32_t i = n; i-- > 0;)
			put_frame(w, &frames[i], i > 0);
	pl_jsonw_end(w, ']');
	free(frames);
	/* a row of the line table can cover what lies between two functions */
	if (!a->frame.symbol.p)
		return "NO_FUNCTION";
	return has_line ? NULL : "NO_LINE";
}

static void put_hex(struct pl_jsonw *w, const char *key, uint64_t v)
{
	char text[2 + 16 + 1];

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)v);
	pl_jsonw_kz(w, key, text);
}

static void put_location(const struct resolve *r, struct pl_main *m, const struct answer *a,
			 struct pl_reader inlines, const struct answer *module)
{
	struct pl_jsonw w = {.buf = &m->out.buf};
	struct pl_buf scratch = {0};
	uint64_t replaced = 0;

	pl_jsonw_record(&w, "location");
	pl_jsonw_kstr(&w, "binary",
		      pl_utf8_clean(pl_str_base(pl_str(r->binary)), &scratch, &replaced));
	pl_jsonw_kstr(&w, "build_id", module->build_id);
	put_hex(&w, "offset", r->at);
	if (r->runtime)
		put_hex(&w, "runtime_address", r->address);
	else
		pl_jsonw_knull(&w, "runtime_address");
	const char *reason = put_frames(&w, a, inlines);
	/* why the file has no symbols or lines is more than that there are none here */
	if (reason && module->reason.p)
		pl_jsonw_kstr(&w, "reason", module->reason);
	else
		pl_jsonw_kz(&w, "reason", reason);
	pl_jsonw_record_end(&w);
	pl_buf_free(&scratch);
}

static void put_header(struct pl_main *m)
{
	const struct pl_in_info *info = pl_in_info(&m->in);
	struct pl_jsonw w = {.buf = &m->out.buf};

	pl_stream_header(&w, "perflens.source", m);
	pl_jsonw_begin(&w, '[');
	pl_jsonw_begin(&w, '{');
	pl_jsonw_kz(&w, "format", "elf");
	pl_jsonw_ku64(&w, "bytes", info->bytes);
	pl_jsonw_kz(&w, "sha256", info->sha256);
	pl_jsonw_end(&w, '}');
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

/* Reads the whole file, for its digest. */
static int read_file(struct pl_main *m, struct pl_err *err)
{
	struct pl_str block;
	int got = pl_in_next(&m->in);

	while (got > 0)
		got = pl_in_block(&m->in, &block);
	if (got == 0)
		return 0;
	*err = m->in.err;
	return -1;
}

int resolve_run(struct resolve *r, struct pl_main *m, struct asker *asker, struct pl_err *err)
{
	/* the child has it open, and does not need its name, which may be no text */
	struct question module = {.build_id = pl_str(r->build_id ? r->id.hex : NULL)};
	struct answer position, about;
	struct answer_frame skipped;

	if (read_file(m, err))
		return -1;
	asker_module(asker, &module);
	question_put(&asker->questions,
		     &(struct question){.kind = QUESTION_FRAME, .offset = r->at});
	struct pl_reader answers = asker_ask(asker);
	if (!answer_take_position(&answers, &position))
		position = (struct answer){0};
	struct pl_reader inlines = answers;
	for (uint32_t i = 0; i < position.inlines && answer_take_frame(&answers, &skipped); i++)
		;
	if (!answer_take_module(&answers, &about))
		about = (struct answer){.reason = PL_S("SYMBOLS_CRASHED")};
	if (check_file(r, m, err) || check_answer(r, &about, err))
		return -1;
	put_header(m);
	put_location(r, m, &position, inlines, &about);
	struct pl_jsonw end = {.buf = &m->out.buf};
	pl_jsonw_record(&end, "end");
	pl_jsonw_ku64(&end, "records", 1);
	pl_stream_seal(&m->out.buf);
	return 0;
}
