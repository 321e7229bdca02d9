/* flamesvg: where each frame of a picture stands, and what is written at it */
#include "flamesvg.h"
#include "flamescript.h"
#include "flametext.h"
#include "palette.h"
#include "text.h"
#include "utf8.h"
#include "xml.h"

#include <inttypes.h>
#include <math.h>

enum {
	ROOM = PL_FLAMESVG_WIDTH - 2 * PL_FLAMESVG_MARGIN,
	HUNDREDTHS = 100,
	HEAD = 72,	    /* title and the lines below it */
	FOOT = 48,	    /* details and legend */
	LINE_COLUMNS = 160, /* of a line of text, at 7.2 units each */
	TITLE_COLUMNS = 72,
	PAD = 6
};

struct box {
	uint32_t node;
	size_t depth;
	uint64_t start; /* weight to the left of it */
};

struct picture {
	const struct pl_flamesvg *f;
	const struct pl_calltree *t;
	struct pl_buf *out;
	const struct pl_calltree_sums *sums; /* of the side that widths are of */
	uint64_t total;
	uint64_t *cursor; /* by depth: the weight to the left of the next box */
	size_t cursor_cap;
	/* found by measure(): */
	size_t rows;
	uint64_t narrow, narrow_weight; /* branches that are too narrow */
	uint64_t gone, gone_weight;	/* frames that only the other side has; the weight is that
					   of branches of them */
	double largest;			/* change beyond the noise, of a share */
	bool kinds[PL_PALETTE_KINDS];
	struct pl_buf text, shown;
};

/* ---- where ---- */

static void place(struct picture *p, struct box *b)
{
	PL_GROW(p->cursor, b->depth + 2, p->cursor_cap);
	b->start = p->cursor[b->depth];
	p->cursor[b->depth] += p->sums[b->node].total;
	p->cursor[b->depth + 1] = b->start;
}

static struct box first_box(struct picture *p)
{
	struct box b = {0};

	if (p->cursor_cap)
		p->cursor[0] = 0;
	place(p, &b);
	return b;
}

/* false: there is none left. */
static bool next_box(struct picture *p, struct box *b, bool descend)
{
	uint32_t node = pl_calltree_walk(p->t, b->node, descend, &b->depth);

	if (node == PL_CALLTREE_NONE)
		return false;
	b->node = node;
	place(p, b);
	return true;
}

/* Hundredths of a unit. */
static uint64_t position(const struct picture *p, uint64_t weight)
{
	if (p->total == 0)
		return 0;
	return (uint64_t)((unsigned __int128)weight * (ROOM * HUNDREDTHS) / p->total);
}

static bool is_wide(const struct picture *p, uint32_t node)
{
	uint64_t weight = p->sums[node].total;

	return node == 0 || (weight && (unsigned __int128)weight * ROOM * 1000000 >=
					       (unsigned __int128)p->f->min_width * p->total);
}

static uint64_t row_of(const struct picture *p, size_t depth)
{
	return HEAD + (p->f->icicle ? depth : p->rows - 1 - depth) * PL_FLAMESVG_ROW;
}

/* ---- change ---- */

static void change_of(const struct picture *p, uint32_t node, struct pl_calldiff *c)
{
	pl_calldiff_node(p->t, p->f->event, p->f->minimum_delta, node, c);
}

static void measure_change(struct picture *p, uint32_t node)
{
	struct pl_calldiff c;

	if (p->t->sides < 2 || node == 0 || pl_flametext_is_rest(p->t, node))
		return;
	change_of(p, node, &c);
	if (c.direction)
		p->largest = fmax(p->largest, fabs(c.after - c.before));
}

/* ---- what is drawn, and what is not ---- */

static enum pl_palette_kind kind_of(const struct picture *p, uint32_t node)
{
	if (node == 0 || pl_flametext_is_rest(p->t, node))
		return PL_PALETTE_REST;
	const struct pl_calltree_frame *frame = &p->t->frames[p->t->nodes[node].frame];
	return pl_palette_kind(frame->kind, frame->dso, frame->inlined);
}

static void measure_hidden(struct picture *p, const struct box *b)
{
	const struct pl_calltree_sums *other =
		p->t->sides == 2 ? p->t->sums[!p->f->width_by] : NULL;
	uint32_t parent = p->t->nodes[b->node].parent;

	if (p->sums[b->node].total == 0 && other && other[b->node].samples) {
		p->gone++;
		if (p->sums[parent].total)
			p->gone_weight += other[b->node].total;
		return;
	}
	p->narrow++;
	p->narrow_weight += p->sums[b->node].total;
}

static void measure(struct picture *p)
{
	struct box b = first_box(p);
	bool descend;

	do {
		descend = is_wide(p, b.node);
		if (!descend) {
			measure_hidden(p, &b);
			/* what is below a frame that is gone is gone as well */
			descend = p->sums[b.node].total == 0;
			continue;
		}
		if (b.depth >= p->rows)
			p->rows = b.depth + 1;
		if (b.node)
			p->kinds[kind_of(p, b.node)] = true;
		measure_change(p, b.node);
	} while (next_box(p, &b, descend));
}

/* ---- text ---- */

/* Text that was made for a document already (no characters that drive anything), cut to columns. */
static void add_cut(struct picture *p, struct pl_str s, size_t columns)
{
	size_t used = 0, end = 0, fits = 0, n;
	uint32_t scalar;

	for (; end < s.n; end += n) {
		n = pl_utf8_decode((struct pl_str){s.p + end, s.n - end}, &scalar);
		n = n ? n : 1;
		used += pl_utf8_columns((struct pl_str){s.p + end, n});
		if (used > columns)
			break;
		if (used < columns)
			fits = end + n;
	}
	if (end >= s.n)
		fits = s.n;
	pl_xml_text(p->out, (struct pl_str){s.p, fits});
	if (fits < s.n)
		pl_buf_addz(p->out, "…");
}

static struct pl_str name_of(const struct picture *p, uint32_t node)
{
	return node ? p->t->frames[p->t->nodes[node].frame].name : pl_str(_("all"));
}

/* As it is shown, so that its columns can be counted. */
static struct pl_str shown_name(struct picture *p, uint32_t node)
{
	pl_buf_clear(&p->shown);
	pl_utf8_terminal(&p->shown, name_of(p, node));
	return pl_buf_str(&p->shown);
}

/* The hover text; its first line is the whole name. */
static void add_title(struct picture *p, uint32_t node)
{
	struct pl_buf *b = &p->text;

	pl_buf_addz(p->out, "<title>");
	pl_xml_text(p->out, name_of(p, node));
	pl_buf_addz(p->out, "\n");
	if (node && !pl_flametext_is_rest(p->t, node)) {
		struct pl_str dso = p->t->frames[p->t->nodes[node].frame].dso;
		pl_xml_text(p->out, pl_str(_("DSO: ")));
		pl_xml_text(p->out, dso.p ? dso : pl_str(_("unknown")));
		pl_buf_addz(p->out, "\n");
	}
	pl_buf_clear(b);
	pl_flametext_node(b, p->f, node);
	/* line by line: for a terminal a line's end would be a control */
	for (size_t from = 0; from < b->n;) {
		const char *end = memchr(b->p + from, '\n', b->n - from);
		size_t n = end ? (size_t)(end - b->p) - from : b->n - from;
		pl_xml_text(p->out, (struct pl_str){b->p + from, n});
		from += n + 1;
		if (end)
			pl_buf_addz(p->out, "\n");
	}
	pl_buf_addz(p->out, "</title>");
}

/* ---- frames ---- */

static uint32_t color_of(const struct picture *p, uint32_t node)
{
	struct pl_calldiff c;

	if (node == 0 || pl_flametext_is_rest(p->t, node))
		return PL_PALETTE_GREY;
	if (p->t->sides == 2) {
		change_of(p, node, &c);
		return c.direction ? pl_palette_of_change((c.after - c.before) / p->largest)
				   : PL_PALETTE_GREY;
	}
	const struct pl_calltree_frame *frame = &p->t->frames[p->t->nodes[node].frame];
	return p->f->by_module ? pl_palette_of_module(frame->dso, frame->name)
			       : pl_palette_of_kind(kind_of(p, node), frame->name);
}

static void add_decimal(struct pl_buf *b, uint64_t hundredths)
{
	pl_buf_printf(b, "%" PRIu64 ".%02" PRIu64, hundredths / HUNDREDTHS,
		      hundredths % HUNDREDTHS);
}

static void draw_box(struct picture *p, const struct box *b)
{
	uint64_t x = position(p, b->start), y = row_of(p, b->depth);
	uint64_t width = position(p, b->start + p->sums[b->node].total) - x;
	struct pl_buf *out = p->out;

	if (p->total == 0)
		width = ROOM * HUNDREDTHS; /* the root alone */
	x += PL_FLAMESVG_MARGIN * HUNDREDTHS;
	pl_buf_addz(out, "<g class=\"f\">");
	add_title(p, b->node);
	pl_buf_addz(out, "<rect x=\"");
	add_decimal(out, x);
	pl_buf_printf(out, "\" y=\"%" PRIu64 "\" width=\"", y);
	add_decimal(out, width);
	pl_buf_printf(out, "\" height=\"%d\" fill=\"#%06x\"%s/>", PL_FLAMESVG_ROW - 1,
		      (unsigned)color_of(p, b->node),
		      width >= 2 * HUNDREDTHS ? " stroke=\"#fdfdfb\" stroke-width=\".5\"" : "");
	uint64_t columns = width <= PAD * HUNDREDTHS ? 0
						     : (width - PAD * HUNDREDTHS) * 10 /
							       HUNDREDTHS / PL_FLAMESVG_COLUMN;
	if (columns >= 2) {
		pl_buf_addz(out, "<text x=\"");
		add_decimal(out, x + PAD / 2 * HUNDREDTHS);
		pl_buf_printf(out, "\" y=\"%" PRIu64 ".5\">", y + 11);
		add_cut(p, shown_name(p, b->node), columns);
		pl_buf_addz(out, "</text>");
	}
	pl_buf_addz(out, "</g>\n");
}

static int draw(struct picture *p, struct pl_err *err)
{
	size_t start = p->out->n;
	struct box b = first_box(p);
	bool wide;

	pl_buf_addz(p->out, "<g font-size=\"11\">\n");
	do {
		wide = is_wide(p, b.node);
		if (wide)
			draw_box(p, &b);
		if (p->f->max_bytes && p->out->n - start > p->f->max_bytes)
			return pl_limit_exceeded(err, PL_LIMIT_OUTPUT_BYTES, p->f->max_bytes);
	} while (next_box(p, &b, wide));
	pl_buf_addz(p->out, "</g>\n");
	return 0;
}

/* ---- around the frames ---- */

static void add_line(struct picture *p, const char *attributes, uint64_t y, size_t columns)
{
	pl_buf_printf(p->out, "<text x=\"%d\" y=\"%" PRIu64 "\"%s>", PL_FLAMESVG_MARGIN, y,
		      attributes);
	pl_buf_clear(&p->shown);
	pl_utf8_terminal(&p->shown, pl_buf_str(&p->text));
	add_cut(p, pl_buf_str(&p->shown), columns);
	pl_buf_addz(p->out, "</text>\n");
	pl_buf_clear(&p->text);
}

static void write_omissions(struct picture *p)
{
	struct pl_buf *b = &p->text;

	if (p->narrow) {
		pl_buf_printf(b,
			      ngettext("Left out: %" PRIu64 " branch narrower than ",
				       "Left out: %" PRIu64 " branches narrower than ", p->narrow),
			      p->narrow);
		pl_buf_printf(b, "%g px, ", (double)p->f->min_width / 1e6);
		pl_flametext_weight(b, p->f, p->f->width_by, p->narrow_weight);
		pl_buf_addz(b, ". ");
	}
	if (p->gone) {
		pl_buf_printf(b,
			      p->f->width_by
				      ? ngettext("Gone: %" PRIu64 " frame, ",
						 "Gone: %" PRIu64 " frames, ", p->gone)
				      : ngettext("New, not drawn: %" PRIu64 " frame, ",
						 "New, not drawn: %" PRIu64 " frames, ", p->gone),
			      p->gone);
		pl_flametext_weight(b, p->f, !p->f->width_by, p->gone_weight);
		pl_buf_addz(b, p->f->width_by ? _(" of before. ") : _(" of after. "));
	}
	for (unsigned side = 0; side < p->t->sides; side++) {
		uint64_t n = p->f->event[side]->omitted_paths;
		if (n == 0)
			continue;
		pl_buf_printf(b,
			      ngettext("[omitted] is %" PRIu64 " path that the analysis left out",
				       "[omitted] is %" PRIu64 " paths that the analysis left out",
				       n),
			      n);
		pl_buf_addz(b, p->t->sides < 2 ? ". " : side ? _(" (after). ") : _(" (before). "));
	}
	if (b->n == 0)
		pl_buf_addz(b, _("Every call path is drawn."));
}

/* One swatch with its text; *x moves on. */
static void add_swatch(struct picture *p, uint64_t *x, uint64_t y, uint32_t color, const char *text)
{
	pl_buf_printf(p->out,
		      "<rect x=\"%" PRIu64 "\" y=\"%" PRIu64
		      "\" width=\"10\" height=\"10\" fill=\"#%06x\"/><text x=\"%" PRIu64
		      "\" y=\"%" PRIu64 "\" font-size=\"11\">",
		      *x, y - 9, (unsigned)color, *x + 14, y);
	pl_xml_text(p->out, pl_str(text));
	pl_buf_addz(p->out, "</text>\n");
	*x += 14 + (uint64_t)pl_utf8_columns(pl_str(text)) * PL_FLAMESVG_COLUMN / 10 + 16;
}

static void write_legend(struct picture *p, uint64_t y)
{
	uint64_t x = PL_FLAMESVG_MARGIN;
	char text[128];

	if (p->t->sides == 2) {
		snprintf(text, sizeof text, _("larger share (darkest: %+.2f points)"),
			 p->largest * 100);
		add_swatch(p, &x, y, pl_palette_of_change(1), text);
		snprintf(text, sizeof text, _("smaller share (darkest: %+.2f points)"),
			 -p->largest * 100);
		add_swatch(p, &x, y, pl_palette_of_change(-1), text);
		if (!isnan(p->f->event[0]->n_eff) && !isnan(p->f->event[1]->n_eff))
			snprintf(text, sizeof text, _("within the noise (95 %% interval)"));
		else
			snprintf(text, sizeof text, _("changed by less than %g points"),
				 (double)p->f->minimum_delta / 1e6);
		add_swatch(p, &x, y, PL_PALETTE_GREY, text);
		return;
	}
	if (p->f->by_module) {
		pl_buf_addz(&p->text, _("a colour for each module; grey: none is known"));
		add_line(p, " font-size=\"11\"", y, LINE_COLUMNS);
		return;
	}
	for (int i = 0; i < PL_PALETTE_KINDS; i++)
		if (p->kinds[i])
			add_swatch(p, &x, y, pl_palette_of_kind((enum pl_palette_kind)i, PL_S("")),
				   pl_palette_kind_name((enum pl_palette_kind)i));
}

static void begin(struct picture *p, uint64_t height)
{
	struct pl_buf *out = p->out;

	if (!p->f->embedded)
		pl_buf_addz(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	pl_buf_printf(out,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRIu64 "\" ",
		      PL_FLAMESVG_WIDTH, height);
	if (p->f->embedded)
		pl_buf_addz(out, "width=\"100%\" role=\"img\" ");
	else
		pl_buf_printf(out,
			      "width=\"%d\" height=\"%" PRIu64
			      "\" style=\"max-width:100%%;height:auto\" ",
			      PL_FLAMESVG_WIDTH, height);
	pl_buf_addz(out, "font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" "
			 "font-size=\"12\" fill=\"#111\">\n<title>");
	pl_flametext_title(&p->text, p->f);
	pl_xml_text(out, pl_buf_str(&p->text));
	pl_buf_printf(out,
		      "</title>\n<rect width=\"%d\" height=\"%" PRIu64 "\" fill=\"#fdfdfb\"/>\n",
		      PL_FLAMESVG_WIDTH, height);
	pl_buf_clear(&p->text);
}

static void write_head(struct picture *p)
{
	pl_flametext_title(&p->text, p->f);
	pl_buf_printf(p->out, "<g text-anchor=\"middle\" transform=\"translate(%d 0)\">\n",
		      PL_FLAMESVG_WIDTH / 2 - PL_FLAMESVG_MARGIN);
	add_line(p, " font-size=\"15\" font-weight=\"bold\"", 22, TITLE_COLUMNS);
	pl_buf_addz(p->out, "</g>\n");
	pl_flametext_totals(&p->text, p->f);
	add_line(p, "", 44, LINE_COLUMNS);
	write_omissions(p);
	add_line(p, "", 62, LINE_COLUMNS);
}

int pl_flamesvg_write(struct pl_buf *out, const struct pl_flamesvg *f, struct pl_err *err)
{
	struct picture p = {.f = f,
			    .t = f->tree,
			    .out = out,
			    .sums = f->tree->sums[f->width_by],
			    .total = f->tree->sums[f->width_by][0].total};

	measure(&p);
	uint64_t frames_end = HEAD + p.rows * PL_FLAMESVG_ROW;
	begin(&p, frames_end + FOOT);
	write_head(&p);
	int failed = draw(&p, err);
	pl_buf_printf(out,
		      "<text class=\"details\" x=\"%d\" y=\"%" PRIu64
		      "\" font-size=\"11\"></text>\n",
		      PL_FLAMESVG_MARGIN, frames_end + 18);
	write_legend(&p, frames_end + 38);
	if (!f->embedded) {
		pl_buf_addz(out, "<script><![CDATA[\n");
		pl_buf_addz(out, pl_flamescript);
		pl_buf_addz(out, "]]></script>\n");
	}
	pl_buf_addz(out, "</svg>\n");
	free(p.cursor);
	pl_buf_free(&p.text);
	pl_buf_free(&p.shown);
	return failed;
}
