/* question: questions and answers as bytes */
#include "question.h"
#include "utf8.h"

static void put_u64(struct pl_buf *b, uint64_t v)
{
	pl_buf_add(b, &v, sizeof v);
}

static void put_u32(struct pl_buf *b, uint32_t v)
{
	pl_buf_add(b, &v, sizeof v);
}

/* UINT32_MAX is the length of an absent one. */
static void put_text(struct pl_buf *b, struct pl_str s)
{
	put_u32(b, s.p ? (uint32_t)s.n : UINT32_MAX);
	if (s.p)
		pl_buf_adds(b, s);
}

static struct pl_str take_text(struct pl_reader *r)
{
	uint32_t n = pl_take_u32(r);

	if (r->bad || n == UINT32_MAX)
		return (struct pl_str){NULL, 0};
	struct pl_bytes b = pl_take_bytes(r, n);
	struct pl_str s = {(const char *)b.p, b.n};
	if (pl_utf8_valid(s) != s.n)
		r->bad = true;
	return s;
}

void question_put(struct pl_buf *b, const struct question *q)
{
	put_u32(b, q->kind);
	put_u32(b, q->module);
	if (q->kind == QUESTION_FRAME) {
		put_u64(b, q->offset);
		put_u32(b, q->is_return);
		put_u64(b, (uint64_t)q->pid);
		return;
	}
	put_text(b, q->dso);
	put_text(b, q->build_id);
	put_text(b, q->module_kind);
	put_u64(b, q->base);
}

bool question_take(struct pl_reader *r, struct question *q)
{
	if (pl_left(r) == 0)
		return false;
	*q = (struct question){.kind = pl_take_u32(r)};
	q->module = pl_take_u32(r);
	if (q->kind == QUESTION_FRAME) {
		q->offset = pl_take_u64(r);
		q->is_return = pl_take_u32(r);
		q->pid = (int64_t)pl_take_u64(r);
		return !r->bad;
	}
	q->dso = take_text(r);
	q->build_id = take_text(r);
	q->module_kind = take_text(r);
	q->base = pl_take_u64(r);
	return !r->bad;
}

void answer_put_module(struct pl_buf *b, const struct answer *module)
{
	put_text(b, module->symbols);
	put_text(b, module->reason);
	put_text(b, module->build_id);
	put_text(b, module->lacks);
}

bool answer_take_module(struct pl_reader *r, struct answer *a)
{
	*a = (struct answer){.symbols = take_text(r)};
	a->reason = take_text(r);
	a->build_id = take_text(r);
	a->lacks = take_text(r);
	return !r->bad;
}

void answer_put_frame(struct pl_buf *b, const struct answer_frame *frame)
{
	put_text(b, frame->symbol);
	put_text(b, frame->raw);
	put_text(b, frame->file);
	put_u64(b, frame->line);
	put_u64(b, frame->column);
}

bool answer_take_frame(struct pl_reader *r, struct answer_frame *frame)
{
	*frame = (struct answer_frame){.symbol = take_text(r)};
	frame->raw = take_text(r);
	frame->file = take_text(r);
	frame->line = pl_take_u64(r);
	frame->column = pl_take_u64(r);
	return !r->bad;
}

void answer_put_position(struct pl_buf *b, const struct answer_frame *frame, uint32_t inlines)
{
	answer_put_frame(b, frame);
	put_u32(b, inlines);
}

bool answer_take_position(struct pl_reader *r, struct answer *a)
{
	*a = (struct answer){0};
	answer_take_frame(r, &a->frame);
	a->inlines = pl_take_u32(r);
	return !r->bad;
}
