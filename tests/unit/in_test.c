/* in: lines, limits, gzip, digests, identity; read(2) is replaced below to give little, or nothing
 */
#include "hash.h"
#include "in.h"
#include "mem.h"
#include "unit.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

/* ---- a read(2) with faults ---- */

static size_t read_most = SIZE_MAX; /* bytes a call gives at most */
static int read_interrupted;	    /* calls that end with EINTR first */
static int read_fails_after = -1;   /* calls before one that ends with EIO */
static int read_ends;		    /* calls that found the end */

ssize_t read(int fd, void *p, size_t n)
{
	if (read_interrupted > 0) {
		read_interrupted--;
		errno = EINTR;
		return -1;
	}
	if (read_fails_after >= 0 && read_fails_after-- == 0) {
		errno = EIO;
		return -1;
	}
	ssize_t got = syscall(SYS_read, fd, p, n < read_most ? n : read_most);
	read_ends += got == 0;
	return got;
}

/* ---- inputs made here ---- */

struct file {
	int fd;
	char path[40];
};

static struct file file_of(const void *p, size_t n)
{
	struct file f = {.fd = memfd_create("input", 0)};
	snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
	const char *from = p;
	while (n > 0) {
		ssize_t put = write(f.fd, from, n);
		if (!CHECK(put > 0))
			break;
		from += put;
		n -= (size_t)put;
	}
	/* Long ago, so that whatever changes it now changes its time. */
	futimens(f.fd, (const struct timespec[]){{1000, 0}, {1000, 0}});
	return f;
}
#define FILE_OF(literal) file_of("" literal, sizeof(literal) - 1)

static const struct pl_in_options text_mode = {.max_line = 1 << 20, .digest = true, .text = true};
static const struct pl_in_options raw_mode = {.max_line = 1 << 20, .digest = true};

static int open_one(struct pl_in *in, const char *path, const struct pl_in_options *options)
{
	return pl_in_open(in, (const char *const[]){path}, 1, options);
}

static bool line_is(struct pl_in *in, uint64_t number, uint64_t offset, const char *want)
{
	struct pl_str line = {0};
	bool ok = CHECK(pl_in_line(in, &line) == PL_IN_LINE);
	CHECK_U64(in->line, number);
	CHECK_U64(in->offset, offset);
	CHECK_STR(line.p ? line.p : "", line.n, want);
	return ok;
}

static void ends(struct pl_in *in, uint64_t bytes, uint64_t lines, const char *sha256)
{
	struct pl_str line;
	CHECK(pl_in_line(in, &line) == PL_IN_END);
	CHECK(pl_in_line(in, &line) == PL_IN_END);
	const struct pl_in_info *info = pl_in_info(in);
	CHECK_U64(info->bytes, bytes);
	CHECK_U64(info->lines, lines);
	if (sha256)
		CHECK_STR(info->sha256, strlen(info->sha256), sha256);
}

/* Reads an input until its end or error: what stopped it. */
static enum pl_in_line drain(struct pl_in *in)
{
	struct pl_str line;
	enum pl_in_line got;
	while ((got = pl_in_line(in, &line)) > 0)
		;
	return got;
}

/* The code with which one input of these bytes fails, or PL_E_NONE. */
static enum pl_code code_of(const void *p, size_t n, const struct pl_in_options *options)
{
	struct file f = file_of(p, n);
	struct pl_in in;
	CHECK(open_one(&in, f.path, options) == 0);
	bool failed = pl_in_next(&in) < 0 || drain(&in) == PL_IN_ERROR;
	enum pl_code code = failed ? in.err.code : PL_E_NONE;
	if (failed)
		CHECK_STR(in.err.file, strlen(in.err.file), f.path);
	pl_in_close(&in);
	close(f.fd);
	return code;
}

/* ---- lines ---- */

TEST(text_lines)
{
	struct file f = FILE_OF("a\r\nb\rc\n\r\n\nlast\r");
	struct pl_in in;
	CHECK(open_one(&in, f.path, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "a");
	line_is(&in, 2, 3, "b\rc");
	line_is(&in, 3, 7, "");
	line_is(&in, 4, 9, "");
	CHECK(in.line_ended);
	line_is(&in, 5, 10, "last\r");
	CHECK(!in.line_ended);
	ends(&in, 15, 5, NULL);
	CHECK(pl_in_next(&in) == 0);
	CHECK(pl_in_next(&in) == 0);
	pl_in_close(&in);
	close(f.fd);
}

TEST(raw_lines_keep_cr_and_bom)
{
	struct file f = FILE_OF("\xef\xbb\xbf{}\r\n\r\n");
	struct pl_in in;
	CHECK(open_one(&in, f.path, &raw_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "\xef\xbb\xbf{}\r");
	line_is(&in, 2, 7, "\r");
	ends(&in, 9, 2, NULL);
	CHECK(!pl_in_info(&in)->bom);
	pl_in_close(&in);
	close(f.fd);
}

TEST(bom_is_dropped_and_noted)
{
	struct file f = FILE_OF("\xef\xbb\xbf"
				"a 1\n"
				"\xef\xbb\xbf\n");
	struct pl_in in;
	CHECK(open_one(&in, f.path, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 3, "a 1");
	line_is(&in, 2, 7, "\xef\xbb\xbf"); /* only the first is one */
	ends(&in, 11, 2, NULL);
	CHECK(pl_in_info(&in)->bom);
	pl_in_close(&in);
	close(f.fd);
	/* printf '\xef\xbb\xbf' | sha256sum */
	f = FILE_OF("\xef\xbb\xbf");
	CHECK(open_one(&in, f.path, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	ends(&in, 3, 0, "f1945cd6c19e56b3c1c78943ef5ec18116907a4ca1efc40a57d48ab1db7adfc5");
	pl_in_close(&in);
	close(f.fd);
}

TEST(empty_input)
{
	struct file f = FILE_OF("");
	struct pl_in in;
	CHECK(open_one(&in, f.path, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	ends(&in, 0, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	pl_in_close(&in);
	close(f.fd);
}

TEST(line_limit)
{
	struct pl_in_options five = {.max_line = 5, .text = true};
	struct file f = FILE_OF("12345\n12345\r\n123456\n12345\r\r\n1\n1234567\r\nabcde\r");
	struct pl_in in;
	struct pl_str line;
	CHECK(open_one(&in, f.path, &five) == 0);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "12345");
	line_is(&in, 2, 6, "12345");
	CHECK(pl_in_line(&in, &line) == PL_IN_TOO_LONG);
	CHECK_STR(line.p, line.n, "12345");
	CHECK(pl_in_line(&in, &line) == PL_IN_TOO_LONG);
	CHECK_STR(line.p, line.n, "12345");
	line_is(&in, 5, 28, "1");
	CHECK(pl_in_line(&in, &line) == PL_IN_TOO_LONG);
	CHECK_STR(line.p, line.n, "12345");
	CHECK(pl_in_line(&in, &line) == PL_IN_TOO_LONG); /* a lone CR at the end is a byte of it */
	CHECK_STR(line.p, line.n, "abcde");
	CHECK_U64(in.line, 7);
	ends(&in, 45, 7, "");
	pl_in_close(&in);
	close(f.fd);
}

/* 3,000,000 times x, without and with what may end a line: longer than two blocks */
TEST(line_limit_across_blocks)
{
	struct pl_in_options options = {.max_line = 3000000, .digest = true, .text = true};
	char *x = malloc(3000003);
	memset(x, 'x', 3000000);
	memcpy(x + 3000000, "\r\n1", 3);
	struct file f = file_of(x, 3000003);
	struct pl_in in;
	struct pl_str line;
	CHECK(open_one(&in, f.path, &options) == 0);
	CHECK(pl_in_next(&in) == 1);
	CHECK(pl_in_line(&in, &line) == PL_IN_LINE);
	CHECK(line.n == 3000000 && memcmp(line.p, x, line.n) == 0);
	line_is(&in, 2, 3000002, "1");
	ends(&in, 3000003, 2, NULL);
	pl_in_close(&in);
	options.max_line--;
	CHECK(open_one(&in, f.path, &options) == 0);
	CHECK(pl_in_next(&in) == 1);
	CHECK(pl_in_line(&in, &line) == PL_IN_TOO_LONG);
	CHECK_U64(line.n, 2999999);
	line_is(&in, 2, 3000002, "1");
	pl_in_close(&in);
	close(f.fd);
	/* head -c 3000000 /dev/zero | tr '\0' x | sha256sum */
	f = file_of(x, 3000000);
	CHECK(open_one(&in, f.path, &options) == 0);
	CHECK(pl_in_next(&in) == 1);
	CHECK(drain(&in) == PL_IN_END);
	ends(&in, 3000000, 1, "e55b8bdf621ddaa8f462c74745db9680d3bb7536a9cf854f8d6668b34a287890");
	pl_in_close(&in);
	close(f.fd);
	free(x);
}

/* Text of n bytes in lines of 0 to 4,999 bytes, the same each time. */
static char *long_text(size_t n)
{
	char *text = malloc(n);
	uint32_t seed = 1;
	for (size_t i = 0, left = 7; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		text[i] = left ? (char)('a' + (seed >> 24) % 26) : '\n';
		left = left ? left - 1 : (seed >> 8) % 5000;
	}
	return text;
}

/* Every line of the input is that of the text, found by a plain search; the digest is the same. */
static void check_against(const char *path, const char *text, size_t n, bool blocks_too)
{
	struct pl_in in;
	struct pl_str line;
	struct pl_sha256 sha;
	char hex[PL_SHA256_HEX + 1];
	size_t at = 0, wrong = 0;
	CHECK(open_one(&in, path, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	while (pl_in_line(&in, &line) == PL_IN_LINE) {
		size_t end = at;
		while (end < n && text[end] != '\n')
			end++;
		wrong += in.offset != at || line.n != end - at ||
			 memcmp(line.p, text + at, line.n) != 0;
		at = end + 1;
		/* what is left may also be taken as blocks */
		if (blocks_too && at > n / 2)
			break;
	}
	while (blocks_too && pl_in_block(&in, &line) == 1) {
		wrong += at + line.n > n || memcmp(line.p, text + at, line.n) != 0;
		at += line.n;
	}
	CHECK_U64(wrong, 0);
	CHECK(at >= n);
	CHECK_U64(pl_in_info(&in)->bytes, n);
	pl_sha256_start(&sha);
	pl_sha256_add(&sha, text, n);
	pl_sha256_end(&sha, hex);
	CHECK_STR(pl_in_info(&in)->sha256, 64, hex);
	pl_in_close(&in);
}

/* The ring of four blocks goes round; reads give all, a little, or a bit more than half a block. */
TEST(many_blocks)
{
	enum { N = 7 << 20 };
	static const size_t most[] = {SIZE_MAX, 4096, 65537, (1 << 19) + 1, (1 << 20) - 1};
	char *text = long_text(N);
	struct file f = file_of(text, N);
	for (size_t i = 0; i < PL_COUNT(most); i++) {
		read_most = most[i];
		read_interrupted = 3;
		check_against(f.path, text, N, i % 2 == 1);
		CHECK(read_interrupted == 0);
	}
	read_most = SIZE_MAX;
	close(f.fd);
	free(text);
}

TEST(every_byte_by_itself)
{
	read_most = 1;
	check_against("/dev/null", "", 0, false);
	char *text = long_text(20000);
	struct file f = file_of(text, 20000);
	check_against(f.path, text, 20000, true);
	read_most = SIZE_MAX;
	close(f.fd);
	free(text);
}

TEST(without_digest)
{
	enum { N = 3 << 20 };
	char *text = long_text(N);
	struct file f = file_of(text, N);
	struct pl_in_options options = {.max_line = 1 << 20};
	struct pl_in in;
	uint64_t bytes = 0;
	struct pl_str line;
	CHECK(open_one(&in, f.path, &options) == 0);
	CHECK(pl_in_next(&in) == 1);
	while (pl_in_line(&in, &line) == PL_IN_LINE)
		bytes += line.n + in.line_ended;
	CHECK_U64(bytes, N);
	CHECK_STR(pl_in_info(&in)->sha256, strlen(pl_in_info(&in)->sha256), "");
	pl_in_close(&in);
	close(f.fd);
	free(text);
}

/* A person at a terminal ends an input with one ^D. */
TEST(the_end_is_asked_for_once)
{
	struct file f = FILE_OF("a 1\n");
	struct pl_in in;
	CHECK(open_one(&in, f.path, &text_mode) == 0);
	read_ends = 0;
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "a 1");
	ends(&in, 4, 1, NULL);
	CHECK_U64((uint64_t)read_ends, 1);
	pl_in_close(&in);
	close(f.fd);
}

/* ---- several inputs ---- */

TEST(inputs_follow_each_other)
{
	struct file a = FILE_OF("a 1\n"), b = FILE_OF("b 2\nb 3\n");
	struct pl_in in;
	const char *paths[] = {a.path, b.path};
	CHECK(pl_in_open(&in, paths, 2, &text_mode) == 0);
	CHECK_U64(in.n, 2);
	CHECK_U64(pl_in_total(&in), 12);
	CHECK(pl_in_next(&in) == 1);
	CHECK_U64(in.index, 0);
	line_is(&in, 1, 0, "a 1");
	ends(&in, 4, 1, NULL);
	CHECK(pl_in_next(&in) == 1);
	CHECK_U64(in.index, 1);
	CHECK_STR(pl_in_name(&in, 1), strlen(pl_in_name(&in, 1)), b.path);
	line_is(&in, 1, 0, "b 2");
	line_is(&in, 2, 4, "b 3");
	ends(&in, 8, 2, NULL);
	CHECK(pl_in_next(&in) == 0);
	pl_in_close(&in);
	close(a.fd);
	close(b.fd);
}

/* What was left unread of one input is not in the digest of the next. */
TEST(an_input_may_be_left)
{
	char *text = long_text(3 << 20);
	struct file a = file_of(text, 3 << 20), b = FILE_OF("alpha 1\nbeta 2\n");
	struct pl_in in;
	struct pl_str line;
	const char *paths[] = {a.path, b.path};
	CHECK(pl_in_open(&in, paths, 2, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	while (pl_in_line(&in, &line) == PL_IN_LINE && in.offset < 2 << 20)
		;
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "alpha 1");
	line_is(&in, 2, 8, "beta 2");
	ends(&in, 15, 2, "669ac839f1f45f3c9715a1f97fa63316870a1c4a9847d3218933811ef93f93ae");
	pl_in_close(&in);
	close(a.fd);
	close(b.fd);
	free(text);
}

TEST(standard_input_once)
{
	struct file f = FILE_OF("a 1\n");
	struct pl_in in;
	int before = dup(STDIN_FILENO);
	dup2(f.fd, STDIN_FILENO);
	lseek(STDIN_FILENO, 0, SEEK_SET);
	CHECK(pl_in_open(&in, NULL, 0, &text_mode) == 0);
	CHECK_STR(pl_in_name(&in, 0), strlen(pl_in_name(&in, 0)), "standard input");
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "a 1");
	ends(&in, 4, 1, NULL);
	pl_in_close(&in);
	const char *paths[] = {"-", f.path, "-"};
	CHECK(pl_in_open(&in, paths, 3, &text_mode) == -1);
	CHECK(in.err.code == PL_E_INVALID_INPUT);
	pl_in_close(&in);
	dup2(before, STDIN_FILENO);
	close(before);
	close(f.fd);
}

TEST(more_inputs_than_descriptors)
{
	enum { N = 100 };
	const char *paths[N];
	struct rlimit before, few;
	struct pl_in in;
	for (size_t i = 0; i < N; i++)
		paths[i] = "/dev/null";
	getrlimit(RLIMIT_NOFILE, &before);
	few = (struct rlimit){.rlim_cur = 50, .rlim_max = before.rlim_max};
	setrlimit(RLIMIT_NOFILE, &few);
	CHECK(pl_in_open(&in, paths, N, &text_mode) == 0);
	CHECK_U64(in.n, N);
	size_t seen = 0;
	while (pl_in_next(&in) == 1)
		seen += drain(&in) == PL_IN_END;
	CHECK_U64(seen, N);
	pl_in_close(&in);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* ---- gzip ---- */

/* printf 'alpha 1\nbeta 2\n' | gzip -n9; printf 'gamma 3' | gzip -n9 */
static const unsigned char members[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0xcc, 0x29,
	0xc8, 0x48, 0x54, 0x30, 0xe4, 0x4a, 0x4a, 0x2d, 0x49, 0x54, 0x30, 0xe2, 0x02,
	0x00, 0x28, 0x89, 0x29, 0x96, 0x0f, 0x00, 0x00, 0x00, 0x1f, 0x8b, 0x08, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4f, 0xcc, 0xcd, 0x4d, 0x54, 0x30,
	0x06, 0x00, 0x6b, 0x09, 0x7a, 0xdb, 0x07, 0x00, 0x00, 0x00};
enum { FIRST_MEMBER = 35 };

static void check_members(const struct pl_in_options *options)
{
	struct file f = file_of(members, sizeof members);
	struct pl_in in;
	CHECK(open_one(&in, f.path, options) == 0);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "alpha 1");
	line_is(&in, 2, 8, "beta 2");
	line_is(&in, 3, 15, "gamma 3");
	CHECK(!in.line_ended);
	ends(&in, 22, 3, "6ee930fb3ab3f287644e21f7d915ebca7eac885093deda4ed70f9bc166b518e2");
	const struct pl_in_info *info = pl_in_info(&in);
	CHECK(info->packed);
	CHECK_U64(info->packed_bytes, 62);
	CHECK_STR(info->packed_sha256, strlen(info->packed_sha256),
		  "373c0760e1f23e5e104539c09aea26461212b5a325323c9a72fad2ccb0282462");
	pl_in_close(&in);
	close(f.fd);
}

TEST(gzip_members_by_content)
{
	check_members(&text_mode);
	check_members(&raw_mode);
	read_most = 1;
	check_members(&text_mode);
	read_most = SIZE_MAX;
}

TEST(gzip_cut_anywhere)
{
	for (size_t n = 2; n < sizeof members; n++) {
		enum pl_code want = n == FIRST_MEMBER ? PL_E_NONE : PL_E_PROFILE_PARSE_FAILED;
		if (!CHECK(code_of(members, n, &text_mode) == want))
			printf("#   %zu bytes\n", n);
	}
}

/*
 * In the header only the time, the extra flags and the system may be anything; byte 26 ends the
 * data with bits that mean nothing. `gzip -t` is of the same opinion.
 */
TEST(gzip_damaged_anywhere)
{
	for (size_t i = 2; i < FIRST_MEMBER; i++) {
		unsigned char bytes[FIRST_MEMBER];
		memcpy(bytes, members, sizeof bytes);
		bytes[i] ^= 0x80;
		bool harmless = (i >= 4 && i < 10) || i == 26;
		enum pl_code want = harmless ? PL_E_NONE : PL_E_PROFILE_PARSE_FAILED;
		if (!CHECK(code_of(bytes, sizeof bytes, &text_mode) == want))
			printf("#   byte %zu\n", i);
	}
}

TEST(gzip_followed_by_something_else)
{
	static const char *const tails[] = {"x", "\n", "\x1f", "\x1f\x8b", "gamma 3\n"};
	unsigned char bytes[100];
	for (size_t i = 0; i < PL_COUNT(tails); i++) {
		size_t n = strlen(tails[i]);
		memcpy(bytes, members, FIRST_MEMBER);
		memcpy(bytes + FIRST_MEMBER, tails[i], n);
		CHECK(code_of(bytes, FIRST_MEMBER + n, &text_mode) == PL_E_PROFILE_PARSE_FAILED);
	}
	memcpy(bytes, members, FIRST_MEMBER);
	bytes[FIRST_MEMBER] = 0;
	CHECK(code_of(bytes, FIRST_MEMBER + 1, &text_mode) == PL_E_PROFILE_PARSE_FAILED);
}

static size_t gzip(const void *p, size_t n, unsigned char *dst, size_t room)
{
	z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)p, .avail_in = (uInt)n};
	z.next_out = dst;
	z.avail_out = (uInt)room;
	deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}

/* A packed input of many blocks is the same lines; what it unpacks to is bounded. */
TEST(gzip_of_many_blocks)
{
	enum { N = 5 << 20 };
	char *text = long_text(N);
	unsigned char *packed = malloc(N + 100000);
	size_t n = gzip(text, N, packed, N + 100000);
	struct file f = file_of(packed, n);
	check_against(f.path, text, N, false);
	read_most = 1000;
	check_against(f.path, text, N, true);
	read_most = SIZE_MAX;
	close(f.fd);
	memset(text, 'a', N);
	n = gzip(text, N, packed, N + 100000);
	CHECK(n < 10000);
	struct pl_in_options options = {.max_line = 100, .digest = true, .max_bytes = N};
	CHECK(code_of(packed, n, &options) == PL_E_NONE);
	options.max_bytes--;
	CHECK(code_of(packed, n, &options) == PL_E_RESOURCE_LIMIT_EXCEEDED);
	free(packed);
	free(text);
}

/* ---- refusals ---- */

TEST(foreign_formats)
{
	static const struct {
		struct pl_str start;
		const char *says;
	} formats[] = {
		{{"\xff\xfe"
		  "a\0;\0b\0 \0"
		  "1\0\n\0",
		  14},
		 "UTF-16"},
		{{"\xfe\xff\0a\0;\0b\0 \0001\0\n", 14}, "UTF-16"},
		{{"\xff\xfe\0\0a\0\0\0 \0\0\0", 12}, "UTF-32"},
		{{"\0\0\xfe\xff\0\0\0a\0\0\0 ", 12}, "UTF-32"},
		{{"PERFILE2\x68\0\0\0", 12}, "perf.data"},
		{{"2ELIFREP\0\0\0\x68", 12}, "perf.data"},
		{{"\x28\xb5\x2f\xfd\x04\x58", 6}, "zstd"},
		{{"\xfd"
		  "7zXZ\0\0\4",
		  8},
		 "xz"},
		{{"BZh91AY&SY\0\0", 12}, "bzip2"},
		{{"BZh11AY&SY\0\0", 12}, "bzip2"},
	};
	for (size_t i = 0; i < PL_COUNT(formats); i++) {
		struct file f = file_of(formats[i].start.p, formats[i].start.n);
		struct pl_in in;
		CHECK(open_one(&in, f.path, &text_mode) == 0);
		CHECK(pl_in_next(&in) == -1);
		CHECK(in.err.code == PL_E_UNSUPPORTED_FORMAT);
		if (!CHECK(strstr(in.err.message, formats[i].says) != NULL))
			printf("#   %s\n", in.err.message);
		CHECK(in.err.action[0] != '\0');
		pl_in_close(&in);
		close(f.fd);
		/* a reader of binary formats decides by itself */
		CHECK(code_of(formats[i].start.p, formats[i].start.n, &raw_mode) == PL_E_NONE);
	}
	CHECK(code_of("BZh9;main 4\n", 12, &text_mode) == PL_E_NONE);
	CHECK(code_of("PERFILE 2\n", 10, &text_mode) == PL_E_NONE);
	CHECK(code_of("\x1f", 1, &text_mode) == PL_E_NONE);
}

TEST(input_limit_counts_all_inputs)
{
	struct file a = FILE_OF("12345\n"), b = FILE_OF("1234\n");
	const char *paths[] = {a.path, b.path};
	struct pl_in_options options = {.max_line = 100, .max_bytes = 11};
	struct pl_in in;
	CHECK(pl_in_open(&in, paths, 2, &options) == 0);
	CHECK(pl_in_next(&in) == 1 && drain(&in) == PL_IN_END);
	CHECK(pl_in_next(&in) == 1 && drain(&in) == PL_IN_END);
	pl_in_close(&in);
	options.max_bytes = 10;
	CHECK(pl_in_open(&in, paths, 2, &options) == 0);
	CHECK(pl_in_next(&in) == 1 && drain(&in) == PL_IN_END);
	CHECK(pl_in_next(&in) == -1);
	CHECK(in.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	CHECK_STR(in.err.file, strlen(in.err.file), b.path);
	CHECK(strstr(in.err.action, "max-input-bytes") != NULL);
	CHECK(pl_in_next(&in) == -1); /* it stays an error */
	pl_in_close(&in);
	close(a.fd);
	close(b.fd);
}

static void cannot_open(const char *path)
{
	struct pl_in in;
	CHECK(open_one(&in, path, &text_mode) == -1);
	CHECK(in.err.code == PL_E_INVALID_INPUT);
	CHECK_STR(in.err.file, strlen(in.err.file), path);
	pl_in_close(&in);
}

TEST(what_cannot_be_opened)
{
	cannot_open("/nonexistent/file");
	cannot_open("/");
	cannot_open("");
}

/* root may read everything, so this is done as somebody else */
TEST(unreadable_file)
{
	char path[] = "/tmp/perflens-in-XXXXXX";
	int fd = mkstemp(path);
	fchmod(fd, 0);
	pid_t child = fork();
	if (child == 0) {
		struct pl_in in;
		if (geteuid() == 0 && seteuid(65534))
			_exit(3);
		int got = open_one(&in, path, &text_mode);
		_exit(got == -1 && in.err.code == PL_E_INVALID_INPUT ? 0 : 1);
	}
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status));
	CHECK_U64((uint64_t)WEXITSTATUS(status), 0);
	unlink(path);
	close(fd);
}

TEST(read_error)
{
	struct file f = FILE_OF("a 1\nb 2\n");
	struct pl_in in;
	read_most = 4;
	for (int after = 0; after < 3; after++) {
		CHECK(open_one(&in, f.path, &text_mode) == 0);
		read_fails_after = after;
		CHECK(pl_in_next(&in) == -1 || drain(&in) == PL_IN_ERROR);
		CHECK(in.err.code == PL_E_INVALID_INPUT);
		CHECK_STR(in.err.file, strlen(in.err.file), f.path);
		pl_in_close(&in);
	}
	read_fails_after = -1;
	read_most = SIZE_MAX;
	close(f.fd);
}

/* ---- identity ---- */

enum change { NOTHING, APPEND, OVERWRITE, CUT };

static enum pl_code code_after(enum change change)
{
	char *text = long_text(3 << 20);
	struct file f = file_of(text, 3 << 20);
	struct pl_in in;
	struct pl_str line;
	CHECK(open_one(&in, f.path, &text_mode) == 0);
	CHECK(pl_in_next(&in) == 1);
	CHECK(pl_in_line(&in, &line) == PL_IN_LINE);
	if (change == APPEND || change == OVERWRITE)
		CHECK(pwrite(f.fd, "x", 1, change == APPEND ? 3 << 20 : 2 << 20) == 1);
	if (change == CUT)
		CHECK(ftruncate(f.fd, 2 << 20) == 0);
	enum pl_code code = drain(&in) == PL_IN_ERROR ? in.err.code : PL_E_NONE;
	if (code) {
		CHECK_STR(in.err.message, strlen(in.err.message), "changed while it was read");
		CHECK_STR(in.err.file, strlen(in.err.file), f.path);
	}
	pl_in_close(&in);
	close(f.fd);
	free(text);
	return code;
}

TEST(a_file_that_changes)
{
	CHECK(code_after(NOTHING) == PL_E_NONE);
	CHECK(code_after(APPEND) == PL_E_PATH_SAFETY_VIOLATION);
	CHECK(code_after(OVERWRITE) == PL_E_PATH_SAFETY_VIOLATION);
	CHECK(code_after(CUT) == PL_E_PATH_SAFETY_VIOLATION);
}

TEST(an_open_file)
{
	struct file f = FILE_OF("a\r\nb"), changed = FILE_OF("a\n");
	struct pl_in in;
	struct stat st;
	fstat(f.fd, &st);
	CHECK(pl_in_open_fd(&in, dup(f.fd), "src/a.c", &text_mode) == 0);
	CHECK_STR(pl_in_name(&in, 0), strlen(pl_in_name(&in, 0)), "src/a.c");
	CHECK(pl_in_find(&in, &st) == 0);
	lseek(f.fd, 0, SEEK_SET);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "a");
	line_is(&in, 2, 3, "b");
	/* printf 'a\r\nb' | sha256sum */
	ends(&in, 4, 2, "18745f36a05e29072709042d6062ce54f1b08ff36c27ba80c39f81fb010c8ce2");
	CHECK(pl_in_next(&in) == 0);
	pl_in_close(&in);
	/* it is watched as one that was opened here */
	lseek(changed.fd, 0, SEEK_SET);
	CHECK(pl_in_open_fd(&in, dup(changed.fd), "src/b.c", &text_mode) == 0);
	CHECK(ftruncate(changed.fd, 1) == 0);
	CHECK(pl_in_next(&in) == 1);
	CHECK(drain(&in) == PL_IN_ERROR);
	CHECK(in.err.code == PL_E_PATH_SAFETY_VIOLATION);
	CHECK_STR(in.err.file, strlen(in.err.file), "src/b.c");
	pl_in_close(&in);
	close(f.fd);
	close(changed.fd);
}

TEST(find_by_identity)
{
	struct file a = FILE_OF("a"), b = FILE_OF("b"), other = FILE_OF("c");
	struct pl_in in;
	struct stat st;
	const char *paths[] = {a.path, "/dev/null", b.path};
	CHECK(pl_in_open(&in, paths, 3, &text_mode) == 0);
	CHECK_U64(pl_in_total(&in), 0); /* a device has no size */
	fstat(b.fd, &st);
	CHECK(pl_in_find(&in, &st) == 2);
	fstat(a.fd, &st);
	CHECK(pl_in_find(&in, &st) == 0);
	fstat(other.fd, &st);
	CHECK(pl_in_find(&in, &st) == -1);
	stat("/dev/null", &st);
	CHECK(pl_in_find(&in, &st) == -1);
	pl_in_close(&in);
	close(a.fd);
	close(b.fd);
	close(other.fd);
}

TEST(a_pipe)
{
	int ends_of[2];
	char path[40];
	struct pl_in in;
	CHECK(pipe(ends_of) == 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", ends_of[0]);
	CHECK(write(ends_of[1], "alpha 1\nbeta 2\n", 15) == 15);
	CHECK(open_one(&in, path, &text_mode) == 0);
	close(ends_of[0]);
	close(ends_of[1]);
	CHECK(pl_in_next(&in) == 1);
	line_is(&in, 1, 0, "alpha 1");
	line_is(&in, 2, 8, "beta 2");
	ends(&in, 15, 2, "669ac839f1f45f3c9715a1f97fa63316870a1c4a9847d3218933811ef93f93ae");
	pl_in_close(&in);
}

int main(void)
{
	RUN(text_lines);
	RUN(raw_lines_keep_cr_and_bom);
	RUN(bom_is_dropped_and_noted);
	RUN(empty_input);
	RUN(line_limit);
	RUN(line_limit_across_blocks);
	RUN(many_blocks);
	RUN(every_byte_by_itself);
	RUN(without_digest);
	RUN(the_end_is_asked_for_once);
	RUN(inputs_follow_each_other);
	RUN(an_input_may_be_left);
	RUN(standard_input_once);
	RUN(more_inputs_than_descriptors);
	RUN(gzip_members_by_content);
	RUN(gzip_cut_anywhere);
	RUN(gzip_damaged_anywhere);
	RUN(gzip_followed_by_something_else);
	RUN(gzip_of_many_blocks);
	RUN(foreign_formats);
	RUN(input_limit_counts_all_inputs);
	RUN(what_cannot_be_opened);
	RUN(unreadable_file);
	RUN(read_error);
	RUN(a_file_that_changes);
	RUN(an_open_file);
	RUN(find_by_identity);
	RUN(a_pipe);
	return unit_done();
}
