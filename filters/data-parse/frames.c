/* frames: interned by module, offset, and whether it is a return address */
#include "frames.h"
#include "mem.h"
#include "samplesw.h"

#include <stdlib.h>

enum { CACHE_BITS = 15 };

/* Of which there is one frame. All bytes count. */
struct key {
	uint64_t offset;
	uint32_t module, pid, is_return, unused;
};

void frames_start(struct frames *f, struct modules *modules, struct pl_parser *parser)
{
	*f = (struct frames){.modules = modules, .parser = parser};
	pl_intern_init(&f->keys);
	f->cache = pl_alloc(((size_t)1 << CACHE_BITS) * sizeof *f->cache);
}

void frames_free(struct frames *f)
{
	pl_intern_free(&f->keys);
	free(f->cache);
}

static struct key key_of(const struct frames *f, uint32_t module, uint64_t offset, uint64_t address,
			 const struct frames_place *place)
{
	struct key key = {.module = module, .offset = offset, .is_return = place->is_return};

	switch (f->modules->v[module].kind) {
	case MODULE_UNKNOWN:
	case MODULE_GUEST:
		/* of what is not known there is one frame */
		key.offset = 0;
		key.is_return = false;
		break;
	case MODULE_KERNEL:
		key.offset = address;
		break;
	case MODULE_JIT:
		key.offset = address;
		key.pid = place->pid;
		break;
	default:
		break;
	}
	return key;
}

static void define(struct frames *f, uint32_t id, const struct key *key)
{
	const struct module *module = &f->modules->v[key->module];
	bool known = module->kind != MODULE_UNKNOWN && module->kind != MODULE_GUEST;
	char offset[2 + 16 + 1];
	uint32_t module_id = modules_id(f->modules, key->module, f->parser);

	snprintf(offset, sizeof offset, "0x%llx", (unsigned long long)key->offset);
	pl_samplesw_frame(&f->parser->m->out.buf,
			  &(struct pl_frame){
				  .id = id,
				  .symbol = module->has_symbol ? module->dso : PL_S("unknown"),
				  .module = module_id,
				  .offset = pl_str(known ? offset : NULL),
				  .is_return = key->is_return,
				  .pid = key->pid,
				  .has_pid = module->kind == MODULE_JIT,
			  });
	f->parser->frames = f->keys.n;
}

uint32_t frames_id_at(struct frames *f, uint32_t module, uint64_t offset, uint64_t address,
		      const struct frames_place *place)
{
	struct key key = key_of(f, module, offset, address, place);
	size_t known = f->keys.n;
	uint32_t id = pl_intern(&f->keys, &key, sizeof key);

	if (id == known)
		define(f, id, &key);
	return id;
}

/* An address in a state of a space is always the same position; pids tell JIT code apart, which
 * may be in two processes at one place. */
uint32_t frames_id(struct frames *f, uint64_t address, const struct frames_place *place)
{
	uint64_t version = place->space ? place->space->version : 0;
	uint64_t mixed = (address ^ version << 40) * 0x9e3779b97f4a7c15u;
	struct frames_hit *hit = &f->cache[mixed >> (64 - CACHE_BITS)];
	uint64_t who = (uint64_t)place->pid << 2 | (uint64_t)place->is_return << 1 | 1;

	if (hit->address == address && hit->version == version && hit->who == who &&
	    hit->fallback == place->fallback)
		return hit->id;
	const struct space_map *map = place->space ? space_find(place->space, address) : NULL;
	uint32_t id = frames_id_at(f, map ? map->module : place->fallback,
				   map ? address - map->start + map->pgoff : 0, address, place);
	*hit = (struct frames_hit){address, version, who, id, place->fallback};
	return id;
}
