/*
 * tree: the call paths of an analysis as a tree
 *
 * A row is a node of the call tree. Those that are shown are the heaviest, which hold their callers
 * as well: nobody weighs more than who called it. What a node calls beside them is one row below
 * it, so that the self weight of the rows and the weight of those others is that of all paths.
 *
 * Indentation tells branches, not depth: whoever is the only one shown below a node stands under it
 * in the same column. A branch begins with "- ".
 */
#include "tree.h"
#include "around.h"
#include "calltree.h"
#include "cells.h"
#include "num.h"

#include <inttypes.h>

enum { BRANCH = 2, LEVELS_MAX = 20 }; /* columns of a branch; those that are indented */

struct tree {
	const struct pl_summary *s;
	const struct pl_summary_event *e;
	const struct query_options *o;
	struct pl_calltree calls;
	uint32_t *shown; /* nodes, those first that are left out last */
	size_t shown_n;
	uint32_t *rank;	 /* by node: its place in `shown`, or more than there are */
	uint32_t *level; /* by depth: branches above the node that is written */
	bool has_dso;
};

/* ---- the tree, and which nodes are shown ---- */

static int add_path(struct tree *t, const struct pl_summary_path *path, uint32_t **frames,
		    size_t *cap)
{
	PL_GROW(*frames, path->n, *cap);
	for (size_t i = 0; i < path->n; i++) {
		const struct pl_summary_frame *f = &path->frames[i];
		const struct pl_calltree_frame frame = {
			.name = f->name, .dso = f->dso, .inlined = f->inlined};
		(*frames)[i] = pl_calltree_frame(&t->calls, &frame);
		t->has_dso |= f->dso.p != NULL;
	}
	return pl_calltree_add(&t->calls, *frames, path->n, 0, path->weight, path->samples);
}

static int build(struct tree *t)
{
	uint32_t *frames = NULL;
	size_t cap = 0;
	int status = 0;

	pl_calltree_start(&t->calls, 1);
	for (size_t i = 0; status == 0 && i < t->e->paths_n; i++)
		status = add_path(t, &t->e->paths[i], &frames, &cap);
	free(frames);
	if (status)
		return -1;
	pl_calltree_finish(&t->calls);
	pl_calltree_sort(&t->calls, pl_calltree_by_total);
	return 0;
}

/* Heavier first; equal ones in the order of the picture, so that a caller comes before its callee.
 */
static int compare_shown(const void *pa, const void *pb, void *tree)
{
	const struct tree *t = tree;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	uint64_t x = t->calls.sums[0][a].total, y = t->calls.sums[0][b].total;

	if (x != y)
		return x > y ? -1 : 1;
	return t->rank[a] < t->rank[b] ? -1 : t->rank[a] > t->rank[b];
}

static void choose_shown(struct tree *t)
{
	const struct pl_calltree *calls = &t->calls;
	size_t depth = 0;
	uint32_t order = 0;

	t->shown = pl_alloc(calls->n * sizeof *t->shown);
	t->rank = pl_alloc(calls->n * sizeof *t->rank);
	t->level = pl_alloc((calls->n + 1) * sizeof *t->level);
	for (uint32_t at = 0; at != PL_CALLTREE_NONE;
	     at = pl_calltree_walk(calls, at, true, &depth)) {
		t->rank[at] = order++;
		if (at && pl_num_percent(calls->sums[0][at].total, t->e->event.weight) >=
				  t->o->min_percent)
			t->shown[t->shown_n++] = at;
	}
	qsort_r(t->shown, t->shown_n, sizeof *t->shown, compare_shown, t);
	memset(t->rank, 0xff, calls->n * sizeof *t->rank);
	for (size_t i = 0; i < t->shown_n; i++)
		t->rank[t->shown[i]] = (uint32_t)i;
	if (t->shown_n > t->o->limit)
		t->shown_n = (size_t)t->o->limit;
}

/* ---- rows ---- */

/* What is below a node: how many of it are shown, and what the others are. */
struct below {
	size_t shown, others;
	uint64_t weight; /* of the others */
};

static struct below look_below(const struct tree *t, uint32_t node, size_t n)
{
	struct below below = {0};

	for (uint32_t c = t->calls.nodes[node].first; c != PL_CALLTREE_NONE;
	     c = t->calls.nodes[c].next) {
		if (t->rank[c] < n) {
			below.shown++;
		} else {
			below.others++;
			below.weight += t->calls.sums[0][c].total;
		}
	}
	return below;
}

/* What stands before a name: its indentation, its level where that is more than is indented, and
 * whether it begins a branch. */
static void put_before(const struct cells *c, struct pl_buf *text, uint32_t level, bool branch)
{
	size_t most = c->room / (2 * BRANCH) < LEVELS_MAX ? c->room / (2 * BRANCH) : LEVELS_MAX;
	size_t indented = level < most ? level : most;

	pl_buf_clear(text);
	for (size_t i = 0; i + 1 < indented; i++)
		pl_buf_addz(text, "  ");
	if (level > most)
		pl_buf_printf(text, "[%" PRIu32 "] ", level);
	pl_buf_addz(text, level == 0 ? "" : branch ? "- " : "  ");
}

static void put_others(const struct tree *t, struct cells *c, const struct below *below,
		       const char *before)
{
	struct pl_buf name = {0};

	if (below->others == 0)
		return;
	pl_buf_printf(&name, ngettext("… %zu more", "… %zu more", below->others), below->others);
	cells_dim(c);
	cells_share(c, below->weight, t->e->event.weight);
	cells_number(c, below->weight);
	cells_text(c, PL_S(""));
	cells_text(c, PL_S(""));
	cells_names(c, before, &(struct pl_str){name.p, name.n}, 1);
	pl_buf_free(&name);
}

static void put_node(const struct tree *t, struct cells *c, uint32_t node, const char *before)
{
	const struct pl_calltree_frame *f = &t->calls.frames[t->calls.nodes[node].frame];
	const struct pl_calltree_sums *sums = &t->calls.sums[0][node];
	const struct pl_str inlined = pl_str(f->inlined ? _("(inlined)") : NULL);
	const bool by_function = pl_str_is(t->s->group_by, "symbol,dso");
	const struct pl_str names[] = {f->name, by_function ? f->dso : pl_str(NULL), inlined};

	cells_share(c, sums->total, t->e->event.weight);
	cells_number(c, sums->total);
	cells_heat(c, sums->self, t->e->event.weight);
	cells_number(c, sums->self);
	cells_names(c, before, names, PL_COUNT(names));
}

/* The first n of those that can be shown, in the order of the picture. */
static void put_rows(const struct tree *t, struct cells *c, size_t n)
{
	const struct below roots = look_below(t, 0, n);
	struct pl_buf before = {0};
	size_t depth = 0;
	bool shown = true;

	t->level[0] = roots.shown > 1;
	for (uint32_t at = 0;
	     (at = pl_calltree_walk(&t->calls, at, shown, &depth)) != PL_CALLTREE_NONE;) {
		shown = t->rank[at] < n;
		if (!shown)
			continue;
		const struct below below = look_below(t, at, n);
		uint32_t level = t->level[depth - 1];
		bool branch = depth == 1 || level > (depth > 1 ? t->level[depth - 2] : 0);
		put_before(c, &before, level, branch);
		put_node(t, c, at, before.p);
		put_before(c, &before, level, false);
		put_others(t, c, &below, before.p);
		t->level[depth] = level + (below.shown > 1);
	}
	put_others(t, c, &roots, "");
	pl_buf_free(&before);
}

/* ---- around them ---- */

static void put_cover(const struct tree *t, struct pl_buf *out, size_t n)
{
	const struct pl_analysis_totals *totals = &t->e->totals;
	uint64_t paths = totals->paths_total - totals->paths;

	if (!totals->has_paths) {
		pl_buf_addz(out,
			    _("the analysis has no call paths: it was made with --no-paths\n"));
		return;
	}
	pl_buf_printf(out, _("%zu of %zu nodes of the call tree\n"), n, t->calls.n - 1);
	if (paths == 0)
		return;
	pl_buf_printf(out,
		      ngettext("%" PRIu64 " call path is not in the analysis: ",
			       "%" PRIu64 " call paths are not in the analysis: ", paths),
		      paths);
	around_part(out, t->e, totals->omitted_weight);
	pl_buf_addc(out, '\n');
}

static void put_table(struct pl_buf *out, const void *of, size_t n, size_t budget)
{
	const struct tree *t = of;
	struct pl_buf names = {0};
	struct cells c;

	pl_buf_addz(&names, _("call tree"));
	if (t->has_dso && pl_str_is(t->s->group_by, "symbol,dso"))
		pl_buf_printf(&names, "  %s", _("DSO"));
	const struct cells_column columns[] = {{_("inclusive %"), 0, PL_RIGHT},
					       {_("inclusive"), 2, PL_RIGHT},
					       {_("self %"), 1, PL_RIGHT},
					       {_("self"), 3, PL_RIGHT},
					       {names.p, 0, PL_LEFT}};
	around_head(out, t->s, t->e);
	cells_start(&c, &t->o->screen, columns, PL_COUNT(columns), budget / 4);
	put_rows(t, &c, n);
	cells_again(&c);
	put_rows(t, &c, n);
	cells_print(&c, out);
	cells_free(&c);
	put_cover(t, out, n);
	around_foot(out, t->e);
	pl_buf_free(&names);
}

static int put_event(struct pl_buf *out, const struct pl_summary *s,
		     const struct pl_summary_event *e, const struct query_options *o, size_t budget,
		     struct pl_err *err)
{
	struct tree t = {.s = s, .e = e, .o = o};
	int status = build(&t);

	if (status == 0) {
		choose_shown(&t);
		const struct around_table table = {put_table, &t, t.shown_n};
		around_fit(out, &table, budget);
	} else {
		*err = t.calls.err;
	}
	free(t.shown);
	free(t.rank);
	free(t.level);
	pl_calltree_free(&t.calls);
	return status;
}

int tree_write(struct pl_buf *out, const struct query_options *o, struct pl_analysis *a,
	       struct pl_err *err)
{
	const struct pl_summary_options wanted = {.event = o->event, .call_path_limit = UINT64_MAX};
	struct pl_summary s;
	int status = pl_summary_read(&s, &wanted, a, err);

	if (status == 0)
		status = around_events(out, &s, o, put_event, err);
	pl_summary_free(&s);
	return status;
}
