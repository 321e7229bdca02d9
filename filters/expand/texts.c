/* texts: the text of each frame, by id */
#include "expand.h"

struct pl_str texts_keep(struct texts *t, struct pl_str text)
{
	return (struct pl_str){pl_arena_dup(&t->bytes, text.p, text.n), text.n};
}

void texts_set(struct texts *t, uint32_t id, struct pl_str text)
{
	PL_GROW(t->v, (size_t)id + 1, t->cap);
	t->v[id] = texts_keep(t, text);
}

void texts_put_stack(const struct texts *t, const struct pl_sample *sample, char between,
		     struct pl_buf *out)
{
	for (size_t i = 0; i < sample->depth; i++) {
		if (i)
			pl_buf_addc(out, between);
		pl_buf_adds(out, t->v[sample->stack[i]]);
	}
}

void texts_free(struct texts *t)
{
	pl_arena_free(&t->bytes);
	pl_buf_free(&t->scratch);
	free(t->v);
}
