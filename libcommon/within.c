/* within: opens what a path names in a folder, and nothing outside of it */
#include "within.h"
#include "fd.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as in the kernel: more are a loop */

struct walk {
	const struct pl_within *within;
	int at;		    /* where it is: the folder, or one to be closed */
	struct pl_buf done; /* the way there, which has no links: "/a/b" */
	struct pl_buf rest; /* what is left of the path */
	size_t from;	    /* of rest */
	unsigned links;
};

const char *pl_within_rest(const char *folder, const char *path)
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

static int fail(int reason)
{
	errno = reason;
	return -1;
}

/* fd may be -1. */
static int move(struct walk *w, int fd)
{
	int reason = errno;

	if (w->at >= 0 && w->at != w->within->root)
		close(w->at);
	w->at = fd;
	errno = reason;
	return fd < 0 ? -1 : 0;
}

static int enter(struct walk *w, const char *name)
{
	return move(w, pl_fd_open(w->at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0));
}

/* "..": the way is gone again but for its last step, because what the kernel calls the parent may
 * have become another one. */
static int leave(struct walk *w)
{
	char *slash = w->done.n ? strrchr(w->done.p, '/') : NULL;
	int failed = 0;

	if (!slash)
		return w->within->real ? fail(EXDEV) : 0;
	w->done.n = (size_t)(slash - w->done.p);
	*slash = '\0';
	move(w, w->within->root);
	for (char *name = w->done.p; *name && !failed; name = slash) {
		slash = strchrnul(++name, '/');
		char end = *slash;
		*slash = '\0';
		failed = enter(w, name);
		*slash = end;
	}
	return failed;
}

/* What the link says comes before the rest. */
static int follow(struct walk *w, const char *target, bool more)
{
	struct pl_buf rest = {0};

	if (++w->links > LINKS_MAX)
		return fail(ELOOP);
	if (*target == '/') {
		const char *below =
			w->within->real ? pl_within_rest(w->within->real, target) : target;
		if (!below)
			return fail(EXDEV);
		target = below;
		move(w, w->within->root);
		pl_buf_clear(&w->done);
	}
	pl_buf_addz(&rest, target);
	if (more)
		pl_buf_printf(&rest, "/%s", w->rest.p + w->from);
	pl_buf_free(&w->rest);
	w->rest = rest;
	w->from = 0;
	return 0;
}

/* Takes the first part off the rest; one that is too long stays so. *more: a slash is behind it. */
static bool take_name(struct walk *w, char name[NAME_MAX + 2], bool *more)
{
	const char *from = w->rest.p + w->from;
	size_t n = strcspn(from, "/"), copied = n > NAME_MAX ? NAME_MAX + 1 : n;

	if (w->from >= w->rest.n)
		return false;
	memcpy(name, from, copied);
	name[copied] = '\0';
	*more = from[n] == '/';
	w->from += n + *more;
	return true;
}

/* One part: 0, go on; -1 and errno; or what the last part names, open. */
static int step(struct walk *w, const char *name, bool more, int flags)
{
	char target[PATH_MAX + 1];

	if (!*name || strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0)
		return leave(w);
	ssize_t n = readlinkat(w->at, name, target, sizeof target);
	if (n < 0 && errno != EINVAL)
		return -1;
	if (n > PATH_MAX)
		return fail(ENAMETOOLONG);
	if (n >= 0) {
		target[n] = '\0';
		return !more && flags & O_NOFOLLOW ? fail(ELOOP) : follow(w, target, more);
	}
	if (!more)
		return pl_fd_open(w->at, name, flags | O_NOFOLLOW, 0);
	if (enter(w, name))
		return -1;
	pl_buf_printf(&w->done, "/%s", name);
	return 0;
}

int pl_within_open(const struct pl_within *within, const char *path, int flags)
{
	struct walk w = {.within = within, .at = within->root};
	char name[NAME_MAX + 2];
	bool more;
	int fd = 0;

	pl_buf_addz(&w.rest, path);
	while (fd == 0 && take_name(&w, name, &more))
		fd = step(&w, name, more, flags);
	if (fd == 0)
		fd = pl_fd_open(w.at, ".", flags, 0);
	move(&w, within->root);
	int reason = errno;
	pl_buf_free(&w.done);
	pl_buf_free(&w.rest);
	errno = reason;
	return fd;
}
