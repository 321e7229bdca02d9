/* doc: the document that the sections write, whatever it is written as */
#include "doc.h"
#include "figure.h"
#include "text.h"
#include "utf8.h"

#include <inttypes.h>

/* ---- blocks ---- */

void doc_open(struct doc *d, struct pl_buf *out, const struct doc_writer *writer)
{
	*d = (struct doc){.out = out, .writer = writer};
}

static void end_cell(struct doc *d)
{
	if (d->in_cell)
		d->writer->cell_end(d);
	d->in_cell = false;
}

static void end_row(struct doc *d)
{
	end_cell(d);
	if (!d->in_row)
		return;
	d->writer->row_end(d);
	d->in_row = false;
	d->rows++;
}

static void begin(struct doc *d, enum doc_block next)
{
	end_row(d);
	d->writer->block(d, next);
	d->block = next;
}

void doc_close(struct doc *d)
{
	begin(d, DOC_END);
	for (size_t i = 0; i < DOC_TEXTS; i++)
		pl_buf_free(&d->texts[i]);
	pl_buf_free(&d->scratch);
	pl_buf_free(&d->line);
}

/* Hands s to the writer, run by run. */
static void put(struct doc *d, struct pl_str s)
{
	size_t start = 0;

	for (size_t i = 0; i <= s.n; i++) {
		unsigned char c = i < s.n ? (unsigned char)s.p[i] : 0;
		if (c >= DOC_MARKS || (c == 0 && i < s.n))
			continue;
		if (i > start)
			d->writer->text(d, (struct pl_str){s.p + start, i - start});
		start = i + 1;
		if (c)
			d->writer->mark(d, (enum doc_mark)c);
	}
}

static void put_formatted(struct doc *d, const char *fmt, va_list ap) PL_PRINTF(2, 0);
static void put_formatted(struct doc *d, const char *fmt, va_list ap)
{
	pl_buf_clear(&d->line);
	pl_buf_vprintf(&d->line, fmt, ap);
	put(d, pl_buf_str(&d->line));
}

void doc_title(struct doc *d, const char *text)
{
	begin(d, DOC_TITLE);
	put(d, pl_str(text));
}

void doc_section(struct doc *d, const char *text)
{
	begin(d, DOC_SECTION);
	put(d, pl_str(text));
}

#define BLOCK(function, kind)                              \
	void function(struct doc *d, const char *fmt, ...) \
	{                                                  \
		va_list ap;                                \
		begin(d, kind);                            \
		va_start(ap, fmt);                         \
		put_formatted(d, fmt, ap);                 \
		va_end(ap);                                \
	}
BLOCK(doc_heading, DOC_HEADING)
BLOCK(doc_subheading, DOC_SUBHEADING)
BLOCK(doc_paragraph, DOC_PARAGRAPH)
BLOCK(doc_item, DOC_ITEM)
BLOCK(doc_subitem, DOC_SUBITEM)
#undef BLOCK

void doc_more(struct doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_formatted(d, fmt, ap);
	va_end(ap);
}

void doc_picture(struct doc *d, struct pl_str svg, const char *caption)
{
	if (!d->writer->picture)
		return;
	begin(d, DOC_PICTURE);
	d->writer->picture(d, svg);
	put(d, pl_str(caption));
}

/* ---- tables ---- */

static void begin_row(struct doc *d)
{
	end_row(d);
	d->column = 0;
	d->in_row = true;
	d->writer->row(d);
}

void doc_table(struct doc *d, const char *caption)
{
	begin(d, DOC_TABLE);
	d->tables++;
	d->rows = d->columns = 0;
	d->numbers = 0;
	d->writer->caption(d, caption);
	begin_row(d);
}

void doc_column(struct doc *d, const char *head)
{
	d->columns++;
	doc_cell(d, head);
}

void doc_column_number(struct doc *d, const char *head)
{
	if (d->columns < DOC_COLUMNS)
		d->numbers |= (uint32_t)1 << d->columns;
	doc_column(d, head);
}

void doc_row(struct doc *d)
{
	begin_row(d);
}

void doc_cell(struct doc *d, const char *text)
{
	end_cell(d);
	d->in_cell = true;
	d->writer->cell(d);
	d->column++;
	put(d, pl_str(text));
}

/* ---- texts ---- */

static struct pl_buf *next_text(struct doc *d)
{
	struct pl_buf *b = &d->texts[d->next++ % DOC_TEXTS];

	pl_buf_clear(b);
	pl_buf_addz(b, ""); /* a string also when nothing follows */
	return b;
}

/* Blanks at the ends of a cell and beside other blanks are not shown by any reader. */
static bool vanishes(struct pl_str s, size_t i)
{
	return s.p[i] == ' ' && (i == 0 || i + 1 == s.n || s.p[i - 1] == ' ');
}

const char *doc_name(struct doc *d, struct pl_str s)
{
	struct pl_buf *b = next_text(d);

	pl_buf_clear(&d->scratch);
	pl_utf8_terminal(&d->scratch, s);
	s = pl_buf_str(&d->scratch);
	pl_buf_addc(b, DOC_NAME);
	for (size_t i = 0; i < s.n; i++) {
		if (vanishes(s, i))
			pl_buf_addz(b, "\\x20");
		else
			pl_buf_addc(b, s.p[i]);
	}
	pl_buf_addc(b, DOC_NAME_END);
	return b->p;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:,/+"

/* s as code when all of it is of these letters and no blank would vanish. */
static const char *code(struct doc *d, struct pl_str s, const char *letters)
{
	if (s.n == 0)
		return doc_name(d, s);
	for (size_t i = 0; i < s.n; i++)
		if (!s.p[i] || !strchr(letters, s.p[i]) || vanishes(s, i))
			return doc_name(d, s);
	struct pl_buf *b = next_text(d);
	pl_buf_addc(b, DOC_CODE);
	pl_buf_adds(b, s);
	pl_buf_addc(b, DOC_CODE_END);
	return b->p;
}

const char *doc_code(struct doc *d, struct pl_str s)
{
	return code(d, s, LETTERS);
}

const char *doc_command(struct doc *d, struct pl_str s)
{
	return code(d, s, LETTERS " =<>&@%{}()[]'\"#!?;*^~");
}

const char *doc_strong(struct doc *d, const char *text)
{
	return doc_text(d, "%c%s%c", DOC_STRONG, text, DOC_STRONG_END);
}

const char *doc_share(struct doc *d, uint64_t micro)
{
	struct pl_buf *b = next_text(d);

	pl_figure_share(b, micro, 2);
	return b->p;
}

const char *doc_coverage(struct doc *d, uint64_t micro)
{
	struct pl_buf *b = next_text(d);

	pl_figure_share(b, micro, 1);
	return b->p;
}

const char *doc_number(struct doc *d, uint64_t n)
{
	return doc_text(d, "%" PRIu64, n);
}

const char *doc_weight(struct doc *d, uint64_t weight, struct pl_str unit)
{
	const char *name = doc_name(d, pl_figure_unit(unit, weight));

	return doc_text(d, "%" PRIu64 " %s", weight, name);
}

const char *doc_samples(struct doc *d, uint64_t n, const struct pl_analysis_event *event)
{
	struct pl_buf *b = next_text(d);

	pl_figure_samples(b, n, event->weight_source);
	return b->p;
}

const char *doc_records(struct doc *d, uint64_t n)
{
	return doc_text(d, ngettext("%" PRIu64 " record", "%" PRIu64 " records", n), n);
}

const char *doc_bytes(struct doc *d, uint64_t n)
{
	return doc_text(d, ngettext("%" PRIu64 " byte", "%" PRIu64 " bytes", n), n);
}

const char *doc_frames(struct doc *d, uint64_t n)
{
	return doc_text(d, ngettext("%" PRIu64 " frame", "%" PRIu64 " frames", n), n);
}

const char *doc_text(struct doc *d, const char *fmt, ...)
{
	struct pl_buf *b = next_text(d);
	va_list ap;

	va_start(ap, fmt);
	pl_buf_vprintf(b, fmt, ap);
	va_end(ap);
	return b->p;
}
