/* perf-script: the messages of perf that lead to another try */
#include "../../filters/perf-script/convert.h"
#include "unit.h"

static unsigned lacks(const char *message)
{
	return convert_lacks(pl_str(message));
}

TEST(messages_of_perf)
{
	unsigned cpu = lacks("Samples for 'cpu-clock' event do not have CPU attribute set. Cannot "
			     "print 'cpu' field.\n");
	unsigned time = lacks("warning\nSamples for 'x y' event do not have TIME attribute set. "
			      "Cannot print 'time' field.\n");

	CHECK(cpu && time && cpu != time);
	CHECK((cpu & (cpu - 1)) == 0 && (time & (time - 1)) == 0);
}

TEST(other_messages)
{
	CHECK_U64(lacks(""), 0);
	CHECK_U64(lacks("incompatible file format (rerun with -v to learn more)"), 0);
	CHECK_U64(lacks("Cannot print 'cpu' field."), 0);
	CHECK_U64(lacks("Samples for 'x' event do not have CPU attribute set."), 0);
	/* without these there would be nothing to analyse */
	CHECK_U64(lacks("Samples for 'x' event do not have IP attribute set. Cannot print 'ip' "
			"field."),
		  0);
	CHECK_U64(lacks("Samples for 'x' event do not have TID attribute set. Cannot print 'pid' "
			"field."),
		  0);
}

int main(void)
{
	RUN(messages_of_perf);
	RUN(other_messages);
	return unit_done();
}
