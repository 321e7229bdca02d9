/* Stored ZIPs: what is written byte by byte, and what is refused when one field is another. */
#include "unit.h"
#include "zip.h"

/* Two entries, a and bc. Where their parts begin: */
enum { LOCAL_A = 0, LOCAL_B = 33, CENTRAL_A = 68, CENTRAL_B = 115, END = 163, SIZE = 185 };

/* By hand, after APPNOTE.TXT; the CRCs are those that gzip(1) puts behind the same bytes. */
/* clang-format off */
static const unsigned char expected[SIZE] = {
	'P', 'K', 3, 4, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0xac, 0x2a, 0x93, 0xd8, 2, 0, 0, 0,
	2, 0, 0, 0, 1, 0, 0, 0, 'a', 'h', 'i',
	'P', 'K', 3, 4, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0x67, 0xba, 0x8e, 0xeb, 3, 0, 0, 0,
	3, 0, 0, 0, 2, 0, 0, 0, 'b', 'c', 'x', 'y', 'z',
	'P', 'K', 1, 2, 10, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0xac, 0x2a, 0x93, 0xd8, 2, 0, 0, 0,
	2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'a',
	'P', 'K', 1, 2, 10, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0x67, 0xba, 0x8e, 0xeb, 3, 0, 0, 0,
	3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 'b', 'c',
	'P', 'K', 5, 6, 0, 0, 0, 0, 2, 0, 2, 0, 95, 0, 0, 0, 68, 0, 0, 0, 0, 0};
/* clang-format on */

static const struct pl_str whole = {(const char *)expected, SIZE};

TEST(every_byte_that_is_written)
{
	struct pl_buf out = {0};
	struct pl_zip_writer w = {.out = &out};

	CHECK(pl_zip_add(&w, "a", PL_S("hi")) == 0);
	CHECK(pl_zip_add(&w, "bc", PL_S("xyz")) == 0);
	CHECK(pl_zip_end(&w) == 0);
	CHECK_U64(out.n, SIZE);
	for (size_t i = 0; i < out.n && i < SIZE && unit_ok; i++)
		if (!CHECK((unsigned char)out.p[i] == expected[i]))
			printf("#   byte %zu\n", i);
	pl_buf_free(&out);
}

TEST(what_does_not_fit_32_bits_is_not_written)
{
	/* never read: the size alone is too much */
	struct pl_buf out = {0};
	struct pl_zip_writer w = {.out = &out};

	out.n = UINT32_MAX - 32; /* as if so much had been written */
	CHECK(pl_zip_add(&w, "a", PL_S("hi")) == -1);
	CHECK(w.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED);
	CHECK_U64(out.n, UINT32_MAX - 32);
	out.n = UINT32_MAX;
	CHECK(pl_zip_end(&w) == -1);
}

TEST(entries_are_read)
{
	struct pl_zip zip;
	struct pl_err err;

	CHECK(pl_zip_read(&zip, whole, &err) == 0);
	CHECK_U64(zip.n, 2);
	CHECK_STR(zip.entries[0].name.p, zip.entries[0].name.n, "a");
	CHECK_STR(zip.entries[0].data.p, zip.entries[0].data.n, "hi");
	CHECK_STR(zip.entries[1].name.p, zip.entries[1].name.n, "bc");
	CHECK_STR(zip.entries[1].data.p, zip.entries[1].data.n, "xyz");
	CHECK_U64(zip.entries[1].crc, 0xeb8eba67);
	CHECK_U64(zip.entries[1].date, PL_ZIP_DATE);
	CHECK_U64(zip.entries[1].version, 10);
	CHECK_U64(pl_zip_crc(PL_S("xyz")), 0xeb8eba67);
	/* a ZIP of nothing is one */
	CHECK(pl_zip_read(&zip, PL_S("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), &err) == 0);
	CHECK_U64(zip.n, 0);
}

/* ---- what is refused ---- */

/* A number of so many bytes at a place; 0 bytes: no change. */
struct change {
	size_t at;
	unsigned bytes;
	uint32_t value;
};

static void refuse(struct pl_str bytes, enum pl_code code, const char *message)
{
	struct pl_zip zip;
	struct pl_err err = {0};

	if (!CHECK(pl_zip_read(&zip, bytes, &err) == -1) || !CHECK(err.code == code) ||
	    !CHECK(strcmp(err.message, message) == 0))
		printf("#   want %s, got %s\n", message, err.message);
}

static void refuse_changed(const struct change *changes, size_t n, enum pl_code code,
			   const char *message)
{
	char bytes[SIZE];

	memcpy(bytes, expected, SIZE);
	for (size_t c = 0; c < n; c++)
		for (unsigned i = 0; i < changes[c].bytes; i++)
			bytes[changes[c].at + i] = (char)(changes[c].value >> 8 * i);
	refuse((struct pl_str){bytes, SIZE}, code, message);
}

/* Local and central header say the same, so that it is the thing itself that is found. */
TEST(what_is_not_supported_is_refused)
{
	static const struct {
		struct change changes[2];
		const char *message;
	} cases[] = {
		{{{LOCAL_B + 6, 2, 1}, {CENTRAL_B + 8, 2, 1}},
		 "entry 2 bc: encryption is not supported"},
		{{{LOCAL_B + 6, 2, 0x40}, {CENTRAL_B + 8, 2, 0x40}},
		 "entry 2 bc: encryption is not supported"},
		{{{LOCAL_B + 6, 2, 0x2000}, {CENTRAL_B + 8, 2, 0x2000}},
		 "entry 2 bc: encryption is not supported"},
		{{{LOCAL_A + 6, 2, 8}, {CENTRAL_A + 8, 2, 8}},
		 "entry 1 a: data descriptors are not supported"},
		{{{LOCAL_A + 6, 2, 0x20}, {CENTRAL_A + 8, 2, 0x20}},
		 "entry 1 a: it has flags that are not supported"},
		{{{LOCAL_A + 8, 2, 8}, {CENTRAL_A + 10, 2, 8}},
		 "entry 1 a: compression is not supported"},
		{{{LOCAL_A + 4, 2, 45}, {CENTRAL_A + 6, 2, 45}},
		 "entry 1 a: a newer version of the format is needed"},
		{{{LOCAL_B + 18, 4, UINT32_MAX}, {CENTRAL_B + 20, 4, UINT32_MAX}},
		 "entry 2 bc: ZIP64 is not supported"},
		{{{LOCAL_B + 22, 4, UINT32_MAX}, {CENTRAL_B + 24, 4, UINT32_MAX}},
		 "entry 2 bc: ZIP64 is not supported"},
		{{{CENTRAL_B + 42, 4, UINT32_MAX}}, "entry 2 bc: ZIP64 is not supported"},
		{{{LOCAL_A + 28, 2, 4}, {CENTRAL_A + 30, 2, 4}},
		 "entry 1 a: extra fields are not supported"},
		{{{CENTRAL_A + 32, 2, 4}}, "entry 1 a: comments are not supported"},
		{{{CENTRAL_A + 34, 2, 1}}, "entry 1 a: a ZIP on several disks is not supported"},
		{{{END + 4, 2, 1}}, "a ZIP on several disks is not supported"},
		{{{END + 6, 2, 1}}, "a ZIP on several disks is not supported"},
		{{{END + 8, 2, 1}}, "a ZIP on several disks is not supported"},
		{{{END + 10, 2, UINT16_MAX}}, "ZIP64 is not supported"},
		{{{END + 12, 4, UINT32_MAX}}, "ZIP64 is not supported"},
		{{{END + 16, 4, UINT32_MAX}}, "ZIP64 is not supported"},
		{{{END - 20, 4, 0x07064b50}}, "ZIP64 is not supported"},
		{{{END + 20, 2, 1}}, "a ZIP with a comment is not supported"},
		{{{END, 4, 0}, {0, 4, 0}}, "this is no ZIP"},
	};

	for (size_t i = 0; i < PL_COUNT(cases); i++)
		refuse_changed(cases[i].changes, 2, PL_E_UNSUPPORTED_FORMAT, cases[i].message);
}

TEST(what_does_not_hold_together_is_refused)
{
	static const struct {
		struct change changes[4];
		const char *message;
	} cases[] = {
		/* a size that is not the other one, not the local one, or not that of the file */
		{{{CENTRAL_A + 24, 4, 3}},
		 "entry 1 a: its two sizes differ, and it is not compressed"},
		{{{CENTRAL_A + 20, 4, 1}, {CENTRAL_A + 24, 4, 1}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{CENTRAL_B + 20, 4, 0xfffffffe}, {CENTRAL_B + 24, 4, 0xfffffffe}},
		 "entry 2 bc: it is longer than the file"},
		{{{CENTRAL_B + 20, 4, SIZE}, {CENTRAL_B + 24, 4, SIZE}},
		 "entry 2 bc: it is longer than the file"},
		/* the first holds the second, or both are the same bytes */
		{{{LOCAL_A + 18, 4, 37},
		  {LOCAL_A + 22, 4, 37},
		  {CENTRAL_A + 20, 4, 37},
		  {CENTRAL_A + 24, 4, 37}},
		 "entry 2 bc: it does not begin where the one before it ends"},
		{{{CENTRAL_B + 42, 4, 0}},
		 "entry 2 bc: it does not begin where the one before it ends"},
		/* a gap before the second, and before the first */
		{{{CENTRAL_A + 42, 4, 1}},
		 "entry 1 a: it does not begin where the one before it ends"},
		{{{LOCAL_A + 18, 4, 1},
		  {LOCAL_A + 22, 4, 1},
		  {CENTRAL_A + 20, 4, 1},
		  {CENTRAL_A + 24, 4, 1}},
		 "entry 2 bc: it does not begin where the one before it ends"},
		/* and behind the second; and the second reaches into the directory */
		{{{LOCAL_B + 18, 4, 2},
		  {LOCAL_B + 22, 4, 2},
		  {CENTRAL_B + 20, 4, 2},
		  {CENTRAL_B + 24, 4, 2}},
		 "there is something between the entries and the central directory"},
		{{{LOCAL_B + 18, 4, 9},
		  {LOCAL_B + 22, 4, 9},
		  {CENTRAL_B + 20, 4, 9},
		  {CENTRAL_B + 24, 4, 9}},
		 "there is something between the entries and the central directory"},
		/* what local and central headers share, one by one */
		{{{LOCAL_A + 4, 2, 20}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 6, 2, 8}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 8, 2, 8}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 12, 2, 0}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 14, 4, 0}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 26, 2, 2}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 28, 2, 2}},
		 "entry 1 a: its local header and the central directory differ"},
		{{{LOCAL_A + 30, 1, 'b'}},
		 "entry 1 a: its local header and the central directory differ"},
		/* the directory */
		{{{LOCAL_A, 4, 0}}, "entry 1 a: there is no local header at its place"},
		{{{CENTRAL_A, 4, 0}}, "entry 1: the central directory does not hold it"},
		{{{CENTRAL_B + 28, 2, 3}}, "entry 2: the central directory does not hold it"},
		{{{END + 8, 2, 3}, {END + 10, 2, 3}},
		 "entry 3: the central directory does not hold it"},
		{{{END + 8, 2, 1}, {END + 10, 2, 1}},
		 "there is something between the entries and the central directory"},
		{{{END + 16, 4, 67}},
		 "the central directory does not end where the end record begins"},
		{{{END + 12, 4, 0xfffffffe}},
		 "the central directory does not end where the end record begins"},
		{{{END, 4, 0}}, "the ZIP was cut off, or something follows its end"},
	};

	for (size_t i = 0; i < PL_COUNT(cases); i++)
		refuse_changed(cases[i].changes, 4, PL_E_PROFILE_PARSE_FAILED, cases[i].message);
}

TEST(an_entry_that_the_directory_leaves_out_is_found)
{
	/* one entry, whose directory says that there is none */
	refuse_changed((const struct change[]){{END + 8, 4, 0}}, 1, PL_E_PROFILE_PARSE_FAILED,
		       "there is something between the entries and the central directory");
	/* and at the end of the directory: a second end record within it */
	char bytes[31 + 2 + 47 + 48 + 22];
	memcpy(bytes, expected, 33);
	memcpy(bytes + 33, expected + CENTRAL_A, 95);
	memcpy(bytes + 128, expected + END, 22);
	bytes[128 + 8] = bytes[128 + 10] = 1;
	bytes[128 + 16] = 33;
	refuse((struct pl_str){bytes, sizeof bytes}, PL_E_PROFILE_PARSE_FAILED,
	       "the central directory holds more than its entries");
}

TEST(every_cut_and_whatever_follows_is_refused)
{
	char more[SIZE + 1] = {0};
	struct pl_zip zip;
	struct pl_err err;

	for (size_t n = 0; n < SIZE; n++) {
		/* in memory of its own, so that a sanitizer sees what is read behind it */
		struct pl_buf cut = {0};
		pl_buf_add(&cut, expected, n);
		if (!CHECK(pl_zip_read(&zip, pl_buf_str(&cut), &err) == -1))
			printf("#   cut to %zu\n", n);
		pl_buf_free(&cut);
	}
	memcpy(more, expected, SIZE);
	refuse((struct pl_str){more, SIZE + 1}, PL_E_PROFILE_PARSE_FAILED,
	       "the ZIP was cut off, or something follows its end");
	memcpy(more + 1, expected, SIZE);
	more[0] = 'P';
	CHECK(pl_zip_read(&zip, (struct pl_str){more, SIZE + 1}, &err) == -1);
}

TEST(more_entries_than_are_read)
{
	struct pl_buf out = {0};
	struct pl_zip_writer w = {.out = &out};
	struct pl_zip zip;
	struct pl_err err;

	for (int i = 0; i < PL_ZIP_ENTRIES; i++)
		CHECK(pl_zip_add(&w, "x", PL_S("")) == 0);
	size_t n = out.n;
	CHECK(pl_zip_end(&w) == 0);
	CHECK(pl_zip_read(&zip, pl_buf_str(&out), &err) == 0);
	CHECK_U64(zip.n, PL_ZIP_ENTRIES);
	pl_buf_clear(&out);
	w = (struct pl_zip_writer){.out = &out};
	for (int i = 0; i <= PL_ZIP_ENTRIES; i++)
		CHECK(pl_zip_add(&w, "x", PL_S("")) == 0);
	CHECK(out.n > n && pl_zip_end(&w) == 0);
	refuse(pl_buf_str(&out), PL_E_RESOURCE_LIMIT_EXCEEDED, "more than 64 entries");
	pl_buf_free(&out);
}

/* A name in a message can do nothing to a terminal. */
TEST(names_in_messages_are_shown)
{
	refuse_changed((const struct change[]){{CENTRAL_A + 46, 1, 0x1b}, {CENTRAL_A + 10, 2, 8}},
		       2, PL_E_UNSUPPORTED_FORMAT, "entry 1 \\x1b: compression is not supported");
}

int main(void)
{
	RUN(every_byte_that_is_written);
	RUN(what_does_not_fit_32_bits_is_not_written);
	RUN(entries_are_read);
	RUN(what_is_not_supported_is_refused);
	RUN(what_does_not_hold_together_is_refused);
	RUN(an_entry_that_the_directory_leaves_out_is_found);
	RUN(every_cut_and_whatever_follows_is_refused);
	RUN(more_entries_than_are_read);
	RUN(names_in_messages_are_shown);
	return unit_done();
}
