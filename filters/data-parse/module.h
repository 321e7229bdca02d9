/*
 * module: the files that code was mapped from, each with its identity: path, build ID, and where
 * the recording has them device and inode. A path alone is no identity.
 */
#ifndef MODULE_H
#define MODULE_H

#include "parser.h"
#include "perfdata.h"

enum module_kind {
	MODULE_USER,
	MODULE_KERNEL, /* offsets are addresses as they were recorded */
	MODULE_KMOD,   /* a kernel module: offsets from where it was loaded */
	MODULE_JIT,    /* code without a file: offsets are addresses, frames carry their process */
	MODULE_VDSO,
	MODULE_DELETED,
	MODULE_GUEST,
	MODULE_UNKNOWN /* addresses that nothing was mapped at: they have no offset */
};

struct module {
	struct pl_str dso;	/* valid UTF-8 */
	struct pl_str build_id; /* hexadecimal; absent: not known */
	enum module_kind kind;
	uint64_t base;	 /* of the kernel and its modules: where it was loaded */
	bool has_symbol; /* all of it is one function, which has its name (BPF programs) */
	uint32_t id;	 /* in the stream; UINT32_MAX: no frame yet */
};

struct modules {
	struct module *v; /* by number */
	size_t n, cap;
	/* private */
	struct pl_intern keys, texts, paths;
	struct modules_path {	   /* by the number of the path */
		uint32_t build_id; /* text, from the recording's table; or none, or two */
		uint64_t device, inode, generation;
		bool seen;
	} * paths_of;
	size_t paths_cap;
	struct pl_buf clean;
	uint64_t *replaced;
};

/* `replaced` is counted up where a name has bytes that are no UTF-8. */
void modules_start(struct modules *ms, uint64_t *replaced);
void modules_free(struct modules *ms);
/* What the recording's table of build IDs says of a file. */
void modules_add_build_id(struct modules *ms, const struct pl_perf_build_id *b);
/* Before replay, for each mapping: false when a second file of this path appears, of which the
 * table then says nothing: it was made at the end, and names one of them. */
bool modules_note_mmap(struct modules *ms, const struct pl_perf_mmap *m);
/* The number of the module that a mapping is of. `kernel`: it was mapped by the kernel. */
uint32_t modules_of_mmap(struct modules *ms, const struct pl_perf_mmap *m, bool kernel);
/* Is this the name of memory that no file holds? */
bool modules_is_anonymous(struct pl_str file);
/* A module that has a name only. */
uint32_t modules_named(struct modules *ms, struct pl_str dso, enum module_kind kind, uint64_t base,
		       bool has_symbol);
/* The kernel itself: by its mapping ("[kernel.kallsyms]_text"), which says where it was loaded;
 * NULL: there is none. */
uint32_t modules_kernel(struct modules *ms, const struct pl_perf_mmap *m);
/* The module's number in the stream; writes its record when it has none. */
uint32_t modules_id(struct modules *ms, uint32_t module, struct pl_parser *p);

#endif
