/*
 * unwind: the user stacks of `perf record --call-graph dwarf`: from the registers and the piece of
 * stack that each sample holds, and the call frame information (CFI) of the files that were mapped.
 *
 * Files are hostile and so is libdw's work on them: a child (child.h) does it. Samples are put
 * together to batches, because each question costs two switches of process:
 *
 *     ticket = unwind_add(u, space, attr, sample);      any number of times, until unwind_is_full()
 *     unwind_run(u);
 *     stack = unwind_stack(u, ticket);                  until the next unwind_add()
 *
 * The child reads the bytes of samples where its parent has them: they must be in memory before the
 * first unwind_run(), and stay there unchanged until unwind_end().
 *
 * libdw interprets CFI; the walk is ours and not libdwfl's, which follows frame pointers where CFI
 * is missing (a guess), cannot say why it stopped, and reads CFI anew for each process.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include "child.h"
#include "module.h"
#include "perfsample.h"
#include "space.h"
#include "unwind-stop.h"

struct unwind_options {
	struct pl_str arch;	       /* of the recording, as uname(2) says it */
	const struct modules *modules; /* may grow meanwhile; what is there stays as it is */
	/* The file to read for a module, valid until the next call; NULL: none. Not asked for the
	 * vDSO and for code without a file. */
	const char *(*path_of)(void *context, uint32_t module);
	void *context;
	bool trust_paths; /* use files of modules whose build ID is not known */
	uint32_t depth;	  /* frames of a stack, at least 1 */
	uint64_t max_file_bytes;
	struct pl_child_caps caps; /* seconds: for one piece of work on one file */
};

struct unwind_frame {
	uint64_t address; /* of a caller: where it goes on (the return address, as it is) */
	uint64_t offset;  /* of the address, in the module's file; without a module 0 */
	uint32_t module;  /* UINT32_MAX: nothing was mapped there */
	uint32_t exact;	  /* 1: this instruction was about to run, in the innermost frame, and in
			     those that a signal interrupted; 0: look up address - 1 */
};
struct unwind_stack {
	const struct unwind_frame *frames; /* innermost first; at least one where there are
					      registers */
	size_t n;
	enum unwind_stop stop; /* why it ends there */
	uint32_t module;       /* that was at fault, or UINT32_MAX */
};

struct unwind;

struct unwind *unwind_new(const struct unwind_options *options);
/* Another sample needs the batch to be run first. */
bool unwind_is_full(const struct unwind *u);
/* Takes a sample as it is now in that space: its number in the batch. After unwind_run() a new
 * batch begins. Not when the batch is full. */
size_t unwind_add(struct unwind *u, const struct space *space, const struct pl_perf_attr *attr,
		  const struct pl_perf_sample *sample);
/* Unwinds the batch. Always done afterwards: what the child could not do says so in its stack. */
void unwind_run(struct unwind *u);
struct unwind_stack unwind_stack(const struct unwind *u, size_t ticket);
void unwind_end(struct unwind *u); /* frees it */

#endif
