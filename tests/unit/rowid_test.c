/* rowid: keys in their order, ids that sha256sum gives, suffixes */
#include "rowid.h"
#include "unit.h"

static const struct pl_str none = {NULL, 0};

static int compare(struct pl_str name_a, struct pl_str dso_a, struct pl_str name_b,
		   struct pl_str dso_b)
{
	struct pl_buf a = {0}, b = {0};

	pl_row_key(&a, name_a, dso_a);
	pl_row_key(&b, name_b, dso_b);
	int c = pl_str_cmp(pl_buf_str(&a), pl_buf_str(&b));
	pl_buf_free(&a);
	pl_buf_free(&b);
	return c;
}

TEST(keys_compare_by_name_and_then_dso)
{
	CHECK(compare(PL_S("a"), PL_S("z"), PL_S("ab"), none) < 0);
	CHECK(compare(PL_S("a"), none, PL_S("a"), PL_S("")) < 0);
	CHECK(compare(PL_S("a"), PL_S(""), PL_S("a"), PL_S("/b")) < 0);
	CHECK(compare(PL_S("a\001"), none, PL_S("a"), PL_S("z")) > 0);
	CHECK(compare(PL_S(""), PL_S("b"), PL_S(""), PL_S("b")) == 0);
}

TEST(a_key_gives_its_parts_back)
{
	struct pl_buf b = {0};

	pl_row_key(&b, PL_S("main"), PL_S("/lib/libc.so.6"));
	struct pl_str name = pl_row_key_name(pl_buf_str(&b)), dso = pl_row_key_dso(pl_buf_str(&b));
	CHECK_STR(name.p, name.n, "main");
	CHECK_STR(dso.p, dso.n, "/lib/libc.so.6");
	pl_row_key(&b, PL_S(""), PL_S(""));
	dso = pl_row_key_dso(pl_buf_str(&b));
	CHECK(dso.p && dso.n == 0);
	pl_row_key(&b, PL_S("main"), none);
	CHECK(!pl_row_key_dso(pl_buf_str(&b)).p);
	pl_buf_free(&b);
}

/* The id of one key, or of "main" without a DSO and then that key. */
static void check_id(const char *group_by, bool path, struct pl_str name, struct pl_str dso,
		     const char *want)
{
	char id[PL_ROW_ID_MAX];
	struct pl_buf b = {0};
	struct pl_sha256 h;

	pl_row_id_start(&h, pl_str(group_by));
	if (path) {
		pl_row_key(&b, PL_S("main"), none);
		pl_row_id_key(&h, pl_buf_str(&b));
	}
	pl_row_key(&b, name, dso);
	pl_row_id_key(&h, pl_buf_str(&b));
	pl_row_id_end(&h, path ? 'p' : 'h', id);
	CHECK_STR(id, strlen(id), want);
	pl_buf_free(&b);
}

/* printf 'symbol,dso\0read\0libc.so.6\0' | sha256sum, and so on */
TEST(ids_are_those_of_the_rule)
{
	check_id("symbol,dso", false, PL_S("compute"), none, "h-809dd1f5cfc5bd68");
	check_id("symbol,dso", false, PL_S("read"), PL_S("/lib/libc.so.6"), "h-38e0f755e5d14755");
	check_id("symbol,dso", false, PL_S("read"), PL_S("/usr/libc.so.6"), "h-38e0f755e5d14755");
	check_id("dso", false, PL_S(""), PL_S("[kernel.kallsyms]"), "h-e8bd2d2fcc4e0c67");
	check_id("symbol,dso", true, PL_S("read"), PL_S("libc.so.6"), "p-e028a17f269a4956");
}

TEST(the_second_of_an_id_gets_a_suffix)
{
	static const char *const given[][2] = {
		{"h-1", "h-1"}, {"h-2", "h-2"}, {"h-1", "h-1-2"}, {"h-1", "h-1-3"}};
	struct pl_row_ids ids;
	char id[PL_ROW_ID_MAX];

	pl_row_ids_start(&ids);
	for (size_t i = 0; i < PL_COUNT(given); i++) {
		snprintf(id, sizeof id, "%s", given[i][0]);
		pl_row_ids_add(&ids, id);
		CHECK_STR(id, strlen(id), given[i][1]);
	}
	pl_row_ids_free(&ids);
}

int main(void)
{
	RUN(keys_compare_by_name_and_then_dso);
	RUN(a_key_gives_its_parts_back);
	RUN(ids_are_those_of_the_rule);
	RUN(the_second_of_an_id_gets_a_suffix);
	return unit_done();
}
