/* sources: descriptions and diagnostics of what was read */
#include "sources.h"
#include "analysis.h"
#include "mem.h"
#include "origin.h"

void sources_start(struct sources *s, uint64_t max_kept)
{
	memset(s, 0, sizeof *s);
	s->max_kept = max_kept;
	pl_intern_init(&s->codes);
}

void sources_free(struct sources *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->v[i].kept_n; k++)
			pl_buf_free(&s->v[i].kept[k].text);
		free(s->v[i].kept);
		pl_buf_free(&s->v[i].element);
		pl_buf_free(&s->v[i].digests);
	}
	free(s->v);
	pl_intern_free(&s->codes);
	pl_json_free(&s->json);
}

void sources_begin(struct sources *s)
{
	PL_GROW(s->v, s->n + 1, s->cap);
	s->v[s->n++] = (struct source){0};
}

static const char *keep_code(struct sources *s, struct pl_str code)
{
	uint32_t id = pl_intern(&s->codes, code.p, code.n); /* may move the entries */

	return s->codes.entries[id].p;
}

/* The members after `input`, as the analysis will have them: those that are known, in their order.
 */
static void put_members(struct pl_buf *text, const struct pl_analysis_diagnostic *d)
{
	struct pl_jsonw w = {.buf = text};

	if (d->has_line)
		pl_jsonw_ku64(&w, "line", d->line);
	if (d->has_offset)
		pl_jsonw_ku64(&w, "offset", d->offset);
	if (d->event.p)
		pl_jsonw_kstr(&w, "event", d->event);
	pl_jsonw_kstr(&w, "message", d->message);
	if (d->preview.p)
		pl_jsonw_kstr(&w, "preview", d->preview);
}

const char *sources_add_diagnostic(struct sources *s, const struct pl_json *json, char message[256])
{
	struct source *current = &s->v[s->n - 1];
	struct pl_analysis_diagnostic d = {0};
	const char *wrong = pl_record_read(&pl_analysis_diagnostic_record, json, 0, &d, message);

	if (wrong || current->kept_n >= s->max_kept)
		return wrong;
	PL_GROW(current->kept, current->kept_n + 1, current->kept_cap);
	struct kept_diagnostic *kept = &current->kept[current->kept_n++];
	*kept = (struct kept_diagnostic){
		.code = pl_str(keep_code(s, d.code)), .has_input = d.has_input, .input = d.input};
	put_members(&kept->text, &d);
	return NULL;
}

/* Without a digest its place is held by blanks. */
static void add_digest(void *context, const struct pl_origin_foreign *foreign)
{
	struct sources *s = context;
	struct source *current = &s->v[s->n - 1];

	current->foreign++;
	if (foreign->sha256.p)
		pl_buf_adds(&current->digests, foreign->sha256);
	else
		pl_buf_printf(&current->digests, "%*s", PL_SHA256_HEX, "");
	s->digest_absent |= !foreign->sha256.p;
}

static void read_digests(struct sources *s, struct source *current)
{
	uint32_t inputs = 0;

	if (pl_json_parse(&s->json, pl_buf_str(&current->element)) == 0)
		inputs = pl_json_member(&s->json, 0, "inputs");
	if (inputs)
		pl_origin_walk(&s->json, inputs, add_digest, s);
}

void sources_end(struct sources *s, const struct pl_stream *stream, const struct pl_json *end,
		 uint32_t digests_array, uint32_t counts_object)
{
	struct source *current = &s->v[s->n - 1];
	struct pl_jsonw w = {.buf = &current->element};

	pl_stream_input(&w, stream, digests_array ? end : NULL, digests_array);
	read_digests(s, current);
	s->digest_absent |= current->foreign == 0;
	for (uint32_t key = counts_object + 1; key < end->tape[counts_object].next;
	     key = end->tape[key + 1].next)
		if (end->tape[key + 1].type == PL_JSON_UINT)
			pl_diag_count(&s->counts, keep_code(s, pl_json_str(end, key)),
				      end->tape[key + 1].v.u);
}

static int compare_sources(const void *a, const void *b)
{
	const struct source *x = a, *y = b;
	int by_digest = pl_str_cmp(pl_buf_str(&x->digests), pl_buf_str(&y->digests));

	return by_digest ? by_digest : pl_str_cmp(pl_buf_str(&x->element), pl_buf_str(&y->element));
}

void sources_sort(struct sources *s)
{
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, compare_sources);
}

void sources_put_inputs(const struct sources *s, struct pl_jsonw *w)
{
	pl_jsonw_begin(w, '[');
	for (size_t i = 0; i < s->n; i++)
		pl_jsonw_raw(w, pl_buf_str(&s->v[i].element));
	pl_jsonw_end(w, ']');
}

uint64_t sources_put_diagnostics(const struct sources *s, struct pl_jsonw *w, uint64_t already)
{
	uint64_t written = 0, offset = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct source *source = &s->v[i];
		for (size_t k = 0; k < source->kept_n && already + written < s->max_kept;
		     k++, written++) {
			const struct kept_diagnostic *d = &source->kept[k];
			pl_jsonw_record(w, "diagnostic");
			pl_jsonw_kstr(w, "code", d->code);
			if (d->has_input)
				pl_jsonw_ku64(w, "input", offset + d->input);
			if (d->text.n) {
				pl_buf_addc(w->buf, ',');
				pl_buf_adds(w->buf, pl_buf_str(&d->text));
			}
			pl_jsonw_record_end(w);
		}
		offset += source->foreign;
	}
	return written;
}

uint32_t sources_foreign(const struct sources *s)
{
	uint32_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].foreign;
	return n;
}

bool sources_find_twice(const struct sources *s, uint32_t *first, uint32_t *again)
{
	/* of nothing: several empty files are no mistake */
	static const char nothing[] =
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	struct pl_intern seen;
	uint32_t *at =
		pl_alloc((sources_foreign(s) + 1) * sizeof *at); /* by digest: its first input */
	uint32_t index = 0;
	bool found = false;

	pl_intern_init(&seen);
	for (size_t i = 0; !found && i < s->n; i++) {
		for (uint32_t k = 0; !found && k < s->v[i].foreign; k++, index++) {
			const char *digest = s->v[i].digests.p + (size_t)k * PL_SHA256_HEX;
			if (*digest == ' ' || memcmp(digest, nothing, PL_SHA256_HEX) == 0)
				continue;
			uint32_t before = (uint32_t)seen.n,
				 id = pl_intern(&seen, digest, PL_SHA256_HEX);
			found = id < before;
			*first = at[id];
			*again = index;
			at[id] = found ? at[id] : index;
		}
	}
	pl_intern_free(&seen);
	free(at);
	return found;
}
