/* category: the codes */
#include "category.h"

/* In byte order; schemas/perflens.rules.schema.json says the same. */
static const char *const codes[CATEGORIES] = {
	"block-io",
	"busy-wait",
	"clock",
	"compression",
	"crypto",
	"dynamic-linking",
	"exception-unwind",
	"filesystem",
	"floating-point",
	"garbage-collection",
	"hash-table",
	"hashing",
	"idle",
	"interpreter",
	"interrupt",
	"jit-compilation",
	"kernel-lock",
	"locale",
	"logging",
	"memory-allocation",
	"memory-copy",
	"memory-set-compare",
	"network",
	"page-fault",
	"random",
	"regex",
	"scheduler",
	"serialization",
	"sorting",
	"string-formatting",
	"string-parsing",
	"synchronization",
	"system-call",
	"tlb",
	"tracing",
	"tree",
	"virtualization",
};

unsigned category_find(struct pl_str code)
{
	unsigned i = 0;

	while (i < CATEGORIES && !pl_str_is(code, codes[i]))
		i++;
	return i;
}

struct pl_str category_code(unsigned category)
{
	return pl_str(codes[category]);
}
