/* calltree: what a node weighs, in both profiles, and in which order nodes come */
#include "calltree.h"
#include "unit.h"

static struct pl_calltree t;

/* "main;f:lib.so" to frames: a DSO after a colon. */
static size_t frames_of(const char *path, uint32_t frames[8])
{
	char copy[128], *next = NULL;
	size_t n = 0;

	snprintf(copy, sizeof copy, "%s", path);
	for (char *word = strtok_r(copy, ";", &next); word; word = strtok_r(NULL, ";", &next)) {
		char *colon = strchr(word, ':');
		struct pl_calltree_frame f = {.dso = pl_str(colon ? colon + 1 : NULL)};
		if (colon)
			*colon = '\0';
		f.name = pl_str(word);
		frames[n++] = pl_calltree_frame(&t, &f);
	}
	return n;
}

static int add(const char *path, unsigned side, uint64_t weight)
{
	uint32_t frames[8];
	size_t n = frames_of(path, frames);

	return pl_calltree_add(&t, frames, n, side, weight, 1);
}

/* The tree as "name total/self" of one side, in order, a dot for each level. */
static const char *drawn(unsigned side)
{
	static char text[512];
	size_t n = 0, depth = 0;

	for (uint32_t at = 0; at != PL_CALLTREE_NONE; at = pl_calltree_walk(&t, at, true, &depth)) {
		const struct pl_calltree_sums *s = &t.sums[side][at];
		struct pl_str name = at ? t.frames[t.nodes[at].frame].name : PL_S("root");
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s%.*s %d/%d", at ? " " : "",
				      (int)depth, ".....", (int)name.n, name.p, (int)s->total,
				      (int)s->self);
	}
	return text;
}

static void is_drawn(unsigned side, const char *want)
{
	const char *got = drawn(side);
	CHECK_STR(got, strlen(got), want);
}

TEST(a_node_weighs_what_runs_through_it)
{
	pl_calltree_start(&t, 1);
	CHECK(add("main;g", 0, 5) == 0);
	CHECK(add("main;f;g", 0, 1) == 0);
	CHECK(add("main;g", 0, 2) == 0);
	CHECK(add("main", 0, 10) == 0);
	CHECK(add("idle", 0, 4) == 0);
	CHECK(add("", 0, 3) == 0);
	pl_calltree_finish(&t);
	pl_calltree_sort(&t, pl_calltree_by_name);
	is_drawn(0, "root 25/3 .idle 4/4 .main 18/10 ..f 1/0 ...g 1/1 ..g 7/7");
	pl_calltree_sort(&t, pl_calltree_by_total);
	is_drawn(0, "root 25/3 .main 18/10 ..g 7/7 ..f 1/0 ...g 1/1 .idle 4/4");
	CHECK_U64(t.seen.n, 5);
	CHECK_U64(t.sums[0][0].samples, 6);
	CHECK_U64(t.sums[0][t.nodes[0].first].self_samples, 1);
	pl_calltree_free(&t);
}

TEST(two_profiles_share_the_tree)
{
	pl_calltree_start(&t, 2);
	CHECK(add("main;f", 0, 1) == 0);
	CHECK(add("main;g", 1, 2) == 0);
	CHECK(add("main;f", 1, 3) == 0);
	pl_calltree_finish(&t);
	pl_calltree_sort(&t, pl_calltree_by_name);
	is_drawn(0, "root 1/0 .main 1/0 ..f 1/1 ..g 0/0");
	is_drawn(1, "root 5/0 .main 5/0 ..f 3/3 ..g 2/2");
	CHECK_U64(t.seen.n, 2);
	pl_calltree_free(&t);
}

TEST(frames_are_told_apart)
{
	struct pl_calltree_frame f = {.name = PL_S("f"), .dso = PL_S("a"), .kind = PL_S("user")};

	pl_calltree_start(&t, 1);
	uint32_t first = pl_calltree_frame(&t, &f);
	CHECK_U64(pl_calltree_frame(&t, &f), first);
	f.inlined = true;
	uint32_t inlined = pl_calltree_frame(&t, &f);
	CHECK(inlined != first);
	CHECK_U64(t.frames[inlined].key, t.frames[first].key);
	f.kind.p = NULL, f.kind.n = 0;
	CHECK(pl_calltree_frame(&t, &f) == 2 && !t.frames[2].kind.p);
	f.dso = PL_S("");
	CHECK(pl_calltree_frame(&t, &f) == 3 && t.frames[3].key != t.frames[2].key);
	CHECK_STR(t.frames[0].kind.p, t.frames[0].kind.n, "user");
	CHECK_STR(t.frames[0].name.p, t.frames[0].name.n, "f");
	CHECK_STR(t.frames[0].dso.p, t.frames[0].dso.n, "a");
	pl_calltree_free(&t);
}

/* For joining: what one profile knows and the other does not, and what they contradict. */
TEST(frames_of_one_function_can_be_one)
{
	struct pl_calltree_frame f = {.name = PL_S("f")};

	pl_calltree_start(&t, 2);
	t.by_function = true;
	uint32_t first = pl_calltree_frame(&t, &f);
	f.kind = PL_S("user");
	f.inlined = true;
	CHECK_U64(pl_calltree_frame(&t, &f), first);
	CHECK_STR(t.frames[first].kind.p, t.frames[first].kind.n, "user");
	CHECK(t.frames[first].inlined);
	f.kind = PL_S("kernel");
	CHECK_U64(pl_calltree_frame(&t, &f), first);
	CHECK(!t.frames[first].kind.p);
	f.kind = PL_S("user");
	CHECK(pl_calltree_frame(&t, &f) == first && !t.frames[first].kind.p);
	f.kind = PL_S(PL_CALLTREE_REST);
	CHECK(pl_calltree_frame(&t, &f) != first);
	pl_calltree_free(&t);
}

TEST(what_is_below_can_be_left_out)
{
	size_t depth = 0;

	pl_calltree_start(&t, 1);
	CHECK(add("a;b;c", 0, 1) == 0 && add("d", 0, 1) == 0);
	pl_calltree_finish(&t);
	pl_calltree_sort(&t, pl_calltree_by_name);
	uint32_t a = pl_calltree_walk(&t, 0, true, &depth);
	CHECK_U64(depth, 1);
	uint32_t d = pl_calltree_walk(&t, a, false, &depth);
	CHECK_U64(depth, 1);
	CHECK_STR(t.frames[t.nodes[d].frame].name.p, 1, "d");
	CHECK(pl_calltree_walk(&t, d, true, &depth) == PL_CALLTREE_NONE);
	CHECK(pl_calltree_walk(&t, 0, false, &depth) == PL_CALLTREE_NONE);
	pl_calltree_free(&t);
}

TEST(limits_and_sums_are_held)
{
	pl_calltree_start(&t, 1);
	t.max_paths = 2;
	CHECK(add("a", 0, 1) == 0 && add("b", 0, 1) == 0 && add("a", 0, 1) == 0);
	CHECK(add("c", 0, 1) == -1 && t.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	pl_calltree_free(&t);
	pl_calltree_start(&t, 1);
	CHECK(add("a", 0, UINT64_MAX) == 0 && add("b", 0, 0) == 0);
	CHECK(add("b", 0, 1) == -1 && t.err.code == PL_E_WEIGHT_OVERFLOW);
	pl_calltree_free(&t);
}

/* Enough of them that the table of children grows, against sums made here. */
TEST(many_paths_keep_their_weights)
{
	enum { WIDTH = 7, DEPTH = 5, PATHS = 7 * 7 * 7 * 7 * 7 };
	uint32_t ids[WIDTH];
	uint64_t first_level[WIDTH] = {0};

	pl_calltree_start(&t, 1);
	for (int i = 0; i < WIDTH; i++) {
		char name[2] = {(char)('a' + i), 0};
		ids[i] = pl_calltree_frame(&t, &(struct pl_calltree_frame){.name = pl_str(name)});
	}
	for (uint32_t i = 0; i < PATHS; i++) {
		uint32_t path[DEPTH], scattered = i * 5 % PATHS;
		for (uint32_t rest = scattered, d = 0; d < DEPTH; d++, rest /= WIDTH)
			path[d] = ids[rest % WIDTH];
		first_level[scattered % WIDTH] += i;
		CHECK(pl_calltree_add(&t, path, DEPTH, 0, i, 1) == 0);
	}
	pl_calltree_finish(&t);
	pl_calltree_sort(&t, pl_calltree_by_name);
	CHECK_U64(t.n, 1 + 7 + 49 + 343 + 2401 + 16807);
	uint32_t at = t.nodes[0].first;
	for (int i = 0; i < WIDTH; i++, at = t.nodes[at].next)
		CHECK_U64(t.sums[0][at].total, first_level[i]);
	CHECK(at == PL_CALLTREE_NONE);
	pl_calltree_free(&t);
}

int main(void)
{
	RUN(a_node_weighs_what_runs_through_it);
	RUN(two_profiles_share_the_tree);
	RUN(frames_are_told_apart);
	RUN(frames_of_one_function_can_be_one);
	RUN(what_is_below_can_be_left_out);
	RUN(limits_and_sums_are_held);
	RUN(many_paths_keep_their_weights);
	return unit_done();
}
