/* folded: folded stacks */
#include "export.h"
#include "foldedw.h"

static int take(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	return pl_foldedw_line(state, k, out, err);
}

static int end(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	(void)state, (void)k, (void)out, (void)err;
	return 0;
}

static void note(const void *state, const struct pl_main *m)
{
	pl_foldedw_note(state, m);
}

static void release(void *state)
{
	pl_foldedw_free(state);
}

const struct exporter folded_exporter = {
	.name = "folded",
	.size = sizeof(struct pl_foldedw),
	.take = take,
	.end = end,
	.note = note,
	.free = release,
	.one_event = true,
	.streams = true,
};
