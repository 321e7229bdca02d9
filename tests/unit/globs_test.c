/* globs: the automaton against a matcher that tries everything, over random patterns and names */
#include "../../filters/classify/globs.h"
#include "unit.h"
#include <stdlib.h>

enum { ROUNDS = 300, PATTERNS = 12, NAMES = 40, LONGEST = 32 };

static struct globs globs;
static uint32_t *found;
static size_t found_cap;
static uint64_t state, matched;

static unsigned below(unsigned n) /* xorshift64: the same in every run */
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % n);
}

/* ---- the matcher that tries everything: p and s end with NUL components ---- */

static bool naive_component(const char *p, size_t pn, const char *s, size_t sn)
{
	if (pn == 0)
		return sn == 0;
	if (*p == '*')
		return naive_component(p + 1, pn - 1, s, sn) ||
		       (sn && naive_component(p, pn, s + 1, sn - 1));
	if (*p == '\\') {
		p++;
		pn--;
	}
	return sn && *p == *s && naive_component(p + 1, pn - 1, s + 1, sn - 1);
}

static bool naive(const char *p, size_t pn, const char *s, size_t sn)
{
	if (pn == 0)
		return sn == 0;
	size_t p1 = strlen(p), s1 = sn ? strlen(s) : 0;
	if (strcmp(p, "**") == 0)
		return naive(p + 3, pn - 3, s, sn) || (sn && naive(p, pn, s + s1 + 1, sn - s1 - 1));
	return sn && naive_component(p, p1, s, s1) &&
	       naive(p + p1 + 1, pn - p1 - 1, s + s1 + 1, sn - s1 - 1);
}

/* ---- */

/* Components of one letter to three, each ended by a NUL: of names 'a', 'b' and '*'; of patterns
 * those, escaped or not, stars, and "**". */
static size_t make_text(char *text, bool pattern)
{
	static const char *const letters[] = {"a", "b", "*", "\\a", "\\*"};
	size_t n = 0;

	for (unsigned components = 1 + below(4); components; components--) {
		if (pattern && below(4) == 0) {
			memcpy(text + n, "**", 3);
			n += 3;
			continue;
		}
		for (unsigned k = 1 + below(3); k; k--) {
			const char *letter = letters[below(pattern ? 5 : 3)];
			memcpy(text + n, letter, strlen(letter));
			n += strlen(letter);
		}
		text[n++] = '\0';
	}
	return n;
}

static bool is_found(size_t n, uint32_t id)
{
	for (size_t i = 0; i < n; i++)
		if (found[i] == id)
			return true;
	return false;
}

static void check_name(const char *name, size_t n, char p[][LONGEST], const size_t *pn,
		       const uint32_t *ids)
{
	size_t got = globs_match(&globs, (struct pl_str){name, n}, &found, &found_cap);

	for (size_t i = 0; i < PATTERNS; i++) {
		bool want = naive(p[i], pn[i], name, n);
		CHECK(is_found(got, ids[i]) == want);
		matched += want;
	}
}

static void check_round(size_t states)
{
	char patterns[PATTERNS][LONGEST], name[LONGEST];
	size_t lengths[PATTERNS];
	uint32_t ids[PATTERNS];

	globs_init(&globs);
	globs.states_max = states;
	for (size_t i = 0; i < PATTERNS; i++) {
		lengths[i] = make_text(patterns[i], true);
		ids[i] = globs_add(&globs, (struct pl_str){patterns[i], lengths[i]});
		CHECK(ids[i] != PL_INTERN_NONE);
	}
	for (size_t i = 0; i < NAMES; i++)
		check_name(name, make_text(name, false), patterns, lengths, ids);
	globs_free(&globs);
}

TEST(random_patterns)
{
	state = 271;
	for (int i = 0; i < ROUNDS; i++)
		check_round(GLOBS_STATES);
	CHECK(matched > 1000); /* and not only what matches nothing */
}

TEST(random_patterns_with_room_for_few_states)
{
	state = 182;
	for (int i = 0; i < ROUNDS; i++)
		check_round(1 + below(4));
}

static size_t matches(struct pl_str name)
{
	return globs_match(&globs, name, &found, &found_cap);
}

#define N(literal) ((struct pl_str){literal, sizeof(literal)}) /* with its NUL */

TEST(whole_components_only)
{
	globs_init(&globs);
	uint32_t copy = globs_add(&globs, N("copy")), std = globs_add(&globs, N("**\0copy"));

	CHECK(matches(N("copy")) == 2);
	CHECK(matches(N("Copyright")) == 0);
	CHECK(matches(N("uncopyable")) == 0);
	CHECK(matches(N("copy_file_range")) == 0);
	CHECK(matches(N("std\0copy")) == 1 && found[0] == std);
	CHECK(matches(N("copy\0check")) == 0);
	CHECK(copy != std);
	globs_free(&globs);
}

TEST(one_spelling_for_what_matches_the_same)
{
	globs_init(&globs);
	uint32_t id = globs_add(&globs, N("a*b"));
	CHECK(globs_add(&globs, N("a**b")) == id);
	CHECK(globs_add(&globs, N("\\a*\\b")) == id);
	CHECK(globs_add(&globs, N("a\\*b")) != id);
	id = globs_add(&globs, N("**\0a"));
	CHECK(globs_add(&globs, N("**\0**\0a")) == id);
	CHECK(matches(N("a*b")) == 2);
	CHECK(matches(N("axb")) == 1);
	globs_free(&globs);
}

TEST(what_is_refused)
{
	char longer[GLOBS_PATTERN + 8];

	globs_init(&globs);
	memset(longer, 'a', sizeof longer);
	CHECK(globs_add(&globs, (struct pl_str){longer, GLOBS_PATTERN + 1}) == PL_INTERN_NONE);
	CHECK(globs_add(&globs, (struct pl_str){longer, GLOBS_PATTERN}) != PL_INTERN_NONE);
	CHECK(globs_add(&globs, N("a\\")) == PL_INTERN_NONE);
	CHECK(globs_add(&globs, PL_S("a\\")) == PL_INTERN_NONE);
	CHECK(globs_add(&globs, N("a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*p*q")) != PL_INTERN_NONE);
	CHECK(globs_add(&globs, N("a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*p*q*")) == PL_INTERN_NONE);
	CHECK(globs_add(&globs, PL_S("")) == PL_INTERN_NONE);
	globs_free(&globs);
}

/* What makes backtracking matchers take forever, for names of a mebibyte; and the automaton stays
 * small. */
TEST(hostile_patterns)
{
	static char name[1 << 20];

	globs_init(&globs);
	globs_add(&globs, N("*a*a*a*a*a*a*b"));
	globs_add(&globs, N("*a*a*a*a*a*a*c*"));
	globs_add(&globs, N("**\0*a*b*a*b*a*b\0**\0c"));
	memset(name, 'a', sizeof name - 1);
	CHECK(matches((struct pl_str){name, sizeof name}) == 0);
	name[sizeof name - 2] = 'b';
	CHECK(matches((struct pl_str){name, sizeof name}) == 1);
	state = 89;
	for (size_t i = 0; i + 1 < sizeof name; i++)
		name[i] = "abc\0"[below(4)];
	matches((struct pl_str){name, sizeof name});
	CHECK(globs.states.n <= GLOBS_STATES && globs.states.bytes.used <= 2 * GLOBS_BYTES);
	globs_free(&globs);
}

/* Every byte is one that a pattern tells apart. */
TEST(all_bytes)
{
	struct pl_buf p = {0};

	globs_init(&globs);
	for (int c = 1; c < 256; c++) {
		pl_buf_clear(&p);
		pl_buf_printf(&p, "x*\\");
		pl_buf_addc(&p, (char)c);
		pl_buf_addc(&p, '\0');
		CHECK(globs_add(&globs, pl_buf_str(&p)) == (uint32_t)(c - 1));
	}
	for (int c = 1; c < 256; c++) {
		char name[] = {'x', (char)c, '\0'};
		CHECK(matches((struct pl_str){name, 3}) == 1 && found[0] == (uint32_t)(c - 1));
	}
	pl_buf_free(&p);
	globs_free(&globs);
}

int main(void)
{
	RUN(random_patterns);
	RUN(random_patterns_with_room_for_few_states);
	RUN(whole_components_only);
	RUN(one_spelling_for_what_matches_the_same);
	RUN(what_is_refused);
	RUN(hostile_patterns);
	RUN(all_bytes);
	free(found);
	return unit_done();
}
