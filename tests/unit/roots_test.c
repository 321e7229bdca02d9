/* roots: which folders may be read in */
#include "folder_kit.h"
#include "roots.h"

static bool has(const struct pl_roots *roots, const char *path)
{
	for (size_t i = 0; i < roots->n; i++)
		if (strcmp(roots->v[i], path) == 0)
			return true;
	return false;
}

TEST(by_default_all_but_the_kernels)
{
	struct pl_roots roots;
	const struct pl_list none = {0};
	struct pl_err err;

	CHECK(pl_roots(&roots, &none, &err) == 0);
	CHECK(has(&roots, "/usr") && has(&roots, "/tmp") && has(&roots, "/etc"));
	static const char *const out[] = {"/", "/proc", "/sys", "/dev", "/run"};
	for (size_t i = 0; i < PL_COUNT(out); i++)
		CHECK(!has(&roots, out[i]));
	for (size_t i = 0; i < roots.n; i++)
		CHECK(strncmp(roots.v[i], "/proc", 5) != 0 && strncmp(roots.v[i], "/run", 4) != 0);
	size_t n = roots.n;
	pl_roots_add(&roots, folder_path); /* is below /tmp */
	pl_roots_add(&roots, "/no/such/folder");
	pl_roots_add(&roots, "/dev/null");
	CHECK_U64(roots.n, n);
	pl_roots_add(&roots, "/sys");
	CHECK_U64(roots.n, n + 1);
	pl_roots_free(&roots);
}

TEST(given_ones_instead)
{
	struct pl_roots roots;
	struct pl_err err;
	char inner[64];

	folder_write("a/b/file", "", 0);
	folder_write("ab/file", "", 0);
	CHECK(symlink("a/b", "link") == 0);
	const char *paths[] = {"link"};
	const struct pl_list given = {.v = paths, .n = 1};
	CHECK(pl_roots(&roots, &given, &err) == 0);
	snprintf(inner, sizeof inner, "%s/a/b", folder_path);
	CHECK(roots.n == 1 && has(&roots, inner));
	pl_roots_add(&roots, "a/b");
	CHECK_U64(roots.n, 1);
	pl_roots_add(&roots, "a"); /* is around it, not below */
	pl_roots_add(&roots, "ab");
	CHECK_U64(roots.n, 3);
	pl_roots_free(&roots);
}

TEST(what_is_no_folder)
{
	static const char *const bad[] = {"none", "a/b/file"};

	for (size_t i = 0; i < PL_COUNT(bad); i++) {
		struct pl_roots roots;
		struct pl_err err;
		const char *paths[] = {"a", bad[i]};
		const struct pl_list given = {.v = paths, .n = 2};
		CHECK(pl_roots(&roots, &given, &err) == -1);
		CHECK(err.code == PL_E_INVALID_INPUT);
		CHECK_STR(err.file, strlen(err.file), bad[i]);
		pl_roots_free(&roots);
	}
}

int main(void)
{
	if (!folder_start())
		return 1;
	RUN(by_default_all_but_the_kernels);
	RUN(given_ones_instead);
	RUN(what_is_no_folder);
	folder_end();
	return unit_done();
}
