/* pictures: call trees while the analysis is read, drawn when it was */
#include "pictures.h"
#include "flamesvg.h"

/* Units of the picture, in millionths: what is narrower is hardly seen on paper. */
enum { MIN_WIDTH = 500000 };

static int fail(struct pl_analysis *a, const struct pl_err *err)
{
	a->s.err = *err;
	return -1;
}

static void add_tree(struct pictures *p)
{
	PL_GROW(p->trees, p->n + 1, p->trees_cap);
	pl_calltree_start(&p->trees[p->n++], 1);
}

static int take_rest(struct pictures *p, struct pl_analysis *a)
{
	while (pl_stacks_rest(&p->stacks) == PL_STACKS_STACK) {
		struct pl_calltree *tree = &p->trees[p->stacks.event];
		if (pl_calltree_take_rest(tree, &p->stacks, 0))
			return fail(a, &tree->err);
	}
	return 0;
}

int pictures_row(void *to, enum pl_analysis_kind kind, struct pl_analysis *a)
{
	struct pictures *p = to;

	if (!p->begun)
		pl_stacks_begin(&p->stacks, a);
	p->begun = true;
	enum pl_stacks_kind got = pl_stacks_take(&p->stacks, kind);
	if (got == PL_STACKS_ERROR)
		return fail(a, &p->stacks.err);
	if (kind == PL_ANALYSIS_EVENT)
		add_tree(p);
	if (kind == PL_ANALYSIS_DONE)
		return take_rest(p, a);
	struct pl_calltree *tree = got == PL_STACKS_STACK ? &p->trees[p->stacks.event] : NULL;
	return tree && pl_calltree_take(tree, &p->stacks, 0) ? fail(a, &tree->err) : 0;
}

static int draw(struct pictures *p, size_t event, uint64_t max_bytes, struct pl_err *err)
{
	struct pl_calltree *tree = &p->trees[event];
	const struct pl_flamesvg picture = {.tree = tree,
					    .event = {&p->stacks.events[event]},
					    .embedded = true,
					    .min_width = MIN_WIDTH,
					    .max_bytes = max_bytes};

	pl_calltree_taken(tree, &p->stacks);
	pl_calltree_finish(tree);
	pl_calltree_sort(tree, pl_calltree_by_name);
	return pl_flamesvg_write(&p->v[event], &picture, err);
}

int pictures_draw(struct pictures *p, uint64_t max_bytes, struct pl_err *err)
{
	p->v = pl_alloc((p->n + 1) * sizeof *p->v);
	for (size_t i = 0; i < p->n; i++)
		if (p->stacks.events[i].stacks && draw(p, i, max_bytes, err))
			return -1;
	return 0;
}

void pictures_free(struct pictures *p)
{
	for (size_t i = 0; i < p->n; i++) {
		pl_calltree_free(&p->trees[i]);
		if (p->v)
			pl_buf_free(&p->v[i]);
	}
	free(p->trees);
	free(p->v);
	if (p->begun)
		pl_stacks_close(&p->stacks);
}
