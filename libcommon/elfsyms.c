/* elfsyms: the functions of an ELF file, by address */
#include "elfsyms.h"
#include "elfplt.h"
#include "text.h"
#include "unxz.h"

/* ---- reading a table ---- */

/* A table of symbols, and what its symbols refer to. */
struct table {
	const struct pl_elf *elf;
	const struct pl_elf_section *section;
	Elf_Data *data, *indices; /* indices: of sections, where there are more than 65,279 */
	struct pl_str names;
	uint64_t bias; /* to be added to addresses */
	size_t n;
};

static const struct pl_elf_section *find_type(const struct pl_elf *elf, uint32_t type,
					      uint32_t link)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(elf, &n);

	for (size_t i = 1; i < n; i++)
		if (s[i].type == type && (link == 0 || s[i].link == link))
			return &s[i];
	return NULL;
}

/* The table of that type, or one with data NULL. */
static struct table find_table(const struct pl_elf *elf, uint32_t type)
{
	struct table t = {.elf = elf, .section = elf ? find_type(elf, type, 0) : NULL};
	const struct pl_elf_section *indices;
	size_t n;

	if (!t.section)
		return t;
	uint32_t own = (uint32_t)(t.section - pl_elf_sections(elf, &n));
	t.names = pl_elf_strings(elf, t.section->link);
	t.data = t.names.n ? pl_elf_section_data(elf, t.section) : NULL;
	t.n = t.data ? t.data->d_size / gelf_fsize(pl_elf_handle(elf), ELF_T_SYM, 1, EV_CURRENT)
		     : 0;
	indices = find_type(elf, SHT_SYMTAB_SHNDX, own);
	t.indices = indices ? pl_elf_section_data(elf, indices) : NULL;
	return t;
}

static const struct pl_elf_section *section_of(const struct table *t, const GElf_Sym *sym,
					       uint32_t extended)
{
	size_t n;
	const struct pl_elf_section *s = pl_elf_sections(t->elf, &n);
	uint32_t index = sym->st_shndx == SHN_XINDEX ? extended : sym->st_shndx;

	if (index == SHN_UNDEF || (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX))
		return NULL;
	return index < n && s[index].placed ? &s[index] : NULL;
}

/* The rules at the head of elfsyms.h. */
static bool is_wanted(const struct table *t, const GElf_Sym *sym, const char *name,
		      const struct pl_elf_section *section)
{
	uint16_t machine = pl_elf_header(t->elf)->e_machine;
	bool code = section->flags & SHF_EXECINSTR;
	unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	if ((machine == EM_ARM || machine == EM_AARCH64) && name[0] == '$' && name[1] &&
	    strchr("adtx", name[1]) && (name[2] == '\0' || name[2] == '.'))
		return false;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_OBJECT:
		return code;
	case STT_NOTYPE:
		return code && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
	default:
		return false;
	}
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static void add_symbol(struct pl_elfsyms *syms, const struct table *t, const GElf_Sym *sym,
		       const struct pl_elf_section *section)
{
	bool relocatable = pl_elf_header(t->elf)->e_type == ET_REL;
	uint64_t start = sym->st_value + (relocatable ? section->addr : 0);
	uint64_t limit = sum(section->addr, section->size) + t->bias;

	/* the lowest bit of a Thumb function's address is a flag */
	if (pl_elf_header(t->elf)->e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		start &= ~(uint64_t)1;
	start += t->bias;
	/* one without size is cut back from the section's end later; _etext and its like stand
	 * where a section ends, and have nothing */
	uint64_t end = sym->st_size ? sum(start, sym->st_size) : limit;
	if (end <= start)
		return;
	PL_GROW(syms->v, syms->n + 1, syms->cap);
	syms->v[syms->n++] = (struct pl_elfsym){.start = start,
						.end = end,
						.name = t->names.p + sym->st_name,
						.bind = GELF_ST_BIND(sym->st_info),
						.type = GELF_ST_TYPE(sym->st_info),
						.sized = sym->st_size != 0};
}

static int read_table(struct pl_elfsyms *syms, const struct table *t, struct pl_err *err)
{
	size_t n = t->n < PL_ELFSYMS_MAX ? t->n : PL_ELFSYMS_MAX;

	PL_GROW(syms->v, syms->n + n, syms->cap);
	for (size_t i = 1; i < n; i++) {
		const struct pl_elf_section *section;
		Elf32_Word extended = 0;
		GElf_Sym sym;
		if (!gelf_getsymshndx(t->data, t->indices, (int)i, &sym, &extended))
			break;
		section = section_of(t, &sym, extended);
		if (sym.st_name < t->names.n && t->names.p[sym.st_name] && section &&
		    is_wanted(t, &sym, t->names.p + sym.st_name, section))
			add_symbol(syms, t, &sym, section);
	}
	if (n == t->n)
		return 0;
	return pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			  _("has more than %d symbols; the rest was left out"), PL_ELFSYMS_MAX);
}

/* ---- order ---- */

/* By start, those of equal start as they were; tmp has room for n. Digit by digit: addresses of one
 * file differ in few. */
static void sort(struct pl_elfsym *v, struct pl_elfsym *tmp, size_t n)
{
	struct pl_elfsym *from = v, *to = tmp, *other;

	for (unsigned shift = 0; shift < 64; shift += 8) {
		size_t at[257] = {0};
		for (size_t i = 0; i < n; i++)
			at[(from[i].start >> shift & 0xff) + 1]++;
		if (at[(from[0].start >> shift & 0xff) + 1] == n)
			continue;
		for (size_t i = 0; i < 256; i++)
			at[i + 1] += at[i];
		for (size_t i = 0; i < n; i++)
			to[at[from[i].start >> shift & 0xff]++] = from[i];
		other = from;
		from = to;
		to = other;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

static unsigned underscores(const char *name)
{
	unsigned n = 0;

	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R'))
		return 0;
	while (name[n] == '_')
		n++;
	return n;
}

static bool is_system_call_alias(const char *name)
{
	return strncmp(name, "SyS", 3) == 0 || strncmp(name, "compat_SyS", 10) == 0;
}

/* Is b, which comes later, chosen over a? `last`: b is the last of those that start there. */
static bool is_better(const struct pl_elfsym *b, const struct pl_elfsym *a, bool last)
{
	bool has_size = b->sized || last;
	if (has_size != a->sized)
		return has_size;
	if ((a->bind == STB_WEAK) != (b->bind == STB_WEAK))
		return a->bind == STB_WEAK;
	if ((a->bind == STB_GLOBAL) != (b->bind == STB_GLOBAL))
		return b->bind == STB_GLOBAL;
	unsigned a_under = underscores(a->name), b_under = underscores(b->name);
	if (a_under != b_under)
		return b_under < a_under;
	size_t a_n = strnlen(a->name, PL_ELFSYMS_NAME_MAX),
	       b_n = strnlen(b->name, PL_ELFSYMS_NAME_MAX);
	if (a_n != b_n)
		return b_n > a_n;
	return is_system_call_alias(a->name);
}

/* Keeps one of those that start at one address. */
static void choose(struct pl_elfsyms *syms)
{
	struct pl_elfsym *v = syms->v;
	size_t n = 0;

	for (size_t i = 0; i < syms->n; i++) {
		bool last = i + 1 == syms->n || v[i + 1].start != v[i].start;
		if (n == 0 || v[n - 1].start != v[i].start)
			v[n++] = v[i];
		else if (is_better(&v[i], &v[n - 1], last))
			v[n - 1] = v[i];
	}
	syms->n = n;
}

/* The nearest before i that ends after `end`: index + 1, or 0. Those before i have their outer. */
static uint32_t around(const struct pl_elfsym *v, size_t i, uint64_t end)
{
	uint32_t j = (uint32_t)i;

	while (j && v[j - 1].end <= end)
		j = v[j - 1].outer;
	return j;
}

/* Ends of those without size, and what lies around each. */
static void close_gaps(struct pl_elfsyms *syms)
{
	struct pl_elfsym *v = syms->v;

	for (size_t i = 0; i < syms->n; i++) {
		uint32_t outer = v[i].sized ? 0 : around(v, i, v[i].start);
		if (!v[i].sized && i + 1 < syms->n && v[i].end > v[i + 1].start)
			v[i].end = v[i + 1].start;
		if (outer && v[i].end > v[outer - 1].end)
			v[i].end = v[outer - 1].end;
		v[i].outer = around(v, i, v[i].end);
	}
}

static void arrange(struct pl_elfsyms *syms)
{
	if (syms->n == 0)
		return;
	struct pl_elfsym *tmp = pl_realloc(NULL, syms->n, sizeof *tmp);
	sort(syms->v, tmp, syms->n);
	free(tmp);
	choose(syms);
	close_gaps(syms);
}

/* ---- what a file has ---- */

static const GElf_Phdr *code_segment(const struct pl_elf *elf)
{
	size_t n;
	const GElf_Phdr *h = pl_elf_segments(elf, &n);

	for (size_t i = 0; i < n; i++)
		if (h[i].p_type == PT_LOAD && h[i].p_flags & PF_X)
			return &h[i];
	return NULL;
}

uint64_t pl_elfsyms_bias(const struct pl_elf *file, const struct pl_elf *debug)
{
	const GElf_Phdr *a = code_segment(file), *b = code_segment(debug);

	return a && b ? a->p_vaddr - b->p_vaddr : 0;
}

/* The larger one of the two .symtab. */
static struct table find_full(const struct pl_elf *file, const struct pl_elf *debug)
{
	struct table own = find_table(file, SHT_SYMTAB), other = find_table(debug, SHT_SYMTAB);

	if (!other.data || (own.data && own.n >= other.n))
		return own;
	other.bias = pl_elfsyms_bias(file, debug);
	return other;
}

/* .gnu_debugdata: an ELF file of its own, packed by xz, whose .symtab has what .dynsym lacks. */
static int read_debugdata(struct pl_elfsyms *syms, const struct pl_elf *file, struct pl_err *err)
{
	const struct pl_elf_section *s = pl_elf_section(file, ".gnu_debugdata", SHT_PROGBITS);
	struct pl_str packed = s ? pl_elf_section_bytes(file, s) : (struct pl_str){0};
	struct pl_err ignored;

	if (packed.n == 0 || pl_unxz(packed, &syms->unpacked) ||
	    pl_elf_open_memory(&syms->inner, syms->unpacked.p, syms->unpacked.n, &ignored) !=
		    PL_ELF_OK)
		return 0;
	struct table t = find_table(syms->inner, SHT_SYMTAB);
	if (!t.data)
		return 0;
	t.bias = pl_elfsyms_bias(file, syms->inner);
	syms->from_debugdata = true;
	return read_table(syms, &t, err);
}

static int read_tables(struct pl_elfsyms *syms, const struct pl_elf *file,
		       const struct pl_elf *debug, struct pl_err *err)
{
	struct table full = find_full(file, debug), dynamic = {0};
	int result = 0;

	if (full.data) {
		syms->reach = PL_ELFSYMS_FULL;
		return read_table(syms, &full, err);
	}
	dynamic = find_table(file, SHT_DYNSYM);
	if (dynamic.data) {
		syms->reach = PL_ELFSYMS_DYNAMIC;
		result = read_table(syms, &dynamic, err);
	}
	if (result == 0)
		result = read_debugdata(syms, file, err);
	if (syms->from_debugdata)
		syms->reach = PL_ELFSYMS_FULL;
	return result;
}

/* Stubs come last: one that goes to whatever a resolver chooses has that one's name. */
static void add_stubs(struct pl_elfsyms *syms, const struct pl_elf *file)
{
	struct pl_elfplt plt;
	size_t n = syms->n;

	pl_elfplt_read(&plt, file);
	PL_GROW(syms->v, n + plt.n, syms->cap);
	for (size_t i = 0; i < plt.n; i++) {
		const struct pl_elfstub *stub = &plt.v[i];
		struct pl_elfsyms named = {.v = syms->v, .n = n};
		const struct pl_elfsym *resolver =
			stub->name ? NULL : pl_elfsyms_find(&named, stub->resolver);
		struct pl_str name = stub->name ? pl_str(stub->name)
				     : resolver ? pl_elfsym_name(resolver)
						: (struct pl_str){0};
		if (!name.n || name.n > PL_ELFSYMS_STUB_NAME_MAX)
			continue;
		char *text = pl_arena_alloc(&syms->arena, name.n + sizeof "@plt");
		memcpy(text, name.p, name.n);
		memcpy(text + name.n, "@plt", sizeof "@plt");
		syms->v[syms->n++] = (struct pl_elfsym){.start = stub->start,
							.end = stub->end,
							.name = text,
							.bind = STB_GLOBAL,
							.type = STT_FUNC,
							.plt = true,
							.sized = true};
	}
	pl_elfplt_free(&plt);
	if (syms->n > n)
		arrange(syms);
}

int pl_elfsyms_read(struct pl_elfsyms *syms, const struct pl_elf *file, const struct pl_elf *debug,
		    struct pl_err *err)
{
	*syms = (struct pl_elfsyms){0};
	int result = read_tables(syms, file, debug, err);
	arrange(syms);
	add_stubs(syms, file);
	return result;
}

void pl_elfsyms_free(struct pl_elfsyms *syms)
{
	pl_elf_close(syms->inner);
	pl_buf_free(&syms->unpacked);
	pl_arena_free(&syms->arena);
	free(syms->v);
	*syms = (struct pl_elfsyms){0};
}

/* ---- using it ---- */

const struct pl_elfsym *pl_elfsyms_find(const struct pl_elfsyms *syms, uint64_t vaddr)
{
	size_t low = 0, high = syms->n; /* the last that starts at or before vaddr is below high */
	uint32_t at;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (syms->v[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	at = (uint32_t)low;
	for (int depth = 0; at && vaddr >= syms->v[at - 1].end; depth++) {
		if (depth == PL_ELFSYMS_DEPTH_MAX)
			return NULL;
		at = syms->v[at - 1].outer;
	}
	return at ? &syms->v[at - 1] : NULL;
}

struct pl_str pl_elfsym_name(const struct pl_elfsym *sym)
{
	struct pl_str name = {sym->name, strnlen(sym->name, PL_ELFSYMS_NAME_MAX)};
	const char *version = name.n ? memchr(name.p + 1, '@', name.n - 1) : NULL;

	if (version && !sym->plt && strcmp(version, "@plt") != 0)
		name.n = (size_t)(version - name.p);
	return name;
}

const char *pl_elfsyms_reach_name(enum pl_elfsyms_reach reach)
{
	static const char *const names[] = {[PL_ELFSYMS_NONE] = "none",
					    [PL_ELFSYMS_DYNAMIC] = "dynamic",
					    [PL_ELFSYMS_FULL] = "full"};
	return names[reach];
}
