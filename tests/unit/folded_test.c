/* folded: each fact of the format, by line and by frame */
#include "../../filters/fold-parse/folded.h"
#include "unit.h"
#include <stdlib.h>

/* A copy of exactly these bytes, so that a sanitizer sees any read beyond them. Lives until the
 * next call. */
static struct pl_str exact(const char *text)
{
	static char *copy;
	size_t n = strlen(text);

	free(copy);
	copy = malloc(n ? n : 1);
	memcpy(copy, text, n);
	return (struct pl_str){copy, n};
}

/* The line is split into this stack and weight. */
static void splits(const char *line, enum folded_column column, uint64_t scale, const char *stack,
		   uint64_t weight)
{
	struct folded_line got;
	struct folded_fault fault = folded_split(exact(line), column, scale, &got);

	if (!CHECK(fault.code == NULL))
		printf("#   %s: %s, %s\n", line, fault.code, fault.message);
	CHECK_STR(got.stack.p, got.stack.n, stack);
	CHECK_U64(got.weight, weight);
}

static void is(const char *line, const char *stack, uint64_t weight)
{
	splits(line, FOLDED_ONE, 1, stack, weight);
}

/* The line is faulty, with this in the message. */
static void faulty(const char *line, enum folded_column column, uint64_t scale, const char *code,
		   const char *message)
{
	struct folded_line got;
	struct folded_fault fault = folded_split(exact(line), column, scale, &got);

	if (!CHECK(fault.code && strcmp(fault.code, code) == 0))
		printf("#   %s: got %s\n", line, fault.code ? fault.code : "no fault");
	if (message)
		CHECK(fault.message && strstr(fault.message, message));
}

static void invalid(const char *line, const char *message)
{
	faulty(line, FOLDED_ONE, 0, "INVALID_WEIGHT", message);
}

/* ---- lines ---- */

TEST(the_weight_is_the_last_word)
{
	is("main;worker;parse;malloc 182", "main;worker;parse;malloc", 182);
	is("a 1", "a", 1);
	is("a;b\t4", "a;b", 4);
	is("a;b \t  4", "a;b", 4);
	is("a b 4", "a b", 4);
	is("a; b ;c 4", "a; b ;c", 4);
	is("a;b 007", "a;b", 7);
	is("a;b 18446744073709551615", "a;b", UINT64_MAX);
	is("a;b 00000000000000000000000000000000018446744073709551615", "a;b", UINT64_MAX);
}

TEST(frames_may_hold_nearly_anything)
{
	is("std::vector<int, std::allocator<int> >::push_back(int const&) 3",
	   "std::vector<int, std::allocator<int> >::push_back(int const&)", 3);
	is("operator->;operator() (x);f 12 4", "operator->;operator() (x);f 12", 4);
	is("say \"hi\";it's;a->b;-;--;[lib.so];a`b 9", "say \"hi\";it's;a->b;-;--;[lib.so];a`b", 9);
	is("frame1;frame2 2", "frame1;frame2", 2);
	is("\xc3\xa9t\xc3\xa9;\xe6\x97\xa5 5", "\xc3\xa9t\xc3\xa9;\xe6\x97\xa5", 5);
}

TEST(weights_that_are_none)
{
	static const char *const words[] = {"-1",  "+7", "0x10", "1e3",	    "1_000", "1,000", "x",
					    "4x",  "x4", "-0",	 "NaN",	    "inf",   "1.2.3", ".5",
					    "5.",  ".",	 "1.x",	 "1.-5",    "1.+5",  "1.5e3", "4;",
					    "1'0", "4%", "(4)",	 "\xd9\xa4"};
	char line[64];

	for (size_t i = 0; i < PL_COUNT(words); i++) {
		snprintf(line, sizeof line, "a;b %s", words[i]);
		invalid(line, "no positive decimal number");
		faulty(line, FOLDED_ONE, 1000, "INVALID_WEIGHT", "no positive decimal number");
	}
	invalid("a;b 0", "zero");
	invalid("a;b 000", "zero");
	faulty("a;b 0.0", FOLDED_ONE, 10, "INVALID_WEIGHT", "zero");
}

TEST(weights_that_are_too_big)
{
	faulty("a 18446744073709551616", FOLDED_ONE, 1, "WEIGHT_OVERFLOW", NULL);
	faulty("a 99999999999999999999999999", FOLDED_ONE, 1, "WEIGHT_OVERFLOW", NULL);
	faulty("a 99999999999999999999.5", FOLDED_ONE, 10, "WEIGHT_OVERFLOW", NULL);
	faulty("a 18446744073709551615", FOLDED_ONE, 2, "WEIGHT_OVERFLOW", NULL);
	faulty("a 1844674407370955161.6", FOLDED_ONE, 10, "WEIGHT_OVERFLOW", NULL);
	faulty("a 2", FOLDED_ONE, UINT64_MAX, "WEIGHT_OVERFLOW", NULL);
	faulty("a 18446744073709551615", FOLDED_ONE, UINT64_MAX, "WEIGHT_OVERFLOW", NULL);
	splits("a 1844674407370955161.5", FOLDED_ONE, 10, "a", UINT64_MAX);
	splits("a 1", FOLDED_ONE, UINT64_MAX, "a", UINT64_MAX);
	splits("a 0.5", FOLDED_ONE, UINT64_MAX - 1, "a", UINT64_MAX / 2);
}

TEST(decimals_want_a_scale)
{
	invalid("a;b 12.5", "--scale");
	invalid("a;b 0.000001", "--scale");
	invalid("a;b 2.0", "--scale");
	splits("a;b 12.5", FOLDED_ONE, 10, "a;b", 125);
	splits("a;b 12.5", FOLDED_ONE, 2, "a;b", 25);
	splits("a;b 12.5", FOLDED_ONE, 1000000, "a;b", 12500000);
	splits("a;b 0.000001", FOLDED_ONE, 1000000, "a;b", 1);
	splits("a;b 2.0", FOLDED_ONE, 3, "a;b", 6);
	splits("a;b 2.50000000000000000000000000", FOLDED_ONE, 2, "a;b", 5);
	splits("a;b 7", FOLDED_ONE, 1000, "a;b", 7000);
	splits("a;b 0.0000000000000000001", FOLDED_ONE, 10000000000000000000u, "a;b", 1);
	splits("a;b 2.0", FOLDED_ONE, 1, "a;b", 2);
	faulty("a;b 12.5", FOLDED_ONE, 1, "INVALID_WEIGHT", "times --scale is no integer");
	faulty("a;b 12.5", FOLDED_ONE, 3, "INVALID_WEIGHT", "times --scale is no integer");
	faulty("a;b 0.000001", FOLDED_ONE, 100000, "INVALID_WEIGHT", "times --scale");
	/* 20 decimals are more than are read; the scale is 10^20 modulo 2^64 */
	faulty("a;b 0.00000000000000000001", FOLDED_ONE, 7766279631452241920u, "INVALID_WEIGHT",
	       "no positive decimal number");
}

TEST(lines_without_a_weight)
{
	static const char *const lines[] = {"main", "main;compute", "12", "main;12",
					    ";",    "a;b;c12"};

	for (size_t i = 0; i < PL_COUNT(lines); i++)
		faulty(lines[i], FOLDED_ONE, 1, "MISSING_WEIGHT", NULL);
}

/* ---- two columns ---- */

static bool two_columns(const char *line, enum folded_column column)
{
	struct folded_line got;

	folded_split(exact(line), column, 10, &got);
	return got.two_columns;
}

TEST(two_columns_are_seen)
{
	static const char *const two[] = {
		"a;b 3 4",     "a;b 0 4",   "a;b 3 0",	 "a;b\t3\t4",
		"a;b 1.5 2.5", "a b 1 2 3", "a;b 3   4", "a 99999999999999999999 1"};
	static const char *const one[] = {"a;b 4",    "3 4",	  "a;b3 4",	"a;b -3 4",
					  "a;b 3x 4", "a;b x3 4", "a;b 3 x",	"a;b 3. 4",
					  "a;b .3 4", "a;3 4",	  "a;b 1.2.3 4"};

	for (size_t i = 0; i < PL_COUNT(two); i++)
		if (!CHECK(two_columns(two[i], FOLDED_ONE) && two_columns(two[i], FOLDED_BEFORE)))
			printf("#   %s\n", two[i]);
	for (size_t i = 0; i < PL_COUNT(one); i++)
		if (!CHECK(!two_columns(one[i], FOLDED_ONE)))
			printf("#   %s\n", one[i]);
}

TEST(without_a_choice_the_first_column_is_part_of_the_name)
{
	is("a;b 3 4", "a;b 3", 4);
	splits("a;b 3 4", FOLDED_NONE, 1, "a;b 3", 4);
	faulty("a;b 3 0", FOLDED_NONE, 1, "INVALID_WEIGHT", "zero");
}

TEST(one_of_two_columns)
{
	splits("a;b 3 4", FOLDED_BEFORE, 1, "a;b", 3);
	splits("a;b 3 4", FOLDED_AFTER, 1, "a;b", 4);
	splits("a b 1 \t 3  4", FOLDED_BEFORE, 1, "a b 1", 3);
	splits("a;b 1.5 2.5", FOLDED_BEFORE, 2, "a;b", 3);
	splits("a;b 1.5 2.5", FOLDED_AFTER, 2, "a;b", 5);
	/* not in that profile */
	splits("a;b 0 4", FOLDED_BEFORE, 1, "a;b", 0);
	splits("a;b 3 0", FOLDED_AFTER, 1, "a;b", 0);
	faulty("a;b 4", FOLDED_BEFORE, 1, "MISSING_WEIGHT", "--column");
	faulty("a;b 4", FOLDED_AFTER, 1, "MISSING_WEIGHT", "--column");
	faulty("a;b 3 x", FOLDED_BEFORE, 1, "MISSING_WEIGHT", NULL);
	faulty("a;b 18446744073709551616 4", FOLDED_BEFORE, 1, "WEIGHT_OVERFLOW", NULL);
	faulty("a;b 3 18446744073709551616", FOLDED_AFTER, 1, "WEIGHT_OVERFLOW", NULL);
	/* only the column that was asked for has to fit */
	splits("a;b 18446744073709551616 4", FOLDED_AFTER, 1, "a;b", 4);
	splits("a;b 3 1.5", FOLDED_BEFORE, 1, "a;b", 3);
}

/* ---- stacks ---- */

/* The frames of a stack, each in angle brackets. */
static void frames_are(const char *stack, const char *want)
{
	struct pl_str rest = exact(stack);
	struct pl_buf got = {0};

	while (rest.p) {
		struct pl_str frame = folded_next_frame(&rest);
		pl_buf_addc(&got, '<');
		pl_buf_adds(&got, frame);
		pl_buf_addc(&got, '>');
	}
	CHECK_STR(pl_buf_str(&got).p, got.n, want);
	pl_buf_free(&got);
}

TEST(the_split_is_plain)
{
	frames_are("main", "<main>");
	frames_are("main;worker;compute", "<main><worker><compute>");
	frames_are("a b; c\t;\td ", "<a b><c><d>");
	frames_are("f(\";\");\\;g", "<f(\"><\")><\\><g>");
	frames_are("-;--", "<-><-->");
}

TEST(empty_frames_are_found)
{
	frames_are("a;;b", "<a><><b>");
	frames_are(";a", "<><a>");
	frames_are("a;", "<a><>");
	frames_are("a; \t;b", "<a><><b>");
	frames_are(";", "<><>");
	frames_are("", "<>");
}

/* ---- frames ---- */

static void frame_is(const char *text, bool keep, bool dso, const char *symbol, const char *module,
		     const char *kind, bool inlined)
{
	struct folded_frame f = folded_read_frame(exact(text), keep, dso);

	CHECK_STR(f.symbol.p, f.symbol.n, symbol);
	if (module)
		CHECK_STR(f.module.p ? f.module.p : "(absent)", f.module.p ? f.module.n : 8,
			  module);
	else
		CHECK(!f.module.p);
	CHECK_STR(f.kind ? f.kind : "none", strlen(f.kind ? f.kind : "none"), kind);
	CHECK(f.inlined == inlined);
}

TEST(annotations)
{
	frame_is("do_syscall_64_[k]", false, false, "do_syscall_64", NULL, "kernel", false);
	frame_is("Foo::bar_[j]", false, false, "Foo::bar", NULL, "jit", false);
	frame_is("try_to_wake_up_[w]", false, false, "try_to_wake_up", NULL, "waker", false);
	frame_is("min_[i]", false, false, "min", NULL, "none", true);
	frame_is("min_[i]_[k]", false, false, "min", NULL, "kernel", true);
	frame_is("min_[j]_[i]", false, false, "min", NULL, "jit", true);
	frame_is("f _[k]", false, false, "f", NULL, "kernel", false);
	frame_is("[unknown]_[k]", false, false, "[unknown]", NULL, "kernel", false);
}

TEST(what_is_no_annotation)
{
	static const char *const texts[] = {"_[k]",   "f_[x]", "func[k]", "f_[K]",  "f_(k)",
					    "f_[k",   "f_k]",  "f_[kk]",  "f_[k]g", "f_[]",
					    "f_[k]_", "-",     "--",	  "k]",	    ""};

	for (size_t i = 0; i < PL_COUNT(texts); i++)
		frame_is(texts[i], false, false, texts[i], NULL, "none", false);
	/* only what stands at the end is one */
	frame_is("f_[k]g_[j]", false, false, "f_[k]g", NULL, "jit", false);
}

TEST(annotations_may_be_kept)
{
	frame_is("do_syscall_64_[k]", true, false, "do_syscall_64_[k]", NULL, "none", false);
	frame_is("min_[i]_[j]", true, false, "min_[i]_[j]", NULL, "none", false);
}

TEST(modules_only_when_asked_for)
{
	frame_is("libc.so.6`malloc", false, false, "libc.so.6`malloc", NULL, "none", false);
	frame_is("malloc (libc.so.6)", false, false, "malloc (libc.so.6)", NULL, "none", false);
}

TEST(modules_in_frames)
{
	frame_is("libc.so.6`malloc", false, true, "malloc", "libc.so.6", "none", false);
	frame_is("unix`sys_[k]", false, true, "sys", "unix", "kernel", false);
	frame_is("a`b`c", false, true, "b`c", "a", "none", false);
	frame_is("lib ` f", false, true, "f", "lib", "none", false);
	frame_is("malloc (libc.so.6)", false, true, "malloc", "libc.so.6", "none", false);
	frame_is("f(int) (/opt/my lib (1).so)", false, true, "f(int)", "/opt/my lib (1).so", "none",
		 false);
	frame_is("f ( lib )_[i]", false, true, "f", "lib", "none", true);
	frame_is("a b (c)", false, true, "a b", "c", "none", false);
}

TEST(frames_that_name_no_module)
{
	static const char *const texts[] = {"f",    "`f",    "f`",    "`",    "f(int)", "(lib)",
					    "f ()", "f ( )", "f (a",  "f a)", "f (a))", "f (a) b",
					    ")",    "()",    "a)(b)", "-"};

	for (size_t i = 0; i < PL_COUNT(texts); i++)
		frame_is(texts[i], false, true, texts[i], NULL, "none", false);
}

int main(void)
{
	RUN(the_weight_is_the_last_word);
	RUN(frames_may_hold_nearly_anything);
	RUN(weights_that_are_none);
	RUN(weights_that_are_too_big);
	RUN(decimals_want_a_scale);
	RUN(lines_without_a_weight);
	RUN(two_columns_are_seen);
	RUN(without_a_choice_the_first_column_is_part_of_the_name);
	RUN(one_of_two_columns);
	RUN(the_split_is_plain);
	RUN(empty_frames_are_found);
	RUN(annotations);
	RUN(what_is_no_annotation);
	RUN(annotations_may_be_kept);
	RUN(modules_only_when_asked_for);
	RUN(modules_in_frames);
	RUN(frames_that_name_no_module);
	return unit_done();
}
