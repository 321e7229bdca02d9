/* spawn: one process, its descriptors, signals and group */
#include "spawn.h"
#include "fd.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

/* Out of the way of 0, 1 and 2, which the children's are copied to. Closes fd, also on failure. */
static int above_standard(int fd)
{
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	int up = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return up;
}

int pl_spawn_copy(int fd, int wrong_mode)
{
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (copy >= 0)
		return copy;
	return pl_fd_open(AT_FDCWD, "/dev/null", fd < 0 ? O_RDONLY : wrong_mode, 0);
}

int pl_spawn_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	ends[0] = above_standard(ends[0]);
	ends[1] = above_standard(ends[1]);
	if (ends[0] >= 0 && ends[1] >= 0)
		return 0;
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	ends[0] = ends[1] = -1;
	return -1;
}

int pl_spawn(pid_t *pid, const struct pl_stage *stage, const struct pl_spawn *how)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t pipe_only;
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	const char *const *env = stage->env ? stage->env : (const char *const *)environ;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, how->in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, how->out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, how->err, STDERR_FILENO);
	if (stage->file)
		posix_spawn_file_actions_adddup2(&actions, stage->file, PL_PROC_FILE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, how->mask);
	posix_spawnattr_setsigdefault(&attr, &pipe_only);
	if (how->group >= 0) {
		flags |= POSIX_SPAWN_SETPGROUP;
		posix_spawnattr_setpgroup(&attr, how->group);
	}
	posix_spawnattr_setflags(&attr, flags);
	int failure = posix_spawn(pid, stage->path, &actions, &attr, (char *const *)stage->argv,
				  (char *const *)env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return failure;
}
