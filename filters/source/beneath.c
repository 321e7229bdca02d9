/*
 * beneath: opens a file below a folder, wherever its name and the links on its way would lead.
 *
 * openat2(2) with RESOLVE_BENEATH lets the kernel watch every step, whoever moves folders
 * meanwhile. It refuses absolute links, also those that lead back inside, and older kernels and
 * some containers have no openat2. In both cases the path is resolved first, and what it turns out
 * to be is walked from the workspace without following any link: a link that appears on the way
 * ends the walk.
 */
#include "beneath.h"
#include "fd.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ATTEMPTS = 64 }; /* while folders on the way are being renamed */

struct workspace {
	int folder; /* O_PATH */
	char *real; /* without links */
};

/* What follows the folder in a path that begins with its name, or NULL. */
static const char *rest_below(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	while (n > 0 && folder[n - 1] == '/')
		n--;
	if (strncmp(folder, path, n) != 0 || (path[n] && path[n] != '/'))
		return NULL;
	path += n;
	while (*path == '/')
		path++;
	return path;
}

/* ---- the two ways to open ---- */

static int open_by_kernel(int folder, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = -1;

	for (int i = 0; i < ATTEMPTS; i++) {
		fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd;
}

/* Follows no link at all. Overwrites the slashes in path. */
static int walk(int folder, char *path, int flags)
{
	int at = folder;

	for (;;) {
		char *slash = strchr(path, '/');
		if (slash)
			*slash = '\0';
		int fd = pl_fd_open(at, path, (slash ? O_PATH | O_DIRECTORY : flags) | O_NOFOLLOW,
				    0);
		int reason = errno;
		if (at != folder)
			close(at);
		errno = reason;
		if (fd < 0 || !slash)
			return fd;
		at = fd;
		path = slash + 1;
	}
}

static int open_resolved(const struct workspace *w, const char *path, int flags)
{
	struct pl_buf whole = {0};
	int fd = -1;

	pl_buf_printf(&whole, "%s/%s", w->real, path);
	char *resolved = realpath(whole.p, NULL);
	pl_buf_free(&whole);
	if (!resolved)
		return -1;
	const char *rest = rest_below(w->real, resolved);
	if (!rest)
		errno = EXDEV;
	else
		fd = walk(w->folder, *rest ? resolved + (rest - resolved) : (char[]){"."}, flags);
	int reason = errno;
	free(resolved);
	errno = reason;
	return fd;
}

/* Do more of its steps go up than down? */
static bool climbs_out(const char *path)
{
	size_t depth = 0;

	while (*path) {
		size_t n = strcspn(path, "/");
		if (n == 2 && path[0] == '.' && path[1] == '.') {
			if (depth-- == 0)
				return true;
		} else if (n > 0 && !(n == 1 && *path == '.')) {
			depth++;
		}
		path += n + (path[n] == '/');
	}
	return false;
}

/*
 * A descriptor, or -1 and errno, EXDEV saying that path leads outside. What can only be found out
 * by looking outside (is there something?) must not be told by another errno. A link may go out and
 * come back; a name that does is no name within the workspace.
 */
static int open_inside(const struct workspace *w, const char *path, int flags)
{
	int fd = open_by_kernel(w->folder, path, flags);

	/* EPERM is what containers say that do not know the call */
	if (fd >= 0 || (errno != EXDEV && errno != ENOSYS && errno != EPERM))
		return fd;
	bool outside = errno == EXDEV, climbs = climbs_out(path);
	if (!climbs)
		fd = open_resolved(w, path, flags);
	if (fd < 0 && (outside || climbs))
		errno = EXDEV;
	return fd;
}

/* ---- what is opened ---- */

static int refuse(const char *path, struct pl_err *err)
{
	int reason = errno;

	if (reason == EXDEV) {
		pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("leads out of the workspace"));
		pl_err_action(err, _("only files below --workspace are read"));
	} else if (reason == ELOOP || reason == EAGAIN) {
		pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION,
			   _("it cannot be told whether this stays in the workspace: %s"),
			   strerror(reason));
	} else {
		pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"), strerror(reason));
	}
	return pl_err_at(err, path, 0);
}

static int refuse_kind(const char *path, const struct stat *st, struct pl_err *err)
{
	pl_err_set(err, PL_E_INVALID_INPUT,
		   S_ISDIR(st->st_mode) ? _("is a folder, not a file") : _("is no regular file"));
	return pl_err_at(err, path, 0);
}

/* Looks first what it is: opening a device or a FIFO can have effects. */
static int open_regular(const struct workspace *w, const char *path, struct pl_err *err)
{
	struct stat st, opened;
	int fd = open_inside(w, path, O_PATH);

	if (fd < 0 || fstat(fd, &st))
		return refuse(path, err);
	close(fd);
	if (!S_ISREG(st.st_mode))
		return refuse_kind(path, &st, err);
	fd = open_inside(w, path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &opened))
		return refuse(path, err);
	if (S_ISREG(opened.st_mode) && opened.st_dev == st.st_dev && opened.st_ino == st.st_ino)
		return fd;
	close(fd);
	pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was opened"));
	return pl_err_at(err, path, 0);
}

/* ---- names ---- */

static void tidy(const char *path, struct pl_buf *name)
{
	pl_buf_clear(name);
	while (*path) {
		size_t n = strcspn(path, "/");
		if (n > 0 && !(n == 1 && *path == '.')) {
			if (name->n)
				pl_buf_addc(name, '/');
			pl_buf_add(name, path, n);
		}
		path += n + (path[n] == '/');
	}
	if (name->n == 0)
		pl_buf_addc(name, '.');
}

/* The part of an absolute path below the workspace; *resolved, to be freed, may hold it. NULL: it
 * is not below, or nobody can tell. */
static const char *relative(const struct workspace *w, const char *workspace, const char *path,
			    char **resolved)
{
	const char *rest = rest_below(w->real, path);

	if (!rest && *workspace == '/')
		rest = rest_below(workspace, path);
	if (!rest && (*resolved = realpath(path, NULL)))
		rest = rest_below(w->real, *resolved);
	return rest && !*rest ? "." : rest;
}

int beneath_open(const char *workspace, const char *path, struct pl_buf *name, struct pl_err *err)
{
	struct workspace w = {
		.folder = pl_fd_open(AT_FDCWD, workspace, O_PATH | O_DIRECTORY, 0),
		.real = realpath(workspace, NULL),
	};
	char *resolved = NULL;
	int fd = -1;

	if (w.folder < 0 || !w.real) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("the workspace cannot be opened: %s"),
			   strerror(errno));
		pl_err_at(err, workspace, 0);
	} else {
		const char *below = *path == '/' ? relative(&w, workspace, path, &resolved) : path;
		errno = EXDEV;
		fd = below ? open_regular(&w, below, err) : refuse(path, err);
		if (fd >= 0)
			tidy(below, name);
	}
	if (w.folder >= 0)
		close(w.folder);
	free(w.real);
	free(resolved);
	return fd;
}
