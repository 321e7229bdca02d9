/*
 * doc: the document that the sections write: headings, paragraphs, lists and tables, whatever they
 * are written as.
 *
 * A block begins with the call that names it and ends where the next one begins; doc_more() adds to
 * the one that is open. Texts are plain: a writer escapes what its format would read as markup,
 * also in translated sentences. What is said *about* a part of a text (a name, a code, stress) is
 * marked within it by control characters, which no text holds otherwise: names have theirs made
 * visible. The functions that return text use one of DOC_TEXTS buffers in turn: a result is good
 * until DOC_TEXTS more were asked for, which is enough for one sentence.
 */
#ifndef REPORT_DOC_H
#define REPORT_DOC_H

#include "analysis.h"

enum { DOC_TEXTS = 16, DOC_COLUMNS = 32 };

enum doc_block {
	DOC_START, /* nothing was written yet */
	DOC_TITLE,
	DOC_SECTION,
	DOC_HEADING,
	DOC_SUBHEADING,
	DOC_PARAGRAPH,
	DOC_ITEM,
	DOC_SUBITEM,
	DOC_TABLE,
	DOC_PICTURE,
	DOC_END
};

/* Within texts; each mark is followed by the one that ends it. */
enum doc_mark {
	DOC_CODE = 1,
	DOC_CODE_END,
	DOC_STRONG,
	DOC_STRONG_END,
	DOC_NAME,
	DOC_NAME_END,
	DOC_MARKS
};

struct doc;

/* What a format has to know. */
struct doc_writer {
	void (*block)(struct doc *d, enum doc_block next); /* ends d->block, begins next */
	void (*caption)(struct doc *d, const char *text);  /* right after a table's begin */
	void (*row)(struct doc *d);			   /* of the head while d->rows is 0 */
	void (*row_end)(struct doc *d);
	void (*cell)(struct doc *d); /* the one at d->column */
	void (*cell_end)(struct doc *d);
	void (*picture)(struct doc *d, struct pl_str svg); /* right after its begin; NULL: it shows
							       none */
	void (*text)(struct doc *d, struct pl_str plain);  /* without marks */
	void (*mark)(struct doc *d, enum doc_mark mark);
};

struct doc {
	struct pl_buf *out;
	const struct doc_writer *writer;
	/* for writers */
	enum doc_block block;
	size_t tables,
		rows; /* tables begun; rows of the open one that are complete, its head first */
	size_t column, columns;
	uint32_t numbers; /* columns of numbers, one bit each */
	bool in_row, in_cell;
	enum doc_mark mark; /* that is open, or 0 */
	/* private */
	struct pl_buf texts[DOC_TEXTS], scratch, line;
	size_t next;
};

extern const struct doc_writer markdown_writer, html_writer;

/* Begins a document at the end of *out. */
void doc_open(struct doc *d, struct pl_buf *out, const struct doc_writer *writer);
void doc_close(struct doc *d);

void doc_title(struct doc *d, const char *text);
void doc_section(struct doc *d, const char *text);
/* Below a section, and below one of those. */
void doc_heading(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3);
void doc_subheading(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3);
void doc_paragraph(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3);
void doc_item(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3);
void doc_subitem(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3); /* of the item before */
void doc_more(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3);

/* A table: its columns, then rows of as many cells. `caption` is for readers who cannot see what
 * stands around it. */
void doc_table(struct doc *d, const char *caption);
void doc_column(struct doc *d, const char *head);
void doc_column_number(struct doc *d, const char *head);
void doc_row(struct doc *d);
void doc_cell(struct doc *d, const char *text);

/* A picture and the line below it, where the format shows pictures. */
void doc_picture(struct doc *d, struct pl_str svg, const char *caption);

/* s as plain text: controls and blanks that would vanish are made visible, nothing is cut. */
const char *doc_name(struct doc *d, struct pl_str s);
/* A code, an id or a digest, where it is of the letters those are made of, else as doc_name() has
 * it. */
const char *doc_code(struct doc *d, struct pl_str s);
/* A command to be copied: as code where a code span can hold it in a table. */
const char *doc_command(struct doc *d, struct pl_str s);
const char *doc_strong(struct doc *d, const char *text);
const char *doc_share(struct doc *d, uint64_t micro);	 /* two decimals */
const char *doc_coverage(struct doc *d, uint64_t micro); /* one decimal */
const char *doc_number(struct doc *d, uint64_t n);
const char *doc_weight(struct doc *d, uint64_t weight, struct pl_str unit);
/* "1 sample", or what they are in this event */
const char *doc_samples(struct doc *d, uint64_t n, const struct pl_analysis_event *event);
const char *doc_records(struct doc *d, uint64_t n); /* "1 record" */
const char *doc_bytes(struct doc *d, uint64_t n);
const char *doc_frames(struct doc *d, uint64_t n);
const char *doc_text(struct doc *d, const char *fmt, ...) PL_PRINTF(2, 3);

#endif
