/* limits: the table is that of STREAMS.md section 6, and an error names the option to raise */
#include "limits.h"
#include "unit.h"

static const struct {
	enum pl_limit limit;
	const char *option, *argument;
	uint64_t fallback, min;
	bool recorded; /* line, depth and diagnostic limits, and what is cut off; not the fatal ones
			*/
	const char *exceeded;
} want[] = {
	{PL_LIMIT_INPUT_BYTES, "max-input-bytes", "SIZE", 1073741824, 0, false,
	 "more than 7 bytes of input"},
	{PL_LIMIT_RECORDS, "max-records", "N", 10000000, 1, false, "more than 7 records"},
	{PL_LIMIT_LINE_BYTES, "max-line-bytes", "SIZE", 1048576, 16, true,
	 "a line of more than 7 bytes"},
	{PL_LIMIT_STACK_DEPTH, "max-stack-depth", "N", 4096, 1, true,
	 "a stack of more than 7 frames"},
	{PL_LIMIT_UNIQUE_FRAMES, "max-unique-frames", "N", 2000000, 1, false,
	 "more than 7 distinct frames"},
	{PL_LIMIT_UNIQUE_CALL_PATHS, "max-unique-call-paths", "N", 1000000, 1, false,
	 "more than 7 distinct call paths"},
	{PL_LIMIT_WARNINGS, "max-warnings", "N", 100, 0, true, "more than 7 diagnostics"},
	{PL_LIMIT_TOP_N, "top-n", "N", 10000, 1, true, "more than 7 hotspots"},
	{PL_LIMIT_CALL_PATH, "call-path-limit", "N", 1000, 1, true, "more than 7 call paths"},
	{PL_LIMIT_OUTPUT_BYTES, "max-output-bytes", "SIZE", 134217728, 1, false,
	 "more than 7 bytes of output"},
	{PL_LIMIT_TIMEOUT_SECONDS, "timeout-seconds", "N", 300, 1, false, "more than 7 seconds"},
};

TEST(the_table_is_the_contracts)
{
	struct pl_limits limits;

	pl_limits_default(&limits);
	CHECK_U64(PL_COUNT(want), PL_LIMIT_COUNT);
	for (size_t i = 0; i < PL_COUNT(want); i++) {
		const struct pl_limit_info *info = pl_limit_info(want[i].limit);
		CHECK_STR(info->option, strlen(info->option), want[i].option);
		CHECK_STR(info->argument, strlen(info->argument), want[i].argument);
		CHECK_U64(info->fallback, want[i].fallback);
		CHECK_U64(info->min, want[i].min);
		CHECK(info->recorded == want[i].recorded);
		CHECK(info->help && info->help[0]);
		CHECK_U64(limits.v[want[i].limit], want[i].fallback);
	}
}

TEST(one_that_is_exceeded_says_so)
{
	for (size_t i = 0; i < PL_COUNT(want); i++) {
		struct pl_err err;
		char action[64];
		CHECK(pl_limit_exceeded(&err, want[i].limit, 7) == -1);
		CHECK(err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
		CHECK_STR(err.message, strlen(err.message), want[i].exceeded);
		snprintf(action, sizeof action, "raise --%s to allow it", want[i].option);
		CHECK_STR(err.action, strlen(err.action), action);
	}
}

TEST(large_values_are_written_whole)
{
	struct pl_err err;

	pl_limit_exceeded(&err, PL_LIMIT_RECORDS, UINT64_MAX);
	CHECK_STR(err.message, strlen(err.message), "more than 18446744073709551615 records");
}

int main(void)
{
	RUN(the_table_is_the_contracts);
	RUN(one_that_is_exceeded_says_so);
	RUN(large_values_are_written_whole);
	return unit_done();
}
