/* artifact: the whole of it in memory, and its lines */
#include "mem.h"
#include "verify.h"

int artifact_read(struct artifact *a, struct pl_in *in)
{
	struct pl_str block;
	int got;

	while ((got = pl_in_block(in, &block)) > 0)
		pl_buf_adds(&a->bytes, block);
	return got;
}

void artifact_problem(struct artifact *a, const char *fmt, ...)
{
	va_list ap;

	if (a->problem[0])
		return;
	va_start(ap, fmt);
	vsnprintf(a->problem, sizeof a->problem, fmt, ap);
	va_end(ap);
}

static void split_lines(struct artifact *a)
{
	struct pl_str rest = pl_buf_str(&a->bytes);

	while (rest.n) {
		const char *lf = memchr(rest.p, '\n', rest.n);
		size_t n = lf ? (size_t)(lf - rest.p) : rest.n;
		PL_GROW(a->lines, a->n + 1, a->cap);
		a->lines[a->n++] = (struct pl_str){rest.p, n};
		n += lf != NULL;
		rest = (struct pl_str){rest.p + n, rest.n - n};
		if (!lf)
			artifact_problem(a, "the last line is cut off");
	}
}

/* Is this the only end record, and the last line? */
static void check_frame(struct artifact *a, size_t i, struct pl_str type)
{
	bool last = i + 1 == a->n;

	if (pl_str_is(type, "header") && i > 0)
		artifact_problem(a, "line %zu: a second header", i + 1);
	if (pl_str_is(type, "end") && !last)
		artifact_problem(a, "line %zu: an end record that is not the last line", i + 1);
	if (!pl_str_is(type, "end") && last)
		artifact_problem(a, "there is no end record: the artifact was cut off");
}

/* Is every line a record? */
static void check_lines(struct artifact *a)
{
	struct pl_json json = {0};

	for (size_t i = 0; i < a->n && !a->problem[0]; i++) {
		if (pl_json_parse(&json, a->lines[i])) {
			artifact_problem(a, "line %zu: no JSON (byte %zu)", i + 1, json.offset + 1);
			break;
		}
		bool object = json.tape[0].type == PL_JSON_OBJECT;
		uint32_t type = object ? pl_json_member(&json, 0, "type") : 0;
		if (!type || json.tape[type].type != PL_JSON_STRING)
			artifact_problem(a, "line %zu: no record", i + 1);
		else
			check_frame(a, i, pl_json_str(&json, type));
	}
	pl_json_free(&json);
}

void artifact_open(struct artifact *a)
{
	split_lines(a);
	header_read(a);
	check_lines(a);
}

void artifact_close(struct artifact *a)
{
	pl_json_free(&a->stream.header_json);
	pl_buf_free(&a->bytes);
	free(a->lines);
	*a = (struct artifact){0};
}
