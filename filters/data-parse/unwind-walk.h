/*
 * unwind-walk: from the innermost frame of a stack to the outermost, by the call frame information
 * of the files that are mapped. For a child (child.h).
 */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include "unwind-steps.h"
#include "unwind.h"

/* A module as the parent tells of it. */
struct unwind_module {
	bool told, opened;
	enum module_kind kind;
	char *path;		/* "": none */
	struct pl_buf build_id; /* empty: not known */
	enum unwind_stop stop; /* why it cannot be used; UNWIND_ROOT: it can, or nobody knows yet */
	struct unwind_file file;
};

/* What stays from one stack to the next. */
struct unwind_files {
	const struct unwind_arch *arch;
	bool trust_paths;
	uint64_t max_file_bytes;
	/* Told of each piece of work on a file before it begins. */
	void (*at)(void *context, uint32_t module);
	void *context;
	struct unwind_module *modules; /* by number */
	size_t cap;
	size_t open; /* files */
	struct unwind_steps steps;
};

struct unwind_walk {
	struct unwind_files *files;
	const struct space_map *maps; /* of code: sorted */
	size_t maps_n;
	struct unwind_regs regs; /* of the innermost frame; afterwards of the last one */
	struct pl_bytes stack;	 /* what was saved of it */
	bool stack_full;	 /* and there may be more */
	uint64_t stack_at;	 /* address of its first byte */
};

/* Appends frames, at most `depth`; returns why it ended. *module is the one at fault, or
 * UINT32_MAX. */
enum unwind_stop unwind_walk(struct unwind_walk *w, uint32_t depth, struct pl_buf *frames,
			     uint32_t *module);

/* Makes place for a module, which the caller fills in. */
struct unwind_module *unwind_files_module(struct unwind_files *files, uint32_t number);

#endif
