#include "samples_kit.h"
#include "stacks.h"

#include <math.h>

/* Of one event: a frame with two inlined functions, one that is also met by itself, a module that
 * was deleted, samples without a stack. */
static const char inlined[] = HEADER EVENT(
	"0") "{\"type\":\"module\",\"id\":0,\"dso\":\"/a/b.so (deleted)\",\"build_id\":\"aa\"}\n"
	     "{\"type\":\"module\",\"id\":1,\"dso\":\"/tmp/perf-12.map\",\"kind\":\"jit\"}\n"
	     "{\"type\":\"frame\",\"id\":0,\"symbol\":\"main\",\"module\":null}\n"
	     "{\"type\":\"frame\",\"id\":1,\"symbol\":\"outer\",\"module\":0,\"offset\":\"0x10\","
	     "\"source\":{\"file\":\"o.c\",\"line\":7},\"inlines\":[{\"symbol\":\"mid\"},"
	     "{\"symbol\":\"leaf\",\"raw\":\"leaf.part.0\",\"source\":{\"file\":\"l.h\",\"line\":2}"
	     "}]}\n"
	     "{\"type\":\"frame\",\"id\":2,\"symbol\":\"leaf\",\"module\":0}\n"
	     "{\"type\":\"frame\",\"id\":3,\"symbol\":\"emitted\",\"module\":1}\n" SAMPLE("5",
											  "0,1")
		     SAMPLE("7", "") SAMPLE("3", "0,2,3") SAMPLE("1", "") END("4", "16", "2", "4");

static struct pl_stacks k;

static void open_stacks(const char *text)
{
	CHECK(pl_stacks_open(&k, kit_open(text, strlen(text)), false) == 0);
}

/* The current stack as text: "main;outer;mid;leaf 5". */
static const char *stack(void)
{
	static struct pl_buf b;

	pl_buf_clear(&b);
	for (size_t i = 0; i < k.depth; i++) {
		pl_buf_addz(&b, i ? ";" : "");
		pl_buf_adds(&b, k.frames[k.stack[i]].name);
	}
	pl_buf_printf(&b, " %" PRIu64, k.weight);
	return b.p;
}

static void next_is(const char *want)
{
	CHECK(pl_stacks_next(&k) == PL_STACKS_STACK);
	CHECK_STR(stack(), strlen(stack()), want);
}

TEST(inlined_functions_are_positions)
{
	open_stacks(inlined);
	next_is("main;outer;mid;leaf 5");
	const struct pl_stacks_frame *leaf = &k.frames[k.stack[3]], *outer = &k.frames[k.stack[1]];
	CHECK(leaf->inlined && !outer->inlined);
	CHECK_STR(leaf->raw.p, leaf->raw.n, "leaf.part.0");
	CHECK_STR(leaf->dso.p, leaf->dso.n, "/a/b.so");
	CHECK_STR(leaf->kind.p, leaf->kind.n, "deleted");
	CHECK_STR(leaf->file.p, leaf->file.n, "l.h");
	CHECK_U64(leaf->line, 2);
	CHECK_STR(outer->offset.p, outer->offset.n, "0x10");
	CHECK_STR(outer->build_id.p, outer->build_id.n, "aa");
	CHECK(!k.frames[k.stack[0]].dso.p);
	uint32_t key = leaf->key;
	next_is("main;leaf;emitted 3");
	CHECK_U64(k.frames[k.stack[1]].key, key);
	CHECK_STR(k.frames[k.stack[2]].dso.p, k.frames[k.stack[2]].dso.n, "[jit]");
	CHECK(pl_stacks_next(&k) == PL_STACKS_DONE);
	pl_stacks_close(&k);
}

TEST(what_has_no_stack_comes_last)
{
	open_stacks(inlined);
	while (pl_stacks_next(&k) == PL_STACKS_STACK)
		;
	const struct pl_stacks_event *e = &k.events[0];
	CHECK_U64(e->samples, 4);
	CHECK_U64(e->weight, 16);
	CHECK_U64(e->stackless, 8);
	CHECK_U64(e->stacks, 2);
	/* (5+7+3+1)^2 / (25+49+9+1) = 256/84 */
	CHECK(fabs(e->n_eff - 256.0 / 84) < 1e-12);
	CHECK(pl_stacks_rest(&k) == PL_STACKS_STACK);
	CHECK_STR(stack(), strlen(stack()), "[no stack] 8");
	CHECK_U64(k.samples, 2);
	CHECK(pl_stacks_rest(&k) == PL_STACKS_DONE);
	CHECK(pl_stacks_one(&k) == 0);
	pl_stacks_close(&k);
}

/* The example of the contract, of which the ids are known. */
static const char *example(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");

	CHECK(f != NULL);
	text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return text;
}

static void ids_are_known(const char *path)
{
	open_stacks(example(path));
	while (pl_stacks_next(&k) == PL_STACKS_STACK)
		;
	char(*ids)[PL_ROW_ID_MAX] = pl_stacks_ids(&k);
	size_t met = 0;
	for (size_t i = 0; i < k.frames_n; i++) {
		const char *id = ids[k.frames[i].key];
		if (pl_str_is(k.frames[i].name, "compute"))
			CHECK_STR(id, strlen(id), "h-809dd1f5cfc5bd68");
		else if (pl_str_is(k.frames[i].name, "malloc"))
			CHECK_STR(id, strlen(id), "h-b05022b18748a181");
		else
			continue;
		met++;
	}
	CHECK_U64(met, 2);
	free(ids);
	pl_stacks_close(&k);
}

TEST(ids_are_those_of_an_analysis)
{
	ids_are_known("schemas/examples/two-lines.samples.ndjson");
	ids_are_known("schemas/examples/two-lines.analysis.ndjson");
}

TEST(an_analysis_hands_out_its_paths)
{
	open_stacks(example("schemas/examples/two-lines.analysis.ndjson"));
	CHECK(k.analysis != NULL);
	next_is("main;worker;compute 271");
	CHECK_STR(k.path_id.p, k.path_id.n, "p-ebcc6f8ce2f02fcc");
	next_is("main;worker;parse;malloc 182");
	CHECK(pl_stacks_next(&k) == PL_STACKS_DONE);
	CHECK(pl_stacks_rest(&k) == PL_STACKS_DONE);
	/* a function is one position, however often it is on a path */
	CHECK_U64(k.frames_n, 5);
	pl_stacks_close(&k);
}

TEST(a_limit_of_positions)
{
	open_stacks(inlined);
	k.max_frames = 5;
	CHECK(pl_stacks_next(&k) == PL_STACKS_ERROR);
	CHECK(k.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	pl_stacks_close(&k);
	open_stacks(inlined);
	k.max_frames = 6;
	CHECK(pl_stacks_next(&k) == PL_STACKS_STACK);
	pl_stacks_close(&k);
}

TEST(only_one_event)
{
	static const char two[] = HEADER EVENT(
		"0") "{\"type\":\"event\",\"id\":1,\"name\":\"faults\",\"unit\":\"e\","
		     "\"weight_source\":\"count\",\"source\":\"software\"}\n" MODULE("0") FRAME("0",
												"0")
			     SAMPLE("2",
				    "0") "{\"type\":\"sample\",\"event\":1,\"weight\":9,\"stack\":["
					 "0,0]}\n" ENDS("2",
							SUM("0", "1", "2") "," SUM("1", "1", "9"),
							"1", "1");

	open_stacks(two);
	k.only = "faults";
	next_is("f0;f0 9");
	CHECK(pl_stacks_next(&k) == PL_STACKS_DONE);
	CHECK(pl_stacks_one(&k) == 1);
	pl_stacks_close(&k);
	open_stacks(two);
	while (pl_stacks_next(&k) == PL_STACKS_STACK)
		;
	CHECK(pl_stacks_one(&k) == -1);
	CHECK(strstr(k.err.message, "'cycles:u' (cycles), 'faults' (e)") != NULL);
	pl_stacks_close(&k);
	open_stacks(two);
	k.only = "none";
	CHECK(pl_stacks_next(&k) == PL_STACKS_DONE);
	CHECK(pl_stacks_one(&k) == -1);
	CHECK(k.err.code == PL_E_INVALID_INPUT);
	pl_stacks_close(&k);
}

int main(void)
{
	RUN(inlined_functions_are_positions);
	RUN(what_has_no_stack_comes_last);
	RUN(ids_are_those_of_an_analysis);
	RUN(an_analysis_hands_out_its_paths);
	RUN(a_limit_of_positions);
	RUN(only_one_event);
	return unit_done();
}
