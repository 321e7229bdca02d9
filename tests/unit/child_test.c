/* child: what a parent sees of a child that answers, dies, hangs, or grows */
#include "child.h"
#include "mem.h"
#include "sandbox.h"
#include "unit.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pl_child child;

/* Does what the question says. */
static void work(void *context, struct pl_str question, struct pl_buf *answer)
{
	uint64_t *asked = context;

	(*asked)++;
	if (pl_str_is(question, "crash")) {
		pl_child_at(&child, 7);
		raise(SIGSEGV);
	} else if (pl_str_is(question, "hang")) {
		pl_child_at(&child, 8);
		for (;;)
			poll(NULL, 0, -1);
	} else if (pl_str_is(question, "grow")) {
		pl_child_at(&child, 9);
		for (;;)
			memset(pl_alloc(16 << 20), 1, 16 << 20);
	} else if (pl_str_is(question, "count")) {
		pl_buf_printf(answer, "%llu", (unsigned long long)*asked);
	} else if (pl_str_is(question, "a while")) {
		pl_child_at(&child, 10);
		poll(NULL, 0, 1200);
		pl_buf_adds(answer, question);
	} else {
		pl_buf_adds(answer, question);
	}
}

static uint64_t asked;

static void begin(uint64_t seconds, uint64_t memory)
{
	asked = 0;
	pl_child_init(&child, work, &asked,
		      (struct pl_child_caps){.seconds = seconds, .memory = memory});
}

TEST(answers)
{
	struct pl_buf answer = {0}, large = {0};

	begin(60, 0);
	CHECK(pl_child_ask(&child, PL_S("a question"), &answer) == PL_CHILD_ANSWERED);
	CHECK_STR(answer.p, answer.n, "a question");
	/* far more than a socket holds, both ways */
	for (size_t i = 0; i < 3 << 20; i++)
		pl_buf_addc(&large, (char)('a' + i % 26));
	CHECK(pl_child_ask(&child, pl_buf_str(&large), &answer) == PL_CHILD_ANSWERED);
	CHECK(pl_str_eq(pl_buf_str(&answer), pl_buf_str(&large)));
	CHECK(pl_child_ask(&child, PL_S("count"), &answer) == PL_CHILD_ANSWERED);
	CHECK_STR(answer.p, answer.n, "3");
	CHECK_U64(asked, 0);
	pl_child_end(&child);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	pl_buf_free(&answer);
	pl_buf_free(&large);
}

TEST(a_crash_costs_one_answer)
{
	struct pl_buf answer = {0};

	begin(60, 0);
	CHECK(pl_child_ask(&child, PL_S("crash"), &answer) == PL_CHILD_CRASHED);
	CHECK_U64(answer.n, 0);
	CHECK_U64(pl_child_was_at(&child), 7);
	/* the next one knows what the parent knows */
	asked = 41;
	CHECK(pl_child_ask(&child, PL_S("count"), &answer) == PL_CHILD_ANSWERED);
	CHECK_STR(answer.p, answer.n, "42");
	CHECK_U64(pl_child_was_at(&child), 0);
	pl_child_end(&child);
	pl_buf_free(&answer);
}

TEST(a_child_that_hangs_is_ended)
{
	struct pl_buf answer = {0};

	begin(1, 0);
	CHECK(pl_child_ask(&child, PL_S("hang"), &answer) == PL_CHILD_LATE);
	CHECK_U64(pl_child_was_at(&child), 8);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	CHECK(pl_child_ask(&child, PL_S("on"), &answer) == PL_CHILD_ANSWERED);
	pl_child_end(&child);
	pl_buf_free(&answer);
}

/* More seconds than poll(2) can be told in milliseconds, and than 32 bits hold, are no second. */
TEST(long_times_are_long)
{
	static const uint64_t times[] = {2147484, 4294968, 4294967297, UINT64_MAX};
	struct pl_buf answer = {0};

	for (size_t i = 0; i < PL_COUNT(times); i++) {
		begin(times[i], 0);
		CHECK(pl_child_ask(&child, PL_S("a while"), &answer) == PL_CHILD_ANSWERED);
		CHECK_STR(answer.p, answer.n, "a while");
		pl_child_end(&child);
	}
	pl_buf_free(&answer);
}

#ifndef PL_NO_SANDBOX
TEST(a_child_that_grows_dies)
{
	struct pl_buf answer = {0};

	begin(60, 64 << 20);
	CHECK(pl_child_ask(&child, PL_S("grow"), &answer) == PL_CHILD_CRASHED);
	CHECK_U64(pl_child_was_at(&child), 9);
	pl_child_end(&child);
	pl_buf_free(&answer);
}

/* In a process of its own: what it gives up it cannot get back. */
TEST(works_in_the_sandbox)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		struct pl_sandbox_needs needs = {.output_folder = -1, .children = true};
		struct pl_sandbox_state state;
		struct pl_err err;
		struct pl_buf answer = {0};
		if (pl_sandbox(&needs, &state, &err))
			_exit(2);
		begin(1, 64 << 20);
		_exit(!(pl_child_ask(&child, PL_S("x"), &answer) == PL_CHILD_ANSWERED &&
			pl_child_ask(&child, PL_S("hang"), &answer) == PL_CHILD_LATE &&
			pl_child_ask(&child, PL_S("crash"), &answer) == PL_CHILD_CRASHED &&
			pl_child_ask(&child, PL_S("grow"), &answer) == PL_CHILD_CRASHED &&
			pl_child_ask(&child, PL_S("x"), &answer) == PL_CHILD_ANSWERED));
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_U64((uint64_t)status, 0);
}
#endif

int main(void)
{
	RUN(answers);
	RUN(a_crash_costs_one_answer);
	RUN(a_child_that_hangs_is_ended);
	RUN(long_times_are_long);
#ifndef PL_NO_SANDBOX
	RUN(a_child_that_grows_dies);
	RUN(works_in_the_sandbox);
#endif
	return unit_done();
}
