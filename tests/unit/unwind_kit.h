/*
 * unwind_kit: samples that a test takes of itself: its registers, its stack and its maps, as the
 * kernel would have written them.
 */
#ifndef UNWIND_KIT_H
#define UNWIND_KIT_H

#include "../../filters/data-parse/unwind.h"
#include "mem.h"
#include "unit.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { KIT_STACK = 32 << 10, KIT_WORDS = 33 };

struct kit_sample {
	uint64_t words[KIT_WORDS];
	unsigned char stack[KIT_STACK];
	struct pl_perf_sample sample;
};

#ifdef __x86_64__
#define KIT_ARCH "x86_64"
enum { KIT_SP = 7, KIT_PC = 8, KIT_REGS = 20 }; /* words in a sample */
static const uint64_t kit_mask = 0xff0fff;
static inline void kit_registers(uint64_t *w, const ucontext_t *c)
{
	/* in the order of <asm/perf_regs.h> */
	static const int order[KIT_REGS] = {
		REG_RAX, REG_RBX, REG_RCX, REG_RDX,    REG_RSI,	   REG_RDI, REG_RBP,
		REG_RSP, REG_RIP, REG_EFL, REG_CSGSFS, REG_CSGSFS, REG_R8,  REG_R9,
		REG_R10, REG_R11, REG_R12, REG_R13,    REG_R14,	   REG_R15,
	};
	for (int i = 0; i < KIT_REGS; i++)
		w[i] = (uint64_t)c->uc_mcontext.gregs[order[i]];
}
#else
#define KIT_ARCH "aarch64"
enum { KIT_SP = 31, KIT_PC = 32, KIT_REGS = 33 };
static const uint64_t kit_mask = 0x1ffffffff;
static inline void kit_registers(uint64_t *w, const ucontext_t *c)
{
	memcpy(w, c->uc_mcontext.regs, 31 * sizeof *w);
	w[KIT_SP] = c->uc_mcontext.sp;
	w[KIT_PC] = c->uc_mcontext.pc;
}
#endif
static const struct pl_perf_attr kit_attr = {.sample_regs_user = kit_mask};

static inline void kit_views(struct kit_sample *s, size_t stack, bool full)
{
	s->sample.regs_abi = PERF_SAMPLE_REGS_ABI_64;
	s->sample.regs = (struct pl_bytes){(unsigned char *)s->words, KIT_REGS * 8};
	s->sample.stack = (struct pl_bytes){s->stack, stack};
	s->sample.stack_full = full;
}

/* What lies on a stack belongs to others, as a sanitizer sees it. */
__attribute__((no_sanitize("address"), noinline)) static size_t
kit_copy(unsigned char *to, uint64_t from, uint64_t end)
{
	size_t words = (size_t)(end - from) / 8;
	const volatile uint64_t *p = (const volatile uint64_t *)(uintptr_t)from;

	if (words > KIT_STACK / 8)
		words = KIT_STACK / 8;
	for (size_t i = 0; i < words; i++)
		((volatile uint64_t *)(void *)to)[i] = p[i];
	return words * 8;
}

/* ---- what is mapped ---- */

static struct spaces kit_spaces = {.max_maps = 1 << 20};
static struct space *kit_space;
static struct modules kit_modules;
static const char *kit_paths[256];
static uint32_t kit_self; /* module of the test itself */
static uint64_t kit_stack_end;

struct kit_object {
	uint64_t address;
	char hex[41];
};

/* The build ID of the object that is loaded at an address. */
static inline int kit_build_id(struct dl_phdr_info *info, size_t size, void *context)
{
	struct kit_object *o = context;
	bool inside = false;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + p->p_vaddr;
		inside |= p->p_type == PT_LOAD && o->address >= (start & ~(uint64_t)4095) &&
			  o->address < start + p->p_memsz;
	}
	for (int i = 0; inside && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const unsigned char *at =
			(const unsigned char *)(uintptr_t)(info->dlpi_addr + p->p_vaddr);
		for (size_t done = 0; p->p_type == PT_NOTE && done + 12 <= p->p_memsz;) {
			uint32_t n[3];
			memcpy(n, at + done, sizeof n);
			const unsigned char *id = at + done + 12 + ((n[0] + 3) & ~3u);
			for (uint32_t b = 0; n[2] == NT_GNU_BUILD_ID && b < n[1] && b < 20; b++)
				snprintf(o->hex + 2 * (size_t)b, 3, "%02x", id[b]);
			done += 12 + ((n[0] + 3) & ~3u) + ((n[1] + 3) & ~3u);
		}
	}
	return inside;
}

static inline uint32_t kit_module(const char *path, uint64_t address)
{
	uint32_t i = 0;

	while (i < kit_modules.n && strcmp(kit_paths[i], path) != 0)
		i++;
	if (i < kit_modules.n || i == PL_COUNT(kit_paths))
		return i;
	struct kit_object o = {.address = address};
	dl_iterate_phdr(kit_build_id, &o);
	kit_paths[i] = pl_strdup(path);
	PL_GROW(kit_modules.v, (size_t)i + 1, kit_modules.cap);
	kit_modules.v[i] = (struct module){
		.dso = pl_str(kit_paths[i]),
		.build_id = o.hex[0] ? pl_str(pl_strdup(o.hex)) : (struct pl_str){0},
		.kind = strcmp(path, "[vdso]") == 0 ? MODULE_VDSO
			: path[0] == '/'	    ? MODULE_USER
						    : MODULE_JIT,
	};
	kit_modules.n++;
	return i;
}

/* Takes in /proc/self/maps. */
static inline void kit_map(void)
{
	char line[4400], prot[8], path[4200];
	unsigned long long start, end, pgoff;
	FILE *f = fopen("/proc/self/maps", "r");

	kit_space = space_new(&kit_spaces);
	while (f && fgets(line, sizeof line, f)) {
		path[0] = '\0';
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %4199s", &start, &end, prot, &pgoff,
			   path) < 4)
			continue;
		if (strcmp(path, "[stack]") == 0)
			kit_stack_end = end;
		if (prot[2] != 'x')
			continue;
		struct space_map map = {.start = start,
					.end = end,
					.pgoff = pgoff,
					.module = kit_module(path, start),
					.exec = true};
		if ((uintptr_t)kit_map >= start && (uintptr_t)kit_map < end)
			kit_self = map.module;
		space_insert(&kit_spaces, &kit_space, map);
	}
	if (f)
		fclose(f);
}

#endif
