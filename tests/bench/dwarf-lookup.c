/*
 * dwarf-lookup FILE <ADDRESSES: prints what debug information says of each address, as
 * llvm-symbolizer --inlines --no-demangle --functions=linkage does: function and file:line:column
 * of each frame, innermost first, and an empty line. What is lacking goes to stderr at the end.
 *
 * For tests and for the bench; it confines nothing.
 */
#include "../../filters/symbolize/dwarf.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static void print(const struct dwarf_answer *answer)
{
	for (size_t i = answer->n; i-- > 0;) {
		const struct dwarf_frame *f = &answer->frames[i];
		struct pl_str name = f->name.n ? f->name : PL_S("??");
		struct pl_str file = f->file.n ? f->file : PL_S("??");
		printf("%.*s\n%.*s:%" PRIu64 ":%" PRIu64 "\n", (int)name.n, name.p, (int)file.n,
		       file.p, f->line, f->column);
	}
	if (answer->n == 0)
		puts("??\n??:0:0");
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const char *const roots[] = {"/usr/lib/debug"};
	const struct dwarf_files_options options = {
		.path = argv[1], .debug_roots = roots, .debug_roots_n = 1};
	struct dwarf_answer answer;
	struct dwarf_file *file;
	struct pl_err err;
	uint64_t address;
	int fd;

	if (argc != 2 || (fd = open(argv[1], O_RDONLY)) < 0) {
		fprintf(stderr, "usage: dwarf-lookup FILE <ADDRESSES\n");
		return 2;
	}
	if (dwarf_file_open(&file, fd, &options, &err)) {
		fprintf(stderr, "dwarf-lookup: %s\n", err.message);
		return 3;
	}
	close(fd);
	while (scanf("%" SCNx64, &address) == 1) {
		dwarf_file_lookup(file, address, DWARF_LINES | DWARF_INLINES, &answer);
		print(&answer);
	}
	if (dwarf_file_lacks(file)[0])
		fprintf(stderr, "%s\n", dwarf_file_lacks(file));
	dwarf_file_close(file);
	return 0;
}
