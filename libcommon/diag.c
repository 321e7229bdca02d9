/* diag: counts and keeps diagnostics */
#include "diag.h"
#include "num.h"
#include "utf8.h"

static struct pl_diag_count *look_up(struct pl_diag *d, const char *code)
{
	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->codes[i].code, code) == 0)
			return &d->codes[i];
	return NULL;
}

/* Codes are ours, a few dozen at most; of a foreign stream with more, those that find no place are
 * counted as one, in the last place. */
static struct pl_diag_count *find(struct pl_diag *d, const char *code)
{
	static const char other[] = "OTHER";
	struct pl_diag_count *found = look_up(d, code);

	if (!found && d->n >= PL_DIAG_CODES - 1) {
		code = other;
		found = look_up(d, code);
	}
	if (found)
		return found;
	d->codes[d->n] = (struct pl_diag_count){code, 0};
	return &d->codes[d->n++];
}

void pl_diag_count(struct pl_diag *d, const char *code, uint64_t n)
{
	struct pl_diag_count *c = find(d, code);

	if (!pl_num_add(&c->count, n))
		c->count = UINT64_MAX;
}

void pl_diag_add(struct pl_diag *d, struct pl_buf *buf, const char *code,
		 struct pl_diag_place place, const char *message, struct pl_str preview)
{
	struct pl_jsonw w = {.buf = buf};
	struct pl_buf scratch = {0};
	uint64_t replaced = 0;

	pl_diag_count(d, code, 1);
	if (d->kept >= d->max_kept)
		return;
	d->kept++;
	/* a character has at most four bytes: no need to look at the rest of a long line */
	if (preview.n > 4 * PL_DIAG_PREVIEW)
		preview.n = 4 * PL_DIAG_PREVIEW;
	pl_jsonw_record(&w, "diagnostic");
	pl_jsonw_kz(&w, "code", code);
	pl_jsonw_ku64(&w, "input", place.input);
	pl_jsonw_ku64(&w, place.is_offset ? "offset" : "line", place.at);
	pl_jsonw_kz(&w, "message", message);
	pl_jsonw_kstr(&w, "preview",
		      pl_utf8_cut(pl_utf8_clean(preview, &scratch, &replaced), PL_DIAG_PREVIEW));
	pl_jsonw_record_end(&w);
	pl_buf_free(&scratch);
}

void pl_diag_counts(const struct pl_diag *d, const char *key, struct pl_jsonw *w)
{
	const char *last = "";

	pl_jsonw_kbegin(w, key, '{');
	for (size_t k = 0; k < d->n; k++) {
		const struct pl_diag_count *next = NULL;
		for (size_t i = 0; i < d->n; i++)
			if (strcmp(d->codes[i].code, last) > 0 &&
			    (!next || strcmp(d->codes[i].code, next->code) < 0))
				next = &d->codes[i];
		if (!next)
			break;
		pl_jsonw_keys(w, pl_str(next->code));
		pl_jsonw_u64(w, next->count);
		last = next->code;
	}
	pl_jsonw_end(w, '}');
}
