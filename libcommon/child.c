/* child: a process for work on hostile bytes */
#include "child.h"
#include "fd.h"
#include "mem.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A message is its length, eight bytes, and its bytes. */
enum { LENGTH = sizeof(uint64_t), MESSAGE_MAX = 1 << 30, EXIT_MEMORY = 1 };

void pl_child_init(struct pl_child *c, pl_child_work *work, void *context,
		   struct pl_child_caps caps)
{
	*c = (struct pl_child){.work = work, .context = context, .caps = caps, .fd = -1};
}

void pl_child_at(struct pl_child *c, uint64_t what)
{
	__atomic_store_n(&c->mark->at, what, __ATOMIC_RELAXED);
	__atomic_add_fetch(&c->mark->count, 1, __ATOMIC_RELEASE);
}

uint64_t pl_child_was_at(const struct pl_child *c)
{
	return c->mark ? __atomic_load_n(&c->mark->at, __ATOMIC_RELAXED) : 0;
}

/* ---- in the child ---- */

static _Noreturn void out_of_memory(size_t wanted)
{
	(void)wanted;
	_exit(EXIT_MEMORY);
}

/* 0, or -1 at the end of what there is. */
static int read_all(int fd, void *p, size_t n)
{
	char *to = p;

	while (n > 0) {
		ssize_t got = pl_fd_read(fd, to, n);
		if (got <= 0)
			return -1;
		to += got;
		n -= (size_t)got;
	}
	return 0;
}

static int read_message(int fd, struct pl_buf *b)
{
	uint64_t n;

	pl_buf_clear(b);
	if (read_all(fd, &n, LENGTH) || n > MESSAGE_MAX)
		return -1;
	pl_buf_reserve(b, n);
	b->n = n;
	b->p[n] = '\0';
	return read_all(fd, b->p, n);
}

/* As pl_fd_write(), but a reader that died is no SIGPIPE. */
static int send_all(int fd, const void *p, size_t n)
{
	const char *from = p;

	while (n > 0) {
		ssize_t sent = send(fd, from, n, MSG_NOSIGNAL);
		if (sent < 0 && errno != EINTR)
			return -1;
		from += sent > 0 ? sent : 0;
		n -= sent > 0 ? (size_t)sent : 0;
	}
	return 0;
}

static int write_message(int fd, struct pl_str s)
{
	uint64_t n = s.n;

	return n <= MESSAGE_MAX && send_all(fd, &n, LENGTH) == 0 ? send_all(fd, s.p, n) : -1;
}

/* A fork begins with all that its parent has, and that counts too. */
static void cap_memory(uint64_t bytes)
{
#ifdef PL_NO_SANDBOX
	(void)bytes; /* a sanitizer reserves terabytes */
#else
	enum { STACK = 16 << 20 };
	struct mallinfo2 had = mallinfo2();
	struct rlimit limit = {.rlim_cur = had.arena + had.hblkhd + STACK + bytes};
	static const struct rlimit none;

	setrlimit(RLIMIT_CORE, &none);
	limit.rlim_max = limit.rlim_cur;
	if (bytes)
		setrlimit(RLIMIT_DATA, &limit);
#endif
}

/* The parent's output would stay open as long as the child. */
static void close_others(int fd, const int keep[2])
{
	int next = STDERR_FILENO + 1;

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	for (;;) {
		int kept = fd >= next ? fd : INT32_MAX; /* the lowest that is left to keep */
		for (int i = 0; i < 2; i++)
			if (keep[i] >= next && keep[i] < kept)
				kept = keep[i];
		if (kept == INT32_MAX)
			break;
		if (kept > next)
			close_range((unsigned)next, (unsigned)kept - 1, 0);
		next = kept + 1;
	}
	close_range((unsigned)next, ~0u, 0);
}

static _Noreturn void serve(struct pl_child *c, int fd, pid_t parent)
{
	static const int usual[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
	struct pl_buf question = {0}, answer = {0};

	for (size_t i = 0; i < PL_COUNT(usual); i++)
		signal(usual[i], SIG_DFL);
	pl_mem_on_failure(out_of_memory);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_MEMORY);
	close_others(fd, c->caps.keep);
	cap_memory(c->caps.memory);
	while (read_message(fd, &question) == 0) {
		pl_buf_clear(&answer);
		c->work(c->context, pl_buf_str(&question), &answer);
		if (write_message(fd, pl_buf_str(&answer)))
			break;
	}
	_exit(0);
}

/* ---- in the parent ---- */

int pl_child_start(struct pl_child *c)
{
	int ends[2];

	if (!c->mark) {
		c->mark = mmap(NULL, sizeof *c->mark, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (c->mark == MAP_FAILED) {
			c->mark = NULL;
			return -1;
		}
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	*c->mark = (struct pl_child_mark){0};
	pid_t parent = getpid();
	c->pid = fork();
	if (c->pid == 0)
		serve(c, ends[1], parent);
	close(ends[1]);
	if (c->pid < 0) {
		close(ends[0]);
		c->pid = 0;
		return -1;
	}
	c->fd = ends[0];
	return 0;
}

/* One that was forked before the sandbox may be out of reach of kill(2): it ends at the end of its
 * questions. */
static void reap(struct pl_child *c)
{
	close(c->fd);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->fd = -1;
	c->pid = 0;
}

/* Waits until there is an answer, or none will come. */
static enum pl_child_status await(const struct pl_child *c)
{
	struct pollfd p = {.fd = c->fd, .events = POLLIN};
	enum { LONGEST = INT_MAX / 1000 };
	int milliseconds = !c->caps.seconds	       ? -1
			   : c->caps.seconds < LONGEST ? (int)c->caps.seconds * 1000
						       : LONGEST * 1000;

	for (;;) {
		uint64_t before = __atomic_load_n(&c->mark->count, __ATOMIC_ACQUIRE);
		int ready = poll(&p, 1, milliseconds);
		if (ready > 0)
			return PL_CHILD_ANSWERED;
		if (ready == 0 && before == __atomic_load_n(&c->mark->count, __ATOMIC_ACQUIRE))
			return PL_CHILD_LATE;
		if (ready < 0 && errno != EINTR)
			return PL_CHILD_CRASHED;
	}
}

enum pl_child_status pl_child_ask(struct pl_child *c, struct pl_str question, struct pl_buf *answer)
{
	enum pl_child_status status = PL_CHILD_CRASHED;

	pl_buf_clear(answer);
	if (!c->pid && pl_child_start(c))
		return PL_CHILD_NONE;
	*c->mark = (struct pl_child_mark){0};
	if (write_message(c->fd, question) == 0)
		status = await(c);
	if (status == PL_CHILD_ANSWERED && read_message(c->fd, answer))
		status = PL_CHILD_CRASHED;
	if (status != PL_CHILD_ANSWERED)
		reap(c);
	return status;
}

void pl_child_end(struct pl_child *c)
{
	if (c->pid)
		reap(c);
	if (c->mark)
		munmap(c->mark, sizeof *c->mark);
	c->mark = NULL;
}
