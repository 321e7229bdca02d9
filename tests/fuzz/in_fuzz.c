/* in_fuzz: lines and blocks of the same input add up to the same bytes; gzip may be anything */
#include "in.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What reading to the end told: bytes and their digest, or an error. */
struct result {
	enum pl_code code;
	uint64_t bytes;
	char sha256[65];
};

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static int read_lines(struct pl_in *in, const struct pl_in_options *options)
{
	struct pl_str line;
	enum pl_in_line got;
	uint64_t least = 0, number = 0;
	bool exact = !options->text; /* CR, a BOM and what was drained are not in the sum */
	while ((got = pl_in_line(in, &line)) > 0) {
		expect(in->offset >= least && in->line == ++number);
		expect(got == PL_IN_TOO_LONG ? line.n == options->max_line
					     : line.n <= options->max_line);
		expect(memchr(line.p, '\n', line.n) == NULL);
		expect(!exact || in->offset == least);
		exact = !options->text && got == PL_IN_LINE;
		least = in->offset + line.n + in->line_ended;
	}
	if (got == PL_IN_END)
		expect(pl_in_info(in)->lines == number && least <= pl_in_info(in)->bytes + 1);
	return got;
}

static int read_blocks(struct pl_in *in)
{
	struct pl_str block;
	uint64_t bytes = 0;
	int got;
	while ((got = pl_in_block(in, &block)) > 0)
		bytes += block.n;
	if (got == 0)
		expect(bytes + (pl_in_info(in)->bom ? 3 : 0) == pl_in_info(in)->bytes);
	return got;
}

static struct result read_all(const char *path, const struct pl_in_options *options, bool lines)
{
	struct pl_in in;
	struct result result = {0};
	expect(pl_in_open(&in, &path, 1, options) == 0);
	int got = pl_in_next(&in) < 0 ? -1 : lines ? read_lines(&in, options) : read_blocks(&in);
	if (got < 0) {
		result.code = in.err.code;
		expect(result.code != PL_E_NONE && in.err.message[0] && in.err.file[0]);
	} else {
		result.bytes = pl_in_info(&in)->bytes;
		memcpy(result.sha256, pl_in_info(&in)->sha256, sizeof result.sha256);
	}
	pl_in_close(&in);
	return result;
}

/* The first byte chooses the options, the rest is the input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct pl_in_options options = {
		.text = data[0] & 1,
		.digest = data[0] & 2,
		.max_line = data[0] & 4 ? 7 : 1 << 20,
		.max_bytes = data[0] & 8 ? 100 : 8 << 20,
	};
	char path[40];
	int fd = memfd_create("input", 0);
	expect(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct result lines = read_all(path, &options, true);
	struct result blocks = read_all(path, &options, false);
	close(fd);
	expect(lines.code == blocks.code && lines.bytes == blocks.bytes);
	expect(strcmp(lines.sha256, blocks.sha256) == 0);
	return 0;
}
