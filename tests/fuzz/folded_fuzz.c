/* folded_fuzz: a line may be anything; its frames, joined again, are its stack but for blanks */
#include "../../filters/fold-parse/folded.h"
#include "num.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static bool within(struct pl_str part, struct pl_str whole)
{
	return part.p >= whole.p && part.p + part.n <= whole.p + whole.n;
}

static void read_frame(struct pl_str text, bool keep_annotations, bool dso_from_frame)
{
	struct folded_frame f = folded_read_frame(text, keep_annotations, dso_from_frame);

	expect(f.symbol.n > 0 && within(f.symbol, text));
	expect(pl_str_eq(pl_str_trim(f.symbol), f.symbol));
	expect(!f.module.p || (dso_from_frame && f.module.n > 0 && within(f.module, text)));
	expect(!keep_annotations || (!f.kind && !f.inlined));
	expect(f.module.p || f.kind || f.inlined || pl_str_eq(f.symbol, text));
}

/* What lies between the semicolons, trimmed here, is what is handed out. */
static void read_stack(struct pl_str stack, bool keep_annotations, bool dso_from_frame)
{
	struct pl_str rest = stack;
	size_t at = 0;

	while (rest.p) {
		struct pl_str frame = folded_next_frame(&rest), text = {stack.p + at, 0};
		while (at + text.n < stack.n && text.p[text.n] != ';')
			text.n++;
		expect(pl_str_eq(frame, pl_str_trim(text)));
		at += text.n + 1;
		if (frame.n > 0)
			read_frame(frame, keep_annotations, dso_from_frame);
	}
	expect(at == stack.n + 1);
}

/* The first byte chooses column, scale and options, the rest is the line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t scales[] = {0, 1, 1000000, UINT64_MAX};
	struct folded_line split;

	if (size == 0)
		return 0;
	enum folded_column column = (enum folded_column)(data[0] & 3);
	bool picked = column == FOLDED_BEFORE || column == FOLDED_AFTER;
	struct pl_str line = pl_str_trim((struct pl_str){(const char *)data + 1, size - 1});
	if (line.n == 0)
		return 0;
	struct folded_fault fault = folded_split(line, column, scales[data[0] >> 2 & 3], &split);
	if (fault.code) {
		expect(fault.message && fault.message[0]);
		return 0;
	}
	expect(split.stack.n > 0 && split.stack.p == line.p && split.stack.n + 1 < line.n);
	expect(pl_str_eq(pl_str_trim(split.stack), split.stack));
	expect(split.weight > 0 || picked);
	expect(split.two_columns || !picked);
	read_stack(split.stack, data[0] & 16, data[0] & 32);
	return 0;
}
