/* perfmap: lines of a JIT compiler to a sorted table */
#include "perfmap.h"
#include "fd.h"
#include "num.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ = 1 << 20, TEXT_MAX = 512 << 20 };

void perfmap_path(int64_t pid, const char *folder, const struct paths *paths, struct pl_buf *path)
{
	pl_buf_clear(path);
	if (folder) {
		pl_buf_printf(path, "%s/perf-%lld.map", folder, (long long)pid);
	} else if (paths->root_of_pid && paths->pid == pid) {
		paths_root(paths, path);
		pl_buf_printf(path, "/tmp/perf-%lld.map", (long long)paths->inner_pid);
	} else {
		pl_buf_printf(path, "/tmp/perf-%lld.map", (long long)pid);
	}
}

static enum perfmap_status open_map(int *fd, const char *path, int64_t owner)
{
	struct stat st;

	*fd = pl_fd_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0);
	if (*fd < 0)
		return errno == ENOENT	? PERFMAP_ABSENT
		       : errno == ELOOP ? PERFMAP_REFUSED
					: PERFMAP_UNREADABLE;
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (owner < 0 || st.st_uid == 0 || st.st_uid == owner))
		return PERFMAP_READ;
	close(*fd);
	return PERFMAP_REFUSED;
}

static enum perfmap_status read_all(struct perfmap *map, int fd)
{
	ssize_t got;

	do {
		pl_buf_reserve(&map->bytes, READ);
		got = pl_fd_read(fd, map->bytes.p + map->bytes.n, READ);
		map->bytes.n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && map->bytes.n <= TEXT_MAX);
	return got == 0 ? PERFMAP_READ : PERFMAP_UNREADABLE;
}

/* Takes a hexadecimal number and the blank behind it; some compilers write 0x before it. */
static bool take_number(struct pl_str *line, uint64_t *v)
{
	const char *blank = line->n ? memchr(line->p, ' ', line->n) : NULL;

	if (!blank)
		return false;
	struct pl_str digits = {line->p, (size_t)(blank - line->p)};
	*line = (struct pl_str){blank + 1, line->n - digits.n - 1};
	return pl_num_hex(digits, v) == 0;
}

static void add_line(struct perfmap *map, struct pl_str line)
{
	struct perfmap_symbol symbol;
	uint64_t size;

	if (!take_number(&line, &symbol.start) || !take_number(&line, &size) || line.n == 0 ||
	    line.n > UINT32_MAX || __builtin_add_overflow(symbol.start, size, &symbol.end))
		return;
	symbol.name = (uint32_t)(line.p - map->bytes.p);
	symbol.name_n = (uint32_t)line.n;
	PL_GROW(map->v, map->n + 1, map->cap);
	map->v[map->n++] = symbol;
}

/* Of one start the last line comes first. */
static int by_start(const void *a, const void *b)
{
	const struct perfmap_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name > y->name ? -1 : x->name < y->name;
}

static void sort(struct perfmap *map)
{
	size_t kept = 0;

	if (map->n)
		qsort(map->v, map->n, sizeof *map->v, by_start);
	for (size_t i = 0; i < map->n; i++)
		if (kept == 0 || map->v[kept - 1].start != map->v[i].start)
			map->v[kept++] = map->v[i];
	map->n = kept;
}

enum perfmap_status perfmap_read(struct perfmap *map, const char *path, int64_t owner)
{
	int fd;

	*map = (struct perfmap){0};
	enum perfmap_status status = open_map(&fd, path, owner);
	if (status != PERFMAP_READ)
		return status;
	status = read_all(map, fd);
	close(fd);
	const char *p = map->bytes.p, *all_end = p + map->bytes.n, *end;
	for (; p < all_end; p = end + 1) {
		end = memchr(p, '\n', (size_t)(all_end - p));
		if (!end)
			end = all_end;
		add_line(map, (struct pl_str){p, (size_t)(end - p)});
	}
	sort(map);
	return status;
}

struct pl_str perfmap_find(const struct perfmap *map, uint64_t address)
{
	size_t low = 0, high = map->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (map->v[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address >= map->v[low - 1].end)
		return (struct pl_str){NULL, 0};
	return (struct pl_str){map->bytes.p + map->v[low - 1].name, map->v[low - 1].name_n};
}

void perfmap_free(struct perfmap *map)
{
	free(map->v);
	pl_buf_free(&map->bytes);
}
