/* analysis_fuzz: an analysis may be anything; what is accepted can be summed up without a fault */
#include "summary.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

/* What the sums of a summary promise. */
static void check_event(const struct pl_summary_event *e)
{
	expect(e->work.self + e->idle_self + e->other_self + e->event.stackless == e->event.weight);
	expect(e->work.n + e->idle_n + e->other_n == e->totals.hotspots_total);
	expect(e->paths_weight <= pl_summary_self(e));
	for (size_t i = 0; i < e->work.n; i++)
		for (size_t k = 0; k < e->work.v[i].callers.n; k++)
			expect(e->work.v[i].callers.v[k].id.p);
}

static void read_analysis(struct pl_in *in)
{
	/* callers and callees are kept in the stream's order only: half of the inputs are read so
	 */
	bool stream = pl_in_total(in) % 2;
	const struct pl_summary_options options = {.order = stream ? PL_SUMMARY_STREAM
								   : PL_SUMMARY_INCLUSIVE,
						   .top_n = 3,
						   .call_path_limit = 2,
						   .edges_of = stream ? 2 : 0};
	struct pl_analysis a;
	struct pl_summary s;
	struct pl_err err;

	/* unsealed: else only the digest would be tried */
	if (pl_analysis_open(&a, in, true)) {
		expect(a.s.err.code != PL_E_NONE);
		pl_analysis_close(&a);
		return;
	}
	if (pl_summary_read(&s, &options, &a, &err) == 0)
		for (size_t i = 0; i < s.events_n; i++)
			check_event(&s.events[i]);
	else
		expect(err.code != PL_E_NONE && err.message[0]);
	pl_summary_free(&s);
	pl_analysis_close(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pl_in_options options = {.max_line = 1 << 20};
	char path[64];
	const char *paths[] = {path};
	struct pl_in in;
	int fd = memfd_create("analysis", 0);

	expect(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (pl_in_open(&in, paths, 1, &options) == 0 && pl_in_next(&in) == 1)
		read_analysis(&in);
	pl_in_close(&in);
	close(fd);
	return 0;
}
