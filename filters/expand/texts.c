/* texts: the text of each frame, by id, and how long a line of them may be */
#include "expand.h"
#include "limits.h"
#include "text.h"

struct pl_str texts_keep(struct texts *t, struct pl_str text)
{
	return (struct pl_str){pl_arena_dup(&t->bytes, text.p, text.n), text.n};
}

void texts_set(struct texts *t, uint32_t id, struct pl_str text)
{
	PL_GROW(t->v, (size_t)id + 1, t->cap);
	t->v[id] = texts_keep(t, text);
}

void texts_free(struct texts *t)
{
	pl_arena_free(&t->bytes);
	pl_buf_free(&t->scratch);
	free(t->v);
}

int check_line(const struct pl_samples *r, const struct pl_buf *out, size_t start,
	       struct pl_err *err)
{
	if (out->n - start <= PL_STREAM_LINE_MAX)
		return 0;
	pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
		   _("with its %zu frames in it the sample is more than %d bytes, which no reader "
		     "takes"),
		   r->sample.depth, PL_STREAM_LINE_MAX);
	pl_err_action(err, _("work on the samples as they are, or leave out deep stacks: "
			     "--max-stack-depth of the parser"));
	return pl_err_at(err, pl_in_name(r->s.in, r->s.in->index), r->s.in->line);
}
