/* elfplt: the stubs of a procedure linkage table, and whose they are */
#include "elfplt.h"
#include "mem.h"

/* ---- the slots that relocations fill ---- */

/* Numbers of relocations (elf.h) that put a function's address into a slot. */
struct machine {
	uint16_t number;
	uint32_t jump_slot, glob_dat, irelative;
};
static const struct machine machines[] = {
	{EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE},
	{EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE},
};

struct slot {
	uint64_t at;
	const char *name;
	uint64_t resolver;
};

struct slots {
	struct slot *v;
	size_t n, cap;
	/* those of .rela.plt, whose order stubs may count on */
	size_t first_lazy, lazy_n;
};

static int slot_order(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static const struct slot *find_slot(const struct slots *slots, uint64_t at)
{
	struct slot key = {.at = at};

	return slots->n ? bsearch(&key, slots->v, slots->n, sizeof key, slot_order) : NULL;
}

/* The symbols that a section of relocations refers to. */
struct symbols {
	Elf_Data *data;
	struct pl_str names;
};

static struct symbols symbols_of(const struct pl_elf *elf, uint32_t index)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);
	struct symbols symbols = {0};

	if (index == 0 || index >= n ||
	    (s[index].type != SHT_DYNSYM && s[index].type != SHT_SYMTAB))
		return symbols;
	symbols.data = pl_elf_section_data(elf, &s[index]);
	symbols.names = pl_elf_strings(elf, s[index].link);
	return symbols;
}

static const char *name_of(const struct symbols *symbols, uint64_t index)
{
	GElf_Sym sym;

	if (!symbols->data || index > INT32_MAX || !gelf_getsym(symbols->data, (int)index, &sym) ||
	    sym.st_name == 0 || sym.st_name >= symbols->names.n)
		return NULL;
	return symbols->names.p + sym.st_name;
}

static void read_slots(struct slots *slots, const struct pl_elf *elf,
		       const struct pl_elf_section *s, const struct machine *machine)
{
	struct symbols symbols = symbols_of(elf, s->link);
	Elf_Data *data = pl_elf_section_data(elf, s);
	GElf_Rela r;

	for (int i = 0; data && i < INT32_MAX && gelf_getrela(data, i, &r); i++) {
		uint32_t type = (uint32_t)GELF_R_TYPE(r.r_info);
		struct slot slot = {.at = r.r_offset, .resolver = (uint64_t)r.r_addend};
		if (type != machine->jump_slot && type != machine->glob_dat &&
		    type != machine->irelative)
			continue;
		if (type != machine->irelative)
			slot.name = name_of(&symbols, GELF_R_SYM(r.r_info));
		PL_GROW(slots->v, slots->n + 1, slots->cap);
		slots->v[slots->n++] = slot;
	}
}

/* ---- stubs ---- */

struct reader {
	const struct slots *slots;
	const struct slot *lazy; /* in the order of .rela.plt */
	size_t lazy_n;
	struct pl_elfplt *plt;
};

static void add_stub(struct reader *r, uint64_t start, uint64_t end, const struct slot *slot)
{
	PL_GROW(r->plt->v, r->plt->n + 1, r->plt->cap);
	r->plt->v[r->plt->n++] = (struct pl_elfstub){
		.start = start, .end = end, .name = slot->name, .resolver = slot->resolver};
}

static uint32_t word_at(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/*
 * jmp *SLOT(%rip) (ff 25 and the distance from its end) somewhere in the stub; or, in the first
 * half of a stub with a landing pad, push NUMBER (68) of the relocation. The first stub of .plt,
 * which all others go on to, jumps through a slot without relocation.
 */
static const struct slot *x86_64_slot(const struct reader *r, const unsigned char *p, size_t n,
				      uint64_t at)
{
	enum { PAD = 4, JUMP = 6, PUSH = 5 };
	static const unsigned char landing[PAD] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */

	for (size_t i = 0; i + JUMP <= n; i++) {
		const struct slot *slot;
		if (p[i] != 0xff || p[i + 1] != 0x25)
			continue;
		slot = find_slot(r->slots,
				 at + i + JUMP + (uint64_t)(int64_t)(int32_t)word_at(p + i + 2));
		if (slot)
			return slot;
	}
	if (n < PAD + PUSH || memcmp(p, landing, PAD) != 0 || p[PAD] != 0x68)
		return NULL;
	return word_at(p + PAD + 1) < r->lazy_n ? &r->lazy[word_at(p + PAD + 1)] : NULL;
}

/* Bytes from one stub to the next. Static programs do not say, and have short ones in .plt. */
static size_t x86_64_step(const struct reader *r, const struct pl_elf_section *s,
			  struct pl_str bytes)
{
	enum { SHORT = 8, LONG = 16, LONGER = 32 };
	const unsigned char *p = (const unsigned char *)bytes.p;

	if (s->entsize == SHORT || s->entsize == LONG || s->entsize == LONGER)
		return s->entsize;
	bool two = bytes.n >= LONG && x86_64_slot(r, p, SHORT, s->addr) &&
		   x86_64_slot(r, p + SHORT, SHORT, s->addr + SHORT);
	return two || bytes.n < LONG ? SHORT : LONG;
}

static void read_x86_64(struct reader *r, const struct pl_elf_section *s, struct pl_str bytes)
{
	size_t step = x86_64_step(r, s, bytes);

	for (size_t i = 0; bytes.n - i >= step; i += step) {
		uint64_t at = s->addr + i;
		const struct slot *slot =
			x86_64_slot(r, (const unsigned char *)bytes.p + i, step, at);
		if (slot)
			add_stub(r, at, at + step, slot);
	}
}

/* adrp x16, PAGE; ldr x17, [x16, OFFSET]: the slot; 0 when it is something else. */
static uint64_t aarch64_slot(uint32_t adrp, uint32_t ldr, uint64_t at)
{
	uint64_t page, sign = (uint64_t)1 << 32;

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	page = ((uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 12;
	page = (page ^ sign) - sign; /* 21 bits and 12 zeros, signed */
	return (at & ~(uint64_t)0xfff) + page + (ldr >> 10 & 0xfff) * 8;
}

/* Where the stub ends that begins with these n bytes: behind br x17, which may follow the check of
 * a signed pointer. */
static size_t aarch64_length(const unsigned char *p, size_t n)
{
	enum { WORD = 4, SHORTEST = 16, LONGEST = 28 };
	const uint32_t branch = 0xd61f0220;

	for (size_t i = SHORTEST; i <= n && i <= LONGEST; i += WORD)
		if (word_at(p + i - WORD) == branch)
			return i;
	return SHORTEST;
}

/* A stub may begin with a landing pad. */
static void read_aarch64(struct reader *r, const struct pl_elf_section *s, struct pl_str bytes)
{
	enum { WORD = 4, STUB = 16 };
	const uint32_t landing = 0xd503245f; /* bti c */
	const unsigned char *p = (const unsigned char *)bytes.p;

	for (size_t i = 0; bytes.n >= STUB && i <= bytes.n - STUB; i += WORD) {
		uint64_t at = s->addr + i, start = at;
		uint64_t where = aarch64_slot(word_at(p + i), word_at(p + i + WORD), at);
		const struct slot *slot = where ? find_slot(r->slots, where) : NULL;
		if (!slot)
			continue;
		if (i >= WORD && word_at(p + i - WORD) == landing)
			start -= WORD;
		add_stub(r, start, at + aarch64_length(p + i, bytes.n - i), slot);
	}
}

/* ---- */

static bool is_plt(const struct pl_elf_section *s)
{
	return s->type == SHT_PROGBITS && s->flags & SHF_EXECINSTR &&
	       (strncmp(s->name, ".plt", 4) == 0 || strncmp(s->name, ".iplt", 5) == 0);
}

static const struct machine *machine_of(const struct pl_elf *elf)
{
	const GElf_Ehdr *h = pl_elf_header(elf);

	for (size_t i = 0; i < PL_COUNT(machines); i++)
		if (machines[i].number == h->e_machine && h->e_type != ET_REL &&
		    h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_ident[EI_DATA] == ELFDATA2LSB)
			return &machines[i];
	return NULL;
}

static void read_all_slots(struct slots *slots, const struct pl_elf *elf,
			   const struct machine *machine)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);

	for (size_t i = 1; i < n; i++) {
		size_t before = slots->n;
		if (s[i].type != SHT_RELA || !(s[i].flags & SHF_ALLOC))
			continue;
		read_slots(slots, elf, &s[i], machine);
		if (strcmp(s[i].name, ".rela.plt") == 0) {
			slots->first_lazy = before;
			slots->lazy_n = slots->n - before;
		}
	}
}

static void read_stubs(struct reader *r, const struct pl_elf *elf, const struct machine *machine)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);

	for (size_t i = 1; i < n; i++) {
		struct pl_str bytes =
			is_plt(&s[i]) ? pl_elf_section_bytes(elf, &s[i]) : (struct pl_str){0};
		if (machine->number == EM_X86_64)
			read_x86_64(r, &s[i], bytes);
		else
			read_aarch64(r, &s[i], bytes);
	}
}

static bool has_plt(const struct pl_elf *elf)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);

	for (size_t i = 1; i < n; i++)
		if (is_plt(&s[i]))
			return true;
	return false;
}

void pl_elfplt_read(struct pl_elfplt *plt, const struct pl_elf *elf)
{
	const struct machine *machine = machine_of(elf);
	struct slots slots = {0};
	struct reader r = {.slots = &slots, .plt = plt};

	*plt = (struct pl_elfplt){0};
	if (!machine || !has_plt(elf))
		return;
	read_all_slots(&slots, elf, machine);
	struct slot *lazy = pl_alloc((slots.lazy_n + 1) * sizeof *lazy);
	if (slots.lazy_n)
		memcpy(lazy, slots.v + slots.first_lazy, slots.lazy_n * sizeof *lazy);
	r.lazy = lazy;
	r.lazy_n = slots.lazy_n;
	if (slots.n)
		qsort(slots.v, slots.n, sizeof *slots.v, slot_order);
	read_stubs(&r, elf, machine);
	free(lazy);
	free(slots.v);
}

void pl_elfplt_free(struct pl_elfplt *plt)
{
	free(plt->v);
	*plt = (struct pl_elfplt){0};
}
