/*
 * perfmap: the functions that a JIT compiler made, from the map that it writes: "start size name" a
 * line, hexadecimal (tools/perf/Documentation/jit-interface.txt). Code may be written anew where
 * other code was: where lines overlap, the later one counts.
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include "mem.h"
#include "paths.h"

struct perfmap {
	struct perfmap_symbol {
		uint64_t start, end;
		uint32_t name, name_n; /* in bytes */
	} * v;			       /* by start, each once */
	size_t n, cap;
	struct pl_buf bytes;
};

enum perfmap_status {
	PERFMAP_READ,
	PERFMAP_ABSENT,
	PERFMAP_REFUSED, /* no regular file, or not ours or root's: anybody can write to /tmp */
	PERFMAP_UNREADABLE
};

/* Where the map of a process is: in `folder`, or, where that is NULL, in /tmp of the recorded
 * system: of the sysroot, or of the root that the process of --root-of-pid sees, under the PID that
 * it has there. false: it cannot be known, because PIDs are other ones there. */
bool perfmap_path(int64_t pid, const char *folder, const struct pl_paths *paths,
		  struct pl_buf *path);
/* A map is believed when it is root's or `owner`'s; -1: anyone's, where the folder is one that the
 * user named. After any status there is a table. */
enum perfmap_status perfmap_read(struct perfmap *map, const char *path, int64_t owner);
struct pl_str perfmap_find(const struct perfmap *map, uint64_t address);
void perfmap_free(struct perfmap *map);

#endif
