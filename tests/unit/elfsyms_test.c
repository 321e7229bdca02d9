/* elfsyms, elfplt: which symbols are taken, which of several names is chosen, and stubs */
#include "elf_kit.h"
#include "elfplt.h"
#include "elfsyms.h"
#include "mem.h"

static struct image e;
static struct pl_elfsyms syms;
static struct pl_err err;

/* A program with 4 KiB of code at 0x1000 in section 1, and data in section 2. */
static void begin_for(uint16_t type, uint16_t machine)
{
	image_start(&e, type, machine);
	image_code(&e, ".text", 0x1000, 0x1000);
	image_section(&e, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x3000, NULL, 0x100);
}

static void begin(void)
{
	begin_for(ET_DYN, EM_X86_64);
}

static void function(const char *name, unsigned bind, uint64_t at, uint64_t size)
{
	image_symbol(&e, name, STT_FUNC, bind, 1, at, size);
}

static void read_all(void)
{
	CHECK(pl_elfsyms_read(&syms, image_open(&e), NULL, &err) == 0);
}

static void end(void)
{
	pl_elfsyms_free(&syms);
	image_free(&e);
}

/* What lies at an address: "NAME+OFFSET", or "-". */
static void check_at(uint64_t at, const char *want)
{
	const struct pl_elfsym *s = pl_elfsyms_find(&syms, at);
	struct pl_buf got = {0};

	if (s) {
		pl_buf_adds(&got, pl_elfsym_name(s));
		pl_buf_printf(&got, "+%llu", (unsigned long long)(at - s->start));
	} else {
		pl_buf_addz(&got, "-");
	}
	CHECK_STR(got.p, got.n, want);
	pl_buf_free(&got);
}

/* Of two symbols of one function, in this order, the name that is chosen. */
static void check_choice(const char *a, unsigned a_bind, uint64_t a_size, const char *b,
			 unsigned b_bind, uint64_t b_size, const char *want)
{
	begin();
	function(a, a_bind, 0x1000, a_size);
	function(b, b_bind, 0x1000, b_size);
	read_all();
	CHECK_U64(syms.n, 1);
	CHECK_STR(syms.v[0].name, strlen(syms.v[0].name), want);
	end();
}

/* ---- which ---- */

TEST(what_is_taken)
{
	begin();
	function("function", STB_LOCAL, 0x1000, 16);
	image_symbol(&e, "ifunc", STT_GNU_IFUNC, STB_GLOBAL, 1, 0x1010, 16);
	image_symbol(&e, "label", STT_NOTYPE, STB_LOCAL, 1, 0x1020, 0);
	image_symbol(&e, "object", STT_OBJECT, STB_LOCAL, 1, 0x1030, 16);
	image_symbol(&e, "in data", STT_FUNC, STB_LOCAL, 2, 0x3000, 16);
	image_symbol(&e, "data", STT_OBJECT, STB_LOCAL, 2, 0x3010, 16);
	image_symbol(&e, "data label", STT_NOTYPE, STB_LOCAL, 2, 0x3020, 0);
	image_symbol(&e, "section", STT_SECTION, STB_LOCAL, 1, 0x1040, 16);
	image_symbol(&e, "thread", STT_TLS, STB_LOCAL, 1, 0x1050, 16);
	image_symbol(&e, "absolute", STT_FUNC, STB_GLOBAL, SHN_ABS, 0x1060, 16);
	image_symbol(&e, "undefined", STT_FUNC, STB_GLOBAL, SHN_UNDEF, 0x1070, 16);
	image_symbol(&e, "nowhere", STT_FUNC, STB_GLOBAL, 99, 0x1080, 16);
	image_symbol(&e, "", STT_FUNC, STB_GLOBAL, 1, 0x1090, 16);
	image_symbol(&e, "$x", STT_NOTYPE, STB_LOCAL, 1, 0x10a0, 0);
	read_all();
	CHECK(syms.reach == PL_ELFSYMS_FULL);
	CHECK_U64(syms.n, 6);
	check_at(0x1000, "function+0");
	check_at(0x101f, "ifunc+15");
	check_at(0x102f, "label+15");
	check_at(0x103f, "object+15");
	check_at(0x1040, "-");
	check_at(0x3000, "in data+0");
	check_at(0x3010, "-");
	check_at(0x10a5, "$x+5");
	check_at(0xfff, "-");
	end();
}

/* `depth` symbols within each other that all end before the last byte of the one around them. */
static void check_depth(size_t depth, const char *want)
{
	char name[24];

	begin();
	function("around", STB_GLOBAL, 0x1000, 0x800);
	for (size_t i = 0; i < depth; i++) {
		snprintf(name, sizeof name, "in%zu", i);
		function(name, STB_GLOBAL, 0x1001 + i, 0x700 - 2 * i);
	}
	read_all();
	check_at(0x17ff, want);
	check_at(0x1001 + depth, depth == 64 ? "in63+1" : "in64+1");
	end();
}

TEST(symbols_within_each_other_are_looked_through_to_a_depth)
{
	check_depth(64, "around+2047");
	check_depth(65, "-");
}

TEST(hidden_labels_are_not_taken)
{
	static const unsigned char others[] = {STV_DEFAULT, STV_INTERNAL, STV_HIDDEN,
					       STV_PROTECTED};

	begin();
	for (size_t i = 0; i < PL_COUNT(others); i++) {
		image_symbol(&e, "l", STT_NOTYPE, STB_GLOBAL, 1, 0x1000 + 16 * i, 0);
		Elf64_Sym *s = (Elf64_Sym *)(void *)(e.symbols.p + e.symbols.n) - 1;
		s->st_other = others[i];
	}
	read_all();
	CHECK_U64(syms.n, 2);
	CHECK_U64(syms.v[1].start, 0x1030);
	end();
}

TEST(mapping_symbols_of_arm_are_not_taken)
{
	static const char *const names[] = {"$x", "$d", "$x.4", "$a", "$t", "$xy", "$", "$z"};

	begin_for(ET_DYN, EM_AARCH64);
	for (size_t i = 0; i < PL_COUNT(names); i++)
		image_symbol(&e, names[i], STT_NOTYPE, STB_LOCAL, 1, 0x1000 + 16 * i, 0);
	read_all();
	CHECK_U64(syms.n, 3);
	check_at(0x1050, "$xy+0");
	check_at(0x1060, "$+0");
	check_at(0x1070, "$z+0");
	end();
}

TEST(the_flag_of_thumb_functions_is_no_address)
{
	begin_for(ET_DYN, EM_ARM);
	function("thumb", STB_GLOBAL, 0x1001, 16);
	read_all();
	check_at(0x1000, "thumb+0");
	check_at(0x1010, "-");
	end();
}

TEST(no_table)
{
	begin();
	read_all();
	CHECK(syms.reach == PL_ELFSYMS_NONE && syms.n == 0);
	check_at(0x1000, "-");
	end();
}

/* ---- where they end ---- */

TEST(without_size_to_the_next_or_to_the_sections_end)
{
	begin();
	function("last", STB_GLOBAL, 0x1f00, 0);
	function("first", STB_GLOBAL, 0x1000, 0);
	function("second", STB_GLOBAL, 0x1080, 4);
	image_symbol(&e, "_etext", STT_NOTYPE, STB_GLOBAL, 1, 0x2000, 0);
	read_all();
	CHECK_U64(syms.n, 3);
	check_at(0x107f, "first+127");
	check_at(0x1083, "second+3");
	check_at(0x1084, "-");
	check_at(0x1fff, "last+255");
	check_at(0x2000, "-");
	end();
}

TEST(symbols_in_one_another)
{
	begin();
	function("outer", STB_GLOBAL, 0x1000, 0x100);
	function("inner", STB_GLOBAL, 0x1010, 0x20);
	function("innermost", STB_GLOBAL, 0x1018, 8);
	image_symbol(&e, "label", STT_NOTYPE, STB_LOCAL, 1, 0x10f0, 0);
	function("behind", STB_GLOBAL, 0x1200, 4);
	function("crossing", STB_GLOBAL, 0x1030, 0x200);
	read_all();
	check_at(0x100f, "outer+15");
	check_at(0x1017, "inner+7");
	check_at(0x101f, "innermost+7");
	check_at(0x1020, "inner+16");
	check_at(0x1030, "crossing+0");
	check_at(0x10f8, "label+8");
	check_at(0x1203, "behind+3");
	check_at(0x1204, "crossing+468");
	check_at(0x122f, "crossing+511");
	check_at(0x1230, "-");
	end();
}

TEST(a_label_ends_with_the_function_that_it_is_in)
{
	begin();
	function("outer", STB_GLOBAL, 0x1000, 0x40);
	image_symbol(&e, "label", STT_NOTYPE, STB_LOCAL, 1, 0x1020, 0);
	function("far", STB_GLOBAL, 0x1800, 4);
	read_all();
	check_at(0x103f, "label+31");
	check_at(0x1040, "-");
	end();
}

TEST(sizes_that_go_beyond_all_addresses)
{
	begin();
	function("huge", STB_GLOBAL, 0x1000, UINT64_MAX);
	function("at the end", STB_GLOBAL, UINT64_MAX, 4);
	read_all();
	CHECK_U64(syms.n, 1);
	check_at(UINT64_MAX - 1, "huge+18446744073709547518");
	end();
}

/* ---- several names ---- */

TEST(the_better_name)
{
	enum { L = STB_LOCAL, G = STB_GLOBAL, W = STB_WEAK };

	/* a size */
	check_choice("without", G, 0, "with", W, 8, "with");
	check_choice("with", W, 8, "without_but_last", G, 0, "without_but_last");
	check_choice("with_size", G, 8, "last", W, 0, "with_size");
	/* not weak, even when local */
	check_choice("weak_and_longer", W, 8, "local", L, 8, "local");
	check_choice("local", L, 8, "weak_and_longer", W, 8, "local");
	/* global */
	check_choice("local_and_longer", L, 8, "global", G, 8, "global");
	check_choice("global", G, 8, "local_and_longer", L, 8, "global");
	/* fewer underscores */
	check_choice("__libc_malloc", G, 8, "malloc", G, 8, "malloc");
	check_choice("_x", G, 8, "__xyz", G, 8, "_x");
	check_choice("_ZN1a1bEv", G, 8, "_name_that_is_long", G, 8, "_ZN1a1bEv");
	check_choice("shorter", G, 8, "_RNvC1a1bcdef", G, 8, "_RNvC1a1bcdef");
	/* longer */
	check_choice("free", G, 8, "cfree", G, 8, "cfree");
	check_choice("cfree", G, 8, "free", G, 8, "cfree");
	/* system calls of old kernels */
	check_choice("SyS_read", G, 8, "sys_read", G, 8, "sys_read");
	check_choice("sys_read", G, 8, "SyS_read", G, 8, "sys_read");
	check_choice("compat_SyS_a", G, 8, "compat_sys_a", G, 8, "compat_sys_a");
	/* the first */
	check_choice("abc", G, 8, "xyz", G, 8, "abc");
	check_choice("xyz", G, 8, "abc", G, 8, "xyz");
}

TEST(the_best_of_many_names)
{
	begin();
	function("__a", STB_GLOBAL, 0x1000, 8);
	function("weak_name_of_it", STB_WEAK, 0x1000, 8);
	function("a", STB_GLOBAL, 0x1000, 8);
	function("ab", STB_GLOBAL, 0x1000, 8);
	function("local_name_of_it", STB_LOCAL, 0x1000, 8);
	function("_c", STB_GLOBAL, 0x1000, 8);
	read_all();
	CHECK_U64(syms.n, 1);
	check_at(0x1000, "ab+0");
	end();
}

TEST(versions_are_not_part_of_a_name)
{
	begin();
	function("memcpy@@GLIBC_2.14", STB_GLOBAL, 0x1000, 8);
	function("memcpy@GLIBC_2.2.5", STB_GLOBAL, 0x1010, 8);
	function("plain", STB_GLOBAL, 0x1020, 8);
	function("gold's@plt", STB_GLOBAL, 0x1030, 8);
	function("@", STB_GLOBAL, 0x1040, 8);
	read_all();
	check_at(0x1000, "memcpy+0");
	check_at(0x1010, "memcpy+0");
	check_at(0x1020, "plain+0");
	check_at(0x1030, "gold's@plt+0");
	check_at(0x1040, "@+0");
	end();
}

TEST(many_symbols_in_any_order)
{
	enum { N = 1000, STEP = 377 }; /* without a common factor */
	const uint64_t base = UINT64_C(0x6fffffffe000);
	char name[32];

	image_start(&e, ET_EXEC, EM_X86_64);
	image_code(&e, ".text", base, 16 * N);
	for (unsigned i = 0; i < N; i++) {
		unsigned k = i * STEP % N;
		snprintf(name, sizeof name, "f%u", k);
		function(name, STB_GLOBAL, base + 16 * k, 16);
	}
	read_all();
	CHECK_U64(syms.n, N);
	for (unsigned k = 0; k < N; k++) {
		snprintf(name, sizeof name, "f%u+15", k);
		check_at(base + 15 + 16 * k, name);
	}
	end();
}

/* ---- other tables ---- */

TEST(a_kernel_module)
{
	image_start(&e, ET_REL, EM_X86_64);
	image_code(&e, ".text", 0, 0x20);
	image_code(&e, ".init.text", 0, 0x20);
	e.sections[image_code(&e, ".exit.text", 0, 0x20)].sh_addralign = 64;
	image_symbol(&e, "first", STT_FUNC, STB_LOCAL, 1, 0, 8);
	image_symbol(&e, "init_module", STT_FUNC, STB_LOCAL, 2, 8, 8);
	image_symbol(&e, "cleanup_module", STT_FUNC, STB_LOCAL, 3, 8, 8);
	read_all();
	CHECK_U64(syms.n, 2);
	check_at(7, "first+7");
	check_at(8, "-");
	check_at(64 + 15, "cleanup_module+7");
	end();
}

TEST(dynamic_symbols_only)
{
	begin();
	function("exported", STB_GLOBAL, 0x1000, 8);
	image_symbols(&e, ".dynsym", SHT_DYNSYM);
	read_all();
	CHECK(syms.reach == PL_ELFSYMS_DYNAMIC);
	check_at(0x1000, "exported+0");
	end();
}

TEST(a_debug_file_whose_addresses_are_others)
{
	struct image debug;

	begin();
	image_segment(&e, PT_LOAD, PF_R, 0, 0, 0x100);
	image_segment(&e, PT_LOAD, PF_R | PF_X, 0x1000, 0x1000, 0x1000);
	image_start(&debug, ET_DYN, EM_X86_64);
	image_section(&debug, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x501000, NULL,
		      0x1000);
	image_segment(&debug, PT_LOAD, PF_R, 0, 0x500000, 0x100);
	image_segment(&debug, PT_LOAD, PF_R | PF_X, 0, 0x501000, 0);
	image_symbol(&debug, "sized", STT_FUNC, STB_LOCAL, 1, 0x501010, 8);
	image_symbol(&debug, "unsized", STT_FUNC, STB_LOCAL, 1, 0x501020, 0);
	CHECK(pl_elfsyms_read(&syms, image_open(&e), image_open(&debug), &err) == 0);
	CHECK(syms.reach == PL_ELFSYMS_FULL);
	check_at(0x1017, "sized+7");
	check_at(0x1fff, "unsized+4063");
	check_at(0x2000, "-");
	pl_elfsyms_free(&syms);
	image_free(&debug);
	image_free(&e);
}

TEST(the_larger_one_of_two_tables)
{
	struct image debug;

	begin();
	function("kept", STB_GLOBAL, 0x1000, 8);
	image_start(&debug, ET_DYN, EM_X86_64);
	image_section(&debug, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, NULL, 0x1000);
	image_symbol(&debug, "kept", STT_FUNC, STB_GLOBAL, 1, 0x1000, 8);
	image_symbol(&debug, "more", STT_FUNC, STB_LOCAL, 1, 0x1010, 8);
	CHECK(pl_elfsyms_read(&syms, image_open(&e), image_open(&debug), &err) == 0);
	check_at(0x1010, "more+0");
	pl_elfsyms_free(&syms);
	image_free(&debug);
	image_free(&e);
}

TEST(names_that_are_not_in_their_table)
{
	begin();
	function("a", STB_GLOBAL, 0x1000, 8);
	((Elf64_Sym *)(void *)e.symbols.p)[1].st_name = 3; /* just behind */
	function("b", STB_GLOBAL, 0x1010, 8);
	((Elf64_Sym *)(void *)e.symbols.p)[2].st_name = UINT32_MAX;
	read_all();
	CHECK_U64(syms.n, 1); /* the first is "b" now: strings are NUL a NUL b NUL */
	check_at(0x1000, "b+0");
	end();
}

/* ---- stubs ---- */

/* Relocations of the slots 0x4018, 0x4020, … by the symbols 1, 2, … of .dynsym. */
static void put_slots(uint32_t type, unsigned n)
{
	Elf64_Rela r[8] = {{0}};
	uint16_t dynsym;

	for (unsigned i = 0; i < n; i++) {
		char name[] = {(char)('a' + i), '\0'};
		image_symbol(&e, name, STT_FUNC, STB_GLOBAL, SHN_UNDEF, 0, 0);
		/* not in the order of the slots: names go by the relocation */
		r[n - 1 - i] = (Elf64_Rela){0x4018 + 8 * i, ELF64_R_INFO(i + 1, type), 0};
	}
	dynsym = image_symbols(&e, ".dynsym", SHT_DYNSYM);
	uint16_t at = image_section(&e, ".rela.plt", SHT_RELA, SHF_ALLOC, 0, r, n * sizeof *r);
	e.sections[at].sh_link = dynsym;
	e.sections[at].sh_entsize = sizeof *r;
}

static void check_stub(size_t i, uint64_t start, uint64_t stop, const char *name)
{
	const struct pl_elfsym *s = pl_elfsyms_find(&syms, start);

	CHECK(i < syms.n && s == &syms.v[i] && s->plt);
	if (s) {
		CHECK_U64(s->start, start);
		CHECK_U64(s->end, stop);
		CHECK_STR(pl_elfsym_name(s).p, pl_elfsym_name(s).n, name);
	}
}

TEST(stubs_of_x86_64_bound_lazily)
{
	/* at 0x1000; psABI, 5.2: the first pushes 0x4008 and jumps through 0x4010 */
	static const unsigned char plt[] = {
		0xff, 0x35, 0x02, 0x30, 0, 0, 0xff, 0x25, 0x04, 0x30, 0, 0,    0x0f, 0x1f, 0x40, 0,
		0xff, 0x25, 0x02, 0x30, 0, 0, 0x68, 0,	  0,	0,    0, 0xe9, 0,    0,	   0,	 0,
		0xff, 0x25, 0xfa, 0x2f, 0, 0, 0x68, 1,	  0,	0,    0, 0xe9, 0,    0,	   0,	 0,
	};

	image_start(&e, ET_DYN, EM_X86_64);
	put_slots(R_X86_64_JUMP_SLOT, 2);
	image_section(&e, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, plt, sizeof plt);
	read_all();
	CHECK_U64(syms.n, 2);
	check_stub(0, 0x1010, 0x1020, "a@plt");
	check_stub(1, 0x1020, 0x1030, "b@plt");
	check_at(0x1000, "-");
	end();
}

TEST(stubs_of_x86_64_with_landing_pads)
{
	/* .plt at 0x1000: endbr64; push NUMBER; bnd jmp. .plt.sec at 0x1020: endbr64; bnd jmp */
	static const unsigned char plt[] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0,    0xf2, 0xe9, 0, 0, 0, 0, 0x90,
		0xf3, 0x0f, 0x1e, 0xfa, 0x68, 2, 0, 0, 0x7f, 0xf2, 0xe9, 0, 0, 0, 0, 0x90,
	};
	static const unsigned char sec[] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xf5, 0x2f, 0, 0, 0, 0, 0, 0, 0,
	};

	image_start(&e, ET_DYN, EM_X86_64);
	put_slots(R_X86_64_JUMP_SLOT, 2);
	image_section(&e, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, plt, sizeof plt);
	image_section(&e, ".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1020, sec,
		      sizeof sec);
	read_all();
	CHECK_U64(syms.n, 2);			/* there is no relocation 2 */
	check_stub(0, 0x1000, 0x1010, "b@plt"); /* relocation 0 is that of the slot of b */
	check_stub(1, 0x1020, 0x1030, "b@plt"); /* 0x102b + 0x2ff5 = 0x4020 */
	end();
}

TEST(short_stubs_of_x86_64)
{
	/* jmp *0x4018; xchg; jmp *0x4020; xchg; one through a slot of nobody */
	static const unsigned char got[] = {
		0xff, 0x25, 0x12, 0x30, 0,    0,    0x66, 0x90, 0xff, 0x25, 0x12, 0x30,
		0,    0,    0x66, 0x90, 0xff, 0x25, 0,	  0,	0,    0,    0x66, 0x90,
	};

	image_start(&e, ET_DYN, EM_X86_64);
	put_slots(R_X86_64_GLOB_DAT, 2);
	image_section(&e, ".plt.got", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, got,
		      sizeof got);
	read_all();
	CHECK_U64(syms.n, 2);
	check_stub(0, 0x1000, 0x1008, "a@plt");
	check_stub(1, 0x1008, 0x1010, "b@plt");
	end();
}

TEST(a_stub_to_what_a_resolver_chooses)
{
	static const unsigned char plt[] = {0xff, 0x25, 0x12, 0x30, 0, 0, 0x66, 0x90};
	Elf64_Rela r[] = {{0x4018, ELF64_R_INFO(0, R_X86_64_IRELATIVE), 0x2000}};

	image_start(&e, ET_EXEC, EM_X86_64);
	e.sections[image_section(&e, ".rela.plt", SHT_RELA, SHF_ALLOC, 0, r, sizeof r)].sh_entsize =
		sizeof *r;
	image_section(&e, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, plt, sizeof plt);
	image_symbol(&e, "memcpy", STT_GNU_IFUNC, STB_GLOBAL, image_code(&e, ".text", 0x2000, 16),
		     0x2000, 16);
	read_all();
	CHECK_U64(syms.n, 2);
	check_stub(0, 0x1000, 0x1008, "memcpy@plt");
	end();
}

TEST(stubs_of_aarch64)
{
	/* at 0x1000: adrp x16, 0x4000; ldr x17, [x16, #0x18]; add; br x17; then one with a landing
	 * pad before it, for 0x4020, and a check of the pointer */
	static const uint32_t plt[] = {0xf0000010, 0xf9400e11, 0x91006210, 0xd61f0220, 0xd503245f,
				       0xf0000010, 0xf9401211, 0x91008210, 0xd503219f, 0xd61f0220};

	image_start(&e, ET_DYN, EM_AARCH64);
	put_slots(R_AARCH64_JUMP_SLOT, 2);
	image_section(&e, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, plt, sizeof plt);
	read_all();
	CHECK_U64(syms.n, 2);
	check_stub(0, 0x1000, 0x1010, "a@plt");
	check_stub(1, 0x1010, 0x1028, "b@plt");
	end();
}

TEST(a_stub_of_aarch64_behind_its_slot)
{
	/* at 0x8000: adrp x16, 0x4000, four pages back */
	static const uint32_t plt[] = {0x90fffff0, 0xf9400e11, 0x91006210, 0xd61f0220};

	image_start(&e, ET_DYN, EM_AARCH64);
	put_slots(R_AARCH64_JUMP_SLOT, 1);
	image_section(&e, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x8000, plt, sizeof plt);
	read_all();
	CHECK_U64(syms.n, 1);
	check_stub(0, 0x8000, 0x8010, "a@plt");
	end();
}

TEST(no_stubs_on_other_machines)
{
	static const unsigned char got[] = {0xff, 0x25, 0x12, 0x30, 0, 0, 0x66, 0x90};

	image_start(&e, ET_DYN, EM_RISCV);
	put_slots(R_X86_64_GLOB_DAT, 1);
	image_section(&e, ".plt.got", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, got,
		      sizeof got);
	read_all();
	CHECK_U64(syms.n, 0);
	end();
}

int main(void)
{
	RUN(what_is_taken);
	RUN(symbols_within_each_other_are_looked_through_to_a_depth);
	RUN(hidden_labels_are_not_taken);
	RUN(mapping_symbols_of_arm_are_not_taken);
	RUN(the_flag_of_thumb_functions_is_no_address);
	RUN(no_table);
	RUN(without_size_to_the_next_or_to_the_sections_end);
	RUN(symbols_in_one_another);
	RUN(a_label_ends_with_the_function_that_it_is_in);
	RUN(sizes_that_go_beyond_all_addresses);
	RUN(the_better_name);
	RUN(the_best_of_many_names);
	RUN(versions_are_not_part_of_a_name);
	RUN(many_symbols_in_any_order);
	RUN(a_kernel_module);
	RUN(dynamic_symbols_only);
	RUN(a_debug_file_whose_addresses_are_others);
	RUN(the_larger_one_of_two_tables);
	RUN(names_that_are_not_in_their_table);
	RUN(stubs_of_x86_64_bound_lazily);
	RUN(stubs_of_x86_64_with_landing_pads);
	RUN(short_stubs_of_x86_64);
	RUN(a_stub_to_what_a_resolver_chooses);
	RUN(stubs_of_aarch64);
	RUN(a_stub_of_aarch64_behind_its_slot);
	RUN(no_stubs_on_other_machines);
	return unit_done();
}
