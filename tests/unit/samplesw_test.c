/* samplesw: each record in canonical form, members in schema order, only those that are there */
#include "samplesw.h"
#include "unit.h"

static struct pl_buf out;

static void wrote(const char *want)
{
	CHECK_STR(pl_buf_str(&out).p, out.n, want);
	pl_buf_clear(&out);
}

TEST(events)
{
	pl_samplesw_event(&out, &(struct pl_event){.id = 4294967294,
						   .name = PL_S("a\"b\\\n\x1f\xc3\xa9"),
						   .unit = PL_S("samples"),
						   .weight_source = PL_S("count"),
						   .source = PL_S("")});
	wrote("{\"type\":\"event\",\"id\":4294967294,\"name\":\"a\\\"b\\\\\\n\\u001f\xc3\xa9\","
	      "\"unit\":\"samples\",\"weight_source\":\"count\",\"source\":\"\"}\n");
}

TEST(modules)
{
	pl_samplesw_module(&out, &(struct pl_module){.id = 0, .dso = PL_S("/a")});
	wrote("{\"type\":\"module\",\"id\":0,\"dso\":\"/a\"}\n");
	pl_samplesw_module(&out, &(struct pl_module){.id = 1,
						     .dso = PL_S("/a"),
						     .build_id = PL_S("ab"),
						     .kind = PL_S("vdso"),
						     .symbols = PL_S("none"),
						     .reason = PL_S("R")});
	wrote("{\"type\":\"module\",\"id\":1,\"dso\":\"/a\",\"build_id\":\"ab\",\"kind\":\"vdso\","
	      "\"symbols\":\"none\",\"reason\":\"R\"}\n");
}

TEST(frames)
{
	pl_samplesw_frame(&out, &(struct pl_frame){.symbol = PL_S("main"), .module = PL_NO_MODULE});
	wrote("{\"type\":\"frame\",\"id\":0,\"symbol\":\"main\",\"module\":null}\n");
	pl_samplesw_frame(&out, &(struct pl_frame){.id = 7,
						   .symbol = PL_S("f"),
						   .module = 0,
						   .raw = PL_S("f_[k]"),
						   .offset = PL_S("0x1"),
						   .is_return = true,
						   .has_pid = true,
						   .pid = -1,
						   .source = {.file = PL_S("a.c"), .line = 3},
						   .inlined = true,
						   .kind = PL_S("kernel"),
						   .suspect = PL_S("S")});
	wrote("{\"type\":\"frame\",\"id\":7,\"symbol\":\"f\",\"module\":0,\"raw\":\"f_[k]\","
	      "\"offset\":\"0x1\",\"return\":true,\"pid\":-1,\"source\":{\"file\":\"a.c\","
	      "\"line\":3},\"inlined\":true,\"kind\":\"kernel\",\"suspect\":\"S\"}\n");
	pl_samplesw_frame(
		&out,
		&(struct pl_frame){
			.symbol = PL_S(""),
			.module = PL_NO_MODULE,
			.source = {.file = PL_S(""), .line = 1, .column = 2, .has_column = true}});
	wrote("{\"type\":\"frame\",\"id\":0,\"symbol\":\"\",\"module\":null,\"source\":{"
	      "\"file\":\"\",\"line\":1,\"column\":2}}\n");
}

TEST(samples)
{
	static const uint32_t stack[] = {0, 10, 4294967295};

	pl_samplesw_sample(&out, &(struct pl_sample){.weight = 5});
	wrote("{\"type\":\"sample\",\"event\":0,\"weight\":5,\"stack\":[]}\n");
	pl_samplesw_sample(&out, &(struct pl_sample){.event = 4294967294,
						     .weight = UINT64_MAX,
						     .stack = stack,
						     .depth = 3,
						     .has_pid = true,
						     .pid = -1,
						     .has_tid = true,
						     .tid = INT64_MIN,
						     .comm = PL_S("a b"),
						     .has_cpu = true,
						     .cpu = INT64_MAX,
						     .has_time = true,
						     .time = UINT64_MAX,
						     .mode = PL_S("user"),
						     .payload = PL_S("p"),
						     .cut = PL_S("C")});
	wrote("{\"type\":\"sample\",\"event\":4294967294,\"weight\":18446744073709551615,"
	      "\"stack\":[0,10,4294967295],\"pid\":-1,\"tid\":-9223372036854775808,"
	      "\"comm\":\"a b\",\"cpu\":9223372036854775807,\"time\":18446744073709551615,"
	      "\"mode\":\"user\",\"payload\":\"p\",\"cut\":\"C\"}\n");
}

/* The buffer has just enough room, whatever the depth: a sanitizer sees one byte more. */
TEST(deep_stacks_of_long_ids)
{
	uint32_t stack[300];
	struct pl_buf want = {0};

	for (size_t i = 0; i < PL_COUNT(stack); i++)
		stack[i] = 4294967295u;
	for (size_t depth = 1; depth <= PL_COUNT(stack); depth++) {
		struct pl_buf b = {0};
		pl_buf_clear(&want);
		pl_buf_addz(&want, "{\"type\":\"sample\",\"event\":4294967295,"
				   "\"weight\":18446744073709551615,\"stack\":[4294967295");
		for (size_t i = 1; i < depth; i++)
			pl_buf_addz(&want, ",4294967295");
		pl_buf_addz(&want, "]}\n");
		pl_samplesw_sample(&b, &(struct pl_sample){.event = 4294967295u,
							   .weight = UINT64_MAX,
							   .stack = stack,
							   .depth = depth});
		CHECK_STR(b.p, b.n, want.p);
		pl_buf_free(&b);
	}
	pl_buf_free(&want);
}

TEST(records_are_added_to_what_is_there)
{
	static const uint32_t stack[] = {1};

	pl_buf_addz(&out, "x\n");
	pl_samplesw_sample(&out, &(struct pl_sample){.weight = 1, .stack = stack, .depth = 1});
	pl_samplesw_sample(&out, &(struct pl_sample){.weight = 2, .stack = stack, .depth = 1});
	wrote("x\n{\"type\":\"sample\",\"event\":0,\"weight\":1,\"stack\":[1]}\n"
	      "{\"type\":\"sample\",\"event\":0,\"weight\":2,\"stack\":[1]}\n");
}

int main(void)
{
	RUN(events);
	RUN(modules);
	RUN(frames);
	RUN(samples);
	RUN(deep_stacks_of_long_ids);
	RUN(records_are_added_to_what_is_there);
	pl_buf_free(&out);
	return unit_done();
}
