/* perfmap: lines of a JIT compiler to a sorted table */
#include "perfmap.h"
#include "fd.h"
#include "num.h"
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ = 1 << 20, TEXT_MAX = 512 << 20, LINES_MAX = 1 << 25 };

bool perfmap_path(int64_t pid, const char *folder, const struct pl_paths *paths,
		  struct pl_buf *path)
{
	bool contained = !folder && !paths->sysroot && paths->root_of_pid;

	/* which PID another process has in there, nothing says */
	if (contained && pid != paths->pid && paths->pid != paths->inner_pid)
		return false;
	if (contained && pid == paths->pid)
		pid = paths->inner_pid;
	pl_buf_clear(path);
	if (folder) {
		pl_buf_addz(path, folder);
	} else {
		pl_paths_root(paths, path);
		pl_buf_addz(path, "/tmp");
	}
	pl_buf_printf(path, "/perf-%lld.map", (long long)pid);
	return true;
}

static enum perfmap_status open_map(int *fd, const char *path, int64_t owner)
{
	struct stat st;

	*fd = pl_regular_open(path, O_NOFOLLOW);
	if (*fd < 0) {
		bool refused = errno == ELOOP || errno == EISDIR || errno == EINVAL;
		return errno == ENOENT ? PERFMAP_ABSENT
		       : refused       ? PERFMAP_REFUSED
				       : PERFMAP_UNREADABLE;
	}
	if (fstat(*fd, &st) == 0 && (owner < 0 || st.st_uid == 0 || st.st_uid == owner))
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

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void add_line(struct perfmap *map, struct pl_str line)
{
	struct perfmap_symbol symbol;
	uint64_t size;

	while (line.n && is_blank(line.p[line.n - 1]))
		line.n--;
	if (!take_number(&line, &symbol.start) || !take_number(&line, &size) || line.n == 0 ||
	    line.n > UINT32_MAX || size == 0 || map->n == LINES_MAX ||
	    __builtin_add_overflow(symbol.start, size, &symbol.end))
		return;
	symbol.name = (uint32_t)(line.p - map->bytes.p);
	symbol.name_n = (uint32_t)line.n;
	PL_GROW(map->v, map->n + 1, map->cap);
	map->v[map->n++] = symbol;
}

/* ---- later lines over earlier ones ---- */

/* The stretches between all starts and ends of lines, each of which one line has. */
struct stretches {
	uint64_t *at;	       /* where each begins, and the last one ends; rising */
	size_t n;	       /* of at */
	uint32_t *line, *next; /* line + 1, 0: none; the first without one at or behind it */
};

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void cut(struct stretches *s, const struct perfmap *map)
{
	size_t n = 0;

	s->at = pl_alloc(2 * map->n * sizeof *s->at);
	for (size_t i = 0; i < map->n; i++) {
		s->at[n++] = map->v[i].start;
		s->at[n++] = map->v[i].end;
	}
	qsort(s->at, n, sizeof *s->at, by_address);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || s->at[i] != s->at[s->n - 1])
			s->at[s->n++] = s->at[i];
	s->line = pl_alloc(s->n * sizeof *s->line);
	s->next = pl_alloc(s->n * sizeof *s->next);
	for (size_t i = 0; i < s->n; i++)
		s->next[i] = (uint32_t)i;
}

static size_t stretch_at(const struct stretches *s, uint64_t address)
{
	const uint64_t *at = bsearch(&address, s->at, s->n, sizeof *s->at, by_address);

	return (size_t)(at - s->at);
}

/* The first stretch at or behind this one that no line has yet; ways that were gone get shorter. */
static size_t next_free(struct stretches *s, size_t i)
{
	while (s->next[i] != i) {
		s->next[i] = s->next[s->next[i]];
		i = s->next[i];
	}
	return i;
}

/* Lines in their order to stretches in that of addresses: from the last line to the first, each
 * gets what is left of it. */
static void lay(struct perfmap *map)
{
	struct stretches s = {0};
	struct perfmap laid = {0};

	cut(&s, map);
	for (size_t line = map->n; line-- > 0;) {
		size_t end = stretch_at(&s, map->v[line].end);
		size_t i = next_free(&s, stretch_at(&s, map->v[line].start));
		for (; i < end; i = next_free(&s, i)) {
			s.line[i] = (uint32_t)line + 1;
			s.next[i] = (uint32_t)i + 1;
		}
	}
	for (size_t i = 0; i + 1 < s.n; i++) {
		if (s.line[i] == 0)
			continue;
		PL_GROW(laid.v, laid.n + 1, laid.cap);
		laid.v[laid.n] = map->v[s.line[i] - 1];
		laid.v[laid.n].start = s.at[i];
		laid.v[laid.n++].end = s.at[i + 1];
	}
	free(s.at);
	free(s.line);
	free(s.next);
	free(map->v);
	map->v = laid.v;
	map->n = laid.n;
	map->cap = laid.cap;
}

/* ---- reading, finding ---- */

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
	if (map->n)
		lay(map);
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
