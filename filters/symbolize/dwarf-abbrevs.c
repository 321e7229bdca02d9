/*
 * dwarf-abbrevs: how the entries of a unit are laid out, so that a unit can be read in one go.
 *
 * libdw finds an entry's abbreviation and skips its attributes each time that it is asked for a
 * child or a sibling, and reads all that is below an entry to find the next one beside it. Here an
 * abbreviation becomes a few steps, once: runs of attributes of a fixed size are one number.
 * Forms and sizes: DWARF 5, 7.5.5 and 7.5.6; the GNU ones: their vendor extensions.
 */
#include "dwarf-parts.h"

struct dwarf_abbrevs {
	const Dwarf *dwarf;	    /* whose they are, */
	Dwarf_Off offset;	    /* where there, */
	struct dwarf_layout layout; /* and for units of which kind */
	struct dwarf_abbrev **v;    /* by code */
	size_t n, cap;
	bool functions; /* entries of functions with code are among them */
	struct pl_arena arena;
};

int dwarf_uleb(const unsigned char **p, const unsigned char *end, uint64_t *value)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		unsigned char byte = *(*p)++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = v;
			return 0;
		}
	}
	return -1;
}

/* The size of a form's values, or -1 where it differs from one to the next. */
static int form_size(unsigned form, const struct dwarf_layout *layout)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_flag:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sup8:
	case DW_FORM_ref_sig8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return (int)layout->address_size;
	case DW_FORM_ref_addr:
		return (int)(layout->version < 3 ? layout->address_size : layout->offset_size);
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return (int)layout->offset_size;
	default:
		return -1;
	}
}

static const unsigned char *skip_bytes(const unsigned char *p, const unsigned char *end, uint64_t n)
{
	return n <= (uint64_t)(end - p) ? p + n : NULL;
}

uint64_t dwarf_number(const unsigned char *p, unsigned width, bool big_endian)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < width; i++)
		n |= (uint64_t)p[i] << 8 * (big_endian ? width - 1 - i : i);
	return n;
}

/* A block: its length, in so many bytes, and its bytes. */
static const unsigned char *skip_block(const unsigned char *p, const unsigned char *end,
				       unsigned width, bool big_endian)
{
	if ((size_t)(end - p) < width)
		return NULL;
	return skip_bytes(p + width, end, dwarf_number(p, width, big_endian));
}

const unsigned char *dwarf_form_skip(const unsigned char *p, const unsigned char *end,
				     unsigned form, const struct dwarf_layout *layout)
{
	int size = form_size(form, layout);
	uint64_t value;

	if (size >= 0)
		return skip_bytes(p, end, (uint64_t)size);
	switch (form) {
	case DW_FORM_string:
		p = memchr(p, 0, (size_t)(end - p));
		return p ? p + 1 : NULL;
	case DW_FORM_block1:
		return skip_block(p, end, 1, layout->big_endian);
	case DW_FORM_block2:
		return skip_block(p, end, 2, layout->big_endian);
	case DW_FORM_block4:
		return skip_block(p, end, 4, layout->big_endian);
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return dwarf_uleb(&p, end, &value) ? NULL : skip_bytes(p, end, value);
	case DW_FORM_indirect:
		if (dwarf_uleb(&p, end, &value) || value == DW_FORM_indirect ||
		    value == DW_FORM_implicit_const || value > UINT16_MAX)
			return NULL;
		return dwarf_form_skip(p, end, (unsigned)value, layout);
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return dwarf_uleb(&p, end, &value) ? NULL : p;
	default:
		return NULL;
	}
}

/* Is there more to do about the attribute than to skip it? */
static bool is_wanted(unsigned tag, unsigned name)
{
	if (name == DW_AT_sibling)
		return true;
	return (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) &&
	       (name == DW_AT_low_pc || name == DW_AT_high_pc || name == DW_AT_ranges);
}

/* One attribute of an abbreviation: what can be skipped is added to *skip. */
static void add_attribute(struct dwarf_abbrevs *a, struct dwarf_abbrev *to, unsigned name,
			  unsigned form, struct dwarf_step steps[], uint32_t *skip)
{
	int size = form_size(form, &a->layout);

	to->has_code |= name == DW_AT_low_pc || name == DW_AT_ranges;
	to->declaration |= name == DW_AT_declaration;
	if (size >= 0 && !is_wanted(to->tag, name)) {
		*skip += (uint32_t)size;
		return;
	}
	steps[to->steps_n++] = (struct dwarf_step){*skip, (uint16_t)name, (uint16_t)form};
	*skip = 0;
}

/* The steps through the attributes of one abbreviation; -1: damaged, 1: too many. It is asked for
 * one after the other until there is none: dwarf_getattrcnt() of elfutils 0.188 counts the values
 * of DW_FORM_implicit_const as if they were attributes. */
static int read_steps(struct dwarf_abbrevs *a, Dwarf_Abbrev *from, struct dwarf_abbrev *to)
{
	struct dwarf_step steps[DWARF_ATTRIBUTES_MAX];
	unsigned name, form;
	Dwarf_Sword data;
	Dwarf_Off offset;
	size_t i = 0;

	while (dwarf_getabbrevattr_data(from, i, &name, &form, &data, &offset) == 0) {
		if (i++ == DWARF_ATTRIBUTES_MAX)
			return 1;
		if (form > UINT16_MAX || name > UINT16_MAX)
			return -1;
		add_attribute(a, to, name, form, steps, &to->skip_last);
	}
	a->functions |= to->has_code && to->tag == DW_TAG_subprogram;
	to->steps = pl_arena_alloc(&a->arena, to->steps_n * sizeof *steps);
	memcpy(to->steps, steps, to->steps_n * sizeof *steps);
	return 0;
}

/* 0; -1: damaged, 1: beyond the bounds */
static int add_abbrev(struct dwarf_abbrevs *a, Dwarf_Abbrev *from)
{
	unsigned code = dwarf_getabbrevcode(from), tag = dwarf_getabbrevtag(from);

	if (tag > UINT16_MAX)
		return -1;
	if (code >= DWARF_ABBREVS_MAX)
		return 1;
	PL_GROW(a->v, code + 1, a->cap);
	if (code >= a->n)
		a->n = code + 1;
	if (a->v[code])
		return 0; /* the first one counts */
	struct dwarf_abbrev *to = pl_arena_alloc(&a->arena, sizeof *to);
	*to = (struct dwarf_abbrev){.tag = (uint16_t)tag,
				    .children = dwarf_abbrevhaschildren(from) > 0};
	a->v[code] = to;
	return read_steps(a, from, to);
}

const struct dwarf_abbrevs *dwarf_abbrevs_read(struct dwarf_file *f, Dwarf_Die *unit,
					       Dwarf_Off offset, const struct dwarf_layout *layout)
{
	const Dwarf *dwarf = dwarf_cu_getdwarf(unit->cu);
	struct dwarf_abbrevs *a = f->abbrevs;
	size_t length, at = 0;
	Dwarf_Abbrev *next;
	int refused = 0;

	if (a && a->dwarf == dwarf && a->offset == offset &&
	    memcmp(&a->layout, layout, sizeof *layout) == 0)
		return a;
	dwarf_abbrevs_free(f);
	f->abbrevs = a = pl_alloc(sizeof *a);
	*a = (struct dwarf_abbrevs){.dwarf = dwarf, .offset = offset, .layout = *layout};
	while ((next = dwarf_getabbrev(unit, at, &length)) && next != DWARF_END_ABBREV) {
		/* many units may share a long table, or parts of it */
		refused = dwarf_take_room(f) ? add_abbrev(a, next) : 1;
		if (refused || length == 0)
			break;
		at += length;
	}
	if (next != DWARF_END_ABBREV) {
		dwarf_lack(f, refused > 0 ? DWARF_LIMIT : DWARF_DAMAGED);
		dwarf_abbrevs_free(f);
	}
	return f->abbrevs;
}

const struct dwarf_abbrev *dwarf_abbrevs_find(const struct dwarf_abbrevs *a, uint64_t code)
{
	return code < a->n ? a->v[code] : NULL;
}

bool dwarf_abbrevs_have_functions(const struct dwarf_abbrevs *a)
{
	return a->functions;
}

void dwarf_abbrevs_free(struct dwarf_file *f)
{
	if (!f->abbrevs)
		return;
	free(f->abbrevs->v);
	pl_arena_free(&f->abbrevs->arena);
	free(f->abbrevs);
	f->abbrevs = NULL;
}
