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
	uint64_t base;	      /* of the kernel and its modules: where it was loaded */
	struct pl_str symbol; /* all of it is this function (BPF programs); else absent */
	uint32_t id;	      /* in the stream; UINT32_MAX: no frame yet */
};

struct modules {
	struct module *v; /* by number */
	size_t n, cap;
	/* private */
	struct pl_intern keys, texts;
	struct modules_build_id { /* of files, from the recording's table */
		uint32_t id;	  /* text; BUILD_ID_AMBIGUOUS: two files of this path have two */
	} * table;		  /* by the number of the path in paths */
	size_t table_cap;
	struct pl_intern paths;
	struct pl_buf key, clean;
	uint64_t *replaced;
};

void modules_start(struct modules *ms, uint64_t *replaced);
void modules_free(struct modules *ms);
/* What the recording's table of build IDs says of a file; false: it says two things. */
bool modules_add_build_id(struct modules *ms, const struct pl_perf_build_id *b);
/* The number of the module that a mapping is of. `kernel`: it was mapped by the kernel. */
uint32_t modules_of_mmap(struct modules *ms, const struct pl_perf_mmap *m, bool kernel);
/* A module that has a name only. */
uint32_t modules_named(struct modules *ms, struct pl_str dso, enum module_kind kind, uint64_t base,
		       struct pl_str symbol);
/* The module's number in the stream; writes its record when it has none. */
uint32_t modules_id(struct modules *ms, uint32_t module, struct pl_parser *p);

#endif
