/* intern: ids are dense and in order, bytes are found again and stay where they are */
#include "intern.h"
#include "num.h"
#include "unit.h"
#include <stdlib.h>

static uint32_t intern_z(struct pl_intern *t, const char *z)
{
	return pl_intern(t, z, strlen(z));
}

TEST(ids_count_from_zero_in_order_of_appearance)
{
	struct pl_intern t;

	pl_intern_init(&t);
	CHECK_U64(intern_z(&t, "main"), 0);
	CHECK_U64(intern_z(&t, "compute"), 1);
	CHECK_U64(intern_z(&t, "main"), 0);
	CHECK_U64(intern_z(&t, "malloc"), 2);
	CHECK_U64(t.n, 3);
	CHECK_U64(pl_intern_find(&t, "compute", 7), 1);
	CHECK_U64(pl_intern_find(&t, "absent", 6), PL_INTERN_NONE);
	CHECK_U64(t.n, 3);
	CHECK_STR(pl_intern_str(&t, 2).p, pl_intern_str(&t, 2).n, "malloc");
	pl_intern_free(&t);
	CHECK(t.n == 0 && !t.entries && !t.slots);
}

TEST(the_empty_string_is_one_of_them)
{
	struct pl_intern t;

	pl_intern_init(&t);
	CHECK_U64(pl_intern_find(&t, "", 0), PL_INTERN_NONE);
	CHECK_U64(pl_intern(&t, "", 0), 0);
	CHECK_U64(pl_intern(&t, "\0", 1), 1);
	CHECK_U64(pl_intern(&t, "", 0), 0);
	CHECK_U64(pl_intern_find(&t, "", 0), 0);
	CHECK(pl_intern_str(&t, 0).p != NULL);
	CHECK_U64(pl_intern_str(&t, 0).n, 0);
	pl_intern_free(&t);
}

/* Every prefix of one text, and every text that differs from it in one byte, is a string of its
 * own: lengths around the 4, 8 and 16 bytes that are hashed at once. */
TEST(prefixes_and_neighbours_are_distinct)
{
	enum { MOST = 40 };
	char text[MOST], other[MOST];
	struct pl_intern t;
	uint32_t id = 0;

	memset(text, 0, sizeof text);
	pl_intern_init(&t);
	for (size_t n = 0; n <= MOST; n++)
		CHECK_U64(pl_intern(&t, text, n), id++);
	for (size_t n = 1; n <= MOST; n++) {
		for (size_t at = 0; at < n; at++) {
			memcpy(other, text, MOST);
			other[at] = 1;
			CHECK_U64(pl_intern(&t, other, n), id++);
		}
	}
	for (size_t n = 0; n <= MOST; n++)
		CHECK_U64(pl_intern_find(&t, text, n), n);
	pl_intern_free(&t);
}

TEST(bytes_are_copied_aligned_and_do_not_move)
{
	struct pl_intern t;
	struct pl_str views[2000];
	char text[64];

	pl_intern_init(&t);
	for (size_t i = 0; i < PL_COUNT(views); i++) {
		/* from an odd address, in lengths that are no multiple of 8 */
		size_t n =
			(size_t)snprintf(text + 1, sizeof text - 1, "%0*zu", (int)(i % 37) + 1, i);
		views[i] = pl_intern_str(&t, pl_intern(&t, text + 1, n));
		CHECK((uintptr_t)views[i].p % 8 == 0);
		CHECK(views[i].p[n] == '\0');
	}
	for (size_t i = 0; i < PL_COUNT(views); i++) {
		snprintf(text, sizeof text, "%0*zu", (int)(i % 37) + 1, i);
		CHECK_STR(views[i].p, views[i].n, text);
		CHECK(views[i].p[views[i].n] == '\0');
	}
	pl_intern_free(&t);
}

/* Nothing reads beyond the string: what follows it is out of bounds, which a sanitizer sees. */
TEST(no_byte_behind_the_string_counts)
{
	struct pl_intern t;

	pl_intern_init(&t);
	for (size_t n = 1; n <= 40; n++) {
		char *exact = malloc(n), *longer = malloc(n + 8);
		memset(exact, 'x', n);
		memset(longer, 'x', n);
		memset(longer + n, 'y', 8);
		uint32_t id = pl_intern(&t, exact, n);
		CHECK_U64(pl_intern(&t, longer, n), id);
		free(exact);
		free(longer);
	}
	CHECK_U64(t.n, 40);
	pl_intern_free(&t);
}

TEST(a_million_strings)
{
	enum { MANY = 1000000 };
	struct pl_intern t;
	char text[PL_NUM_MAX];
	bool dense = true, found = true, same = true;

	pl_intern_init(&t);
	for (uint32_t i = 0; i < MANY; i++)
		dense &= pl_intern(&t, text, pl_num_put_u64(text, i)) == i;
	for (uint32_t i = 0; i < MANY; i += 7) {
		size_t n = pl_num_put_u64(text, i);
		struct pl_str s = pl_intern_str(&t, i);
		found &= pl_intern_find(&t, text, n) == i && pl_intern(&t, text, n) == i;
		same &= s.n == n && memcmp(s.p, text, n) == 0;
	}
	CHECK(dense);
	CHECK(found);
	CHECK(same);
	CHECK_U64(t.n, MANY);
	CHECK_U64(pl_intern_find(&t, "1000000", 7), PL_INTERN_NONE);
	pl_intern_free(&t);
}

TEST(a_look_up_in_parts_is_the_look_up)
{
	struct pl_intern t;

	pl_intern_init(&t);
	uint32_t hash = pl_intern_hash(&t, "compute", 7);
	pl_intern_prefetch(&t, hash);
	CHECK_U64(pl_intern_hashed(&t, "compute", 7, hash), 0);
	CHECK_U64(pl_intern(&t, "compute", 7), 0);
	/* equal hashes do not make equal strings */
	CHECK_U64(pl_intern_hashed(&t, "computf", 7, hash), 1);
	CHECK_U64(pl_intern_hashed(&t, "comput", 6, hash), 2);
	CHECK_U64(pl_intern_hashed(&t, "computf", 7, hash), 1);
	CHECK_U64(pl_intern_hashed(&t, "compute", 7, hash), 0);
	pl_intern_free(&t);
}

/* Of 64 bits, a change of one bit of text or seed should change about half. */
static unsigned changed_bits(const unsigned char *a, const unsigned char *b, size_t n,
			     uint64_t seed)
{
	return (unsigned)__builtin_popcountll(pl_hash_bytes(a, n, seed) ^
					      pl_hash_bytes(b, n, seed));
}

TEST(the_hash_mixes_every_bit)
{
	unsigned char text[48], other[48];

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (unsigned char)(i * 37);
	for (size_t n = 1; n <= sizeof text; n++) {
		unsigned least = 64;
		for (size_t bit = 0; bit < 8 * n; bit++) {
			memcpy(other, text, sizeof text);
			other[bit / 8] ^= (unsigned char)(1 << bit % 8);
			unsigned changed = changed_bits(text, other, n, 12345);
			least = changed < least ? changed : least;
		}
		CHECK(least >= 10); /* of a random function fewer are seen once in 10^9 pairs */
		CHECK(pl_hash_bytes(text, n, 1) != pl_hash_bytes(text, n, 2));
	}
}

TEST(each_table_has_a_seed_of_its_own)
{
	struct pl_intern a, b;

	pl_intern_init(&a);
	pl_intern_init(&b);
	CHECK(a.seed != b.seed);
	pl_intern_free(&a);
	pl_intern_free(&b);
}

int main(void)
{
	RUN(ids_count_from_zero_in_order_of_appearance);
	RUN(the_empty_string_is_one_of_them);
	RUN(prefixes_and_neighbours_are_distinct);
	RUN(bytes_are_copied_aligned_and_do_not_move);
	RUN(no_byte_behind_the_string_counts);
	RUN(a_million_strings);
	RUN(a_look_up_in_parts_is_the_look_up);
	RUN(the_hash_mixes_every_bit);
	RUN(each_table_has_a_seed_of_its_own);
	return unit_done();
}
