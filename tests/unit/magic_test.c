/* magic: lines that another parser reads are recognised, and nothing else is */
#include "magic.h"
#include "unit.h"

static bool advises(const char *line, const char *program, const char *word)
{
	const char *advice = pl_magic_advice(pl_str(line), program);

	return word ? advice && strstr(advice, word) : !advice;
}

TEST(the_text_of_perf_script)
{
	static const char *const lines[] = {
		"w 28035/28035 U      5150.633865065:    1001001 cpu-clock: ",
		"t 99 1 12.5: 1 cycles:u:  4005f0 main (/bin/x)",
		"swapper     0 [000] 1.000001: PERF_RECORD_LOST lost 3",
		"\tx\t1\t1.1:\tevent:",
	};

	for (size_t i = 0; i < PL_COUNT(lines); i++) {
		CHECK(advises(lines[i], "pl-fold-parse", "analyze-perf-script"));
		CHECK(advises(lines[i], "pl-script-parse", NULL));
	}
}

TEST(folded_stacks)
{
	static const char *const lines[] = {"main;a 3", "main;operator new;x 12 ", ";; 1",
					    "a;b\t7"};

	for (size_t i = 0; i < PL_COUNT(lines); i++) {
		CHECK(advises(lines[i], "pl-script-parse", "analyze-folded"));
		CHECK(advises(lines[i], "pl-fold-parse", NULL));
	}
}

TEST(a_stream)
{
	CHECK(advises("{\"type\":\"header\",\"schema\"", "pl-fold-parse", "PerfLens stream"));
	CHECK(advises("{\"type\":\"header\"", "pl-script-parse", "PerfLens stream"));
}

TEST(anything_else)
{
	static const char *const lines[] = {
		"",	      " ",     "main 3",    "main;a",	    "main;a3",
		"main;a 3 x", "12.5:", "a 12.: b",  "a .5: b",	    "a 1.5 : b",
		"a 1.5b: c",  ";",     "{\"type\"", "addr2line: x", "main;a -3",
	};
	size_t found = 0;

	for (size_t i = 0; i < PL_COUNT(lines); i++)
		found += pl_magic_advice(pl_str(lines[i]), "") != NULL;
	/* "12.5:" and "main;a -3": a time; no digit is before the weight's "-" */
	CHECK_U64(found, 1);
}

int main(void)
{
	RUN(the_text_of_perf_script);
	RUN(folded_stacks);
	RUN(a_stream);
	RUN(anything_else);
	return unit_done();
}
