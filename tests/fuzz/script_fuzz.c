/* script_fuzz: text of perf script may be anything; what comes out is a stream that adds up, the
 * same without the short way for runs of frames; and a sample that stands behind the text, after a
 * blank line, is read as it is */
#include "../../filters/script-parse/reader.h"
#include "samples.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_LINE = 512, MAX_DEPTH = 40, WEIGHT = 250000 };

static const struct pl_program program = {.name = "pl-script-parse"};

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static void open_bytes(struct pl_in *in, struct pl_str bytes, const struct pl_in_options *options)
{
	char path[64];
	const char *paths[] = {path};
	int fd = memfd_create("script", 0);

	expect(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	expect(pl_in_open(in, paths, 1, options) == 0);
	close(fd);
}

/* The stream of a text; n == 0: it is damaged gzip, all malformed, or weighs more than 2^64-1. */
static struct pl_buf parse_by(struct pl_str text, const struct reader_options *options,
			      const struct pl_parser_grammar *grammar)
{
	const struct pl_in_options lines = {.max_line = MAX_LINE, .text = true};
	struct pl_main m = {.program = &program, .quiet = true};
	struct pl_buf stream = {0};
	struct reader r;

	pl_limits_default(&m.limits);
	m.limits.v[PL_LIMIT_LINE_BYTES] = MAX_LINE;
	m.limits.v[PL_LIMIT_STACK_DEPTH] = MAX_DEPTH;
	open_bytes(&m.in, text, &lines);
	expect(pl_out_open(&m.out, "/dev/null", NULL) == 0);
	pl_out_hold(&m.out, 1 << 30);
	reader_start(&r, &m, options);
	if (pl_parser_run(&r.parser, grammar, &r) == 0)
		pl_buf_adds(&stream, pl_buf_str(&m.out.buf));
	else
		expect(r.parser.err.code != PL_E_NONE && r.parser.err.message[0]);
	reader_free(&r);
	pl_out_discard(&m.out);
	pl_in_close(&m.in);
	return stream;
}

static struct pl_buf parse(struct pl_str text, const struct reader_options *options)
{
	struct pl_parser_grammar line_by_line = reader_grammar;
	line_by_line.run = NULL;

	struct pl_buf stream = parse_by(text, options, &reader_grammar);
	struct pl_buf again = parse_by(text, options, &line_by_line);
	expect(pl_str_eq(pl_buf_str(&stream), pl_buf_str(&again)));
	pl_buf_free(&again);
	return stream;
}

/* What the stream's reader makes of it. */
struct counted {
	uint64_t samples, lost, last_weight;
	size_t last_depth;
};

static struct counted read_back(struct pl_str stream)
{
	const struct pl_in_options lines = {.max_line = PL_STREAM_LINE_MAX};
	struct counted c = {0};
	struct pl_in in;
	struct pl_samples s;
	enum pl_samples_kind kind;

	open_bytes(&in, stream, &lines);
	expect(pl_in_next(&in) == 1 && pl_samples_open(&s, &in) == 0);
	while ((kind = pl_samples_next(&s)) > PL_SAMPLES_DONE) {
		if (kind == PL_SAMPLES_LOST)
			c.lost += s.lost.count;
		if (kind != PL_SAMPLES_SAMPLE)
			continue;
		c.samples++;
		c.last_weight = s.sample.weight;
		c.last_depth = s.sample.depth;
		expect(s.sample.depth <= MAX_DEPTH);
	}
	expect(kind == PL_SAMPLES_DONE && c.samples == s.end.samples && c.lost == s.end.lost);
	expect(s.end.records == s.end.samples + s.end.malformed + s.end.skipped);
	pl_samples_close(&s);
	pl_in_close(&in);
	return c;
}

/* The text, a blank line, and, for the second time, one more sample. */
static void append_sample(struct pl_str text, const struct reader_options *options)
{
	static const char sample[] = "perf  4526 [001]  5292.470825:     250000 cpu-clock: \n"
				     "\t    55aa62b8017a burn+0x11 (/bin/x)\n\n";
	struct pl_buf longer = {0};

	pl_buf_adds(&longer, text);
	pl_buf_addz(&longer, "\n\n");
	struct pl_buf before = parse(pl_buf_str(&longer), options);
	pl_buf_addz(&longer, sample);
	struct pl_buf after = parse(pl_buf_str(&longer), options);
	if (after.n) {
		struct counted c = read_back(pl_buf_str(&after));
		expect(c.last_weight == WEIGHT && c.last_depth == 1);
		expect(before.n == 0 || c.samples == read_back(pl_buf_str(&before)).samples + 1);
	}
	pl_buf_free(&before);
	pl_buf_free(&after);
	pl_buf_free(&longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_str text = {(const char *)data, size};
	struct reader_options options = {.kernel_max_stack = 20};
	options.chain.addresses = size & 1;
	options.chain.normalise_generated = size & 2;
	options.chain.raw_names = size & 4;

	struct pl_buf stream = parse(text, &options);
	if (stream.n)
		read_back(pl_buf_str(&stream));
	pl_buf_free(&stream);
	append_sample(text, &options);
	return 0;
}
