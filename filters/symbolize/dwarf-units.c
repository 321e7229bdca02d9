/* dwarf-units: the units of a file and the addresses that each has */
#include "dwarf-parts.h"

/* A linker that removes a section leaves the ranges of its code, beginning at 0, 1, -1 or -2, or as
 * far behind that as the code was in its section: outside of what is code now, unless it was big.
 * A file without any section of code says nothing of that. */
static bool is_code(const struct dwarf_file *f, uint64_t address)
{
	return f->text.n == 0 ? address < UINT64_MAX - 1
			      : dwarf_spans_find(&f->text, address) != NULL;
}

bool dwarf_units_add_range(struct dwarf_file *f, uint64_t lo, uint64_t hi, struct dwarf_spans *to,
			   uint32_t owner)
{
	if (lo >= hi)
		return false;
	if (!is_code(f, lo))
		return true;
	if (dwarf_take_room(f))
		dwarf_spans_add(to, lo, hi, owner);
	return false;
}

bool dwarf_units_add_ranges(struct dwarf_file *f, Dwarf_Die *die, struct dwarf_spans *to,
			    uint32_t owner)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	bool removed = false;

	while (f->room && (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		f->room--; /* for those that are left out, too: a list may be used by many */
		removed |= dwarf_units_add_range(f, lo, hi, to, owner);
	}
	if (at < 0)
		dwarf_lack(f, DWARF_DAMAGED);
	if (!f->room)
		dwarf_lack(f, DWARF_LIMIT);
	return removed;
}

static void add_unit(struct dwarf_file *f, Dwarf_Die *die, uint8_t type)
{
	if (!dwarf_take_room(f))
		return;
	PL_GROW(f->units, f->units_n + 1, f->units_cap);
	struct dwarf_unit *u = &f->units[f->units_n];
	u->die = *die;
	u->skeleton = type == DW_UT_skeleton;
	u->unranged = !dwarf_hasattr(die, DW_AT_ranges) && !dwarf_hasattr(die, DW_AT_high_pc);
	u->removed =
		u->unranged || dwarf_units_add_ranges(f, die, &f->by_unit, (uint32_t)f->units_n);
	f->units_n++;
}

void dwarf_units_read(struct dwarf_file *f)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die;
	int end;

	while ((end = dwarf_get_units(f->dwarf, cu, &cu, &version, &type, &die, NULL)) == 0) {
		if (!f->room)
			break;
		if (type == DW_UT_compile || type == DW_UT_partial || type == DW_UT_skeleton)
			add_unit(f, &die, type);
	}
	if (end < 0)
		dwarf_lack(f, DWARF_DAMAGED);
	dwarf_spans_flatten(&f->by_unit);
}

/* The unit whose entry is at an offset. They are in the order of their offsets. */
static struct dwarf_unit *unit_at(struct dwarf_file *f, Dwarf_Off offset)
{
	size_t lo = 0, hi = f->units_n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		Dwarf_Off at = dwarf_dieoffset(&f->units[mid].die);
		if (at == offset)
			return &f->units[mid];
		if (at < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* Ranges of .debug_aranges: DWARF 2 has no other way to say that a unit has several. */
static void add_aranges(struct dwarf_file *f)
{
	Dwarf_Aranges *all;
	Dwarf_Addr lo;
	Dwarf_Word size;
	Dwarf_Off offset;
	size_t n;

	if (dwarf_getaranges(f->dwarf, &all, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (dwarf_getarangeinfo(dwarf_onearange(all, i), &lo, &size, &offset))
			continue;
		struct dwarf_unit *u = unit_at(f, offset);
		if (u)
			dwarf_units_add_range(f, lo, lo + size, &f->by_late,
					      (uint32_t)(u - f->units));
	}
}

/* Units that do not say which addresses are theirs have to be read to know. */
static void add_unranged(struct dwarf_file *f)
{
	for (size_t i = 0; i < f->units_n; i++) {
		struct dwarf_unit *u = &f->units[i];
		if (!u->unranged)
			continue;
		dwarf_scopes_build(f, u);
		for (size_t k = 0; k < u->spans.n && dwarf_take_room(f); k++)
			dwarf_spans_add(&f->by_late, u->spans.v[k].lo, u->spans.v[k].hi,
					(uint32_t)i);
	}
}

/* What only matters when an address is in no unit's own ranges. */
static void read_late(struct dwarf_file *f)
{
	f->late_read = true;
	if (!f->dwarf)
		return;
	add_aranges(f);
	add_unranged(f);
	dwarf_spans_flatten(&f->by_late);
}

struct dwarf_unit *dwarf_units_find(struct dwarf_file *f, uint64_t address)
{
	const struct dwarf_span *span = dwarf_spans_find(&f->by_unit, address);

	if (!span && !f->late_read)
		read_late(f);
	if (!span)
		span = dwarf_spans_find(&f->by_late, address);
	return span ? &f->units[span->owner] : NULL;
}

void dwarf_units_free(struct dwarf_file *f)
{
	for (size_t i = 0; i < f->units_n; i++) {
		free(f->units[i].scopes);
		dwarf_spans_free(&f->units[i].spans);
		dwarf_rows_free(&f->units[i].rows);
		dwarf_file_names_free(&f->units[i].files);
	}
	free(f->units);
	dwarf_spans_free(&f->by_unit);
	dwarf_spans_free(&f->by_late);
}
