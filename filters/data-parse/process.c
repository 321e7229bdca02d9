/* process: PIDs to spaces, TIDs to names */
#include "process.h"

#include <stdlib.h>

void processes_start(struct processes *ps, size_t max_maps)
{
	*ps = (struct processes){.spaces.max_maps = max_maps};
	pl_intern_init(&ps->pids);
	pl_intern_init(&ps->tids);
	pl_intern_init(&ps->comms);
}

void processes_free(struct processes *ps)
{
	for (size_t i = 0; i < ps->pids.n; i++)
		if (ps->v[i].space)
			space_release(&ps->spaces, ps->v[i].space);
	pl_intern_free(&ps->pids);
	pl_intern_free(&ps->tids);
	pl_intern_free(&ps->comms);
	free(ps->v);
	free(ps->threads);
}

/* The number of a process, which may have come with its first record: its parent's fork was lost,
 * or was before the recording. */
static struct process *process(struct processes *ps, uint32_t pid)
{
	uint32_t at = pl_intern(&ps->pids, &pid, sizeof pid);

	PL_GROW(ps->v, ps->pids.n, ps->cap);
	return &ps->v[at];
}

static void set_space(struct processes *ps, uint32_t pid, struct space *space)
{
	struct process *p = process(ps, pid);

	if (p->space)
		space_release(&ps->spaces, p->space);
	p->space = space;
}

struct space **processes_space(struct processes *ps, uint32_t pid)
{
	struct process *p = process(ps, pid);

	if (!p->space)
		p->space = space_new(&ps->spaces);
	return &p->space;
}

/* The thread, which begins to live when it is met. */
static struct thread *thread(struct processes *ps, uint32_t pid, uint32_t tid)
{
	size_t known = ps->tids.n;
	uint32_t at = pl_intern(&ps->tids, &tid, sizeof tid);

	PL_GROW(ps->threads, ps->tids.n, ps->threads_cap);
	struct thread *t = &ps->threads[at];
	if (at == known)
		t->comm = PROCESS_NO_COMM;
	if (!t->lives) {
		t->lives = true;
		t->pid = pid;
		process(ps, pid)->threads++;
	}
	return t;
}

uint32_t processes_comm(const struct processes *ps, uint32_t tid)
{
	uint32_t at = pl_intern_find(&ps->tids, &tid, sizeof tid);

	/* A sample may come behind its thread's exit, and does not wake it. Where nothing is known
	 * of a thread, its process's name would be a guess: threads name themselves. */
	return at == PL_INTERN_NONE ? PROCESS_NO_COMM : ps->threads[at].comm;
}

void processes_name(struct processes *ps, uint32_t pid, uint32_t tid, struct pl_str comm, bool exec)
{
	thread(ps, pid, tid)->comm = pl_intern(&ps->comms, comm.p, comm.n);
	if (exec)
		set_space(ps, pid, space_new(&ps->spaces));
}

void processes_fork(struct processes *ps, uint32_t pid, uint32_t tid, uint32_t parent_pid,
		    uint32_t parent_tid, bool exec)
{
	uint32_t comm = processes_comm(ps, parent_tid);

	/* a TID that comes again is another thread */
	processes_exit(ps, pid, tid);
	thread(ps, pid, tid)->comm = comm;
	if (pid != parent_pid)
		set_space(ps, pid,
			  exec ? space_new(&ps->spaces)
			       : space_share(*processes_space(ps, parent_pid)));
}

bool processes_forget(struct processes *ps)
{
	if (ps->forgotten == ps->buried_n)
		return false;
	uint32_t pid = ps->buried[ps->forgotten++ % PROCESS_BURIED];
	if (process(ps, pid)->threads == 0)
		set_space(ps, pid, NULL);
	return true;
}

/* The last samples of a process come behind its exit, so that its space is kept for a while. */
static void bury(struct processes *ps, uint32_t pid)
{
	if (ps->buried_n - ps->forgotten == PROCESS_BURIED)
		processes_forget(ps);
	ps->buried[ps->buried_n++ % PROCESS_BURIED] = pid;
}

void processes_exit(struct processes *ps, uint32_t pid, uint32_t tid)
{
	uint32_t at = pl_intern_find(&ps->tids, &tid, sizeof tid);

	if (at == PL_INTERN_NONE || !ps->threads[at].lives)
		return;
	/* what the thread was of is known better than what the record says */
	pid = ps->threads[at].pid;
	ps->threads[at].lives = false;
	if (--process(ps, pid)->threads == 0)
		bury(ps, pid);
}
