/* debugfile: where the separate debug information of an ELF file may be */
#include "debugfile.h"
#include "mem.h"

#include <zlib.h>

uint32_t pl_debugfile_crc(struct pl_str bytes)
{
	return (uint32_t)crc32_z(0, (const unsigned char *)bytes.p, bytes.n);
}

const char *pl_debugfile_reason_name(enum pl_debugfile_reason reason)
{
	static const char *const names[] = {
		[PL_DEBUGFILE_ACCEPTED] = NULL,
		[PL_DEBUGFILE_ABSENT] = "ABSENT",
		[PL_DEBUGFILE_BUILD_ID_MISMATCH] = "BUILD_ID_MISMATCH",
		[PL_DEBUGFILE_BUILD_ID_ABSENT] = "BUILD_ID_ABSENT",
		[PL_DEBUGFILE_CRC_MISMATCH] = "CRC_MISMATCH",
		[PL_DEBUGFILE_NOT_ELF] = "NOT_ELF",
		[PL_DEBUGFILE_NOT_REGULAR] = "NOT_REGULAR",
		[PL_DEBUGFILE_TOO_LARGE] = "TOO_LARGE",
		[PL_DEBUGFILE_UNREADABLE] = "UNREADABLE",
		[PL_DEBUGFILE_NO_DEBUG_INFO] = "NO_DEBUG_INFO",
		[PL_DEBUGFILE_BAD_NAME] = "BAD_NAME",
	};
	return names[reason];
}

/* ---- is it the right one? ---- */

struct finder {
	struct pl_debugfiles *found;
	const struct pl_elf_info *info;
	const struct pl_debugfile_search *search;
	const char *id; /* the build id that is wanted */
	bool alt;
};

static enum pl_debugfile_reason compare(const struct finder *f, const struct pl_elf *elf,
					bool by_link)
{
	const char *wanted = f->id;
	struct pl_elf_info other;

	pl_elf_inspect(elf, &other);
	if (wanted[0] && other.build_id.hex[0] && strcmp(wanted, other.build_id.hex) != 0)
		return PL_DEBUGFILE_BUILD_ID_MISMATCH;
	if (!wanted[0] || !other.build_id.hex[0]) {
		if (!by_link)
			return PL_DEBUGFILE_BUILD_ID_ABSENT;
		if (pl_debugfile_crc(pl_elf_bytes(elf)) != f->info->link_crc)
			return PL_DEBUGFILE_CRC_MISMATCH;
	}
	return other.debug_info || !other.stripped ? PL_DEBUGFILE_ACCEPTED
						   : PL_DEBUGFILE_NO_DEBUG_INFO;
}

static enum pl_debugfile_reason reason_of(enum pl_elf_status status)
{
	switch (status) {
	case PL_ELF_ABSENT:
		return PL_DEBUGFILE_ABSENT;
	case PL_ELF_NOT_REGULAR:
		return PL_DEBUGFILE_NOT_REGULAR;
	case PL_ELF_TOO_LARGE:
		return PL_DEBUGFILE_TOO_LARGE;
	case PL_ELF_NOT_ELF:
		return PL_DEBUGFILE_NOT_ELF;
	default:
		return PL_DEBUGFILE_UNREADABLE;
	}
}

static void add(struct finder *f, char *path, bool by_link, enum pl_debugfile_reason reason)
{
	struct pl_debugfiles *found = f->found;

	PL_GROW(found->v, found->n + 1, found->cap);
	found->v[found->n++] = (struct pl_debugfile){
		.path = path, .by_link = by_link, .alt = f->alt, .reason = reason};
}

static bool is_known(const struct finder *f, const char *path)
{
	for (size_t i = 0; i < f->found->n; i++)
		if (strcmp(f->found->v[i].path, path) == 0)
			return true;
	return false;
}

/* Looks at one path, once; takes its text over. */
static void try(struct finder *f, struct pl_buf path, bool by_link)
{
	struct pl_elf *elf;
	struct pl_err ignored;

	if (is_known(f, path.p) || (f->found->elf && !f->search->all)) {
		pl_buf_free(&path);
		return;
	}
	enum pl_elf_status status = pl_elf_open(&elf, path.p, f->search->max_bytes, &ignored);
	enum pl_debugfile_reason reason =
		status == PL_ELF_OK ? compare(f, elf, by_link) : reason_of(status);
	if (reason == PL_DEBUGFILE_ACCEPTED && !f->found->elf) {
		f->found->elf = elf;
		elf = NULL;
	}
	pl_elf_close(elf);
	if (reason == PL_DEBUGFILE_ABSENT && !f->search->list_absent)
		pl_buf_free(&path);
	else
		add(f, path.p, by_link, reason);
}

/* ---- where to look ---- */

/* Root number i: the caller's, then the system's below the sysroot. */
static struct pl_buf root(const struct finder *f, size_t i)
{
	const struct pl_debugfile_search *s = f->search;
	struct pl_buf path = {0};

	if (i < s->roots_n)
		pl_buf_addz(&path, s->roots[i]);
	else
		pl_buf_printf(&path, "%s%s", s->sysroot ? s->sysroot : "", PL_DEBUGFILE_ROOT);
	return path;
}

static void try_build_id(struct finder *f)
{
	const char *hex = f->id;

	if (strlen(hex) < 4)
		return;
	for (size_t i = 0; i <= f->search->roots_n; i++) {
		struct pl_buf path = root(f, i);
		pl_buf_printf(&path, "/.build-id/%.2s/%s.debug", hex, hex + 2);
		try(f, path, false);
	}
}

/* The file's path as it is inside of the sysroot. */
static const char *inner_path(const struct pl_debugfile_search *s)
{
	size_t n = s->sysroot ? strlen(s->sysroot) : 0;

	while (n && s->sysroot[n - 1] == '/')
		n--;
	return n && strncmp(s->path, s->sysroot, n) == 0 && s->path[n] == '/' ? s->path + n
									      : s->path;
}

static void try_link(struct finder *f)
{
	const char *path = f->search->path, *link = f->info->link;
	static const char *const beside[] = {"", "/.debug"};

	if (!link[0] || !path || path[0] != '/')
		return;
	int folder = (int)(strrchr(path, '/') - path);
	for (size_t i = 0; i < PL_COUNT(beside); i++) {
		struct pl_buf p = {0};
		pl_buf_printf(&p, "%.*s%s/%s", folder, path, beside[i], link);
		try(f, p, true);
	}
	const char *inner = inner_path(f->search);
	folder = (int)(strrchr(inner, '/') - inner);
	for (size_t i = 0; i <= f->search->roots_n; i++) {
		struct pl_buf p = root(f, i);
		pl_buf_printf(&p, "%.*s/%s", folder, inner, link);
		try(f, p, true);
	}
}

/* Without a debuglink only a build id can prove that this one belongs. */
static void try_path(struct finder *f)
{
	const char *path = f->search->path;

	if (!path || path[0] != '/')
		return;
	for (size_t i = 0; i <= f->search->roots_n; i++) {
		struct pl_buf p = root(f, i);
		pl_buf_printf(&p, "%s.debug", inner_path(f->search));
		try(f, p, f->info->link[0] != '\0');
	}
}

/* Where the dwz link leads. */
static void try_alt(struct finder *f, const char *path)
{
	const char *link = f->info->alt_link, *sysroot = f->search->sysroot;
	struct pl_buf p = {0};

	if (link[0] == '/')
		pl_buf_printf(&p, "%s%s", sysroot ? sysroot : "", link);
	else if (path && path[0] == '/')
		pl_buf_printf(&p, "%.*s/%s", (int)(strrchr(path, '/') - path), path, link);
	if (p.n)
		try(f, p, false);
}

static void note_accepted(struct pl_debugfiles *found)
{
	for (size_t i = 0; i < found->n && !found->accepted; i++)
		if (found->v[i].reason == PL_DEBUGFILE_ACCEPTED)
			found->accepted = &found->v[i];
}

void pl_debugfile_find(struct pl_debugfiles *found, const struct pl_elf_info *info,
		       const struct pl_debugfile_search *search)
{
	struct finder f = {
		.found = found, .info = info, .search = search, .id = info->build_id.hex};

	*found = (struct pl_debugfiles){0};
	try_build_id(&f);
	if (info->link_refused)
		add(&f, pl_strdup(""), true, PL_DEBUGFILE_BAD_NAME);
	try_link(&f);
	try_path(&f);
	note_accepted(found);
}

void pl_debugfile_find_alt(struct pl_debugfiles *found, const struct pl_elf_info *info,
			   const char *path, const struct pl_debugfile_search *search)
{
	struct finder f = {.found = found,
			   .info = info,
			   .search = search,
			   .id = info->alt_build_id.hex,
			   .alt = true};

	*found = (struct pl_debugfiles){0};
	if (!info->alt_link[0])
		return;
	try_alt(&f, path);
	try_build_id(&f);
	note_accepted(found);
}

void pl_debugfiles_free(struct pl_debugfiles *found)
{
	for (size_t i = 0; i < found->n; i++)
		free(found->v[i].path);
	free(found->v);
	pl_elf_close(found->elf);
	*found = (struct pl_debugfiles){0};
}
