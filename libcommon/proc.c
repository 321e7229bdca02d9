/* proc: a pipeline of processes: started, watched, ended, judged */
#include "proc.h"
#include "fd.h"
#include "spawn.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* bytes, chunks; milliseconds; seconds (a later deadline is none) */
enum { CHUNK = 64 << 10, DRAINED = 256, SELF_MAX = 4096 };
enum { GRACE = 250, KILL = 1000, DEADLINE_MAX = 1 << 30 };

struct run {
	struct pl_stage *stages;
	size_t n;		     /* stages that were started */
	size_t running;		     /* of these, not yet ended */
	pid_t pids[PL_PROC_STAGES];  /* reaped at the very end, so that none is used anew */
	int watches[PL_PROC_STAGES]; /* pidfds; -1 when ended */
	int errs[PL_PROC_STAGES];    /* read ends of their stderr; -1 at the end */
	bool own_group;
	bool pass;			     /* stderr */
	char last_passed;		     /* its last byte */
	const struct pl_sink *sink;	     /* of the last one's stdout, or NULL */
	int relayed;			     /* read end of it, or -1 */
	bool ready;			     /* there are bytes: it waits for the sink */
	bool flows;			     /* some were passed on */
	int signals;			     /* signalfd for those that end us */
	int came;			     /* the one that did, or 0 */
	sigset_t mask;			     /* signals blocked meanwhile; the mask before */
	struct sigaction child_action;	     /* SIGCHLD's, before */
	uint64_t deadline, term_at, kill_at; /* monotonic milliseconds, 0: none */
	bool terminated;		     /* SIGTERM was sent */
	struct pl_err *err;
	int result;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Those that end us are read from a descriptor until all is over. What is ignored (nohup, a shell's
 * background job) stays ignored. SIGPIPE must not end us before the stages have. */
static void take_signals(struct run *r)
{
	static const int ending[] = {SIGINT,  SIGTERM, SIGHUP,	SIGQUIT,
				     SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
	struct sigaction action;
	sigset_t taken, blocked;

	sigemptyset(&taken);
	for (size_t i = 0; i < PL_COUNT(ending); i++)
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&taken, ending[i]);
	blocked = taken;
	sigaddset(&blocked, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &blocked, &r->mask);
	r->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	/* where it is ignored, children vanish without a status */
	sigaction(SIGCHLD, NULL, &r->child_action);
	if (r->child_action.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

static void give_signals_back(struct run *r)
{
	close_fd(&r->signals);
	if (r->child_action.sa_handler == SIG_IGN)
		sigaction(SIGCHLD, &r->child_action, NULL);
	if (r->came)
		pthread_kill(pthread_self(), r->came);
	pthread_sigmask(SIG_SETMASK, &r->mask, NULL);
}

static void send_all(struct run *r, int signal_number)
{
	if (r->own_group && r->n) {
		kill(-r->pids[0], signal_number);
		return;
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->watches[i] >= 0)
			kill(r->pids[i], signal_number);
}

/* SIGTERM after `delay` milliseconds, unless it comes earlier or was sent. */
static void end_all(struct run *r, uint64_t delay)
{
	uint64_t at = now_ms() + delay;

	if (!r->terminated && (!r->term_at || at < r->term_at))
		r->term_at = at;
}

static int no_descriptor(struct run *r)
{
	return pl_err_set(r->err, PL_E_INTERNAL_ERROR, _("cannot start a pipeline: %s"),
			  strerror(errno));
}

/* Starts the next stage between `in` and `out`; its stderr comes to us. */
static int start_stage(struct run *r, int in, int out)
{
	struct pl_stage *stage = &r->stages[r->n];
	int err[2];

	stage->status = 0;
	stage->failed = false;
	stage->err_text = (struct pl_buf){0};
	if (in < 0 || out < 0 || pl_spawn_pipe(err))
		return no_descriptor(r);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	int failure = pl_spawn(&r->pids[r->n], stage,
			       &(struct pl_spawn){.in = in,
						  .out = out,
						  .err = err[1],
						  .group = !r->own_group ? -1
							   : r->n	 ? r->pids[0]
									 : 0,
						  .mask = &r->mask});
	close_fd(&err[1]);
	if (failure) {
		close_fd(&err[0]);
		return pl_err_set(r->err, PL_E_EXTERNAL_TOOL_FAILED, _("cannot start %s: %s"),
				  stage->path, strerror(failure));
	}
	r->errs[r->n] = err[0];
	r->watches[r->n] = pidfd_open(r->pids[r->n], 0);
	if (r->watches[r->n] < 0) { /* no kernel since 2019: nothing else waits */
		no_descriptor(r);
		kill(r->pids[r->n], SIGKILL);
		waitpid(r->pids[r->n], NULL, 0);
		close_fd(&r->errs[r->n]);
		return -1;
	}
	r->n++;
	r->running++;
	return 0;
}

static int start_all(struct run *r, size_t n, int in, int out)
{
	int from, status = 0;

	if (n > PL_PROC_STAGES)
		return pl_err_set(r->err, PL_E_INTERNAL_ERROR, _("too many stages: %zu"), n);
	from = pl_spawn_copy(in, O_WRONLY);
	for (size_t i = 0; i < n && status == 0; i++) {
		int ends[2] = {-1, -1};
		if (i + 1 == n)
			ends[1] = pl_spawn_copy(out, O_RDONLY);
		else if (pl_spawn_pipe(ends) == 0)
			pl_fd_widen(ends[1]);
		status = start_stage(r, from, ends[1]);
		close_fd(&from);
		close_fd(&ends[1]);
		from = ends[0];
	}
	close_fd(&from);
	return status;
}

/* Keeps the end of what was written: that is where the reason stands. */
static void keep(struct pl_buf *text, const char *p, size_t n)
{
	pl_buf_add(text, p, n);
	if (text->n <= 2 * PL_PROC_ERR_KEPT)
		return;
	memmove(text->p, text->p + text->n - PL_PROC_ERR_KEPT, PL_PROC_ERR_KEPT);
	text->n = PL_PROC_ERR_KEPT;
	text->p[text->n] = '\0';
}

static void pass_on(struct run *r, const char *p, size_t n)
{
	r->last_passed = p[n - 1];
	pl_fd_write(STDERR_FILENO, p, n); /* where nobody reads it, there is nobody to tell */
}

/* One chunk: a stage that writes without end must not keep us from the clock. */
static bool read_err(struct run *r, size_t i)
{
	char chunk[CHUNK];
	ssize_t k = read(r->errs[i], chunk, sizeof chunk);

	if (k == 0)
		close_fd(&r->errs[i]);
	if (k <= 0)
		return false;
	keep(&r->stages[i].err_text, chunk, (size_t)k);
	if (r->pass && i == 0)
		pass_on(r, chunk, (size_t)k);
	return true;
}

/*
 * More bytes are there. A writer that finds somebody waiting has to wake him for every 4 KiB; left
 * alone for a moment it gets on with its work. (135 MB of perf script to cat: 1.4 s; through us to
 * cat: 1.7 s without this, 1.2 s with it.)
 */
static void gather(const struct run *r)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int there = 0;

	if (r->flows && r->running && ioctl(r->relayed, FIONREAD, &there) == 0 && there < CHUNK)
		nanosleep(&moment, NULL);
}

/* One chunk to the sink; the first call only makes sure that the sink has room, see watch(). */
static void relay(struct run *r)
{
	char chunk[CHUNK];
	size_t room = CHUNK;

	if (!r->ready)
		gather(r);
	if (!r->ready && r->sink->fd >= 0) {
		r->ready = true;
		return;
	}
	r->ready = false;
	if (r->sink->fd >= 0)
		room = pl_fd_room(r->sink->fd);
	ssize_t k = read(r->relayed, chunk, room < CHUNK ? room : CHUNK);
	r->flows = k > 0;
	if (k > 0) {
		if (r->sink->take(r->sink->context, (struct pl_str){chunk, (size_t)k}, r->err) == 0)
			return;
		r->result = -1;
		end_all(r, 0);
	}
	if (k >= 0 || errno != EAGAIN)
		close_fd(&r->relayed);
}

static void read_signal(struct run *r)
{
	struct signalfd_siginfo info;

	if (read(r->signals, &info, sizeof info) != sizeof info)
		return;
	if (r->terminated)
		r->kill_at = now_ms(); /* asked twice */
	r->came = (int)info.ssi_signo;
	end_all(r, 0);
}

static bool died_of(int status, int signal_number)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == signal_number;
}

static void stage_ended(struct run *r, size_t i)
{
	struct pl_stage *stage = &r->stages[i];
	siginfo_t info = {0};

	/* not reaped yet: its number stays the group's, and a late signal meets nobody else */
	if (waitid(P_PIDFD, (id_t)r->watches[i], &info, WEXITED | WNOWAIT))
		return;
	stage->status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0)
						   : W_EXITCODE(0, info.si_status);
	close_fd(&r->watches[i]);
	r->running--;
	if (r->running == 0 && r->sink)
		send_all(r, SIGKILL); /* what they left behind and may still write */
	stage->failed = stage->status && !r->terminated && !died_of(stage->status, SIGPIPE);
	if (stage->failed && stage->status != W_EXITCODE(PL_EXIT_CHECK, 0))
		end_all(r, GRACE);
}

static void look_at_clock(struct run *r)
{
	uint64_t now = now_ms();

	if (r->deadline && now >= r->deadline && r->result == 0) {
		r->deadline = 0;
		r->result = pl_err_set(r->err, PL_E_EXTERNAL_TOOL_TIMEOUT,
				       _("%s did not end in time"), r->stages[r->n - 1].name);
		end_all(r, 0);
	}
	if (r->term_at && now >= r->term_at) {
		r->term_at = 0;
		r->terminated = true;
		r->kill_at = now + (r->sink && r->came ? KILL / 2 : KILL);
		close_fd(&r->relayed);
		send_all(r, SIGTERM);
	}
	if (r->kill_at && now >= r->kill_at) {
		r->kill_at = 0;
		send_all(r, SIGKILL);
	}
}

static int wait_ms(const struct run *r)
{
	const uint64_t times[] = {r->deadline, r->term_at, r->kill_at};
	uint64_t now = now_ms(), next = UINT64_MAX;
	for (size_t i = 0; i < PL_COUNT(times); i++)
		if (times[i] && times[i] < next)
			next = times[i];
	if (next == UINT64_MAX)
		return -1;
	return next <= now ? 0 : next - now > 3600000 ? 3600000 : (int)(next - now);
}

/* The next thing that the relay waits for: bytes, or room for those that came. */
static struct pollfd relay_poll(const struct run *r)
{
	if (r->ready)
		return (struct pollfd){.fd = r->sink->fd, .events = POLLOUT};
	return (struct pollfd){.fd = r->relayed, .events = POLLIN};
}

/* poll(2) leaves out descriptors that are -1. */
static void watch(struct run *r)
{
	struct pollfd polls[2 * PL_PROC_STAGES + 2];
	size_t n = r->n;
	/* all have ended: what they wrote is there, or nothing is */
	bool last = r->running == 0 && !r->ready;

	for (size_t i = 0; i < n; i++) {
		polls[i] = (struct pollfd){.fd = r->errs[i], .events = POLLIN};
		polls[n + i] = (struct pollfd){.fd = r->watches[i], .events = POLLIN};
	}
	polls[2 * n] = (struct pollfd){.fd = r->signals, .events = POLLIN};
	polls[2 * n + 1] = relay_poll(r);
	if (poll(polls, 2 * n + 2, last ? 0 : wait_ms(r)) < 0)
		return;
	if (polls[2 * n].revents)
		read_signal(r);
	if (polls[2 * n + 1].revents)
		relay(r);
	else if (last)
		close_fd(&r->relayed);
	for (size_t i = 0; i < n; i++) {
		if (polls[i].revents)
			read_err(r, i);
		if (polls[n + i].revents)
			stage_ended(r, i);
	}
	look_at_clock(r);
}

/* What is still in stderr's pipes. A grandchild that holds one open or fills it is not waited for.
 */
static void drain(struct run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		for (int k = 0; k < DRAINED && r->errs[i] >= 0 && read_err(r, i); k++)
			;
		close_fd(&r->errs[i]);
	}
}

static void reap(struct run *r)
{
	if (r->terminated && r->own_group)
		send_all(r, SIGKILL); /* what the stages left behind */
	for (size_t i = 0; i < r->n; i++)
		while (waitpid(r->pids[i], NULL, 0) < 0 && errno == EINTR)
			;
}

/* The leftmost failure is the cause; a stream that broke off to its right is a consequence. */
static void judge(struct run *r)
{
	bool cause = false;

	for (size_t i = 0; i < r->n; i++) {
		struct pl_stage *stage = &r->stages[i];
		if (cause && stage->status == W_EXITCODE(PL_EXIT_FORMAT, 0))
			stage->failed = false;
		cause |= stage->failed;
	}
}

static void pass_the_rest(struct run *r)
{
	for (size_t i = 1; i < r->n; i++) {
		const struct pl_stage *stage = &r->stages[i];
		if (stage->err_text.n == 0 || (stage->status && !stage->failed))
			continue;
		if (r->last_passed && r->last_passed != '\n')
			pass_on(r, "\n", 1);
		pass_on(r, stage->err_text.p, stage->err_text.n);
	}
}

static int run(struct run *r, size_t n, int in, int out, uint64_t deadline_seconds)
{
	r->own_group = in < 0 || !isatty(in);
	take_signals(r);
	r->result = start_all(r, n, in, out);
	if (r->sink)
		close(out); /* ours only while starting: the reader waits for its end */
	if (r->result)
		end_all(r, 0);
	if (deadline_seconds && deadline_seconds < DEADLINE_MAX)
		r->deadline = now_ms() + deadline_seconds * 1000;
	while (r->running || r->relayed >= 0)
		watch(r);
	drain(r);
	reap(r);
	judge(r);
	give_signals_back(r);
	if (r->pass)
		pass_the_rest(r);
	return r->result;
}

int pl_proc_pipeline(struct pl_stage *stages, size_t n, int in, int out, bool pass_stderr,
		     uint64_t deadline_seconds, struct pl_err *err)
{
	return run(&(struct run){.stages = stages, .relayed = -1, .pass = pass_stderr, .err = err},
		   n, in, out, deadline_seconds);
}

int pl_proc_relay(struct pl_stage *stages, size_t n, int in, const struct pl_sink *sink,
		  uint64_t deadline_seconds, struct pl_err *err)
{
	struct run r = {.stages = stages, .sink = sink, .err = err};
	int ends[2];

	if (pl_spawn_pipe(ends))
		return no_descriptor(&r);
	pl_fd_widen(ends[0]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	r.relayed = ends[0];
	return run(&r, n, in, ends[1], deadline_seconds);
}

struct capture {
	struct pl_buf *output;
	size_t left;
	const char *name;
};

static int capture(void *context, struct pl_str bytes, struct pl_err *err)
{
	struct capture *c = context;

	if (bytes.n > c->left)
		return pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED, _("%s wrote too much"),
				  c->name);
	pl_buf_adds(c->output, bytes);
	c->left -= bytes.n;
	return 0;
}

int pl_proc_capture(struct pl_stage *stages, size_t n, int in, struct pl_buf *output,
		    size_t max_bytes, uint64_t deadline_seconds, struct pl_err *err)
{
	struct capture c = {output, max_bytes, n ? stages[n - 1].name : ""};

	return pl_proc_relay(stages, n, in, &(struct pl_sink){capture, &c, -1}, deadline_seconds,
			     err);
}

int pl_proc_status(const struct pl_stage *stages, size_t n, size_t *culprit)
{
	*culprit = n;
	for (size_t i = 0; i < n; i++) {
		if (!stages[i].failed)
			continue;
		*culprit = i;
		return WIFEXITED(stages[i].status) ? WEXITSTATUS(stages[i].status)
						   : PL_EXIT_INTERNAL;
	}
	return n && died_of(stages[n - 1].status, SIGPIPE) ? 128 + SIGPIPE : 0;
}

const char *pl_proc_beside(struct pl_buf *path, const char *name)
{
	char self[SELF_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self);
	const char *slash = n > 0 && n < SELF_MAX ? memrchr(self, '/', (size_t)n) : NULL;

	if (!slash)
		return NULL;
	pl_buf_clear(path);
	pl_buf_add(path, self, (size_t)(slash + 1 - self));
	pl_buf_addz(path, name);
	return path->p;
}
