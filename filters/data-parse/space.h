/*
 * space: what was mapped where: the address space of one process, which a fork shares until one of
 * the two changes it. Maps are sorted and do not overlap: a new one takes its place from those that
 * were there.
 */
#ifndef SPACE_H
#define SPACE_H

#include "base.h"

enum { SPACE_MAPS_MAX = 1 << 16 }; /* of one process; vm.max_map_count is 65,530 */
/* Maps moved or copied in all, which takes seconds: a million mappings in processes of a thousand
 * need a tenth of it. Only a hostile recording needs more. */
#define SPACE_MOVES_MAX ((uint64_t)1 << 33)

struct space_map {
	uint64_t start, end; /* end is the first address behind it */
	uint64_t pgoff;	     /* of start, in the file */
	uint32_t module;
	bool exec;
};

struct space {
	struct space_map *maps;
	size_t n, cap;
	uint64_t version; /* no two states of any spaces have the same */
	uint32_t program; /* the module that was mapped first; UINT32_MAX: none yet */
	unsigned users;
};

struct spaces {
	uint64_t versions, moves;
	size_t maps, max_maps; /* of all spaces */
};

struct space *space_new(struct spaces *all);
struct space *space_share(struct space *space);
void space_release(struct spaces *all, struct space *space);
/* The map that holds the address, or NULL. */
const struct space_map *space_find(const struct space *space, uint64_t address);
/*
 * Puts a map in, replacing *space by a copy when others use it. 0, or -1: there are too many maps,
 * in this space or in all, or too much was moved for them; then nothing changed.
 */
int space_insert(struct spaces *all, struct space **space, struct space_map map);

#endif
