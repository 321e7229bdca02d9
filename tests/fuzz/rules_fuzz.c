/* rules_fuzz: a file of rules may be anything; what is accepted is within its bounds, and can be
 * matched */
#include "../../filters/classify/category.h"
#include "../../filters/classify/match.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static void check_rule(const struct rule *rule)
{
	expect(rule->id.n && rule->version && rule->category < CATEGORIES && rule->priority <= 100);
	expect(rule->symbols.n && (rule->has_self_pct || rule->has_inclusive_pct));
	expect(rule->self_pct <= 100000000 && rule->inclusive_pct <= 100000000);
	expect(!rule->has_context || (rule->share_pct && (rule->callers.n || rule->under.n)));
}

static void match_names(struct rules *rules)
{
	static const char *const names[] = {"malloc", "std::vector<int>::push_back(int)",
					    "runtime.mallocgc", "_raw_spin_lock", "unknown"};
	struct match m;

	match_init(&m, rules);
	for (size_t i = 0; i < PL_COUNT(names); i++) {
		struct pl_analysis_hotspot h = {.symbol = pl_str(names[i]),
						.dso = PL_S("/lib/libc.so.6")};
		match_hotspot(&m, &h);
		for (size_t k = 1; k < m.fits_n; k++)
			expect(m.fits[k - 1].rule != m.fits[k].rule &&
			       m.fits[k - 1].rule->priority >= m.fits[k].rule->priority);
	}
	match_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rules rules;
	char message[512] = "";

	rules_init(&rules);
	const char *wrong =
		rulefile_add(&rules, (struct pl_str){(const char *)data, size}, message);
	expect(!wrong || wrong[0]);
	if (!wrong) {
		for (size_t i = 0; i < rules.n; i++)
			check_rule(&rules.v[i]);
		rules_end(&rules);
		match_names(&rules);
	}
	rules_free(&rules);
	return 0;
}
