/* debugfile: where it is looked for, and what is believed */
#include "debugfile.h"
#include "elf_kit.h"
#include "folder_kit.h"
#include "mem.h"

static struct pl_debugfiles found;

/* Writes an ELF file with that build id (no more than 4 bytes; "" for none), and a section. */
static void put_elf(const char *path, const char *id, const char *section)
{
	static const uint32_t head[] = {4, 4, NT_GNU_BUILD_ID};
	struct pl_buf note = {0};
	struct image e;

	image_start(&e, ET_DYN, EM_X86_64);
	pl_buf_add(&note, head, sizeof head);
	pl_buf_add(&note, "GNU", 4);
	pl_buf_add(&note, id, strlen(id));
	if (id[0])
		e.sections[image_section(&e, ".note", SHT_NOTE, SHF_ALLOC, 0, note.p, note.n)]
			.sh_addralign = 4;
	image_section(&e, section, SHT_PROGBITS, 0, 0, "x", 1);
	image_finish(&e);
	folder_write(path, e.bytes.p, e.bytes.n);
	image_free(&e);
	pl_buf_free(&note);
}

static uint32_t crc_of(const char *path)
{
	struct pl_elf *elf;
	struct pl_err err;

	CHECK(pl_elf_open(&elf, path, 0, &err) == PL_ELF_OK);
	uint32_t crc = pl_debugfile_crc(pl_elf_bytes(elf));
	pl_elf_close(elf);
	return crc;
}

/* What was found: "PATH REASON" of each, paths in the folder without it, blanks between. */
static void check_found(const char *want)
{
	struct pl_buf got = {0};
	size_t n = strlen(folder_path);

	for (size_t i = 0; i < found.n; i++) {
		const struct pl_debugfile *f = &found.v[i];
		const char *reason = pl_debugfile_reason_name(f->reason);
		bool inside = strncmp(f->path, folder_path, n) == 0;
		pl_buf_printf(&got, "%s%s:%s:%s", i ? " " : "", inside ? f->path + n : f->path,
			      f->by_link ? "link" : "id", reason ? reason : "ok");
	}
	CHECK_STR(got.p ? got.p : "", got.n, want);
	CHECK(!found.elf == !found.accepted);
	pl_buf_free(&got);
	pl_debugfiles_free(&found);
}

/* A search for what belongs to /…/bin/app, with one root. */
static void look(const char *id, const char *link, uint32_t crc, bool all, bool absent,
		 uint64_t max_bytes, const char *sysroot)
{
	char path[128], root[128];
	const char *const roots[] = {root};
	struct pl_debugfile_search search = {.path = path,
					     .roots = roots,
					     .roots_n = 1,
					     .sysroot = sysroot,
					     .max_bytes = max_bytes,
					     .list_absent = absent,
					     .all = all};
	struct pl_elf_info info = {.link_crc = crc};

	snprintf(path, sizeof path, "%s/bin/app", folder_path);
	snprintf(root, sizeof root, "%s/root", folder_path);
	snprintf(info.build_id.hex, sizeof info.build_id.hex, "%s", id);
	snprintf(info.link, sizeof info.link, "%s", link);
	pl_debugfile_find(&found, &info, &search);
}

static void find(const char *id, const char *link, uint32_t crc)
{
	look(id, link, crc, true, false, 0, NULL);
}

TEST(crc)
{
	/* the check value of CRC-32 (ISO-HDLC) */
	CHECK_U64(pl_debugfile_crc(PL_S("123456789")), 0xcbf43926);
}

TEST(every_place_in_its_order)
{
	char want[2048];
	const char *p = folder_path;

	look("11223344", "x", 0, true, true, 0, NULL);
	snprintf(want, sizeof want,
		 "/root/.build-id/11/223344.debug:id:ABSENT "
		 "/usr/lib/debug/.build-id/11/223344.debug:id:ABSENT "
		 "/bin/x:link:ABSENT /bin/.debug/x:link:ABSENT "
		 "/root%s/bin/x:link:ABSENT /usr/lib/debug%s/bin/x:link:ABSENT "
		 "/root%s/bin/app.debug:link:ABSENT /usr/lib/debug%s/bin/app.debug:link:ABSENT",
		 p, p, p, p);
	check_found(want);
	look("", "", 0, true, true, 0, NULL);
	snprintf(want, sizeof want,
		 "/root%s/bin/app.debug:id:ABSENT /usr/lib/debug%s/bin/app.debug:id:ABSENT", p, p);
	check_found(want);
	look("11", "", 0, true, true, 0, NULL); /* too short for a folder and a name */
	check_found(want);
}

TEST(a_place_is_looked_at_once)
{
	char want[512];

	look("", "app.debug", 0, true, true, 0, NULL);
	snprintf(want, sizeof want,
		 "/bin/app.debug:link:ABSENT /bin/.debug/app.debug:link:ABSENT "
		 "/root%s/bin/app.debug:link:ABSENT /usr/lib/debug%s/bin/app.debug:link:ABSENT",
		 folder_path, folder_path);
	check_found(want);
}

TEST(in_a_sysroot)
{
	look("11223344", "x", 0, true, true, 0, folder_path);
	check_found("/root/.build-id/11/223344.debug:id:ABSENT "
		    "/usr/lib/debug/.build-id/11/223344.debug:id:ABSENT "
		    "/bin/x:link:ABSENT /bin/.debug/x:link:ABSENT "
		    "/root/bin/x:link:ABSENT /usr/lib/debug/bin/x:link:ABSENT "
		    "/root/bin/app.debug:link:ABSENT /usr/lib/debug/bin/app.debug:link:ABSENT");
}

TEST(build_ids_decide)
{
	put_elf("root/.build-id/31/323334.debug", "1234", ".debug_info");
	put_elf("bin/.debug/x", "1234", ".debug_info");
	put_elf("bin/x", "4321", ".debug_info");
	/* the CRC does not matter then */
	find("31323334", "x", crc_of("bin/x"));
	check_found("/root/.build-id/31/323334.debug:id:ok /bin/x:link:BUILD_ID_MISMATCH "
		    "/bin/.debug/x:link:ok");
	look("31323334", "x", 0, false, false, 0, NULL);
	CHECK(found.accepted == &found.v[0] && found.elf);
	check_found("/root/.build-id/31/323334.debug:id:ok");
	put_elf("root/.build-id/31/323334.debug", "4321", ".debug_info");
	put_elf("bin/.debug/x", "1243", ".debug_info");
	find("31323334", "x", 0);
	check_found("/root/.build-id/31/323334.debug:id:BUILD_ID_MISMATCH "
		    "/bin/x:link:BUILD_ID_MISMATCH /bin/.debug/x:link:BUILD_ID_MISMATCH");
}

TEST(without_a_build_id_the_crc_decides)
{
	put_elf("root/.build-id/31/323334.debug", "", ".debug_info");
	put_elf("bin/x", "", ".debug_info");
	put_elf("bin/.debug/x", "1234", ".debug_info");
	uint32_t crc = crc_of("bin/x");
	find("31323334", "x", crc);
	check_found("/root/.build-id/31/323334.debug:id:BUILD_ID_ABSENT /bin/x:link:ok "
		    "/bin/.debug/x:link:ok");
	find("31323334", "x", crc + 1);
	check_found("/root/.build-id/31/323334.debug:id:BUILD_ID_ABSENT "
		    "/bin/x:link:CRC_MISMATCH /bin/.debug/x:link:ok");
	find("", "x", crc_of("bin/.debug/x"));
	check_found("/bin/x:link:CRC_MISMATCH /bin/.debug/x:link:ok");
}

TEST(what_is_no_debug_file)
{
	char target[128];

	put_elf("root/.build-id/31/323334.debug", "1234", ".text");
	folder_write("bin/x", "no ELF", 6);
	unlink("bin/.debug/x");
	snprintf(target, sizeof target, "%s/bin", folder_path);
	CHECK(symlink(target, "bin/.debug/x") == 0);
	find("31323334", "x", 0);
	check_found("/root/.build-id/31/323334.debug:id:NO_DEBUG_INFO /bin/x:link:NOT_ELF "
		    "/bin/.debug/x:link:NOT_REGULAR");
	look("31323334", "x", 0, true, false, 5, NULL);
	check_found("/root/.build-id/31/323334.debug:id:TOO_LARGE /bin/x:link:TOO_LARGE "
		    "/bin/.debug/x:link:NOT_REGULAR");
	unlink("bin/.debug/x");
	CHECK(symlink("x", "bin/.debug/x") == 0);
	find("31323334", "x", 0);
	check_found("/root/.build-id/31/323334.debug:id:NO_DEBUG_INFO /bin/x:link:NOT_ELF "
		    "/bin/.debug/x:link:UNREADABLE");
}

TEST(a_link_that_is_no_name)
{
	struct pl_elf_info info = {.link_refused = true};
	struct pl_debugfile_search search = {.path = NULL};

	pl_debugfile_find(&found, &info, &search);
	check_found(":link:BAD_NAME");
}

TEST(a_file_whose_place_is_not_known)
{
	struct pl_elf_info info = {.build_id = {"31323334"}, .link = "x"};
	struct pl_debugfile_search search = {.list_absent = true};

	pl_debugfile_find(&found, &info, &search);
	check_found("/usr/lib/debug/.build-id/31/323334.debug:id:ABSENT");
	search.path = "relative/app";
	pl_debugfile_find(&found, &info, &search);
	check_found("/usr/lib/debug/.build-id/31/323334.debug:id:ABSENT");
}

TEST(the_file_that_dwz_made)
{
	char path[128], root[128];
	const char *const roots[] = {root};
	struct pl_elf_info info = {.build_id = {"99"}, .alt_build_id = {"31323334"}};
	struct pl_debugfile_search search = {
		.roots = roots, .roots_n = 1, .all = true, .list_absent = true};

	snprintf(path, sizeof path, "%s/bin/app", folder_path);
	snprintf(root, sizeof root, "%s/root", folder_path);
	pl_debugfile_find_alt(&found, &info, path, &search);
	check_found("");
	put_elf("dwz/common", "1234", ".debug_info");
	put_elf("root/.build-id/31/323334.debug", "1243", ".debug_info");
	snprintf(info.alt_link, sizeof info.alt_link, "../dwz/common");
	pl_debugfile_find_alt(&found, &info, path, &search);
	CHECK(found.n == 3 && found.v[0].alt);
	check_found("/bin/../dwz/common:id:ok /root/.build-id/31/323334.debug:id:BUILD_ID_MISMATCH "
		    "/usr/lib/debug/.build-id/31/323334.debug:id:ABSENT");
	search.all = false;
	search.sysroot = folder_path;
	snprintf(info.alt_link, sizeof info.alt_link, "/dwz/common");
	pl_debugfile_find_alt(&found, &info, NULL, &search);
	check_found("/dwz/common:id:ok");
}

int main(void)
{
	if (!folder_start())
		return 1;
	RUN(crc);
	RUN(every_place_in_its_order);
	RUN(a_place_is_looked_at_once);
	RUN(in_a_sysroot);
	RUN(build_ids_decide);
	RUN(without_a_build_id_the_crc_decides);
	RUN(what_is_no_debug_file);
	RUN(a_link_that_is_no_name);
	RUN(a_file_whose_place_is_not_known);
	RUN(the_file_that_dwz_made);
	folder_end();
	return unit_done();
}
