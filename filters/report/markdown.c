/* markdown: a document in GitHub-flavoured Markdown, in which every text is data */
#include "doc.h"

/* Emphasis, code, links, HTML, entities, headings, struck text, cells, mentions and addresses,
 * formulas. A colon matters only in "://", a dot only in "www.": escaping every one would make
 * names unreadable in the source. */
static bool is_markup(struct pl_str s, size_t i)
{
	if (memchr("\\`*_[]<>&#~|@$", s.p[i], 14))
		return true;
	if (s.p[i] == ':')
		return i + 1 < s.n && s.p[i + 1] == '/';
	return s.p[i] == '.' && i >= 3 && (s.p[i - 1] == 'w' || s.p[i - 1] == 'W');
}

static void text(struct doc *d, struct pl_str plain)
{
	if (d->mark == DOC_CODE) { /* of letters that are no markup there */
		pl_buf_adds(d->out, plain);
		return;
	}
	for (size_t i = 0; i < plain.n; i++) {
		if (is_markup(plain, i))
			pl_buf_addc(d->out, '\\');
		pl_buf_addc(d->out, plain.p[i]);
	}
}

static void mark(struct doc *d, enum doc_mark which)
{
	static const char *const marks[DOC_MARKS] = {
		[DOC_CODE] = "`",	 [DOC_CODE_END] = "`", [DOC_STRONG] = "**",
		[DOC_STRONG_END] = "**", [DOC_NAME] = "",      [DOC_NAME_END] = "",
	};

	pl_buf_addz(d->out, marks[which]);
	d->mark = which == DOC_CODE ? DOC_CODE : 0;
}

static bool is_item(enum doc_block block)
{
	return block == DOC_ITEM || block == DOC_SUBITEM;
}

/* Blocks have an empty line between them, but for the items of one list. Rows end with their
 * line. */
static void block(struct doc *d, enum doc_block next)
{
	static const char *const marks[] = {
		[DOC_TITLE] = "# ",	    [DOC_SECTION] = "## ", [DOC_HEADING] = "### ",
		[DOC_SUBHEADING] = "#### ", [DOC_PARAGRAPH] = "",  [DOC_ITEM] = "- ",
		[DOC_SUBITEM] = "  - ",	    [DOC_TABLE] = "",	   [DOC_END] = "",
	};

	if (d->block != DOC_START && d->block != DOC_TABLE)
		pl_buf_addc(d->out, '\n');
	if (d->block != DOC_START && next != DOC_END && !(is_item(d->block) && is_item(next)))
		pl_buf_addc(d->out, '\n');
	pl_buf_addz(d->out, marks[next]);
}

/* Markdown has none; the line below a table says what it holds. */
static void caption(struct doc *d, const char *words)
{
	(void)d;
	(void)words;
}

static void row(struct doc *d)
{
	(void)d;
}

static void row_end(struct doc *d)
{
	pl_buf_addz(d->out, "|\n");
	if (d->rows)
		return;
	for (size_t i = 0; i < d->columns; i++)
		pl_buf_addz(d->out, i < DOC_COLUMNS && d->numbers >> i & 1 ? "| ---: " : "| --- ");
	pl_buf_addz(d->out, "|\n");
}

static void cell(struct doc *d)
{
	pl_buf_addz(d->out, "| ");
}

static void cell_end(struct doc *d)
{
	pl_buf_addc(d->out, ' ');
}

const struct doc_writer markdown_writer = {
	.block = block,
	.caption = caption,
	.row = row,
	.row_end = row_end,
	.cell = cell,
	.cell_end = cell_end,
	.text = text,
	.mark = mark,
};
