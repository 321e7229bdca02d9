/* foldedw: folded stacks, and what the format cannot hold */
#include "foldedw.h"
#include "num.h"
#include "text.h"

#include <inttypes.h>

/* A name as a folded stack can hold it: no ';', no line ends, no blanks at its ends, not empty.
 * False when that changed it. */
static bool put_name(struct pl_buf *b, struct pl_str name)
{
	bool same = true;

	pl_buf_clear(b);
	pl_buf_reserve(b, name.n);
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		char held = c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c;
		same &= held == c;
		pl_buf_addc(b, held);
	}
	struct pl_str trimmed = pl_str_trim(pl_buf_str(b));
	same &= trimmed.n == name.n && name.n > 0;
	memmove(b->p, trimmed.p, trimmed.n);
	b->n = trimmed.n;
	if (trimmed.n == 0)
		pl_buf_addz(b, "unknown");
	return same;
}

/* The spelling before normalisation, where there is one: annotations such as _[k] are in it. */
static struct pl_str name_of(struct pl_foldedw *w, const struct pl_stacks *k, uint32_t frame)
{
	const struct pl_stacks_frame *f = &k->frames[frame];

	PL_GROW(w->names, k->frames_n, w->names_cap);
	struct pl_str *name = &w->names[frame];
	if (!name->p) {
		w->altered += !put_name(&w->scratch, f->raw.p ? f->raw : f->name);
		*name = (struct pl_str){pl_arena_dup(&w->bytes, w->scratch.p, w->scratch.n),
					w->scratch.n};
	}
	return *name;
}

static int too_long(const struct pl_stacks *k, struct pl_err *err)
{
	const struct pl_in *in = k->stream->in;

	pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
		   _("with its %zu frames in it the stack is more than %d bytes, "
		     "which no reader takes"),
		   k->depth, PL_STREAM_LINE_MAX);
	pl_err_action(err, _("leave out deep stacks: --max-stack-depth of the parser"));
	return pl_err_at(err, pl_in_name(in, in->index), in->line);
}

int pl_foldedw_stack(struct pl_foldedw *w, const struct pl_stacks *k, struct pl_buf *out,
		     struct pl_err *err)
{
	size_t start = out->n;

	for (size_t i = 0; i < k->depth; i++) {
		if (i)
			pl_buf_addc(out, ';');
		pl_buf_adds(out, name_of(w, k, k->stack[i]));
		if (out->n - start > PL_STREAM_LINE_MAX)
			return too_long(k, err);
	}
	return 0;
}

/* What a reader would take for something else than the start of a name: a byte order mark at the
 * file's start, the sign of a comment. */
static void hide_start(struct pl_foldedw *w, struct pl_buf *out, size_t start)
{
	static const char mark[] = "\xef\xbb\xbf", replacement[] = "\xef\xbf\xbd";
	enum { MARK = sizeof mark - 1 };

	if (!w->begun && out->n - start >= MARK && memcmp(out->p + start, mark, MARK) == 0) {
		memcpy(out->p + start, replacement, MARK);
		w->altered++;
	}
	w->begun = true;
	if (out->p[start] == '#') {
		out->p[start] = ':';
		w->comments++;
	}
}

int pl_foldedw_line(struct pl_foldedw *w, const struct pl_stacks *k, struct pl_buf *out,
		    struct pl_err *err)
{
	size_t start = out->n;

	if (k->weight == 0) {
		w->weightless++;
		return 0;
	}
	if (pl_foldedw_stack(w, k, out, err))
		return -1;
	hide_start(w, out, start);
	pl_buf_addc(out, ' ');
	pl_buf_reserve(out, PL_NUM_MAX);
	out->n += pl_num_put_u64(out->p + out->n, k->weight);
	pl_buf_addc(out, '\n');
	return 0;
}

void pl_foldedw_free(struct pl_foldedw *w)
{
	pl_arena_free(&w->bytes);
	pl_buf_free(&w->scratch);
	free(w->names);
}

void pl_foldedw_note(const struct pl_foldedw *w, const struct pl_main *m)
{
	if (w->altered)
		pl_note(m,
			_("%" PRIu64 " names were altered to fit: ';' to ':', line ends to blanks, "
			  "blanks at the ends left out, no name to unknown, a byte order mark to "
			  "U+FFFD"),
			w->altered);
	if (w->comments)
		pl_note(m,
			_("%" PRIu64 " lines would have been comments: their first '#' became ':'"),
			w->comments);
	if (w->weightless)
		pl_note(m, _("%" PRIu64 " samples of weight 0 were left out"), w->weightless);
}
