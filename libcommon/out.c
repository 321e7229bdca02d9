/* out: the output of a filter: stdout, or a file that is replaced at once or not at all */
#include "out.h"
#include "fd.h"
#include "limits.h"
#include "mem.h"
#include "temp.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINKS_MAX = 40 };

struct pl_out_private {
	const char *name;    /* for messages */
	char *path;	     /* of the file, symlinks at its end followed; NULL: none */
	const char *base;    /* its last part */
	int fd;		     /* stdout, or something that is written in place; -1: a file */
	int folder;	     /* of a file, or -1 */
	struct pl_temp temp; /* of a file */
	mode_t mode;
	bool held, failed;
	uint64_t max_bytes; /* when held */
};

/* ---- opening ---- */

static int refuse(struct pl_out *out, const char *why)
{
	pl_err_set(&out->err, PL_E_PATH_SAFETY_VIOLATION, "%s", why);
	return pl_err_at(&out->err, out->x->name, 0);
}

static int failed(struct pl_out *out, const char *what, int reason)
{
	out->x->failed = true;
	pl_err_set(&out->err, PL_E_OUTPUT_WRITE_FAILED, "%s: %s", what, strerror(reason));
	return pl_err_at(&out->err, out->x->name, 0);
}

static int refuse_input(struct pl_out *out, const struct pl_in *in, const struct stat *st)
{
	int index = in ? pl_in_find(in, st) : -1;
	if (index < 0)
		return 0;
	pl_err_set(&out->err, PL_E_PATH_SAFETY_VIOLATION, _("is also an input: %s"),
		   pl_in_name(in, (size_t)index));
	pl_err_action(&out->err, _("write to another file"));
	return pl_err_at(&out->err, out->x->name, 0);
}

static int open_stdout(struct pl_out *out, const struct pl_in *in)
{
	struct stat st;
	signal(SIGPIPE, SIG_DFL);
	out->x->fd = STDOUT_FILENO;
	if (fstat(STDOUT_FILENO, &st))
		return failed(out, _("cannot be written"), errno);
	if (S_ISFIFO(st.st_mode))
		pl_fd_widen(STDOUT_FILENO);
	return refuse_input(out, in, &st);
}

/* Something that is neither a regular file nor a folder. */
static int open_in_place(struct pl_out *out, const char *path)
{
	struct stat st;
	signal(SIGPIPE, SIG_DFL);
	int fd = pl_fd_open(AT_FDCWD, path, O_WRONLY, 0);
	if (fd < 0 || fstat(fd, &st))
		return failed(out, _("cannot be opened"), errno);
	out->x->fd = fd;
	if (S_ISREG(st.st_mode))
		return refuse(out, _("became another file while it was opened"));
	if (S_ISFIFO(st.st_mode))
		pl_fd_widen(fd);
	return 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool names_folder(const char *path)
{
	const char *base = last_part(path);
	return !*base || strcmp(base, ".") == 0 || strcmp(base, "..") == 0;
}

/* x->path, a symlink, becomes what the link says. */
static void follow(struct pl_out_private *x, const char *link, size_t n)
{
	struct pl_buf path = {0};
	if (link[0] != '/')
		pl_buf_add(&path, x->path, (size_t)(last_part(x->path) - x->path));
	pl_buf_add(&path, link, n);
	free(x->path);
	x->path = path.p;
}

/* x->path becomes the file itself where it is a symlink. */
static int follow_all(struct pl_out *out)
{
	char link[PATH_MAX];
	for (int i = 0; i < LINKS_MAX; i++) {
		if (names_folder(out->x->path))
			return refuse(out, _("is a folder, not a file"));
		ssize_t n = readlink(out->x->path, link, sizeof link);
		if (n < 0)
			return 0;
		if (n == 0 || (size_t)n == sizeof link)
			break;
		follow(out->x, link, (size_t)n);
	}
	return refuse(out, _("leads through too many symlinks"));
}

/* Makes the folders above x->base that are missing: 0, or -1 and errno. */
static int make_parents(struct pl_out_private *x)
{
	for (char *slash = strchr(x->path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		int bad = mkdir(x->path, 0777) && errno != EEXIST;
		*slash = '/';
		if (bad)
			return -1;
	}
	return 0;
}

static int open_folder(struct pl_out *out)
{
	struct pl_out_private *x = out->x;
	x->base = last_part(x->path);
	size_t n = (size_t)(x->base - x->path);
	struct pl_buf folder = {0};
	pl_buf_add(&folder, n ? x->path : ".", n ? n : 1);
	if (make_parents(x) == 0)
		x->folder = pl_fd_open(AT_FDCWD, folder.p, O_RDONLY | O_DIRECTORY, 0);
	int reason = errno;
	pl_buf_free(&folder);
	return x->folder < 0 ? failed(out, _("its folder cannot be opened"), reason) : 0;
}

static mode_t new_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* A regular file, `old` being what stands in its place, or NULL. */
static int open_file(struct pl_out *out, const struct stat *old)
{
	struct pl_out_private *x = out->x;
	struct stat st;
	if (follow_all(out) || open_folder(out))
		return -1;
	/* A link in /proc may name what is no longer there. */
	if (old && (fstatat(x->folder, x->base, &st, AT_SYMLINK_NOFOLLOW) ||
		    st.st_dev != old->st_dev || st.st_ino != old->st_ino))
		return refuse(out, _("is reached by a link that does not lead back to it"));
	if (pl_temp_open(&x->temp, x->folder, x->base))
		return failed(out, _("cannot be created"), errno);
	/* A process that died by SIGPIPE, from its stderr, could not clean up. */
	signal(SIGPIPE, SIG_IGN);
	x->mode = old ? old->st_mode & 0777 : new_mode();
	return 0;
}

static int open_path(struct pl_out *out, const char *path, const struct pl_in *in)
{
	struct stat st;
	if (!*path)
		return refuse(out, _("the output has an empty name"));
	out->x->path = pl_strdup(path);
	/* The kernel follows links here by its own rules, which protect those in /tmp. */
	int fd = pl_fd_open(AT_FDCWD, path, O_PATH, 0);
	if (fd < 0)
		return errno == ENOENT ? open_file(out, NULL)
				       : failed(out, _("cannot be opened"), errno);
	int bad = fstat(fd, &st);
	close(fd);
	if (bad)
		return failed(out, _("cannot be opened"), errno);
	if (S_ISDIR(st.st_mode))
		return refuse(out, _("is a folder, not a file"));
	if (!S_ISREG(st.st_mode))
		return open_in_place(out, path);
	return refuse_input(out, in, &st) ? -1 : open_file(out, &st);
}

int pl_out_open(struct pl_out *out, const char *path, const struct pl_in *in)
{
	*out = (struct pl_out){.x = pl_alloc(sizeof *out->x)};
	*out->x = (struct pl_out_private){.fd = -1, .folder = -1, .temp.fd = -1};
	if (!path || strcmp(path, "-") == 0) {
		out->x->name = _("standard output");
		return open_stdout(out, in);
	}
	out->x->name = path;
	return open_path(out, path, in);
}

int pl_out_folder(const struct pl_out *out)
{
	return out->x ? out->x->folder : -1;
}

/* ---- writing ---- */

void pl_out_hold(struct pl_out *out, uint64_t max_bytes)
{
	out->x->held = true;
	out->x->max_bytes = max_bytes;
}

static int pass_on(struct pl_out *out)
{
	struct pl_out_private *x = out->x;
	if (x->failed)
		return -1;
	if (pl_fd_write(x->fd >= 0 ? x->fd : x->temp.fd, out->buf.p, out->buf.n))
		return failed(out, _("cannot be written"), errno);
	out->written += out->buf.n;
	pl_buf_clear(&out->buf);
	return 0;
}

static int check_held(struct pl_out *out)
{
	if (!out->x->held || out->buf.n <= out->x->max_bytes)
		return 0;
	out->x->failed = true;
	return pl_limit_exceeded(&out->err, PL_LIMIT_OUTPUT_BYTES, out->x->max_bytes);
}

int pl_out_flush(struct pl_out *out)
{
	return out->x->held ? check_held(out) : pass_on(out);
}

int pl_out_close(struct pl_out *out)
{
	struct pl_out_private *x = out->x;
	if (check_held(out) || pass_on(out))
		return -1;
	if (x->fd < 0) {
		if (pl_temp_publish(&x->temp, x->base, x->mode))
			return failed(out, _("cannot be written"), errno);
	} else {
		/* Some file systems tell only here that they are full. */
		int bad = close(x->fd);
		x->fd = -1;
		if (bad)
			return failed(out, _("cannot be written"), errno);
	}
	pl_out_discard(out);
	return 0;
}

void pl_out_discard(struct pl_out *out)
{
	struct pl_out_private *x = out->x;
	pl_buf_free(&out->buf);
	if (!x)
		return;
	if (x->fd > STDERR_FILENO)
		close(x->fd);
	pl_temp_discard(&x->temp);
	if (x->folder >= 0)
		close(x->folder);
	free(x->path);
	free(x);
	out->x = NULL;
}
