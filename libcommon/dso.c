/* dso: what differs from run to run in the name of a DSO */
#include "dso.h"

/* perf-PID.map, where a JIT compiler names its code: perf's Documentation/jit-interface.txt. */
static bool is_perf_map(struct pl_str base)
{
	size_t digits = 0;

	if (!pl_str_starts(base, "perf-") || !pl_str_ends(base, ".map"))
		return false;
	for (size_t i = 5; i + 4 < base.n; i++, digits++)
		if (base.p[i] < '0' || base.p[i] > '9')
			return false;
	return digits > 0;
}

struct pl_str pl_dso_normal(struct pl_str dso, bool *deleted)
{
	static const char suffix[] = " (deleted)";

	*deleted = false;
	if (!dso.p)
		return dso;
	if (is_perf_map(pl_str_base(dso)))
		return PL_S("[jit]");
	if (pl_str_ends(dso, suffix)) {
		dso.n -= sizeof suffix - 1;
		if (pl_str_starts(dso, "/memfd:"))
			return (struct pl_str){dso.p + 1, dso.n - 1};
		*deleted = true;
	}
	return dso;
}
