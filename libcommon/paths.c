/* paths: --path-map, --sysroot, --root-of-pid */
#include "paths.h"
#include "num.h"
#include "text.h"

int pl_paths_check(const struct pl_paths *paths, struct pl_err *err)
{
	uint64_t pid;

	for (size_t i = 0; i < paths->maps.n; i++) {
		const char *equals = strchr(paths->maps.v[i], '=');
		if (paths->maps.v[i][0] != '/' || !equals || equals[1] != '/') {
			pl_err_set(err, PL_E_INVALID_INPUT,
				   _("--path-map %s: not of the form FROM=TO"), paths->maps.v[i]);
			return pl_err_action(err, _("both are absolute paths: "
						    "--path-map /build=/home/me/src"));
		}
	}
	if (paths->root_of_pid &&
	    (pl_num_u64(pl_str(paths->root_of_pid), &pid) || pid == 0 || pid > INT32_MAX))
		return pl_err_set(err, PL_E_INVALID_INPUT, _("--root-of-pid %s: no process ID"),
				  paths->root_of_pid);
	return 0;
}

void pl_paths_roots(const struct pl_paths *paths, struct pl_roots *roots)
{
	struct pl_buf process = {0};

	if (paths->sysroot)
		pl_roots_add(roots, paths->sysroot);
	if (paths->root_of_pid) {
		pl_buf_printf(&process, "/proc/%s", paths->root_of_pid);
		pl_roots_add(roots, process.p);
		pl_buf_addz(&process, "/root");
		pl_roots_add(roots, process.p);
	}
	pl_buf_free(&process);
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

void pl_paths_local(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local)
{
	static const char deleted[] = " (deleted)";

	pl_buf_clear(local);
	if (pl_str_ends(file, deleted))
		file.n -= sizeof deleted - 1;
	if (map(paths, file, local))
		return;
	if (paths->sysroot)
		pl_buf_addz(local, paths->sysroot);
	else if (paths->root_of_pid)
		pl_buf_printf(local, "/proc/%s/root", paths->root_of_pid);
	pl_buf_adds(local, file);
}

void pl_paths_source(const struct pl_paths *paths, struct pl_str file, struct pl_buf *local)
{
	pl_buf_clear(local);
	if (!map(paths, file, local))
		pl_buf_adds(local, file);
}
