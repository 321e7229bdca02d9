/* data_fuzz: a recording may be anything; what comes out is a stream that our own reader takes and
 * whose counts add up, or an error that says something; and a file gives the same as a pipe */
#include "../../filters/data-parse/describe.h"
#include "../../filters/data-parse/replay.h"
#include "samples.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_DEPTH = 200, MAX_UNPACKED = 1 << 22, MAX_RECORDS = 5000 };

static const struct pl_program program = {.name = "pl-data-parse"};

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static void open_bytes(struct pl_in *in, struct pl_str bytes, const struct pl_in_options *options)
{
	char path[64];
	const char *paths[] = {path};
	int fd = memfd_create("data", 0);

	expect(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	expect(pl_in_open(in, paths, 1, options) == 0);
	close(fd);
}

/* What the program's parse() does. */
static int read_recording(struct pl_parser *p, struct store *store)
{
	struct recording recording;
	struct pl_intern names;
	struct replay replay;
	int failed = recording_open(&recording, store, p, &p->m->limits);

	pl_intern_init(&names);
	if (failed) {
		p->err = recording.err;
	} else {
		describe_events(&recording, &names);
		/* saved stacks are not unwound: that opens files, in a child; see unwind_fuzz */
		static const struct replay_options options;
		replay_start(&replay, &recording, p, &options);
		pl_parser_header(p, "perf-data", describe_recording, &recording);
		failed = replay_run(&replay);
		replay_end(&replay);
	}
	recording_close(&recording);
	pl_intern_free(&names);
	return failed;
}

/* What its read_input() does, for a file and for a pipe. */
static int read_input(struct pl_parser *p, bool by_place)
{
	struct pl_buf bytes = {0};
	struct store store;

	if (by_place)
		store_file(&store, pl_in_fd(&p->m->in, 0), pl_in_total(&p->m->in));
	else if (pl_parser_read_whole(p, &bytes))
		return -1;
	else
		store_memory(&store, (struct pl_bytes){(const unsigned char *)bytes.p, bytes.n});
	int failed = read_recording(p, &store);
	store_free(&store);
	pl_buf_free(&bytes);
	return failed || (by_place && pl_parser_read_past(p)) ? -1 : 0;
}

/* The stream of a recording; n == 0: there is an error instead. */
static struct pl_buf parse(struct pl_str bytes, bool by_place)
{
	static const struct pl_in_options binary;
	struct pl_main m = {.program = &program, .quiet = true};
	struct pl_buf stream = {0};
	struct pl_parser p;

	pl_limits_default(&m.limits);
	m.limits.v[PL_LIMIT_STACK_DEPTH] = MAX_DEPTH;
	m.limits.v[PL_LIMIT_INPUT_BYTES] = MAX_UNPACKED;
	m.limits.v[PL_LIMIT_RECORDS] = MAX_RECORDS;
	open_bytes(&m.in, bytes, &binary);
	expect(pl_out_open(&m.out, "/dev/null", NULL) == 0);
	pl_out_hold(&m.out, 1 << 30);
	pl_parser_start_binary(&p, &m);
	if (pl_in_next(&m.in) < 0) /* damaged gzip */
		p.err = m.in.err;
	else if (read_input(&p, by_place && !pl_in_info(&m.in)->packed) == 0 &&
		 pl_parser_end(&p, "none", "advice") == 0)
		pl_buf_adds(&stream, pl_buf_str(&m.out.buf));
	expect(stream.n || (p.err.code != PL_E_NONE && p.err.message[0]));
	pl_parser_free(&p);
	pl_out_discard(&m.out);
	pl_in_close(&m.in);
	return stream;
}

static void read_back(struct pl_str stream)
{
	const struct pl_in_options lines = {.max_line = PL_STREAM_LINE_MAX};
	uint64_t samples = 0, lost = 0;
	enum pl_samples_kind kind;
	struct pl_samples s;
	struct pl_in in;

	open_bytes(&in, stream, &lines);
	expect(pl_in_next(&in) == 1 && pl_samples_open(&s, &in) == 0);
	while ((kind = pl_samples_next(&s)) > PL_SAMPLES_DONE) {
		if (kind == PL_SAMPLES_LOST && !__builtin_add_overflow(lost, s.lost.count, &lost))
			continue;
		if (kind == PL_SAMPLES_LOST)
			lost = UINT64_MAX;
		if (kind != PL_SAMPLES_SAMPLE)
			continue;
		samples++;
		expect(s.sample.depth <= MAX_DEPTH);
	}
	if (kind != PL_SAMPLES_DONE)
		fprintf(stderr, "%s\n", s.s.err.message);
	expect(kind == PL_SAMPLES_DONE && samples == s.end.samples && lost == s.end.lost);
	expect(s.end.records == s.end.samples + s.end.malformed + s.end.skipped);
	pl_samples_close(&s);
	pl_in_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_str bytes = {(const char *)data, size};
	struct pl_buf stream = parse(bytes, false), again = parse(bytes, size > 0);

	expect(pl_str_eq(pl_buf_str(&stream), pl_buf_str(&again)));
	if (stream.n)
		read_back(pl_buf_str(&stream));
	pl_buf_free(&stream);
	pl_buf_free(&again);
	return 0;
}
