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

/* ---- samples: the hot ones, written straight into the buffer ---- */

enum {
	FIXED_MAX = 256, /* the names and numbers of a sample, without its stack and its strings */
	ID_MAX = 11	 /* ten digits and a comma */
};

/* The text of a literal, at p; behind it. */
#define PUT(p, literal) ((char *)memcpy(p, literal, sizeof literal - 1) + sizeof literal - 1)

static char *put_stack(char *p, const uint32_t *stack, size_t depth)
{
	p = PUT(p, ",\"stack\":[");
	for (size_t i = 0; i < depth; i++) {
		if (i)
			*p++ = ',';
		p += pl_num_put_u64(p, stack[i]);
	}
	*p++ = ']';
	return p;
}

static char *put_thread(char *p, const struct pl_sample *s)
{
	if (s->has_pid) {
		p = PUT(p, ",\"pid\":");
		p += pl_num_put_i64(p, s->pid);
	}
	if (s->has_tid) {
		p = PUT(p, ",\"tid\":");
		p += pl_num_put_i64(p, s->tid);
	}
	return p;
}

static char *put_when(char *p, const struct pl_sample *s)
{
	if (s->has_cpu) {
		p = PUT(p, ",\"cpu\":");
		p += pl_num_put_i64(p, s->cpu);
	}
	if (s->has_time) {
		p = PUT(p, ",\"time\":");
		p += pl_num_put_u64(p, s->time);
	}
	return p;
}

static void end_at(struct pl_buf *b, char *p)
{
	*p = '\0';
	b->n = (size_t)(p - b->p);
}

void pl_samplesw_sample(struct pl_buf *b, const struct pl_sample *s)
{
	struct pl_jsonw w = {.buf = b, .comma = true};

	pl_buf_reserve(b, s->depth * ID_MAX + FIXED_MAX);
	char *p = PUT(b->p + b->n, "{\"type\":\"sample\",\"event\":");
	p += pl_num_put_u64(p, s->event);
	p = PUT(p, ",\"weight\":");
	p += pl_num_put_u64(p, s->weight);
	p = put_stack(p, s->stack, s->depth);
	end_at(b, put_thread(p, s));
	put_optional(&w, "comm", s->comm);
	pl_buf_reserve(b, FIXED_MAX);
	end_at(b, put_when(b->p + b->n, s));
	put_optional(&w, "mode", s->mode);
	put_optional(&w, "payload", s->payload);
	put_optional(&w, "cut", s->cut);
	pl_jsonw_record_end(&w);
}
