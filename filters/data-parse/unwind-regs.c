/* unwind-regs: registers by their DWARF numbers */
#include "unwind-regs.h"

#include <elf.h>

enum { NONE = UNWIND_REGS };

/* AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8… */
static const uint8_t x86_64_of_perf[] = {
	0,    3,    2,	  1,	4, 5, 6,  7,  16, NONE, NONE, NONE,
	NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13,	14,   15,
};
/* X0… X29, LR, SP, PC */
static const uint8_t aarch64_of_perf[] = {
	0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
};

static const struct unwind_arch archs[] = {
	{
		.name = "x86_64",
		.machine = EM_X86_64,
		.regs = 17,
		.sp = 7,
		.pc = 16,
		.code = UINT64_MAX,
		.perf_regs = PL_COUNT(x86_64_of_perf),
		.of_perf = x86_64_of_perf,
	},
	{
		.name = "aarch64",
		.machine = EM_AARCH64,
		.regs = 33,
		.sp = 31,
		.pc = 32,
		/* user addresses have at most 48 bits unless a process asks for more */
		.code = ((uint64_t)1 << 48) - 1,
		.perf_regs = PL_COUNT(aarch64_of_perf),
		.of_perf = aarch64_of_perf,
	},
};

const struct unwind_arch *unwind_arch(struct pl_str name)
{
	for (size_t i = 0; i < PL_COUNT(archs); i++)
		if (pl_str_is(name, archs[i].name))
			return &archs[i];
	return NULL;
}

void unwind_regs_read(struct unwind_regs *r, const struct unwind_arch *arch, uint64_t mask,
		      struct pl_bytes words)
{
	struct pl_reader reader = pl_reader(words);

	memset(r->lost, UNWIND_NO_REGISTERS, sizeof r->lost);
	for (unsigned i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		uint64_t v = pl_take_u64(&reader);
		unsigned reg = i < arch->perf_regs ? arch->of_perf[i] : NONE;
		if (reader.bad || reg == NONE)
			continue;
		r->v[reg] = v;
		r->lost[reg] = 0;
	}
}
