/* tool: the one program that may be started: which perf that is, and that it stays what it was */
#include "tool.h"
#include "fd.h"
#include "mem.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 64 << 10, VERSION_MAX = 4 << 10, VERSION_SECONDS = 10 };

static const char *const allowed[] = {"/usr/bin/perf", "/usr/local/bin/perf"};

const char *const tool_environment[] = {"LANG=C", "LC_ALL=C", "PATH=/usr/bin:/bin", NULL};

static int refuse(struct pl_err *err, const char *path, const char *why)
{
	pl_err_set(err, PL_E_PATH_SAFETY_VIOLATION, "%s", why);
	return pl_err_at(err, path, 0);
}

static int cannot_read(struct pl_err *err, const char *path)
{
	pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED, _("cannot be read: %s"), strerror(errno));
	return pl_err_at(err, path, 0);
}

static bool is_perf(const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	return strcmp(name, "perf") == 0 || strncmp(name, "perf_", 5) == 0;
}

static int check_file(const struct tool *tool, struct pl_err *err)
{
	const struct stat *st = &tool->st;

	if (!S_ISREG(st->st_mode))
		return refuse(err, tool->path, _("is no regular file"));
	if (access(tool->path, X_OK))
		return refuse(err, tool->path, _("may not be executed"));
	if (st->st_uid && st->st_uid != geteuid())
		return refuse(err, tool->path, _("belongs neither to root nor to you"));
	if (st->st_mode & (S_IWGRP | S_IWOTH)) {
		refuse(err, tool->path, _("others can write to it"));
		return pl_err_action(err, _("chmod go-w"));
	}
	return 0;
}

/* What stands at the path now: its identity, and the SHA-256 of its content. 0, or -1 and errno. */
static int look(const char *path, struct stat *st, char *sha256)
{
	struct pl_sha256 sha;
	char *block = pl_alloc(BLOCK);
	int fd = pl_fd_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);
	ssize_t got = fd < 0 || fstat(fd, st) ? -1 : 0;

	pl_sha256_start(&sha);
	if (got == 0 && S_ISREG(st->st_mode))
		while ((got = pl_fd_read(fd, block, BLOCK)) > 0)
			pl_sha256_add(&sha, block, (size_t)got);
	int reason = errno;
	pl_sha256_end(&sha, sha256);
	if (fd >= 0)
		close(fd);
	free(block);
	errno = reason;
	return got < 0 ? -1 : 0;
}

/* The path itself, without symlinks. */
static int find_path(struct tool *tool, const char *given, struct pl_err *err)
{
	if (given && given[0] != '/')
		return pl_err_set(err, PL_E_INVALID_INPUT,
				  _("--perf-path: '%s' is no absolute path"), given);
	for (size_t i = 0; !given && i < PL_COUNT(allowed); i++)
		if (access(allowed[i], F_OK) == 0)
			given = allowed[i];
	if (!given) {
		pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED,
			   _("perf is not installed: there is neither %s nor %s"), allowed[0],
			   allowed[1]);
		return pl_err_action(err, _("install it (Debian: linux-perf), or name another one "
					    "by --perf-path"));
	}
	tool->path = realpath(given, NULL);
	if (!tool->path)
		return cannot_read(err, given);
	if (!is_perf(tool->path)) {
		refuse(err, tool->path, _("is not called perf"));
		return pl_err_action(err, _("only perf may be started"));
	}
	return 0;
}

static int ask_version(struct tool *tool, struct pl_err *err)
{
	static const char start[] = "perf version ";
	const char *const argv[] = {tool->path, "--version", NULL};
	struct pl_stage stage = {.name = "perf --version",
				 .path = tool->path,
				 .argv = argv,
				 .env = tool_environment};
	int failure =
		pl_proc_capture(&stage, 1, -1, &tool->version, VERSION_MAX, VERSION_SECONDS, err);
	struct pl_str line = pl_buf_str(&tool->version);
	const char *end = memchr(line.p, '\n', line.n);

	if (!failure && (stage.status || !end || !pl_str_starts(line, start)))
		failure = pl_err_set(err, PL_E_EXTERNAL_TOOL_FAILED,
				     _("does not say its version, as perf does: %.200s"),
				     stage.err_text.n ? stage.err_text.p : line.p);
	else if (failure && err->code == PL_E_RESOURCE_LIMIT_EXCEEDED)
		err->code = PL_E_EXTERNAL_TOOL_FAILED; /* not a limit that could be raised */
	pl_buf_free(&stage.err_text);
	if (failure)
		return pl_err_at(err, tool->path, 0);
	tool->version.n = (size_t)(end - line.p);
	tool->version.p[tool->version.n] = '\0';
	return 0;
}

int tool_find(struct tool *tool, const char *given, struct pl_err *err)
{
	*tool = (struct tool){0};
	if (find_path(tool, given, err))
		return -1;
	if (look(tool->path, &tool->st, tool->sha256))
		return cannot_read(err, tool->path);
	return check_file(tool, err) ? -1 : ask_version(tool, err);
}

int tool_check(const struct tool *tool, struct pl_err *err)
{
	struct stat st;
	char sha256[PL_SHA256_HEX + 1];

	if (look(tool->path, &st, sha256) == 0 && st.st_dev == tool->st.st_dev &&
	    st.st_ino == tool->st.st_ino && strcmp(sha256, tool->sha256) == 0)
		return 0;
	return refuse(err, tool->path, _("changed while it ran"));
}

void tool_free(struct tool *tool)
{
	free(tool->path);
	pl_buf_free(&tool->version);
}
