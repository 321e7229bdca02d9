/* rewrite: lines in, questions, answers, lines out */
#include "rewrite.h"
#include "members.h"
#include "num.h"
#include "sampleline.h"
#include "symbol.h"
#include "text.h"

#include <stdlib.h>

/* Answers with names as long as they may be stay well below what a child can say at once. */
enum { BATCH_BYTES = 1 << 20, BATCH_HOLES = 4096, MODULES_MAX = 1 << 20 };

void rewrite_free(struct rewrite *w)
{
	pl_buf_free(&w->pending);
	pl_json_free(&w->json);
	free(w->holes);
}

/* ---- answers ---- */

/* Nothing is known where the child is gone, or what it answered is nonsense. */
static void take_position(struct pl_reader *r, struct answer *a)
{
	if (!answer_take_position(r, a))
		*a = (struct answer){0};
}

/* The line, which nothing is known of that is not in it. */
static int parse_line(struct rewrite *w, struct pl_str line)
{
	if (pl_json_parse(&w->json, line))
		return pl_err_set(&w->err, PL_E_INTERNAL_ERROR, "a line changed");
	return 0;
}

/* Inlined frames stand behind their answer: they are read once to be written and once to be
 * passed. */
static int put_frame(struct rewrite *w, struct pl_str line, struct pl_reader *frames)
{
	struct pl_jsonw out = {.buf = &w->m->out.buf};
	struct answer a;
	struct answer_frame skipped;

	take_position(frames, &a);
	struct pl_reader inlines = *frames;
	for (uint32_t i = 0; i < a.inlines; i++)
		if (!answer_take_frame(frames, &skipped))
			a.inlines = 0;
	if (!a.frame.symbol.p && !a.frame.file.p) {
		pl_buf_adds(out.buf, line);
	} else {
		if (parse_line(w, line))
			return -1;
		members_put_frame(&out, &w->json, 0, &a, &inlines);
	}
	pl_buf_addc(out.buf, '\n');
	return 0;
}

static int put_module(struct rewrite *w, struct pl_str line, struct pl_reader *modules)
{
	struct pl_jsonw out = {.buf = &w->m->out.buf};
	struct answer a = {.symbols = PL_S("none"), .reason = PL_S("SYMBOLS_CRASHED")};

	if (!w->asker->hopeless && !answer_take_module(modules, &a))
		a = (struct answer){0};
	if (parse_line(w, line))
		return -1;
	members_put_module(&out, &w->json, &a);
	return 0;
}

/* The answers for modules come behind those for frames. */
static struct pl_reader behind_frames(const struct rewrite *w, struct pl_reader r)
{
	struct answer a;
	struct answer_frame skipped;

	for (size_t i = 0; i < w->holes_n && !r.bad; i++) {
		if (w->holes[i].is_module)
			continue;
		answer_take_position(&r, &a);
		for (uint32_t k = 0; k < a.inlines && answer_take_frame(&r, &skipped); k++)
			;
	}
	return r;
}

static int fill_holes(struct rewrite *w, struct pl_reader frames)
{
	struct pl_reader modules = behind_frames(w, frames);
	struct pl_buf *out = &w->m->out.buf;
	size_t from = 0;

	for (size_t i = 0; i < w->holes_n; i++) {
		const struct rewrite_hole *hole = &w->holes[i];
		struct pl_str line = {w->pending.p + hole->at, hole->n};
		pl_buf_add(out, w->pending.p + from, hole->at - from);
		if (hole->is_module ? put_module(w, line, &modules) : put_frame(w, line, &frames))
			return -1;
		from = hole->at + hole->n + 1;
	}
	pl_buf_add(out, w->pending.p + from, w->pending.n - from);
	return 0;
}

static int flush(struct rewrite *w)
{
	if (w->holes_n && fill_holes(w, asker_ask(w->asker)))
		return -1;
	pl_buf_clear(&w->pending);
	w->holes_n = 0;
	if (pl_out_poll(&w->m->out) == 0)
		return 0;
	w->err = w->m->out.err;
	return -1;
}

/* ---- lines ---- */

/* Where a line goes: nothing holds up what stands before the first hole. */
static struct pl_buf *place(struct rewrite *w)
{
	return w->holes_n ? &w->pending : &w->m->out.buf;
}

static void add_hole(struct rewrite *w, bool is_module)
{
	PL_GROW(w->holes, w->holes_n + 1, w->holes_cap);
	w->holes[w->holes_n++] = (struct rewrite_hole){
		.at = w->pending.n, .n = w->stream->text.n, .is_module = is_module};
}

static int take_module(struct rewrite *w)
{
	struct pl_module m = {0};
	char message[256];
	const char *wrong = pl_record_read(&pl_module_record, &w->stream->json, 0, &m, message);

	if (wrong)
		return pl_stream_fail(w->stream, "module: %s", wrong);
	struct question q = {
		.module = m.id, .dso = m.dso, .build_id = m.build_id, .module_kind = m.kind};
	if (m.base.p && pl_num_hex(m.base, &q.base))
		return pl_stream_fail(w->stream, _("module: 'base' is no address"));
	if (m.id >= MODULES_MAX)
		return pl_stream_fail(w->stream, _("module: more than %d modules"), MODULES_MAX);
	add_hole(w, true);
	asker_module(w->asker, &q);
	return 0;
}

/* What a question needs of a frame. */
struct position {
	struct pl_str symbol, offset;
	uint32_t module;
	bool is_return;
	int64_t pid;
};
static const struct pl_member position_members[] = {
	PL_MEMBER(struct position, "symbol", symbol, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct position, "module", module, PL_M_U32, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct position, "offset", offset, PL_M_STR, 0),
	PL_MEMBER(struct position, "return", is_return, PL_M_BOOL, 0),
	PL_MEMBER(struct position, "pid", pid, PL_M_I64, 0),
};
static const struct pl_record position_record = {"frame", position_members,
						 PL_COUNT(position_members)};

static int take_frame(struct rewrite *w)
{
	struct position f = {0};
	char message[256];
	const char *wrong = pl_record_read(&position_record, &w->stream->json, 0, &f, message);

	if (wrong)
		return pl_stream_fail(w->stream, "frame: %s", wrong);
	if (!f.offset.p || f.module == PL_NO_MODULE || !pl_symbol_unresolved(f.symbol))
		return 0;
	struct question q = {
		.kind = QUESTION_FRAME, .module = f.module, .is_return = f.is_return, .pid = f.pid};
	if (pl_num_hex(f.offset, &q.offset))
		return pl_stream_fail(w->stream, _("frame: 'offset' is no offset"));
	add_hole(w, false);
	question_put(&w->asker->questions, &q);
	return 0;
}

/* Samples are most of a stream, and these need no look. */
static void take_samples(struct rewrite *w)
{
	struct pl_in *in = &w->m->in;
	struct pl_str rest = pl_in_peek(in);
	size_t bytes = 0;
	uint64_t lines = 0;

	while (pl_sampleline_is((struct pl_str){rest.p + bytes, rest.n - bytes})) {
		const char *end = memchr(rest.p + bytes, '\n', rest.n - bytes);
		if (!end)
			break;
		bytes = (size_t)(end + 1 - rest.p);
		lines++;
	}
	if (!lines)
		return;
	pl_buf_add(place(w), rest.p, bytes);
	pl_in_take(in, bytes, lines);
}

/* What holds its frames has no module records, which say what becomes of a module. */
static int refuse_expanded(struct rewrite *w)
{
	struct pl_stream *s = w->stream;

	if (!pl_json_member(&s->json, 0, "frames"))
		return 0;
	pl_stream_fail(s, _("this sample holds its frames"));
	return pl_err_action(&s->err, _("put pl-symbolize before pl-expand"));
}

static int take_line(struct rewrite *w)
{
	struct pl_stream *s = w->stream;
	int failed = 0;

	if (pl_stream_is(s, "module"))
		failed = take_module(w);
	else if (pl_stream_is(s, "frame"))
		failed = take_frame(w);
	else if (pl_stream_is(s, "sample"))
		failed = refuse_expanded(w);
	if (failed)
		return -1;
	pl_stream_pass(s, place(w));
	return 0;
}

static bool is_due(const struct rewrite *w)
{
	return w->holes_n == 0 || w->holes_n >= BATCH_HOLES || w->pending.n > BATCH_BYTES ||
	       pl_in_peek(&w->m->in).n == 0;
}

int rewrite_run(struct rewrite *w, struct pl_stream *stream)
{
	int got = 1;

	w->stream = stream;
	pl_stream_pass_header(stream, w->m);
	while (got > 0) {
		take_samples(w);
		got = pl_stream_next(stream);
		if (got > 0 && take_line(w))
			got = -1;
		if ((got == 0 || (got > 0 && is_due(w))) && flush(w))
			return -1;
	}
	if (got < 0)
		w->err = stream->err;
	return got;
}
