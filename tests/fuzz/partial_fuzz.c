/* partial_fuzz: partial sums may be anything; those that are accepted conserve, and what is written
 * of them gives the same rows when it is read again */
#include "../../filters/aggregate/partial.h"
#include "../../filters/aggregate/rows.h"
#include "limits.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct pl_program program = {.name = "pl-aggregate"};

static void expect(bool ok)
{
	if (!ok)
		abort();
}

struct merge {
	char path[64];
	struct pl_main m;
	struct profile p;
	struct sources sources;
};

/* False when the bytes cannot be read at all (damaged gzip); finish() it then, too. */
static bool start(struct merge *x, struct pl_str bytes)
{
	const struct pl_in_options options = {.max_line = PL_STREAM_LINE_MAX};
	const char *paths[] = {x->path};
	int fd = memfd_create("partial", 0);

	*x = (struct merge){.m.program = &program};
	pl_limits_default(&x->m.limits);
	expect(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	snprintf(x->path, sizeof x->path, "/proc/self/fd/%d", fd);
	expect(pl_in_open(&x->m.in, paths, 1, &options) == 0);
	close(fd);
	expect(pl_out_open(&x->m.out, "/dev/null", NULL) == 0);
	pl_out_hold(&x->m.out, 1 << 30);
	profile_start(&x->p);
	/* as --no-paths, where nothing else would be accepted */
	x->p.paths_kept = memmem(bytes.p, bytes.n, "\"paths\":false", 13) == NULL;
	x->p.max_paths = 1000000;
	sources_start(&x->sources, 100);
	return pl_in_next(&x->m.in) == 1;
}

static void finish(struct merge *x)
{
	profile_free(&x->p);
	sources_free(&x->sources);
	pl_out_discard(&x->m.out);
	pl_in_close(&x->m.in);
}

/* The rows of the analysis: what stands between the header and the digest. */
static struct pl_buf rows_of(struct merge *x)
{
	const struct rows_options options = {.top_n = 3, .path_limit = 2};
	struct pl_buf rows = {0};

	pl_buf_clear(&x->m.out.buf);
	expect(rows_write(&x->p, &x->sources, &options, &x->m) == 0);
	struct pl_str all = pl_buf_str(&x->m.out.buf);
	const char *from = memchr(all.p, '\n', all.n), *to = all.p + all.n;
	while (to[-1] != ',')
		to--;
	pl_buf_add(&rows, from, (size_t)(to - from));
	return rows;
}

static void read_again(struct pl_str partial, const struct pl_buf *want)
{
	struct merge x;

	expect(start(&x, partial) && partial_read(&x.p, &x.sources, &x.m) == 0);
	struct pl_buf got = rows_of(&x);
	expect(pl_str_eq(pl_buf_str(&got), pl_buf_str(want)));
	pl_buf_free(&got);
	finish(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct merge x;
	struct pl_buf partial = {0};

	if (!start(&x, (struct pl_str){(const char *)data, size})) {
		expect(x.m.in.err.code != PL_E_NONE);
	} else if (partial_read(&x.p, &x.sources, &x.m)) {
		expect(x.p.err.code != PL_E_NONE && x.p.err.code != PL_E_INTERNAL_ERROR);
	} else {
		expect(partial_write(&x.p, &x.sources, &x.m) == 0);
		pl_buf_adds(&partial, pl_buf_str(&x.m.out.buf));
		struct pl_buf rows = rows_of(&x);
		read_again(pl_buf_str(&partial), &rows);
		pl_buf_free(&rows);
	}
	pl_buf_free(&partial);
	finish(&x);
	return 0;
}
