/* event: names of perf events */
#include "event.h"

/* perf-list(1), "EVENT MODIFIERS" */
static bool only_modifiers(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!p[i] || !strchr("ukhGHpPSDWebR", p[i]))
			return false;
	return n > 0;
}

/* The name between the slashes of "cpu_core/cycles/u"; absent when it is a list of terms. */
static struct pl_str pmu_name(struct pl_str event)
{
	const char *slash = memchr(event.p, '/', event.n);
	struct pl_str name = {NULL, 0};

	if (!slash || !pl_str_starts(event, "cpu"))
		return name;
	size_t left = event.n - (size_t)(slash + 1 - event.p);
	const char *end = memchr(slash + 1, '/', left);
	if (end && !memchr(slash + 1, '=', (size_t)(end - slash - 1)))
		name = (struct pl_str){slash + 1, (size_t)(end - slash - 1)};
	return name;
}

static struct pl_str without_modifiers(struct pl_str event)
{
	size_t colon = event.n;

	while (colon > 0 && event.p[colon - 1] != ':')
		colon--;
	/* the last colon; sched:sched_switch ends in no modifiers */
	if (colon > 1 && only_modifiers(event.p + colon, event.n - colon))
		event.n = colon - 1;
	return event;
}

struct pl_str pl_event_base(struct pl_str event)
{
	struct pl_str name = pmu_name(event);

	event = name.p ? name : without_modifiers(event);
	return pl_str_is(event, "cpu-cycles") ? PL_S("cycles") : event;
}

static bool is_one_of(struct pl_str s, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pl_str_is(s, names[i]))
			return true;
	return false;
}

struct pl_str pl_event_unit(struct pl_str event)
{
	struct pl_str base = pl_event_base(event);

	if (pl_str_is(base, "cpu-clock") || pl_str_is(base, "task-clock"))
		return PL_S("nanoseconds");
	if (pl_str_is(base, "cycles") || pl_str_is(base, "instructions"))
		return base;
	return PL_S("events");
}

/* perf-list(1): the kernel's own counters */
static bool is_software(struct pl_str base)
{
	static const char *const names[] = {"alignment-faults",
					    "bpf-output",
					    "cgroup-switches",
					    "context-switches",
					    "cpu-clock",
					    "cpu-migrations",
					    "cs",
					    "dummy",
					    "emulation-faults",
					    "faults",
					    "major-faults",
					    "migrations",
					    "minor-faults",
					    "page-faults",
					    "task-clock"};

	return is_one_of(base, names, PL_COUNT(names));
}

/* perf-list(1): generic hardware events, cache events (L1-dcache-load-misses, …), raw ones (r01c0),
 * PMU terms */
static bool is_hardware(struct pl_str base)
{
	static const char *const names[] = {"branch-instructions",
					    "branch-misses",
					    "branches",
					    "bus-cycles",
					    "cache-misses",
					    "cache-references",
					    "cycles",
					    "cycles-ct",
					    "cycles-t",
					    "idle-cycles-backend",
					    "idle-cycles-frontend",
					    "instructions",
					    "mem-loads",
					    "mem-stores",
					    "ref-cycles",
					    "slots",
					    "stalled-cycles-backend",
					    "stalled-cycles-frontend"};
	static const char *const families[] = {
		"L1-",	"LLC-",	     "dTLB-",	  "iTLB-",   "branch-", "node-", "topdown-",
		"cpu/", "cpu_core/", "cpu_atom/", "uncore_", "armv8_",	"ibs_"};
	size_t digits = 1;

	if (is_one_of(base, names, PL_COUNT(names)))
		return true;
	for (size_t i = 0; i < PL_COUNT(families); i++)
		if (pl_str_starts(base, families[i]))
			return true;
	if (base.n < 2 || base.p[0] != 'r')
		return false;
	while (digits < base.n && strchr("0123456789abcdefABCDEF", base.p[digits]) &&
	       base.p[digits])
		digits++;
	return digits == base.n;
}

/* SYSTEM:NAME, both identifiers */
static bool is_tracepoint(struct pl_str base)
{
	const char *colon = memchr(base.p, ':', base.n);

	if (!colon || colon == base.p || colon + 1 == base.p + base.n)
		return false;
	for (size_t i = 0; i < base.n; i++) {
		char c = base.p[i];
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
		if (!word && base.p + i != colon)
			return false;
	}
	return true;
}

struct pl_str pl_event_source(struct pl_str event)
{
	struct pl_str base = pl_event_base(event);

	if (is_software(base))
		return PL_S("software");
	if (is_hardware(base))
		return PL_S("hardware");
	return is_tracepoint(base) ? PL_S("tracepoint") : PL_S("unknown");
}
