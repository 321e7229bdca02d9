/* partial-read: adds partial sums to a profile; foreign bytes, so each sum is checked */
#include "ids.h"
#include "limits.h"
#include "mem.h"
#include "num.h"
#include "partial-records.h"
#include "partial.h"
#include "text.h"

#include <inttypes.h>

/* An event of the stream: its tally (NULL: not wanted) and what its rows have added up to. */
struct event_sums {
	struct tally *tally;
	uint64_t samples, weight, stackless, self, paths;
};

struct reader {
	struct profile *p;
	struct sources *sources;
	struct pl_stream s;
	bool paths; /* the stream has them */
	struct event_sums *events;
	size_t events_n, events_cap;
	struct key_of {
		uint32_t key, event;
	} * keys; /* by number in the stream */
	size_t keys_n, keys_cap;
	uint32_t *path;
	size_t path_cap;
	uint64_t paths_n;
	uint64_t max_keys;
};

static int read_object(struct reader *r, const struct pl_record *record, uint32_t object, void *out,
		       size_t size)
{
	char message[256];

	memset(out, 0, size);
	const char *wrong = pl_record_read(record, &r->s.json, object, out, message);
	return wrong ? pl_stream_fail(&r->s, "%s: %s", record->type, wrong) : 0;
}

static struct event_sums *find_event(struct reader *r, uint32_t event)
{
	if (event < r->events_n)
		return &r->events[event];
	pl_stream_fail(&r->s, _("the record names event %" PRIu32 ", which is not defined"), event);
	return NULL;
}

static int read_u128(struct pl_str s, unsigned __int128 *v)
{
	const unsigned __int128 most = ~(unsigned __int128)0;

	*v = 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned digit = (unsigned)(s.p[i] - '0');
		if (digit > 9 || *v > (most - digit) / 10)
			return -1;
		*v = *v * 10 + digit;
	}
	return s.n ? 0 : -1;
}

static void add_counters(struct profile *p, struct tally *t, const struct tally *from)
{
	profile_add(p, &t->samples, from->samples);
	profile_add(p, &t->weight, from->weight);
	profile_add(p, &t->stackless, from->stackless);
	profile_add(p, &t->lost, from->lost);
	profile_add(p, &t->threads, from->threads);
	profile_add(p, &t->multi_frame_weight, from->multi_frame_weight);
	profile_add(p, &t->idle_weight, from->idle_weight);
	for (int mode = 0; mode < MODES; mode++)
		profile_add(p, &t->unresolved[mode], from->unresolved[mode]);
	profile_add(p, &t->known_mode_weight, from->known_mode_weight);
	profile_add(p, &t->source_line_self, from->source_line_self);
	profile_add(p, &t->inlined_frames, from->inlined_frames);
	profile_add(p, &t->cut_weight, from->cut_weight);
	profile_add(p, &t->suspect_callers, from->suspect_callers);
	profile_add(p, &t->jit_frames, from->jit_frames);
	profile_add(p, &t->unresolved_callers, from->unresolved_callers);
	profile_add(p, &t->trusted_frames, from->trusted_frames);
	profile_add(p, &t->announced, from->announced);
	profile_add(p, &t->received, from->received);
}

/* Every part within its whole: so are, then, the sums of any number of streams. */
static bool are_consistent(const struct tally *t, unsigned __int128 squares)
{
	const uint64_t parts[] = {
		t->stackless,	     t->multi_frame_weight, t->idle_weight, t->known_mode_weight,
		t->source_line_self, t->cut_weight,	    t->largest};
	unsigned __int128 weight = t->weight, unresolved = 0;

	for (size_t i = 0; i < PL_COUNT(parts); i++)
		if (parts[i] > t->weight)
			return false;
	for (int mode = 0; mode < MODES; mode++)
		unresolved += t->unresolved[mode];
	/* sum of squares: at least that of equal parts (Cauchy and Schwarz), at most that of one */
	return unresolved <= weight && squares <= weight * weight &&
	       squares * t->samples >= weight * weight && t->received == t->samples;
}

static int read_event(struct reader *r)
{
	struct partial_event e;
	unsigned __int128 squares;

	if (read_object(r, &partial_event_record, 0, &e, sizeof e))
		return -1;
	if (e.event.id != r->events_n)
		return pl_stream_fail(&r->s, _("event %" PRIu32 " where %zu is due"), e.event.id,
				      r->events_n);
	if (read_u128(e.squares, &squares))
		return pl_stream_fail(&r->s, _("\"squares\" is no decimal number below 2^128"));
	if (!are_consistent(&e.sums, squares))
		return pl_stream_fail(&r->s,
				      _("the sums of event %" PRIu32 " contradict each other"),
				      e.event.id);
	if (e.sums.received > e.sums.announced)
		return pl_stream_fail(&r->s,
				      _("%" PRIu64 " samples arrived, %" PRIu64 " were announced"),
				      e.sums.received, e.sums.announced);
	struct tally *t = profile_tally(r->p, &e.event);
	PL_GROW(r->events, r->events_n + 1, r->events_cap);
	r->events[r->events_n++] = (struct event_sums){.tally = t,
						       .samples = e.sums.samples,
						       .weight = e.sums.weight,
						       .stackless = e.sums.stackless};
	if (!t)
		return 0;
	add_counters(r->p, t, &e.sums);
	r->p->overflow |= __builtin_add_overflow(t->squares, squares, &t->squares);
	if (e.sums.largest > t->largest) {
		t->largest = e.sums.largest;
		pl_buf_clear(&t->largest_stack);
		pl_buf_adds(&t->largest_stack, e.largest_stack);
	}
	return 0;
}

static int read_module(struct reader *r)
{
	struct profile *p = r->p;
	struct partial_module m;

	if (read_object(r, &partial_module_record, 0, &m, sizeof m))
		return -1;
	struct event_sums *e = find_event(r, m.event);
	if (!e)
		return -1;
	if (!e->tally)
		return 0;
	struct module_sum *to =
		tally_module(e->tally, profile_string(p, m.dso), profile_string(p, m.build_id));
	profile_add(p, &to->self, m.self);
	profile_add(p, &to->unresolved_self, m.unresolved_self);
	module_merge_words(p, to, profile_string(p, m.kind), profile_string(p, m.symbols),
			   profile_string(p, m.reason));
	return 0;
}

/* One list of details: the variants are strings, sources and addresses objects. */
static int read_details(struct reader *r, struct tally *t, uint32_t key, uint32_t array,
			enum detail_kind kind)
{
	const struct pl_json *json = &r->s.json;
	struct profile *p = r->p;

	for (uint32_t at = array + 1; at < json->tape[array].next; at = json->tape[at].next) {
		struct partial_detail d = {0};
		struct detail to = {
			.key = key, .kind = (uint32_t)kind, .a = NO_STRING, .b = NO_STRING};
		if (kind == DETAIL_VARIANT) {
			if (json->tape[at].type != PL_JSON_STRING)
				return pl_stream_fail(&r->s, _("a variant must be a string"));
			to.a = profile_string(p, pl_json_str(json, at));
		} else if (kind == DETAIL_SOURCE) {
			if (read_object(r, &partial_source_record, at, &d, sizeof d))
				return -1;
			to.a = profile_string(p, d.file);
			to.line = d.line;
		} else {
			if (read_object(r, &partial_address_record, at, &d, sizeof d))
				return -1;
			to.a = profile_string(p, d.build_id);
			to.b = profile_string(p, d.offset);
		}
		tally_add_detail(p, t, &to, d.self);
	}
	return 0;
}

static int add_key(struct reader *r, struct tally *t, const struct partial_key *k, uint32_t key)
{
	struct profile *p = r->p;

	if (tally_make_room(p, t)) {
		r->s.err = p->err;
		return -1;
	}
	struct key_sum *sum = &t->keys[key];
	profile_add(p, &sum->self, k->self);
	profile_add(p, &t->hot[key].inclusive, k->inclusive);
	profile_add(p, &sum->self_samples, k->self_samples);
	profile_add(p, &t->hot[key].samples, k->samples);
	profile_add(p, &sum->occurrences, k->occurrences);
	profile_add(p, &sum->threads, k->threads);
	profile_add(p, &sum->idle, k->idle);
	key_merge_kind(sum, profile_string(p, k->kind), k->inlined);
	if (read_details(r, t, key, k->variants, DETAIL_VARIANT) ||
	    read_details(r, t, key, k->sources, DETAIL_SOURCE) ||
	    read_details(r, t, key, k->addresses, DETAIL_ADDRESS))
		return -1;
	return 0;
}

/* --max-unique-frames: of frames only their keys are left in partial sums. */
static int check_keys(struct reader *r)
{
	if (r->p->keys.n <= r->max_keys)
		return 0;
	pl_limit_exceeded(&r->s.err, PL_LIMIT_UNIQUE_FRAMES, r->max_keys);
	return pl_err_at(&r->s.err, pl_in_name(r->s.in, r->s.in->index), r->s.in->line);
}

static int read_key(struct reader *r)
{
	struct partial_key k;

	if (read_object(r, &partial_key_record, 0, &k, sizeof k))
		return -1;
	struct event_sums *e = find_event(r, k.event);
	if (!e)
		return -1;
	if (k.id != r->keys_n)
		return pl_stream_fail(&r->s, _("key %" PRIu32 " where %zu is due"), k.id,
				      r->keys_n);
	if (k.samples == 0 || k.samples > e->samples || k.self_samples > k.samples ||
	    k.self > k.inclusive || k.inclusive > e->weight - e->stackless || k.idle > k.self)
		return pl_stream_fail(&r->s, _("the sums of key %" PRIu32 " contradict each other"),
				      k.id);
	PL_GROW(r->keys, r->keys_n + 1, r->keys_cap);
	profile_add(r->p, &e->self, k.self);
	if (!e->tally) {
		r->keys[r->keys_n++] = (struct key_of){0, k.event};
		return 0;
	}
	uint32_t key = profile_key(r->p, k.name, k.dso);
	r->keys[r->keys_n++] = (struct key_of){key, k.event};
	return check_keys(r) || add_key(r, e->tally, &k, key) ? -1 : 0;
}

static int read_path(struct reader *r)
{
	const struct pl_json *json = &r->s.json;
	struct partial_path path;
	size_t n = 0;

	if (read_object(r, &partial_path_record, 0, &path, sizeof path))
		return -1;
	struct event_sums *e = find_event(r, path.event);
	if (!e)
		return -1;
	r->paths_n++;
	profile_add(r->p, &e->paths, path.weight);
	if (!e->tally || !r->p->paths_kept)
		return 0;
	PL_GROW(r->path, json->tape[path.keys].count + 1, r->path_cap);
	for (uint32_t at = path.keys + 1; at < json->tape[path.keys].next;
	     at = json->tape[at].next) {
		uint64_t number = json->tape[at].v.u;
		if (json->tape[at].type != PL_JSON_UINT || number >= r->keys_n ||
		    r->keys[number].event != path.event)
			return pl_stream_fail(
				&r->s, _("the path names a key that its event does not have"));
		r->path[n++] = r->keys[number].key;
	}
	if (n == 0)
		return pl_stream_fail(&r->s, _("a path without keys"));
	if (tally_add_path(r->p, e->tally, r->path, n, path.weight, path.samples)) {
		r->s.err = r->p->err;
		return -1;
	}
	return 0;
}

static bool adds_up(uint64_t a, uint64_t b, uint64_t sum)
{
	return pl_num_add(&a, b) && a == sum;
}

/* Do each event's rows add up to its weight? */
static int check_sums(struct reader *r)
{
	for (size_t i = 0; i < r->events_n; i++) {
		const struct event_sums *e = &r->events[i];
		if (!adds_up(e->self, e->stackless, e->weight))
			return pl_stream_fail(&r->s,
					      _("event %zu: self weights %" PRIu64 " and %" PRIu64
						" stackless do not add up to %" PRIu64),
					      i, e->self, e->stackless, e->weight);
		if (r->paths && !adds_up(e->paths, e->stackless, e->weight))
			return pl_stream_fail(&r->s,
					      _("event %zu: path weights %" PRIu64 " and %" PRIu64
						" stackless do not add up to %" PRIu64),
					      i, e->paths, e->stackless, e->weight);
	}
	return 0;
}

static int read_end(struct reader *r)
{
	struct partial_end end;

	if (read_object(r, &partial_end_record, 0, &end, sizeof end) || check_sums(r))
		return -1;
	if (end.events != r->events_n || end.keys != r->keys_n || end.paths != r->paths_n ||
	    end.records != r->s.records - 1)
		return pl_stream_fail(&r->s,
				      _("the end record announces other counts than arrived"));
	profile_add(r->p, &r->p->malformed, end.malformed);
	profile_add(r->p, &r->p->skipped, end.skipped);
	profile_add(r->p, &r->p->replaced, end.replaced);
	sources_end(r->sources, &r->s, &r->s.json, 0, end.diagnostics);
	return pl_stream_next(&r->s) == 0 ? 0 : -1;
}

static int read_diagnostic(struct reader *r)
{
	char message[256];
	const char *wrong = sources_add_diagnostic(r->sources, &r->s.json, message);

	return wrong ? pl_stream_fail(&r->s, "diagnostic: %s", wrong) : 0;
}

static int read_record(struct reader *r)
{
	if (pl_stream_is(&r->s, "path"))
		return read_path(r);
	if (pl_stream_is(&r->s, "key"))
		return read_key(r);
	if (pl_stream_is(&r->s, "module"))
		return read_module(r);
	if (pl_stream_is(&r->s, "event"))
		return read_event(r);
	return pl_stream_is(&r->s, "diagnostic") ? read_diagnostic(r) : 0;
}

/* The first stream says what is grouped by; the others must have done the same. */
static int check_header(struct reader *r, bool first)
{
	const struct pl_json *json = &r->s.header_json;
	uint32_t group_by = pl_json_member(json, 0, "group_by"),
		 paths = pl_json_member(json, 0, "paths");
	enum group_by g = BY_SYMBOL_DSO;

	if (!group_by || json->tape[group_by].type != PL_JSON_STRING || !paths)
		return pl_stream_fail(&r->s, _("the header lacks \"group_by\" or \"paths\""));
	while (g <= BY_SOURCE && !pl_str_is(pl_json_str(json, group_by), group_by_text(g)))
		g++;
	if (g > BY_SOURCE)
		return pl_stream_fail(&r->s, _("the header's \"group_by\" is not known"));
	r->paths = json->tape[paths].type == PL_JSON_TRUE;
	if (first && r->p->group_by != BY_SYMBOL_DSO && r->p->group_by != g) {
		pl_err_set(&r->s.err, PL_E_INVALID_INPUT, _("it is grouped by %s, not by %s"),
			   group_by_text(g), group_by_text(r->p->group_by));
		return pl_err_at(&r->s.err, pl_in_name(r->s.in, r->s.in->index), 1);
	}
	if (first)
		r->p->group_by = g;
	if (r->p->group_by != g)
		return pl_stream_fail(&r->s, _("it is grouped by %s, the one before by %s"),
				      group_by_text(g), group_by_text(r->p->group_by));
	if (r->p->paths_kept && !r->paths) {
		pl_stream_fail(&r->s, _("it was made without call paths"));
		return pl_err_action(&r->s.err, _("merge with --no-paths"));
	}
	return 0;
}

static int read_stream(struct reader *r)
{
	int got, status = 0;

	while (status == 0 && (got = pl_stream_next(&r->s)) > 0) {
		if (pl_stream_is(&r->s, "end"))
			return read_end(r);
		status = read_record(r);
		if (status == 0 && profile_check_overflow(r->p)) {
			r->s.err = r->p->err;
			status = -1;
		}
	}
	return -1; /* an end record returns above, so this is a failure */
}

int partial_read(struct profile *p, struct sources *sources, struct pl_main *m)
{
	static const char *const schemas[] = {"perflens.partial"};
	struct reader r = {
		.p = p, .sources = sources, .max_keys = m->limits.v[PL_LIMIT_UNIQUE_FRAMES]};
	bool first = sources->n == 0;

	sources_begin(sources);
	int status = pl_stream_open(&r.s, &m->in, schemas, PL_COUNT(schemas), false);
	if (status == 0)
		status = check_header(&r, first) || read_stream(&r) ? -1 : 0;
	if (status)
		p->err = r.s.err;
	pl_stream_close(&r.s);
	free(r.events);
	free(r.keys);
	free(r.path);
	return status;
}
