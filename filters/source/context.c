/* context: lines of a source file as the member `lines` of a record, safe to show */
#include "context.h"
#include "utf8.h"

static bool is_tail(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* A cut goes through a character at times: the text without what is left of it. */
static struct pl_str without_half(struct pl_str s)
{
	size_t tails = 0;

	while (tails < 3 && tails < s.n && is_tail(s.p[s.n - 1 - tails]))
		tails++;
	if (tails == s.n)
		return s;
	unsigned char lead = (unsigned char)s.p[s.n - 1 - tails];
	size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	if (length > tails + 1)
		s.n -= tails + 1;
	return s;
}

/* Appends text with escapes. Tabs are layout, and nobody mistakes them. */
static void show(struct pl_buf *out, struct pl_str text)
{
	const char *tab;

	while ((tab = memchr(text.p, '\t', text.n))) {
		size_t n = (size_t)(tab - text.p);
		pl_utf8_terminal(out, (struct pl_str){text.p, n});
		pl_buf_addc(out, '\t');
		text = (struct pl_str){tab + 1, text.n - n - 1};
	}
	pl_utf8_terminal(out, text);
}

void context_add(struct context *c, uint64_t number, struct pl_str line, bool cut)
{
	uint64_t replaced = 0;
	struct pl_str text = pl_utf8_clean(cut ? without_half(line) : line, &c->clean, &replaced);

	if (!c->w.buf) {
		c->w.buf = &c->json;
		pl_jsonw_begin(&c->w, '[');
	}
	pl_buf_clear(&c->shown);
	show(&c->shown, text);
	pl_jsonw_begin(&c->w, '{');
	pl_jsonw_ku64(&c->w, "line", number);
	pl_jsonw_kstr(&c->w, "text", pl_buf_str(&c->shown));
	if (cut)
		pl_jsonw_kbool(&c->w, "cut", true);
	if (replaced)
		pl_jsonw_ku64(&c->w, "replaced", replaced);
	/* an escape is always longer than what it stands for */
	if (c->shown.n != text.n)
		pl_jsonw_kbool(&c->w, "escaped", true);
	pl_jsonw_end(&c->w, '}');
}

struct pl_str context_end(struct context *c)
{
	if (!c->w.buf) {
		c->w.buf = &c->json;
		pl_jsonw_begin(&c->w, '[');
	}
	pl_jsonw_end(&c->w, ']');
	return pl_buf_str(&c->json);
}

void context_free(struct context *c)
{
	pl_buf_free(&c->json);
	pl_buf_free(&c->clean);
	pl_buf_free(&c->shown);
}
