/* roots: below which folders a program that resolves symbols may read */
#include "roots.h"
#include "fd.h"
#include "mem.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void take(struct pl_roots *roots, char *folder)
{
	PL_GROW(roots->v, roots->n + 1, roots->cap);
	roots->v[roots->n++] = folder;
}

/* The folder's absolute path, to be freed; NULL when it is none. */
static char *resolve(const char *path)
{
	struct stat st;
	char *real = realpath(path, NULL);

	if (real && stat(real, &st) == 0 && S_ISDIR(st.st_mode))
		return real;
	if (real)
		errno = ENOTDIR;
	free(real);
	return NULL;
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 &&
	       (path[n] == '\0' || path[n] == '/' || (n > 0 && folder[n - 1] == '/'));
}

void pl_roots_add(struct pl_roots *roots, const char *folder)
{
	char *real = resolve(folder);

	for (size_t i = 0; real && i < roots->n; i++) {
		if (is_below(real, roots->v[i])) {
			free(real);
			return;
		}
	}
	if (real)
		take(roots, real);
}

static bool is_left_out(const char *name)
{
	static const char *const names[] = {".", "..", "proc", "sys", "dev", "run"};

	for (size_t i = 0; i < PL_COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool is_kernels(const char *path)
{
	return is_below(path, "/proc") || is_below(path, "/sys") || is_below(path, "/dev") ||
	       is_below(path, "/run");
}

/* A top-level link to where nothing may be read does not open it. */
static void add_top_level(struct pl_roots *roots)
{
	DIR *top = opendir("/");
	struct dirent *entry;

	while (top && (entry = readdir(top))) {
		struct pl_buf path = {0};
		if (is_left_out(entry->d_name))
			continue;
		pl_buf_printf(&path, "/%s", entry->d_name);
		char *real = resolve(path.p);
		if (real && !is_kernels(real) && strcmp(real, "/") != 0)
			pl_roots_add(roots, real);
		free(real);
		pl_buf_free(&path);
	}
	if (top)
		closedir(top);
}

int pl_roots(struct pl_roots *roots, const struct pl_list *given, struct pl_err *err)
{
	*roots = (struct pl_roots){0};
	if (given->n == 0)
		add_top_level(roots);
	for (size_t i = 0; i < given->n; i++) {
		char *real = resolve(given->v[i]);
		if (!real) {
			pl_err_set(err, PL_E_INVALID_INPUT, _("is no folder to read in: %s"),
				   strerror(errno));
			return pl_err_at(err, given->v[i], 0);
		}
		take(roots, real);
	}
	return 0;
}

/* Named by its descriptor: another process's root cannot be reached by a path once the sandbox is
 * in force. Links there lead to where they would from our root, and are left out. */
void pl_roots_add_system(struct pl_roots *roots, int root)
{
	int fd = pl_fd_open(root, ".", O_RDONLY | O_DIRECTORY, 0);
	DIR *top = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;

	while (top && (entry = readdir(top))) {
		struct pl_buf path = {0};
		if (is_left_out(entry->d_name) ||
		    fstatat(root, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)))
			continue;
		pl_buf_printf(&path, "/proc/self/fd/%d/%s", root, entry->d_name);
		take(roots, pl_strdup(path.p));
		pl_buf_free(&path);
	}
	if (top)
		closedir(top);
	else if (fd >= 0)
		close(fd);
}

void pl_roots_free(struct pl_roots *roots)
{
	for (size_t i = 0; i < roots->n; i++)
		free(roots->v[i]);
	free(roots->v);
	*roots = (struct pl_roots){0};
}
