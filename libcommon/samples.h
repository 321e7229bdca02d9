/*
 * samples: perflens.samples (STREAMS.md section 2), read at speed; samplesw.h writes it.
 *
 * The reader checks what the contract promises: definitions before use, dense ids, the end record's
 * counts. It accepts samples with "frames" (pl-expand) and hands out their frames as definitions of
 * its own, so that callers see interned frames only.
 */
#ifndef PL_SAMPLES_H
#define PL_SAMPLES_H

#include "intern.h"
#include "record.h"
#include "stream.h"

#define PL_SAMPLES_SCHEMA "perflens.samples"
enum { PL_NO_MODULE = UINT32_MAX };

struct pl_event {
	uint32_t id;
	struct pl_str name, unit, weight_source, source;
};

struct pl_module {
	uint32_t id;
	struct pl_str dso;
	struct pl_str build_id, kind, symbols, reason; /* absent: p NULL */
	struct pl_str base; /* "0x…", of the kernel and its modules: where it was loaded */
};

struct pl_source {
	struct pl_str file;
	uint64_t line, column;
	bool has_column;
};

struct pl_frame {
	uint32_t id;
	struct pl_str symbol;
	uint32_t module;			  /* PL_NO_MODULE: the format has none */
	struct pl_str raw, offset, kind, suspect; /* absent: p NULL */
	bool is_return, inlined;
	int64_t pid;
	bool has_pid;
	struct pl_source source; /* file.p NULL: none */
	uint32_t inlines;	 /* token of the array in pl_samples_frame_json(), 0: none */
};

/* An element of a frame's inlines. */
struct pl_inlined {
	struct pl_str symbol, raw; /* raw absent: p NULL */
	uint32_t source;	   /* token of a pl_source_record, 0: none */
};

struct pl_sample {
	uint32_t event;
	uint64_t weight;
	const uint32_t *stack; /* frame ids, root first */
	size_t depth;
	int64_t pid, tid, cpu;
	uint64_t time; /* nanoseconds */
	bool has_pid, has_tid, has_cpu, has_time;
	struct pl_str comm, mode, payload, cut; /* absent: p NULL */
	uint32_t stack_token, frames_token;	/* private: of the record */
};

struct pl_lost {
	uint64_t count;
	uint32_t event;
	int64_t tid;
	uint64_t time;
	bool has_event, has_tid, has_time;
};

struct pl_samples_end {
	uint64_t samples, modules, frames, lost, records, malformed, skipped, replaced;
	uint32_t events, diagnostics, inputs, fields; /* tokens of the reader's tape; 0: absent */
};

enum pl_samples_kind {
	PL_SAMPLES_ERROR = -1,
	PL_SAMPLES_DONE = 0, /* the end record was read and checked: `end` is filled */
	PL_SAMPLES_EVENT,
	PL_SAMPLES_MODULE,
	PL_SAMPLES_FRAME,
	PL_SAMPLES_SAMPLE,
	PL_SAMPLES_LOST,
	PL_SAMPLES_DIAGNOSTIC,
	PL_SAMPLES_OTHER /* a type of a newer minor version */
};

struct pl_samples {
	struct pl_stream s; /* s.text is the current line, s.json its tape, s.err what went wrong */
	struct pl_event event;
	struct pl_module module;
	struct pl_frame frame;
	struct pl_sample sample;
	struct pl_lost lost;
	struct pl_samples_end end;
	/* what arrived, and (at DONE) what the end record announced */
	struct pl_samples_sum {
		uint64_t samples, weight, announced_samples, announced_weight;
		bool announced;
	} * sums; /* by event id */
	size_t sums_n, sums_cap;
	uint64_t received;
	uint32_t frames, modules; /* defined so far, the reader's own included */
	/* set it after opening: s.json need not be that of a sample, which is then read faster */
	bool no_tape;
	/* private */
	uint32_t *stack;
	size_t stack_cap;
	/* of samples with frames: the frames and modules met so far, as canonical text; those from
	 * `delivered` on still have to be handed out before the sample that brought them */
	struct pl_intern expanded_frames, expanded_modules;
	uint32_t delivered;
	struct pl_json expanded_json;
	struct pl_buf key;
	bool waiting; /* a sample is decoded and waits for the definitions of its frames */
};

extern const struct pl_record pl_event_record, pl_module_record, pl_frame_record, pl_source_record,
	pl_inlined_record, pl_sample_record, pl_lost_record, pl_samples_end_record;

/* As pl_stream_open(), for samples only. */
int pl_samples_open(struct pl_samples *r, struct pl_in *in);
/* A reader whose stream the caller opens, or moves into r->s: one that may be of several kinds, and
 * is one of samples. */
void pl_samples_begin(struct pl_samples *r);
/*
 * The next record, decoded into the member of its kind; views live until the next call. The end
 * record is checked: more samples or more weight than announced, or equal counts and other weights,
 * is PROFILE_PARSE_FAILED with both figures; fewer is no error (the caller sees received <
 * end.samples). DONE means that nothing follows it.
 */
enum pl_samples_kind pl_samples_next(struct pl_samples *r);
void pl_samples_close(struct pl_samples *r);
/* The tape that frame.inlines is of, after PL_SAMPLES_FRAME. */
static inline const struct pl_json *pl_samples_frame_json(const struct pl_samples *r)
{
	return r->expanded_frames.n ? &r->expanded_json : &r->s.json;
}

#endif
