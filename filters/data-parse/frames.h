/* frames: positions in modules, each defined once in the stream, and the shortcut from an address
 * to its frame */
#ifndef FRAMES_H
#define FRAMES_H

#include "module.h"
#include "space.h"

/* What an address is looked up in, and how. */
struct frames_place {
	const struct space *space; /* NULL: nothing is known to be mapped */
	uint32_t fallback;	   /* the module of what is mapped nowhere */
	uint32_t pid;
	bool is_return; /* a return address: what called lies one byte before it at the least */
};

struct frames {
	struct modules *modules;
	struct pl_parser *parser;
	/* private */
	struct pl_intern keys;
	struct frames_hit {
		uint64_t address, version, who; /* who is 0 where there is none */
		uint32_t id, fallback;
	} * cache;
};

void frames_start(struct frames *f, struct modules *modules, struct pl_parser *parser);
void frames_free(struct frames *f);
/* The frame's id in the stream; writes its definition when it is new. */
uint32_t frames_id(struct frames *f, uint64_t address, const struct frames_place *place);
/* The same where it is known which module the address is in, and where. */
uint32_t frames_id_at(struct frames *f, uint32_t module, uint64_t offset, uint64_t address,
		      const struct frames_place *place);

#endif
