/*
 * resolver: from positions in modules to functions and lines: what the child of pl-symbolize does.
 * All that it opens is hostile, and most of what reads it is not ours.
 */
#ifndef RESOLVER_H
#define RESOLVER_H

#include "binary.h"
#include "child.h"
#include "demangle.h"
#include "kernel.h"
#include "perfmap.h"
#include "question.h"

struct resolver_options {
	/* The file of the one module there is, open: nothing is looked for by the module's name.
	 * The path says what lies beside it. fd 0: there is none. */
	struct {
		int fd;
		const char *path;
	} file;
	bool inlines, lines, raw_names, trust_paths;
	struct pl_paths paths;
	struct pl_list debug_roots;
	const char *jit_dir; /* where maps of JIT compilers are, instead of /tmp; or NULL */
	const char *cache;   /* perf's build ID cache, or NULL */
	const char *fetched; /* the cache of debuginfod's client, or NULL */
};

/* What the child does with a module: the parent learns at which of these it died. */
enum resolver_stage { RESOLVER_SYMBOLS = 1, RESOLVER_DEMANGLE = 2, RESOLVER_DWARF = 4 };

struct resolver {
	const struct resolver_options *options;
	struct kernel *kernel;
	struct pl_child *child; /* whose marks are set */
	/* private */
	int64_t user; /* who we are */
	struct resolver_module {
		struct pl_str dso, build_id;
		uint64_t base;
		enum resolver_kind {
			RESOLVER_FILE,
			RESOLVER_KERNEL,
			RESOLVER_KMOD, /* its names come with the kernel's */
			RESOLVER_JIT
		} kind;
		bool known, opened;
		bool path_is_not_its; /* the file there is not the one that ran: it was deleted, or
					 is a guest's */
		unsigned died;	      /* stages */
		const char *refused;  /* reason, of what is no file; or how it died */
		const char *not_loaded; /* of a kernel module: why the one that is loaded is not it
					 */
		struct binary binary;
	} * modules; /* by number */
	size_t modules_n, modules_cap;
	struct pl_str kernel_id; /* build ID of the kernel that was recorded; absent: not known */
	struct pl_intern pids;
	struct resolver_map {
		struct perfmap map;
		enum perfmap_status status;
	} * maps; /* by the number of the PID */
	size_t maps_cap;
	struct demangle names;
	struct pl_arena texts;
	struct pl_buf path, text;
};

/* Before the sandbox: it asks who we are. The child may be made later. */
void resolver_start(struct resolver *r, const struct resolver_options *options,
		    struct kernel *kernel, struct pl_child *child);
/* pl_child_work; context is the resolver. Answers stand in the order of the questions: first those
 * for frames, then those for modules, of which more is known by then. */
void resolver_work(void *context, struct pl_str questions, struct pl_buf *answers);
/* In the parent: the child died at this mark. The module loses that stage, with this reason. false:
 * it was at nothing that could be left out. */
bool resolver_died(struct resolver *r, uint64_t mark, bool late);
void resolver_end(struct resolver *r);

#endif
