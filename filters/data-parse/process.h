/* process: the processes and threads of a recording: which address space and which name they have
 * at the moment that replay has come to */
#ifndef PROCESS_H
#define PROCESS_H

#include "intern.h"
#include "space.h"

enum { PROCESS_NO_COMM = UINT32_MAX, PROCESS_BURIED = 1024 };

struct processes {
	struct spaces spaces;
	struct pl_intern comms; /* valid UTF-8 */
	/* private */
	struct pl_intern pids, tids; /* four bytes each */
	struct process {
		struct space *space; /* NULL: gone, or nothing known yet */
		uint32_t threads;    /* that are known and did not exit */
	} * v;			     /* by the number of the PID */
	size_t cap;
	struct thread {
		uint32_t pid, comm;
		bool lives;
	} * threads; /* by the number of the TID */
	size_t threads_cap;
	uint32_t buried[PROCESS_BURIED]; /* PIDs of the last that ended, round about */
	size_t buried_n, forgotten;
};

void processes_start(struct processes *ps, size_t max_maps);
void processes_free(struct processes *ps);

/* The space of a process, which is empty when nothing is known of it. To be changed with
 * space_insert(). */
struct space **processes_space(struct processes *ps, uint32_t pid);
/* The name of a thread, a number of comms, or PROCESS_NO_COMM. */
uint32_t processes_comm(const struct processes *ps, uint32_t tid);

/* COMM: the thread has a new name; `exec`: and its process a new, empty space. */
void processes_name(struct processes *ps, uint32_t pid, uint32_t tid, struct pl_str comm,
		    bool exec);
/* FORK: a new thread, of a new process where pid is not the parent's: it has its parent's space and
 * name; `exec`: an empty space, as it ran exec since. */
void processes_fork(struct processes *ps, uint32_t pid, uint32_t tid, uint32_t parent_pid,
		    uint32_t parent_tid, bool exec);
/* EXIT: with its last thread a process ends; its space goes when PROCESS_BURIED more have ended, or
 * its PID is used again, or room is needed. */
void processes_exit(struct processes *ps, uint32_t pid, uint32_t tid);
/* Gives up the space of the process that ended first; false: there is none any more. */
bool processes_forget(struct processes *ps);

#endif
