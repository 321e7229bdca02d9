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
	struct threads_seen threads;
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
	struct pl_intern tids;
	/* blocks of threads that are not at hand: see is_new_tid() */
	struct pl_intern blocks;
	uint64_t *block_bits; /* by number of the block */
	size_t blocks_cap;
	/* key of the thread, for --group-by comm and tid */
	struct pl_buf thread;
};

enum {
	AHEAD = 32,
	THREADS_BLOCK = 64,
	STACK_MAX = 1 << 20 /* functions: a stream's line holds more frames, and a frame many
			       inlined ones */
};

static int fail(struct profile *p, const struct pl_samples *r)
{
	p->err = r->s.err;
	return -1;
}

/* The bits of a block of threads with an event and a key. */
static uint64_t *stored_bits(struct intake *in, uint32_t event, uint32_t key, uint32_t block)
{
	const uint32_t triple[] = {event, key, block};
	uint32_t at = pl_intern(&in->blocks, triple, sizeof triple);

	PL_GROW(in->block_bits, in->blocks.n, in->blocks_cap);
	return &in->block_bits[at];
}

/* Not inlined: it is rare. */
static __attribute__((noinline)) void fetch_block(struct intake *in, struct threads_seen *seen,
						  uint32_t event, uint32_t key, uint32_t block)
{
	struct threads_seen was = *seen;

	if (was.block[1] == block + 1) {
		*seen = (struct threads_seen){{was.bits[1], was.bits[0]},
					      {was.block[1], was.block[0]}};
		return;
	}
	if (was.block[1])
		*stored_bits(in, event, key, was.block[1] - 1) = was.bits[1];
	*seen = (struct threads_seen){{*stored_bits(in, event, key, block), was.bits[0]},
				      {block + 1, was.block[0]}};
}

/*
 * Is the thread new with this event and key (PL_INTERN_NONE: with the event at all)? Threads have
 * numbers in the order of their coming, and those that run at one time came at one time, but for a
 * few that run all the time: two blocks of 64 beside the counters save nearly all look-ups.
 */
static inline bool is_new_tid(struct intake *in, struct threads_seen *seen, uint32_t event,
			      uint32_t key, uint32_t tid)
{
	uint32_t block = tid / THREADS_BLOCK;

	if (seen->block[0] != block + 1)
		fetch_block(in, seen, event, key, block);
	uint64_t bit = 1ull << tid % THREADS_BLOCK;
	bool new = !(seen->bits[0] & bit);
	seen->bits[0] |= bit;
	return new;
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
		t->keys[key].threads += is_new_tid(in, &hot->threads, s->event, key, tid);
}

/* The counters of a stretch of frames, all at once: they are scattered, and waiting for one after
 * the other would cost more than adding. */
static void fetch_frames(const struct frames *f, const struct stream_event *e,
			 const uint32_t *frames, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		__builtin_prefetch(&f->key[frames[i]]);
		__builtin_prefetch(&e->frames[frames[i]], 1);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t key = f->key[frames[i]];
		if (key != PL_INTERN_NONE)
			__builtin_prefetch(&e->tally->hot[key], 1);
	}
}

static void visit_frames(struct intake *in, const struct pl_sample *s, struct stream_event *e,
			 uint32_t tid)
{
	const struct frames *f = &in->frames;
	uint32_t *path = in->path;
	bool nameless = false;

	for (size_t i = 0; i < s->depth; i++) {
		if (i % AHEAD == 0)
			fetch_frames(f, e, s->stack + i,
				     s->depth - i < AHEAD ? s->depth - i : AHEAD);
		uint32_t frame = s->stack[i], key = f->key[frame];
		e->frames[frame].occurrences++;
		nameless |= f->nameless[frame] && i + 1 < s->depth;
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
	e->tally->unresolved_callers += nameless ? s->weight : 0;
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
		t->threads += is_new_tid(in, &e->threads, s->event, PL_INTERN_NONE, tid);
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

static void fold(struct intake *in)
{
	for (size_t i = 0; i < in->events_n; i++) {
		struct stream_event *e = &in->events[i];
		for (size_t frame = 0; e->tally && frame < in->frames.n && frame < e->frames_cap;
		     frame++)
			if (e->frames[frame].occurrences)
				fold_frame(&in->frames, e->tally, frame, &e->frames[frame]);
		for (size_t key = 0; e->tally && key < e->tally->hot_cap; key++)
			/* the next stream's threads have numbers of their own */
			e->tally->hot[key].threads = (struct threads_seen){0};
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
	pl_intern_free(&in->blocks);
	free(in->block_bits);
	pl_buf_free(&in->thread);
}

int intake_read(struct profile *p, struct sources *sources, struct pl_samples *r,
		uint64_t max_records, uint64_t max_frames)
{
	struct intake in = {.p = p, .stamp = p->stamp, .stream = ++p->streams};

	frames_start(&in.frames, p);
	pl_intern_init(&in.tids);
	pl_intern_init(&in.blocks);
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
