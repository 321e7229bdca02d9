/* landlock: no file system but what is open and what is named here, no TCP, no signals to others */
#include "landlock.h"
#include "fd.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What kernels newer than the headers know. */
#define ACCESS_TRUNCATE (1ULL << 14)  /* version 3 */
#define ACCESS_IOCTL_DEV (1ULL << 15) /* version 5 */
#define NET_BIND_CONNECT 3ULL	      /* version 4 */
#define SCOPED_SOCKET_SIGNAL 3ULL     /* version 6 */

struct ruleset {
	uint64_t fs;
	uint64_t net;	 /* from version 4 */
	uint64_t scoped; /* from version 6 */
};

static long create(const struct ruleset *ruleset, size_t size, unsigned flags)
{
	return syscall(SYS_landlock_create_ruleset, ruleset, size, flags);
}

static uint64_t file_rights(long version)
{
	uint64_t rights = LANDLOCK_ACCESS_FS_REFER - 1; /* all of version 1 */
	if (version >= 2)
		rights |= LANDLOCK_ACCESS_FS_REFER;
	if (version >= 3)
		rights |= ACCESS_TRUNCATE;
	if (version >= 5)
		rights |= ACCESS_IOCTL_DEV;
	return rights;
}

static int make_ruleset(long version)
{
	struct ruleset ruleset = {.fs = file_rights(version)};
	size_t size = offsetof(struct ruleset, net);
	if (version >= 4) {
		ruleset.net = NET_BIND_CONNECT;
		size = offsetof(struct ruleset, scoped);
	}
	if (version >= 6) {
		ruleset.scoped = SCOPED_SOCKET_SIGNAL;
		size = sizeof ruleset;
	}
	return (int)create(&ruleset, size, 0);
}

static int allow(int ruleset, int below, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = below};
	return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* A root that is a file, or is not there, is no fault: there is then less to read. */
static int allow_reading(int ruleset, const char *root)
{
	struct stat st;
	int fd = pl_fd_open(AT_FDCWD, root, O_PATH, 0);
	if (fd < 0)
		return 0;
	uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		rights |= LANDLOCK_ACCESS_FS_READ_DIR;
	int failed = allow(ruleset, fd, rights);
	close(fd);
	return failed;
}

static int fill(int ruleset, long version, const struct pl_sandbox_needs *needs)
{
	uint64_t replace = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE |
			   LANDLOCK_ACCESS_FS_REFER;
	if (needs->output_folder >= 0 &&
	    allow(ruleset, needs->output_folder, replace & file_rights(version)))
		return -1;
	for (size_t i = 0; i < needs->roots_n; i++)
		if (allow_reading(ruleset, needs->roots[i]))
			return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       syscall(SYS_landlock_restrict_self, ruleset, 0);
}

int pl_landlock(const struct pl_sandbox_needs *needs)
{
	long version = create(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 0)
		return 1;
	int ruleset = make_ruleset(version);
	if (ruleset < 0)
		return -1;
	int failed = fill(ruleset, version, needs);
	int reason = errno;
	close(ruleset);
	errno = reason;
	/* Too many around it already: as good as none. */
	return failed && reason == E2BIG ? 1 : failed ? -1 : 0;
}
