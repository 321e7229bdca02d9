/* paths: --path-map, --sysroot, --root-of-pid */
#include "paths.h"
#include "fd.h"
#include "num.h"
#include "regular.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The last number behind "NSpid:" in /proc/PID/status (proc(5)): the PID in the innermost
 * namespace; the PID itself where there is none. */
static int64_t inner_pid(int64_t pid)
{
	static const char key[] = "\nNSpid:";
	char path[64], text[4096];
	uint64_t inner;

	snprintf(path, sizeof path, "/proc/%lld/status", (long long)pid);
	int fd = pl_fd_open(AT_FDCWD, path, O_RDONLY, 0);
	ssize_t got = fd < 0 ? -1 : pl_fd_read(fd, text, sizeof text);
	if (fd >= 0)
		close(fd);
	const char *line = got > 0 ? memmem(text, (size_t)got, key, sizeof key - 1) : NULL;
	if (!line)
		return pid;
	const char *from = line + sizeof key - 1,
		   *end = memchr(from, '\n', (size_t)(text + got - from));
	if (!end)
		return pid;
	const char *last = end;
	while (last > from && last[-1] >= '0' && last[-1] <= '9')
		last--;
	return pl_num_u64((struct pl_str){last, (size_t)(end - last)}, &inner) ? pid
									       : (int64_t)inner;
}

static int open_sysroot(struct pl_paths *paths, struct pl_err *err)
{
	if (paths->root_of_pid)
		return pl_err_set(err, PL_E_INVALID_INPUT,
				  _("--sysroot and --root-of-pid exclude each other"));
	int root = pl_fd_open(AT_FDCWD, paths->sysroot, O_PATH | O_DIRECTORY, 0);
	if (root < 0)
		return pl_err_set(err, PL_E_INVALID_INPUT, _("--sysroot %s: cannot be opened: %s"),
				  paths->sysroot, strerror(errno));
	paths->root = root;
	pl_regular_system(paths->sysroot, root);
	return 0;
}

static int open_root(struct pl_paths *paths, struct pl_err *err)
{
	char path[64];
	uint64_t pid;

	if (pl_num_u64(pl_str(paths->root_of_pid), &pid) || pid == 0 || pid > INT32_MAX)
		return pl_err_set(err, PL_E_INVALID_INPUT, _("--root-of-pid %s: no process ID"),
				  paths->root_of_pid);
	snprintf(path, sizeof path, "/proc/%s/root", paths->root_of_pid);
	int root = pl_fd_open(AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
	if (root < 0)
		return pl_err_set(err, PL_E_INVALID_INPUT,
				  _("--root-of-pid %s: its root cannot be seen: %s"),
				  paths->root_of_pid, strerror(errno));
	paths->root = root;
	snprintf(paths->prefix, sizeof paths->prefix, "/proc/self/fd/%d", root);
	pl_regular_system(paths->prefix, root);
	paths->pid = (int64_t)pid;
	paths->inner_pid = inner_pid(paths->pid);
	return 0;
}

int pl_paths_open(struct pl_paths *paths, struct pl_err *err)
{
	for (size_t i = 0; i < paths->maps.n; i++) {
		const char *equals = strchr(paths->maps.v[i], '=');
		if (paths->maps.v[i][0] != '/' || !equals || equals[1] != '/') {
			pl_err_set(err, PL_E_INVALID_INPUT,
				   _("--path-map %s: not of the form FROM=TO"), paths->maps.v[i]);
			return pl_err_action(err, _("both are absolute paths: "
						    "--path-map /build=/home/me/src"));
		}
	}
	if (paths->sysroot)
		return open_sysroot(paths, err);
	return paths->root_of_pid ? open_root(paths, err) : 0;
}

void pl_paths_close(struct pl_paths *paths)
{
	if (paths->root)
		close(paths->root);
	paths->root = 0;
}

void pl_paths_roots(const struct pl_paths *paths, struct pl_roots *roots)
{
	if (paths->sysroot)
		pl_roots_add(roots, paths->sysroot);
	if (paths->root_of_pid)
		pl_roots_add_system(roots, paths->root);
}

/* Is it this path, or below it? */
static bool is_below(struct pl_str file, struct pl_str folder)
{
	while (folder.n > 1 && folder.p[folder.n - 1] == '/')
		folder.n--;
	return file.n >= folder.n && memcmp(file.p, folder.p, folder.n) == 0 &&
	       (file.n == folder.n || file.p[folder.n] == '/' || folder.n == 1);
}

static bool map(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local)
{
	for (size_t i = 0; i < paths->maps.n; i++) {
		const char *from = paths->maps.v[i], *equals = strchr(from, '=');
		struct pl_str folder = {from, (size_t)(equals - from)};
		if (!is_below(file, folder))
			continue;
		while (folder.n > 0 && folder.p[folder.n - 1] == '/')
			folder.n--;
		pl_buf_addz(local, equals + 1);
		while (local->n > 0 && local->p[local->n - 1] == '/')
			local->n--;
		pl_buf_add(local, file.p + folder.n, file.n - folder.n);
		return true;
	}
	return false;
}

void pl_paths_root(const struct pl_paths *paths, struct pl_buf *local)
{
	if (paths->sysroot)
		pl_buf_addz(local, paths->sysroot);
	else if (paths->root_of_pid)
		pl_buf_addz(local, paths->prefix);
}

void pl_paths_local(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local)
{
	static const char deleted[] = " (deleted)";

	pl_buf_clear(local);
	if (pl_str_ends(file, deleted))
		file.n -= sizeof deleted - 1;
	if (map(paths, file, local))
		return;
	pl_paths_root(paths, local);
	pl_buf_adds(local, file);
}

void pl_paths_source(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local)
{
	pl_buf_clear(local);
	if (!map(paths, file, local))
		pl_buf_adds(local, file);
}
