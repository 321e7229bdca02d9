/* reader: a state machine over lines */
#include "reader.h"
#include "event.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

enum {
	COMM_MAX = 15,	 /* bytes of a thread's name */
	PLAIN_MAX = 4096 /* bytes of a line that is looked at in a run */
};

void reader_start(struct reader *r, struct pl_main *m, const struct reader_options *options)
{
	memset(r, 0, sizeof *r);
	r->options = *options;
	r->options.chain.max_depth = m->limits.v[PL_LIMIT_STACK_DEPTH];
	r->plain_max = m->limits.v[PL_LIMIT_LINE_BYTES] < PLAIN_MAX
			       ? m->limits.v[PL_LIMIT_LINE_BYTES]
			       : PLAIN_MAX;
	pl_parser_start(&r->parser, m, "perf-script");
	chain_start(&r->chain, &r->options.chain);
	pl_intern_init(&r->events);
}

void reader_free(struct reader *r)
{
	pl_parser_free(&r->parser);
	chain_free(&r->chain);
	pl_intern_free(&r->events);
	pl_buf_free(&r->head);
	pl_buf_free(&r->first);
	pl_buf_free(&r->pending);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ---- a sample's end ---- */

static uint32_t event_of(struct reader *r)
{
	const struct script_header *h = &r->header;
	struct pl_str name = h->event.p ? h->event : PL_S("unknown");
	struct pl_buf *key = &r->chain.key;

	pl_buf_clear(key);
	pl_buf_adds(key, name);
	pl_buf_addc(key, h->has_period ? 'p' : 'c');
	uint32_t before = (uint32_t)r->events.n, id = pl_intern(&r->events, key->p, key->n);
	if (id < before)
		return id;
	return pl_parser_event(
		&r->parser, &(struct pl_event){
				    .name = name,
				    .unit = h->event.p ? pl_event_unit(name) : PL_S("unknown"),
				    .weight_source = h->has_period ? PL_S("period") : PL_S("count"),
				    .source = pl_event_source(name),
			    });
}

/* The letter of misc (perf-script(1)) as the stream's word. */
static struct pl_str mode_of(struct pl_str misc)
{
	static const char *const modes[] = {['K'] = "kernel",
					    ['U'] = "user",
					    ['G'] = "guest",
					    ['g'] = "guest",
					    ['H'] = "hypervisor"};
	unsigned char c = misc.n ? (unsigned char)*misc.p : 0;

	return c < PL_COUNT(modes) ? pl_str(modes[c]) : (struct pl_str){NULL, 0};
}

static void note_fields(struct reader *r)
{
	const struct script_header *h = &r->header;
	const bool there[READER_FIELDS] = {
		[READER_COMM] = h->comm.p,
		[READER_PID] = h->has_pid,
		[READER_TID] = h->has_tid,
		[READER_CPU] = h->has_cpu,
		[READER_MISC] = h->misc.p,
		[READER_TIME] = h->has_time,
		[READER_PERIOD] = h->has_period,
		[READER_EVENT] = h->event.p,
		[READER_IP] = r->has_ip,
		[READER_SYM] = r->chain.has_symbol,
		[READER_SYMOFF] = r->chain.has_offset,
		[READER_DSO] = r->chain.has_dso,
		[READER_SRCLINE] = r->chain.has_source,
		[READER_TRACE] = r->payload.p,
		[READER_BRSTACK] = r->branches,
	};

	for (size_t i = 0; i < READER_FIELDS; i++)
		r->fields[i] += there[i];
}

/* Of all inputs so far, into the end record. */
static void put_fields(struct reader *r)
{
	static const char *const names[READER_FIELDS] = {
		[READER_COMM] = "comm",	      [READER_PID] = "pid",
		[READER_TID] = "tid",	      [READER_CPU] = "cpu",
		[READER_MISC] = "misc",	      [READER_TIME] = "time",
		[READER_PERIOD] = "period",   [READER_EVENT] = "event",
		[READER_IP] = "ip",	      [READER_SYM] = "sym",
		[READER_SYMOFF] = "symoff",   [READER_DSO] = "dso",
		[READER_SRCLINE] = "srcline", [READER_TRACE] = "trace",
		[READER_BRSTACK] = "brstack",
	};

	for (size_t i = 0; i < READER_FIELDS; i++) {
		if (r->fields[i])
			pl_parser_field(&r->parser, names[i], r->fields[i]);
		r->fields[i] = 0;
	}
}

static struct pl_sample sample_of(const struct reader *r)
{
	const struct script_header *h = &r->header;
	struct pl_sample s = {
		.weight = h->has_period ? h->period : 1,
		.stack = r->chain.ids,
		.depth = r->chain.depth,
		.pid = h->pid,
		.has_pid = h->has_pid,
		.tid = h->tid,
		.has_tid = h->has_tid,
		.cpu = h->cpu,
		.has_cpu = h->has_cpu,
		.time = h->time,
		.has_time = h->has_time,
		.comm = h->comm,
		.mode = mode_of(h->misc),
		.payload = r->payload,
	};

	if (r->cut_short)
		s.cut = PL_S("truncated_record");
	else if (r->chain.depth >= r->options.kernel_max_stack)
		s.cut = PL_S("truncated_stack");
	return s;
}

/* Chains that say less than they should; counted, not kept: they are the recording's, not the
 * text's. */
static void note_chain(struct reader *r, const struct pl_sample *s)
{
	if (s->depth == 0)
		pl_diag_count(&r->parser.diag, "EMPTY_CHAIN", 1);
	if (pl_str_is(s->cut, "truncated_stack"))
		pl_diag_count(&r->parser.diag, "TRUNCATED_STACK", 1);
	if (r->chain.suspects)
		pl_diag_count(&r->parser.diag, "SUSPECT_CALLER", r->chain.suspects);
}

static int end_sample(struct reader *r)
{
	if (!r->open)
		return 0;
	r->open = false;
	if (r->chain.too_deep) {
		pl_parser_malformed(&r->parser, "STACK_TOO_DEEP",
				    "the stack is deeper than --max-stack-depth",
				    pl_buf_str(&r->head));
		return 0;
	}
	uint32_t event = event_of(r);
	chain_define(&r->chain, &r->parser.m->out.buf);
	r->parser.frames = r->chain.frames.n;
	r->parser.modules = r->chain.modules.n;
	struct pl_sample s = sample_of(r);
	s.event = event;
	note_fields(r);
	note_chain(r, &s);
	return pl_parser_sample(&r->parser, &s);
}

/* ---- a sample's start ---- */

static void drop_pending(struct reader *r)
{
	uint64_t here = r->parser.m->in.line;

	if (!r->has_pending)
		return;
	r->has_pending = false;
	r->parser.m->in.line = r->pending_line; /* the diagnostic is of that line */
	pl_parser_malformed(&r->parser, "UNRECOGNIZED_LINE",
			    "neither a sample's header nor part of a sample",
			    pl_buf_str(&r->pending));
	r->parser.m->in.line = here;
}

/* Copies what must outlive the line. */
static struct pl_str hold(struct pl_buf *head, struct pl_str s, size_t *at)
{
	if (!s.p)
		return s;
	*at = head->n;
	pl_buf_adds(head, s);
	return (struct pl_str){"", s.n};
}

static void hold_texts(struct reader *r, struct pl_str payload)
{
	struct script_header *h = &r->header;
	struct pl_str *texts[] = {&h->comm, &h->event, &h->misc, &r->payload};
	size_t at[PL_COUNT(texts)] = {0};

	r->payload = payload;
	pl_buf_clear(&r->head);
	if (r->has_pending) { /* the first half of a comm with a line end in it */
		pl_buf_adds(&r->head, pl_buf_str(&r->pending));
		pl_buf_addc(&r->head, '\n');
	}
	size_t joined = r->head.n;
	pl_buf_reserve(&r->head, h->comm.n + h->event.n + h->misc.n + payload.n);
	for (size_t i = 0; i < PL_COUNT(texts); i++)
		*texts[i] = hold(&r->head, *texts[i], &at[i]);
	for (size_t i = 0; i < PL_COUNT(texts); i++)
		if (texts[i]->p)
			texts[i]->p = r->head.p + at[i];
	if (r->has_pending) {
		h->comm.p = r->head.p;
		h->comm.n += joined;
		r->has_pending = false;
	}
}

/* The words at the end of a line that are branches: FROM/TO/FLAGS… (perf-script(1), "brstack"). */
static struct pl_str without_branches(struct pl_str s, bool *branches)
{
	for (;;) {
		size_t start = s.n;
		while (start > 0 && !is_blank(s.p[start - 1]))
			start--;
		struct pl_str word = {s.p + start, s.n - start};
		if (word.n < 4 || !pl_str_starts(word, "0x") || !memchr(word.p, '/', word.n))
			return s;
		*branches = true;
		s = pl_str_trim((struct pl_str){s.p, start});
	}
}

/*
 * The frame of a one-line sample: the last place where an address is followed by a symbol and a
 * DSO. Columns of addresses, data sources and weights may be before it.
 */
static bool find_one_line_frame(struct pl_str rest, struct pl_str *address, struct pl_str *body)
{
	const char *bar = NULL;

	for (size_t i = 0; i < rest.n; i++)
		if (rest.p[i] == '|')
			bar = rest.p + i;
	if (bar) /* after the data source */
		rest = pl_str_trim((struct pl_str){bar + 1, rest.n - (size_t)(bar + 1 - rest.p)});
	if (!script_frame_split(rest, address, body))
		return false;
	/* the column before may be an address or a weight, too */
	for (;;) {
		struct pl_str next, tail;
		if (!script_frame_split(*body, &next, &tail) || next.n < 4 || tail.n == 0)
			return true;
		*address = next;
		*body = tail;
	}
}

/* What stands behind the event: the payload of a tracepoint, or a frame. */
static void read_rest(struct reader *r, struct pl_str rest)
{
	bool tracepoint =
		r->header.event.p && pl_str_is(pl_event_source(r->header.event), "tracepoint");
	struct pl_str address, body;

	rest = without_branches(rest, &r->branches);
	pl_buf_clear(&r->first);
	if (rest.n && !tracepoint && find_one_line_frame(rest, &address, &body)) {
		r->has_ip = true;
		chain_add(&r->chain, address, body);
		pl_buf_adds(&r->first, body);
		rest = (struct pl_str){NULL, 0};
	}
	hold_texts(r, rest.n ? rest : (struct pl_str){NULL, 0});
}

static int start_sample(struct reader *r, const struct script_header *header)
{
	if (end_sample(r))
		return -1;
	if (r->has_pending &&
	    (r->after_comment || !header->comm.p || r->pending.n + 1 + header->comm.n > COMM_MAX))
		drop_pending(r);
	r->open = true;
	r->has_ip = r->cut_short = r->branches = false;
	r->header = *header;
	chain_clear(&r->chain);
	read_rest(r, header->rest);
	return 0;
}

/* ---- lines ---- */

/* A line of another record: "PERF_RECORD_LOST lost 17". */
static int skip_record(struct reader *r, struct pl_str rest)
{
	static const char lost[] = "lost ";
	uint64_t count;

	if (end_sample(r))
		return -1;
	r->parser.skipped++;
	if (!pl_str_starts(rest, "PERF_RECORD_LOST"))
		return 0;
	for (size_t i = 0; i + sizeof lost - 1 < rest.n; i++) {
		struct pl_str number = {rest.p + i + sizeof lost - 1, 0};
		if (memcmp(rest.p + i, lost, sizeof lost - 1) != 0)
			continue;
		while (number.p + number.n < rest.p + rest.n && number.p[number.n] >= '0' &&
		       number.p[number.n] <= '9')
			number.n++;
		if (pl_num_u64(number, &count) == 0) {
			struct pl_jsonw w = {.buf = &r->parser.m->out.buf};
			pl_jsonw_record(&w, "lost");
			pl_jsonw_ku64(&w, "count", count);
			pl_jsonw_record_end(&w);
			if (!pl_num_add(&r->parser.lost, count))
				r->parser.lost = UINT64_MAX;
			return 0;
		}
	}
	return 0;
}

/* Is this header none of a sample? Then *rest is where the record's name is. */
static bool is_other_record(const struct script_header *h, struct pl_str *rest)
{
	static const char name[] = "PERF_RECORD_";

	*rest = h->event.p && pl_str_starts(h->event, name)
			? (struct pl_str){h->event.p, (size_t)(h->rest.p + h->rest.n - h->event.p)}
			: h->rest;
	return pl_str_starts(*rest, name);
}

static void set_pending(struct reader *r, struct pl_str line)
{
	drop_pending(r);
	pl_buf_clear(&r->pending);
	pl_buf_adds(&r->pending, line);
	r->has_pending = true;
	r->pending_line = r->parser.m->in.line;
}

static int read_comment(struct reader *r)
{
	if (end_sample(r))
		return -1;
	if (r->has_pending && r->after_comment) { /* an argument with a line end in it */
		r->has_pending = false;
		r->parser.skipped++;
	}
	drop_pending(r);
	r->parser.skipped++;
	r->after_comment = true;
	return 0;
}

/* A line that starts with no blank. */
static int read_flush_left(struct reader *r, struct pl_str line)
{
	struct script_header header;
	struct pl_str record;
	bool found = script_header_read(line, &header);

	if (line.p[0] == '#' && !(found && header.comm.p && script_header_is_certain(&header)))
		return read_comment(r);
	if (found && is_other_record(&header, &record)) {
		drop_pending(r);
		return skip_record(r, record);
	}
	if (pl_str_starts(line, "PERF_RECORD_")) {
		drop_pending(r);
		return skip_record(r, line);
	}
	if (found && (header.event.p || header.has_time || header.has_tid || header.has_cpu)) {
		int status = start_sample(r, &header);
		r->after_comment = false;
		return status;
	}
	if (r->open) { /* noise among the frames */
		pl_parser_malformed(&r->parser, "UNRECOGNIZED_LINE",
				    "neither a sample's header nor part of a sample", line);
		return 0;
	}
	set_pending(r, line);
	return 0;
}

/* A sample without any field but, perhaps, a comm: the line before it. */
static int start_bare_sample(struct reader *r)
{
	struct script_header header = {0};
	bool named = r->has_pending && !r->after_comment;

	if (named) {
		header.comm = pl_str_trim(pl_buf_str(&r->pending));
		r->has_pending = false;
	}
	drop_pending(r);
	return start_sample(r, &header);
}

static int add_frame(struct reader *r, struct pl_str address, struct pl_str body)
{
	if (!r->open && start_bare_sample(r))
		return -1;
	if (r->first.n && r->chain.depth == 1 && pl_str_eq(pl_buf_str(&r->first), body)) {
		pl_buf_clear(&r->first); /* the frame on the header line, once more */
		return 0;
	}
	pl_buf_clear(&r->first);
	r->has_ip = true;
	chain_add(&r->chain, address, body);
	return 0;
}

/* A text below a frame that is none: what the frame is annotated with, or something that keeps its
 * place. */
static void add_annotation(struct reader *r, struct pl_str text)
{
	struct pl_str file;
	uint64_t line;

	if (script_source_read(text, &file, &line)) {
		if (file.p)
			chain_add_source(&r->chain, file, line);
		return;
	}
	if (script_is_address_annotation(text))
		return;
	if (without_branches(text, &r->branches).n == 0)
		return;
	pl_parser_warn(&r->parser, "MALFORMED_FRAME", "a line in a frame's place could not be read",
		       text);
	chain_add_unknown(&r->chain);
}

/* A line that starts with a blank: most lines are these. */
static int read_indented(struct reader *r, struct pl_str line)
{
	struct pl_str text = pl_str_trim(line), address, body;
	struct script_header header;
	bool frame = script_frame_split(text, &address, &body);

	/* a frame's symbol starts with no digit; a padded header's second word is a thread */
	if (frame && !(body.n && (*body.p == '-' || (*body.p >= '0' && *body.p <= '9'))))
		return add_frame(r, address, body);
	if (script_header_read(line, &header) && script_header_is_certain(&header)) {
		struct pl_str record;
		r->after_comment = false;
		if (is_other_record(&header, &record)) {
			drop_pending(r);
			return skip_record(r, record);
		}
		return start_sample(r, &header);
	}
	if (frame)
		return add_frame(r, address, body);
	if (r->open) {
		add_annotation(r, text);
		return 0;
	}
	drop_pending(r);
	pl_parser_malformed(&r->parser, "UNRECOGNIZED_LINE",
			    "neither a sample's header nor part of a sample", line);
	return 0;
}

static int read_too_long(struct reader *r, struct pl_str line)
{
	static const char message[] = "the line is longer than --max-line-bytes";

	if (r->open && is_blank(*line.p)) {
		pl_parser_warn(&r->parser, "LINE_TOO_LONG", message, line);
		chain_add_unknown(&r->chain);
	} else {
		drop_pending(r);
		pl_parser_malformed(&r->parser, "LINE_TOO_LONG", message, line);
	}
	return 0;
}

/* The text ends within a line of a sample: what is certain is kept. */
static int read_cut_line(struct reader *r, struct pl_str line)
{
	pl_parser_warn(&r->parser, "TRUNCATED_RECORD", "the text ends within a sample", line);
	r->cut_short = true;
	chain_add_unknown(&r->chain);
	return 0;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/*
 * Hot: most lines are a blank, an address, a symbol and a DSO, and say so at both ends. What is not
 * quite that goes the long way, which comes to the same for those that are.
 */
static bool take_plain_frame(struct reader *r, struct pl_str line)
{
	const char *p = line.p, *end = line.p + line.n;

	if (!r->open || r->first.n || line.n < 4 || end[-1] != ')' || !is_blank(*p))
		return false;
	while (is_blank(*p)) /* the parenthesis ends it, and the next loop */
		p++;
	const char *address = p;
	while (is_hex(*p))
		p++;
	if (p == address || p - address > 16 || *p != ' ' || is_blank(p[1]) || p[1] == '-' ||
	    (p[1] >= '0' && p[1] <= '9'))
		return false;
	r->has_ip = true;
	chain_add(&r->chain, (struct pl_str){address, (size_t)(p - address)},
		  (struct pl_str){p + 1, (size_t)(end - p - 1)});
	return true;
}

/* Frames up to the first line that is anything else: a sample's whole chain, most often. */
static size_t run_of_frames(void *context, struct pl_str rest, uint64_t *lines)
{
	struct reader *r = context;
	const char *p = rest.p, *end = rest.p + rest.n;

	while (r->open && p < end) {
		size_t most = (size_t)(end - p) < r->plain_max ? (size_t)(end - p) : r->plain_max;
		const char *lf = memchr(p, '\n', most);
		if (!lf)
			break;
		struct pl_str line = {p, (size_t)(lf - p)};
		if (pl_utf8_valid(line) != line.n || !take_plain_frame(r, line))
			break;
		p = lf + 1;
		++*lines;
	}
	return (size_t)(p - rest.p);
}

static int read_line(void *context, struct pl_str line, bool too_long)
{
	struct reader *r = context;

	if (too_long)
		return read_too_long(r, line);
	if (pl_str_trim(line).n == 0) {
		drop_pending(r);
		return end_sample(r);
	}
	/* only the last line of an input has no end; a whole frame's ends in a parenthesis */
	if (r->open && !r->parser.m->in.line_ended && is_blank(*line.p) &&
	    line.p[line.n - 1] != ')')
		return read_cut_line(r, line);
	return is_blank(*line.p) ? read_indented(r, line) : read_flush_left(r, line);
}

static int end_input(void *context)
{
	struct reader *r = context;

	drop_pending(r);
	r->after_comment = false;
	if (end_sample(r))
		return -1;
	put_fields(r);
	return 0;
}

const struct pl_parser_grammar reader_grammar = {
	.line = read_line,
	.run = run_of_frames,
	.input_end = end_input,
	.none = N_("no line starts a sample of perf script"),
	.advice = N_("is this the output of perf script?"),
};
