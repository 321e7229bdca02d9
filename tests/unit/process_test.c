/* process: which space and which name a process has after forks, exec, exits, and after records
 * that were lost */
#include "../../filters/data-parse/process.h"
#include "perf_kit.h"

static struct processes ps;

static void start(void)
{
	processes_start(&ps, 1000);
}

static void name(uint32_t pid, uint32_t tid, const char *comm, bool exec)
{
	processes_name(&ps, pid, tid, pl_str(comm), exec);
}

/* The comm, or "-". */
static void check_comm(uint32_t tid, const char *want)
{
	uint32_t id = processes_comm(&ps, tid);
	struct pl_str got = id == PROCESS_NO_COMM ? PL_S("-") : pl_intern_str(&ps.comms, id);

	CHECK_STR(got.p, got.n, want);
}

static void map(uint32_t pid, uint64_t start_at, uint32_t module)
{
	CHECK(space_insert(&ps.spaces, processes_space(&ps, pid),
			   (struct space_map){.start = start_at,
					      .end = start_at + 10,
					      .module = module}) == 0);
}

/* The module mapped at the address, or -1. */
static void check_map(uint32_t pid, uint64_t at, int64_t want)
{
	const struct space_map *m = space_find(*processes_space(&ps, pid), at);

	CHECK((m ? (int64_t)m->module : -1) == want);
}

static void end(void)
{
	processes_free(&ps);
	CHECK_U64(ps.spaces.maps, 0);
}

/* So many others come and go that the first of those that ended is forgotten. */
static void others_end(void)
{
	for (uint32_t pid = 100000; pid < 100000 + PROCESS_BURIED; pid++) {
		name(pid, pid, "other", false);
		processes_exit(&ps, pid, pid);
	}
}

TEST(what_is_not_known_is_empty)
{
	start();
	check_comm(1, "-");
	check_comm(2, "-");
	check_map(1, 0, -1);
	end();
}

TEST(a_thread_has_a_name_of_its_own)
{
	start();
	name(10, 10, "app", false);
	check_comm(11, "-"); /* its fork and its name were lost: no guess */
	name(10, 11, "worker", false);
	check_comm(11, "worker");
	check_comm(10, "app");
	end();
}

TEST(a_fork_shares_maps_until_one_changes)
{
	start();
	name(10, 10, "sh", false);
	map(10, 100, 1);
	processes_fork(&ps, 20, 20, 10, 10, false);
	check_comm(20, "sh");
	check_map(20, 100, 1);
	map(20, 100, 2);
	check_map(20, 100, 2);
	check_map(10, 100, 1);
	map(10, 200, 3);
	check_map(20, 200, -1);
	end();
}

TEST(exec_gives_a_new_name_and_an_empty_space)
{
	start();
	map(10, 100, 1);
	processes_fork(&ps, 20, 20, 10, 10, false);
	name(20, 20, "ls", true);
	check_comm(20, "ls");
	check_map(20, 100, -1);
	check_map(10, 100, 1);
	/* a thread that gives itself a name keeps its maps */
	map(20, 100, 2);
	name(20, 20, "ls2", false);
	check_map(20, 100, 2);
	end();
}

TEST(a_thread_is_of_its_process)
{
	start();
	name(10, 10, "app", false);
	map(10, 100, 1);
	processes_fork(&ps, 10, 11, 10, 10, false);
	check_comm(11, "app");
	map(10, 200, 2);
	check_map(10, 100, 1);
	/* the first thread may end before the others: the maps stay */
	processes_exit(&ps, 10, 10);
	check_map(10, 100, 1);
	processes_exit(&ps, 10, 11);
	/* its last samples come behind its exit */
	check_map(10, 100, 1);
	others_end();
	check_map(10, 100, -1);
	end();
}

TEST(names_outlive_their_threads)
{
	start();
	name(10, 10, "app", false);
	processes_exit(&ps, 10, 10);
	check_comm(10, "app");
	processes_exit(&ps, 10, 10);
	processes_exit(&ps, 99, 99);
	end();
}

TEST(a_pid_that_comes_again_is_another_process)
{
	start();
	name(10, 10, "parent", false);
	name(20, 20, "old", false);
	map(20, 100, 1);
	/* its exit was lost */
	processes_fork(&ps, 20, 20, 10, 10, false);
	check_comm(20, "parent");
	check_map(20, 100, -1);
	end();
}

/* perf makes FORK records of what runs when it starts, and says that it ran exec since. */
TEST(processes_that_perf_found_have_maps_of_their_own)
{
	start();
	name(1, 1, "init", false);
	map(1, 100, 1);
	processes_fork(&ps, 20, 20, 1, 1, true);
	check_map(20, 100, -1);
	check_map(1, 100, 1);
	end();
}

TEST(a_fork_of_itself_changes_nothing)
{
	start();
	name(10, 10, "app", false);
	map(10, 100, 1);
	processes_fork(&ps, 10, 11, 10, 11, false);
	check_map(10, 100, 1);
	check_comm(11, "-");
	end();
}

TEST(pid_minus_one_is_a_process_like_others)
{
	start();
	check_comm(UINT32_MAX, "-");
	map(UINT32_MAX, 100, 1);
	check_map(UINT32_MAX, 100, 1);
	end();
}

TEST(a_pid_of_a_buried_process_lives)
{
	start();
	name(10, 10, "app", false);
	map(10, 100, 1);
	processes_exit(&ps, 10, 10);
	name(5, 5, "shell", false);
	map(5, 300, 3);
	processes_fork(&ps, 10, 10, 5, 5, false);
	check_map(10, 100, -1);
	check_map(10, 300, 3);
	others_end();
	/* it lives */
	check_map(10, 300, 3);
	end();
}

TEST(a_thread_that_exits_by_another_pid_leaves_its_own)
{
	start();
	name(10, 10, "app", false);
	map(10, 100, 1);
	map(20, 100, 2);
	processes_exit(&ps, 20, 10);
	others_end();
	check_map(10, 100, -1);
	check_map(20, 100, 2);
	end();
}

/* Where room is needed: the first that ended first, and never one that lives. */
TEST(the_dead_make_room)
{
	start();
	for (uint32_t pid = 10; pid < 13; pid++) {
		name(pid, pid, "app", false);
		map(pid, 100, 1);
		processes_exit(&ps, pid, pid);
	}
	name(11, 11, "again", false);
	CHECK(processes_forget(&ps));
	check_map(10, 100, -1);
	check_map(11, 100, 1);
	CHECK(processes_forget(&ps));
	check_map(11, 100, 1);
	check_map(12, 100, 1);
	CHECK(processes_forget(&ps));
	check_map(12, 100, -1);
	CHECK(!processes_forget(&ps));
	end();
}

int main(void)
{
	RUN(what_is_not_known_is_empty);
	RUN(a_thread_has_a_name_of_its_own);
	RUN(a_fork_shares_maps_until_one_changes);
	RUN(exec_gives_a_new_name_and_an_empty_space);
	RUN(a_thread_is_of_its_process);
	RUN(names_outlive_their_threads);
	RUN(a_pid_that_comes_again_is_another_process);
	RUN(processes_that_perf_found_have_maps_of_their_own);
	RUN(a_fork_of_itself_changes_nothing);
	RUN(pid_minus_one_is_a_process_like_others);
	RUN(a_pid_of_a_buried_process_lives);
	RUN(a_thread_that_exits_by_another_pid_leaves_its_own);
	RUN(the_dead_make_room);
	return unit_done();
}
