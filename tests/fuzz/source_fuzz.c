/* source_fuzz: lines of any bytes make a list that parses, and whose texts a terminal can be shown
 */
#include "../../filters/source/context.h"
#include "json.h"
#include "utf8.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static void check_text(struct pl_str text, size_t line_bytes)
{
	struct pl_buf again = {0};

	for (size_t i = 0; i < text.n; i++)
		expect((unsigned char)text.p[i] >= ' ' || text.p[i] == '\t');
	/* what was shown once has nothing more to escape, but the tabs */
	pl_utf8_terminal(&again, text);
	size_t tabs = 0;
	for (size_t i = 0; i < text.n; i++)
		tabs += text.p[i] == '\t';
	expect(again.n == text.n + 3 * tabs);
	/* U+FFFD for a byte is three, \xNN is four */
	expect(text.n <= 4 * line_bytes);
	pl_buf_free(&again);
}

/* The first byte says whether lines are cut; LF parts them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct context c = {0};
	struct pl_json json = {0};
	uint64_t n = 0;

	if (size == 0)
		return 0;
	struct pl_str rest = {(const char *)data + 1, size - 1};
	while (rest.n) {
		const char *end = memchr(rest.p, '\n', rest.n);
		struct pl_str line = {rest.p, end ? (size_t)(end - rest.p) : rest.n};
		context_add(&c, ++n, line, data[0] & 1);
		rest = (struct pl_str){line.p + line.n + (end != NULL),
				       rest.n - line.n - (end != NULL)};
	}
	expect(pl_json_parse(&json, context_end(&c)) == 0);
	for (uint32_t at = 1; at < json.tape[0].next; at = json.tape[at].next)
		check_text(pl_json_str(&json, pl_json_member(&json, at, "text")), size);
	pl_json_free(&json);
	context_free(&c);
	return 0;
}
