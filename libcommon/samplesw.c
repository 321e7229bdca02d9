/* samplesw: writes the records of perflens.samples */
#include "samplesw.h"
#include "jsonw.h"
#include "num.h"

static void put_optional(struct pl_jsonw *w, const char *key, struct pl_str s)
{
	if (s.p)
		pl_jsonw_kstr(w, key, s);
}

static void put_optional_i64(struct pl_jsonw *w, const char *key, bool has, int64_t v)
{
	if (!has)
		return;
	pl_jsonw_key(w, key);
	pl_jsonw_i64(w, v);
}

void pl_samplesw_event(struct pl_buf *b, const struct pl_event *e)
{
	struct pl_jsonw w = {.buf = b};

	pl_jsonw_record(&w, "event");
	pl_jsonw_ku64(&w, "id", e->id);
	pl_jsonw_kstr(&w, "name", e->name);
	pl_jsonw_kstr(&w, "unit", e->unit);
	pl_jsonw_kstr(&w, "weight_source", e->weight_source);
	pl_jsonw_kstr(&w, "source", e->source);
	pl_jsonw_record_end(&w);
}

void pl_samplesw_module(struct pl_buf *b, const struct pl_module *m)
{
	struct pl_jsonw w = {.buf = b};

	pl_jsonw_record(&w, "module");
	pl_jsonw_ku64(&w, "id", m->id);
	pl_jsonw_kstr(&w, "dso", m->dso);
	put_optional(&w, "build_id", m->build_id);
	put_optional(&w, "kind", m->kind);
	put_optional(&w, "symbols", m->symbols);
	put_optional(&w, "reason", m->reason);
	put_optional(&w, "base", m->base);
	pl_jsonw_record_end(&w);
}

static void put_source(struct pl_jsonw *w, const struct pl_source *source)
{
	pl_jsonw_kbegin(w, "source", '{');
	pl_jsonw_kstr(w, "file", source->file);
	pl_jsonw_ku64(w, "line", source->line);
	if (source->has_column)
		pl_jsonw_ku64(w, "column", source->column);
	pl_jsonw_end(w, '}');
}

void pl_samplesw_frame(struct pl_buf *b, const struct pl_frame *f)
{
	struct pl_jsonw w = {.buf = b};

	pl_jsonw_record(&w, "frame");
	pl_jsonw_ku64(&w, "id", f->id);
	pl_jsonw_kstr(&w, "symbol", f->symbol);
	if (f->module == PL_NO_MODULE)
		pl_jsonw_knull(&w, "module");
	else
		pl_jsonw_ku64(&w, "module", f->module);
	put_optional(&w, "raw", f->raw);
	put_optional(&w, "offset", f->offset);
	if (f->is_return)
		pl_jsonw_kbool(&w, "return", true);
	put_optional_i64(&w, "pid", f->has_pid, f->pid);
	if (f->source.file.p)
		put_source(&w, &f->source);
	if (f->inlined)
		pl_jsonw_kbool(&w, "inlined", true);
	put_optional(&w, "kind", f->kind);
	put_optional(&w, "suspect", f->suspect);
	pl_jsonw_record_end(&w);
}

/* Hot: one line a sample. The stack is written straight into the buffer. */
static void put_stack(struct pl_buf *b, const uint32_t *stack, size_t depth)
{
	enum { ID_MAX = 11 }; /* ten digits and a comma */

	pl_buf_reserve(b, depth * ID_MAX + 16);
	char *p = b->p + b->n;
	memcpy(p, ",\"stack\":[", 10);
	p += 10;
	for (size_t i = 0; i < depth; i++) {
		if (i)
			*p++ = ',';
		p += pl_num_put_u64(p, stack[i]);
	}
	*p++ = ']';
	b->n = (size_t)(p - b->p);
	*p = '\0';
}

void pl_samplesw_sample(struct pl_buf *b, const struct pl_sample *s)
{
	static const char start[] = "{\"type\":\"sample\",\"event\":", weight[] = ",\"weight\":";
	struct pl_jsonw w = {.buf = b, .comma = true};

	pl_buf_reserve(b, 128);
	char *p = b->p + b->n;
	memcpy(p, start, sizeof start - 1);
	p += sizeof start - 1;
	p += pl_num_put_u64(p, s->event);
	memcpy(p, weight, sizeof weight - 1);
	p += sizeof weight - 1;
	p += pl_num_put_u64(p, s->weight);
	b->n = (size_t)(p - b->p);
	put_stack(b, s->stack, s->depth);
	put_optional_i64(&w, "pid", s->has_pid, s->pid);
	put_optional_i64(&w, "tid", s->has_tid, s->tid);
	put_optional(&w, "comm", s->comm);
	put_optional_i64(&w, "cpu", s->has_cpu, s->cpu);
	if (s->has_time)
		pl_jsonw_ku64(&w, "time", s->time);
	put_optional(&w, "mode", s->mode);
	put_optional(&w, "payload", s->payload);
	put_optional(&w, "cut", s->cut);
	pl_jsonw_record_end(&w);
}
