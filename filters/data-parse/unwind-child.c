/* unwind-child: the side that answers */
#include "unwind-child.h"

/* The parent made the question: it is well formed. */
static const void *take(struct pl_str *question, size_t n)
{
	const char *p = question->p;

	question->p += n;
	question->n -= n;
	return p;
}

static void learn_module(struct unwind_service *s, const struct unwind_question_module *q,
			 struct pl_str *question)
{
	struct unwind_module *m = unwind_files_module(&s->files, q->number);

	m->told = true;
	m->kind = (enum module_kind)q->kind;
	m->stop = (enum unwind_stop)q->stop;
	m->path = pl_alloc((size_t)q->path_n + 1);
	memcpy(m->path, take(question, q->path_n), q->path_n);
	pl_buf_add(&m->build_id, take(question, q->build_id_n), q->build_id_n);
}

static void learn_maps(struct unwind_service *s, const struct unwind_question_maps *q,
		       struct pl_str *question)
{
	struct unwind_slot *slot = &s->slots[q->slot];
	size_t bytes = q->n * sizeof *slot->maps;

	PL_GROW(slot->maps, q->n, slot->cap);
	if (q->n)
		memcpy(slot->maps, take(question, bytes), bytes);
	slot->n = q->n;
}

static void answer_sample(struct unwind_service *s, const struct unwind_question_sample *q,
			  struct pl_buf *answer)
{
	const struct unwind_slot *slot = &s->slots[q->slot];
	struct unwind_answer a = {0};
	struct unwind_walk w;
	size_t at = answer->n;

	w.files = &s->files;
	w.maps = slot->maps;
	w.maps_n = slot->n;
	w.stack = q->stack;
	w.stack_full = q->stack_full;
	unwind_regs_read(&w.regs, s->files.arch, q->mask, q->regs);
	w.stack_at = w.regs.v[s->files.arch->sp];
	if (w.regs.lost[s->files.arch->sp])
		w.stack.n = 0;
	s->sample = q->number;
	pl_child_at(s->child, unwind_mark(q->number, UINT32_MAX));
	pl_buf_add(answer, &a, sizeof a);
	a.stop = unwind_walk(&w, s->depth, answer, &a.module);
	a.n = (uint32_t)((answer->n - at - sizeof a) / sizeof(struct unwind_frame));
	memcpy(answer->p + at, &a, sizeof a);
}

static void at_module(void *context, uint32_t module)
{
	struct unwind_service *s = context;

	pl_child_at(s->child, unwind_mark(s->sample, module));
}

void unwind_serve(void *context, struct pl_str question, struct pl_buf *answer)
{
	struct unwind_service *s = context;

	s->files.at = at_module;
	s->files.context = s;
	while (question.n) {
		struct unwind_part part;
		memcpy(&part, take(&question, sizeof part), sizeof part);
		if (part.kind == UNWIND_PART_MODULE)
			learn_module(s, &part.module, &question);
		else if (part.kind == UNWIND_PART_MAPS)
			learn_maps(s, &part.maps, &question);
		else
			answer_sample(s, &part.sample, answer);
	}
}
