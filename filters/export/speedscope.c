/*
 * speedscope: https://www.speedscope.app/file-format-schema.json: one "sampled" profile an event,
 * over one table of frames, which are functions.
 *
 * The samples and the weights of a profile are two arrays: both are put together as text.
 */
#include "export.h"
#include "functions.h"
#include "jsonw.h"
#include "num.h"
#include "text.h"

#include <inttypes.h>

enum { EXACT_BITS = 53 }; /* of the numbers of JavaScript */

struct speedscope {
	struct functions functions;
	struct profile {
		struct pl_buf samples, weights;
		uint64_t total;
	} * profiles; /* by event */
	size_t profiles_cap;
	bool rounded; /* a total is more than JavaScript counts exactly */
};

static void put_number(struct pl_buf *b, uint64_t n, bool first)
{
	if (!first)
		pl_buf_addc(b, ',');
	pl_buf_reserve(b, PL_NUM_MAX);
	b->n += pl_num_put_u64(b->p + b->n, n);
}

static int take(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct speedscope *s = state;

	(void)out;
	PL_GROW(s->profiles, k->events_n, s->profiles_cap);
	struct profile *p = &s->profiles[k->event];
	bool first = p->samples.n == 0;
	if (!pl_num_add(&p->total, k->weight))
		return pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
				  _("the weights of an event do not fit 64 bits"));
	s->rounded |= p->total >> EXACT_BITS != 0;
	pl_buf_addz(&p->samples, first ? "[" : ",[");
	for (size_t i = 0; i < k->depth; i++)
		put_number(&p->samples, functions_of(&s->functions, k, k->stack[i]), i == 0);
	pl_buf_addc(&p->samples, ']');
	put_number(&p->weights, k->weight, first);
	return 0;
}

static void put_frames(struct pl_jsonw *w, const struct speedscope *s, const struct pl_stacks *k)
{
	pl_jsonw_kbegin(w, "shared", '{');
	pl_jsonw_kbegin(w, "frames", '[');
	for (size_t i = 0; i < s->functions.n; i++) {
		const struct pl_stacks_frame *f = &k->frames[s->functions.frames[i]];
		pl_jsonw_begin(w, '{');
		pl_jsonw_kstr(w, "name", f->name);
		if (f->file.p || f->dso.p)
			pl_jsonw_kstr(w, "file", f->file.p ? f->file : f->dso);
		pl_jsonw_end(w, '}');
	}
	pl_jsonw_end(w, ']');
	pl_jsonw_end(w, '}');
}

/* Units that the schema knows; "none" is what it calls all others. */
static struct pl_str unit_of(struct pl_str unit)
{
	static const char *const known[] = {"nanoseconds", "microseconds", "milliseconds",
					    "seconds", "bytes"};

	for (size_t i = 0; i < PL_COUNT(known); i++)
		if (pl_str_is(unit, known[i]))
			return unit;
	return PL_S("none");
}

static void put_array(struct pl_jsonw *w, const char *key, struct pl_buf *items)
{
	pl_jsonw_kbegin(w, key, '[');
	if (items->n)
		pl_jsonw_raw(w, pl_buf_str(items));
	pl_jsonw_end(w, ']');
	pl_buf_free(items);
}

static void put_profile(struct pl_jsonw *w, struct profile *p, const struct pl_stacks_event *e)
{
	pl_jsonw_begin(w, '{');
	pl_jsonw_kz(w, "type", "sampled");
	pl_jsonw_kstr(w, "name", e->label);
	pl_jsonw_kstr(w, "unit", unit_of(e->unit));
	pl_jsonw_ku64(w, "startValue", 0);
	pl_jsonw_ku64(w, "endValue", p->total);
	put_array(w, "samples", &p->samples);
	put_array(w, "weights", &p->weights);
	pl_jsonw_end(w, '}');
}

static int end(void *state, const struct pl_stacks *k, struct pl_buf *out, struct pl_err *err)
{
	struct speedscope *s = state;
	struct pl_jsonw w = {out, false};

	(void)err;
	PL_GROW(s->profiles, k->events_n, s->profiles_cap);
	pl_jsonw_begin(&w, '{');
	pl_jsonw_kz(&w, "$schema", "https://www.speedscope.app/file-format-schema.json");
	put_frames(&w, s, k);
	pl_jsonw_kbegin(&w, "profiles", '[');
	for (size_t i = 0; i < k->events_n; i++)
		if (s->profiles[i].samples.n)
			put_profile(&w, &s->profiles[i], &k->events[i]);
	pl_jsonw_end(&w, ']');
	pl_jsonw_kz(&w, "exporter", "perflens " PL_VERSION);
	pl_jsonw_end(&w, '}');
	pl_buf_addc(out, '\n');
	return 0;
}

static void note(const void *state, const struct pl_main *m)
{
	const struct speedscope *s = state;

	if (s->rounded)
		pl_note(m, _("weights add up to more than 2^53: speedscope will round their sums"));
}

static void release(void *state)
{
	struct speedscope *s = state;

	functions_free(&s->functions);
	for (size_t i = 0; i < s->profiles_cap; i++) {
		pl_buf_free(&s->profiles[i].samples);
		pl_buf_free(&s->profiles[i].weights);
	}
	free(s->profiles);
}

const struct exporter speedscope_exporter = {
	.name = "speedscope",
	.size = sizeof(struct speedscope),
	.take = take,
	.end = end,
	.note = note,
	.free = release,
};
