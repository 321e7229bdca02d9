/* folded: folded stacks, and what the format cannot hold */
#include "expand.h"
#include "num.h"
#include "text.h"

/* A name as a folded stack can hold it: no ';', no line ends, no blanks at its ends, not empty.
 * False when that changed it. */
static bool put_name(struct pl_buf *b, struct pl_str name)
{
	size_t start = b->n;
	bool same = true;

	pl_buf_reserve(b, name.n);
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		char held = c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c;
		same &= held == c;
		pl_buf_addc(b, held);
	}
	struct pl_str trimmed = pl_str_trim((struct pl_str){b->p + start, b->n - start});
	same &= trimmed.n == name.n && name.n > 0;
	memmove(b->p + start, trimmed.p, trimmed.n);
	b->n = start + trimmed.n;
	if (trimmed.n == 0)
		pl_buf_addz(b, "unknown");
	return same;
}

static void put_inlines(struct folded *x, const struct pl_samples *r, struct pl_buf *b)
{
	const struct pl_json *json = pl_samples_frame_json(r);
	uint32_t inlines = r->frame.inlines;

	if (!inlines)
		return;
	for (uint32_t t = inlines + 1; t < json->tape[inlines].next; t = json->tape[t].next) {
		uint32_t raw = pl_json_member(json, t, "raw");
		uint32_t name = raw ? raw : pl_json_member(json, t, "symbol");
		pl_buf_addc(b, ';');
		x->altered += !put_name(b, name ? pl_json_str(json, name) : PL_S("unknown"));
	}
}

/* The spelling before normalisation, where there is one: annotations such as _[k] are in it. */
static void learn_frame(struct folded *x, const struct pl_samples *r)
{
	const struct pl_frame *frame = &r->frame;
	struct pl_buf *b = &x->frames.scratch;

	pl_buf_clear(b);
	x->altered += !put_name(b, frame->raw.p ? frame->raw : frame->symbol);
	put_inlines(x, r, b);
	texts_set(&x->frames, frame->id, pl_buf_str(b));
}

static void learn_event(struct folded *x, const struct pl_event *event)
{
	PL_GROW(x->events, (size_t)event->id + 1, x->events_cap);
	x->events[event->id].name = texts_keep(&x->frames, event->name);
	x->events[event->id].unit = texts_keep(&x->frames, event->unit);
}

/* Can the format hold it? Counts those that it cannot. */
static bool is_held(struct folded *x, const struct pl_sample *sample)
{
	x->weightless += sample->weight == 0;
	if (sample->depth == 0) {
		x->stackless++;
		x->stackless_weight += sample->weight;
	}
	return sample->weight && sample->depth;
}

static int put_frames(const struct folded *x, const struct pl_samples *r, struct pl_buf *out,
		      struct pl_err *err)
{
	size_t start = out->n;

	for (size_t i = 0; i < r->sample.depth; i++) {
		if (i)
			pl_buf_addc(out, ';');
		pl_buf_adds(out, x->frames.v[r->sample.stack[i]]);
		if (check_line(r, out, start, err))
			return -1;
	}
	return 0;
}

/* What a reader would take for something else than the start of a name: a byte order mark at the
 * file's start, the sign of a comment. */
static void hide_start(struct folded *x, struct pl_buf *out, size_t start)
{
	static const char mark[] = "\xef\xbb\xbf", replacement[] = "\xef\xbf\xbd";
	enum { MARK = sizeof mark - 1 };

	if (!x->begun && out->n - start >= MARK && memcmp(out->p + start, mark, MARK) == 0) {
		memcpy(out->p + start, replacement, MARK);
		x->altered++;
	}
	x->begun = true;
	if (out->p[start] == '#') {
		out->p[start] = ':';
		x->comments++;
	}
}

static int put_sample(struct folded *x, const struct pl_samples *r, struct pl_buf *out,
		      struct pl_err *err)
{
	const struct pl_sample *sample = &r->sample;

	if (x->only && !pl_str_is(x->events[sample->event].name, x->only))
		return 0;
	x->several |= x->chosen && x->event != sample->event;
	x->chosen = true;
	x->event = sample->event;
	if (x->several || !is_held(x, sample))
		return 0;
	size_t start = out->n;
	if (put_frames(x, r, out, err))
		return -1;
	hide_start(x, out, start);
	pl_buf_addc(out, ' ');
	pl_buf_reserve(out, PL_NUM_MAX);
	out->n += pl_num_put_u64(out->p + out->n, sample->weight);
	pl_buf_addc(out, '\n');
	return 0;
}

int folded_take(struct folded *x, const struct pl_samples *r, enum pl_samples_kind kind,
		struct pl_buf *out, struct pl_err *err)
{
	if (kind == PL_SAMPLES_EVENT)
		learn_event(x, &r->event);
	else if (kind == PL_SAMPLES_FRAME)
		learn_frame(x, r);
	else if (kind == PL_SAMPLES_SAMPLE)
		return put_sample(x, r, out, err);
	return 0;
}

static int fail(const struct folded *x, const struct pl_samples *r, const char *message,
		struct pl_err *err)
{
	struct pl_buf names = {0};

	for (size_t i = 0; i < r->sums_n; i++)
		if (r->sums[i].samples)
			pl_buf_printf(&names, "%s'%.*s' (%.*s)", names.n ? ", " : "",
				      (int)x->events[i].name.n, x->events[i].name.p,
				      (int)x->events[i].unit.n, x->events[i].unit.p);
	pl_err_set(err, PL_E_INVALID_INPUT, "%s: %s", message, names.n ? names.p : "");
	pl_buf_free(&names);
	return -1;
}

int folded_check(const struct folded *x, const struct pl_samples *r, struct pl_err *err)
{
	if (x->several && x->only)
		return fail(x, r, _("several events have the name asked for by --event"), err);
	if (x->several) {
		fail(x, r, _("folded stacks hold one event, and here are several"), err);
		return pl_err_action(err, _("choose one with --event NAME"));
	}
	if (x->only && !x->chosen && r->received)
		return fail(x, r, _("no event has the name asked for by --event"), err);
	return 0;
}

void folded_free(struct folded *x)
{
	texts_free(&x->frames);
	free(x->events);
}
