/* pl-select: choose samples by event, process, thread, processor, time, mode and symbol */
#include "mem.h"
#include "num.h"
#include "samples.h"

enum choice { COMM, PID, TID, CPU, TIME, EVENT, MODE, SYMBOL, CHOICES };

static struct pl_list wanted[CHOICES];

static const struct pl_opt options[] = {
	{.name = "comm",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[COMM],
	 .argument = "NAME",
	 .help = N_("keep samples of this command")},
	{.name = "pid",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[PID],
	 .argument = "N",
	 .help = N_("keep samples of this process")},
	{.name = "tid",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[TID],
	 .argument = "N",
	 .help = N_("keep samples of this thread")},
	{.name = "cpu",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[CPU],
	 .argument = "N",
	 .help = N_("keep samples of this processor")},
	{.name = "time",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[TIME],
	 .argument = "FROM-TO",
	 .help = N_("keep samples from FROM to TO nanoseconds, both included; either may be "
		    "left out")},
	{.name = "event",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[EVENT],
	 .argument = "NAME",
	 .help = N_("keep samples of the events with this name")},
	{.name = "mode",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[MODE],
	 .argument = "MODE",
	 .help = N_("keep samples of this mode: user, kernel, guest, hypervisor")},
	{.name = "symbol",
	 .kind = PL_OPT_LIST,
	 .flags = PL_OPT_RECORDED,
	 .value = &wanted[SYMBOL],
	 .argument = "NAME",
	 .help = N_("keep samples whose stack holds a function of exactly this name")},
	{0},
};

static const struct pl_program program = {
	.name = "pl-select",
	.summary = N_("Choose samples: several values of one option are alternatives, different "
		      "options must all hold"),
	.synopsis = "[option...] [FILE]",
	.options = options,
	.flags = PL_PROGRAM_INPUT | PL_PROGRAM_OUTPUT | PL_PROGRAM_STREAMS | PL_PROGRAM_ONE_INPUT,
};

struct range {
	uint64_t from, to; /* nanoseconds, both included */
};

struct selection {
	struct pl_samples r;
	int64_t *numbers[CHOICES]; /* of PID, TID and CPU, as many as words */
	struct range *times;
	bool seen[CHOICES];  /* a sample had this member; an event or a frame this name */
	bool *events_wanted; /* by event id */
	size_t events_cap;
	bool *frames_wanted; /* by frame id */
	size_t frames_cap;
	struct sum {
		uint64_t samples, weight;
	} * rejected; /* by event id */
	size_t rejected_cap;
	uint64_t rejected_samples;
};

/* ---- the words of the command line ---- */

static int parse_numbers(struct selection *x, enum choice choice, struct pl_err *err)
{
	const struct pl_list *words = &wanted[choice];

	x->numbers[choice] = pl_alloc((words->n + 1) * sizeof(int64_t));
	for (size_t i = 0; i < words->n; i++)
		if (pl_num_i64(pl_str(words->v[i]), &x->numbers[choice][i]))
			return pl_err_set(err, PL_E_INVALID_INPUT,
					  _("--%s: '%s' is no whole number"), options[choice].name,
					  words->v[i]);
	return 0;
}

static bool parse_range(const char *word, struct range *range)
{
	const char *dash = strchr(word, '-');

	*range = (struct range){0, UINT64_MAX};
	if (!dash || strlen(word) == 1)
		return false;
	struct pl_str from = {word, (size_t)(dash - word)}, to = pl_str(dash + 1);
	return (from.n == 0 || pl_num_u64(from, &range->from) == PL_NUM_OK) &&
	       (to.n == 0 || pl_num_u64(to, &range->to) == PL_NUM_OK) && range->from <= range->to;
}

static int parse_times(struct selection *x, struct pl_err *err)
{
	const struct pl_list *words = &wanted[TIME];

	x->times = pl_alloc((words->n + 1) * sizeof *x->times);
	for (size_t i = 0; i < words->n; i++)
		if (!parse_range(words->v[i], &x->times[i]))
			return pl_err_set(err, PL_E_INVALID_INPUT,
					  _("--time: '%s' is no range FROM-TO of nanoseconds"),
					  words->v[i]);
	return 0;
}

static int parse_words(struct selection *x, struct pl_err *err)
{
	if (parse_numbers(x, PID, err) || parse_numbers(x, TID, err) || parse_numbers(x, CPU, err))
		return -1;
	return parse_times(x, err);
}

/* ---- does it hold? ---- */

static bool is_listed(enum choice choice, struct pl_str text)
{
	for (size_t i = 0; i < wanted[choice].n; i++)
		if (pl_str_is(text, wanted[choice].v[i]))
			return true;
	return false;
}

static bool text_holds(enum choice choice, struct pl_str text)
{
	return wanted[choice].n == 0 || (text.p && is_listed(choice, text));
}

static bool number_holds(const struct selection *x, enum choice choice, bool has, int64_t number)
{
	for (size_t i = 0; has && i < wanted[choice].n; i++)
		if (x->numbers[choice][i] == number)
			return true;
	return wanted[choice].n == 0;
}

static bool time_holds(const struct selection *x, const struct pl_sample *sample)
{
	for (size_t i = 0; sample->has_time && i < wanted[TIME].n; i++)
		if (x->times[i].from <= sample->time && sample->time <= x->times[i].to)
			return true;
	return wanted[TIME].n == 0;
}

static bool stack_holds(const struct selection *x, const struct pl_sample *sample)
{
	if (wanted[SYMBOL].n == 0)
		return true;
	for (size_t i = 0; i < sample->depth; i++)
		if (x->frames_wanted[sample->stack[i]])
			return true;
	return false;
}

static bool is_wanted(const struct selection *x, const struct pl_sample *s)
{
	return x->events_wanted[s->event] && text_holds(COMM, s->comm) &&
	       text_holds(MODE, s->mode) && number_holds(x, PID, s->has_pid, s->pid) &&
	       number_holds(x, TID, s->has_tid, s->tid) &&
	       number_holds(x, CPU, s->has_cpu, s->cpu) && time_holds(x, s) && stack_holds(x, s);
}

/* ---- what arrives ---- */

static void learn_event(struct selection *x)
{
	size_t id = x->r.event.id;
	bool listed = is_listed(EVENT, x->r.event.name);

	PL_GROW(x->events_wanted, id + 1, x->events_cap);
	PL_GROW(x->rejected, id + 1, x->rejected_cap);
	x->events_wanted[id] = listed || wanted[EVENT].n == 0;
	x->seen[EVENT] |= listed;
}

/* A function that was inlined at the frame's address is in the stack as well. */
static bool frame_is_listed(const struct pl_samples *r)
{
	const struct pl_json *json = pl_samples_frame_json(r);
	bool listed = is_listed(SYMBOL, r->frame.symbol);

	if (!r->frame.inlines)
		return listed;
	for (uint32_t t = r->frame.inlines + 1; t < json->tape[r->frame.inlines].next;
	     t = json->tape[t].next) {
		uint32_t symbol = pl_json_member(json, t, "symbol");
		listed |= symbol && is_listed(SYMBOL, pl_json_str(json, symbol));
	}
	return listed;
}

static void learn_frame(struct selection *x)
{
	size_t id = x->r.frame.id;

	PL_GROW(x->frames_wanted, id + 1, x->frames_cap);
	x->frames_wanted[id] = frame_is_listed(&x->r);
	x->seen[SYMBOL] |= x->frames_wanted[id];
}

static void see_members(struct selection *x)
{
	const struct pl_sample *s = &x->r.sample;

	x->seen[COMM] |= s->comm.p != NULL;
	x->seen[MODE] |= s->mode.p != NULL;
	x->seen[PID] |= s->has_pid;
	x->seen[TID] |= s->has_tid;
	x->seen[CPU] |= s->has_cpu;
	x->seen[TIME] |= s->has_time;
}

static void reject(struct selection *x)
{
	struct sum *sum = &x->rejected[x->r.sample.event];

	sum->samples++;
	sum->weight += x->r.sample.weight; /* fits: the reader has summed all of them */
	x->rejected_samples++;
}

/* ---- what is written ---- */

/* An object of the end record whose "samples" and "weight" are less by what was rejected. */
static int put_announced(struct pl_jsonw *w, struct pl_stream *s, uint32_t object, struct sum less)
{
	const struct pl_json_tok *tape = s->json.tape;

	pl_jsonw_begin(w, '{');
	for (uint32_t key = object + 1; key < tape[object].next; key = tape[key + 1].next) {
		struct pl_str name = pl_json_str(&s->json, key);
		bool samples = pl_str_is(name, "samples"), weight = pl_str_is(name, "weight");
		uint64_t minus = samples ? less.samples : less.weight;
		pl_jsonw_keys(w, name);
		if (!samples && !weight) {
			pl_jsonw_value(w, &s->json, key + 1);
			continue;
		}
		if (tape[key + 1].v.u < minus)
			return pl_stream_fail(s, _("more was rejected than is announced here"));
		pl_jsonw_u64(w, tape[key + 1].v.u - minus);
	}
	pl_jsonw_end(w, '}');
	return 0;
}

static int put_events(struct pl_jsonw *w, struct selection *x)
{
	struct pl_stream *s = &x->r.s;
	const struct pl_json_tok *tape = s->json.tape;
	uint32_t events = x->r.end.events;

	pl_jsonw_begin(w, '[');
	for (uint32_t t = events + 1; t < tape[events].next; t = tape[t].next) {
		uint64_t id = tape[pl_json_member(&s->json, t, "id")].v.u;
		struct sum none = {0};
		if (put_announced(w, s, t, id < x->r.sums_n ? x->rejected[id] : none))
			return -1;
	}
	pl_jsonw_end(w, ']');
	return 0;
}

/* The end record: it announces what arrived announced, less what was rejected here. */
static int put_end(struct pl_main *m, struct selection *x)
{
	struct pl_jsonw w = {&m->out.buf, false};
	const struct pl_json *json = &x->r.s.json;

	pl_jsonw_begin(&w, '{');
	for (uint32_t key = 1; key < json->n; key = json->tape[key + 1].next) {
		struct pl_str name = pl_json_str(json, key);
		pl_jsonw_keys(&w, name);
		if (pl_str_is(name, "samples"))
			pl_jsonw_u64(&w, x->r.end.samples - x->rejected_samples);
		else if (!pl_str_is(name, "events"))
			pl_jsonw_value(&w, json, key + 1);
		else if (put_events(&w, x))
			return -1;
	}
	pl_jsonw_record_end(&w);
	return 0;
}

static void note_unseen(const struct pl_main *m, const struct selection *x)
{
	for (enum choice c = 0; c < CHOICES; c++) {
		if (wanted[c].n == 0 || x->seen[c])
			continue;
		if (c == EVENT)
			pl_note(m, _("no event has the name asked for by --event"));
		else if (c == SYMBOL)
			pl_note(m, _("no function has the name asked for by --symbol"));
		else
			pl_note(m, _("no sample says what --%s asks for: none is selected"),
				options[c].name);
	}
}

/* One record; 0 or -1 with the reader's error filled. */
static int take(struct pl_main *m, struct selection *x, enum pl_samples_kind kind)
{
	struct pl_samples *r = &x->r;

	switch (kind) {
	case PL_SAMPLES_SAMPLE:
		see_members(x);
		if (!is_wanted(x, &r->sample))
			reject(x);
		else
			pl_stream_pass(&r->s, &m->out.buf);
		return 0;
	case PL_SAMPLES_FRAME:
	case PL_SAMPLES_MODULE:
		if (kind == PL_SAMPLES_FRAME && wanted[SYMBOL].n)
			learn_frame(x);
		/* frames of a self-contained sample are no lines of the stream */
		if (!pl_stream_is(&r->s, "sample"))
			pl_stream_pass(&r->s, &m->out.buf);
		return 0;
	case PL_SAMPLES_EVENT:
		learn_event(x);
		pl_stream_pass(&r->s, &m->out.buf);
		return 0;
	case PL_SAMPLES_DONE:
		return put_end(m, x);
	case PL_SAMPLES_ERROR:
		return -1;
	default:
		pl_stream_pass(&r->s, &m->out.buf);
		return 0;
	}
}

static void free_selection(struct selection *x)
{
	pl_samples_close(&x->r);
	for (enum choice c = 0; c < CHOICES; c++)
		free(x->numbers[c]);
	free(x->times);
	free(x->events_wanted);
	free(x->frames_wanted);
	free(x->rejected);
}

int main(int argc, char **argv)
{
	struct pl_main m;
	struct selection x = {0};
	struct pl_err err = {0};
	enum pl_samples_kind kind;

	pl_start(&m, &program, argc, argv);
	if (parse_words(&x, &err))
		pl_fail(&m, &err);
	pl_open(&m);
	if (pl_in_next(&m.in) < 0)
		pl_fail(&m, &m.in.err);
	if (pl_samples_open(&x.r, &m.in))
		pl_fail(&m, &x.r.s.err);
	pl_stream_pass_header(&x.r.s, &m);
	do {
		kind = pl_samples_next(&x.r);
		if (take(&m, &x, kind))
			pl_fail(&m, &x.r.s.err);
		if (pl_out_poll(&m.out))
			pl_fail(&m, &m.out.err);
	} while (kind != PL_SAMPLES_DONE);
	note_unseen(&m, &x);
	free_selection(&x);
	return pl_finish(&m, PL_EXIT_DONE);
}
