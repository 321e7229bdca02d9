/* calltree: call paths as a prefix tree of functions */
#include "calltree.h"
#include "num.h"
#include "text.h"

#include <sys/random.h>

/* Room for so many nodes is asked for at once: memory that is not touched costs nothing, and
 * copying the tree each time that it grows was a fifth of the time. */
enum { FIRST_SLOTS = 1 << 16, FIRST_NODES = 1 << 21 };

static uint32_t add_node(struct pl_calltree *t, uint32_t parent, uint32_t frame)
{
	PL_GROW(t->nodes, t->n + 1, t->cap);
	for (unsigned side = 0; side < t->sides; side++)
		PL_GROW(t->sums[side], t->n + 1, t->sums_cap[side]);
	t->nodes[t->n] =
		(struct pl_calltree_node){frame, parent, PL_CALLTREE_NONE, PL_CALLTREE_NONE};
	return (uint32_t)t->n++;
}

void pl_calltree_start(struct pl_calltree *t, unsigned sides)
{
	*t = (struct pl_calltree){.sides = sides, .mask = FIRST_SLOTS - 1};
	pl_intern_init(&t->identities);
	pl_intern_init(&t->keys);
	pl_intern_init(&t->kinds);
	pl_intern_init(&t->seen);
	t->slots = pl_alloc(FIRST_SLOTS * sizeof *t->slots);
	t->seed = t->keys.seed;
	t->cap = FIRST_NODES;
	t->nodes = pl_alloc(t->cap * sizeof *t->nodes);
	for (unsigned side = 0; side < sides; side++) {
		t->sums_cap[side] = FIRST_NODES;
		t->sums[side] = pl_alloc(FIRST_NODES * sizeof *t->sums[side]);
	}
	add_node(t, PL_CALLTREE_NONE, PL_CALLTREE_NONE);
}

void pl_calltree_free(struct pl_calltree *t)
{
	free(t->nodes);
	for (unsigned side = 0; side < PL_CALLTREE_SIDES; side++)
		free(t->sums[side]);
	free(t->frames);
	pl_intern_free(&t->identities);
	pl_intern_free(&t->keys);
	pl_intern_free(&t->kinds);
	pl_intern_free(&t->seen);
	free(t->paths);
	free(t->slots);
	free(t->last_frames);
	free(t->last_nodes);
	free(t->mapped);
	free(t->path);
	pl_buf_free(&t->scratch);
	*t = (struct pl_calltree){0};
}

/* ---- frames ---- */

/* The key of the row, and behind it what else tells two frames apart, each with its length. */
static uint32_t identity(struct pl_calltree *t, const struct pl_calltree_frame *frame,
			 struct pl_str *row)
{
	struct pl_buf *b = &t->scratch;
	bool rest = pl_str_is(frame->kind, PL_CALLTREE_REST);

	pl_row_key(b, frame->name, frame->dso);
	size_t n = b->n;
	const uint64_t more[3] = {n, frame->kind.p != NULL, frame->inlined};
	if (!t->by_function || rest) {
		pl_buf_add(b, more, sizeof more);
		pl_buf_adds(b, frame->kind);
	}
	uint32_t id = pl_intern(&t->identities, b->p, b->n);
	*row = (struct pl_str){pl_intern_str(&t->identities, id).p, n};
	return id;
}

static struct pl_str keep_kind(struct pl_calltree *t, struct pl_str kind)
{
	return kind.p ? pl_intern_str(&t->kinds, pl_intern(&t->kinds, kind.p, kind.n)) : kind;
}

/* What another recording of the same frame knows. */
static void learn(struct pl_calltree *t, struct pl_calltree_frame *f,
		  const struct pl_calltree_frame *more)
{
	if (!f->id[0])
		memcpy(f->id, more->id, PL_ROW_ID_MAX);
	f->inlined |= more->inlined;
	if (!more->kind.p || f->mixed || pl_str_eq(f->kind, more->kind))
		return;
	f->mixed = f->kind.p != NULL;
	f->kind = f->mixed ? (struct pl_str){NULL, 0} : keep_kind(t, more->kind);
}

uint32_t pl_calltree_frame(struct pl_calltree *t, const struct pl_calltree_frame *frame)
{
	struct pl_str row;
	uint32_t id = identity(t, frame, &row);

	if (id < t->frames_n) {
		learn(t, &t->frames[id], frame);
		return id;
	}
	PL_GROW(t->frames, t->frames_n + 1, t->frames_cap);
	struct pl_calltree_frame *f = &t->frames[t->frames_n++];
	*f = *frame;
	f->mixed = false;
	f->key = pl_intern(&t->keys, row.p, row.n);
	f->name = pl_row_key_name(row);
	f->dso = pl_row_key_dso(row);
	f->kind = keep_kind(t, frame->kind);
	return id;
}

/* ---- paths ---- */

static size_t slot_of(const struct pl_calltree *t, uint32_t parent, uint32_t frame)
{
	uint64_t edge = (uint64_t)parent << 32 | frame;

	return (size_t)pl_hash_mix(edge ^ t->seed, 0x9e3779b97f4a7c15) & t->mask;
}

static void rehash(struct pl_calltree *t)
{
	free(t->slots);
	t->mask = t->mask * 2 + 1;
	t->slots = pl_alloc((t->mask + 1) * sizeof *t->slots);
	for (uint32_t node = 1; node < t->n; node++) {
		size_t i = slot_of(t, t->nodes[node].parent, t->nodes[node].frame);
		while (t->slots[i])
			i = (i + 1) & t->mask;
		t->slots[i] = node;
	}
}

static uint32_t child(struct pl_calltree *t, uint32_t parent, uint32_t frame)
{
	size_t i = slot_of(t, parent, frame);

	for (; t->slots[i]; i = (i + 1) & t->mask) {
		const struct pl_calltree_node *node = &t->nodes[t->slots[i]];
		if (node->parent == parent && node->frame == frame)
			return t->slots[i];
	}
	if (t->n >= PL_CALLTREE_NODES_MAX)
		return PL_CALLTREE_NONE;
	uint32_t node = add_node(t, parent, frame);
	t->nodes[node].next = t->nodes[parent].first;
	t->nodes[parent].first = node;
	t->slots[i] = node;
	if (t->n * 2 > t->mask)
		rehash(t);
	return node;
}

/* The node of a path. What it shares with the path before it is not looked up again. */
static uint32_t find(struct pl_calltree *t, const uint32_t *frames, size_t depth)
{
	size_t i = 0;
	uint32_t node = 0;

	PL_GROW(t->last_frames, depth, t->last_frames_cap);
	PL_GROW(t->last_nodes, depth, t->last_nodes_cap);
	while (i < depth && i < t->last_n && t->last_frames[i] == frames[i])
		node = t->last_nodes[i++];
	t->last_n = i;
	for (; i < depth; i++) {
		node = child(t, node, frames[i]);
		if (node == PL_CALLTREE_NONE)
			return node;
		t->last_frames[i] = frames[i];
		t->last_nodes[i] = node;
		t->last_n = i + 1;
	}
	return node;
}

static int too_many_nodes(struct pl_calltree *t)
{
	pl_err_set(&t->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
		   _("the call paths make a tree of more than %d nodes"), PL_CALLTREE_NODES_MAX);
	return pl_err_action(&t->err, _("choose some of the samples with pl-select"));
}

static int learn_path(struct pl_calltree *t, const uint32_t *frames, size_t depth)
{
	uint32_t node = find(t, frames, depth);

	if (node == PL_CALLTREE_NONE)
		return too_many_nodes(t);
	if (t->max_paths && t->seen.n > t->max_paths)
		return pl_limit_exceeded(&t->err, PL_LIMIT_UNIQUE_CALL_PATHS, t->max_paths);
	PL_GROW(t->paths, t->seen.n, t->paths_cap);
	t->paths[t->seen.n - 1].node = node;
	return 0;
}

/* Most paths of a profile come again, and one look-up of a whole one is cheaper than one of each of
 * its frames. What each weighs goes into the tree at the end, for the same reason. */
int pl_calltree_add(struct pl_calltree *t, const uint32_t *frames, size_t depth, unsigned side,
		    uint64_t weight, uint64_t samples)
{
	size_t known = t->seen.n;
	uint32_t id =
		pl_intern(&t->seen, depth ? (const void *)frames : "", depth * sizeof *frames);

	if (id == known && learn_path(t, frames, depth))
		return -1;
	if (!pl_num_add(&t->weight[side], weight))
		return pl_err_set(&t->err, PL_E_WEIGHT_OVERFLOW,
				  _("the weights of the call paths do not fit 64 bits"));
	t->paths[id].weight[side] += weight;
	t->paths[id].samples[side] += samples;
	return 0;
}

/* ---- from a reader of stacks ---- */

static uint32_t map_frame(struct pl_calltree *t, const struct pl_stacks *k, uint32_t frame)
{
	const struct pl_stacks_frame *f = &k->frames[frame];
	struct pl_calltree_frame ours = {
		.name = f->name, .dso = f->dso, .kind = f->kind, .inlined = f->inlined};

	PL_GROW(t->mapped, (size_t)frame + 1, t->mapped_cap);
	t->mapped[frame] = pl_calltree_frame(t, &ours) + 1;
	return t->mapped[frame];
}

int pl_calltree_take(struct pl_calltree *t, const struct pl_stacks *k, unsigned side)
{
	PL_GROW(t->path, k->depth, t->path_cap);
	for (size_t i = 0; i < k->depth; i++) {
		uint32_t frame = k->stack[i];
		uint32_t mapped = frame < t->mapped_cap ? t->mapped[frame] : 0;
		t->path[i] = (mapped ? mapped : map_frame(t, k, frame)) - 1;
	}
	return pl_calltree_add(t, t->path, k->depth, side, k->weight, k->samples);
}

void pl_calltree_taken(struct pl_calltree *t, const struct pl_stacks *k)
{
	char(*ids)[PL_ROW_ID_MAX] = pl_stacks_ids(k);

	for (size_t i = 0; i < k->frames_n && i < t->mapped_cap; i++) {
		if (t->mapped[i] == 0)
			continue;
		struct pl_calltree_frame *f = &t->frames[t->mapped[i] - 1];
		if (!f->id[0])
			memcpy(f->id, ids[k->frames[i].key], PL_ROW_ID_MAX);
	}
	free(ids);
	if (t->mapped_cap)
		memset(t->mapped, 0, t->mapped_cap * sizeof *t->mapped);
}

int pl_calltree_take_rest(struct pl_calltree *t, const struct pl_stacks *k, unsigned side)
{
	const struct pl_calltree_frame rest = {.name = k->frames[k->stack[0]].name,
					       .kind = PL_S(PL_CALLTREE_REST)};
	uint32_t frame = pl_calltree_frame(t, &rest);

	return pl_calltree_add(t, &frame, 1, side, k->weight, 0);
}

int pl_calltree_fill(struct pl_calltree *t, struct pl_stacks *k, unsigned side, uint32_t *event)
{
	enum pl_stacks_kind kind;

	while ((kind = pl_stacks_next(k)) == PL_STACKS_STACK)
		if (pl_calltree_take(t, k, side))
			return -1;
	int64_t one = kind == PL_STACKS_DONE ? pl_stacks_one(k) : -1;
	if (one < 0) {
		t->err = k->err;
		return -1;
	}
	*event = (uint32_t)one;
	pl_calltree_taken(t, k);
	while (pl_stacks_rest(k) == PL_STACKS_STACK)
		if (k->event == *event && pl_calltree_take_rest(t, k, side))
			return -1;
	return 0;
}

/* ---- totals and orders ---- */

static int compare_kinds(const struct pl_calltree_frame *a, const struct pl_calltree_frame *b)
{
	int order = pl_str_cmp(a->kind, b->kind);

	return order ? order : (int)a->inlined - (int)b->inlined;
}

static int compare_frames(const void *a, const void *b, void *tree)
{
	const struct pl_calltree *t = tree;
	const struct pl_calltree_frame *x = &t->frames[*(const uint32_t *)a],
				       *y = &t->frames[*(const uint32_t *)b];
	int order = pl_str_cmp(x->name, y->name);

	if (!order)
		order = pl_str_cmp(x->dso, y->dso);
	return order ? order : compare_kinds(x, y);
}

static void rank_frames(struct pl_calltree *t)
{
	uint32_t *order = pl_alloc((t->frames_n + 1) * sizeof *order);

	for (uint32_t i = 0; i < t->frames_n; i++)
		order[i] = i;
	qsort_r(order, t->frames_n, sizeof *order, compare_frames, t);
	for (uint32_t i = 0; i < t->frames_n; i++)
		t->frames[order[i]].rank = i;
	free(order);
}

static void sum_up(struct pl_calltree *t, struct pl_calltree_sums *sums, unsigned side)
{
	for (size_t i = 0; i < t->seen.n; i++) {
		sums[t->paths[i].node].self += t->paths[i].weight[side];
		sums[t->paths[i].node].self_samples += t->paths[i].samples[side];
	}
	for (size_t i = 0; i < t->n; i++) {
		sums[i].total = sums[i].self;
		sums[i].samples = sums[i].self_samples;
	}
	for (size_t i = t->n; i-- > 1;) {
		sums[t->nodes[i].parent].total += sums[i].total;
		sums[t->nodes[i].parent].samples += sums[i].samples;
	}
}

void pl_calltree_finish(struct pl_calltree *t)
{
	rank_frames(t);
	for (unsigned side = 0; side < t->sides; side++)
		sum_up(t, t->sums[side], side);
}

static uint32_t rank_of(const struct pl_calltree *t, uint32_t node)
{
	return t->frames[t->nodes[node].frame].rank;
}

int pl_calltree_by_name(const struct pl_calltree *t, uint32_t a, uint32_t b)
{
	return rank_of(t, a) < rank_of(t, b) ? -1 : rank_of(t, a) > rank_of(t, b);
}

int pl_calltree_by_total(const struct pl_calltree *t, uint32_t a, uint32_t b)
{
	unsigned __int128 x = 0, y = 0;

	for (unsigned side = 0; side < t->sides; side++) {
		x += t->sums[side][a].total;
		y += t->sums[side][b].total;
	}
	return x != y ? (x > y ? -1 : 1) : pl_calltree_by_name(t, a, b);
}

struct ordering {
	const struct pl_calltree *t;
	pl_calltree_order *order;
};

static int compare_nodes(const void *a, const void *b, void *ordering)
{
	const struct ordering *o = ordering;

	return o->order(o->t, *(const uint32_t *)a, *(const uint32_t *)b);
}

void pl_calltree_sort(struct pl_calltree *t, pl_calltree_order *order)
{
	struct ordering ordering = {t, order};
	uint32_t *children = NULL;
	size_t cap = 0;

	for (size_t at = 0; at < t->n; at++) {
		size_t n = 0;
		for (uint32_t c = t->nodes[at].first; c != PL_CALLTREE_NONE; c = t->nodes[c].next) {
			PL_GROW(children, n + 1, cap);
			children[n++] = c;
		}
		if (n < 2)
			continue;
		qsort_r(children, n, sizeof *children, compare_nodes, &ordering);
		t->nodes[at].first = children[0];
		for (size_t i = 0; i < n; i++)
			t->nodes[children[i]].next = i + 1 < n ? children[i + 1] : PL_CALLTREE_NONE;
	}
	free(children);
}

uint32_t pl_calltree_walk(const struct pl_calltree *t, uint32_t at, bool descend, size_t *depth)
{
	const struct pl_calltree_node *nodes = t->nodes;

	if (descend && nodes[at].first != PL_CALLTREE_NONE) {
		++*depth;
		return nodes[at].first;
	}
	while (at != 0 && nodes[at].next == PL_CALLTREE_NONE) {
		at = nodes[at].parent;
		--*depth;
	}
	return at == 0 ? PL_CALLTREE_NONE : nodes[at].next;
}
