/* dwarf-names: what functions are called, and where inlined ones were called from */
#include "dwarf-parts.h"

enum { NAMES_FIRST = 1024 };

/* The attributes of an entry that matter here; code 0: it has none. */
struct facts_attributes {
	Dwarf_Attribute linkage_name, name, origin, specification, file, line, column;
};

static int keep_attribute(Dwarf_Attribute *a, void *context)
{
	struct facts_attributes *to = context;

	switch (a->code) {
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		to->linkage_name = *a;
		break;
	case DW_AT_name:
		to->name = *a;
		break;
	case DW_AT_abstract_origin:
		to->origin = *a;
		break;
	case DW_AT_specification:
		to->specification = *a;
		break;
	case DW_AT_call_file:
		to->file = *a;
		break;
	case DW_AT_call_line:
		to->line = *a;
		break;
	case DW_AT_call_column:
		to->column = *a;
		break;
	}
	return DWARF_CB_OK;
}

static struct facts_attributes read_attributes(struct dwarf_file *f, Dwarf_Die *die)
{
	struct facts_attributes all = {0};

	if (dwarf_getattrs(die, keep_attribute, &all, 0) < 0)
		dwarf_lack(f, DWARF_DAMAGED);
	return all;
}

static struct pl_str string_of(struct dwarf_file *f, Dwarf_Attribute *a)
{
	if (!a->code || !dwarf_alt_readable(f, a))
		return (struct pl_str){0};
	return pl_str(dwarf_formstring(a));
}

/* ---- the names that were looked up ---- */

static size_t slot_of(const struct dwarf_names *names, const void *die)
{
	uint64_t hash = (uint64_t)(uintptr_t)die * 0x9e3779b97f4a7c15u;
	size_t i = (size_t)(hash >> 32) & (names->cap - 1);

	while (names->v[i].die && names->v[i].die != die)
		i = (i + 1) & (names->cap - 1);
	return i;
}

static void widen(struct dwarf_names *names)
{
	struct dwarf_names old = *names;

	names->cap = old.cap ? old.cap * 2 : NAMES_FIRST;
	names->v = pl_alloc(names->cap * sizeof *names->v);
	for (size_t i = 0; i < old.cap; i++) {
		if (old.v[i].die)
			names->v[slot_of(names, old.v[i].die)] = old.v[i];
	}
	free(old.v);
}

static void remember(struct dwarf_names *names, const void *die, struct pl_str name)
{
	if (2 * (names->n + 1) > names->cap)
		widen(names);
	struct dwarf_name *slot = &names->v[slot_of(names, die)];
	names->n += slot->die == NULL;
	*slot = (struct dwarf_name){die, name};
}

void dwarf_names_free(struct dwarf_file *f)
{
	free(f->names.v);
}

/* ---- names ---- */

/* The entry that this one is a copy, or the definition, of. */
static bool follow(struct dwarf_file *f, struct facts_attributes *a, Dwarf_Die *die)
{
	Dwarf_Attribute *to = a->origin.code ? &a->origin : &a->specification;

	return to->code && dwarf_alt_readable(f, to) && dwarf_formref_die(to, die) && die->addr;
}

/* The linkage name that is nearest on the way from an entry to what it is a copy of; without any,
 * the nearest name. */
static struct pl_str search(struct dwarf_file *f, Dwarf_Die die)
{
	struct pl_str name = {0};

	for (unsigned hop = 0; hop < DWARF_HOPS_MAX; hop++) {
		struct facts_attributes a = read_attributes(f, &die);
		struct pl_str linkage = string_of(f, &a.linkage_name);
		if (linkage.n)
			return linkage;
		if (!name.n)
			name = string_of(f, &a.name);
		if (!follow(f, &a, &die))
			break;
	}
	return name;
}

/* Many scopes are copies of one function: its name is looked up once. */
static struct pl_str name_of(struct dwarf_file *f, struct facts_attributes *a)
{
	struct pl_str own = string_of(f, &a->linkage_name);
	Dwarf_Die origin;

	if (own.n)
		return own;
	if (!follow(f, a, &origin))
		return string_of(f, &a->name);
	if (f->names.cap) {
		const struct dwarf_name *known = &f->names.v[slot_of(&f->names, origin.addr)];
		if (known->die)
			return known->name;
	}
	struct pl_str name = search(f, origin);
	remember(&f->names, origin.addr, name);
	return name.n ? name : string_of(f, &a->name);
}

static uint64_t number_of(Dwarf_Attribute *a)
{
	Dwarf_Word value;

	return a->code && dwarf_formudata(a, &value) == 0 ? value : 0;
}

const struct dwarf_facts *dwarf_facts_of(struct dwarf_file *f, struct dwarf_unit *u,
					 struct dwarf_scope *scope)
{
	if (scope->facts)
		return scope->facts;

	Dwarf_Die die = {.addr = scope->die, .cu = u->scopes_cu};
	struct facts_attributes a = read_attributes(f, &die);
	struct dwarf_facts *facts = pl_arena_alloc(&f->arena, sizeof *facts);
	*facts = (struct dwarf_facts){
		.name = name_of(f, &a),
		.call_line = number_of(&a.line),
		.call_column = number_of(&a.column),
	};
	if (a.file.code)
		facts->call_file = dwarf_lines_path(f, u, number_of(&a.file));
	scope->facts = facts;
	return facts;
}
