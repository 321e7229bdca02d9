/* queue: batches of samples, unwound and written */
#include "queue.h"
#include "limits.h"
#include "mem.h"

#include <stdlib.h>

enum { WAITING_MAX = 4096, KERNEL_MAX_STACK = 127 /* kernel.perf_event_max_stack */ };

/* ---- writing ---- */

static uint64_t weight_of(const struct pl_perf_attr *attr, const struct pl_perf_sample *s)
{
	if (attr->sample_type & PERF_SAMPLE_PERIOD)
		return s->period;
	return pl_perf_attr_flag(attr, PL_PERF_FREQ) ? 1 : attr->sample_period;
}

/* A tracepoint's payload is for its own tools: how large it is tells whether it is there. */
static struct pl_str payload_of(struct queue *q, const struct pl_perf_sample *s)
{
	if (s->raw.n == 0)
		return (struct pl_str){NULL, 0};
	pl_buf_clear(&q->payload);
	pl_buf_printf(&q->payload, "raw, %zu bytes", s->raw.n);
	return pl_buf_str(&q->payload);
}

static struct pl_str cut_of(const struct queue_sample *s)
{
	size_t most = s->attr->sample_max_stack ? s->attr->sample_max_stack : KERNEL_MAX_STACK;

	if (s->deferred)
		return PL_S("deferred_user_stack");
	return s->addresses >= most ? PL_S("truncated_stack") : (struct pl_str){NULL, 0};
}

static void note(struct queue *q, struct pl_str cut, size_t depth)
{
	struct pl_diag *diag = &q->parser->diag;

	if (depth == 0)
		pl_diag_count(diag, "EMPTY_CHAIN", 1);
	if (pl_str_is(cut, "truncated_stack"))
		pl_diag_count(diag, "TRUNCATED_STACK", 1);
}

/* The process's part of the stack. Why it ends, where it ends before its root. */
static struct pl_str add_unwound(struct queue *q, const struct queue_sample *s)
{
	struct unwind_stack stack = unwind_stack(q->unwind, s->ticket);
	const struct chain_sample sample = {.attr = s->attr, .sample = &s->sample, .misc = s->misc};
	const char *code = unwind_stop_code(stack.stop);

	for (size_t i = 0; i < stack.n; i++)
		chain_add_known(&q->chain, q->frames, q->of, &sample, &stack.frames[i]);
	/* the kernel's own threads have no such part */
	if (!*code || s->sample.regs_abi == PERF_SAMPLE_REGS_ABI_NONE)
		return (struct pl_str){NULL, 0};
	pl_diag_count(&q->parser->diag, code, 1);
	return pl_str(code);
}

static int put(struct queue *q, const struct queue_sample *s)
{
	struct chain *c = &q->chain;
	uint64_t type = s->attr->sample_type;
	struct pl_str cut = cut_of(s);

	if (s->ticket != SIZE_MAX) {
		struct pl_str unwound = add_unwound(q, s);
		if (!cut.p)
			cut = unwound;
	}
	if (c->depth > q->parser->m->limits.v[PL_LIMIT_STACK_DEPTH]) {
		q->parser->offset = s->place.at;
		pl_parser_malformed(q->parser, "STACK_TOO_DEEP",
				    "the stack is deeper than --max-stack-depth", PL_S(""));
		return 0;
	}
	chain_end(c);
	note(q, cut, c->depth);
	return pl_parser_sample(q->parser, &(struct pl_sample){
						   .event = s->event,
						   .weight = weight_of(s->attr, &s->sample),
						   .stack = c->ids,
						   .depth = c->depth,
						   .pid = (int32_t)s->sample.pid,
						   .tid = (int32_t)s->sample.tid,
						   .has_pid = type & PERF_SAMPLE_TID,
						   .has_tid = type & PERF_SAMPLE_TID,
						   .comm = s->comm,
						   .cpu = (int32_t)s->sample.cpu,
						   .has_cpu = type & PERF_SAMPLE_CPU,
						   .time = s->sample.time,
						   .has_time = type & PERF_SAMPLE_TIME,
						   .mode = chain_mode(s->misc),
						   .payload = payload_of(q, &s->sample),
						   .cut = cut,
					   });
}

/* ---- waiting ---- */

static void take_chain(struct chain *c, const uint32_t *ids, size_t n)
{
	PL_GROW(c->ids, n, c->cap);
	if (n)
		memcpy(c->ids, ids, n * sizeof *ids);
	c->depth = n;
}

int queue_flush(struct queue *q)
{
	int failed = 0;

	if (q->n)
		unwind_run(q->unwind);
	for (size_t i = 0; i < q->n && !failed; i++) {
		take_chain(&q->chain, q->ids + q->v[i].first, q->v[i].depth);
		failed = put(q, &q->v[i]);
	}
	q->n = 0;
	q->ids_n = 0;
	return failed;
}

int queue_add(struct queue *q, const struct queue_sample *sample, const struct chain *chain,
	      const struct space *space)
{
	struct queue_sample s = *sample;

	s.ticket = SIZE_MAX;
	s.deferred = chain->deferred;
	s.addresses = chain->addresses;
	if (!q->unwind) {
		take_chain(&q->chain, chain->ids, chain->depth);
		return put(q, &s);
	}
	if ((unwind_is_full(q->unwind) || q->n == WAITING_MAX) && queue_flush(q))
		return -1;
	if (pl_perf_saves_stack(s.attr))
		s.ticket = unwind_add(q->unwind, space, s.attr, &s.sample);
	s.first = q->ids_n;
	s.depth = chain->depth;
	PL_GROW(q->ids, q->ids_n + chain->depth, q->ids_cap);
	if (s.depth)
		memcpy(q->ids + q->ids_n, chain->ids, s.depth * sizeof *q->ids);
	q->ids_n += chain->depth;
	PL_GROW(q->v, q->n + 1, q->cap);
	q->v[q->n++] = s;
	return 0;
}

void queue_free(struct queue *q)
{
	chain_free(&q->chain);
	free(q->v);
	free(q->ids);
	pl_buf_free(&q->payload);
}
