/* json_fuzz: what the reader accepts, the writer writes, and writing it again changes nothing */
#include "json.h"
#include "jsonw.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes what is in the tape, in canonical form. */
static void write_tape(const struct pl_json *json, struct pl_buf *out)
{
	struct pl_jsonw w = {.buf = out};

	pl_buf_clear(out);
	pl_jsonw_value(&w, json, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pl_json json;
	static struct pl_buf once, again;
	struct pl_str text = {(const char *)data, size};

	if (pl_json_parse(&json, text) != 0) {
		if (!json.message || json.offset > size)
			abort();
		return 0;
	}
	size_t tokens = json.n;
	if (json.tape[0].next != tokens)
		abort();
	write_tape(&json, &once);
	if (pl_json_parse(&json, pl_buf_str(&once)) != 0 || json.n != tokens)
		abort();
	write_tape(&json, &again);
	if (!pl_str_eq(pl_buf_str(&once), pl_buf_str(&again)))
		abort();
	return 0;
}
