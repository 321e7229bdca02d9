/* sandbox: what a process that reads hostile bytes gives up once its inputs and outputs are open */
#include "sandbox.h"
#include "text.h"

#ifdef PL_NO_SANDBOX

/* Sanitizers open files and read their own memory maps at any time. */
int pl_sandbox(const struct pl_sandbox_needs *needs, struct pl_sandbox_state *state,
	       struct pl_err *err)
{
	(void)needs;
	(void)err;
	*state = (struct pl_sandbox_state){0};
	snprintf(state->reason, sizeof state->reason, "%s", _("turned off in a sanitizer build"));
	return 0;
}

#else

#include "landlock.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* What computing, reading and writing of open files, and threads need. */
static const int always[] = {
	SCMP_SYS(read),
	SCMP_SYS(write),
	SCMP_SYS(readv),
	SCMP_SYS(writev),
	SCMP_SYS(pread64),
	SCMP_SYS(lseek),
	SCMP_SYS(close),
	SCMP_SYS(fstat),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(brk),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	SCMP_SYS(futex),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq),
	SCMP_SYS(sched_yield),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sysinfo), /* qsort(3) asks how much memory there is */
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(getrandom),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

/* What putting a written file in its place needs. */
static const int for_output[] = {
	SCMP_SYS(linkat),   SCMP_SYS(renameat), SCMP_SYS(renameat2),
	SCMP_SYS(unlinkat), SCMP_SYS(fsync),	SCMP_SYS(fchmod),
};

/* What finding and reading further files needs; openat(2) is below. */
static const int for_roots[] = {
	SCMP_SYS(readlink),   SCMP_SYS(readlinkat), SCMP_SYS(newfstatat),
	SCMP_SYS(statx),      SCMP_SYS(access),	    SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2), SCMP_SYS(getdents64), SCMP_SYS(fadvise64),
};

/* What child.c needs; clone(2) is below. Landlock, where it can, keeps kill(2) to the children. */
static const int for_children[] = {
	SCMP_SYS(socketpair), SCMP_SYS(sendto),	     SCMP_SYS(recvfrom),  SCMP_SYS(wait4),
	SCMP_SYS(kill),	      SCMP_SYS(prctl),	     SCMP_SYS(setrlimit), SCMP_SYS(prlimit64),
	SCMP_SYS(getppid),    SCMP_SYS(close_range), SCMP_SYS(uname),
};

/*
 * A filter outlives execve(2), so that a program that starts others can only give up what none of
 * them needs: changing the system itself.
 */
static const int never[] = {
	SCMP_SYS(mount),	 SCMP_SYS(umount2),	  SCMP_SYS(pivot_root),
	SCMP_SYS(kexec_load),	 SCMP_SYS(init_module),	  SCMP_SYS(finit_module),
	SCMP_SYS(delete_module), SCMP_SYS(reboot),	  SCMP_SYS(swapon),
	SCMP_SYS(swapoff),	 SCMP_SYS(settimeofday),  SCMP_SYS(clock_settime),
	SCMP_SYS(sethostname),	 SCMP_SYS(setdomainname),
};

static int allow_all(scmp_filter_ctx filter, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
		if (code)
			return code;
	}
	return 0;
}

/* Allowed when `argument`, of which only the bits of `mask` count, is `value`. */
static int allow_if(scmp_filter_ctx filter, int call, unsigned argument, uint64_t mask,
		    uint64_t value)
{
	struct scmp_arg_cmp is = SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value);
	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &is);
}

/* System calls of which one argument decides. */
static int allow_some(scmp_filter_ctx filter)
{
	static const uint64_t any = UINT64_MAX;
	const struct {
		int call;
		unsigned argument;
		uint64_t mask, value;
	} some[] = {
		/* memory, but no new code */
		{SCMP_SYS(mmap), 2, PROT_EXEC, 0},
		{SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
		/* threads, but no processes */
		{SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD},
		/* fstat(3) of the C library, but no paths */
		{SCMP_SYS(newfstatat), 3, AT_EMPTY_PATH, AT_EMPTY_PATH},
		{SCMP_SYS(ioctl), 1, any, TCGETS},
		{SCMP_SYS(ioctl), 1, any, TIOCGWINSZ},
		{SCMP_SYS(fcntl), 1, any, F_GETFL},
		{SCMP_SYS(fcntl), 1, any, F_GETFD},
		{SCMP_SYS(fcntl), 1, any, F_DUPFD_CLOEXEC},
		/* raise(3) and abort(3), but no signals to others */
		{SCMP_SYS(tgkill), 0, any, (uint64_t)getpid()},
		/* limits asked for, not set */
		{SCMP_SYS(prlimit64), 2, any, 0},
	};
	for (size_t i = 0; i < PL_COUNT(some); i++) {
		int code = allow_if(filter, some[i].call, some[i].argument, some[i].mask,
				    some[i].value);
		if (code)
			return code;
	}
	/* Its arguments cannot be looked into. Without it the C library makes threads by clone().
	 */
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

static int allow_reading(scmp_filter_ctx filter)
{
	int code = allow_if(filter, SCMP_SYS(openat), 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
	return code ? code : allow_all(filter, for_roots, PL_COUNT(for_roots));
}

static int allow_children(scmp_filter_ctx filter)
{
	/* a process, and none that traces, shares or escapes */
	uint64_t kept = CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_NEWUSER | CLONE_NEWNS |
			CLONE_NEWPID | CLONE_NEWNET | CLONE_PARENT;
	int code = allow_if(filter, SCMP_SYS(clone), 0, kept, 0);
	return code ? code : allow_all(filter, for_children, PL_COUNT(for_children));
}

/* Both of these return 0 or a negative errno. */
static int rules_for_parser(scmp_filter_ctx filter, const struct pl_sandbox_needs *needs)
{
	int code = allow_all(filter, always, PL_COUNT(always));
	if (!code)
		code = allow_some(filter);
	if (!code && needs->output_folder >= 0)
		code = allow_all(filter, for_output, PL_COUNT(for_output));
	if (!code && needs->roots_n > 0)
		code = allow_reading(filter);
	if (!code && needs->children)
		code = allow_children(filter);
	return code;
}

static int rules_for_starter(scmp_filter_ctx filter)
{
	for (size_t i = 0; i < PL_COUNT(never); i++) {
		int code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), never[i], 0);
		if (code)
			return code;
	}
	return 0;
}

static void say(struct pl_sandbox_state *state, const char *what, const char *why)
{
	size_t n = strlen(state->reason);
	snprintf(state->reason + n, sizeof state->reason - n, "%s%s: %s", n ? "; " : "", what, why);
}

static int enter_seccomp(const struct pl_sandbox_needs *needs, struct pl_sandbox_state *state,
			 struct pl_err *err)
{
	scmp_filter_ctx filter = seccomp_init(needs->exec ? SCMP_ACT_ALLOW : SCMP_ACT_KILL_PROCESS);
	int code = filter ? 0 : -ENOMEM;
	if (!code)
		code = needs->exec ? rules_for_starter(filter) : rules_for_parser(filter, needs);
	if (code) {
		seccomp_release(filter);
		return pl_err_set(err, PL_E_INTERNAL_ERROR, _("no sandbox can be made: %s"),
				  strerror(-code));
	}
	seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
	code = seccomp_load(filter);
	seccomp_release(filter);
	state->seccomp = code == 0;
	if (code)
		say(state, "seccomp", strerror(-code));
	return 0;
}

static int enter_landlock(const struct pl_sandbox_needs *needs, struct pl_sandbox_state *state,
			  struct pl_err *err)
{
	if (needs->exec) {
		say(state, "Landlock", _("not for a program that starts others"));
		return 0;
	}
	int lacking = pl_landlock(needs);
	if (lacking < 0)
		return pl_err_set(err, PL_E_INTERNAL_ERROR, _("no sandbox can be made: %s"),
				  strerror(errno));
	state->landlock = lacking == 0;
	if (lacking)
		say(state, "Landlock", _("not in this kernel"));
	return 0;
}

int pl_sandbox(const struct pl_sandbox_needs *needs, struct pl_sandbox_state *state,
	       struct pl_err *err)
{
	*state = (struct pl_sandbox_state){0};
	/* A second arena would be trimmed by asking /proc, which cannot be opened any more. */
	mallopt(M_ARENA_MAX, 1);
	if (enter_landlock(needs, state, err))
		return -1;
	return enter_seccomp(needs, state, err);
}

#endif
