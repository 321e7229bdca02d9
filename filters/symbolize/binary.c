/* binary: finds the file that ran, or says why it cannot be had */
#include "binary.h"
#include "debugfile.h"
#include "fd.h"
#include "regular.h"
#include "vdso.h"

#include <stdlib.h>
#include <unistd.h>

static const char *reason_of(enum pl_elf_status status)
{
	switch (status) {
	case PL_ELF_OK:
		return NULL;
	case PL_ELF_ABSENT:
		return "FILE_MISSING";
	case PL_ELF_UNREADABLE:
		return "FILE_UNREADABLE";
	case PL_ELF_NOT_REGULAR:
		return "FILE_NOT_REGULAR";
	case PL_ELF_TOO_LARGE:
		return "FILE_TOO_LARGE";
	case PL_ELF_NOT_ELF:
		break;
	}
	return "NOT_ELF";
}

/* Is it the file that was recorded? NULL, or why not. */
static const char *check(const struct pl_elf *elf, const struct binary_search *search)
{
	struct pl_elf_build_id id;

	if (!search->build_id.p)
		return search->trust_path ? NULL : "BUILD_ID_UNKNOWN";
	pl_elf_build_id(elf, &id);
	return pl_str_is(search->build_id, id.hex) ? NULL : "BUILD_ID_MISMATCH";
}

/* Keeps the file that was opened when it is the right one. */
static const char *take(struct binary *b, struct pl_elf *elf, const struct binary_search *search,
			const char *path)
{
	const char *reason = check(elf, search);

	if (reason) {
		pl_elf_close(elf);
		return reason;
	}
	b->elf = elf;
	b->path = pl_strdup(path);
	return NULL;
}

static const char *try_open(struct binary *b, const struct binary_search *search)
{
	struct pl_elf *elf;
	struct pl_err err;
	const char *reason = reason_of(pl_elf_open_fd(&elf, search->fd, 0, &err));

	return reason ? reason : take(b, elf, search, search->path);
}

/* Opens a file and keeps it when it is the right one. */
static const char *try(struct binary *b, const char *path, const struct binary_search *search)
{
	struct pl_elf *elf;
	struct pl_err err;
	const char *reason = reason_of(pl_elf_open(&elf, path, 0, &err));

	return reason ? reason : take(b, elf, search, path);
}

/* perf keeps a copy of each file that it recorded, by build ID (perf-buildid-cache(1)); so does it
 * with the vdso. */
static void cached_path(const struct binary_search *search, const char *name, struct pl_buf *path)
{
	struct pl_str id = search->build_id;

	pl_buf_clear(path);
	pl_buf_printf(path, "%s/.build-id/%.2s/%.*s/%s", search->cache, id.p, (int)id.n - 2,
		      id.p + 2, name);
}

static void try_cache(struct binary *b, const struct binary_search *search)
{
	static const char *const names[] = {"elf", "vdso"};
	struct pl_buf path = {0};

	for (size_t i = 0;
	     i < PL_COUNT(names) && !b->elf && search->cache && search->build_id.n > 2; i++) {
		cached_path(search, names[i], &path);
		try(b, path.p, search);
	}
	pl_buf_free(&path);
}

/* A file of debuginfod's client: FOLDER/BUILDID/debuginfo. */
static void fetched_path(const struct binary_search *search, const char *what, struct pl_buf *path)
{
	pl_buf_clear(path);
	pl_buf_printf(path, "%s/%.*s/%s", search->fetched, (int)search->build_id.n,
		      search->build_id.p, what);
}

static void try_fetched(struct binary *b, const struct binary_search *search)
{
	struct pl_buf path = {0};

	if (!search->fetched || !search->build_id.n)
		return;
	fetched_path(search, "executable", &path);
	try(b, path.p, search);
	pl_buf_free(&path);
}

static const char *try_vdso(struct binary *b, const struct binary_search *search)
{
	struct pl_elf *elf = pl_vdso_open();
	const char *reason = elf ? check(elf, search) : "NO_FILE";

	if (reason)
		pl_elf_close(elf);
	else
		b->elf = elf;
	return reason;
}

/* Does it say where the code was in the file that ran? A debug file of eu-strip has that file's
 * program headers, one of objcopy has moved them, and has no bytes in those of code. */
static bool has_offsets(const struct pl_elf *elf)
{
	size_t n;
	const GElf_Phdr *h = pl_elf_segments(elf, &n);

	for (size_t i = 0; i < n; i++)
		if (h[i].p_type == PT_LOAD && h[i].p_flags & PF_X && h[i].p_filesz == 0)
			return false;
	return n > 0;
}

/* A debug file, by the build ID alone, in the place of a program that is gone. */
static void try_debug_alone(struct binary *b, const struct binary_search *search)
{
	struct pl_debugfiles found = {0};
	struct pl_elf_info info = {0};

	/* another text could lead out of the folders */
	if (!pl_elf_build_id_read(&info.build_id, search->build_id))
		return;
	pl_debugfile_find(&found, &info,
			  &(struct pl_debugfile_search){.roots = search->debug_roots,
							.roots_n = search->debug_roots_n,
							.sysroot = search->sysroot});
	if (found.elf && !check(found.elf, search) && has_offsets(found.elf)) {
		b->elf = found.elf;
		b->path = pl_strdup(found.accepted->path);
		found.elf = NULL;
	}
	pl_debugfiles_free(&found);
}

static void find(struct binary *b, const struct binary_search *search)
{
	if (search->fd) {
		b->reason = try_open(b, search);
		return;
	}
	if (pl_str_is(search->dso, "[vdso]"))
		b->reason = try_vdso(b, search);
	else if (search->dso.n == 0 || search->dso.p[0] != '/')
		b->reason = "NO_FILE";
	else
		b->reason = try(b, search->path, search);
	if (!b->elf)
		try_cache(b, search);
	if (!b->elf)
		try_fetched(b, search);
	if (!b->elf)
		try_debug_alone(b, search);
	if (b->elf)
		b->reason = NULL;
}

static void open_fetched_debug(struct binary *b, const struct binary_search *search)
{
	struct pl_buf path = {0};
	struct pl_elf *elf;
	struct pl_err err;

	fetched_path(search, "debuginfo", &path);
	pl_elf_open(&elf, path.p, 0, &err);
	if (elf && !check(elf, search)) {
		b->debug = elf;
		b->debug_path = pl_strdup(path.p);
	} else {
		pl_elf_close(elf);
	}
	pl_buf_free(&path);
}

/* The file may be stripped: what belongs to it may not. */
static void find_debug(struct binary *b, const struct binary_search *search)
{
	struct pl_debugfiles found = {0};
	struct pl_elf_info info;

	pl_elf_inspect(b->elf, &info);
	pl_debugfile_find(&found, &info,
			  &(struct pl_debugfile_search){.path = b->path,
							.roots = search->debug_roots,
							.roots_n = search->debug_roots_n,
							.sysroot = search->sysroot});
	b->debug = found.elf;
	if (found.elf)
		b->debug_path = pl_strdup(found.accepted->path);
	found.elf = NULL;
	pl_debugfiles_free(&found);
	if (!b->debug && search->fetched && search->build_id.n)
		open_fetched_debug(b, search);
}

/* A copy of the file that was made before it was stripped serves as its debug file. */
static bool try_unstripped(struct binary *b, const char *path, const struct binary_search *search)
{
	struct pl_elf_info info;
	struct pl_elf *elf;
	struct pl_err err;

	pl_elf_open(&elf, path, 0, &err);
	if (elf && !check(elf, search))
		pl_elf_inspect(elf, &info);
	else
		info.stripped = true;
	if (info.stripped) {
		pl_elf_close(elf);
		return false;
	}
	b->debug = elf;
	b->debug_path = pl_strdup(path);
	b->lacks = info.debug_info ? NULL : "debuginfo";
	return true;
}

static void find_unstripped(struct binary *b, const struct binary_search *search)
{
	struct pl_buf path = {0};
	bool found = false;

	if (search->cache && search->build_id.n > 2) {
		cached_path(search, "elf", &path);
		found = try_unstripped(b, path.p, search);
	}
	if (!found && search->fetched && search->build_id.n) {
		fetched_path(search, "executable", &path);
		try_unstripped(b, path.p, search);
	}
	pl_buf_free(&path);
}

void binary_open(struct binary *b, const struct binary_search *search)
{
	struct pl_elf_info info;
	struct pl_err err;

	memset(b, 0, sizeof *b);
	find(b, search);
	if (!b->elf) {
		b->lacks = search->build_id.p && !search->fd ? "executable" : NULL;
		return;
	}
	pl_elf_inspect(b->elf, &info);
	if (info.stripped || !info.debug_info) {
		find_debug(b, search);
		b->lacks = b->debug ? NULL : "debuginfo";
	}
	if (info.stripped && !b->debug)
		find_unstripped(b, search);
	/* what was read before a limit stays usable */
	if (pl_elfsyms_read(&b->syms, b->elf, info.stripped ? b->debug : NULL, &err))
		b->reason = "SYMBOLS_LIMIT";
	/* all that a vDSO has is there to be called */
	else if (b->syms.reach != PL_ELFSYMS_FULL && !pl_str_is(search->dso, "[vdso]"))
		b->reason = b->syms.reach == PL_ELFSYMS_NONE ? "NO_SYMBOLS" : "SYMBOLS_STRIPPED";
}

int binary_address(const struct binary *b, uint64_t offset, uint64_t *vaddr)
{
	return pl_elf_vaddr(b->elf, offset, vaddr);
}

/* Is the open file still what was checked? Another may have been put in its place since; the same
 * one again will do. */
static bool is_still(const struct pl_elf *checked, int fd)
{
	struct pl_elf_build_id was, is;
	struct pl_elf *now;
	struct pl_err err;
	struct stat st;

	if (fstat(fd, &st) == 0 && pl_fd_is_same(&st, pl_elf_stat(checked)))
		return true;
	if (pl_elf_open_fd(&now, fd, 0, &err) != PL_ELF_OK)
		return false;
	pl_elf_build_id(checked, &was);
	pl_elf_build_id(now, &is);
	pl_elf_close(now);
	return was.hex[0] && strcmp(was.hex, is.hex) == 0;
}

/* libdw wants a descriptor, because .dwo files may be beside the file: it is opened again. */
static void open_dwarf(struct binary *b, const struct pl_elf *checked, int opened)
{
	struct pl_err err;
	int fd = opened ? opened : pl_regular_open(b->dwarf_options.path, 0);

	if (fd < 0)
		return;
	if (!is_still(checked, fd))
		b->reason = b->reason ? b->reason : "BUILD_ID_MISMATCH";
	else if (dwarf_file_open(&b->dwarf, fd, &b->dwarf_options, &err))
		b->dwarf = NULL;
	if (!opened)
		close(fd);
}

struct dwarf_file *binary_dwarf(struct binary *b, const struct binary_search *search)
{
	const char *path = b->debug ? b->debug_path : b->path;

	if (b->looked_for_dwarf || !path)
		return b->dwarf;
	b->looked_for_dwarf = true;
	b->dwarf_options = (struct dwarf_files_options){
		.path = path,
		.debug_roots = search->debug_roots,
		.debug_roots_n = search->debug_roots_n,
		.sysroot = search->sysroot,
		.bias = b->debug ? pl_elfsyms_bias(b->elf, b->debug) : 0,
	};
	open_dwarf(b, b->debug ? b->debug : b->elf, b->debug ? 0 : search->fd);
	return b->dwarf;
}

void binary_close(struct binary *b)
{
	dwarf_file_close(b->dwarf);
	pl_elfsyms_free(&b->syms);
	pl_elf_close(b->debug);
	pl_elf_close(b->elf);
	free(b->debug_path);
	free(b->path);
}
