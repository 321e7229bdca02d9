/*
 * intake: the hot path. For each frame of a sample two counters are touched: the frame's
 * (occurrences, self) and, once a sample, its key's (inclusive). What depends on frames only is
 * folded into the keys at the stream's end.
 */
#include "intake.h"
#include "fold.h"
#include "limits.h"
#include "mem.h"
#include "num.h"
#include "text.h"

#include <inttypes.h>

/* An event of the stream. */
struct stream_event {
	struct tally *tally; /* NULL: not wanted */
	struct frame_sum *frames;
	size_t frames_cap;
	uint64_t lost;
	uint64_t tids; /* see is_new_tid() */
	uint32_t recent[2];
};

struct intake {
	struct profile *p;
	struct frames frames;
	struct stream_event *events;
	size_t events_n, events_cap;
	uint64_t cells;	 /* frames times events: what this stream's sums take room for */
	uint64_t stream; /* number of this one */
	uint64_t lost;	 /* without an event: any may have lost them */
	uint64_t stamp;	 /* number of the current sample */
	uint32_t *path;	 /* keys of the current sample */
	size_t path_n, path_cap;
	/* distinct tids: (event, key or none, tid) */
	struct pl_intern tids, seen_tids;
	/* key of the thread, for --group-by comm and tid */
	struct pl_buf thread;
};

enum {
	AHEAD = 8,
	TID_BITS = 64,
	STACK_MAX = 1 << 20 /* functions: a stream's line holds more frames, and a frame many
			       inlined ones */
};

static int fail(struct profile *p, const struct pl_samples *r)
{
	p->err = r->s.err;
	return -1;
}

/*
 * Is the thread new with this event and key (PL_INTERN_NONE: with the event at all)? The bits and
 * the last two threads beside the counters save most look-ups of (event, key, tid): programs have
 * few threads, or their samples come in runs, one for each of some processors.
 */
static inline bool is_new_tid(struct intake *in, uint64_t *bits, uint32_t recent[2], uint32_t event,
			      uint32_t key, uint32_t tid)
{
	if (tid < TID_BITS) {
		bool new = !(*bits >> tid & 1);
		*bits |= 1ull << tid;
		return new;
	}
	if (recent[0] == tid + 1 || recent[1] == tid + 1)
		return false;
	recent[1] = recent[0];
	recent[0] = tid + 1;
	const uint32_t triple[] = {event, key, tid};
	size_t before = in->seen_tids.n;
	return pl_intern(&in->seen_tids, triple, sizeof triple) == before;
}

/* Counts the sample with a key, once. */
static void visit_key(struct intake *in, const struct pl_sample *s, struct tally *t, uint32_t key,
		      uint32_t tid)
{
	struct key_hot *hot = &t->hot[key];

	if (hot->stamp == in->stamp)
		return;
	hot->stamp = in->stamp;
	hot->inclusive += s->weight;
	hot->samples++;
	if (tid != PL_INTERN_NONE)
		t->keys[key].threads += is_new_tid(in, &hot->tids, hot->recent, s->event, key, tid);
}

/* The counters of a frame some positions on: they are scattered, and waiting for them would cost
 * more than adding. */
static inline void fetch_frame(const struct frames *f, const struct stream_event *e, uint32_t frame)
{
	uint32_t key = f->key[frame];

	__builtin_prefetch(&e->frames[frame], 1);
	if (key != PL_INTERN_NONE)
		__builtin_prefetch(&e->tally->hot[key], 1);
}

static void visit_frames(struct intake *in, const struct pl_sample *s, struct stream_event *e,
			 uint32_t tid)
{
	const struct frames *f = &in->frames;
	uint32_t *path = in->path;

	for (size_t i = 0; i < s->depth; i++) {
		uint32_t frame = s->stack[i], key = f->key[frame];
		if (i + AHEAD < s->depth)
			fetch_frame(f, e, s->stack[i + AHEAD]);
		e->frames[frame].occurrences++;
		if (key != PL_INTERN_NONE) {
			visit_key(in, s, e->tally, key, tid);
			*path++ = key;
			continue;
		}
		const struct frame_info *info = &f->info[frame];
		for (uint32_t k = 0; k < info->n; k++) {
			key = f->places[info->first + k].key;
			visit_key(in, s, e->tally, key, tid);
			*path++ = key;
		}
	}
	in->path_n = (size_t)(path - in->path);
}

/* How many keys the stack has, inlined functions included: room for them is made first. */
static int make_room(struct intake *in, const struct pl_sample *s, struct stream_event *e)
{
	const struct frames *f = &in->frames;
	size_t n = s->depth;

	for (size_t i = 0; f->places_n > f->n && i < s->depth; i++)
		n += f->info[s->stack[i]].n - 1;
	if (n > STACK_MAX) {
		pl_err_set(&in->p->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			   _("a stack of %zu functions, those that were inlined included"), n);
		return pl_err_action(&in->p->err, _("no more than %d can be summed"), STACK_MAX);
	}
	PL_GROW(in->path, n + 1, in->path_cap);
	size_t before = e->frames_cap;
	if (f->n > before && in->cells + (f->n - before) > in->p->max_cells)
		return profile_too_many_cells(in->p, in->events_n, f->n);
	PL_GROW(e->frames, f->n, e->frames_cap);
	in->cells += e->frames_cap - before;
	return tally_make_room(in->p, e->tally);
}

/* --group-by comm, tid: the whole sample belongs to its thread's key. */
static int visit_thread(struct intake *in, const struct pl_sample *s, struct stream_event *e,
			uint32_t tid, bool idle)
{
	struct profile *p = in->p;
	struct pl_buf *name = &in->thread;

	pl_buf_clear(name);
	p->grouped |= p->group_by == BY_COMM ? s->comm.p != NULL : s->has_tid;
	if (p->group_by == BY_COMM && s->comm.p)
		pl_buf_adds(name, s->comm);
	else if (p->group_by == BY_TID && s->has_tid)
		pl_buf_printf(name, "%" PRId64, s->tid);
	else
		pl_buf_addz(name, "unknown");
	uint32_t key = profile_key(p, pl_buf_str(name), (struct pl_str){NULL, 0});
	if (tally_make_room(p, e->tally))
		return -1;
	struct key_sum *sum = &e->tally->keys[key];
	visit_key(in, s, e->tally, key, tid);
	sum->self += s->weight;
	sum->self_samples++;
	sum->occurrences++;
	sum->idle += idle ? s->weight : 0;
	sum->kind = NO_STRING;
	tally_add_detail(p, e->tally,
			 &(struct detail){.key = key,
					  .kind = DETAIL_VARIANT,
					  .a = profile_string(p, pl_buf_str(name)),
					  .b = NO_STRING},
			 0);
	in->path[0] = key;
	in->path_n = 1;
	for (size_t i = 0; i < s->depth; i++)
		e->frames[s->stack[i]].occurrences++;
	return 0;
}

static enum mode sample_mode(const struct pl_sample *s, const struct frame_info *leaf)
{
	if (!s->mode.p)
		return leaf->mode;
	return mode_of(s->mode);
}

static void add_leaf(struct intake *in, const struct pl_sample *s, struct stream_event *e,
		     bool idle)
{
	struct tally *t = e->tally;
	uint32_t frame = s->stack[s->depth - 1];
	const struct frame_info *leaf = &in->frames.info[frame];
	enum mode mode = sample_mode(s, leaf);
	struct frame_sum *sum = &e->frames[frame];

	sum->self += s->weight;
	sum->self_samples++;
	sum->idle += idle ? s->weight : 0;
	if (leaf->unresolved)
		t->unresolved[mode] += s->weight;
	if (mode != MODE_OTHER)
		t->known_mode_weight += s->weight;
	if (s->depth > 1 || leaf->n > 1)
		t->multi_frame_weight += s->weight;
}

/* The names of the heaviest sample's frames: what a warning about it shows. */
static void keep_largest(struct intake *in, const struct pl_sample *s, struct tally *t)
{
	enum { SHOWN = 256 };
	const struct frames *f = &in->frames;

	t->largest = s->weight;
	pl_buf_clear(&t->largest_stack);
	for (size_t i = 0; i < s->depth && t->largest_stack.n < SHOWN; i++) {
		const struct place *place = &f->places[f->info[s->stack[i]].first];
		if (i)
			pl_buf_addc(&t->largest_stack, ';');
		pl_buf_adds(&t->largest_stack, profile_text(in->p, place->variant));
	}
}

static int add_sample(struct intake *in, const struct pl_sample *s)
{
	struct stream_event *e = &in->events[s->event];
	struct tally *t = e->tally;

	if (!t)
		return 0;
	in->stamp++;
	t->samples++;
	if (!pl_num_add(&t->weight, s->weight)) {
		in->p->overflow = true;
		return profile_check_overflow(in->p);
	}
	t->squares += (unsigned __int128)s->weight * s->weight;
	t->cut_weight += s->cut.p ? s->weight : 0;
	if (s->weight > t->largest)
		keep_largest(in, s, t);
	uint32_t tid = s->has_tid ? pl_intern(&in->tids, &s->tid, sizeof s->tid)
				  : (uint32_t)PL_INTERN_NONE;
	if (s->has_tid)
		t->threads += is_new_tid(in, &e->tids, e->recent, s->event, PL_INTERN_NONE, tid);
	bool swapper =
		s->comm.p && (pl_str_is(s->comm, "swapper") || pl_str_starts(s->comm, "swapper/"));
	bool idle = swapper || (s->depth && in->frames.info[s->stack[s->depth - 1]].idle);
	t->idle_weight += idle ? s->weight : 0;
	if (s->depth == 0) {
		t->stackless += s->weight;
		return 0;
	}
	int status = make_room(in, s, e);
	if (status)
		return -1;
	if (in->p->group_by == BY_COMM || in->p->group_by == BY_TID)
		status = visit_thread(in, s, e, tid, idle);
	else
		visit_frames(in, s, e, tid);
	if (status)
		return -1;
	add_leaf(in, s, e, idle);
	return in->p->paths_kept ? tally_add_path(in->p, t, in->path, in->path_n, s->weight, 1) : 0;
}

/* The next stream's threads have numbers of their own. */
static void forget_tids(struct key_hot *hot)
{
	hot->tids = 0;
	hot->recent[0] = hot->recent[1] = 0;
}

static void fold(struct intake *in)
{
	for (size_t i = 0; i < in->events_n; i++) {
		struct stream_event *e = &in->events[i];
		for (size_t frame = 0; e->tally && frame < in->frames.n && frame < e->frames_cap;
		     frame++)
			if (e->frames[frame].occurrences)
				fold_frame(&in->frames, e->tally, frame, &e->frames[frame]);
		for (size_t key = 0; e->tally && key < e->tally->hot_cap; key++)
			forget_tids(&e->tally->hot[key]);
	}
}

static void fold_ends(struct intake *in, const struct pl_samples *r)
{
	struct profile *p = in->p;
	uint64_t told = in->lost;

	for (size_t i = 0; i < in->events_n; i++)
		told += in->events[i].lost;
	/* lost records that a filter in between dropped are still counted in the end record */
	if (r->end.lost > told)
		in->lost += r->end.lost - told;
	for (size_t i = 0; i < in->events_n; i++) {
		struct tally *t = in->events[i].tally;
		if (!t)
			continue;
		profile_add(p, &t->lost, in->events[i].lost);
		profile_add(p, &t->lost, in->lost);
		profile_add(p, &t->announced, r->sums[i].announced_samples);
		profile_add(p, &t->received, r->sums[i].samples);
	}
	profile_add(p, &p->malformed, r->end.malformed);
	profile_add(p, &p->skipped, r->end.skipped);
	profile_add(p, &p->replaced, r->end.replaced);
}

static int add_event(struct intake *in, struct pl_samples *r)
{
	struct tally *tally = profile_tally(in->p, &r->event);

	PL_GROW(in->events, in->events_n + 1, in->events_cap);
	in->events[in->events_n++] = (struct stream_event){.tally = tally};
	if (!tally || tally->stream != in->stream) {
		if (tally)
			tally->stream = in->stream;
		return 0;
	}
	pl_stream_fail(&r->s, _("the event was defined before, with another id"));
	return fail(in->p, r);
}

static int add_frame(struct intake *in, struct pl_samples *r, uint64_t max_frames)
{
	const char *wrong = frames_add(&in->frames, &r->frame, pl_samples_frame_json(r));

	if (wrong) {
		pl_stream_fail(&r->s, "frame: %s", wrong);
		return fail(in->p, r);
	}
	if (in->frames.n <= max_frames && in->p->keys.n <= max_frames)
		return 0;
	pl_limit_exceeded(&in->p->err, PL_LIMIT_UNIQUE_FRAMES, max_frames);
	return pl_err_at(&in->p->err, pl_in_name(r->s.in, r->s.in->index), r->s.in->line);
}

static int add_diagnostic(struct intake *in, struct sources *sources, struct pl_samples *r)
{
	char message[256];
	const char *wrong = sources_add_diagnostic(sources, &r->s.json, message);

	if (!wrong)
		return 0;
	pl_stream_fail(&r->s, "diagnostic: %s", wrong);
	return fail(in->p, r);
}

static void add_lost(struct intake *in, const struct pl_lost *lost)
{
	if (lost->has_event && lost->event < in->events_n)
		profile_add(in->p, &in->events[lost->event].lost, lost->count);
	else
		profile_add(in->p, &in->lost, lost->count);
}

static int check_records(struct intake *in, const struct pl_samples *r, uint64_t max_records)
{
	if (in->p->received + r->received <= max_records)
		return 0;
	pl_limit_exceeded(&in->p->err, PL_LIMIT_RECORDS, max_records);
	return pl_err_at(&in->p->err, pl_in_name(r->s.in, r->s.in->index), r->s.in->line);
}

static int read_records(struct intake *in, struct sources *sources, struct pl_samples *r,
			uint64_t max_records, uint64_t max_frames)
{
	for (;;) {
		int status = 0;
		switch (pl_samples_next(r)) {
		case PL_SAMPLES_SAMPLE:
			status = add_sample(in, &r->sample) || check_records(in, r, max_records);
			break;
		case PL_SAMPLES_FRAME:
			status = add_frame(in, r, max_frames);
			break;
		case PL_SAMPLES_MODULE:
			frames_add_module(&in->frames, &r->module);
			break;
		case PL_SAMPLES_EVENT:
			status = add_event(in, r);
			break;
		case PL_SAMPLES_LOST:
			add_lost(in, &r->lost);
			break;
		case PL_SAMPLES_DIAGNOSTIC:
			status = add_diagnostic(in, sources, r);
			break;
		case PL_SAMPLES_DONE:
			return 0;
		case PL_SAMPLES_OTHER:
			break;
		default:
			return fail(in->p, r);
		}
		if (status)
			return -1;
	}
}

static void intake_free(struct intake *in)
{
	for (size_t i = 0; i < in->events_n; i++)
		free(in->events[i].frames);
	free(in->events);
	free(in->path);
	frames_free(&in->frames);
	pl_intern_free(&in->tids);
	pl_intern_free(&in->seen_tids);
	pl_buf_free(&in->thread);
}

int intake_read(struct profile *p, struct sources *sources, struct pl_samples *r,
		uint64_t max_records, uint64_t max_frames)
{
	struct intake in = {.p = p, .stamp = p->stamp, .stream = ++p->streams};

	frames_start(&in.frames, p);
	pl_intern_init(&in.tids);
	pl_intern_init(&in.seen_tids);
	sources_begin(sources);
	int status = read_records(&in, sources, r, max_records, max_frames);
	if (status == 0) {
		fold(&in);
		fold_ends(&in, r);
		sources_end(sources, &r->s, &r->s.json, r->end.inputs, r->end.diagnostics);
		p->stamp = in.stamp;
		p->received += r->received;
		status = profile_check_overflow(p);
	}
	intake_free(&in);
	return status;
}
