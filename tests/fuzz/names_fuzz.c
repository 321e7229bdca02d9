/* names_fuzz: any bytes are a name of at least one component; as a pattern they are refused, or
 * match in the automaton as the same bytes without stars would */
#include "../../filters/classify/globs.h"
#include "../../filters/classify/names.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static bool is_plain(struct pl_str s)
{
	return !memchr(s.p, '*', s.n) && !memchr(s.p, '\\', s.n);
}

static void check_pattern(struct pl_str pattern, struct pl_str name)
{
	struct globs g;
	uint32_t *ids = NULL;
	size_t cap = 0;

	globs_init(&g);
	uint32_t id = globs_add(&g, pattern);
	size_t n = globs_match(&g, name, &ids, &cap);
	expect(n <= 1 && (id != PL_INTERN_NONE || n == 0));
	/* what is spelt alike is the same name */
	if (id != PL_INTERN_NONE && pl_str_eq(pattern, name) && is_plain(pattern))
		expect(n == 1 && ids[0] == id);
	free(ids);
	globs_free(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct names a = {0}, b = {0};
	struct pl_str text = {(const char *)data, size};

	/* JSON holds no NUL */
	if (size == 0 || memchr(data, '\0', size))
		return 0;
	struct pl_str name = names_of(&a, text), pattern = names_of_pattern(&b, text);
	expect(name.n > 1 && name.p[name.n - 1] == '\0' && name.p[0]);
	expect(!memmem(name.p, name.n, "\0\0", 2));
	if (pattern.p)
		check_pattern(pattern, name);
	names_free(&a);
	names_free(&b);
	return 0;
}
