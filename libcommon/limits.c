/* limits: the table */
#include "limits.h"
#include "text.h"

#include <inttypes.h>

static const struct pl_limit_info table[PL_LIMIT_COUNT] = {
	[PL_LIMIT_INPUT_BYTES] = {"max-input-bytes", "SIZE",
				  N_("foreign bytes read at most, after unpacking; 0: no limit"),
				  1ull << 30, 0, false},
	[PL_LIMIT_RECORDS] = {"max-records", "N", N_("records read at most"), 10000000, 1, false},
	[PL_LIMIT_LINE_BYTES] = {"max-line-bytes", "SIZE", N_("a longer line is malformed"),
				 1 << 20, 16, true},
	[PL_LIMIT_STACK_DEPTH] = {"max-stack-depth", "N", N_("a deeper stack is malformed"), 4096,
				  1, true},
	[PL_LIMIT_UNIQUE_FRAMES] = {"max-unique-frames", "N", N_("distinct frames at most"),
				    2000000, 1, false},
	[PL_LIMIT_UNIQUE_CALL_PATHS] = {"max-unique-call-paths", "N",
					N_("distinct call paths at most"), 1000000, 1, false},
	[PL_LIMIT_WARNINGS] = {"max-warnings", "N", N_("diagnostics kept; all are counted"), 100, 0,
			       true},
	[PL_LIMIT_TOP_N] = {"top-n", "N", N_("hotspots written; the rest is accounted for"), 10000,
			    1, true},
	[PL_LIMIT_CALL_PATH] = {"call-path-limit", "N",
				N_("call paths written; the rest is accounted for"), 1000, 1, true},
	[PL_LIMIT_OUTPUT_BYTES] = {"max-output-bytes", "SIZE", N_("size of the artifact at most"),
				   128ull << 20, 1, false},
	[PL_LIMIT_TIMEOUT_SECONDS] = {"timeout-seconds", "N",
				      N_("time that an external program may take"), 300, 1, false},
};

/* what there would be more than one of, for the message */
static const char *const subject[PL_LIMIT_COUNT] = {
	[PL_LIMIT_INPUT_BYTES] = N_("more than %" PRIu64 " bytes of input"),
	[PL_LIMIT_RECORDS] = N_("more than %" PRIu64 " records"),
	[PL_LIMIT_LINE_BYTES] = N_("a line of more than %" PRIu64 " bytes"),
	[PL_LIMIT_STACK_DEPTH] = N_("a stack of more than %" PRIu64 " frames"),
	[PL_LIMIT_UNIQUE_FRAMES] = N_("more than %" PRIu64 " distinct frames"),
	[PL_LIMIT_UNIQUE_CALL_PATHS] = N_("more than %" PRIu64 " distinct call paths"),
	[PL_LIMIT_WARNINGS] = N_("more than %" PRIu64 " diagnostics"),
	[PL_LIMIT_TOP_N] = N_("more than %" PRIu64 " hotspots"),
	[PL_LIMIT_CALL_PATH] = N_("more than %" PRIu64 " call paths"),
	[PL_LIMIT_OUTPUT_BYTES] = N_("more than %" PRIu64 " bytes of output"),
	[PL_LIMIT_TIMEOUT_SECONDS] = N_("more than %" PRIu64 " seconds"),
};

const struct pl_limit_info *pl_limit_info(enum pl_limit limit)
{
	return &table[limit];
}

void pl_limits_default(struct pl_limits *limits)
{
	for (int i = 0; i < PL_LIMIT_COUNT; i++)
		limits->v[i] = table[i].fallback;
}

int pl_limit_exceeded(struct pl_err *e, enum pl_limit limit, uint64_t value)
{
	char message[256];

	/* the formats are the constants above; their translations are checked by msgfmt */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(message, sizeof message, _(subject[limit]), value);
#pragma GCC diagnostic pop
	pl_err_set(e, PL_E_RESOURCE_LIMIT_EXCEEDED, "%s", message);
	return pl_err_action(e, _("raise --%s to allow it"), table[limit].option);
}
