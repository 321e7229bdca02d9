/* script_frame: the lines below a header, and what stands behind the event on its own line
 * (sample__fprintf_callchain, sample__fprintf_sym) */
#include "../../filters/script-parse/columns.h"
#include "../../filters/script-parse/frame.h"
#include "unit.h"
#include <stdlib.h>

static struct pl_str exact(const char *text)
{
	static char *copy;
	size_t n = strlen(text);

	free(copy);
	copy = malloc(n ? n : 1);
	memcpy(copy, text, n);
	return (struct pl_str){copy, n};
}

/* The body names this symbol and DSO; "-": none. */
static void is(const char *body, const char *symbol, const char *dso)
{
	struct script_frame f = script_frame_read(exact(body));

	CHECK_STR(f.symbol.p, f.symbol.n, symbol);
	if (f.dso.p)
		CHECK_STR(f.dso.p, f.dso.n, dso);
	else
		CHECK(strcmp(dso, "-") == 0);
}

TEST(an_address_and_a_body)
{
	struct pl_str address, body;

	CHECK(script_frame_split(exact("55aa62b8017a burn+0x11 (/bin/x)"), &address, &body));
	CHECK_STR(address.p, address.n, "55aa62b8017a");
	CHECK_STR(body.p, body.n, "burn+0x11 (/bin/x)");
	CHECK(script_frame_split(exact("0x8048412\tf"), &address, &body));
	CHECK_STR(address.p, address.n, "8048412");
	CHECK_STR(body.p, body.n, "f");
	CHECK(script_frame_split(exact("FFFFFFFF82266208"), &address, &body) && body.n == 0);
	CHECK(script_frame_split(exact("0 f"), &address, &body));
	CHECK(!script_frame_split(exact("11112222333344445 f"), &address, &body));
	CHECK(!script_frame_split(exact("main (/bin/x)"), &address, &body));
	CHECK(!script_frame_split(exact("abc.c:4"), &address, &body));
	CHECK(!script_frame_split(exact("0x f"), &address, &body));
	CHECK(!script_frame_split(exact(""), &address, &body));
}

TEST(symbols_and_modules)
{
	is("burn (/bin/x)", "burn", "/bin/x");
	is("burn+0x11 (/bin/x)", "burn", "/bin/x");
	is("burn", "burn", "-");
	is("burn+0x11", "burn", "-");
	is("(/bin/x)", "", "/bin/x");
	is("", "", "-");
	is("[unknown] ([unknown])", "[unknown]", "[unknown]");
	is("[unknown] (/tmp/perf-123.map)", "[unknown]", "/tmp/perf-123.map");
	is("__schedule+0x628 ([kernel.kallsyms])", "__schedule", "[kernel.kallsyms]");
	is("clock_gettime ([vdso])", "clock_gettime", "[vdso]");
	is("f ([guest.kernel.kallsyms])", "f", "[guest.kernel.kallsyms]");
	is("f ([JIT] tid 123)", "f", "[JIT] tid 123");
}

TEST(parentheses_in_both)
{
	is("(anonymous namespace)::f(int) (/bin/x)", "(anonymous namespace)::f(int)", "/bin/x");
	is("f::operator()(int) const (/bin/x)", "f::operator()(int) const", "/bin/x");
	is("f::operator()(int) const+0x1f (/bin/x)", "f::operator()(int) const", "/bin/x");
	is("f (/memfd:x (deleted))", "f", "/memfd:x (deleted)");
	is("f (/opt/My App (test)/bin)", "f", "/opt/My App (test)/bin");
	is("g(void (*)(int)) (/opt/My App (test)/b (deleted))", "g(void (*)(int))",
	   "/opt/My App (test)/b (deleted)");
	is("std::function<void (int)>::operator()(int) const",
	   "std::function<void (int)>::operator()(int) const", "-");
	is("f (anonymous)::g (/bin/x)", "f (anonymous)::g", "/bin/x");
	/* that do not match */
	is("RegExp:a\\( (b (/tmp/perf-1.map)", "RegExp:a\\( (b", "/tmp/perf-1.map");
	is("f (/opt/a (b/bin)", "f", "/opt/a (b/bin");
	is("operator( (x)", "operator(", "x");
	is("f (x", "f (x", "-");
}

TEST(names_stay_as_they_are)
{
	is("A::operator->() (/bin/x)", "A::operator->()", "/bin/x");
	is("Lfoo/Bar;::baz (/tmp/perf-1.map)", "Lfoo/Bar;::baz", "/tmp/perf-1.map");
	is("LazyCompile:~f file.js:1 (/tmp/perf-1.map)", "LazyCompile:~f file.js:1",
	   "/tmp/perf-1.map");
	is("RegExp:^(?:a;b)$ (/tmp/perf-1.map)", "RegExp:^(?:a;b)$", "/tmp/perf-1.map");
	is("py::func:/a/file.py (/tmp/perf-1.map)", "py::func:/a/file.py", "/tmp/perf-1.map");
	is("net/http.(*Client).Do (/bin/x)", "net/http.(*Client).Do", "/bin/x");
	is("core::ops::$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef (/bin/x)",
	   "core::ops::$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "/bin/x");
	is("a+0xzz (/bin/x)", "a+0xzz", "/bin/x");
	is("operator+0x (/bin/x)", "operator+0x", "/bin/x");
}

TEST(offsets_and_inlined_functions)
{
	struct script_frame f = script_frame_read(exact("f+0x0 (/bin/x)"));

	CHECK(f.has_offset && f.offset_zero && !f.inlined);
	f = script_frame_read(exact("f+0x10 (/bin/x)"));
	CHECK(f.has_offset && !f.offset_zero);
	f = script_frame_read(exact("f (/bin/x)"));
	CHECK(!f.has_offset && !f.offset_zero);
	f = script_frame_read(exact("f(int) (inlined)"));
	CHECK(f.inlined && !f.dso.p);
	CHECK_STR(f.symbol.p, f.symbol.n, "f(int)");
	f = script_frame_read(exact("f (/bin/x) main.c:42"));
	CHECK_STR(f.source.p, f.source.n, "main.c:42");
	CHECK_STR(f.dso.p, f.dso.n, "/bin/x");
}

TEST(a_whole_frame_ends_with_its_module)
{
	CHECK(script_frame_is_whole(exact("f (/bin/x)")));
	CHECK(script_frame_is_whole(exact("f (inlined)")));
	CHECK(script_frame_is_whole(exact("f (/opt/My App (test)/bin)")));
	CHECK(!script_frame_is_whole(exact("f (/opt/My App (test)")));
	CHECK(!script_frame_is_whole(exact("f(int)")));
	CHECK(!script_frame_is_whole(exact("f (/bin/")));
	CHECK(!script_frame_is_whole(exact("f")));
	CHECK(!script_frame_is_whole(exact("")));
}

static void source(const char *text, const char *want, uint64_t number)
{
	struct pl_str file;
	uint64_t line;

	CHECK(script_source_read(exact(text), &file, &line));
	if (!want)
		CHECK(!file.p);
	else
		CHECK_STR(file.p, file.n, want);
	CHECK_U64(want ? line : 0, number);
}

TEST(source_lines)
{
	struct pl_str file, text;
	uint64_t line;

	source("file.c:42", "file.c", 42);
	source("/a b/file.c:42", "/a b/file.c", 42);
	source("file.c:42:7", "file.c", 42);
	source("file.c:42 (discriminator 3)", "file.c", 42);
	source("C:\\x.c:9", "C:\\x.c", 9);
	source("??:0", NULL, 0);
	source(":0", NULL, 0);
	source("??:?", NULL, 0);
	source("file.c:0", NULL, 0);
	CHECK(!script_source_read(exact("file.c"), &file, &line));
	CHECK(!script_source_read(exact(":42"), &file, &line));
	CHECK(!script_source_read(exact("file.c:"), &file, &line));
	CHECK(!script_source_read(exact("file.c:99999999999999999999"), &file, &line));
	CHECK(!script_source_read(exact("main"), &file, &line));
	CHECK(!script_source_read(exact(""), &file, &line));
	text = exact("file.c:42 (inlined)");
	CHECK(script_take_inlined(&text));
	CHECK_STR(text.p, text.n, "file.c:42");
	CHECK(!script_take_inlined(&text));
}

TEST(annotations_of_addresses)
{
	CHECK(script_is_address_annotation(exact("libc.so.6[891f5]")));
	CHECK(script_is_address_annotation(exact("a b[0]")));
	CHECK(!script_is_address_annotation(exact("[891f5]")));
	CHECK(!script_is_address_annotation(exact("x[]")));
	CHECK(!script_is_address_annotation(exact("x[y]")));
	CHECK(!script_is_address_annotation(exact("x[1")));
	CHECK(!script_is_address_annotation(exact("")));
}

/* ---- behind the event ---- */

static void columns(const char *rest, bool tracepoint, const char *address, const char *body,
		    const char *payload, const char *marks)
{
	struct script_columns c = script_columns_read(exact(rest), tracepoint);
	char got[8] = "";

	CHECK_STR(c.address.p ? c.address.p : "", c.address.n, address);
	CHECK_STR(c.body.p ? c.body.p : "", c.body.n, body);
	CHECK_STR(c.payload.p ? c.payload.p : "", c.payload.n, payload);
	snprintf(got, sizeof got, "%s%s%s%s", c.addr ? "a" : "", c.data_source ? "d" : "",
		 c.weight ? "w" : "", c.branches ? "b" : "");
	if (!CHECK(strcmp(got, marks) == 0))
		printf("#   %s: got %s, want %s\n", rest, got, marks);
}

#define SOURCE "68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A"

TEST(a_frame_on_the_header_line)
{
	columns("55aa62b8017a burn (/bin/x)", false, "55aa62b8017a", "burn (/bin/x)", "", "");
	columns("55aa62b8017a fade (/bin/x)", false, "55aa62b8017a", "fade (/bin/x)", "", "");
	columns("55aa62b8017a", false, "55aa62b8017a", "", "", "");
	columns("", false, "", "", "", "");
	columns("some text", false, "", "", "some text", "");
}

/* "%16lx" each; the address of page-faults has a symbol and a DSO, too */
TEST(columns_of_memory_samples)
{
	columns("7ffd12345678         " SOURCE
		"               34      55aa62b8017a burn+0x1 (/bin/x)",
		false, "55aa62b8017a", "burn+0x1 (/bin/x)", "", "adw");
	columns("7ffd12345678 " SOURCE " 34 55aa62b8017a burn (/bin/x)", false, "55aa62b8017a",
		"burn (/bin/x)", "", "adw");
	columns(SOURCE "      55aa62b8017a burn", false, "55aa62b8017a", "burn", "", "d");
	columns("7ffd12345678      55aa62b8017a burn", false, "55aa62b8017a", "burn", "", "a");
	columns("7ffd12345678               34      55aa62b8017a burn", false, "55aa62b8017a",
		"burn", "", "aw");
	columns("7ffd12345678 [unknown] ([heap])      55aa62b8017a burn (/bin/x)", false,
		"55aa62b8017a", "burn (/bin/x)", "", "a");
	columns(SOURCE, false, "", "", SOURCE, "d");
}

TEST(a_payload_and_a_frame)
{
	columns("prev_comm=x prev_pid=1 ==> next_comm=y", true, "", "",
		"prev_comm=x prev_pid=1 ==> next_comm=y", "");
	columns("prev_comm=x prev_pid=1 ffffffff82266208 __schedule ([kernel.kallsyms])", true,
		"ffffffff82266208", "__schedule ([kernel.kallsyms])", "prev_comm=x prev_pid=1", "");
	columns("NR 1 (3, 7ffd12345678, 5)", true, "", "", "NR 1 (3, 7ffd12345678, 5)", "");
	columns("55aa62b8017a f (x)", true, "", "", "55aa62b8017a f (x)", "");
}

TEST(branches_are_no_frames)
{
	columns("55aa62b8017a burn (/bin/x)  0x4005d0/0x40058c/P/-/-/0  0x1/0x2/M/X/A/12", false,
		"55aa62b8017a", "burn (/bin/x)", "", "b");
	columns("0x4005d0(/bin/x)/0x40058c(/bin/x)/P/-/-/0", false, "", "", "", "b");
	columns("0x4005d0/0x40058c/P/-/-/0/COND/-", false, "", "", "", "b");
	columns("main+0x4/burn+0x0/-/-/-/7", false, "", "", "", "b");
	columns("55aa62b8017a burn (/bin/x) 0x1/0x2", false, "55aa62b8017a",
		"burn (/bin/x) 0x1/0x2", "", "");
}

int main(void)
{
	RUN(an_address_and_a_body);
	RUN(symbols_and_modules);
	RUN(parentheses_in_both);
	RUN(names_stay_as_they_are);
	RUN(offsets_and_inlined_functions);
	RUN(a_whole_frame_ends_with_its_module);
	RUN(source_lines);
	RUN(annotations_of_addresses);
	RUN(a_frame_on_the_header_line);
	RUN(columns_of_memory_samples);
	RUN(a_payload_and_a_frame);
	RUN(branches_are_no_frames);
	return unit_done();
}
