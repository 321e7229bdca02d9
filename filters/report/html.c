/*
 * html: a document as one HTML file that needs nothing else: no script, no font, no network. It is
 * well-formed XML as well.
 */
#include "doc.h"
#include "text.h"

/* Tables scroll in boxes of their own, so that the page never does sideways; on paper they have
 * all the room there is. */
static const char style[] =
	":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;"
	"--band:#f3f5f7}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9aa4ae;"
	"--line:#3d444d;--band:#161b22}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;padding:1rem;max-width:80rem;font:1rem/1.5 system-ui,sans-serif;"
	"color:var(--ink);background:var(--paper);overflow-wrap:anywhere}\n"
	"h1,h2,h3,h4{line-height:1.25;margin:1.5em 0 .5em}\n"
	"h1{margin-top:0}\n"
	"h2{border-bottom:1px solid var(--line);padding-bottom:.2em}\n"
	"ul{padding-left:1.25rem}\n"
	"code{font:.875em ui-monospace,monospace;background:var(--band);padding:.1em .25em;"
	"border-radius:.2em}\n"
	".box{overflow-x:auto;margin:1rem 0}\n"
	"table{border-collapse:collapse;font-size:.875rem;line-height:1.35}\n"
	"caption{text-align:left;color:var(--soft);padding:.25rem 0}\n"
	"th,td{padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:left;"
	"vertical-align:top;min-width:9rem}\n"
	"th code{white-space:nowrap}\n"
	"thead th{background:var(--band);vertical-align:bottom;overflow-wrap:normal}\n"
	"tbody th{font-weight:normal}\n"
	"figure{margin:1rem 0}figcaption{font-size:.875rem;color:var(--soft)}\n"
	"svg{display:block;min-width:56rem}\n"
	".n{text-align:right;min-width:6rem;font-variant-numeric:tabular-nums}\n"
	"td.n{white-space:nowrap}\n"
	"@media "
	"print{svg{min-width:0}body{max-width:none;padding:0;font-size:10pt}.box{overflow:visible}"
	"table{font-size:7pt}th,td,.n{min-width:0;padding:.15rem .25rem}th "
	"code,td.n{white-space:normal}"
	"thead{display:table-header-group}tr{break-inside:avoid}h2,h3,h4,caption{break-after:avoid}"
	"}\n";

static void text(struct doc *d, struct pl_str plain)
{
	static const char *const entities[] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};

	for (size_t i = 0; i < plain.n; i++) {
		unsigned char c = (unsigned char)plain.p[i];
		if (c < PL_COUNT(entities) && entities[c])
			pl_buf_addz(d->out, entities[c]);
		else
			pl_buf_addc(d->out, plain.p[i]);
	}
}

/* A name written from right to left must not turn the figures around it. */
static void mark(struct doc *d, enum doc_mark which)
{
	static const char *const marks[DOC_MARKS] = {
		[DOC_CODE] = "<code>",	   [DOC_CODE_END] = "</code>",
		[DOC_STRONG] = "<strong>", [DOC_STRONG_END] = "</strong>",
		[DOC_NAME] = "<bdi>",	   [DOC_NAME_END] = "</bdi>",
	};

	pl_buf_addz(d->out, marks[which]);
}

/* ---- blocks ---- */

static void page(struct doc *d)
{
	pl_buf_addz(d->out, "<!DOCTYPE html>\n<html lang=\"");
	/* TRANSLATORS: the language of the translation, as in HTML's lang: "zh-CN" */
	text(d, pl_str(_("en")));
	pl_buf_addz(d->out, "\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
			    "content=\"width=device-width, initial-scale=1\"/>\n<title>");
	text(d, pl_str(_("Performance report")));
	pl_buf_addz(d->out, "</title>\n<style>\n");
	pl_buf_addz(d->out, style);
	pl_buf_addz(d->out, "</style>\n</head>\n<body>\n");
}

static int list_depth(enum doc_block block)
{
	return block == DOC_ITEM ? 1 : block == DOC_SUBITEM ? 2 : 0;
}

/* From one item, or none, to the next, or none. */
static void move_list(struct doc *d, int from, int to)
{
	for (; from > to; from--)
		pl_buf_addz(d->out, "</li>\n</ul>\n");
	if (from == to && to > 0)
		pl_buf_addz(d->out, "</li>\n<li>");
	for (; from < to; from++)
		pl_buf_addz(d->out, from ? "\n<ul>\n<li>" : "<ul>\n<li>");
}

static void block(struct doc *d, enum doc_block next)
{
	static const char *const begins[] = {
		[DOC_TITLE] = "<header>\n<h1>",
		[DOC_SECTION] = "<section>\n<h2>",
		[DOC_HEADING] = "<h3>",
		[DOC_SUBHEADING] = "<h4>",
		[DOC_PARAGRAPH] = "<p>",
		[DOC_ITEM] = "",
		[DOC_SUBITEM] = "",
		[DOC_TABLE] = "<div class=\"box\" ",
		[DOC_PICTURE] = "<figure>\n<div class=\"box\" tabindex=\"0\">\n",
		[DOC_END] = "</section>\n</main>\n</body>\n</html>\n",
	};
	static const char *const ends[] = {
		[DOC_START] = "",
		[DOC_TITLE] = "</h1>\n</header>\n<main>\n",
		[DOC_SECTION] = "</h2>\n",
		[DOC_HEADING] = "</h3>\n",
		[DOC_SUBHEADING] = "</h4>\n",
		[DOC_PARAGRAPH] = "</p>\n",
		[DOC_ITEM] = "",
		[DOC_SUBITEM] = "",
		[DOC_TABLE] = "</tbody>\n</table>\n</div>\n",
		[DOC_PICTURE] = "</figcaption>\n</figure>\n",
	};

	if (d->block == DOC_START)
		page(d);
	pl_buf_addz(d->out, ends[d->block]);
	move_list(d, list_depth(d->block), list_depth(next));
	if (next == DOC_SECTION && d->block != DOC_TITLE)
		pl_buf_addz(d->out, "</section>\n");
	pl_buf_addz(d->out, begins[next]);
}

/* Wide enough to be read: it scrolls in its box, as tables do. */
static void picture(struct doc *d, struct pl_str svg)
{
	pl_buf_adds(d->out, svg);
	pl_buf_addz(d->out, "</div>\n<figcaption>");
}

/* ---- tables ---- */

/* The box can be scrolled with the keyboard, too. */
static void caption(struct doc *d, const char *words)
{
	pl_buf_printf(d->out,
		      "role=\"region\" aria-labelledby=\"t%zu\" tabindex=\"0\">\n<table>\n<caption "
		      "id=\"t%zu\">",
		      d->tables, d->tables);
	text(d, pl_str(words));
	pl_buf_addz(d->out, "</caption>\n<thead>\n");
}

static void row(struct doc *d)
{
	pl_buf_addz(d->out, "<tr>");
}

static void row_end(struct doc *d)
{
	pl_buf_addz(d->out, d->rows ? "</tr>\n" : "</tr>\n</thead>\n<tbody>\n");
}

static bool is_number(const struct doc *d, size_t column)
{
	return column < DOC_COLUMNS && d->numbers >> column & 1;
}

static void cell(struct doc *d)
{
	pl_buf_addz(d->out, d->rows == 0     ? "<th scope=\"col\""
			    : d->column == 0 ? "<th scope=\"row\""
					     : "<td");
	pl_buf_addz(d->out, is_number(d, d->column) ? " class=\"n\">" : ">");
}

static void cell_end(struct doc *d)
{
	bool head = d->rows == 0 || d->column == 1;

	pl_buf_addz(d->out, head ? "</th>" : "</td>");
}

const struct doc_writer html_writer = {
	.block = block,
	.caption = caption,
	.row = row,
	.row_end = row_end,
	.cell = cell,
	.cell_end = cell_end,
	.picture = picture,
	.text = text,
	.mark = mark,
};
