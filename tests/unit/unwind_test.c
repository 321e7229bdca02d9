/* unwind: stacks of this very test, whose return addresses the compiler tells */
#include "../../filters/data-parse/unwind-regs.h"
#include "fd.h"
#include "sandbox.h"
#include "unwind_kit.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <poll.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a child that dies, on one library function that it needs: only here ---- */

static enum { WELL, CRASH, HANG } health;
static unsigned *deaths; /* shared with children */

Dwarf_CFI *dwarf_getcfi_elf(Elf *elf)
{
	Dwarf_CFI *(*real)(Elf *);

	*(void **)&real = dlsym(RTLD_NEXT, "dwarf_getcfi_elf");
	if (health != WELL)
		++*deaths;
	if (health == CRASH)
		raise(SIGKILL);
	while (health == HANG)
		poll(NULL, 0, -1);
	return real(elf);
}

/* ---- a chain of functions ---- */

static struct kit_sample chain, handled;
static uint64_t returns[3]; /* into middle, outer, the test */
static uint64_t interrupted;
static volatile int keep; /* no tail calls */

static void capture(struct kit_sample *s, const ucontext_t *c)
{
	kit_registers(s->words, c);
	kit_views(s, kit_copy(s->stack, s->words[KIT_SP], kit_stack_end), false);
}

__attribute__((noinline)) static void inner(void)
{
	ucontext_t c;

	returns[0] = (uintptr_t)__builtin_return_address(0);
	getcontext(&c);
	capture(&chain, &c);
	keep++;
}

__attribute__((noinline)) static void middle(void)
{
	returns[1] = (uintptr_t)__builtin_return_address(0);
	inner();
	keep++;
}

__attribute__((noinline)) static void outer(void)
{
	returns[2] = (uintptr_t)__builtin_return_address(0);
	middle();
	keep++;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	ucontext_t own;

	(void)number;
	(void)info;
#ifdef __x86_64__
	interrupted = (uint64_t)c->uc_mcontext.gregs[REG_RIP];
#else
	interrupted = c->uc_mcontext.pc;
#endif
	getcontext(&own);
	capture(&handled, &own);
	keep++;
}

/* ---- asking ---- */

static const char *path_of(void *context, uint32_t module)
{
	(void)context;
	return kit_paths[module];
}

static const char *other_path;
static const char *path_of_other(void *context, uint32_t module)
{
	(void)context;
	return module == kit_self ? other_path : kit_paths[module];
}

static struct unwind_options options(void)
{
	return (struct unwind_options){
		.arch = PL_S(KIT_ARCH),
		.modules = &kit_modules,
		.path_of = path_of,
		.depth = 100,
		.max_file_bytes = 1 << 30,
		.caps = {.seconds = 60, .memory = 256 << 20},
	};
}

static struct unwind *asked;
static struct unwind_stack ask_in(const struct space *space, struct unwind_options o,
				  const struct kit_sample *s)
{
	if (asked)
		unwind_end(asked);
	asked = unwind_new(&o);
	size_t ticket = unwind_add(asked, space, &kit_attr, &s->sample);
	unwind_run(asked);
	return unwind_stack(asked, ticket);
}
static struct unwind_stack ask(struct unwind_options o, const struct kit_sample *s)
{
	return ask_in(kit_space, o, s);
}

#define CHECK_STOP(stack, want)                                                     \
	do {                                                                        \
		if (!CHECK((stack).stop == (want)))                                 \
			printf("#   got \"%s\"\n", unwind_stop_code((stack).stop)); \
	} while (0)

/* The place of a return address in the copied stack. */
static unsigned char *find_word(struct kit_sample *s, uint64_t word)
{
	for (size_t i = 0; i + 8 <= s->sample.stack.n; i += 8)
		if (memcmp(s->stack + i, &word, 8) == 0)
			return s->stack + i;
	return NULL;
}

static struct kit_sample scratch;
static struct kit_sample *copy_of_chain(void)
{
	scratch = chain;
	kit_views(&scratch, chain.sample.stack.n, false);
	return &scratch;
}

/* ---- tests ---- */

TEST(finds_the_callers)
{
	struct unwind_stack s = ask(options(), &chain);

	CHECK_STOP(s, UNWIND_ROOT);
	CHECK_STR(unwind_stop_code(s.stop), 0, "");
	if (!CHECK(s.n > 4))
		return;
	CHECK_U64(s.frames[0].address, chain.words[KIT_PC]);
	CHECK_U64(s.frames[0].exact, 1);
	for (size_t i = 0; i < 3; i++) {
		CHECK_U64(s.frames[i + 1].address, returns[i]);
		CHECK_U64(s.frames[i + 1].exact, 0);
		CHECK_U64(s.frames[i + 1].module, kit_self);
	}
	const struct space_map *map = space_find(kit_space, returns[0]);
	CHECK_U64(s.frames[1].offset, returns[0] - map->start + map->pgoff);
	/* __libc_start_main() and _start() are beyond main() */
	CHECK(strstr(kit_paths[s.frames[s.n - 2].module], "libc") != NULL);
	CHECK_U64(s.frames[s.n - 1].module, kit_self);
}

TEST(finds_what_a_signal_interrupted)
{
	struct unwind_stack s = ask(options(), &handled);
	size_t i = 0;

	CHECK_STOP(s, UNWIND_ROOT);
	while (i < s.n && s.frames[i].address != interrupted)
		i++;
	/* the handler, and what returns from it, are called */
	CHECK_U64(i, 2);
	if (i < s.n)
		CHECK_U64(s.frames[i].exact, 1);
	for (size_t j = 1; j < s.n; j++)
		CHECK(j == i || !s.frames[j].exact);
}

TEST(stops_where_the_stack_was_cut)
{
	struct kit_sample *s = copy_of_chain();
	size_t before = (size_t)(find_word(s, returns[1]) - s->stack);

	kit_views(s, before, true);
	struct unwind_stack cut = ask(options(), s);
	CHECK_STOP(cut, UNWIND_STACK_CUT);
	CHECK_U64(cut.n, 2);
	/* seven of its eight bytes */
	kit_views(s, before + 7, true);
	cut = ask(options(), s);
	CHECK_STOP(cut, UNWIND_STACK_CUT);
	CHECK_U64(cut.n, 2);
	kit_views(s, before + 8, true);
	CHECK_U64(ask(options(), s).n, 3);
	/* where there was room for more, there was no more */
	kit_views(s, before, false);
	CHECK_STOP(ask(options(), s), UNWIND_BAD_MEMORY);
	kit_views(s, 64, true);
	cut = ask(options(), s);
	CHECK_STOP(cut, UNWIND_STACK_CUT);
	CHECK(cut.n >= 1 && cut.n <= 4 && cut.frames[0].address == chain.words[KIT_PC]);
}

TEST(stops_at_bad_return_addresses)
{
	struct kit_sample *s = copy_of_chain();
	unsigned char *at = find_word(s, returns[0]);
	uint64_t nowhere = 0x1234, none = 0;

	memcpy(at, &nowhere, 8);
	struct unwind_stack stack = ask(options(), s);
	CHECK_STOP(stack, UNWIND_UNMAPPED);
	CHECK_U64(stack.n, 1);
	memcpy(at, &none, 8);
	stack = ask(options(), s);
	CHECK_STOP(stack, UNWIND_ROOT);
	CHECK_U64(stack.n, 1);
	/* the innermost frame is there whatever it is */
	s->words[KIT_PC] = nowhere;
	stack = ask(options(), s);
	CHECK_STOP(stack, UNWIND_UNMAPPED);
	CHECK_U64(stack.n, 1);
	CHECK_U64(stack.frames[0].address, nowhere);
	CHECK_U64(stack.frames[0].module, UINT32_MAX);
}

TEST(stops_at_the_depth)
{
	struct unwind_options o = options();

	o.depth = 2;
	struct unwind_stack s = ask(o, &chain);
	CHECK_STOP(s, UNWIND_DEPTH);
	CHECK_U64(s.n, 2);
	CHECK_U64(s.frames[1].address, returns[0]);
}

TEST(needs_registers_of_a_known_abi)
{
	struct kit_sample *s = copy_of_chain();
	struct unwind_options o = options();

	s->sample.regs_abi = PERF_SAMPLE_REGS_ABI_NONE;
	struct unwind_stack stack = ask(o, s);
	CHECK_STOP(stack, UNWIND_NO_REGISTERS);
	CHECK_U64(stack.n, 0);
	s->sample.regs_abi = PERF_SAMPLE_REGS_ABI_32;
	CHECK_STOP(ask(o, s), UNWIND_ABI);
	s->sample.regs_abi = PERF_SAMPLE_REGS_ABI_64;
	o.arch = PL_S("riscv64");
	CHECK_STOP(ask(o, s), UNWIND_ABI);
	/* fewer words than the attribute says */
	s->sample.regs.n = 8;
	CHECK_STOP(ask(options(), s), UNWIND_NO_REGISTERS);
}

TEST(reads_registers_in_perf_order)
{
	const struct unwind_arch *x86 = unwind_arch(PL_S("x86_64"));
	const struct unwind_arch *arm = unwind_arch(PL_S("aarch64"));
	struct unwind_regs regs;
	uint64_t words[33];

	for (uint64_t i = 0; i < 33; i++)
		words[i] = 100 + i;
	struct pl_bytes all = {(unsigned char *)words, sizeof words};
	unwind_regs_read(&regs, x86, 0xff0fff, all);
	/* perf: AX BX CX DX SI DI BP SP IP FLAGS CS SS R8…; DWARF: rax rdx rcx rbx rsi rdi rbp rsp
	 * r8… and the return address */
	static const uint64_t want[17] = {100, 103, 102, 101, 104, 105, 106, 107, 112,
					  113, 114, 115, 116, 117, 118, 119, 108};
	for (size_t i = 0; i < 17; i++) {
		CHECK_U64(regs.v[i], want[i]);
		CHECK_U64(regs.lost[i], 0);
	}
	CHECK_U64(regs.lost[17], UNWIND_NO_REGISTERS);
	/* only SP and IP */
	unwind_regs_read(&regs, x86, 0x180, all);
	CHECK_U64(regs.v[7], 100);
	CHECK_U64(regs.v[16], 101);
	CHECK_U64(regs.lost[6], UNWIND_NO_REGISTERS);
	unwind_regs_read(&regs, arm, 0x1ffffffff, all);
	for (uint64_t i = 0; i < 33; i++)
		CHECK_U64(regs.v[i], 100 + i);
}

static char folder[64];
static const char *in_folder(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

TEST(needs_the_file_that_ran)
{
	struct unwind_options o = options();
	struct module *self = &kit_modules.v[kit_self];
	struct pl_str id = self->build_id;
	char other[41] = "";

	memcpy(other, id.p, 40);
	other[39] = other[39] == '0' ? '1' : '0';
	self->build_id = pl_str(other);
	struct unwind_stack s = ask(o, &chain);
	CHECK_STOP(s, UNWIND_BUILD_ID_MISMATCH);
	CHECK_U64(s.n, 1);
	CHECK_U64(s.module, kit_self);
	self->build_id = (struct pl_str){0};
	CHECK_STOP(ask(o, &chain), UNWIND_NO_BUILD_ID);
	o.trust_paths = true;
	CHECK_STOP(ask(o, &chain), UNWIND_ROOT);
	/* trust is for what nothing is known of */
	self->build_id = pl_str(other);
	CHECK_STOP(ask(o, &chain), UNWIND_BUILD_ID_MISMATCH);
	self->build_id = id;
	o.path_of = path_of_other;
	other_path = "/bin/sh";
	CHECK_STOP(ask(o, &chain), UNWIND_BUILD_ID_MISMATCH);
}

TEST(needs_a_regular_file)
{
	struct unwind_options o = options();

	o.path_of = path_of_other;
	other_path = NULL;
	CHECK_STOP(ask(o, &chain), UNWIND_NO_FILE);
	other_path = "/nonexistent/file";
	CHECK_STOP(ask(o, &chain), UNWIND_NO_FILE);
	other_path = "/";
	CHECK_STOP(ask(o, &chain), UNWIND_NO_FILE);
	other_path = in_folder("fifo");
	CHECK(mkfifo(other_path, 0600) == 0);
	CHECK_STOP(ask(o, &chain), UNWIND_NO_FILE);
	unlink(other_path);
	other_path = "/proc/self/maps"; /* no ELF */
	CHECK_STOP(ask(o, &chain), UNWIND_NO_FILE);
	other_path = kit_paths[kit_self];
	o.max_file_bytes = 1000;
	CHECK_STOP(ask(o, &chain), UNWIND_NO_FILE);
}

TEST(code_without_a_file_has_no_cfi)
{
	struct module *self = &kit_modules.v[kit_self];

	self->kind = MODULE_JIT;
	struct unwind_stack s = ask(options(), &chain);
	CHECK_STOP(s, UNWIND_NO_CFI);
	CHECK_U64(s.n, 1);
	CHECK_U64(s.frames[0].module, kit_self);
	self->kind = MODULE_USER;
}

/* The start of a function in the vDSO: nothing lies on the stack but its return address. */
static uint64_t vdso_function(void)
{
	char *image = (char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;
	GElf_Sym sym;
	uint64_t found = 0;

	if (!image)
		return 0;
	const Elf64_Ehdr *ehdr = (const void *)image;
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(image, ehdr->e_shoff + (size_t)ehdr->e_shnum * ehdr->e_shentsize);
	while (!found && (section = elf_nextscn(elf, section))) {
		gelf_getshdr(section, &shdr);
		Elf_Data *data = shdr.sh_type == SHT_DYNSYM ? elf_getdata(section, NULL) : NULL;
		for (int i = 0; data && !found && gelf_getsym(data, i, &sym); i++)
			if (GELF_ST_TYPE(sym.st_info) == STT_FUNC)
				found = (uintptr_t)image + sym.st_value;
	}
	elf_end(elf);
	return found;
}

TEST(the_vdso_is_ours_or_none)
{
	struct kit_sample *s = copy_of_chain();
	uint64_t function = vdso_function();
	const struct space_map *map = space_find(kit_space, function);

	if (!function || !map) {
		printf("# skip: no vDSO here\n");
		return;
	}
	s->words[KIT_PC] = function;
#ifdef __x86_64__
	unsigned char *at = find_word(s, returns[0]);
	s->words[KIT_SP] += (uint64_t)(at - s->stack);
	memmove(s->stack, at, KIT_STACK - (size_t)(at - s->stack));
#else
	s->words[30] = returns[0];
#endif
	struct unwind_stack stack = ask(options(), s);
	CHECK(stack.n > 1 && stack.frames[1].address == returns[0]);
	struct module *vdso = &kit_modules.v[map->module];
	struct pl_str id = vdso->build_id;
	vdso->build_id = PL_S("0123456789012345678901234567890123456789");
	stack = ask(options(), s);
	CHECK_STOP(stack, UNWIND_NO_CFI);
	CHECK_U64(stack.n, 1);
	vdso->build_id = id;
}

/* A copy of this test's file, with other bytes in the sections of that name. */
static void write_copy(const char *path, const char *section_name, unsigned seed)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	int from = open(kit_paths[kit_self], O_RDONLY);
	char bytes[4096];
	ssize_t n;
	size_t names;
	GElf_Shdr shdr;

	while ((n = read(from, bytes, sizeof bytes)) > 0)
		CHECK(write(fd, bytes, (size_t)n) == n);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(from, ELF_C_READ, NULL);
	elf_getshdrstrndx(elf, &names);
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		gelf_getshdr(s, &shdr);
		if (strcmp(elf_strptr(elf, names, shdr.sh_name), section_name) != 0)
			continue;
		for (uint64_t i = 0; i < shdr.sh_size; i++) {
			seed = seed * 1103515245 + 12345;
			unsigned char c = (unsigned char)(seed >> 16);
			/* half of it stays, so that more than its start is looked at */
			if (seed >> 30 < 2)
				CHECK(pwrite(fd, &c, 1, (off_t)(shdr.sh_offset + i)) == 1);
		}
	}
	elf_end(elf);
	close(from);
	close(fd);
}

TEST(outlives_hostile_files)
{
	struct unwind_options o = options();
	char path[128];

	o.path_of = path_of_other;
	o.caps.seconds = 5;
	snprintf(path, sizeof path, "%s", in_folder("copy"));
	other_path = path;
	write_copy(path, "no such section", 0);
	CHECK_STOP(ask(o, &chain), UNWIND_ROOT);
	for (unsigned seed = 1; seed <= 4; seed++) {
		write_copy(path, ".eh_frame", seed);
		struct unwind_stack s = ask(o, &chain);
		CHECK(s.stop != UNWIND_ROOT && s.n >= 1);
		CHECK_U64(s.frames[0].address, chain.words[KIT_PC]);
		write_copy(path, ".eh_frame_hdr", seed);
		CHECK(ask(o, &chain).n >= 1);
	}
	unlink(path);
}

static void begin_dying(int how)
{
	*deaths = 0;
	health = how;
}

TEST(a_module_that_kills_is_left_alone)
{
	struct unwind_options o = options();
	struct unwind *u = unwind_new(&o);
	struct kit_sample *bad = copy_of_chain();
	struct unwind_stack s;

	bad->words[KIT_PC] = 0x1234;
	begin_dying(CRASH);
	for (int i = 0; i < 4; i++) {
		unwind_add(u, kit_space, &kit_attr, &chain.sample);
		unwind_add(u, kit_space, &kit_attr, &bad->sample);
	}
	unwind_run(u);
	for (size_t i = 0; i < 8; i += 2) {
		s = unwind_stack(u, i);
		CHECK_STOP(s, UNWIND_CRASHED);
		CHECK_U64(s.n, 1);
		CHECK_U64(s.frames[0].address, chain.words[KIT_PC]);
		CHECK_U64(s.module, kit_self);
		CHECK_STOP(unwind_stack(u, i + 1), UNWIND_UNMAPPED);
	}
	CHECK_U64(*deaths, 2);
	/* and stays so */
	health = WELL;
	unwind_add(u, kit_space, &kit_attr, &chain.sample);
	unwind_run(u);
	CHECK_STOP(unwind_stack(u, 0), UNWIND_CRASHED);
	unwind_end(u);
	CHECK_STOP(ask(options(), &chain), UNWIND_ROOT);
}

TEST(one_crash_costs_one_sample)
{
	struct unwind_options o = options();
	struct unwind *u = unwind_new(&o);

	begin_dying(CRASH);
	unwind_add(u, kit_space, &kit_attr, &chain.sample);
	unwind_run(u);
	CHECK_STOP(unwind_stack(u, 0), UNWIND_CRASHED);
	health = WELL;
	CHECK_U64(unwind_add(u, kit_space, &kit_attr, &chain.sample), 0);
	unwind_run(u);
	CHECK_STOP(unwind_stack(u, 0), UNWIND_ROOT);
	CHECK_U64(unwind_stack(u, 0).frames[1].address, returns[0]);
	unwind_end(u);
}

TEST(a_file_that_takes_too_long_is_left)
{
	struct unwind_options o = options();

	o.caps.seconds = 1;
	begin_dying(HANG);
	struct unwind_stack s = ask(o, &chain);
	CHECK_STOP(s, UNWIND_TIMEOUT);
	CHECK_U64(s.n, 1);
	CHECK_U64(s.module, kit_self);
	health = WELL;
}

/* Each sample is unwound in the maps that were there when it came. */
TEST(samples_keep_their_spaces)
{
	struct unwind_options o = options();
	struct unwind *u = unwind_new(&o);
	struct space *space = space_share(kit_space);
	const struct space_map *map = space_find(space, chain.words[KIT_PC]);
	struct space_map gone = {.start = map->start, .end = map->end, .module = UINT32_MAX};
	size_t n = 0, spaces = 0;

	gone.module = kit_self;
	while (!unwind_is_full(u)) {
		/* with, without, with, … its code */
		bool with = spaces++ % 2 == 0;
		gone.exec = with;
		gone.pgoff = map->pgoff;
		struct space_map again = gone;
		CHECK(space_insert(&kit_spaces, &space, again) == 0);
		CHECK_U64(unwind_add(u, space, &kit_attr, &chain.sample), n);
		n++;
		map = space_find(kit_space, chain.words[KIT_PC]);
	}
	CHECK_U64(n, 64);
	space_release(&kit_spaces, space);
	unwind_run(u);
	CHECK(!unwind_is_full(u));
	for (size_t i = 0; i < n; i++) {
		CHECK_STOP(unwind_stack(u, i), i % 2 ? UNWIND_UNMAPPED : UNWIND_ROOT);
		CHECK(unwind_stack(u, i).n > 0);
	}
	/* the child forgets old spaces for new ones */
	for (int round = 0; round < 3; round++) {
		CHECK_U64(unwind_add(u, kit_space, &kit_attr, &chain.sample), 0);
		unwind_run(u);
		CHECK_STOP(unwind_stack(u, 0), UNWIND_ROOT);
	}
	unwind_end(u);
}

TEST(batches_end)
{
	struct unwind_options o = options();
	struct unwind *u = unwind_new(&o);
	size_t n = 0;

	for (; !unwind_is_full(u) && n < 10000; n++)
		unwind_add(u, kit_space, &kit_attr, &chain.sample);
	CHECK(n >= 64 && n <= 256);
	unwind_run(u);
	for (size_t i = 0; i < n; i++)
		CHECK(unwind_stack(u, i).stop == UNWIND_ROOT && unwind_stack(u, i).n > 4);
	unwind_end(u);
}

#ifndef PL_NO_SANDBOX
TEST(works_in_the_sandbox)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		static const char *const roots[] = {"/usr",  "/lib",  "/work",
						    "/home", "/root", "/tmp"};
		struct pl_sandbox_needs needs = {.output_folder = -1,
						 .roots = roots,
						 .roots_n = PL_COUNT(roots),
						 .children = true};
		struct pl_sandbox_state state;
		struct pl_err err;
		struct unwind_options o = options();
		if (pl_sandbox(&needs, &state, &err))
			_exit(2);
		asked = unwind_new(&o);
		unwind_add(asked, kit_space, &kit_attr, &chain.sample);
		unwind_run(asked);
		/* the test may lie below none of the roots */
		struct unwind_stack s = unwind_stack(asked, 0);
		unwind_end(asked);
		_exit(s.stop == UNWIND_ROOT || s.stop == UNWIND_NO_FILE ? 0 : 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_U64((uint64_t)status, 0);
}
#endif

/* ---- aarch64 ---- */

/* An ELF file of three functions: at 0x1000 a leaf, at 0x1010 one with a frame of 32 bytes, at
 * 0x1040 one that nothing called. It has no sections, and lies in the file where it does in memory.
 */
static void write_aarch64(const char *path)
{
	enum { SIZE = 0x1100, HDR = 0x200, FRAMES = 0x210 };
	static unsigned char file[SIZE];
	Elf64_Ehdr ehdr = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			   .e_type = ET_DYN,
			   .e_machine = EM_AARCH64,
			   .e_version = EV_CURRENT,
			   .e_phoff = sizeof ehdr,
			   .e_ehsize = sizeof ehdr,
			   .e_phentsize = sizeof(Elf64_Phdr),
			   .e_phnum = 2};
	Elf64_Phdr phdrs[2] = {
		{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = SIZE, .p_memsz = SIZE},
		{.p_type = PT_GNU_EH_FRAME,
		 .p_offset = HDR,
		 .p_vaddr = HDR,
		 .p_filesz = 8,
		 .p_memsz = 8},
	};
	/* version 1, pointer to .eh_frame relative to itself, no table */
	static const unsigned char hdr[8] = {1, 0x1b, 0xff, 0xff, FRAMES - HDR - 4};
	static const unsigned char frames[] = {
		/* 0: CIE, "zR", code 1, data -8, return address in x30, pointers pc-relative;
		 * def_cfa sp 0 */
		16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 30, 1, 0x1b, 0x0c, 31, 0,
		/* 20: the leaf: 0x1000 - (0x210 + 28) = 0xdd4 */
		16, 0, 0, 0, 24, 0, 0, 0, 0xd4, 0x0d, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0,
		/* 40: 0x1010 - (0x210 + 48) = 0xdd0; def_cfa_offset 32, x29 at cfa-32, x30 at
		 * cfa-24 */
		20, 0, 0, 0, 44, 0, 0, 0, 0xd0, 0x0d, 0, 0, 0x30, 0, 0, 0, 0, 0x0e, 32, 0x9d, 4,
		0x9e, 3, 0,
		/* 64: 0x1040 - (0x210 + 72) = 0xde8; x30 is undefined */
		16, 0, 0, 0, 68, 0, 0, 0, 0xe8, 0x0d, 0, 0, 0x20, 0, 0, 0, 0, 0x07, 30, 0,
		/* the end */
		0, 0, 0, 0};

	memcpy(file, &ehdr, sizeof ehdr);
	memcpy(file + sizeof ehdr, phdrs, sizeof phdrs);
	memcpy(file + HDR, hdr, sizeof hdr);
	memcpy(file + FRAMES, frames, sizeof frames);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(write(fd, file, SIZE) == SIZE);
	close(fd);
}

static const char *path_of_arm(void *context, uint32_t module)
{
	(void)module;
	return context;
}

TEST(unwinds_aarch64)
{
	enum { BASE = 0x550000, STACK = 0x7ff000 };
	static uint64_t words[33], stack[4] = {0x29, (uint64_t)BASE + 0x1050, 1, 2};
	static struct module module = {.kind = MODULE_USER};
	static const struct modules modules = {.v = &module, .n = 1};
	static const struct pl_perf_attr attr = {.sample_regs_user = 0x1ffffffff};
	struct unwind_options o = options();
	struct space *space = space_new(&kit_spaces);
	struct space_map map = {.start = BASE, .end = BASE + 0x2000, .exec = true};
	struct pl_perf_sample sample = {
		.regs_abi = PERF_SAMPLE_REGS_ABI_64,
		.regs = {(unsigned char *)words, sizeof words},
		.stack = {(unsigned char *)stack, sizeof stack},
	};
	char path[128];

	snprintf(path, sizeof path, "%s", in_folder("arm"));
	write_aarch64(path);
	words[31] = STACK;
	words[32] = BASE + 0x1008;
	/* signed; and a call that was the last instruction: what follows is another function */
	words[30] = (BASE + 0x1040) | (uint64_t)0x2b << 48;
	CHECK(space_insert(&kit_spaces, &space, map) == 0);
	o.arch = PL_S("aarch64");
	o.modules = &modules;
	o.path_of = path_of_arm;
	o.context = path;
	o.trust_paths = true;
	struct unwind *u = unwind_new(&o);
	unwind_add(u, space, &attr, &sample);
	unwind_run(u);
	struct unwind_stack s = unwind_stack(u, 0);
	CHECK_STOP(s, UNWIND_ROOT);
	CHECK_U64(s.n, 3);
	static const uint64_t want[] = {BASE + 0x1008, BASE + 0x1040, BASE + 0x1050};
	for (size_t i = 0; i < s.n && i < PL_COUNT(want); i++)
		CHECK_U64(s.frames[i].address, want[i]);
	unwind_end(u);
	/* the file of another architecture */
	words[8] = BASE + 0x1008; /* IP */
	o.arch = PL_S("x86_64");
	u = unwind_new(&o);
	unwind_add(u, space, &attr, &sample);
	unwind_run(u);
	s = unwind_stack(u, 0);
	CHECK_STOP(s, UNWIND_NO_FILE);
	CHECK_U64(s.n, 1);
	unwind_end(u);
	space_release(&kit_spaces, space);
	unlink(path);
}

static void take_samples(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	kit_map();
	outer();
	keep++;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	keep++;
}

int main(void)
{
	snprintf(folder, sizeof folder, "/tmp/unwind_test.XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	deaths = mmap(NULL, sizeof *deaths, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	take_samples();
	RUN(finds_the_callers);
	RUN(finds_what_a_signal_interrupted);
	RUN(stops_where_the_stack_was_cut);
	RUN(stops_at_bad_return_addresses);
	RUN(stops_at_the_depth);
	RUN(needs_registers_of_a_known_abi);
	RUN(reads_registers_in_perf_order);
	RUN(needs_the_file_that_ran);
	RUN(needs_a_regular_file);
	RUN(code_without_a_file_has_no_cfi);
	RUN(the_vdso_is_ours_or_none);
	RUN(outlives_hostile_files);
	RUN(a_module_that_kills_is_left_alone);
	RUN(one_crash_costs_one_sample);
	RUN(a_file_that_takes_too_long_is_left);
	RUN(samples_keep_their_spaces);
	RUN(batches_end);
#ifndef PL_NO_SANDBOX
	RUN(works_in_the_sandbox);
#endif
	RUN(unwinds_aarch64);
	if (asked)
		unwind_end(asked);
	rmdir(folder);
	return unit_done();
}
