/* reader: a state machine over lines */
#include "reader.h"
#include "event.h"
#include "num.h"
#include "record.h"
#include "text.h"
#include "utf8.h"

enum { PLAIN_MAX = 4096 /* bytes of a line that is looked at in a run */ };

void reader_start(struct reader *r, struct pl_main *m, const struct reader_options *options)
{
	struct chain_options chain = options->chain;
	uint64_t line_bytes = m->limits.v[PL_LIMIT_LINE_BYTES];

	memset(r, 0, sizeof *r);
	chain.max_depth = m->limits.v[PL_LIMIT_STACK_DEPTH];
	r->plain_max = line_bytes < PLAIN_MAX ? line_bytes : PLAIN_MAX;
	pl_parser_start(&r->parser, m, "perf-script");
	sample_init(&r->sample, &chain, options->kernel_max_stack);
	r->transcript.needed = options->transcript;
}

void reader_free(struct reader *r)
{
	pl_parser_free(&r->parser);
	sample_free(&r->sample);
	pl_buf_free(&r->pending);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- lines that mean nothing by themselves ---- */

static void refuse(struct reader *r, struct pl_str line)
{
	pl_parser_malformed(&r->parser, "UNRECOGNIZED_LINE",
			    "neither a sample's header nor part of a sample", line);
}

static void refuse_cut(struct reader *r, struct pl_str line)
{
	pl_parser_malformed(&r->parser, "TRUNCATED_RECORD",
			    "the text ends within a sample's header", line);
}

static void keep_position(struct reader *r, struct pl_str text)
{
	pl_parser_warn(&r->parser, "MALFORMED_FRAME", "a line in a frame's place could not be read",
		       pl_str_trim(text));
	chain_add_unknown(&r->sample.chain);
}

/* Is a line that starts with blanks in a frame's place? */
static bool in_chain(const struct reader *r, bool frame_follows)
{
	const struct sample *s = &r->sample;

	return s->open && !s->one_line && (s->chain.depth > 0 || frame_follows);
}

/* The line before was no part of a name. */
static void drop_pending(struct reader *r, bool frame_follows)
{
	uint64_t here = r->parser.m->in.line;
	struct pl_str line = pl_buf_str(&r->pending);

	if (!r->has_pending)
		return;
	r->has_pending = false;
	r->parser.m->in.line = r->pending_line; /* the diagnostic is of that line */
	if (is_blank(*line.p) && in_chain(r, frame_follows))
		keep_position(r, line);
	else
		refuse(r, line);
	r->parser.m->in.line = here;
}

static void set_pending(struct reader *r, struct pl_str line)
{
	drop_pending(r, false);
	if (r->in_block) { /* an argument with line ends in it */
		r->parser.skipped++;
		return;
	}
	if (!r->parser.m->in.line_ended) {
		refuse_cut(r, line);
		return;
	}
	pl_buf_clear(&r->pending);
	pl_buf_adds(&r->pending, line);
	r->has_pending = true;
	r->pending_line = r->parser.m->in.line;
}

/* Is the line before the first half of this header's name? Then they are put together. */
static bool join_pending(struct reader *r, struct pl_str line, struct script_header *h)
{
	size_t n = r->pending.n;
	struct pl_str comm;

	if (!r->has_pending || r->after_comment || !h->comm.p || is_blank(*line.p))
		return false;
	pl_buf_addc(&r->pending, '\n');
	pl_buf_adds(&r->pending, h->comm);
	bool padded = is_blank(*r->pending.p);
	if (!script_comm_read(pl_buf_str(&r->pending), &comm) ||
	    (padded && comm.p == r->pending.p)) {
		r->pending.n = n;
		return false;
	}
	h->comm = comm;
	r->has_pending = false;
	return true;
}

/* The same for a padded name that has only a frame behind it. */
static bool join_lines(struct reader *r, struct pl_str line, struct script_header *h)
{
	size_t n = r->pending.n;

	if (!r->has_pending || !is_blank(*r->pending.p))
		return false;
	pl_buf_addc(&r->pending, '\n');
	pl_buf_adds(&r->pending, line);
	r->has_pending = !script_header_read_comm(pl_buf_str(&r->pending), h);
	if (r->has_pending)
		r->pending.n = n;
	return !r->has_pending;
}

/* ---- records that are no samples ---- */

static const char other_record[] = "PERF_RECORD_";

static int skip_record(struct reader *r, struct pl_str record)
{
	struct pl_jsonw w = {.buf = &r->parser.m->out.buf};
	uint64_t count;

	r->parser.skipped++;
	r->in_record = script_record_is_open(record);
	if (!script_record_lost(record, &count))
		return 0;
	pl_jsonw_record(&w, "lost");
	pl_jsonw_ku64(&w, "count", count);
	pl_jsonw_record_end(&w);
	if (!pl_num_add(&r->parser.lost, count))
		r->parser.lost = UINT64_MAX;
	return 0;
}

static int read_comment(struct reader *r, struct pl_str line)
{
	if (r->has_pending && r->after_comment) { /* an argument with a line end in it */
		r->has_pending = false;
		r->parser.skipped++;
	}
	drop_pending(r, false);
	r->parser.skipped++;
	r->after_comment = true;
	if (pl_str_starts(line, "# ===="))
		r->in_block = !r->in_block;
	return 0;
}

/* ---- headers ---- */

static bool is_frame_or_nothing(struct pl_str rest)
{
	struct pl_str address, body;

	return rest.n == 0 || script_frame_split(pl_str_trim(rest), &address, &body);
}

/* An event and nothing else: what other tools say looks alike ("Warning: …"). */
static bool is_event(struct reader *r, const struct script_header *h)
{
	struct pl_str source = pl_event_source(h->event);
	const char *colon = memchr(h->event.p, ':', h->event.n);

	if (sample_knows_event(&r->sample, h->event))
		return pl_str_is(source, "tracepoint") || is_frame_or_nothing(h->rest);
	if (pl_str_is(source, "tracepoint")) /* "file.c:42: error" looks like one */
		return !(colon && is_digit(colon[1]));
	return !pl_str_is(source, "unknown") && is_frame_or_nothing(h->rest);
}

/* Is what was matched enough for a header? Fields that could stand there by accident must be where
 * perf prints them, with nothing but a frame behind them. */
static bool is_header(struct reader *r, const struct script_header *h, struct pl_str line)
{
	if (r->in_block && !h->padded)
		return false;
	if (script_header_is_certain(h))
		return true;
	if (h->event.p)
		return is_event(r, h);
	if (!is_frame_or_nothing(h->rest))
		return false;
	return h->has_time || h->has_cpu || h->has_period || script_header_is_thread(h, line);
}

/* The text ends within a header: what is certain is kept. */
static void cut_header(struct reader *r, struct pl_str line)
{
	struct sample *s = &r->sample;

	pl_parser_warn(&r->parser, "TRUNCATED_RECORD", "the text ends within a sample", line);
	s->cut = "truncated_record";
	if (s->one_line)
		chain_clear(&s->chain);
	if (s->one_line || !s->columns.payload.p)
		chain_add_unknown(&s->chain);
}

static int start_sample(struct reader *r, const struct script_header *h, struct pl_str line,
			uint64_t number)
{
	bool cut = line.n && !r->parser.m->in.line_ended;

	if (sample_end(&r->sample, &r->parser))
		return -1;
	r->after_comment = r->in_block = r->swallow = r->bare = false;
	/* "cycles:" may have been "cycles:u:" */
	/* without an event it is not even known what the sample weighs */
	if (cut && (h->event.p ? line.p[line.n - 1] == ':' : !r->eventless)) {
		refuse_cut(r, line);
		return 0;
	}
	r->headers |= script_header_is_certain(h);
	r->eventless |= h->event.p == NULL;
	sample_start(&r->sample, h, number);
	if (cut && !script_frame_is_whole(r->sample.columns.body))
		cut_header(r, line);
	return 0;
}

static int take_header(struct reader *r, struct script_header *h, struct pl_str line)
{
	uint64_t number = r->parser.m->in.line;
	struct pl_str record;

	if (join_pending(r, line, h))
		number = r->pending_line;
	else
		drop_pending(r, false);
	if (script_header_is_record(h, &record))
		return skip_record(r, record);
	return start_sample(r, h, line, number);
}

/* A sample without any field but, perhaps, a comm: the line before it. */
static int start_bare_sample(struct reader *r)
{
	struct script_header h = {0};
	uint64_t number = r->parser.m->in.line;

	if (r->has_pending && !r->after_comment) {
		struct pl_str line = pl_buf_str(&r->pending);
		if (!script_header_read(line, &h) || h.rest.n) {
			h = (struct script_header){0};
			if (!script_comm_read(line, &h.comm)) {
				drop_pending(r, false);
				r->swallow = true;
				return 0;
			}
		}
		number = r->pending_line;
		r->has_pending = false;
	}
	drop_pending(r, false);
	return start_sample(r, &h, PL_S(""), number);
}

/* ---- frames ---- */

/* A frame where no sample is open. */
static int start_with_frame(struct reader *r, struct pl_str line)
{
	if (r->swallow)
		return 0;
	if (r->headers) {
		if (!r->has_pending)
			refuse(r, line);
		drop_pending(r, false);
		r->swallow = true;
		return 0;
	}
	return start_bare_sample(r);
}

static int add_frame(struct reader *r, struct pl_str line, struct pl_str address,
		     struct pl_str body)
{
	struct sample *s = &r->sample;

	drop_pending(r, true);
	if (s->one_line && s->chain.depth == 1)
		sample_not_one_line(s, body);
	if (!r->parser.m->in.line_ended && !script_frame_is_whole(body)) {
		pl_parser_warn(&r->parser, "TRUNCATED_RECORD", "the text ends within a sample",
			       line);
		s->cut = "truncated_record";
		chain_add_unknown(&s->chain);
		return 0;
	}
	s->has_ip = true;
	chain_add(&s->chain, address, body);
	return 0;
}

static int take_frame(struct reader *r, struct pl_str line, struct pl_str address,
		      struct pl_str body)
{
	bool one_line = *line.p == ' ';

	if (!r->sample.open || (r->bare && one_line)) {
		if (start_with_frame(r, line))
			return -1;
		if (r->swallow)
			return 0;
		add_frame(r, line, address, body);
		r->bare = r->sample.one_line = one_line && !r->headers;
		return 0;
	}
	return add_frame(r, line, address, body);
}

/* What the frame before is annotated with. false: it is nothing of the kind. */
static bool take_annotation(struct reader *r, struct pl_str text)
{
	struct chain *chain = &r->sample.chain;
	struct pl_str file;
	uint64_t number;
	bool inlined = script_take_inlined(&text);

	if (script_source_read(text, &file, &number)) {
		if (file.p)
			chain_add_source(chain, file, number);
	} else if (!script_is_address_annotation(text)) {
		return !inlined &&
		       script_without_branches(text, &r->sample.columns.branches).n == 0;
	}
	if (inlined)
		chain_set_inlined(chain);
	return true;
}

/* A line that starts with a blank and is neither a frame nor a header. */
static void read_other(struct reader *r, struct pl_str line)
{
	bool cut = !r->parser.m->in.line_ended;

	if (r->sample.open && !cut && take_annotation(r, pl_str_trim(line)))
		return;
	if (!r->sample.open && r->swallow)
		return;
	if (cut && in_chain(r, true)) {
		drop_pending(r, true);
		pl_parser_warn(&r->parser, "TRUNCATED_RECORD", "the text ends within a sample",
			       line);
		r->sample.cut = "truncated_record";
		chain_add_unknown(&r->sample.chain);
	} else if (*line.p == '\t' && in_chain(r, true)) {
		drop_pending(r, true);
		keep_position(r, line);
	} else {
		set_pending(r, line);
	}
}

/* ---- lines ---- */

/* A thread may be called "# name". */
static bool is_no_comment(struct reader *r, const struct script_header *h)
{
	if (!h->comm.p || script_header_is_certain(h))
		return h->comm.p;
	if (!is_frame_or_nothing(h->rest))
		return false;
	return h->event.p ? sample_knows_event(&r->sample, h->event) : r->headers && h->has_period;
}

/* A line that starts with no blank. */
static int read_flush_left(struct reader *r, struct pl_str line)
{
	struct script_header h;
	struct pl_str record;
	bool found = script_header_read(line, &h);

	if (line.p[0] == '#' && !(found && is_no_comment(r, &h)))
		return read_comment(r, line);
	if (r->in_record && script_record_ends(line)) {
		r->in_record = false;
		return 0;
	}
	if (found && (script_header_is_record(&h, &record) || is_header(r, &h, line)))
		return take_header(r, &h, line);
	if (pl_str_starts(line, other_record)) {
		drop_pending(r, false);
		return skip_record(r, line);
	}
	if (join_lines(r, line, &h))
		return start_sample(r, &h, line, r->pending_line);
	set_pending(r, line);
	return 0;
}

/* A symbol starts with no digit: what is behind the number is another field. */
static bool is_symbol(struct pl_str body)
{
	return body.n && *body.p != '-' && !is_digit(*body.p) &&
	       !(*body.p == '[' && body.n > 1 && is_digit(body.p[1]));
}

/* A line that starts with a blank: a padded header, or below one. perf starts frames with a tab. */
static int read_indented(struct reader *r, struct pl_str line)
{
	const struct sample *s = &r->sample;
	struct pl_str text = pl_str_trim(line), address, body, record;
	bool frame = script_frame_split(text, &address, &body);
	struct script_header h;

	if (frame && *line.p == '\t')
		return take_frame(r, line, address, body);
	bool found = script_header_read(line, &h);
	bool certain = found && script_header_is_certain(&h);
	if (frame && is_symbol(body) && !certain && s->open && !s->one_line)
		return take_frame(r, line, address, body);
	if (found && (script_header_is_record(&h, &record) || is_header(r, &h, line)))
		return take_header(r, &h, line);
	if (script_header_read_comm(line, &h))
		return take_header(r, &h, line);
	if (frame && !r->in_block && (!s->open || !s->one_line || r->bare))
		return take_frame(r, line, address, body);
	read_other(r, line);
	return 0;
}

static int read_too_long(struct reader *r, struct pl_str line)
{
	static const char message[] = "the line is longer than --max-line-bytes";
	bool position = *line.p == '\t' && in_chain(r, true);

	drop_pending(r, position);
	if (position) {
		pl_parser_warn(&r->parser, "LINE_TOO_LONG", message, line);
		chain_add_unknown(&r->sample.chain);
		return 0;
	}
	pl_parser_malformed(&r->parser, "LINE_TOO_LONG", message, line);
	r->swallow = !r->sample.open;
	return 0;
}

static bool can_take_frame(const struct reader *r)
{
	return r->sample.open && !r->sample.one_line && !r->has_pending;
}

/* Frames up to the first line that is anything else: a sample's whole chain, most often. */
static size_t run_of_frames(void *context, struct pl_str rest, uint64_t *lines)
{
	struct reader *r = context;
	const char *p = rest.p, *end = rest.p + rest.n;

	while (can_take_frame(r) && p < end) {
		size_t most = (size_t)(end - p) < r->plain_max ? (size_t)(end - p) : r->plain_max;
		const char *lf = memchr(p, '\n', most);
		if (!lf)
			break;
		struct pl_str line = {p, (size_t)(lf - p)};
		struct pl_str address, body;
		if (pl_utf8_valid(line) != line.n ||
		    !script_frame_split_plain(line, &address, &body))
			break;
		r->sample.has_ip = true;
		chain_add(&r->sample.chain, address, body);
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
		drop_pending(r, false);
		r->swallow = false;
		return sample_end(&r->sample, &r->parser);
	}
	if (pl_transcript_line(&r->transcript, line)) {
		drop_pending(r, false);
		return 0;
	}
	return is_blank(*line.p) ? read_indented(r, line) : read_flush_left(r, line);
}

static int end_input(void *context)
{
	struct reader *r = context;

	drop_pending(r, false);
	if (sample_end(&r->sample, &r->parser))
		return -1;
	sample_put_fields(&r->sample, &r->parser);
	r->headers = r->eventless = r->bare = r->swallow = false;
	r->in_block = r->in_record = r->after_comment = false;
	if (pl_transcript_end(&r->transcript, &r->parser.err))
		return pl_err_at(&r->parser.err,
				 pl_in_name(&r->parser.m->in, r->parser.m->in.index), 0);
	return 0;
}

const struct pl_parser_grammar reader_grammar = {
	.line = read_line,
	.run = run_of_frames,
	.input_end = end_input,
	.none = N_("no line starts a sample of perf script"),
	.advice = N_("is this the output of perf script?"),
};
