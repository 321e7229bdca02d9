/* sample: what was read of one record, put together */
#include "sample.h"
#include "event.h"

void sample_init(struct sample *s, const struct chain_options *options, uint64_t kernel_max_stack)
{
	memset(s, 0, sizeof *s);
	s->kernel_max_stack = kernel_max_stack;
	chain_start(&s->chain, options);
	pl_intern_init(&s->events);
}

void sample_free(struct sample *s)
{
	chain_free(&s->chain);
	pl_intern_free(&s->events);
	pl_buf_free(&s->head);
	pl_buf_free(&s->first);
}

/* ---- its start ---- */

/* Copies what must outlive the line. */
static struct pl_str hold(struct pl_buf *head, struct pl_str s, size_t *at)
{
	if (!s.p)
		return s;
	*at = head->n;
	pl_buf_adds(head, s);
	return (struct pl_str){"", s.n};
}

static void hold_texts(struct sample *s)
{
	struct script_header *h = &s->header;
	struct pl_str *texts[] = {&h->comm, &h->event, &h->misc, &s->columns.payload};
	size_t at[PL_COUNT(texts)] = {0};

	pl_buf_clear(&s->head);
	for (size_t i = 0; i < PL_COUNT(texts); i++)
		*texts[i] = hold(&s->head, *texts[i], &at[i]);
	for (size_t i = 0; i < PL_COUNT(texts); i++)
		if (texts[i]->p)
			texts[i]->p = s->head.p + at[i];
	h->rest = (struct pl_str){NULL, 0};
}

void sample_start(struct sample *s, const struct script_header *header, uint64_t line)
{
	bool tracepoint =
		header->event.p && pl_str_is(pl_event_source(header->event), "tracepoint");

	s->open = true;
	s->cut = NULL;
	s->line = line;
	s->header = *header;
	s->columns = script_columns_read(header->rest, tracepoint);
	s->one_line = s->has_ip = s->columns.address.p != NULL;
	chain_clear(&s->chain);
	pl_buf_clear(&s->first);
	if (s->one_line) {
		chain_add(&s->chain, s->columns.address, s->columns.body);
		pl_buf_adds(&s->first, s->columns.body);
	}
	hold_texts(s);
}

void sample_not_one_line(struct sample *s, struct pl_str body)
{
	bool again = pl_str_eq(pl_buf_str(&s->first), body);

	s->one_line = false;
	chain_clear(&s->chain);
	if (again)
		return;
	/* the numbers shift by one */
	s->columns.weight |= s->columns.data_source || s->columns.addr;
	s->columns.addr |= !s->columns.data_source;
}

/* ---- its end ---- */

/* An event with periods and one without are two. */
static struct pl_str event_key(struct sample *s, struct pl_str name, bool periods)
{
	struct pl_buf *key = &s->chain.key;

	pl_buf_clear(key);
	pl_buf_adds(key, name);
	pl_buf_addc(key, periods ? 'p' : 'c');
	return pl_buf_str(key);
}

bool sample_knows_event(struct sample *s, struct pl_str event)
{
	for (int periods = 0; periods < 2; periods++) {
		struct pl_str key = event_key(s, event, periods);
		if (pl_intern_find(&s->events, key.p, key.n) != PL_INTERN_NONE)
			return true;
	}
	return false;
}

static uint32_t event_of(struct sample *s, struct pl_parser *p)
{
	const struct script_header *h = &s->header;
	struct pl_str name = h->event.p ? h->event : PL_S("unknown");
	struct pl_str key = event_key(s, name, h->has_period);
	uint32_t before = (uint32_t)s->events.n, id = pl_intern(&s->events, key.p, key.n);
	if (id < before)
		return id;
	struct pl_event event = {
		.name = name,
		.unit = h->event.p ? pl_event_unit(name) : PL_S("unknown"),
		.weight_source = h->has_period ? PL_S("period") : PL_S("count"),
		.source = pl_event_source(name),
	};
	return pl_parser_event(p, &event);
}

/*
 * The letters of misc as the stream's word. perf tests each mode's bits for themselves, and 3 (the
 * hypervisor) and 5 (a guest's user) are made of those of others: "KUH", "KGg".
 */
static struct pl_str mode_of(struct pl_str misc)
{
	static const struct {
		char letter;
		const char *mode;
	} modes[] = {{'H', "hypervisor"},
		     {'g', "guest"},
		     {'G', "guest"},
		     {'U', "user"},
		     {'K', "kernel"}};

	for (size_t i = 0; i < PL_COUNT(modes) && misc.n; i++)
		if (memchr(misc.p, modes[i].letter, misc.n))
			return pl_str(modes[i].mode);
	return (struct pl_str){NULL, 0};
}

static void note_fields(struct sample *s)
{
	const struct script_header *h = &s->header;
	const bool there[SAMPLE_FIELDS] = {
		[SAMPLE_COMM] = h->comm.p,
		[SAMPLE_PID] = h->has_pid,
		[SAMPLE_TID] = h->has_tid,
		[SAMPLE_CPU] = h->has_cpu,
		[SAMPLE_MISC] = h->misc.p,
		[SAMPLE_TIME] = h->has_time,
		[SAMPLE_PERIOD] = h->has_period,
		[SAMPLE_EVENT] = h->event.p,
		[SAMPLE_ADDR] = s->columns.addr,
		[SAMPLE_DATA_SRC] = s->columns.data_source,
		[SAMPLE_WEIGHT] = s->columns.weight,
		[SAMPLE_IP] = s->has_ip,
		[SAMPLE_SYM] = s->chain.has_symbol,
		[SAMPLE_SYMOFF] = s->chain.has_offset,
		[SAMPLE_DSO] = s->chain.has_dso,
		[SAMPLE_SRCLINE] = s->chain.has_source,
		[SAMPLE_TRACE] = s->columns.payload.p,
		[SAMPLE_BRSTACK] = s->columns.branches,
	};

	for (size_t i = 0; i < SAMPLE_FIELDS; i++)
		s->fields[i] += there[i];
}

void sample_put_fields(struct sample *s, struct pl_parser *p)
{
	static const char *const names[SAMPLE_FIELDS] = {
		[SAMPLE_COMM] = "comm",	    [SAMPLE_PID] = "pid",
		[SAMPLE_TID] = "tid",	    [SAMPLE_CPU] = "cpu",
		[SAMPLE_MISC] = "misc",	    [SAMPLE_TIME] = "time",
		[SAMPLE_PERIOD] = "period", [SAMPLE_EVENT] = "event",
		[SAMPLE_ADDR] = "addr",	    [SAMPLE_DATA_SRC] = "data_src",
		[SAMPLE_WEIGHT] = "weight", [SAMPLE_IP] = "ip",
		[SAMPLE_SYM] = "sym",	    [SAMPLE_SYMOFF] = "symoff",
		[SAMPLE_DSO] = "dso",	    [SAMPLE_SRCLINE] = "srcline",
		[SAMPLE_TRACE] = "trace",   [SAMPLE_BRSTACK] = "brstack",
	};

	for (size_t i = 0; i < SAMPLE_FIELDS; i++) {
		if (s->fields[i])
			pl_parser_field(p, names[i], s->fields[i]);
		s->fields[i] = 0;
	}
}

static struct pl_sample record_of(const struct sample *s)
{
	const struct script_header *h = &s->header;
	const char *cut = s->cut;

	if (!cut && s->chain.depth - s->chain.inlined >= s->kernel_max_stack)
		cut = "truncated_stack";
	return (struct pl_sample){
		.weight = h->has_period ? h->period : 1,
		.stack = s->chain.ids,
		.depth = s->chain.depth,
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
		.payload = s->columns.payload,
		.cut = pl_str(cut),
	};
}

/* Chains that say less than they should; counted, not kept: they are the recording's, not the
 * text's. */
static void note_chain(const struct sample *s, struct pl_parser *p, struct pl_str cut)
{
	if (s->chain.depth == 0)
		pl_diag_count(&p->diag, "EMPTY_CHAIN", 1);
	if (pl_str_is(cut, "truncated_stack"))
		pl_diag_count(&p->diag, "TRUNCATED_STACK", 1);
	if (s->chain.suspects)
		pl_diag_count(&p->diag, "SUSPECT_CALLER", s->chain.suspects);
}

int sample_end(struct sample *s, struct pl_parser *p)
{
	if (!s->open)
		return 0;
	s->open = false;
	if (s->chain.too_deep) {
		uint64_t here = p->m->in.line;
		p->m->in.line = s->line;
		pl_parser_malformed(p, "STACK_TOO_DEEP",
				    "the stack is deeper than --max-stack-depth",
				    pl_buf_str(&s->head));
		p->m->in.line = here;
		return 0;
	}
	uint32_t event = event_of(s, p);
	chain_define(&s->chain, &p->m->out.buf);
	p->frames = s->chain.frames.n;
	p->modules = s->chain.modules.n;
	struct pl_sample record = record_of(s);
	record.event = event;
	note_fields(s);
	note_chain(s, p, record.cut);
	return pl_parser_sample(p, &record);
}
