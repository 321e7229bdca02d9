/*
 * profile: what is summed: events, and for each the keys, their details, the modules and the call
 * paths.
 *
 * A key is what rows are grouped by: (symbol, DSO), or one of --group-by's other choices. Samples
 * (intake.h) and partial sums (partial.h) are added to the same structure; rows.h and partial.h
 * write it.
 */
#ifndef PL_AGGREGATE_PROFILE_H
#define PL_AGGREGATE_PROFILE_H

#include "err.h"
#include "intern.h"
#include "samples.h"

enum group_by { BY_SYMBOL_DSO, BY_SYMBOL, BY_DSO, BY_COMM, BY_TID, BY_SOURCE };

/* Ids of profile.strings. The absent string is a number of its own. */
enum { NO_STRING = UINT32_MAX, UNSET = UINT32_MAX - 1 };

/* Which threads of a stream were noted, as far as it is at hand: two blocks of 64 of them. */
struct threads_seen {
	uint64_t bits[2];
	uint32_t block[2]; /* number + 1; 0: none. The one that was asked for last comes first */
};

/* Touched for each frame of each sample. */
struct key_hot {
	uint64_t inclusive, samples;
	uint64_t stamp; /* number of the last sample that was counted */
	struct threads_seen threads;
};
struct key_sum {
	uint64_t self, self_samples, occurrences, threads, idle;
	uint32_t kind;	 /* string; UNSET: no frame yet; NO_STRING: null, or frames differ */
	uint8_t inlined; /* 0 no frame yet, 1 all frames are inlined, 2 not all */
};

/* What a key's frames were like, beyond the key: each distinct one is interned in tally.details. */
enum detail_kind { DETAIL_VARIANT, DETAIL_SOURCE, DETAIL_ADDRESS };
struct detail {
	uint32_t key, kind;
	uint32_t a; /* variant: spelling; source: file; address: build id (or NO_STRING) */
	uint32_t b; /* source: not used; address: offset */
	uint64_t line;
};

struct module_sum {
	uint32_t dso, build_id, kind, symbols, reason; /* strings */
	uint64_t self, unresolved_self;
};

struct path_sum {
	uint64_t weight, samples;
};

enum mode { MODE_USER, MODE_KERNEL, MODE_OTHER, MODES };

/* One event. */
struct tally {
	struct pl_str name, unit, weight_source, source; /* views of profile.strings */
	uint64_t samples, weight, stackless, lost, threads, multi_frame_weight, idle_weight;
	unsigned __int128 squares; /* sum of weight^2: at most weight^2, so it fits */
	uint64_t unresolved[MODES], known_mode_weight;
	uint64_t source_line_self, inlined_frames, cut_weight, suspect_callers, jit_frames;
	uint64_t unresolved_callers, trusted_frames;
	uint64_t largest; /* weight of the heaviest sample, and its stack as text */
	struct pl_buf largest_stack;
	uint64_t announced, received;

	uint64_t stream;     /* the last one that had it */
	struct key_hot *hot; /* by key */
	struct key_sum *keys;
	size_t hot_cap, keys_cap;
	struct pl_intern details; /* struct detail */
	uint64_t *detail_self;
	size_t detail_cap;
	struct pl_intern modules; /* dso, build_id */
	struct module_sum *module_sums;
	size_t module_cap;
	struct pl_intern paths; /* sequences of keys, root first */
	struct path_sum *path_sums;
	size_t path_cap;
};

struct profile {
	enum group_by group_by;
	bool paths_kept;
	const char *only_event;	     /* --event */
	uint64_t max_paths, paths_n; /* over all events */
	uint64_t max_cells, cells;   /* keys times events: what the sums take room for */
	uint64_t streams;	     /* read so far */
	uint64_t stamp;		     /* samples counted so far */
	uint64_t received;	     /* samples of the streams read so far */
	struct pl_intern strings;
	struct pl_intern keys;	/* see profile_key() */
	struct tally **tallies; /* each allocated by itself: pointers stay */
	size_t tallies_n, tallies_cap;
	struct pl_intern identities; /* of the tallies */
	/* of the whole input */
	uint64_t malformed, skipped, replaced;
	bool digest_absent;
	bool grouped;  /* some sample had what rows are grouped by: a comm, a tid, a source line */
	bool overflow; /* a sum did not fit 64 bits */
	struct pl_err err;
	struct pl_buf scratch;
};

void profile_start(struct profile *p);
void profile_free(struct profile *p);

uint32_t profile_string(struct profile *p, struct pl_str s); /* NO_STRING when absent */
struct pl_str profile_text(const struct profile *p, uint32_t string);

/* The tally of an event, made when new; NULL when --event names another. */
struct tally *profile_tally(struct profile *p, const struct pl_event *event);

/* The key of a name and a DSO; either may be absent, as group_by wants. Interned are the bytes of
 * pl_row_key(). */
uint32_t profile_key(struct profile *p, struct pl_str name, struct pl_str dso);
struct pl_str profile_key_name(const struct profile *p, uint32_t key);
struct pl_str profile_key_dso(const struct profile *p, uint32_t key); /* p NULL: none */

/* Makes room in the tally for every key that there is. */
/* How many keys the tally has room for; those behind have no samples of this event. */
size_t tally_keys(const struct profile *p, const struct tally *t);
/* Says that so many events of so many functions are too much. Returns -1. */
int profile_too_many_cells(struct profile *p, size_t events, size_t functions);
/* 0, or -1 with p->err: keys times events are more than --max-unique-frames lets them be. */
int tally_make_room(struct profile *p, struct tally *t);
void tally_add_detail(struct profile *p, struct tally *t, const struct detail *detail,
		      uint64_t self);
struct module_sum *tally_module(struct tally *t, uint32_t dso, uint32_t build_id);
/* What is said of a module more than once: the least text wins, so that the order of inputs does
 * not matter. */
void module_merge_words(const struct profile *p, struct module_sum *to, uint32_t kind,
			uint32_t symbols, uint32_t reason);
/* 0, or -1 when there would be more paths than allowed (p->err). keys_n >= 1. */
int tally_add_path(struct profile *p, struct tally *t, const uint32_t *keys, size_t keys_n,
		   uint64_t weight, uint64_t samples);
/* A key whose frames are of one kind has it; of several, null. Likewise inlined. */
void key_merge_kind(struct key_sum *key, uint32_t kind, bool inlined);

/* Adds, noting in p->overflow what does not fit. */
static inline void profile_add(struct profile *p, uint64_t *sum, uint64_t v)
{
	p->overflow |= __builtin_add_overflow(*sum, v, sum);
}
/* -1 and p->err when a sum did not fit. */
int profile_check_overflow(struct profile *p);

#endif
