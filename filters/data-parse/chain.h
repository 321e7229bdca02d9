/*
 * chain: the call chain of a sample as frames: which of its addresses are the kernel's, the
 * process's, a guest's; which are exact, and which are return addresses.
 *
 * Chains are innermost first, and context markers stand before the part that they name
 * (perf_event_open(2), PERF_CONTEXT_*). The first address of each part is where that part was
 * interrupted or left, and is exact; the others are return addresses.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "frames.h"
#include "perfsample.h"
#include "process.h"
#include "unwind.h"

struct chain_modules {
	uint32_t kernel, guest, hypervisor, unknown; /* of what is mapped nowhere */
};

struct chain {
	uint32_t *ids; /* frames; root first once chain_end() was called */
	size_t depth;
	size_t addresses; /* of the kernel's chain, without its markers */
	size_t users;	  /* of them the process's */
	bool deferred;	  /* the process's part was to follow in a record of its own */
	/* private */
	size_t cap;
};

struct chain_sample {
	const struct pl_perf_attr *attr;
	const struct pl_perf_sample *sample;
	uint16_t misc; /* of the record */
	const struct space *space;
	size_t max_user; /* addresses of the process to take: 0, 1 (where it was), or all */
};

/* The chain that the kernel made, as far as max_user allows; or the sampled address alone where
 * there is none. */
void chain_of(struct chain *c, struct frames *f, const struct chain_modules *modules,
	      const struct space *kernel, const struct chain_sample *s);
/* A position of the process further out than all before. */
void chain_add_user(struct chain *c, struct frames *f, const struct chain_modules *modules,
		    const struct chain_sample *s, uint64_t address, bool is_return);
/* The same, where the module and the offset in it are known; UINT32_MAX: that nothing was mapped.
 */
void chain_add_known(struct chain *c, struct frames *f, const struct chain_modules *modules,
		     const struct chain_sample *s, const struct unwind_frame *frame);
/* Turns it around. */
void chain_end(struct chain *c);
void chain_free(struct chain *c);

/* "user", "kernel", "guest", "hypervisor", or absent: the mode that a record's misc names. */
struct pl_str chain_mode(uint16_t misc);

#endif
