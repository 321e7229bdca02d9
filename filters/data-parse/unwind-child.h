/*
 * unwind-child: what the parent asks, and what the child answers: byte strings that hold structs,
 * because both are the same program.
 *
 * A question is a row of parts, each begun by its kind: modules, maps, and samples. An answer is,
 * for each sample, a struct unwind_answer and its frames.
 */
#ifndef UNWIND_CHILD_H
#define UNWIND_CHILD_H

#include "unwind-walk.h"

enum { UNWIND_SLOTS = 64 }; /* spaces that the child knows at a time */

struct unwind_question_module { /* behind it the path and the build ID */
	uint32_t number, kind, stop;
	uint32_t path_n, build_id_n;
};
struct unwind_question_maps { /* behind it the maps */
	uint32_t slot, n;
};
struct unwind_question_sample {
	uint32_t number; /* in the batch */
	uint32_t slot, stack_full;
	uint64_t mask;		     /* sample_regs_user */
	struct pl_bytes regs, stack; /* where the parent had them when it forked */
};
/* A part as it is before its bytes. */
struct unwind_part {
	enum { UNWIND_PART_MODULE, UNWIND_PART_MAPS, UNWIND_PART_SAMPLE } kind;
	union {
		struct unwind_question_module module;
		struct unwind_question_maps maps;
		struct unwind_question_sample sample;
	};
};
struct unwind_answer { /* behind it the frames */
	uint32_t n, stop, module, unused;
};

/* In a mark: what the child is at. The sample counts from 1. */
static inline uint64_t unwind_mark(uint32_t sample, uint32_t module)
{
	return ((uint64_t)module << 32) | (sample + 1);
}

struct unwind_service {
	struct unwind_files files;
	uint32_t depth;
	struct pl_child *child;
	/* private */
	struct unwind_slot {
		struct space_map *maps;
		size_t n, cap;
	} slots[UNWIND_SLOTS];
	uint32_t sample; /* that is at work */
};

/* A pl_child_work; its context is a struct unwind_service. */
void unwind_serve(void *context, struct pl_str question, struct pl_buf *answer);

#endif
