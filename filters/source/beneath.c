/* beneath: opens a file below a folder, wherever its name and the links on its way would lead */
#include "beneath.h"
#include "fd.h"
#include "regular.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- what is opened ---- */

static int refuse(const char *path, struct pl_err *err)
{
	int reason = errno;

	switch (reason) {
	case EXDEV:
		pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("leads out of the workspace"));
		pl_err_action(err, _("only files below --workspace are read"));
		break;
	case ELOOP:
	case EAGAIN:
		pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION,
			   _("it cannot be told whether this stays in the workspace: %s"),
			   strerror(reason));
		break;
	case ESTALE:
		pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, _("changed while it was opened"));
		break;
	case EISDIR:
		pl_err_set(err, PL_E_INVALID_INPUT, _("is a folder, not a file"));
		break;
	case EINVAL:
		pl_err_set(err, PL_E_INVALID_INPUT, _("is no regular file"));
		break;
	default:
		pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"), strerror(reason));
	}
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

/* The part of an absolute path below the workspace, by either of its names, or NULL: whether a path
 * that begins otherwise leads there could only be told by looking outside. */
static const char *relative(const struct pl_within *w, const char *workspace, const char *path)
{
	const char *rest = pl_within_rest(w->real, path);

	if (!rest && *workspace == '/')
		rest = pl_within_rest(workspace, path);
	return rest && !*rest ? "." : rest;
}

int beneath_open(const char *workspace, const char *path, struct pl_buf *name, struct pl_err *err)
{
	char *real = realpath(workspace, NULL);
	struct pl_within w = {
		.root = pl_fd_open(AT_FDCWD, workspace, O_PATH | O_DIRECTORY, 0),
		.real = real,
	};
	int fd = -1;

	if (w.root < 0 || !real) {
		pl_err_set(err, PL_E_INVALID_INPUT, _("the workspace cannot be opened: %s"),
			   strerror(errno));
		pl_err_at(err, workspace, 0);
	} else {
		const char *below = *path == '/' ? relative(&w, workspace, path) : path;
		errno = EXDEV;
		fd = below ? pl_regular_open_within(&w, below) : -1;
		if (fd >= 0)
			tidy(below, name);
		else
			refuse(path, err);
	}
	if (w.root >= 0)
		close(w.root);
	free(real);
	return fd;
}
