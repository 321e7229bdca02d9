/* perfdata: header, attributes, features and records, at every length that they can be cut to */
#include "perf_kit.h"

enum { HEADER = 104 };

/* struct perf_file_header, its 256 bits of features being those in `features`. */
static void put_header(struct pl_buf *b, uint64_t data_offset, uint64_t data_size,
		       uint64_t features)
{
	pl_buf_adds(b, PL_S("PERFILE2"));
	put_u64(b, HEADER); /* size */
	put_u64(b, 128);    /* attr_size */
	put_u64(b, HEADER); /* attrs */
	put_u64(b, 128);
	put_u64(b, data_offset);
	put_u64(b, data_size);
	put_u64(b, 0); /* event types */
	put_u64(b, 0);
	put_u64(b, features);
	for (int i = 0; i < 3; i++)
		put_u64(b, 0);
}

/* Of a whole file, of which only the start is looked at. */
static int read_header(struct pl_perf_header *h, struct pl_bytes file, struct pl_err *err)
{
	size_t n = file.n < PL_PERF_HEADER_MAX ? file.n : PL_PERF_HEADER_MAX;
	unsigned char *start = exact(file, n);
	int failed = pl_perf_header_read(h, (struct pl_bytes){start, n}, file.n, err);

	free(start);
	return failed;
}

TEST(a_header_says_where_things_are)
{
	struct pl_perf_header h;
	struct pl_buf b = {0};
	struct pl_err err = {0};

	put_header(&b, 104, 8, 0);
	put_u64(&b, 0);
	CHECK(read_header(&h, view(&b), &err) == 0);
	CHECK(!h.pipe && h.finished);
	CHECK_U64(h.attr_size, 128);
	CHECK_U64(h.attrs.offset, 104);
	CHECK_U64(h.attrs.size, 128);
	CHECK_U64(h.data.offset, 104);
	CHECK_U64(h.data.size, 8);
	pl_buf_free(&b);
}

TEST(without_a_size_the_data_go_to_the_end)
{
	uint64_t at;
	struct pl_perf_header h;
	struct pl_buf b = {0};
	struct pl_err err = {0};

	put_header(&b, 104, 0, 1 << PL_PERF_HOSTNAME);
	put_text(&b, "", 24);
	CHECK(read_header(&h, view(&b), &err) == 0);
	CHECK(!h.finished);
	CHECK_U64(h.data.size, 24);
	CHECK(!pl_perf_feature_at(&h, PL_PERF_HOSTNAME, &at));
	pl_buf_free(&b);
}

TEST(a_header_cut_anywhere_is_refused)
{
	struct pl_perf_header h;
	struct pl_buf b = {0};

	put_header(&b, 104, 0, 0);
	for (size_t n = 0; n < HEADER; n++) {
		struct pl_err err = {0};
		unsigned char *p = exact(view(&b), n);
		CHECK(read_header(&h, (struct pl_bytes){p, n}, &err) == -1);
		CHECK(err.message[0] != '\0');
		CHECK_U64(err.code, n == 0  ? PL_E_NO_SAMPLES
				    : n < 8 ? PL_E_UNSUPPORTED_FORMAT
					    : PL_E_PROFILE_PARSE_FAILED);
		free(p);
	}
	pl_buf_free(&b);
}

TEST(what_is_no_recording_of_ours_is_told_apart)
{
	static const struct {
		const char *start, *said;
	} all[] = {{"2ELIFREP........", "other byte order"},
		   {"PERFFILE........", "before 2010"},
		   {"perf  1 [000] 1: cycles", "does not begin with PERFILE2"}};
	struct pl_perf_header h;

	for (size_t i = 0; i < PL_COUNT(all); i++) {
		struct pl_err err = {0};
		struct pl_bytes file = {(const unsigned char *)all[i].start, strlen(all[i].start)};
		CHECK(read_header(&h, file, &err) == -1);
		CHECK_U64(err.code, PL_E_UNSUPPORTED_FORMAT);
		CHECK(strstr(err.message, all[i].said) != NULL);
	}
}

TEST(a_pipe_header_is_sixteen_bytes)
{
	uint64_t at;
	struct pl_perf_header h;
	struct pl_buf b = {0};
	struct pl_err err = {0};

	pl_buf_adds(&b, PL_S("PERFILE2"));
	put_u64(&b, 16);
	CHECK(read_header(&h, view(&b), &err) == 0);
	CHECK(h.pipe && h.finished);
	CHECK_U64(h.data.offset, 16);
	CHECK_U64(h.data.size, 0);
	CHECK(!pl_perf_feature_at(&h, PL_PERF_HOSTNAME, &at));
	pl_buf_free(&b);
}

TEST(data_that_begin_behind_the_file_are_refused)
{
	struct pl_perf_header h;
	struct pl_buf b = {0};
	struct pl_err err = {0};

	put_header(&b, 105, 0, 0);
	CHECK(read_header(&h, view(&b), &err) == -1);
	pl_buf_free(&b);
}

TEST(a_section_is_sixteen_bytes)
{
	struct pl_buf b = {0};

	put_u64(&b, 3);
	put_u64(&b, UINT64_MAX);
	struct pl_perf_section s = pl_perf_section_read(view(&b));
	CHECK_U64(s.offset, 3);
	CHECK_U64(s.size, UINT64_MAX);
	s = pl_perf_section_read((struct pl_bytes){(const unsigned char *)b.p, 15});
	CHECK_U64(s.offset, 0);
	CHECK_U64(s.size, 0);
	pl_buf_free(&b);
}

/* Three features: their table stands behind the data, in the order of their bits. */
TEST(features_are_found_by_their_place_among_the_bits)
{
	uint64_t at, bits = 1 << PL_PERF_HOSTNAME | 1 << PL_PERF_ARCH | 1 << PL_PERF_NRCPUS;
	struct pl_perf_header h;
	struct pl_buf b = {0};
	struct pl_err err = {0};

	put_header(&b, 104, 8, bits);
	put_u64(&b, 0); /* the data */
	CHECK(read_header(&h, view(&b), &err) == 0);
	CHECK(pl_perf_feature_at(&h, PL_PERF_HOSTNAME, &at));
	CHECK_U64(at, 112);
	CHECK(pl_perf_feature_at(&h, PL_PERF_ARCH, &at));
	CHECK_U64(at, 128);
	CHECK(pl_perf_feature_at(&h, PL_PERF_NRCPUS, &at));
	CHECK_U64(at, 144);
	h.data.size = UINT64_MAX - 104 - 31;
	CHECK(pl_perf_feature_at(&h, PL_PERF_ARCH, &at));
	CHECK_U64(at, UINT64_MAX - 15);
	CHECK(!pl_perf_feature_at(&h, PL_PERF_CMDLINE, &at));
	h.data.size = UINT64_MAX - 50;
	CHECK(!pl_perf_feature_at(&h, PL_PERF_HOSTNAME, &at));
	pl_buf_free(&b);
}

/* ---- attributes: offsets are those of perf_event_open(2) ---- */

static void put_at(struct pl_buf *b, size_t at, uint64_t v, size_t n)
{
	memcpy(b->p + at, &v, n);
}

/* An attribute of `size` bytes, each member having a value of its own. */
static void put_attr(struct pl_buf *b, uint32_t size)
{
	put_text(b, "", 256);
	memset(b->p, 0xee, 256);
	put_at(b, 0, 2, 4);
	put_at(b, 4, size, 4);
	put_at(b, 8, 1001, 8);
	put_at(b, 16, 1002, 8);
	put_at(b, 24, 1003, 8);
	put_at(b, 32, 1004, 8);
	put_at(b, 40, 1 << 10 | 1 << 18, 8);
	put_at(b, 72, 1005, 8);
	put_at(b, 80, 1006, 8);
	put_at(b, 88, 1007, 4);
	put_at(b, 96, 1008, 8);
	put_at(b, 108, 109, 2);
}

TEST(attributes_of_every_size)
{
	static const uint32_t sizes[] = {0, 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200, 256};

	for (size_t i = 0; i < PL_COUNT(sizes); i++) {
		uint32_t size = sizes[i] ? sizes[i] : 64; /* the first kind did not say its size */
		struct pl_perf_attr attr;
		struct pl_buf b = {0};
		put_attr(&b, sizes[i]);
		unsigned char *p = exact(view(&b), size);
		CHECK(pl_perf_attr_read(&attr, (struct pl_bytes){p, size}) == 0);
		CHECK_U64(attr.type, 2);
		CHECK_U64(attr.config, 1001);
		CHECK_U64(attr.sample_period, 1002);
		CHECK_U64(attr.sample_type, 1003);
		CHECK_U64(attr.read_format, 1004);
		CHECK(pl_perf_attr_flag(&attr, PL_PERF_FREQ));
		CHECK(pl_perf_attr_flag(&attr, PL_PERF_SAMPLE_ID_ALL));
		CHECK(!pl_perf_attr_flag(&attr, 11));
		CHECK_U64(attr.branch_sample_type, size >= 80 ? 1005 : 0);
		CHECK_U64(attr.sample_regs_user, size >= 96 ? 1006 : 0);
		CHECK_U64(attr.sample_stack_user, size >= 96 ? 1007 : 0);
		CHECK_U64(attr.sample_regs_intr, size >= 104 ? 1008 : 0);
		CHECK_U64(attr.sample_max_stack, size >= 112 ? 109 : 0);
		free(p);
		pl_buf_free(&b);
	}
}

TEST(an_attribute_that_is_cut_is_none)
{
	static const uint32_t sizes[] = {1, 63, 65, 128, UINT32_MAX};
	struct pl_perf_attr attr;
	struct pl_buf b = {0};

	put_attr(&b, 64);
	for (size_t n = 0; n < 64; n++) {
		unsigned char *p = exact(view(&b), n);
		CHECK(pl_perf_attr_read(&attr, (struct pl_bytes){p, n}) == -1);
		free(p);
	}
	for (size_t i = 0; i < PL_COUNT(sizes); i++) {
		put_at(&b, 4, sizes[i], 4);
		CHECK(pl_perf_attr_read(&attr, (struct pl_bytes){view(&b).p, 64}) == -1);
	}
	pl_buf_free(&b);
}

TEST(names_that_perf_gives_to_numbers)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *name;
	} all[] = {{0, 0, "cycles"},	 {0, 1, "instructions"},
		   {0, 9, "ref-cycles"}, {0, 10, NULL},
		   {1, 0, "cpu-clock"},	 {1, 2, "page-faults"},
		   {1, 9, "dummy"},	 {1, 11, "cgroup-switches"},
		   {1, 12, NULL},	 {1, UINT64_MAX, NULL},
		   {2, 0, NULL},	 {4, 0x3c, NULL}};

	for (size_t i = 0; i < PL_COUNT(all); i++) {
		struct pl_str name = pl_perf_attr_name(
			&(struct pl_perf_attr){.type = all[i].type, .config = all[i].config});
		if (all[i].name)
			CHECK_STR(name.p, name.n, all[i].name);
		else
			CHECK(name.p == NULL);
	}
}

/* ---- records ---- */

TEST(a_record_is_whole_or_none)
{
	struct pl_perf_record record;
	struct pl_buf b = {0};
	size_t at = begin_record(&b, 9, 2);

	put_u64(&b, 7);
	end_record(&b, at);
	CHECK_U64(pl_perf_record_read(&record, view(&b)), 16);
	CHECK_U64(record.type, 9);
	CHECK_U64(record.misc, 2);
	CHECK_U64(record.body.n, 8);
	for (size_t n = 0; n < 16; n++) {
		unsigned char *p = exact(view(&b), n);
		CHECK_U64(pl_perf_record_read(&record, (struct pl_bytes){p, n}), 0);
		free(p);
	}
	for (uint16_t size = 0; size < 20; size++) {
		memcpy(b.p + 6, &size, 2);
		CHECK_U64(pl_perf_record_read(&record, view(&b)),
			  size >= 8 && size <= 16 ? size : 0);
	}
	pl_buf_free(&b);
}

/* The body of MMAP up to its file name, and of MMAP2 with `identity` in the place of device and
 * inode. */
static void put_mmap(struct pl_buf *b, const char *identity)
{
	put_u32(b, 41);
	put_u32(b, 42);
	put_u64(b, 0x1000);
	put_u64(b, 0x2000);
	put_u64(b, 0x3000);
	if (identity) {
		pl_buf_add(b, identity, 24);
		put_u32(b, 5); /* PROT_READ | PROT_EXEC */
		put_u32(b, 2);
	}
}

TEST(mmap_without_and_with_data)
{
	struct pl_buf b = {0};
	struct pl_perf_mmap m;

	put_mmap(&b, NULL);
	size_t fixed = b.n;
	pl_buf_add(&b, "/bin/x\0\0", 8);
	struct pl_perf_record record = {.type = PERF_RECORD_MMAP, .body = view(&b)};
	CHECK(pl_perf_mmap_read(&m, &record) == 0);
	CHECK_U64(m.pid, 41);
	CHECK_U64(m.tid, 42);
	CHECK_U64(m.start, 0x1000);
	CHECK_U64(m.length, 0x2000);
	CHECK_U64(m.pgoff, 0x3000);
	CHECK_U64(m.prot, 4);
	CHECK_STR(m.file.p, m.file.n, "/bin/x");
	record.misc = PERF_RECORD_MISC_MMAP_DATA;
	CHECK(pl_perf_mmap_read(&m, &record) == 0);
	CHECK_U64(m.prot, 1);
	for (size_t n = 0; n < fixed; n++) {
		record.body.n = n;
		CHECK(pl_perf_mmap_read(&m, &record) == -1);
	}
	record.body.n = fixed;
	CHECK(pl_perf_mmap_read(&m, &record) == 0 && m.file.n == 0);
	pl_buf_free(&b);
}

TEST(mmap2_says_which_file_it_is)
{
	static const char device[25] = "\x08\0\0\0\x01\0\0\0\x55\0\0\0\0\0\0\0\x66\0\0\0\0\0\0\0";
	struct pl_buf b = {0};
	struct pl_perf_mmap m;

	put_mmap(&b, device);
	size_t fixed = b.n;
	pl_buf_add(&b, "/bin/x\0\0", 8);
	struct pl_perf_record record = {.type = PERF_RECORD_MMAP2, .body = view(&b)};
	CHECK(pl_perf_mmap_read(&m, &record) == 0);
	CHECK_U64(m.device, (uint64_t)8 << 32 | 1);
	CHECK_U64(m.inode, 0x55);
	CHECK_U64(m.generation, 0x66);
	CHECK_U64(m.prot, 5);
	CHECK_U64(m.build_id.n, 0);
	CHECK_STR(m.file.p, m.file.n, "/bin/x");
	for (size_t n = 0; n < fixed; n++) {
		record.body.n = n;
		CHECK(pl_perf_mmap_read(&m, &record) == -1);
	}
	pl_buf_free(&b);
}

TEST(mmap2_with_a_build_id_of_any_length)
{
	static const struct {
		unsigned char said;
		size_t n;
	} all[] = {{0, 0}, {8, 8}, {16, 16}, {20, 20}, {21, 20}, {255, 20}};

	for (size_t i = 0; i < PL_COUNT(all); i++) {
		char identity[24] = {(char)all[i].said, 1, 2, 3, 'a', 'b', 'c'};
		struct pl_buf b = {0};
		struct pl_perf_mmap m;
		put_mmap(&b, identity);
		struct pl_perf_record record = {.type = PERF_RECORD_MMAP2,
						.misc = PERF_RECORD_MISC_MMAP_BUILD_ID,
						.body = view(&b)};
		CHECK(pl_perf_mmap_read(&m, &record) == 0);
		CHECK_U64(m.build_id.n, all[i].n);
		CHECK(m.build_id.p[0] == 'a' && m.build_id.p[2] == 'c');
		CHECK(m.device == 0 && m.inode == 0 && m.generation == 0);
		CHECK_U64(m.prot, 5);
		pl_buf_free(&b);
	}
}

TEST(build_ids_say_their_length_since_5_10)
{
	enum { HAS_SIZE = 1 << 15 };
	struct pl_perf_build_id id;
	struct pl_buf b = {0};

	put_u32(&b, (uint32_t)-1);
	put_text(&b, "01234567890123456789", 20);
	put_u32(&b, 8); /* the length, and filling */
	put_text(&b, "/bin/x", 8);
	CHECK(pl_perf_build_id_read(&id, HAS_SIZE | PERF_RECORD_MISC_USER, view(&b)) == 0);
	CHECK(id.pid == -1);
	CHECK_STR((const char *)id.id.p, id.id.n, "01234567");
	CHECK_STR(id.file.p, id.file.n, "/bin/x");
	CHECK(pl_perf_build_id_read(&id, PERF_RECORD_MISC_USER, view(&b)) == 0);
	CHECK_STR((const char *)id.id.p, id.id.n, "01234567890123456789");
	b.p[24] = (char)200;
	CHECK(pl_perf_build_id_read(&id, HAS_SIZE, view(&b)) == 0);
	CHECK_U64(id.id.n, 20);
	for (size_t n = 0; n < 28; n++)
		CHECK(pl_perf_build_id_read(&id, 0, (struct pl_bytes){view(&b).p, n}) == -1);
	pl_buf_free(&b);
}

/* PATH_MAX counts the NUL. */
TEST(paths_longer_than_any_are_none)
{
	struct pl_perf_build_id id;
	struct pl_perf_mmap m;

	for (size_t n = 4094; n < 4098; n++) {
		struct pl_buf b = {0}, ids = {0};
		put_mmap(&b, NULL);
		put_text(&ids, "", 28);
		for (size_t i = 0; i < n; i++) {
			pl_buf_addc(&b, 'x');
			pl_buf_addc(&ids, 'x');
		}
		struct pl_perf_record record = {.type = PERF_RECORD_MMAP, .body = view(&b)};
		CHECK(pl_perf_mmap_read(&m, &record) == (n < 4096 ? 0 : -1));
		CHECK(pl_perf_build_id_read(&id, 0, view(&ids)) == (n < 4096 ? 0 : -1));
		pl_buf_free(&b);
		pl_buf_free(&ids);
	}
}

TEST(strings_of_features)
{
	struct pl_buf b = {0};

	put_u32(&b, 8);
	put_text(&b, "x86_64", 8);
	put_u32(&b, 3);
	pl_buf_adds(&b, PL_S("vmx"));
	put_u32(&b, 9);
	pl_buf_adds(&b, PL_S("cut"));
	struct pl_reader r = pl_reader(view(&b));
	struct pl_str s = pl_perf_string(&r);
	CHECK_STR(s.p, s.n, "x86_64");
	s = pl_perf_string(&r);
	CHECK_STR(s.p, s.n, "vmx");
	CHECK(!r.bad);
	CHECK_U64(pl_perf_string(&r).n, 0);
	CHECK(r.bad);
	pl_buf_free(&b);
}

TEST(a_reader_of_nothing_has_nothing)
{
	struct pl_reader r = pl_reader((struct pl_bytes){NULL, 0});

	CHECK_U64(pl_left(&r), 0);
	CHECK_U64(pl_take_bytes(&r, 0).n, 0);
	CHECK(!r.bad);
	CHECK_U64(pl_take_u32(&r), 0);
	CHECK(r.bad);
}

int main(void)
{
	RUN(a_header_says_where_things_are);
	RUN(without_a_size_the_data_go_to_the_end);
	RUN(a_header_cut_anywhere_is_refused);
	RUN(what_is_no_recording_of_ours_is_told_apart);
	RUN(a_pipe_header_is_sixteen_bytes);
	RUN(data_that_begin_behind_the_file_are_refused);
	RUN(a_section_is_sixteen_bytes);
	RUN(features_are_found_by_their_place_among_the_bits);
	RUN(attributes_of_every_size);
	RUN(an_attribute_that_is_cut_is_none);
	RUN(names_that_perf_gives_to_numbers);
	RUN(a_record_is_whole_or_none);
	RUN(mmap_without_and_with_data);
	RUN(mmap2_says_which_file_it_is);
	RUN(mmap2_with_a_build_id_of_any_length);
	RUN(build_ids_say_their_length_since_5_10);
	RUN(paths_longer_than_any_are_none);
	RUN(strings_of_features);
	RUN(a_reader_of_nothing_has_nothing);
	return unit_done();
}
