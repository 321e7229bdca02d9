/* verify_bytes: every byte of a small artifact changed, deleted and doubled: each is refused, by
 * the reader that all programs use and by the check of pl-verify */
#include "../../filters/verify/verify.h"
#include "unit.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static struct pl_buf whole; /* the artifact */
static int file = -1;	    /* where variants are put for the reader */
static char path[64];

static void load(void)
{
	struct pl_in in = {0};
	struct pl_str block;
	const char *const paths[] = {"schemas/examples/two-lines.analysis.ndjson"};
	const struct pl_in_options options = {.max_line = PL_STREAM_LINE_MAX};

	if (pl_in_open(&in, paths, 1, &options) == 0 && pl_in_next(&in) == 1)
		while (pl_in_block(&in, &block) > 0)
			pl_buf_adds(&whole, block);
	pl_in_close(&in);
	file = memfd_create("variant", MFD_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
}

/* Does the reader of analyses come to the end without a complaint? */
static bool reader_accepts(struct pl_str bytes)
{
	struct pl_in in = {0};
	struct pl_analysis a = {0};
	const char *const paths[] = {path};
	const struct pl_in_options options = {.max_line = PL_STREAM_LINE_MAX};
	enum pl_analysis_kind kind = PL_ANALYSIS_ERROR;

	if (ftruncate(file, 0) || pwrite(file, bytes.p, bytes.n, 0) != (ssize_t)bytes.n)
		return true; /* no test: shows as a failure */
	if (pl_in_open(&in, paths, 1, &options) || pl_in_next(&in) != 1)
		return true;
	if (pl_analysis_open(&a, &in, false) == 0)
		do
			kind = pl_analysis_next(&a);
		while (kind > PL_ANALYSIS_DONE);
	pl_analysis_close(&a);
	pl_in_close(&in);
	return kind == PL_ANALYSIS_DONE;
}

static bool check_accepts(struct pl_str bytes)
{
	struct artifact a = {0};
	struct pl_verdict v = {0};

	a.bytes = (struct pl_buf){(char *)bytes.p, bytes.n, bytes.n};
	check_digest(&a, &v);
	return v.status == PL_PASSED;
}

/* The artifact with what stands at `at` (`n` bytes) replaced by `with`. */
static struct pl_str variant(struct pl_buf *b, size_t at, size_t n, const char *with, size_t with_n)
{
	pl_buf_clear(b);
	pl_buf_add(b, whole.p, at);
	pl_buf_add(b, with, with_n);
	pl_buf_add(b, whole.p + at + n, whole.n - at - n);
	return pl_buf_str(b);
}

static void refuse(struct pl_str bytes, const char *what, size_t at)
{
	if (!CHECK(!reader_accepts(bytes)) || !CHECK(!check_accepts(bytes)))
		printf("#   byte %zu %s\n", at, what);
}

TEST(the_artifact_itself_is_accepted)
{
	CHECK_U64(whole.n, 4824);
	CHECK(reader_accepts(pl_buf_str(&whole)));
	CHECK(check_accepts(pl_buf_str(&whole)));
}

TEST(a_changed_byte_is_found)
{
	struct pl_buf b = {0};

	for (size_t i = 0; i < whole.n && unit_ok; i++) {
		/* the other case of a letter, too: digests are lower case */
		const char changed[] = {(char)(whole.p[i] ^ 1), (char)(whole.p[i] ^ 0x20)};
		refuse(variant(&b, i, 1, &changed[0], 1), "changed", i);
		refuse(variant(&b, i, 1, &changed[1], 1), "changed by 0x20", i);
	}
	pl_buf_free(&b);
}

TEST(a_deleted_byte_is_found)
{
	struct pl_buf b = {0};

	for (size_t i = 0; i < whole.n && unit_ok; i++)
		refuse(variant(&b, i, 1, "", 0), "deleted", i);
	pl_buf_free(&b);
}

TEST(a_doubled_byte_is_found)
{
	struct pl_buf b = {0};

	for (size_t i = 0; i < whole.n && unit_ok; i++) {
		const char twice[] = {whole.p[i], whole.p[i]};
		refuse(variant(&b, i, 1, twice, 2), "doubled", i);
	}
	pl_buf_free(&b);
}

TEST(every_cut_is_found)
{
	for (size_t n = 0; n < whole.n && unit_ok; n++)
		refuse((struct pl_str){whole.p, n}, "and the rest cut off", n);
}

int main(void)
{
	load();
	RUN(the_artifact_itself_is_accepted);
	RUN(a_changed_byte_is_found);
	RUN(a_deleted_byte_is_found);
	RUN(a_doubled_byte_is_found);
	RUN(every_cut_is_found);
	pl_buf_free(&whole);
	return unit_done();
}
