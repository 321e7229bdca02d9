/* space: held to arrays that say of each address what is mapped there */
#include "../../filters/data-parse/space.h"
#include "perf_kit.h"

enum { PAGES = 64, SPACES = 6 };

struct model {
	struct {
		bool mapped;
		uint32_t module;
		uint64_t pgoff; /* of this page in its file */
	} page[PAGES];
};

static struct space_map map_of(uint64_t start, uint64_t end, uint64_t pgoff, uint32_t module)
{
	return (struct space_map){
		.start = start, .end = end, .pgoff = pgoff, .module = module, .exec = true};
}

static void model_insert(struct model *m, struct space_map map)
{
	for (uint64_t i = map.start; i < map.end; i++) {
		m->page[i].mapped = true;
		m->page[i].module = map.module;
		m->page[i].pgoff = map.pgoff + (i - map.start);
	}
}

static void check_same(const struct space *s, const struct model *m)
{
	for (size_t i = 0; i < s->n; i++) {
		CHECK(s->maps[i].start < s->maps[i].end);
		CHECK(i == 0 || s->maps[i - 1].end <= s->maps[i].start);
	}
	for (uint64_t i = 0; i < PAGES; i++) {
		const struct space_map *map = space_find(s, i);
		if (!CHECK((map != NULL) == m->page[i].mapped) || !map)
			continue;
		CHECK_U64(map->module, m->page[i].module);
		CHECK_U64(i - map->start + map->pgoff, m->page[i].pgoff);
	}
}

TEST(a_map_within_another_leaves_both_sides)
{
	struct spaces all = {.max_maps = 100};
	struct space *s = space_new(&all);

	CHECK(space_insert(&all, &s, map_of(0x1000, 0x5000, 0x10000, 1)) == 0);
	CHECK(space_insert(&all, &s, map_of(0x2000, 0x3000, 0, 2)) == 0);
	CHECK_U64(s->n, 3);
	CHECK_U64(s->maps[0].end, 0x2000);
	CHECK_U64(s->maps[0].pgoff, 0x10000);
	CHECK_U64(s->maps[1].module, 2);
	CHECK_U64(s->maps[2].start, 0x3000);
	CHECK_U64(s->maps[2].pgoff, 0x12000);
	CHECK_U64(space_find(s, 0x1fff)->module, 1);
	CHECK_U64(space_find(s, 0x2000)->module, 2);
	CHECK_U64(space_find(s, 0x3000)->module, 1);
	CHECK(space_find(s, 0xfff) == NULL && space_find(s, 0x5000) == NULL);
	CHECK_U64(all.maps, 3);
	space_release(&all, s);
	CHECK_U64(all.maps, 0);
}

TEST(the_last_address_of_all)
{
	struct spaces all = {.max_maps = 100};
	struct space *s = space_new(&all);

	CHECK(space_insert(&all, &s, map_of(UINT64_MAX - 1, UINT64_MAX, 0, 1)) == 0);
	CHECK(space_find(s, UINT64_MAX - 1) != NULL && space_find(s, UINT64_MAX) == NULL);
	space_release(&all, s);
}

TEST(inserts_and_forks_at_random)
{
	static struct model models[SPACES];
	struct spaces all = {.max_maps = 100000};
	struct space *s[SPACES];
	uint64_t state = 99, last_version = 0;

	for (int i = 0; i < SPACES; i++)
		s[i] = space_new(&all);
	for (int round = 0; round < 3000; round++) {
		size_t at = chance(&state) % SPACES, from = chance(&state) % SPACES;
		if (chance(&state) % 8 == 0 && at != from) {
			space_release(&all, s[at]);
			s[at] = space_share(s[from]);
			models[at] = models[from];
		} else {
			uint64_t start = chance(&state) % PAGES;
			uint64_t end = start + 1 + chance(&state) % (PAGES - start);
			struct space_map map = map_of(start, end, chance(&state) % 1000,
						      (uint32_t)chance(&state) % 5);
			CHECK(space_insert(&all, &s[at], map) == 0);
			model_insert(&models[at], map);
			CHECK(s[at]->version > last_version);
			last_version = s[at]->version;
		}
		for (int i = 0; i < SPACES; i++)
			check_same(s[i], &models[i]);
	}
	for (int i = 0; i < SPACES; i++)
		space_release(&all, s[i]);
	CHECK_U64(all.maps, 0);
}

TEST(a_copy_is_made_only_for_who_changes)
{
	struct spaces all = {.max_maps = 100};
	struct space *parent = space_new(&all), *child;

	CHECK(space_insert(&all, &parent, map_of(1, 5, 0, 1)) == 0);
	child = space_share(parent);
	CHECK(child == parent);
	CHECK_U64(all.maps, 1);
	CHECK(space_insert(&all, &child, map_of(7, 8, 0, 2)) == 0);
	CHECK(child != parent && child->version != parent->version);
	CHECK(space_find(parent, 7) == NULL && space_find(child, 1) != NULL);
	CHECK_U64(all.maps, 3);
	space_release(&all, parent);
	space_release(&all, child);
	CHECK_U64(all.maps, 0);
}

TEST(too_many_maps_change_nothing)
{
	struct spaces all = {.max_maps = 6};
	struct space *s = space_new(&all), *other;
	uint64_t version;

	for (uint64_t i = 0; i < 4; i++)
		CHECK(space_insert(&all, &s, map_of(10 * i, 10 * i + 5, 0, 0)) == 0);
	/* a fifth would do, but a map could have become three */
	CHECK(space_insert(&all, &s, map_of(50, 51, 0, 0)) == 0);
	version = s->version;
	CHECK(space_insert(&all, &s, map_of(60, 61, 0, 0)) == -1);
	CHECK(s->n == 5 && s->version == version && space_find(s, 60) == NULL);
	other = space_share(s);
	CHECK(space_insert(&all, &other, map_of(60, 61, 0, 0)) == -1);
	CHECK(other == s);
	space_release(&all, other);
	space_release(&all, s);
}

TEST(one_space_has_bounds_of_its_own)
{
	struct spaces all = {.max_maps = SIZE_MAX / 2};
	struct space *s = space_new(&all);
	uint64_t i = 0;

	while (i < 2 * SPACE_MAPS_MAX &&
	       space_insert(&all, &s, map_of(2 * i, 2 * i + 1, 0, 0)) == 0)
		i++;
	CHECK_U64(i, SPACE_MAPS_MAX - 1);
	space_release(&all, s);
}

/* Each insert at the front moves all others; at some point it is enough. */
TEST(work_has_bounds)
{
	struct spaces all = {.max_maps = SIZE_MAX / 2};
	struct space *s = space_new(&all);

	all.moves = SPACE_MOVES_MAX - 2;
	CHECK(space_insert(&all, &s, map_of(20, 21, 0, 0)) == 0);
	CHECK_U64(all.moves, SPACE_MOVES_MAX - 1);
	CHECK(space_insert(&all, &s, map_of(10, 11, 0, 0)) == 0);
	CHECK_U64(all.moves, SPACE_MOVES_MAX + 1);
	CHECK(space_insert(&all, &s, map_of(30, 31, 0, 0)) == -1);
	CHECK_U64(s->n, 2);
	space_release(&all, s);
}

int main(void)
{
	RUN(a_map_within_another_leaves_both_sides);
	RUN(the_last_address_of_all);
	RUN(inserts_and_forks_at_random);
	RUN(a_copy_is_made_only_for_who_changes);
	RUN(too_many_maps_change_nothing);
	RUN(one_space_has_bounds_of_its_own);
	RUN(work_has_bounds);
	return unit_done();
}
