/* binary: a file that is replaced between its symbols and its lines; this program itself, and a
 * copy of it that says it is another build */
#include "../../filters/symbolize/binary.h"
#include "folder_kit.h"

static struct pl_elf_build_id own_id;

/* This program as "new"; with another build ID in its notes, where that is asked for. */
static void write_copy(bool other)
{
	struct pl_elf *self;
	struct pl_err err;
	struct pl_buf copy = {0};

	CHECK(pl_elf_open(&self, "/proc/self/exe", 0, &err) == PL_ELF_OK);
	pl_elf_build_id(self, &own_id);
	pl_buf_adds(&copy, pl_elf_bytes(self));
	const struct pl_elf_section *note = pl_elf_section(self, ".note.gnu.build-id", SHT_NOTE);
	if (CHECK(note != NULL) && other)
		copy.p[note->offset + note->size - 1] ^= 1;
	folder_write("new", copy.p, copy.n);
	pl_buf_free(&copy);
	pl_elf_close(self);
}

/* Opens it as "file", puts "new" in its place, and asks for its lines. */
static void check_replaced(bool other, bool by_id, const char *reason)
{
	struct binary_search search = {.trust_path = true};
	struct binary b;
	char path[256];

	write_copy(false);
	CHECK(rename("new", "file") == 0);
	snprintf(path, sizeof path, "%s/file", folder_path);
	search.path = path;
	search.dso = pl_str(path);
	if (by_id)
		search.build_id = pl_str(own_id.hex);
	binary_open(&b, &search);
	CHECK(b.elf && !b.reason);
	write_copy(other);
	CHECK(rename("new", "file") == 0);
	struct dwarf_file *dwarf = binary_dwarf(&b, &search);
	CHECK((dwarf == NULL) == (reason != NULL));
	CHECK_STR(b.reason ? b.reason : "", strlen(b.reason ? b.reason : ""), reason ? reason : "");
	binary_close(&b);
}

TEST(lines_of_another_build_are_not_taken)
{
	check_replaced(true, true, "BUILD_ID_MISMATCH");
	check_replaced(true, false, "BUILD_ID_MISMATCH");
}

TEST(lines_of_the_same_build_are_taken)
{
	check_replaced(false, true, NULL);
	check_replaced(false, false, NULL);
}

int main(void)
{
	if (!folder_start())
		return 2;
	RUN(lines_of_another_build_are_not_taken);
	RUN(lines_of_the_same_build_are_taken);
	folder_end();
	return unit_done();
}
