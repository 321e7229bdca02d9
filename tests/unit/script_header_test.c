/* script_header: the fields of a line, as perf prints them (perf_sample__fprintf_start), behind
 * names that are anything */
#include "../../filters/script-parse/header.h"
#include "unit.h"
#include <stdlib.h>

/* A copy of exactly these bytes, so that a sanitizer sees any read beyond them. Lives until the
 * next call. */
static struct pl_str exact(const char *text)
{
	static char *copy;
	size_t n = strlen(text);

	free(copy);
	copy = malloc(n ? n : 1);
	memcpy(copy, text, n);
	return (struct pl_str){copy, n};
}

static void put(char *to, size_t size, const char *name, struct pl_str s)
{
	size_t at = strlen(to);

	if (s.p)
		snprintf(to + at, size - at, "%s=%.*s;", name, (int)s.n, s.p);
}

static void put_number(char *to, size_t size, const char *name, bool there, int64_t n)
{
	size_t at = strlen(to);

	if (there)
		snprintf(to + at, size - at, "%s=%" PRId64 ";", name, n);
}

/* The line has these fields: NAME=VALUE; in perf's order; "" is none. */
static void has(const char *line, const char *want)
{
	char got[512] = "";
	struct script_header h;

	if (script_header_read(exact(line), &h)) {
		put(got, sizeof got, "comm", h.comm);
		put_number(got, sizeof got, "pid", h.has_pid, h.pid);
		put_number(got, sizeof got, "tid", h.has_tid, h.tid);
		put_number(got, sizeof got, "cpu", h.has_cpu, h.cpu);
		put(got, sizeof got, "misc", h.misc);
		put_number(got, sizeof got, "time", h.has_time, (int64_t)h.time);
		put_number(got, sizeof got, "period", h.has_period, (int64_t)h.period);
		put(got, sizeof got, "event", h.event);
		if (h.rest.n)
			put(got, sizeof got, "rest", h.rest);
	}
	if (!CHECK(strcmp(got, want) == 0))
		printf("#   %s\n#   got  %s\n#   want %s\n", line, got, want);
}

/* ---- perf's formats: "%s " or "%16s ", "%5d " or "%7d/%-7d ", "[%03d] ", "%12s: ", "%10lu ",
 * "%*s: " ---- */

TEST(all_fields)
{
	has("perf   4526/4527    [003] U      5292.470960:     250000          cpu-clock: ",
	    "comm=perf;pid=4526;tid=4527;cpu=3;misc=U;time=5292470960000;period=250000;"
	    "event=cpu-clock;");
	has("            perf  4526 [001]  5292.470825:     250000 cpu-clock:  ffffffff8226 f+0x1 "
	    "(k)",
	    "comm=perf;tid=4526;cpu=1;time=5292470825000;period=250000;event=cpu-clock;"
	    "rest=  ffffffff8226 f+0x1 (k);");
}

TEST(any_field_may_be_missing)
{
	has("perf  4526 cpu-clock: ", "comm=perf;tid=4526;event=cpu-clock;");
	has("perf [001] cpu-clock: ", "comm=perf;cpu=1;event=cpu-clock;");
	has("perf  5292.470825: cpu-clock: ", "comm=perf;time=5292470825000;event=cpu-clock;");
	has("perf     250000 cpu-clock: ", "comm=perf;period=250000;event=cpu-clock;");
	has("perf cpu-clock: ", "comm=perf;event=cpu-clock;");
	has("perf  4526 ", "comm=perf;tid=4526;");
	has("perf  4526 [001] ", "comm=perf;tid=4526;cpu=1;");
	has("perf  4526     250000 ", "comm=perf;tid=4526;period=250000;");
	has(" 4526 cpu-clock: ", "tid=4526;event=cpu-clock;");
	has("  4526/4527    ", "pid=4526;tid=4527;");
	has("[001]  5292.470825: ", "cpu=1;time=5292470825000;");
	has(" 5292.470825:     250000 ", "time=5292470825000;period=250000;");
	has("    250000 cpu-clock: ", "period=250000;event=cpu-clock;");
	has("    250000 ", "period=250000;");
	has("cpu-clock: ", "event=cpu-clock;");
	has(" 4526 [001]      55aa62b8017a burn (/bin/x)",
	    "tid=4526;cpu=1;rest=55aa62b8017a burn (/bin/x);");
}

TEST(numbers_at_their_limits)
{
	has("x    -1/-1      [001] 1.000000: 1 cs: ",
	    "comm=x;pid=-1;tid=-1;cpu=1;time=1000000000;period=1;event=cs;");
	has(":-1    -1 [-1] 1.000000: 1 cs: ",
	    "comm=:-1;tid=-1;cpu=-1;time=1000000000;period=1;event=cs;");
	has("x 4194304/4194304 [000]     0.000000:          0 cs: ",
	    "comm=x;pid=4194304;tid=4194304;cpu=0;time=0;period=0;event=cs;");
	has("x  1234 [000] 1.000000: 9223372036854775807 cycles: ",
	    "comm=x;tid=1234;cpu=0;time=1000000000;period=9223372036854775807;event=cycles;");
	has("x 99999999999 [000] 1.000000: 1 cs: ",
	    "comm=x 99999999999;cpu=0;time=1000000000;period=1;event=cs;");
}

TEST(times_have_any_digits)
{
	has("x  1234 1.5: cs: ", "comm=x;tid=1234;time=1500000000;event=cs;");
	has("x  1234     1.000000001: cs: ", "comm=x;tid=1234;time=1000000001;event=cs;");
	has("x  1234     1.0000000019: cs: ", "comm=x;tid=1234;time=1000000001;event=cs;");
	has("x  1234     0.000000: cs: ", "comm=x;tid=1234;time=0;event=cs;");
	/* from boot: 2^63 ns are 292 years */
	has("x  1234 9223372036.854775807: cs: ",
	    "comm=x;tid=1234;time=9223372036854775807;event=cs;");
}

/* Each mode's bits are tested for themselves: 3, the hypervisor, is K, U and H. */
TEST(misc_is_letters)
{
	has("x  1234 K      1.000000: 1 cs: ",
	    "comm=x;tid=1234;misc=K;time=1000000000;period=1;event=cs;");
	has("x  1234 KUH    cs: ", "comm=x;tid=1234;misc=KUH;event=cs;");
	has("x  1234 KGg    cs: ", "comm=x;tid=1234;misc=KGg;event=cs;");
}

/* ---- names ---- */

#define FIELDS "  4526 [001]  5292.470825:     250000 cpu-clock: "
#define READ "tid=4526;cpu=1;time=5292470825000;period=250000;event=cpu-clock;"

TEST(names_look_like_fields)
{
	has("12345" FIELDS, "comm=12345;" READ);
	has("1/2" FIELDS, "comm=1/2;" READ);
	has("t 99" FIELDS, "comm=t 99;" READ);
	has("# hash" FIELDS, "comm=# hash;" READ);
	has(" lead" FIELDS, "comm= lead;" READ);
	has("a:b" FIELDS, "comm=a:b;" READ);
	has("kworker/u8:1-ev" FIELDS, "comm=kworker/u8:1-ev;" READ);
	has("-1" FIELDS, "comm=-1;" READ);
	has("[003]" FIELDS, "comm=[003];" READ);
	has("1.5:" FIELDS, "comm=1.5:;" READ);
	has("4000 cycles:" FIELDS, "comm=4000 cycles:;" READ);
	has("worker 7 8/9" FIELDS, "comm=worker 7 8/9;" READ);
	has("1 [0] 1.5: x:" FIELDS, "comm=1 [0] 1.5: x:;" READ);
	has("9 1 [0] 2 cs:" FIELDS, "comm=9 1 [0] 2 cs:;" READ);
	has("\xef\xbf\xbd\xef\xbf\xbd" FIELDS, "comm=\xef\xbf\xbd\xef\xbf\xbd;" READ);
	has(" " FIELDS, READ);
}

TEST(names_are_padded_to_16_columns)
{
	has("           12345" FIELDS, "comm=12345;" READ);
	has("             1/2" FIELDS, "comm=1/2;" READ);
	has("            t 99" FIELDS, "comm=t 99;" READ);
	has("              -1" FIELDS, "comm=-1;" READ);
	has("           [003]" FIELDS, "comm=[003];" READ);
	has("            1.5:" FIELDS, "comm=1.5:;" READ);
	has("    4000 cycles:" FIELDS, "comm=4000 cycles:;" READ);
	has("    worker 7 8/9" FIELDS, "comm=worker 7 8/9;" READ);
	has(" kworker/u8:1-ev" FIELDS, "comm=kworker/u8:1-ev;" READ);
	has("              \xef\xbf\xbd\xef\xbf\xbd" FIELDS, "comm=\xef\xbf\xbd\xef\xbf\xbd;" READ);
	/* and as many bytes, as each of a name's is one character */
	has(" \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	    "\xef\xbf\xbd" FIELDS,
	    "comm=\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	    "\xef\xbf\xbd\xef\xbf\xbd;" READ);
}

TEST(names_with_few_fields_behind)
{
	has("t 99    1000000 cpu-clock: ", "comm=t 99;period=1000000;event=cpu-clock;");
	has("1/2    1000000 cpu-clock: ", "comm=1/2;period=1000000;event=cpu-clock;");
	has("1.5:    1000000 cpu-clock: ", "comm=1.5:;period=1000000;event=cpu-clock;");
	has(" lead    1000000 cpu-clock: ", "comm= lead;period=1000000;event=cpu-clock;");
	has("4000 cycles:    1000000 cpu-clock: ",
	    "comm=4000 cycles:;period=1000000;event=cpu-clock;");
	has("1.5:  4526 ", "comm=1.5:;tid=4526;");
	has("t 99  4526 ", "comm=t 99;tid=4526;");
	has("           12345    1000000 cpu-clock: ",
	    "comm=12345;period=1000000;event=cpu-clock;");
	has("              -1   cpu-clock:      55aa62b8017a burn",
	    "comm=-1;event=cpu-clock;rest=      55aa62b8017a burn;");
}

/* 16 bytes are no name */
TEST(names_are_short)
{
	has("A sentence with 12345 [001]  5.000000: 1 cs: ", "comm=A sentence with;tid=12345;cpu=1;"
							     "time=5000000000;period=1;event=cs;");
	has("A sentence of this 12345 [001]  5.000000: 1 cs: ", "");
	has("Warning: 3 out of 4 cycles: lost", "event=Warning;rest= 3 out of 4 cycles: lost;");
}

/* ---- events ---- */

TEST(events_are_spelt_in_many_ways)
{
#define EVENT(event)                           \
	has("x  1234 1.000000: 7 " event ": ", \
	    "comm=x;tid=1234;time=1000000000;period=7;event=" event ";")
	EVENT("cycles:uppp");
	EVENT("cpu/event=0x3c,name=foo/u");
	EVENT("cpu_core/cycles/");
	EVENT("cpu_core/cycles/P");
	EVENT("probe_libc:malloc");
	EVENT("my event");
	EVENT("L1-dcache-load-misses");
	EVENT("r01c0");
	EVENT("intel_pt//");
	EVENT("mem:0x601040:rw");
	/* to the longest name's width */
	has("x  1234 1.000000: 7               cycles: ",
	    "comm=x;tid=1234;time=1000000000;period=7;event=cycles;");
}

TEST(a_payload_is_what_stands_behind_the_event)
{
	has("x  1234 [000]  1.000000: sched:sched_switch: prev_comm=x ==> next_comm=a: b",
	    "comm=x;tid=1234;cpu=0;time=1000000000;event=sched:sched_switch;"
	    "rest= prev_comm=x ==> next_comm=a: b;");
	/* numbers in it are no thread, nor is one of them a period */
	has("a  1234 x:y: 12 bar: 5", "comm=a;tid=1234;event=x:y;rest= 12 bar: 5;");
	has("a  1234 1.000000: raw_syscalls:sys_enter: NR 1 (3, 4)",
	    "comm=a;tid=1234;time=1000000000;event=raw_syscalls:sys_enter;rest= NR 1 (3, 4);");
}

TEST(what_is_no_header)
{
	has("", "");
	has(" ", "");
	has("perf", "");
	has("perf stat", "");
	has("55aa62b8017a main (/bin/x)", "");
	has("main.c:42", "");
	has("??:0", "");
	has("addr2line: could not read", "");
	has(": x", "");
}

static void certain(const char *line, bool want)
{
	struct script_header h;

	if (!CHECK((script_header_read(exact(line), &h) && script_header_is_certain(&h)) == want))
		printf("#   %s\n", line);
}

TEST(two_fields_together_are_certain)
{
	certain("x  1234 [001] 1.000000: ", true);
	certain("x  1234 1.000000: ", true);
	certain("x  1234 cs: ", true);
	certain("x     250000 cs: ", true);
	certain("x  1234     250000 ", true);
	certain("cs: ", false);
	certain("x  1234 ", false);
	certain("1.000000: ", false);
	certain("Warning: 3 out of 4 cycles: lost", false);
	certain("processed 12345 events", false);
}

TEST(a_thread_alone_stands_where_perf_prints_it)
{
	struct script_header h;
	struct pl_str line = exact("x  1234 ");

	CHECK(script_header_read(line, &h) && script_header_is_thread(&h, line));
	line = exact("processed 12 ");
	CHECK(!script_header_read(line, &h) || !script_header_is_thread(&h, line));
	line = exact(" 4526 ");
	CHECK(script_header_read(line, &h) && script_header_is_thread(&h, line));
	/* column 16 ends a name */
	line = exact("           12345      55aa62b8017a burn (/bin/x)");
	CHECK(!script_header_read(line, &h));
	CHECK(script_header_read_comm(line, &h));
	CHECK_STR(h.comm.p, h.comm.n, "12345");
	CHECK_STR(h.rest.p, h.rest.n, "55aa62b8017a burn (/bin/x)");
	line = exact("    worker 7 8/9  ffffffff8226e979 burn");
	CHECK(script_header_read_comm(line, &h));
	CHECK_STR(h.comm.p, h.comm.n, "worker 7 8/9");
	CHECK(!script_header_read_comm(exact("    worker 7 8/9 ffff burn"), &h));
	CHECK(!script_header_read_comm(exact("    short"), &h));
	CHECK(!script_header_read_comm(exact(""), &h));
}

int main(void)
{
	RUN(all_fields);
	RUN(any_field_may_be_missing);
	RUN(numbers_at_their_limits);
	RUN(times_have_any_digits);
	RUN(misc_is_letters);
	RUN(names_look_like_fields);
	RUN(names_are_padded_to_16_columns);
	RUN(names_with_few_fields_behind);
	RUN(names_are_short);
	RUN(events_are_spelt_in_many_ways);
	RUN(a_payload_is_what_stands_behind_the_event);
	RUN(what_is_no_header);
	RUN(two_fields_together_are_certain);
	RUN(a_thread_alone_stands_where_perf_prints_it);
	return unit_done();
}
