/* samples: the tables and the reader of perflens.samples */
#include "samples.h"
#include "mem.h"
#include "num.h"
#include "origin.h"
#include "sampleline.h"
#include "text.h"

#include <inttypes.h>

/* ---- the members of each record, in schema order ---- */

static const struct pl_member event_members[] = {
	PL_MEMBER(struct pl_event, "id", id, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct pl_event, "name", name, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_event, "unit", unit, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_event, "weight_source", weight_source, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_event, "source", source, PL_M_STR, PL_M_REQUIRED),
};
const struct pl_record pl_event_record = {"event", event_members, PL_COUNT(event_members)};

static const struct pl_member module_members[] = {
	PL_MEMBER(struct pl_module, "id", id, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct pl_module, "dso", dso, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_module, "build_id", build_id, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "kind", kind, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "symbols", symbols, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "reason", reason, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "base", base, PL_M_STR, 0),
};
const struct pl_record pl_module_record = {"module", module_members, PL_COUNT(module_members)};

/* `source` is an object of its own: its token, while the frame is read */
struct frame_and_source {
	struct pl_frame frame;
	uint32_t source;
};
static const struct pl_member frame_members[] = {
	PL_MEMBER(struct pl_frame, "id", id, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct pl_frame, "symbol", symbol, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_frame, "module", module, PL_M_U32, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct pl_frame, "raw", raw, PL_M_STR, 0),
	PL_MEMBER(struct pl_frame, "offset", offset, PL_M_STR, 0),
	PL_MEMBER(struct pl_frame, "return", is_return, PL_M_BOOL, 0),
	PL_MEMBER_HAS(struct pl_frame, "pid", pid, PL_M_I64, 0),
	PL_MEMBER(struct frame_and_source, "source", source, PL_M_OBJECT, 0),
	PL_MEMBER(struct pl_frame, "inlines", inlines, PL_M_ARRAY, 0),
	PL_MEMBER(struct pl_frame, "inlined", inlined, PL_M_BOOL, 0),
	PL_MEMBER(struct pl_frame, "kind", kind, PL_M_STR, 0),
	PL_MEMBER(struct pl_frame, "suspect", suspect, PL_M_STR, 0),
};
const struct pl_record pl_frame_record = {"frame", frame_members, PL_COUNT(frame_members)};

static const struct pl_member source_members[] = {
	PL_MEMBER(struct pl_source, "file", file, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_source, "line", line, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER_HAS(struct pl_source, "column", column, PL_M_U64, 0),
};
const struct pl_record pl_source_record = {"source", source_members, PL_COUNT(source_members)};

static const struct pl_member inlined_members[] = {
	PL_MEMBER(struct pl_inlined, "symbol", symbol, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct pl_inlined, "raw", raw, PL_M_STR, 0),
	PL_MEMBER(struct pl_inlined, "source", source, PL_M_OBJECT, 0),
};
const struct pl_record pl_inlined_record = {"inline", inlined_members, PL_COUNT(inlined_members)};

static const struct pl_member sample_members[] = {
	PL_MEMBER(struct pl_sample, "event", event, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct pl_sample, "weight", weight, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_sample, "stack", stack_token, PL_M_ARRAY, 0),
	PL_MEMBER(struct pl_sample, "frames", frames_token, PL_M_ARRAY, 0),
	PL_MEMBER_HAS(struct pl_sample, "pid", pid, PL_M_I64, 0),
	PL_MEMBER_HAS(struct pl_sample, "tid", tid, PL_M_I64, 0),
	PL_MEMBER(struct pl_sample, "comm", comm, PL_M_STR, 0),
	PL_MEMBER_HAS(struct pl_sample, "cpu", cpu, PL_M_I64, 0),
	PL_MEMBER_HAS(struct pl_sample, "time", time, PL_M_U64, 0),
	PL_MEMBER(struct pl_sample, "mode", mode, PL_M_STR, 0),
	PL_MEMBER(struct pl_sample, "payload", payload, PL_M_STR, 0),
	PL_MEMBER(struct pl_sample, "cut", cut, PL_M_STR, 0),
};
const struct pl_record pl_sample_record = {"sample", sample_members, PL_COUNT(sample_members)};

static const struct pl_member lost_members[] = {
	PL_MEMBER(struct pl_lost, "count", count, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER_HAS(struct pl_lost, "event", event, PL_M_U32, 0),
	PL_MEMBER_HAS(struct pl_lost, "tid", tid, PL_M_I64, 0),
	PL_MEMBER_HAS(struct pl_lost, "time", time, PL_M_U64, 0),
};
const struct pl_record pl_lost_record = {"lost", lost_members, PL_COUNT(lost_members)};

static const struct pl_member end_members[] = {
	PL_MEMBER(struct pl_samples_end, "samples", samples, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "events", events, PL_M_ARRAY, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "modules", modules, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "frames", frames, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "lost", lost, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "records", records, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "malformed", malformed, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "skipped", skipped, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "replaced", replaced, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "diagnostics", diagnostics, PL_M_OBJECT, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "inputs", inputs, PL_M_ARRAY, PL_M_REQUIRED),
	PL_MEMBER(struct pl_samples_end, "fields", fields, PL_M_OBJECT, 0),
};
const struct pl_record pl_samples_end_record = {"end", end_members, PL_COUNT(end_members)};

struct announced {
	uint32_t id;
	uint64_t samples, weight;
};
static const struct pl_member announced_members[] = {
	PL_MEMBER(struct announced, "id", id, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct announced, "samples", samples, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct announced, "weight", weight, PL_M_U64, PL_M_REQUIRED),
};
static const struct pl_record announced_record = {"event", announced_members,
						  PL_COUNT(announced_members)};

void pl_samples_begin(struct pl_samples *r)
{
	memset(r, 0, sizeof *r);
	pl_intern_init(&r->expanded_frames);
	pl_intern_init(&r->expanded_modules);
}

int pl_samples_open(struct pl_samples *r, struct pl_in *in)
{
	static const char *const schemas[] = {PL_SAMPLES_SCHEMA};

	pl_samples_begin(r);
	return pl_stream_open(&r->s, in, schemas, PL_COUNT(schemas), false);
}

void pl_samples_close(struct pl_samples *r)
{
	pl_stream_close(&r->s);
	pl_json_free(&r->expanded_json);
	pl_intern_free(&r->expanded_frames);
	pl_intern_free(&r->expanded_modules);
	pl_buf_free(&r->key);
	free(r->stack);
	free(r->sums);
}

static int read_record(struct pl_samples *r, const struct pl_record *record, void *out, size_t size)
{
	char message[256];

	memset(out, 0, size);
	const char *wrong = pl_record_read(record, &r->s.json, 0, out, message);
	return wrong ? pl_stream_fail(&r->s, "%s: %s", record->type, wrong) : 0;
}

static enum pl_samples_kind read_event(struct pl_samples *r)
{
	if (read_record(r, &pl_event_record, &r->event, sizeof r->event))
		return PL_SAMPLES_ERROR;
	if (r->event.id != r->sums_n)
		return pl_stream_fail(
			&r->s,
			_("event %" PRIu32 " where %zu is due: ids are dense and never redefined"),
			r->event.id, r->sums_n);
	PL_GROW(r->sums, r->sums_n + 1, r->sums_cap);
	r->sums[r->sums_n++] = (struct pl_samples_sum){0};
	return PL_SAMPLES_EVENT;
}

static enum pl_samples_kind read_module(struct pl_samples *r)
{
	if (read_record(r, &pl_module_record, &r->module, sizeof r->module))
		return PL_SAMPLES_ERROR;
	if (r->expanded_frames.n)
		return pl_stream_fail(&r->s, _("a module record after samples with \"frames\""));
	if (r->module.id != r->modules)
		return pl_stream_fail(&r->s,
				      _("module %" PRIu32 " where %" PRIu32
					" is due: ids are dense and never redefined"),
				      r->module.id, r->modules);
	r->modules++;
	return PL_SAMPLES_MODULE;
}

/* Reads a frame's object at `object` and the source in it. A message, or NULL. */
static const char *read_frame_object(struct pl_frame *frame, const struct pl_record *record,
				     const struct pl_json *json, char message[256])
{
	struct frame_and_source both = {0};
	const char *wrong = pl_record_read(record, json, 0, &both, message);

	if (!wrong && both.source)
		wrong = pl_record_read(&pl_source_record, json, both.source, &both.frame.source,
				       message);
	*frame = both.frame;
	return wrong;
}

static enum pl_samples_kind read_frame(struct pl_samples *r)
{
	char message[256];
	const char *wrong = read_frame_object(&r->frame, &pl_frame_record, &r->s.json, message);

	if (wrong)
		return pl_stream_fail(&r->s, "frame: %s", wrong);
	if (r->expanded_frames.n)
		return pl_stream_fail(&r->s, _("a frame record after samples with \"frames\""));
	if (r->frame.id != r->frames)
		return pl_stream_fail(&r->s,
				      _("frame %" PRIu32 " where %" PRIu32
					" is due: ids are dense and never redefined"),
				      r->frame.id, r->frames);
	if (r->frame.module != PL_NO_MODULE && r->frame.module >= r->modules)
		return pl_stream_fail(&r->s,
				      _("the frame names module %" PRIu32 ", which is not defined"),
				      r->frame.module);
	r->frames++;
	return PL_SAMPLES_FRAME;
}

/* Most likely a filter in between took the definition out: grep and its like do. */
static int undefined(struct pl_samples *r, const char *what)
{
	pl_stream_fail(&r->s, "%s", what);
	return pl_err_action(
		&r->s.err,
		_("choose samples with pl-select, or put pl-expand before a filter of lines "
		  "that keeps header and end"));
}

static int read_stack(struct pl_samples *r)
{
	const struct pl_json_tok *tape = r->s.json.tape;
	const struct pl_json_tok *array = &tape[r->sample.stack_token];
	const struct pl_json_tok *id = array + 1, *end = tape + array->next;

	/* ids that the reader gave to the frames of samples with frames are not the stream's */
	if (r->expanded_frames.n && array->count)
		return pl_stream_fail(&r->s, _("a \"stack\" after samples with \"frames\""));
	PL_GROW(r->stack, array->count, r->stack_cap);
	for (uint32_t *to = r->stack; id < end; id++, to++) {
		/* an element that is no integer has another type, whatever else it has */
		if (id->type != PL_JSON_UINT || id->v.u >= r->frames)
			return undefined(r, _("the stack names a frame that is not defined"));
		*to = (uint32_t)id->v.u;
	}
	r->sample.stack = r->stack;
	r->sample.depth = array->count;
	return 0;
}

/* Samples with frames: each distinct frame, as canonical text, is interned; callers get it as a
 * definition first. */
static int read_expanded(struct pl_samples *r)
{
	const struct pl_json *json = &r->s.json;
	uint32_t array = r->sample.frames_token, at = array + 1;

	if (r->frames > r->expanded_frames.n || r->modules > r->expanded_modules.n)
		return pl_stream_fail(
			&r->s,
			_("a sample with \"frames\" in a stream that defines frames or modules"));
	PL_GROW(r->stack, json->tape[array].count, r->stack_cap);
	for (size_t i = 0; at < json->tape[array].next; i++, at = json->tape[at].next) {
		struct pl_jsonw w = {.buf = &r->key};
		pl_buf_clear(&r->key);
		pl_jsonw_value(&w, json, at);
		r->stack[i] = pl_intern(&r->expanded_frames, r->key.p, r->key.n);
	}
	r->sample.stack = r->stack;
	r->sample.depth = json->tape[array].count;
	return 0;
}

static int count_sample(struct pl_samples *r)
{
	if (r->sample.event >= r->sums_n)
		return pl_stream_fail(&r->s,
				      _("the sample names event %" PRIu32 ", which is not defined"),
				      r->sample.event);
	struct pl_samples_sum *sum = &r->sums[r->sample.event];
	sum->samples++;
	r->received++;
	if (pl_num_add(&sum->weight, r->sample.weight))
		return 0;
	pl_err_set(&r->s.err, PL_E_WEIGHT_OVERFLOW, _("the weights add up to more than 2^64-1"));
	return pl_err_at(&r->s.err, pl_in_name(r->s.in, r->s.in->index), r->s.in->line);
}

/* ---- definitions made from samples with frames ---- */

struct expanded_frame {
	struct pl_frame frame;
	uint32_t source; /* must stand where frame_and_source has it */
	struct pl_module module;
};
_Static_assert(offsetof(struct expanded_frame, source) == offsetof(struct frame_and_source, source),
	       "read_frame_object() reads both");

static const struct pl_member expanded_module_members[] = {
	PL_MEMBER(struct pl_module, "dso", dso, PL_M_STR, PL_M_NULLABLE),
	PL_MEMBER(struct pl_module, "build_id", build_id, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "module_kind", kind, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "symbols", symbols, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "module_reason", reason, PL_M_STR, 0),
	PL_MEMBER(struct pl_module, "base", base, PL_M_STR, 0),
};
static const struct pl_record expanded_module_record = {"module", expanded_module_members,
							PL_COUNT(expanded_module_members)};

static void module_key(struct pl_buf *key, const struct pl_module *m)
{
	const struct pl_str parts[] = {m->dso,	   m->build_id, m->kind,
				       m->symbols, m->reason,	m->base};

	pl_buf_clear(key);
	for (size_t i = 0; i < PL_COUNT(parts); i++) {
		pl_buf_addc(key, parts[i].p ? '+' : '-');
		pl_buf_adds(key, parts[i]);
		pl_buf_addc(key, '\0');
	}
}

/* The frame's own members: those of the table but id and module. */
static const char *read_expanded_frame(struct pl_samples *r, struct pl_frame *frame,
				       char message[256])
{
	struct pl_member members[PL_COUNT(frame_members)];
	struct pl_record record = {"frame", members, 0};

	for (size_t i = 0; i < PL_COUNT(frame_members); i++)
		if (strcmp(frame_members[i].name, "id") != 0 &&
		    strcmp(frame_members[i].name, "module") != 0)
			members[record.n++] = frame_members[i];
	return read_frame_object(frame, &record, &r->expanded_json, message);
}

/* Hands out the next definition that the waiting sample needs: its module first where that is new,
 * too. */
static enum pl_samples_kind deliver(struct pl_samples *r)
{
	char message[256];
	const char *wrong = NULL;
	uint32_t module = PL_NO_MODULE;

	memset(&r->module, 0, sizeof r->module);
	if (pl_json_parse(&r->expanded_json, pl_intern_str(&r->expanded_frames, r->delivered)))
		wrong = r->expanded_json.message;
	if (!wrong)
		wrong = pl_record_read(&expanded_module_record, &r->expanded_json, 0, &r->module,
				       message);
	if (!wrong)
		wrong = read_expanded_frame(r, &r->frame, message);
	if (wrong)
		return pl_stream_fail(&r->s, "frames: %s", wrong);
	if (r->module.dso.p) {
		module_key(&r->key, &r->module);
		module = pl_intern(&r->expanded_modules, r->key.p, r->key.n);
		if (module == r->modules) {
			r->module.id = r->modules++;
			return PL_SAMPLES_MODULE;
		}
	}
	r->frame.id = r->delivered++;
	r->frame.module = module;
	r->frames = r->delivered;
	return PL_SAMPLES_FRAME;
}

static enum pl_samples_kind read_sample(struct pl_samples *r)
{
	if (read_record(r, &pl_sample_record, &r->sample, sizeof r->sample))
		return PL_SAMPLES_ERROR;
	if (!r->sample.stack_token == !r->sample.frames_token)
		return pl_stream_fail(&r->s, _("a sample has either a \"stack\" or \"frames\""));
	if (count_sample(r) || (r->sample.stack_token ? read_stack(r) : read_expanded(r)))
		return PL_SAMPLES_ERROR;
	r->waiting = r->delivered < r->expanded_frames.n;
	return r->waiting ? deliver(r) : PL_SAMPLES_SAMPLE;
}

/* Ids that the reader gave to the frames of samples with frames are not the stream's. */
static bool is_plain(struct pl_samples *r)
{
	return r->expanded_frames.n == 0 &&
	       pl_sampleline_read(r->s.text, r->frames, &r->sample, &r->stack, &r->stack_cap);
}

static enum pl_samples_kind read_plain(struct pl_samples *r)
{
	r->s.records++;
	return count_sample(r) ? PL_SAMPLES_ERROR : PL_SAMPLES_SAMPLE;
}

static enum pl_samples_kind read_lost(struct pl_samples *r)
{
	if (read_record(r, &pl_lost_record, &r->lost, sizeof r->lost))
		return PL_SAMPLES_ERROR;
	if (r->lost.has_event && r->lost.event >= r->sums_n)
		return pl_stream_fail(
			&r->s, _("the lost records name event %" PRIu32 ", which is not defined"),
			r->lost.event);
	return PL_SAMPLES_LOST;
}

/* ---- the end ---- */

enum { EXACT_BITS = 53 }; /* of an IEEE double */

static int compare_sums(struct pl_samples *r, uint32_t event)
{
	const struct pl_samples_sum *sum = &r->sums[event];

	if (sum->samples > sum->announced_samples)
		return pl_stream_fail(&r->s,
				      _("event %" PRIu32 ": %" PRIu64
					" samples arrived, the end record announces %" PRIu64),
				      event, sum->samples, sum->announced_samples);
	if (sum->weight > sum->announced_weight ||
	    (sum->samples == sum->announced_samples && sum->weight != sum->announced_weight)) {
		pl_stream_fail(&r->s,
			       _("event %" PRIu32 ": the %" PRIu64 " samples weigh %" PRIu64
				 ", the end record announces %" PRIu64),
			       event, sum->samples, sum->weight, sum->announced_weight);
		return pl_err_action(
			&r->s.err, sum->announced_weight >> EXACT_BITS
					   ? _("a filter in between changed weights; jq before 1.7 "
					       "rounds integers above 2^53")
					   : _("a filter in between changed weights"));
	}
	return 0;
}

static int read_announced(struct pl_samples *r)
{
	const struct pl_json *json = &r->s.json;
	uint32_t array = r->end.events;
	unsigned __int128 total = 0;
	char message[256];

	for (uint32_t at = array + 1; at < json->tape[array].next; at = json->tape[at].next) {
		struct announced a = {0};
		const char *wrong = pl_record_read(&announced_record, json, at, &a, message);
		if (wrong)
			return pl_stream_fail(&r->s, "end: events: %s", wrong);
		if (a.id >= r->sums_n)
			return pl_stream_fail(
				&r->s,
				_("the end record names event %" PRIu32 ", which is not defined"),
				a.id);
		if (r->sums[a.id].announced)
			return pl_stream_fail(
				&r->s, _("the end record names event %" PRIu32 " twice"), a.id);
		r->sums[a.id].announced = true;
		total += a.samples;
		r->sums[a.id].announced_samples = a.samples;
		r->sums[a.id].announced_weight = a.weight;
	}
	if (total != r->end.samples)
		return pl_stream_fail(&r->s,
				      _("the end record's events do not add up to its samples"));
	return 0;
}

static int check_end(struct pl_samples *r)
{
	bool interned = r->expanded_frames.n == 0;

	if (read_record(r, &pl_samples_end_record, &r->end, sizeof r->end) || read_announced(r))
		return -1;
	for (uint32_t e = 0; e < r->sums_n; e++)
		if (compare_sums(r, e))
			return -1;
	if (!pl_origin_are_digests(&r->s.json, r->end.inputs))
		return pl_stream_fail(&r->s, _("the end record does not say what the inputs were"));
	if (interned && (r->frames != r->end.frames || r->modules != r->end.modules))
		return pl_stream_fail(&r->s,
				      _("%" PRIu32 " frames and %" PRIu32
					" modules arrived, the end record announces "
					"%" PRIu64 " and %" PRIu64),
				      r->frames, r->modules, r->end.frames, r->end.modules);
	return 0;
}

/* The end record is the last: only then is the stream whole. */
static enum pl_samples_kind read_end(struct pl_samples *r)
{
	if (check_end(r))
		return PL_SAMPLES_ERROR;
	return pl_stream_next(&r->s) == 0 ? PL_SAMPLES_DONE : PL_SAMPLES_ERROR;
}

enum pl_samples_kind pl_samples_next(struct pl_samples *r)
{
	if (r->waiting) {
		if (r->delivered < r->expanded_frames.n)
			return deliver(r);
		r->waiting = false;
		return PL_SAMPLES_SAMPLE;
	}
	int got = pl_stream_line(&r->s); /* 0 cannot be: read_end() took it */
	if (got > 0 && r->no_tape && is_plain(r))
		return read_plain(r);
	if (got <= 0 || pl_stream_parse(&r->s) < 0)
		return PL_SAMPLES_ERROR;
	if (pl_stream_is(&r->s, "sample"))
		return read_sample(r);
	if (pl_stream_is(&r->s, "frame"))
		return read_frame(r);
	if (pl_stream_is(&r->s, "module"))
		return read_module(r);
	if (pl_stream_is(&r->s, "event"))
		return read_event(r);
	if (pl_stream_is(&r->s, "lost"))
		return read_lost(r);
	if (pl_stream_is(&r->s, "diagnostic"))
		return PL_SAMPLES_DIAGNOSTIC;
	return pl_stream_is(&r->s, "end") ? read_end(r) : PL_SAMPLES_OTHER;
}
