/* markdown: names as data in GitHub-flavoured Markdown */
#include "markdown.h"
#include "figure.h"
#include "text.h"
#include "utf8.h"

#include <inttypes.h>

static struct pl_buf *next_text(struct md *m)
{
	struct pl_buf *b = &m->texts[m->next++ % MD_TEXTS];

	pl_buf_clear(b);
	pl_buf_addz(b, ""); /* a string also when nothing follows */
	return b;
}

void md_free(struct md *m)
{
	for (size_t i = 0; i < MD_TEXTS; i++)
		pl_buf_free(&m->texts[i]);
	pl_buf_free(&m->scratch);
}

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

/* Blanks at the ends of a cell and beside other blanks are not shown by any reader. */
static bool vanishes(struct pl_str s, size_t i)
{
	return s.p[i] == ' ' && (i == 0 || i + 1 == s.n || s.p[i - 1] == ' ');
}

const char *md_name(struct md *m, struct pl_str s)
{
	struct pl_buf *b = next_text(m);

	pl_buf_clear(&m->scratch);
	pl_utf8_terminal(&m->scratch, s);
	s = pl_buf_str(&m->scratch);
	for (size_t i = 0; i < s.n; i++) {
		if (vanishes(s, i)) {
			pl_buf_addz(b, "\\\\x20");
			continue;
		}
		if (is_markup(s, i))
			pl_buf_addc(b, '\\');
		pl_buf_addc(b, s.p[i]);
	}
	return b->p;
}

const char *md_code(struct md *m, struct pl_str s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_.:,/+";

	if (s.n == 0)
		return md_name(m, s);
	for (size_t i = 0; i < s.n; i++)
		if (!memchr(plain, s.p[i], sizeof plain - 1))
			return md_name(m, s);
	struct pl_buf *b = next_text(m);
	pl_buf_addc(b, '`');
	pl_buf_adds(b, s);
	pl_buf_addc(b, '`');
	return b->p;
}

static const char *share(struct md *m, uint64_t micro, unsigned decimals)
{
	struct pl_buf *b = next_text(m);

	pl_buf_clear(&m->scratch);
	pl_figure_share(&m->scratch, micro, decimals);
	if (is_markup(pl_buf_str(&m->scratch), 0)) /* "< 0.01 %" */
		pl_buf_addc(b, '\\');
	pl_buf_adds(b, pl_buf_str(&m->scratch));
	return b->p;
}

const char *md_share(struct md *m, uint64_t micro)
{
	return share(m, micro, 2);
}

const char *md_coverage(struct md *m, uint64_t micro)
{
	return share(m, micro, 1);
}

const char *md_weight(struct md *m, uint64_t weight, struct pl_str unit)
{
	const char *name = md_name(m, pl_figure_unit(unit, weight));
	struct pl_buf *b = next_text(m);

	pl_buf_printf(b, "%" PRIu64 " %s", weight, name);
	return b->p;
}

const char *md_samples(struct md *m, uint64_t n, const struct pl_analysis_event *event)
{
	struct pl_buf *b = next_text(m);

	pl_figure_samples(b, n, event->weight_source);
	return b->p;
}

const char *md_records(struct md *m, uint64_t n)
{
	return md_text(m, ngettext("%" PRIu64 " record", "%" PRIu64 " records", n), n);
}

const char *md_bytes(struct md *m, uint64_t n)
{
	return md_text(m, ngettext("%" PRIu64 " byte", "%" PRIu64 " bytes", n), n);
}

const char *md_frames(struct md *m, uint64_t n)
{
	return md_text(m, ngettext("%" PRIu64 " frame", "%" PRIu64 " frames", n), n);
}

const char *md_text(struct md *m, const char *fmt, ...)
{
	struct pl_buf *b = next_text(m);
	va_list ap;

	va_start(ap, fmt);
	pl_buf_vprintf(b, fmt, ap);
	va_end(ap);
	return b->p;
}

void md_say(struct md *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	pl_buf_vprintf(m->out, fmt, ap);
	va_end(ap);
}

void md_cell(struct md *m, const char *text)
{
	pl_buf_addz(m->out, "| ");
	pl_buf_addz(m->out, text);
	pl_buf_addc(m->out, ' ');
}

void md_row_end(struct md *m)
{
	pl_buf_addz(m->out, "|\n");
}

void md_rule(struct md *m, size_t left, size_t right)
{
	while (left-- > 0)
		pl_buf_addz(m->out, "| --- ");
	while (right-- > 0)
		pl_buf_addz(m->out, "| ---: ");
	md_row_end(m);
}
