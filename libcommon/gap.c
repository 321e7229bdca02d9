/* gap: the table, and which of it applies */
#include "gap.h"
#include "event.h"
#include "num.h"
#include "text.h"

enum {
	NO_CALL_GRAPH = 1, /* weight, and no stack of several frames */
	CALL_GRAPH = 2,	   /* the opposite */
	NO_PATHS = 4,
	NO_LINES = 8,
	UNIT_UNKNOWN = 16
};

/* What the analysis itself lacks comes first, then what a sampled event cannot say at all, then
 * what a category would need. */
static const struct pl_gap table[] = {
	{"no_call_graph",
	 N_("there is no call graph: who calls the hotspots, and how the weight spreads over call "
	    "paths, is not known"),
	 "perf record --call-graph dwarf -- COMMAND", NO_CALL_GRAPH, NULL, NULL, NULL},
	{"no_call_paths",
	 N_("the analysis was made without call paths: callers and paths are not in it"),
	 "pl-aggregate < samples.ndjson > analysis.ndjson", CALL_GRAPH | NO_PATHS, NULL, NULL,
	 NULL},
	{"no_source_lines",
	 N_("there are no source lines: which statement of a function costs what is not known; "
	    "build with debug information (-g)"),
	 "perflens analyze-perf-data --input perf.data --lines --output analysis.ndjson", NO_LINES,
	 NULL, NULL, NULL},
	{"unknown_unit",
	 N_("the unit of the weights is not recorded: state it when the stacks are read"),
	 "perflens analyze-folded --input stacks.folded --unit samples --output analysis.ndjson",
	 UNIT_UNKNOWN, NULL, NULL, NULL},
	{"off_cpu_time",
	 N_("time spent waiting is not known to have been measured: samples on a CPU say nothing "
	    "about it"),
	 "perf record -e sched:sched_switch --call-graph fp -- COMMAND", 0, "off_cpu_time",
	 "sched:sched_switch", NULL},
	{"instructions_per_cycle",
	 N_("cycles and instructions are not known to have been counted: how many instructions a "
	    "cycle does is open"),
	 "perf stat -e cycles,instructions -- COMMAND", 0, "instructions_per_cycle", NULL, NULL},
	{"cache_misses", N_("cache misses are not known to have been counted"),
	 "perf stat -e cache-references,cache-misses,LLC-loads,LLC-load-misses -- COMMAND", 0,
	 "hardware_cache_miss_rate", NULL, NULL},
	{"branch_misses", N_("mispredicted branches are not known to have been counted"),
	 "perf stat -e branches,branch-misses -- COMMAND", 0, "hardware_branch_miss_rate", NULL,
	 NULL},
	{"allocation_counts",
	 N_("how many allocations were made, of what sizes and by whom, was not measured: samples "
	    "say what the allocator costs, not how often it is called"),
	 "heaptrack COMMAND", 0, NULL, NULL, "memory-allocation garbage-collection"},
	{"copy_sizes",
	 N_("how much memory is copied or set, and in how many calls, was not measured"),
	 "ltrace -c -e memcpy+memmove+memset+memcmp COMMAND", 0, NULL, NULL,
	 "memory-copy memory-set-compare"},
	{"page_faults", N_("page faults were not counted"),
	 "perf stat -e page-faults,minor-faults,major-faults -- COMMAND", 0, NULL, "page-faults",
	 "page-fault"},
	{"tlb_misses", N_("misses of the TLB were not counted"),
	 "perf stat -e dTLB-loads,dTLB-load-misses,iTLB-load-misses -- COMMAND", 0, NULL,
	 "dTLB-load-misses", "tlb page-fault"},
	{"system_calls",
	 N_("how many system calls were made, which of them, and how long each took, was not "
	    "measured"),
	 "perf trace -s -- COMMAND", 0, NULL, "raw_syscalls:sys_enter", "system-call"},
	{"lock_contention",
	 N_("which locks were waited for, how often and how long, was not measured"),
	 "perf lock record -- COMMAND && perf lock report", 0, NULL, "lock:contention_begin",
	 "synchronization kernel-lock busy-wait"},
	{"scheduler_latency",
	 N_("how long threads waited for a CPU, and who woke them, was not measured"),
	 "perf sched record -- COMMAND && perf sched latency", 0, NULL, "sched:sched_switch",
	 "scheduler idle"},
	{"interrupts", N_("interrupts were not counted by source"),
	 "perf stat -a -e irq:irq_handler_entry,irq:softirq_entry -- COMMAND", 0, NULL,
	 "irq:irq_handler_entry", "interrupt"},
	{"block_io_latency", N_("sizes and latencies of block requests were not measured"),
	 "perf record -a -e block:block_rq_issue,block:block_rq_complete -- COMMAND", 0, NULL,
	 "block:block_rq_issue", "block-io"},
	{"file_operations",
	 N_("which files were read and written, in what sizes and how long it took, was not "
	    "measured"),
	 "strace -f -c -e trace=file,desc COMMAND", 0, NULL, NULL, "filesystem"},
	{"network_traffic",
	 N_("sizes, retransmissions and waiting of network traffic were not measured"),
	 "perf stat -a -e net:net_dev_queue,net:netif_receive_skb,tcp:tcp_retransmit_skb -- "
	 "COMMAND",
	 0, NULL, "net:netif_receive_skb", "network"},
	{"virtual_machine_exits", N_("exits of virtual machines were not counted by reason"),
	 "perf kvm stat record -p PID && perf kvm stat report", 0, NULL, "kvm:kvm_exit",
	 "virtualization"},
	{"exceptions_thrown", N_("how many exceptions were thrown, and where, was not measured"),
	 "ltrace -c -e __cxa_throw COMMAND", 0, NULL, NULL, "exception-unwind"},
};

static bool holds(const struct pl_str *codes, size_t n, const char *code)
{
	for (size_t i = 0; i < n; i++)
		if (pl_str_is(codes[i], code))
			return true;
	return false;
}

static bool measured(const struct pl_gap_facts *f, const char *event)
{
	for (size_t i = 0; i < f->events_n; i++)
		if (pl_str_is(pl_event_base(f->events[i]), event))
			return true;
	return false;
}

/* Does one word of the list have self weight? */
static bool has_weight(const struct pl_gap_facts *f, const char *categories)
{
	for (size_t i = 0; i < f->weighty_n; i++) {
		const char *at = categories;
		size_t n = f->weighty[i].n;
		while (at) {
			if (strncmp(at, f->weighty[i].p, n) == 0 && (at[n] == ' ' || !at[n]))
				return true;
			at = strchr(at, ' ');
			at += at != NULL;
		}
	}
	return false;
}

static bool state_applies(const struct pl_gap_facts *f, unsigned when)
{
	return (!(when & NO_CALL_GRAPH) || !f->multi_frame_weight) &&
	       (!(when & CALL_GRAPH) || f->multi_frame_weight) &&
	       (!(when & NO_PATHS) || !f->paths) && (!(when & NO_LINES) || !f->source_line_self) &&
	       (!(when & UNIT_UNKNOWN) || pl_str_is(f->unit, "unknown"));
}

static bool applies(const struct pl_gap_facts *f, const struct pl_gap *g)
{
	return state_applies(f, g->when) &&
	       (!g->forbidden || holds(f->forbidden, f->forbidden_n, g->forbidden)) &&
	       (!g->event || !measured(f, g->event)) &&
	       (!g->categories || !f->classified || has_weight(f, g->categories));
}

const struct pl_gap *pl_gap_next(const struct pl_gap_facts *facts, const struct pl_gap *last)
{
	const struct pl_gap *end = table + PL_COUNT(table);

	if (!facts->weight) /* nothing was sampled: that is said elsewhere, and all there is to say
			     */
		return NULL;
	for (const struct pl_gap *g = last ? last + 1 : table; g < end; g++)
		if (applies(facts, g))
			return g;
	return NULL;
}

void pl_gap_module(struct pl_buf *out, struct pl_str dso, uint64_t unresolved_pct,
		   struct pl_str reason, struct pl_str fix)
{
	char pct[PL_NUM_MAX];

	pl_buf_adds(out, dso);
	pl_buf_addz(out, ": ");
	pl_buf_add(out, pct, pl_num_put_micro(pct, unresolved_pct));
	pl_buf_addz(out, " % of the event's weight has no symbol");
	if (reason.p) {
		pl_buf_addz(out, " (");
		pl_buf_adds(out, reason);
		pl_buf_addc(out, ')');
	}
	if (fix.p) {
		pl_buf_addz(out, ": ");
		pl_buf_adds(out, fix);
	}
}
