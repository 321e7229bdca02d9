/* module: what a mapping is of, and whose build ID is believed */
#include "../../filters/data-parse/module.h"
#include "parse_kit.h"

static struct modules ms;
static uint64_t replaced;

static void start(void)
{
	kit_start();
	replaced = 0;
	modules_start(&ms, &replaced);
}

static void end(void)
{
	modules_free(&ms);
	kit_end();
}

static struct pl_perf_mmap mmap_of(const char *file, uint64_t inode)
{
	return (struct pl_perf_mmap){.pid = 41,
				     .start = 0x7000,
				     .length = 0x1000,
				     .prot = 4,
				     .device = inode ? 8 : 0,
				     .inode = inode,
				     .file = pl_str(file)};
}

static uint32_t module_of(const char *file, uint64_t inode, bool kernel)
{
	struct pl_perf_mmap m = mmap_of(file, inode);

	return modules_of_mmap(&ms, &m, kernel);
}

static void table_says(const char *file, const char *id, size_t n)
{
	struct pl_perf_build_id b = {.id = {(const unsigned char *)id, n}, .file = pl_str(file)};

	modules_add_build_id(&ms, &b);
}

static void check(uint32_t module, enum module_kind kind, const char *dso, const char *build_id)
{
	const struct module *m = &ms.v[module];

	CHECK_U64(m->kind, kind);
	CHECK_STR(m->dso.p, m->dso.n, dso);
	CHECK((m->build_id.p != NULL) == (build_id != NULL));
	if (build_id)
		CHECK_STR(m->build_id.p, m->build_id.n, build_id);
}

TEST(kinds_by_name)
{
	static const struct {
		const char *file;
		enum module_kind kind;
		const char *dso;
	} all[] = {
		{"/usr/bin/app", MODULE_USER, "/usr/bin/app"},
		{"/usr/bin/app (deleted)", MODULE_DELETED, "/usr/bin/app (deleted)"},
		{"[vdso]", MODULE_VDSO, "[vdso]"},
		{"//anon", MODULE_JIT, "/tmp/perf-41.map"},
		{"", MODULE_JIT, "/tmp/perf-41.map"},
		{"[heap]", MODULE_JIT, "/tmp/perf-41.map"},
		{"[stack]", MODULE_JIT, "/tmp/perf-41.map"},
		{"/dev/zero (deleted)", MODULE_JIT, "/tmp/perf-41.map"},
		{"/SYSV00000000 (deleted)", MODULE_JIT, "/tmp/perf-41.map"},
		{"/memfd:jit (deleted)", MODULE_JIT, "/memfd:jit (deleted)"},
		{"[vsyscall]", MODULE_USER, "[vsyscall]"},
	};

	start();
	for (size_t i = 0; i < PL_COUNT(all); i++)
		check(module_of(all[i].file, 0, false), all[i].kind, all[i].dso, NULL);
	check(module_of("[ext4]", 0, true), MODULE_KMOD, "[ext4]", NULL);
	CHECK_U64(ms.v[module_of("[ext4]", 0, true)].base, 0x7000);
	end();
}

TEST(one_file_is_one_module_and_another_inode_another)
{
	start();
	uint32_t a = module_of("/a", 1, false);
	CHECK_U64(module_of("/a", 1, false), a);
	CHECK_U64(ms.n, 1);
	CHECK(module_of("/a", 2, false) != a);
	CHECK(module_of("/b", 1, false) != a);
	CHECK_U64(ms.n, 3);
	end();
}

TEST(build_ids_from_the_table)
{
	start();
	table_says("/a", "\x01\x23\xab\xff", 4);
	table_says("/zero", "\0\0\0\0", 4);
	check(module_of("/a", 1, false), MODULE_USER, "/a", "0123abff");
	check(module_of("/zero", 1, false), MODULE_USER, "/zero", NULL);
	check(module_of("/b", 1, false), MODULE_USER, "/b", NULL);
	end();
}

TEST(two_ids_of_one_path_are_none)
{
	start();
	table_says("/a", "\x01", 1);
	table_says("/a", "\x01", 1);
	check(module_of("/a", 1, false), MODULE_USER, "/a", "01");
	table_says("/a", "\x02", 1);
	check(module_of("/a", 2, false), MODULE_USER, "/a", NULL);
	table_says("/a", "\x01", 1);
	check(module_of("/a", 3, false), MODULE_USER, "/a", NULL);
	end();
}

/* The table was made at the end: a path that was rebuilt in between has one entry for two files. */
TEST(two_files_of_one_path_get_no_id_from_the_table)
{
	struct pl_perf_mmap first = mmap_of("/a", 1), second = mmap_of("/a", 2);

	start();
	table_says("/a", "\x01", 1);
	CHECK(modules_note_mmap(&ms, &first));
	CHECK(modules_note_mmap(&ms, &first));
	CHECK(!modules_note_mmap(&ms, &second));
	CHECK(modules_note_mmap(&ms, &first)); /* said once */
	check(modules_of_mmap(&ms, &first, false), MODULE_USER, "/a", NULL);
	check(modules_of_mmap(&ms, &second, false), MODULE_USER, "/a", NULL);
	/* an inode that was given to another file */
	struct pl_perf_mmap one = mmap_of("/b", 7), other = one, unknown = one;
	one.generation = 1;
	other.generation = 2;
	CHECK(modules_note_mmap(&ms, &unknown));
	CHECK(modules_note_mmap(&ms, &one));
	CHECK(modules_note_mmap(&ms, &unknown));
	CHECK(!modules_note_mmap(&ms, &other));
	/* the mapping's own is believed all the same */
	second.build_id = (struct pl_bytes){(const unsigned char *)"\x05\x06", 2};
	check(modules_of_mmap(&ms, &second, false), MODULE_USER, "/a", "0506");
	end();
}

TEST(a_mapping_without_inode_says_nothing_about_files)
{
	struct pl_perf_mmap none = mmap_of("[vdso]", 0), one = mmap_of("[vdso]", 1);

	start();
	CHECK(modules_note_mmap(&ms, &none));
	CHECK(modules_note_mmap(&ms, &one));
	CHECK(modules_note_mmap(&ms, &none));
	end();
}

TEST(the_kernel_has_its_id_from_its_mapping_or_the_table)
{
	struct pl_perf_mmap m = {.pgoff = 0xff00,
				 .build_id = {(const unsigned char *)"\x98\x76", 2},
				 .file = PL_S("[kernel.kallsyms]_text")};

	start();
	check(modules_kernel(&ms, NULL), MODULE_KERNEL, "[kernel.kallsyms]", NULL);
	uint32_t k = modules_kernel(&ms, &m);
	check(k, MODULE_KERNEL, "[kernel.kallsyms]", "9876");
	CHECK_U64(ms.v[k].base, 0xff00);
	table_says("[kernel.kallsyms]", "\x99", 1);
	check(modules_kernel(&ms, &m), MODULE_KERNEL, "[kernel.kallsyms]", "9876");
	m.build_id.n = 0;
	check(modules_kernel(&ms, &m), MODULE_KERNEL, "[kernel.kallsyms]", "99");
	end();
}

TEST(records_are_written_once_when_asked_for)
{
	start();
	module_of("/unused", 1, false);
	table_says("/a", "\xab", 1);
	uint32_t a = module_of("/a", 1, false), k = module_of("[ext4]", 0, true);
	uint32_t unknown = modules_named(&ms, PL_S("[unknown]"), MODULE_UNKNOWN, 0, false);
	CHECK_U64(modules_id(&ms, k, &kit_parser), 0);
	kit_wrote("{\"type\":\"module\",\"id\":0,\"dso\":\"[ext4]\",\"kind\":\"kernel\","
		  "\"base\":\"0x7000\"}\n");
	CHECK_U64(modules_id(&ms, a, &kit_parser), 1);
	kit_wrote("{\"type\":\"module\",\"id\":1,\"dso\":\"/a\",\"build_id\":\"ab\","
		  "\"kind\":\"user\"}\n");
	CHECK_U64(modules_id(&ms, unknown, &kit_parser), 2);
	kit_wrote("{\"type\":\"module\",\"id\":2,\"dso\":\"[unknown]\"}\n");
	CHECK_U64(modules_id(&ms, k, &kit_parser), 0);
	kit_wrote("");
	CHECK_U64(kit_parser.modules, 3);
	end();
}

TEST(names_that_are_no_utf8)
{
	start();
	check(module_of("/a\xff", 1, false), MODULE_USER, "/a\xef\xbf\xbd", NULL);
	CHECK_U64(replaced, 1);
	end();
}

int main(void)
{
	RUN(kinds_by_name);
	RUN(one_file_is_one_module_and_another_inode_another);
	RUN(build_ids_from_the_table);
	RUN(two_ids_of_one_path_are_none);
	RUN(two_files_of_one_path_get_no_id_from_the_table);
	RUN(a_mapping_without_inode_says_nothing_about_files);
	RUN(the_kernel_has_its_id_from_its_mapping_or_the_table);
	RUN(records_are_written_once_when_asked_for);
	RUN(names_that_are_no_utf8);
	return unit_done();
}
