/* in: the inputs of a filter: FILE…, "-", stdin; gzip by content; 1 MiB reads; lines */
#include "in.h"
#include "fd.h"
#include "gzip.h"
#include "limits.h"
#include "magic.h"
#include "mem.h"
#include "ring.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

struct input {
	char *path;	/* NULL: stdin; owned */
	struct stat st; /* when it was opened */
	int fd;		/* -1: done with */
};

struct pl_in_private {
	struct pl_in_options options;
	struct input *inputs;
	bool started, at_eof, ended; /* the current input */
	bool failed;		     /* any of them; in->err says how */
	struct pl_in_info info;	     /* of the current input */
	struct pl_ring ring;
	size_t at, fill;     /* in ring.block: first byte not handed out, end of what is there */
	struct pl_buf carry; /* a line that goes on in the next block, at most max_line + 1 of it */
	struct pl_gzip gzip;
	struct pl_buf packed; /* read and not yet unpacked: from packed_at */
	size_t packed_at;
	struct pl_sha256 packed_sha;
	uint64_t unpacked, done; /* of all inputs: bytes for the limit, bytes read for progress */
};

/* ---- opening ---- */

static const char *name_of(const struct input *input)
{
	return input->path ? input->path : _("standard input");
}

const char *pl_in_name(const struct pl_in *in, size_t index)
{
	return name_of(&in->x->inputs[index]);
}

/* Opens a path; out of descriptors, once more with as many as the process may have. */
static int open_path(const char *path)
{
	int fd = pl_fd_open(AT_FDCWD, path, O_RDONLY, 0);
	struct rlimit files;
	if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &files) ||
	    files.rlim_cur == files.rlim_max)
		return fd;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	return pl_fd_open(AT_FDCWD, path, O_RDONLY, 0);
}

/* Learns what the open file is. */
static int look_at(struct input *input, struct pl_err *err)
{
	if (input->fd < 0 || fstat(input->fd, &input->st)) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"), strerror(errno));
		return pl_err_at(err, name_of(input), 0);
	}
	if (S_ISDIR(input->st.st_mode)) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("is a folder, not a file"));
		return pl_err_at(err, name_of(input), 0);
	}
	if (S_ISFIFO(input->st.st_mode))
		pl_fd_widen(input->fd);
	else
		posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

static void start(struct pl_in *in, size_t n, const struct pl_in_options *options)
{
	*in = (struct pl_in){.x = pl_alloc(sizeof *in->x)};
	in->x->options = *options;
	in->x->inputs = pl_alloc(n * sizeof *in->x->inputs);
	in->x->ended = true; /* there is no current input yet */
	if (options->max_line > SIZE_MAX / 2)
		in->x->options.max_line = SIZE_MAX / 2;
	pl_ring_start(&in->x->ring, options->digest);
}

int pl_in_open(struct pl_in *in, const char *const *paths, size_t n,
	       const struct pl_in_options *options)
{
	static const char *const only_stdin[] = {"-"};
	if (n == 0) {
		paths = only_stdin;
		n = 1;
	}
	start(in, n, options);
	bool stdin_taken = false;
	for (size_t i = 0; i < n; i++) {
		struct input *input = &in->x->inputs[in->n++];
		bool is_stdin = strcmp(paths[i], "-") == 0;
		*input = (struct input){.path = is_stdin ? NULL : pl_strdup(paths[i]), .fd = -1};
		if (is_stdin && stdin_taken)
			return pl_err_set(&in->err, PL_E_INVALID_INPUT,
					  _("standard input is named twice"));
		stdin_taken |= is_stdin;
		input->fd = is_stdin ? STDIN_FILENO : open_path(paths[i]);
		if (look_at(input, &in->err))
			return -1;
	}
	return 0;
}

int pl_in_open_fd(struct pl_in *in, int fd, const char *name, const struct pl_in_options *options)
{
	start(in, 1, options);
	in->x->inputs[in->n++] = (struct input){.path = pl_strdup(name), .fd = fd};
	return look_at(&in->x->inputs[0], &in->err);
}

static void close_input(struct input *input)
{
	if (input->fd > STDERR_FILENO)
		close(input->fd);
	input->fd = -1;
}

void pl_in_close(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	if (!x)
		return;
	/* The thread may still read the blocks. */
	pl_ring_free(&x->ring);
	for (size_t i = 0; i < in->n; i++) {
		close_input(&x->inputs[i]);
		free(x->inputs[i].path);
	}
	pl_gzip_free(&x->gzip);
	pl_buf_free(&x->carry);
	pl_buf_free(&x->packed);
	free(x->inputs);
	free(x);
	in->x = NULL;
	in->n = 0;
}

int pl_in_fd(const struct pl_in *in, size_t index)
{
	return in->x->inputs[index].fd;
}

int pl_in_find(const struct pl_in *in, const struct stat *st)
{
	for (size_t i = 0; S_ISREG(st->st_mode) && i < in->n; i++) {
		const struct stat *other = &in->x->inputs[i].st;
		if (st->st_dev == other->st_dev && st->st_ino == other->st_ino)
			return (int)i;
	}
	return -1;
}

uint64_t pl_in_total(const struct pl_in *in)
{
	uint64_t total = 0;
	for (size_t i = 0; i < in->n; i++) {
		if (!S_ISREG(in->x->inputs[i].st.st_mode))
			return 0;
		total += (uint64_t)in->x->inputs[i].st.st_size;
	}
	return total;
}

const struct pl_in_info *pl_in_info(const struct pl_in *in)
{
	return &in->x->info;
}

/* ---- bytes ---- */

static struct input *current(const struct pl_in *in)
{
	return &in->x->inputs[in->index];
}

/* The error in in->err is of the current input, and final. */
static int fail(struct pl_in *in)
{
	in->x->failed = true;
	in->x->at = in->x->fill = 0;
	return pl_err_at(&in->err, name_of(current(in)), 0);
}

static ssize_t read_plain(struct pl_in *in, char *dst, size_t room)
{
	/* A terminal would be asked for its end again. */
	if (in->x->at_eof)
		return 0;
	ssize_t got = pl_fd_read(current(in)->fd, dst, room);
	if (got < 0) {
		pl_err_set(&in->err, PL_E_INVALID_INPUT, _("cannot be read: %s"), strerror(errno));
		return fail(in);
	}
	in->x->at_eof = got == 0;
	in->x->done += (uint64_t)got;
	return got;
}

/* Counts packed bytes that have just come to stand at the end of x->packed. */
static void take_packed(struct pl_in_private *x, size_t n)
{
	x->packed.n += n;
	x->info.packed_bytes += n;
	if (x->options.digest)
		pl_sha256_add(&x->packed_sha, x->packed.p + x->packed.n - n, n);
}

static ssize_t read_packed(struct pl_in *in, char *dst, size_t room)
{
	struct pl_in_private *x = in->x;
	for (;;) {
		struct pl_str rest = {x->packed.p + x->packed_at, x->packed.n - x->packed_at};
		ssize_t made = pl_gzip_read(&x->gzip, &rest, dst, room, &in->err);
		x->packed_at = x->packed.n - rest.n;
		if (made < 0)
			return fail(in);
		if (made > 0)
			return made;
		pl_buf_clear(&x->packed);
		x->packed_at = 0;
		ssize_t got = read_plain(in, x->packed.p, PL_RING_BLOCK);
		if (got < 0)
			return -1;
		if (got == 0)
			return pl_gzip_end(&x->gzip, &in->err) ? fail(in) : 0;
		take_packed(x, (size_t)got);
	}
}

static int check_unchanged(struct pl_in *in)
{
	const struct input *input = current(in);
	const struct stat *a = &input->st;
	struct stat b;
	if (!S_ISREG(a->st_mode))
		return 0;
	if (fstat(input->fd, &b) == 0 && pl_fd_is_same(a, &b))
		return 0;
	pl_err_set(&in->err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was read"));
	pl_err_action(&in->err, _("read a file that nothing writes to, for example a copy"));
	return fail(in);
}

/* The current input has no more bytes: 0, or -1. */
static int end_input(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	if (check_unchanged(in))
		return -1;
	pl_ring_end(&x->ring, x->fill, x->info.sha256);
	if (x->info.packed && x->options.digest)
		pl_sha256_end(&x->packed_sha, x->info.packed_sha256);
	x->ended = true;
	close_input(current(in));
	return 0;
}

/* n unpacked bytes have come to stand at the end of the current block. */
static int take(struct pl_in *in, size_t n)
{
	struct pl_in_private *x = in->x;
	x->fill += n;
	x->info.bytes += n;
	x->unpacked += n;
	if (x->options.max_bytes && x->unpacked > x->options.max_bytes) {
		pl_limit_exceeded(&in->err, PL_LIMIT_INPUT_BYTES, x->options.max_bytes);
		return fail(in);
	}
	if (x->options.progress)
		pl_progress_step(x->options.progress, x->done);
	return 0;
}

/* Adds bytes to the current block: 1, 0 at the end of the input, -1. */
static int read_more(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	char *dst = x->ring.block + x->fill;
	size_t room = PL_RING_BLOCK - x->fill;
	ssize_t got = x->info.packed ? read_packed(in, dst, room) : read_plain(in, dst, room);
	if (got <= 0)
		return (int)got;
	return take(in, (size_t)got) ? -1 : 1;
}

/*
 * More bytes after x->fill, all before having been taken: 1, 0 at the end, -1. Small reads, as
 * pipes give them, share a block until it is half full.
 */
static int refill(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	if (x->failed || x->ended)
		return x->failed ? -1 : 0;
	if (x->fill > PL_RING_BLOCK / 2) {
		pl_ring_next(&x->ring, x->fill);
		x->at = x->fill = 0;
	}
	int more = read_more(in);
	return more ? more : end_input(in);
}

/* ---- the start of an input ---- */

/* What was read turned out to be gzip: n bytes at the start of the block, which is free again. */
static int start_packed(struct pl_in *in, size_t n)
{
	struct pl_in_private *x = in->x;
	x->info.packed = true;
	pl_sha256_start(&x->packed_sha);
	pl_buf_reserve(&x->packed, PL_RING_BLOCK);
	memcpy(x->packed.p, x->ring.block, n);
	take_packed(x, n);
	while (x->fill < PL_MAGIC_MAX) {
		int more = read_more(in);
		if (more <= 0)
			return more;
	}
	return 0;
}

static int start_text(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	struct pl_str start = {x->ring.block, x->fill};
	if (pl_magic_text(start, &in->err))
		return fail(in);
	x->info.bom = pl_str_starts(start, "\xef\xbb\xbf");
	x->at = x->info.bom ? 3 : 0;
	return 0;
}

/* Reads as much as is needed to know what the input is. */
static int start_input(struct pl_in *in)
{
	char *block = in->x->ring.block;
	size_t n = 0;
	while (n < PL_MAGIC_MAX) {
		ssize_t got = read_plain(in, block + n, PL_RING_BLOCK - n);
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	bool packed = pl_gzip_is((struct pl_str){block, n});
	if (packed ? start_packed(in, n) : take(in, n))
		return -1;
	return in->x->options.text ? start_text(in) : 0;
}

/* Leaves the current input, whether it was read to its end or not. */
static void leave_input(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	close_input(current(in));
	pl_ring_reset(&x->ring);
	pl_gzip_free(&x->gzip);
	pl_buf_clear(&x->packed);
	x->packed_at = x->at = x->fill = 0;
	x->ended = true;
	in->index++;
}

int pl_in_next(struct pl_in *in)
{
	struct pl_in_private *x = in->x;
	if (x->failed)
		return -1;
	if (x->started && in->index < in->n)
		leave_input(in);
	x->started = true;
	if (in->index == in->n)
		return 0;
	x->info = (struct pl_in_info){0};
	x->at_eof = x->ended = false;
	in->line = in->offset = 0;
	return start_input(in) ? -1 : 1;
}

/* ---- lines and blocks ---- */

/* A line of `n` bytes, of which *line holds the first (all, if it is not too long). */
static enum pl_in_line hand_out(struct pl_in *in, struct pl_str *line, uint64_t n, bool ended)
{
	const struct pl_in_options *options = &in->x->options;
	in->line++;
	in->x->info.lines++;
	in->line_ended = ended;
	if (options->text && ended && n > 0 && line->n == n && line->p[n - 1] == '\r')
		line->n = --n;
	if (n <= options->max_line)
		return PL_IN_LINE;
	line->n = options->max_line;
	return PL_IN_TOO_LONG;
}

static uint64_t position(const struct pl_in_private *x)
{
	return x->info.bytes - (x->fill - x->at);
}

/*
 * A line whose end is not in the block: what there is of it is carried over. One byte more than
 * max_line is kept, because that may be the CR of a line end.
 */
static enum pl_in_line straddling_line(struct pl_in *in, struct pl_str *line)
{
	struct pl_in_private *x = in->x;
	uint64_t n = 0;
	bool ended = false;
	in->offset = position(x);
	pl_buf_clear(&x->carry);
	for (;;) {
		const char *start = x->ring.block + x->at;
		const char *end = memchr(start, '\n', x->fill - x->at);
		size_t piece = end ? (size_t)(end - start) : x->fill - x->at;
		size_t room = x->options.max_line + 1 - x->carry.n;
		pl_buf_add(&x->carry, start, piece < room ? piece : room);
		n += piece;
		x->at += piece + (end != NULL);
		ended = end != NULL;
		int more = ended ? 0 : refill(in);
		if (more < 0)
			return PL_IN_ERROR;
		if (more == 0)
			break;
	}
	*line = pl_buf_str(&x->carry);
	return ended || n > 0 ? hand_out(in, line, n, ended) : PL_IN_END;
}

enum pl_in_line pl_in_line(struct pl_in *in, struct pl_str *line)
{
	struct pl_in_private *x = in->x;
	const char *start = x->ring.block + x->at;
	const char *end = memchr(start, '\n', x->fill - x->at);
	if (!end)
		return straddling_line(in, line);
	in->offset = position(x);
	*line = (struct pl_str){start, (size_t)(end - start)};
	x->at += line->n + 1;
	return hand_out(in, line, line->n, true);
}

struct pl_str pl_in_peek(const struct pl_in *in)
{
	const struct pl_in_private *x = in->x;
	return (struct pl_str){x->ring.block + x->at, x->fill - x->at};
}

void pl_in_take(struct pl_in *in, size_t bytes, uint64_t lines)
{
	in->x->at += bytes;
	in->x->info.lines += lines;
	in->line += lines;
	in->line_ended = true;
}

int pl_in_block(struct pl_in *in, struct pl_str *block)
{
	struct pl_in_private *x = in->x;
	if (x->at == x->fill) {
		int more = refill(in);
		if (more <= 0)
			return more;
	}
	*block = (struct pl_str){x->ring.block + x->at, x->fill - x->at};
	x->at = x->fill;
	return 1;
}
