/* space: sorted maps, shared until they change */
#include "space.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

struct space *space_new(struct spaces *all)
{
	struct space *space = pl_alloc(sizeof *space);

	space->users = 1;
	space->program = UINT32_MAX;
	space->version = ++all->versions;
	return space;
}

struct space *space_share(struct space *space)
{
	space->users++;
	return space;
}

void space_release(struct spaces *all, struct space *space)
{
	if (--space->users)
		return;
	all->maps -= space->n;
	free(space->maps);
	free(space);
}

/* The first map that ends behind the address. */
static size_t lower(const struct space *space, uint64_t address)
{
	size_t low = 0, high = space->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (space->maps[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct space_map *space_find(const struct space *space, uint64_t address)
{
	size_t i = lower(space, address);

	return i < space->n && space->maps[i].start <= address ? &space->maps[i] : NULL;
}

static struct space *copy(struct spaces *all, struct space *from)
{
	struct space *space = space_new(all);

	PL_GROW(space->maps, from->n, space->cap);
	if (from->n)
		memcpy(space->maps, from->maps, from->n * sizeof *from->maps);
	space->n = from->n;
	space->program = from->program;
	all->maps += space->n;
	all->moves += space->n;
	return space;
}

/* Makes maps[at], for `out` old ones, into `in` places. */
static void resize(struct space *space, size_t at, size_t out, size_t in)
{
	PL_GROW(space->maps, space->n + in, space->cap);
	memmove(space->maps + at + in, space->maps + at + out,
		(space->n - at - out) * sizeof *space->maps);
	space->n = space->n - out + in;
}

/* The maps from `first` up to `last` lose what `map` takes; what stays on either side keeps its
 * place in the file. */
static void replace(struct space *space, size_t first, size_t last, struct space_map map)
{
	struct space_map kept[3];
	size_t n = 0;

	if (first < last && space->maps[first].start < map.start) {
		kept[n] = space->maps[first];
		kept[n++].end = map.start;
	}
	kept[n++] = map;
	if (first < last && space->maps[last - 1].end > map.end) {
		kept[n] = space->maps[last - 1];
		kept[n].pgoff += map.end - kept[n].start;
		kept[n++].start = map.end;
	}
	resize(space, first, last - first, n);
	memcpy(space->maps + first, kept, n * sizeof *kept);
}

int space_insert(struct spaces *all, struct space **space, struct space_map map)
{
	enum { MORE = 2 }; /* a map within another makes three of one */

	if ((*space)->n + MORE > SPACE_MAPS_MAX || all->moves > SPACE_MOVES_MAX ||
	    all->maps + MORE + ((*space)->users > 1 ? (*space)->n : 0) > all->max_maps)
		return -1;
	if ((*space)->users > 1) {
		struct space *own = copy(all, *space);
		space_release(all, *space);
		*space = own;
	}
	size_t first = lower(*space, map.start), last = first, before = (*space)->n;
	while (last < (*space)->n && (*space)->maps[last].start < map.end)
		last++;
	replace(*space, first, last, map);
	all->maps += (*space)->n - before;
	all->moves += (*space)->n - first;
	(*space)->version = ++all->versions;
	return 0;
}
