/* dwarf-rows: a line-number program, run */
#include "dwarf-rows.h"
#include "dwarf-parts.h"

struct machine {
	struct dwarf_rows *rows;
	const struct dwarf_program *program;
	struct dwarf_program_header header;
	const unsigned char *p, *end; /* of the program */
	uint64_t address, operation;
	uint32_t file, line, column;
	size_t first; /* row of this sequence */
};

/* ---- bytes ---- */

static int read_number(const unsigned char **p, const unsigned char *end, unsigned width,
		       bool big_endian, uint64_t *value)
{
	if ((size_t)(end - *p) < width)
		return -1;
	*value = dwarf_number(*p, width, big_endian);
	*p += width;
	return 0;
}

static int read_sleb(const unsigned char **p, const unsigned char *end, int64_t *value)
{
	const unsigned char *start = *p;
	uint64_t v;

	if (dwarf_uleb(p, end, &v))
		return -1;
	unsigned bits = 7 * (unsigned)(*p - start);
	if (bits < 64 && v >> (bits - 1) & 1)
		v |= ~UINT64_C(0) << bits;
	*value = (int64_t)v;
	return 0;
}

/* ---- the machine ---- */

static void reset(struct machine *m)
{
	m->address = m->operation = 0;
	m->file = m->line = 1;
	m->column = 0;
	m->first = m->rows->n;
}

static void advance(struct machine *m, uint64_t operations)
{
	if (m->header.operations <= 1) {
		m->address += operations * m->header.instruction;
		return;
	}
	m->operation += operations;
	m->address += m->operation / m->header.operations * m->header.instruction;
	m->operation %= m->header.operations;
}

/* The sequence ends before `end`; its rows stay when there is such code. */
static void end_sequence(struct machine *m, uint64_t end)
{
	struct dwarf_rows *r = m->rows;
	const struct dwarf_spans *text = m->program->text;
	uint64_t start = r->n > m->first ? r->v[m->first].address : end;

	if (start >= end || (text->n && !dwarf_spans_find(text, start))) {
		*m->program->room += r->n - m->first;
		r->n = m->first;
		return;
	}
	PL_GROW(r->sequences, r->sequences_n + 1, r->sequences_cap);
	dwarf_spans_add(&r->by_sequence, start, end, (uint32_t)r->sequences_n);
	r->sequences[r->sequences_n++] = (struct dwarf_sequence){m->first, r->n - m->first};
	m->first = r->n;
}

/* Addresses only grow in a sequence; where they do not, another begins. */
static int add_row(struct machine *m)
{
	struct dwarf_rows *r = m->rows;

	if (r->n > m->first && r->v[r->n - 1].address > m->address)
		end_sequence(m, r->v[r->n - 1].address);
	if (*m->program->room == 0)
		return 1;
	--*m->program->room;
	PL_GROW(r->v, r->n + 1, r->cap);
	r->v[r->n++] = (struct dwarf_row){m->address, m->file, m->line, m->column};
	return 0;
}

static int extended(struct machine *m)
{
	uint64_t n, code;

	if (dwarf_uleb(&m->p, m->end, &n) || n == 0 || n > (uint64_t)(m->end - m->p))
		return -1;
	const unsigned char *p = m->p, *end = p + n;
	code = *p++;
	m->p = end;
	if (code == DW_LNE_end_sequence) {
		end_sequence(m, m->address);
		reset(m);
	} else if (code == DW_LNE_set_address) {
		m->operation = 0;
		return n - 1 > 8 ? -1
				 : read_number(&p, end, (unsigned)n - 1, m->program->big_endian,
					       &m->address);
	}
	return 0;
}

static int standard_with_argument(struct machine *m, unsigned code)
{
	uint64_t v;
	int64_t by;

	if (code == DW_LNS_advance_line) {
		if (read_sleb(&m->p, m->end, &by))
			return -1;
		m->line += (uint32_t)by;
		return 0;
	}
	if (code == DW_LNS_fixed_advance_pc) {
		m->operation = 0;
		if (read_number(&m->p, m->end, 2, m->program->big_endian, &v))
			return -1;
		m->address += v;
		return 0;
	}
	if (dwarf_uleb(&m->p, m->end, &v))
		return -1;
	if (code == DW_LNS_advance_pc)
		advance(m, v);
	else if (code == DW_LNS_set_file)
		m->file = v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
	else if (code == DW_LNS_set_column)
		m->column = v > UINT32_MAX ? 0 : (uint32_t)v;
	return 0;
}

static int standard(struct machine *m, unsigned code)
{
	uint64_t ignored;

	switch (code) {
	case DW_LNS_copy:
		return add_row(m);
	case DW_LNS_negate_stmt:
	case DW_LNS_set_basic_block:
	case DW_LNS_set_prologue_end:
	case DW_LNS_set_epilogue_begin:
		return 0;
	case DW_LNS_const_add_pc:
		advance(m, (255 - m->header.opcode_base) / m->header.line_range);
		return 0;
	case DW_LNS_advance_pc:
	case DW_LNS_advance_line:
	case DW_LNS_set_file:
	case DW_LNS_set_column:
	case DW_LNS_fixed_advance_pc:
	case DW_LNS_set_isa:
		return standard_with_argument(m, code);
	default:
		for (unsigned i = 0; i < m->header.lengths[code - 1]; i++) {
			if (dwarf_uleb(&m->p, m->end, &ignored))
				return -1;
		}
		return 0;
	}
}

static int step(struct machine *m)
{
	unsigned code = *m->p++;

	if (code == 0)
		return extended(m);
	if (code < m->header.opcode_base)
		return standard(m, code);
	code -= m->header.opcode_base;
	advance(m, code / m->header.line_range);
	m->line += (uint32_t)(m->header.line_base + (int)(code % m->header.line_range));
	return add_row(m);
}

/* The length of what follows at *p, which then ends at *end, and the width of offsets in it. */
static int read_length(const unsigned char **p, const unsigned char **end, bool big_endian,
		       unsigned *width)
{
	uint64_t length;

	*width = 4;
	if (read_number(p, *end, 4, big_endian, &length))
		return -1;
	if (length == UINT32_MAX) {
		*width = 8;
		if (read_number(p, *end, 8, big_endian, &length))
			return -1;
	}
	if (length > (uint64_t)(*end - *p))
		return -1;
	*end = *p + length;
	return 0;
}

/* As far as it matters: DWARF 5, 6.2.4. */
int dwarf_program_header(const struct dwarf_program *from, struct dwarf_program_header *h)
{
	uint64_t version, length;

	if (from->offset >= from->section.n) /* also where there is no section */
		return -1;
	const unsigned char *p = (const unsigned char *)from->section.p + from->offset;
	const unsigned char *end = (const unsigned char *)from->section.p + from->section.n;
	if (read_length(&p, &end, from->big_endian, &h->offset_size) ||
	    read_number(&p, end, 2, from->big_endian, &version) || version < 2 || version > 5)
		return -1;
	if (version == 5 && read_number(&p, end, 2, from->big_endian, &length))
		return -1; /* sizes of addresses and selectors, which the instructions repeat */
	if (read_number(&p, end, h->offset_size, from->big_endian, &length) ||
	    length > (uint64_t)(end - p))
		return -1;
	unsigned fields = version >= 4 ? 6 : 5; /* before the lengths of opcodes */
	if (length < fields || p[fields - 1] == 0 || length - fields < p[fields - 1] - 1u)
		return -1;
	h->version = (unsigned)version;
	h->instruction = p[0];
	h->operations = version >= 4 ? p[1] : 1;
	h->line_base = (signed char)p[fields - 3];
	h->line_range = p[fields - 2];
	h->opcode_base = p[fields - 1];
	h->lengths = p + fields;
	h->names = h->lengths + h->opcode_base - 1;
	h->program = p + length;
	h->end = end;
	return h->line_range == 0 ? -1 : 0;
}

int dwarf_rows_read(struct dwarf_rows *rows, const struct dwarf_program *program)
{
	struct machine m = {.rows = rows, .program = program};
	int result = dwarf_program_header(program, &m.header);

	if (result == 0) {
		m.p = m.header.program;
		m.end = m.header.end;
		reset(&m);
		while (result == 0 && m.p < m.end)
			result = step(&m);
		rows->n = m.first; /* what has no end is of no known size */
	}
	dwarf_spans_flatten(&rows->by_sequence);
	return result;
}

const struct dwarf_row *dwarf_rows_find(const struct dwarf_rows *rows, uint64_t address)
{
	const struct dwarf_span *span = dwarf_spans_find(&rows->by_sequence, address);

	if (!span)
		return NULL;
	const struct dwarf_sequence *s = &rows->sequences[span->owner];
	size_t lo = s->first, hi = s->first + s->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (rows->v[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > s->first ? &rows->v[lo - 1] : NULL;
}

void dwarf_rows_free(struct dwarf_rows *rows)
{
	free(rows->v);
	free(rows->sequences);
	dwarf_spans_free(&rows->by_sequence);
}
