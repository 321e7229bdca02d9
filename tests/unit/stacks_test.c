/* stacks: frames are numbered once, whatever a stack shares with the one before it */
#include "../../filters/fold-parse/stacks.h"
#include "unit.h"
#include <stdlib.h>

static struct stacks s;
static struct pl_buf out;

static void start(uint64_t max_depth, bool keep_annotations, bool dso_from_frame)
{
	pl_buf_clear(&out);
	stacks_start(&s, max_depth, keep_annotations, dso_from_frame);
}

/* Splits and defines a stack: its ids, a blank between them, or the code of its fault. */
static const char *ids_of(const char *stack)
{
	static char text[256];
	struct folded_fault fault = stacks_split(&s, pl_str(stack));
	size_t n = 0;

	if (fault.code)
		return fault.code;
	stacks_define(&s, &out);
	for (size_t i = 0; i < s.depth; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%u", i ? " " : "", s.ids[i]);
	return text;
}

static void ids_are(const char *stack, const char *want)
{
	const char *got = ids_of(stack);
	CHECK_STR(got, strlen(got), want);
}

/* What was written since the last question. */
static void wrote(const char *want)
{
	CHECK_STR(pl_buf_str(&out).p, out.n, want);
	pl_buf_clear(&out);
}

#define FRAME(id, symbol, more) \
	"{\"type\":\"frame\",\"id\":" id ",\"symbol\":\"" symbol "\",\"module\":null" more "}\n"

TEST(frames_are_defined_once)
{
	start(100, false, false);
	ids_are("main;worker;malloc", "0 1 2");
	wrote(FRAME("0", "main", "") FRAME("1", "worker", "") FRAME("2", "malloc", ""));
	ids_are("main;worker;malloc", "0 1 2");
	ids_are("main; worker ;main;malloc", "0 1 0 2");
	wrote("");
	ids_are("main;worker;compute", "0 1 3");
	wrote(FRAME("3", "compute", ""));
	stacks_free(&s);
}

/* Each stack again, after each other: what it shares with the one before must not matter. */
TEST(what_is_shared_does_not_matter)
{
	static const struct {
		const char *stack, *ids;
	} rows[] = {
		{"a", "0"},	     {"a;b", "0 1"},
		{"a;b;c", "0 1 2"},  {"a;bc", "0 3"},
		{"ab;c", "4 2"},     {"a;b;c;d", "0 1 2 5"},
		{"b", "1"},	     {"b;a;b", "1 0 1"},
		{" a;b", "0 1"},     {"a ;b", "0 1"},
		{"a;b ", "0 1"},     {"a;a;a;a", "0 0 0 0"},
		{"a;b;cd", "0 1 6"}, {"c", "2"},
		{"abc", "7"},	     {"a;b;c;de", "0 1 2 8"},
	};

	start(100, false, false);
	for (size_t i = 0; i < PL_COUNT(rows); i++)
		ids_are(rows[i].stack, rows[i].ids);
	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		for (size_t k = 0; k < PL_COUNT(rows); k++) {
			ids_are(rows[i].stack, rows[i].ids);
			ids_are(rows[k].stack, rows[k].ids);
		}
	}
	CHECK_U64(s.frames.n, 9);
	stacks_free(&s);
}

TEST(faults_define_nothing)
{
	static const char *const empty[] = {"a;;b", ";a", "a;", "x;y;", "a;b; ;c", "", "a;b;"};

	start(100, false, false);
	ids_are("a;b", "0 1");
	pl_buf_clear(&out);
	for (size_t i = 0; i < PL_COUNT(empty); i++) {
		ids_are(empty[i], "EMPTY_FRAME");
		CHECK_U64(out.n, 0);
		ids_are("a;b", "0 1");
	}
	ids_are("x;y", "2 3");
	stacks_free(&s);
}

TEST(depth)
{
	start(3, false, false);
	ids_are("a;b;c", "0 1 2");
	ids_are("a;b;c;d", "STACK_TOO_DEEP");
	ids_are("a;b;c", "0 1 2");
	ids_are("d;e;f;g", "STACK_TOO_DEEP");
	ids_are("a;b;d", "0 1 3");
	/* too deep it is, whatever comes later */
	ids_are("a;b;c;d;;", "STACK_TOO_DEEP");
	stacks_free(&s);
	start(1, false, false);
	ids_are("a", "0");
	ids_are("a;b", "STACK_TOO_DEEP");
	stacks_free(&s);
}

TEST(annotated_frames_keep_their_first_spelling)
{
	start(100, false, false);
	ids_are("f;f_[k];f_[j];f_[i];f_[w]", "0 1 2 3 4");
	wrote(FRAME("0", "f", "") FRAME("1", "f", ",\"raw\":\"f_[k]\",\"kind\":\"kernel\"")
		      FRAME("2", "f", ",\"raw\":\"f_[j]\",\"kind\":\"jit\"")
			      FRAME("3", "f", ",\"raw\":\"f_[i]\",\"inlined\":true")
				      FRAME("4", "f", ",\"raw\":\"f_[w]\",\"kind\":\"waker\""));
	/* another spelling of the same identity */
	ids_are("f _[k];f_[i]_[k];f_[k]_[i]", "1 5 5");
	wrote(FRAME("5", "f", ",\"raw\":\"f_[i]_[k]\",\"inlined\":true,\"kind\":\"kernel\""));
	stacks_free(&s);
	start(100, true, false);
	ids_are("f;f_[k]", "0 1");
	wrote(FRAME("0", "f", "") FRAME("1", "f_[k]", ""));
	stacks_free(&s);
}

TEST(modules_come_before_their_frames)
{
	start(100, false, true);
	ids_are("f;lib`f;other`f;f (lib)", "0 1 2 1");
	wrote(FRAME("0", "f", "") "{\"type\":\"module\",\"id\":0,\"dso\":\"lib\"}\n"
				  "{\"type\":\"frame\",\"id\":1,\"symbol\":\"f\",\"module\":0,"
				  "\"raw\":\"lib`f\"}\n"
				  "{\"type\":\"module\",\"id\":1,\"dso\":\"other\"}\n"
				  "{\"type\":\"frame\",\"id\":2,\"symbol\":\"f\",\"module\":1,"
				  "\"raw\":\"other`f\"}\n");
	CHECK(s.modules.n == 2 && s.frames.n == 3);
	stacks_free(&s);
}

/* The text of a stack may be gone when the next one is split. */
TEST(nothing_points_into_old_text)
{
	char *text = malloc(8);

	start(100, false, false);
	memcpy(text, "aa;bb;cc", 8);
	CHECK(stacks_split(&s, (struct pl_str){text, 8}).code == NULL);
	stacks_define(&s, &out);
	free(text);
	ids_are("aa;bb;dd", "0 1 3");
	stacks_free(&s);
}

int main(void)
{
	RUN(frames_are_defined_once);
	RUN(what_is_shared_does_not_matter);
	RUN(faults_define_nothing);
	RUN(depth);
	RUN(annotated_frames_keep_their_first_spelling);
	RUN(modules_come_before_their_frames);
	RUN(nothing_points_into_old_text);
	pl_buf_free(&out);
	return unit_done();
}
