/* temp: a file that is written without a name, and then takes the place of another at once */
#include "temp.h"
#include "fd.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANDOM_CHARS = 6, TRIES = 100, PROC_PATH = 40 };

/* ---- signals ---- */

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};

/* What a signal handler removes: it can be given nothing, so this is the one place for it. */
static struct {
	const struct pl_temp *volatile of;
	int folder;
	char name[NAME_MAX + 1];
} doomed;

static void remove_and_die(int signal_number)
{
	if (doomed.of)
		unlinkat(doomed.folder, doomed.name, 0);
	/* SA_RESETHAND made the action the default one again: it comes when this returns. */
	raise(signal_number);
}

static void block_fatal(sigset_t *before)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < PL_COUNT(fatal); i++)
		sigaddset(&set, fatal[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* A signal that the parent ignores (nohup) or that the program handles stays as it is. */
static void set_action(void (*from)(int), void (*to)(int))
{
	for (size_t i = 0; i < PL_COUNT(fatal); i++) {
		struct sigaction action;
		if (sigaction(fatal[i], NULL, &action) || action.sa_handler != from)
			continue;
		action = (struct sigaction){.sa_handler = to};
		action.sa_flags = to == SIG_DFL ? 0 : (int)SA_RESETHAND;
		sigaction(fatal[i], &action, NULL);
	}
}

static void arm(const struct pl_temp *t)
{
	if (doomed.of)
		return;
	doomed.folder = t->folder;
	memcpy(doomed.name, t->name, sizeof doomed.name);
	doomed.of = t;
	set_action(SIG_DFL, remove_and_die);
}

static void disarm(const struct pl_temp *t)
{
	if (doomed.of != t)
		return;
	set_action(remove_and_die, SIG_DFL);
	doomed.of = NULL;
}

/* ---- names ---- */

/* ".TARGET.XXXXXX.tmp", TARGET being cut where that would be too long for a name. */
static int make_name(struct pl_temp *t, const char *target)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char random[RANDOM_CHARS];
	char word[RANDOM_CHARS + 1] = "";
	if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
		return -1;
	for (size_t i = 0; i < RANDOM_CHARS; i++)
		word[i] = letters[random[i] % 32];
	int room = NAME_MAX - RANDOM_CHARS - (int)strlen("...tmp");
	snprintf(t->name, sizeof t->name, ".%.*s.%s.tmp", room, target, word);
	return 0;
}

static int make_named(struct pl_temp *t, const char *target)
{
	for (int i = 0; i < TRIES; i++) {
		if (make_name(t, target))
			break;
		t->fd = pl_fd_open(t->folder, t->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
				   0600);
		if (t->fd >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	t->name[0] = '\0';
	return -1;
}

/* The way to an open file that linkat(2) takes without privileges. */
static void proc_path(char path[PROC_PATH], int fd)
{
	snprintf(path, PROC_PATH, "/proc/self/fd/%d", fd);
}

static int link_name(struct pl_temp *t, const char *target)
{
	char path[PROC_PATH];
	proc_path(path, t->fd);
	for (int i = 0; i < TRIES; i++) {
		if (make_name(t, target))
			break;
		if (linkat(AT_FDCWD, path, t->folder, t->name, AT_SYMLINK_FOLLOW) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	t->name[0] = '\0';
	return -1;
}

/* ---- the file ---- */

static int open_unnamed(struct pl_temp *t)
{
	char path[PROC_PATH];
	t->fd = pl_fd_open(t->folder, ".", O_TMPFILE | O_WRONLY, 0600);
	if (t->fd < 0)
		return -1;
	proc_path(path, t->fd);
	if (access(path, F_OK) == 0)
		return 0;
	/* Without /proc it could never be given a name. */
	close(t->fd);
	t->fd = -1;
	errno = EOPNOTSUPP;
	return -1;
}

int pl_temp_open(struct pl_temp *t, int folder, const char *target)
{
	*t = (struct pl_temp){.folder = folder, .fd = -1};
	if (open_unnamed(t) == 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)
		return -1;
	sigset_t before;
	block_fatal(&before);
	int failed = make_named(t, target);
	if (!failed)
		arm(t);
	int reason = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = reason;
	return failed;
}

/* Gives the file the target's name. No signal may come between its two names. */
static int replace(struct pl_temp *t, const char *target)
{
	sigset_t before;
	block_fatal(&before);
	int failed = t->name[0] ? 0 : link_name(t, target);
	if (!failed && (failed = renameat(t->folder, t->name, t->folder, target)) != 0) {
		int reason = errno;
		unlinkat(t->folder, t->name, 0);
		errno = reason;
	}
	int reason = errno;
	disarm(t);
	t->name[0] = '\0';
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = reason;
	return failed;
}

int pl_temp_publish(struct pl_temp *t, const char *target, mode_t mode)
{
	if (fchmod(t->fd, mode) || fsync(t->fd) || replace(t, target))
		return -1;
	int failed = close(t->fd);
	t->fd = -1;
	/* Some file systems cannot sync a folder, and need not. */
	if (fsync(t->folder) && errno != EINVAL)
		failed = -1;
	return failed;
}

void pl_temp_discard(struct pl_temp *t)
{
	if (t->fd >= 0)
		close(t->fd);
	if (t->name[0])
		unlinkat(t->folder, t->name, 0);
	disarm(t);
	t->fd = -1;
	t->name[0] = '\0';
}
