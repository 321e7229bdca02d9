/*
 * dwarf-scopes: the functions of a unit, and the copies of others inlined into them.
 *
 * A unit's entries are read once, front to back, with no way back: however the bytes are made, it
 * ends where the unit does. Functions may be anywhere: in namespaces, in types, in other functions
 * that have no code themselves.
 *
 * What linkers leave of functions that they removed (--gc-sections) is of two kinds. The function
 * itself begins at 0, 1, -1 or -2, where no code is. But what is inlined into it begins some bytes
 * behind that, which may well be where another function is. So an inlined scope counts only within
 * a function that counts, and only where that one is.
 *
 * gold adds to 0 what was behind the section's start: where a section of several functions was
 * removed, those behind the first seem to be in other code. The unit's rows tell: the sequence of a
 * removed section begins at 0 and was left out, and compilers write a row where a function begins.
 * What is left is one that would begin just where another function of its unit does. Symbols would
 * not tell better: static functions may have none (ld -x), and names of the two differ often.
 */
#include "dwarf-parts.h"

/* What is around the entries of one depth. */
struct around {
	uint32_t scope; /* what is inlined there is inlined into that; or DWARF_NO_SCOPE */
	size_t first,
		spans; /* of the unit's spans: those of the function; none: none that counts */
};

struct walk {
	struct dwarf_file *f;
	struct dwarf_unit *u;
	Dwarf_CU *cu; /* whose entries they are: the unit's, or its .dwo's */
	struct dwarf_layout layout;
	const struct dwarf_abbrevs *abbrevs;
	const unsigned char *start, *p, *end; /* of the unit with its header; where we are */
	unsigned depth;
	struct around around[DWARF_DEPTH_MAX];
};

/* An entry, as far as it was looked at while it was skipped. NULL: it has no such attribute. */
struct entry {
	const unsigned char *at, *sibling, *low, *high;
	unsigned sibling_form, low_form, high_form;
	bool ranges;
};

/* The bounds of the unit with that entry, and how it is laid out. */
static int walk_start(struct walk *w, Dwarf_Die *unit)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(unit->cu);
	Dwarf_Off start = dwarf_dieoffset(unit) - dwarf_cuoffset(unit), next, abbrevs;
	uint8_t address_size, offset_size;
	Dwarf_Half version;
	size_t header;
	GElf_Ehdr elf;

	if (dwarf_next_unit(dwarf, start, &next, &header, &version, &abbrevs, &address_size,
			    &offset_size, NULL, NULL) ||
	    !gelf_getehdr(dwarf_getelf(dwarf), &elf)) {
		dwarf_lack(w->f, DWARF_DAMAGED);
		return -1;
	}
	/* libdw takes a unit to be as long as it says */
	struct pl_str section = dwarf_section(dwarf_getelf(dwarf), "debug_info", unit->addr);
	if (!section.p)
		section = dwarf_section(dwarf_getelf(dwarf), "debug_info.dwo", unit->addr);
	const unsigned char *end = (const unsigned char *)section.p + section.n;
	w->start = (const unsigned char *)unit->addr - dwarf_cuoffset(unit);
	w->p = unit->addr;
	if (address_size > 8 || !section.p || next - start > (uint64_t)(end - w->start)) {
		dwarf_lack(w->f, DWARF_DAMAGED);
		return -1;
	}
	w->end = w->start + (next - start);
	w->layout = (struct dwarf_layout){version, address_size, offset_size,
					  elf.e_ident[EI_DATA] == ELFDATA2MSB};
	w->cu = unit->cu;
	w->abbrevs = dwarf_abbrevs_read(w->f, unit, abbrevs, &w->layout);
	w->around[0] = (struct around){.scope = DWARF_NO_SCOPE};
	return w->abbrevs ? 0 : -1;
}

/* Moves behind the entry's attributes. */
static int skip_attributes(struct walk *w, const struct dwarf_abbrev *a, struct entry *e)
{
	const unsigned char *p = w->p;

	for (unsigned i = 0; i < a->steps_n; i++) {
		const struct dwarf_step *s = &a->steps[i];
		if (s->skip > (size_t)(w->end - p))
			return -1;
		p += s->skip;
		if (s->name == DW_AT_sibling) {
			e->sibling = p;
			e->sibling_form = s->form;
		} else if (s->name == DW_AT_low_pc) {
			e->low = p;
			e->low_form = s->form;
		} else if (s->name == DW_AT_high_pc) {
			e->high = p;
			e->high_form = s->form;
		}
		p = dwarf_form_skip(p, w->end, s->form, &w->layout);
		if (!p)
			return -1;
	}
	if (a->skip_last > (size_t)(w->end - p))
		return -1;
	w->p = p + a->skip_last;
	return 0;
}

/* The common way to say which addresses a function has: one, and how many more. */
static bool plain_range(const struct walk *w, const struct entry *e, uint64_t *lo, uint64_t *hi)
{
	static const uint8_t widths[] = {
		[DW_FORM_data1] = 1, [DW_FORM_data2] = 2, [DW_FORM_data4] = 4, [DW_FORM_data8] = 8};

	if (!e->low || !e->high || e->low_form != DW_FORM_addr || e->high_form >= sizeof widths ||
	    !widths[e->high_form])
		return false;
	*lo = dwarf_number(e->low, w->layout.address_size, w->layout.big_endian);
	*hi = *lo + dwarf_number(e->high, widths[e->high_form], w->layout.big_endian);
	return true;
}

static void add_ranges(struct walk *w, const struct entry *e, uint32_t owner)
{
	uint64_t lo, hi;

	if (plain_range(w, e, &lo, &hi)) {
		dwarf_units_add_range(w->f, lo, hi, &w->u->spans, owner);
	} else {
		Dwarf_Die die = {.addr = (void *)(uintptr_t)e->at, .cu = w->cu};
		dwarf_units_add_ranges(w->f, &die, &w->u->spans, owner);
	}
}

static void add_scope(struct walk *w, const struct entry *e, uint32_t parent, bool inlined)
{
	struct dwarf_unit *u = w->u;

	PL_GROW(u->scopes, u->scopes_n + 1, u->scopes_cap);
	u->scopes[u->scopes_n++] = (struct dwarf_scope){
		.die = (void *)(uintptr_t)e->at, .parent = parent, .inlined = inlined};
}

/* Adds a function, and says what is then around the entries in it. */
static struct around add_function(struct walk *w, const struct entry *e)
{
	struct dwarf_spans *spans = &w->u->spans;
	struct around in = {.scope = DWARF_NO_SCOPE, .first = spans->n};

	add_ranges(w, e, (uint32_t)w->u->scopes_n);
	/* what is cold comes last, and need not begin at a row */
	bool begins = spans->n > in.first &&
		      (!w->u->removed ||
		       dwarf_lines_allow(w->f, w->u, spans->v[in.first].lo, spans->v[in.first].hi));
	if (!begins || !dwarf_take_room(w->f)) {
		spans->n = in.first;
		return in;
	}
	dwarf_spans_join(spans, in.first);
	in.spans = spans->n - in.first;
	in.scope = (uint32_t)w->u->scopes_n;
	add_scope(w, e, DWARF_NO_SCOPE, false);
	return in;
}

/* Drops what is not within the function's spans of those from `first` on. */
static void keep_within(struct dwarf_spans *spans, size_t first, const struct around *function)
{
	size_t kept = first;

	for (size_t i = first; i < spans->n; i++) {
		const struct dwarf_spans in = {.v = spans->v + function->first,
					       .n = function->spans};
		const struct dwarf_span *s = dwarf_spans_find(&in, spans->v[i].lo);
		if (s && spans->v[i].hi <= s->hi)
			spans->v[kept++] = spans->v[i];
	}
	spans->n = kept;
}

/* Adds an inlined copy. One without addresses stays between those in it and those around it: where
 * it has several ranges, strict DWARF 2 cannot say so. */
static struct around add_inlined(struct walk *w, const struct dwarf_abbrev *a,
				 const struct entry *e)
{
	struct around in = w->around[w->depth];
	size_t first = w->u->spans.n;

	if (in.scope == DWARF_NO_SCOPE || !dwarf_take_room(w->f))
		return in;
	if (a->has_code) {
		add_ranges(w, e, (uint32_t)w->u->scopes_n);
		keep_within(&w->u->spans, first, &in);
	}
	uint32_t parent = in.scope;
	in.scope = (uint32_t)w->u->scopes_n;
	add_scope(w, e, parent, true);
	return in;
}

/* Below some entries there is never a function. */
static bool is_barren(const struct dwarf_abbrev *a)
{
	switch (a->tag) {
	case DW_TAG_subprogram:
		return a->declaration;
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_formal_parameter:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
	case DW_TAG_GNU_formal_parameter_pack:
	case DW_TAG_GNU_template_parameter_pack:
		return true;
	default:
		return false;
	}
}

/* Where the entry beside this one begins, when it says so, and it is further on. */
static const unsigned char *sibling_of(const struct walk *w, const struct entry *e)
{
	static const uint8_t widths[] = {
		[DW_FORM_ref1] = 1, [DW_FORM_ref2] = 2, [DW_FORM_ref4] = 4, [DW_FORM_ref8] = 8};
	uint64_t offset;

	if (!e->sibling || e->sibling_form >= sizeof widths || !widths[e->sibling_form])
		return NULL;
	offset = dwarf_number(e->sibling, widths[e->sibling_form], w->layout.big_endian);
	return offset > (uint64_t)(w->p - w->start) && offset < (uint64_t)(w->end - w->start)
		       ? w->start + offset
		       : NULL;
}

/* Goes to what follows: the first entry below this one, or the one beside it. */
static int advance(struct walk *w, const struct dwarf_abbrev *a, const struct entry *e,
		   const struct around *in)
{
	const unsigned char *sibling;

	if (!a->children)
		return 0;
	if (is_barren(a) && (sibling = sibling_of(w, e))) {
		w->p = sibling;
		return 0;
	}
	if (w->depth + 1 == DWARF_DEPTH_MAX) {
		dwarf_lack(w->f, DWARF_LIMIT);
		return -1;
	}
	w->around[++w->depth] = *in;
	return 0;
}

static bool damaged(struct walk *w)
{
	dwarf_lack(w->f, DWARF_DAMAGED);
	return false;
}

/* False: there is no more, or no more that can be read, which is noted. */
static bool walk_entry(struct walk *w)
{
	struct entry e = {.at = w->p};
	uint64_t code;

	if (dwarf_uleb(&w->p, w->end, &code))
		return damaged(w);
	if (code == 0) {
		if (w->depth)
			w->depth--;
		return w->depth > 0;
	}
	const struct dwarf_abbrev *a = dwarf_abbrevs_find(w->abbrevs, code);
	if (!a || skip_attributes(w, a, &e))
		return damaged(w);
	struct around in = w->around[w->depth];
	if (a->tag == DW_TAG_inlined_subroutine)
		in = add_inlined(w, a, &e);
	else if (a->tag == DW_TAG_subprogram)
		in = a->has_code ? add_function(w, &e) : (struct around){.scope = DWARF_NO_SCOPE};
	return advance(w, a, &e, &in) == 0 && w->depth > 0;
}

void dwarf_scopes_build(struct dwarf_file *f, struct dwarf_unit *u)
{
	struct walk w = {.f = f, .u = u};
	Dwarf_Die die;

	if (u->built)
		return;
	u->built = true;
	dwarf_split_unit(f, u, &die);
	u->scopes_cu = die.cu;
	if (walk_start(&w, &die) || !dwarf_abbrevs_have_functions(w.abbrevs))
		return;
	while (walk_entry(&w)) {
	}
	dwarf_spans_flatten(&u->spans);
}
