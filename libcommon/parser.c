/* parser: the frame of a text parser */
#include "parser.h"
#include "magic.h"
#include "mem.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

static void put_header(struct pl_main *m, struct pl_buf *out, const char *format,
		       void (*describe)(struct pl_jsonw *w, const void *context),
		       const void *context)
{
	struct pl_jsonw w = {.buf = out};

	pl_stream_header(&w, PL_SAMPLES_SCHEMA, m);
	pl_jsonw_begin(&w, '[');
	for (size_t i = 0; i < m->in.n; i++) {
		pl_jsonw_begin(&w, '{');
		pl_jsonw_kz(&w, "format", format);
		if (describe)
			describe(&w, context);
		pl_jsonw_end(&w, '}');
	}
	pl_jsonw_end(&w, ']');
	pl_jsonw_record_end(&w);
}

static void start(struct pl_parser *p, struct pl_main *m, bool binary)
{
	memset(p, 0, sizeof *p);
	p->m = m;
	p->binary = binary;
	p->diag.max_kept = m->limits.v[PL_LIMIT_WARNINGS];
}

void pl_parser_start(struct pl_parser *p, struct pl_main *m, const char *format)
{
	start(p, m, false);
	put_header(m, &m->out.buf, format, NULL, NULL);
}

void pl_parser_start_binary(struct pl_parser *p, struct pl_main *m)
{
	start(p, m, true);
}

void pl_parser_header(struct pl_parser *p, const char *format,
		      void (*describe)(struct pl_jsonw *w, const void *context),
		      const void *context)
{
	struct pl_buf *out = &p->m->out.buf, first = {0};

	put_header(p->m, &first, format, describe, context);
	pl_buf_adds(&first, pl_buf_str(out));
	pl_buf_clear(out);
	pl_buf_adds(out, pl_buf_str(&first));
	pl_buf_free(&first);
}

void pl_parser_free(struct pl_parser *p)
{
	free(p->events);
	pl_buf_free(&p->inputs);
	pl_buf_free(&p->clean);
}

static struct pl_diag_place place(const struct pl_parser *p)
{
	return (struct pl_diag_place){p->m->in.index, p->binary ? p->offset : p->m->in.line,
				      p->binary};
}

static int at(struct pl_parser *p, struct pl_diag_place place)
{
	return pl_err_at(&p->err, pl_in_name(&p->m->in, place.input),
			 place.is_offset ? 0 : place.at);
}

void pl_parser_warn(struct pl_parser *p, const char *code, const char *message,
		    struct pl_str preview)
{
	pl_diag_add(&p->diag, &p->m->out.buf, code, place(p), message, preview);
}

void pl_parser_malformed(struct pl_parser *p, const char *code, const char *message,
			 struct pl_str preview)
{
	if (p->malformed++ == 0)
		p->first = (struct pl_parser_first){
			.message = message,
			.place = place(p),
			.advice = pl_magic_advice(preview, p->m->program->name),
		};
	pl_parser_warn(p, code, message, preview);
}

void pl_parser_field(struct pl_parser *p, const char *name, uint64_t records)
{
	pl_diag_count(&p->fields, name, records);
}

uint32_t pl_parser_event(struct pl_parser *p, struct pl_event *event)
{
	PL_GROW(p->events, p->events_n + 1, p->events_cap);
	p->events[p->events_n] = (struct pl_parser_event){0};
	event->id = (uint32_t)p->events_n++;
	pl_samplesw_event(&p->m->out.buf, event);
	return event->id;
}

int pl_parser_sample(struct pl_parser *p, const struct pl_sample *sample)
{
	struct pl_parser_event *event = &p->events[sample->event];

	pl_samplesw_sample(&p->m->out.buf, sample);
	p->samples++;
	event->samples++;
	if (pl_num_add(&event->weight, sample->weight))
		return 0;
	pl_err_set(&p->err, PL_E_WEIGHT_OVERFLOW, _("the weights add up to more than 2^64-1"));
	return at(p, place(p));
}

int pl_parser_check_limits(struct pl_parser *p)
{
	const struct pl_limits *limits = &p->m->limits;
	enum pl_limit over = PL_LIMIT_COUNT;

	if (p->samples + p->malformed + p->skipped > limits->v[PL_LIMIT_RECORDS])
		over = PL_LIMIT_RECORDS;
	else if (p->frames > limits->v[PL_LIMIT_UNIQUE_FRAMES])
		over = PL_LIMIT_UNIQUE_FRAMES;
	if (over == PL_LIMIT_COUNT)
		return 0;
	pl_limit_exceeded(&p->err, over, limits->v[over]);
	return at(p, place(p));
}

static void put_input(struct pl_parser *p)
{
	const struct pl_in_info *info = pl_in_info(&p->m->in);
	struct pl_jsonw w = {.buf = &p->inputs, .comma = p->inputs.n > 0};

	pl_jsonw_begin(&w, '{');
	pl_jsonw_ku64(&w, "bytes", info->bytes);
	if (info->sha256[0])
		pl_jsonw_kz(&w, "sha256", info->sha256);
	pl_jsonw_ku64(&w, "lines", info->lines);
	if (info->packed)
		pl_jsonw_ku64(&w, "packed_bytes", info->packed_bytes);
	if (info->packed_sha256[0])
		pl_jsonw_kz(&w, "packed_sha256", info->packed_sha256);
	pl_jsonw_end(&w, '}');
}

/* Is known when the input begins, and is said first: diagnostics stand in the order of input. */
static void note_byte_order_mark(struct pl_parser *p)
{
	if (pl_in_info(&p->m->in)->bom)
		pl_diag_add(&p->diag, &p->m->out.buf, "BYTE_ORDER_MARK",
			    (struct pl_diag_place){p->m->in.index, 1, false},
			    "a UTF-8 byte order mark was dropped", PL_S(""));
}

static int read_line(struct pl_parser *p, const struct pl_parser_grammar *grammar, void *context,
		     struct pl_str line, bool too_long)
{
	/* of a line that is too long only the start is there: what is replaced in it counts for
	 * nothing */
	uint64_t none = 0;

	line = pl_utf8_clean(line, &p->clean, too_long ? &none : &p->replaced);
	if (grammar->line(context, line, too_long) || pl_parser_check_limits(p))
		return -1;
	if (pl_out_poll(&p->m->out)) {
		p->err = p->m->out.err;
		return -1;
	}
	return 0;
}

static void take_run(struct pl_in *in, const struct pl_parser_grammar *grammar, void *context)
{
	uint64_t lines = 0;
	size_t bytes = grammar->run(context, pl_in_peek(in), &lines);

	if (lines)
		pl_in_take(in, bytes, lines);
}

static int read_input(struct pl_parser *p, const struct pl_parser_grammar *grammar, void *context)
{
	struct pl_in *in = &p->m->in;
	struct pl_str line;
	int got;

	note_byte_order_mark(p);
	for (;;) {
		if (grammar->run)
			take_run(in, grammar, context);
		got = pl_in_line(in, &line);
		if (got <= 0)
			break;
		if (read_line(p, grammar, context, line, got == PL_IN_TOO_LONG))
			return -1;
	}
	if (got < 0) {
		p->err = in->err;
		return -1;
	}
	put_input(p);
	if (pl_in_info(in)->bytes == 0)
		pl_note(p->m, _("%s is empty"), pl_in_name(in, in->index));
	return grammar->input_end(context);
}

static void put_end(struct pl_parser *p)
{
	struct pl_jsonw w = {.buf = &p->m->out.buf};

	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "samples", p->samples);
	pl_jsonw_kbegin(&w, "events", '[');
	for (size_t i = 0; i < p->events_n; i++) {
		pl_jsonw_begin(&w, '{');
		pl_jsonw_ku64(&w, "id", i);
		pl_jsonw_ku64(&w, "samples", p->events[i].samples);
		pl_jsonw_ku64(&w, "weight", p->events[i].weight);
		pl_jsonw_end(&w, '}');
	}
	pl_jsonw_end(&w, ']');
	pl_jsonw_ku64(&w, "modules", p->modules);
	pl_jsonw_ku64(&w, "frames", p->frames);
	pl_jsonw_ku64(&w, "lost", p->lost);
	pl_jsonw_ku64(&w, "records", p->samples + p->malformed + p->skipped);
	pl_jsonw_ku64(&w, "malformed", p->malformed);
	pl_jsonw_ku64(&w, "skipped", p->skipped);
	pl_jsonw_ku64(&w, "replaced", p->replaced);
	pl_diag_counts(&p->diag, "diagnostics", &w);
	pl_jsonw_kbegin(&w, "inputs", '[');
	pl_buf_adds(w.buf, pl_buf_str(&p->inputs));
	pl_jsonw_end(&w, ']');
	if (p->fields.n)
		pl_diag_counts(&p->fields, "fields", &w);
	pl_jsonw_record_end(&w);
}

/* The stream is whole and says what was wrong; but nothing in it is a profile. */
static int all_malformed(struct pl_parser *p, const char *none, const char *advice)
{
	pl_err_set(&p->err, PL_E_PROFILE_PARSE_FAILED,
		   _("%s; all %llu records are malformed, the first: %s"), _(none),
		   (unsigned long long)p->malformed, p->first.message);
	at(p, p->first.place);
	pl_err_action(&p->err, "%s", p->first.advice ? p->first.advice : _(advice));
	if (pl_out_close(&p->m->out))
		p->err = p->m->out.err;
	return -1;
}

/* The stream says it, and so does what is made of it; people who look at neither are told, too. */
static void note_malformed(const struct pl_parser *p)
{
	const struct pl_parser_first *first = &p->first;

	if (p->malformed)
		pl_note(p->m,
			first->place.is_offset
				? _("%1$llu of %2$llu records are malformed, the first at byte "
				    "%3$llu "
				    "of %4$s: %5$s")
				: _("%1$llu of %2$llu records are malformed, the first at "
				    "%4$s:%3$llu: %5$s"),
			(unsigned long long)p->malformed,
			(unsigned long long)(p->samples + p->malformed + p->skipped),
			(unsigned long long)first->place.at,
			pl_in_name(&p->m->in, first->place.input), first->message);
}

int pl_parser_end(struct pl_parser *p, const char *none, const char *advice)
{
	put_end(p);
	if (p->malformed && p->samples == 0)
		return all_malformed(p, none, advice);
	note_malformed(p);
	return 0;
}

/* *bytes, which may be NULL, gets them. */
static int read_bytes(struct pl_parser *p, struct pl_buf *bytes)
{
	struct pl_in *in = &p->m->in;
	struct pl_str block;
	int got;

	while ((got = pl_in_block(in, &block)) > 0)
		if (bytes)
			pl_buf_adds(bytes, block);
	if (got < 0) {
		p->err = in->err;
		return -1;
	}
	put_input(p);
	return 0;
}

int pl_parser_read_whole(struct pl_parser *p, struct pl_buf *bytes)
{
	uint64_t most = p->m->limits.v[PL_LIMIT_INPUT_BYTES], size = pl_in_total(&p->m->in);

	/* most often its size is known, and growing by copies is spared */
	if (size <= most || most == 0)
		pl_buf_reserve(bytes, size);
	return read_bytes(p, bytes);
}

int pl_parser_read_past(struct pl_parser *p)
{
	return read_bytes(p, NULL);
}

int pl_parser_run(struct pl_parser *p, const struct pl_parser_grammar *grammar, void *context)
{
	int got;

	while ((got = pl_in_next(&p->m->in)) > 0)
		if (read_input(p, grammar, context))
			return -1;
	if (got < 0) {
		p->err = p->m->in.err;
		return -1;
	}
	return pl_parser_end(p, grammar->none, grammar->advice);
}
