/* event: names of perf events; expected values are those of perf-list(1) */
#include "event.h"
#include "unit.h"

TEST(the_base_of_an_event)
{
	static const char *const rows[][2] = {
		{"cycles", "cycles"},
		{"cycles:u", "cycles"},
		{"cycles:ukhGH", "cycles"},
		{"cpu-cycles", "cycles"},
		{"cpu-cycles:ppp", "cycles"},
		{"cpu_core/cycles/", "cycles"},
		{"cpu_atom/cycles/u", "cycles"},
		{"cpu/cpu-cycles/k", "cycles"},
		{"cpu/event=0x3c,name=foo/u", "cpu/event=0x3c,name=foo/u"},
		{"sched:sched_switch", "sched:sched_switch"},
		{"sched:sched_switch:u", "sched:sched_switch"},
		{"task-clock:u", "task-clock"},
		{"instructions:", "instructions:"},
		{"uncore_imc/data_reads/", "uncore_imc/data_reads/"},
		{"cpu_core/cycles", "cpu_core/cycles"},
		{"L1-dcache-load-misses:Pu", "L1-dcache-load-misses"},
		{"cycles:x", "cycles:x"},
		{"", ""},
	};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		struct pl_str base = pl_event_base(pl_str(rows[i][0]));
		CHECK_STR(base.p, base.n, rows[i][1]);
	}
	/* a NUL is no modifier */
	CHECK_U64(pl_event_base((struct pl_str){"cycles:\0", 8}).n, 8);
}

TEST(units_and_sources)
{
	static const char *const rows[][3] = {
		{"cpu-clock", "nanoseconds", "software"},
		{"task-clock:u", "nanoseconds", "software"},
		{"cycles:uppp", "cycles", "hardware"},
		{"cpu_atom/instructions/", "instructions", "hardware"},
		{"cpu/event=0x3c,name=foo/u", "events", "hardware"},
		{"LLC-load-misses", "events", "hardware"},
		{"branch-misses:u", "events", "hardware"},
		{"r01c0:u", "events", "hardware"},
		{"page-faults", "events", "software"},
		{"context-switches:u", "events", "software"},
		{"sched:sched_switch", "events", "tracepoint"},
		{"probe_app:main__return", "events", "tracepoint"},
		{"syscalls:sys_enter_read:u", "events", "tracepoint"},
		{"reads", "events", "unknown"},
		{"rxyz", "events", "unknown"},
		{"unknown", "events", "unknown"},
		{"my event", "events", "unknown"},
		{"a b:c", "events", "unknown"},
	};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		struct pl_str unit = pl_event_unit(pl_str(rows[i][0]));
		struct pl_str source = pl_event_source(pl_str(rows[i][0]));
		CHECK_STR(unit.p, unit.n, rows[i][1]);
		CHECK_STR(source.p, source.n, rows[i][2]);
	}
}

int main(void)
{
	RUN(the_base_of_an_event);
	RUN(units_and_sources);
	return unit_done();
}
