/* dwarf-links: .gnu_debugaltlink (dwz) and .dwo files, which hold what the file itself does not */
#include "debugfile.h"
#include "dwarf-parts.h"
#include "regular.h"

#include <elfutils/libdwelf.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_LEAST = 2, ID_MAX = 64 };

/* The folder of `path` with its '/'; "" where it has none. */
static struct pl_str folder_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? (struct pl_str){path, (size_t)(slash - path) + 1} : PL_S("");
}

/* ---- dwz ---- */

struct altlink {
	const char *name;
	const unsigned char *id;
	size_t id_n;
};

static void alt_drop(struct dwarf_alt *alt)
{
	dwarf_end(alt->dwarf);
	elf_end(alt->elf);
	if (alt->fd >= 0)
		close(alt->fd);
	alt->dwarf = NULL;
	alt->elf = NULL;
	alt->fd = -1;
}

/* Is that the file with this build ID? Then it is opened. */
static bool alt_try(struct dwarf_alt *alt, const char *path, const struct altlink *link)
{
	const void *id;

	alt->fd = pl_regular_open(path, 0);
	if (alt->fd < 0)
		return false;
	if ((alt->elf = elf_begin(alt->fd, ELF_C_READ_MMAP, NULL)) &&
	    elf_kind(alt->elf) == ELF_K_ELF &&
	    dwelf_elf_gnu_build_id(alt->elf, &id) == (ssize_t)link->id_n &&
	    memcmp(id, link->id, link->id_n) == 0 && dwarf_sections_are_bounded(alt->elf))
		alt->dwarf = dwarf_begin_elf(alt->elf, DWARF_C_READ, NULL);
	if (!alt->dwarf)
		alt_drop(alt);
	return alt->dwarf != NULL;
}

/* ROOT/.build-id/xx/xxxx.debug */
static void add_id_path(struct pl_buf *path, const char *root, const struct altlink *link)
{
	pl_buf_printf(path, "%s/.build-id/", root);
	for (size_t i = 0; i < link->id_n; i++)
		pl_buf_printf(path, "%02x%s", link->id[i], i ? "" : "/");
	pl_buf_addz(path, ".debug");
}

/* ROOT/.dwz/, and what stands behind ".dwz/" in the name, or else its last part. */
static void add_dwz_path(struct pl_buf *path, const char *root, const struct altlink *link)
{
	static const char part[] = ".dwz/";
	const char *behind = strstr(link->name, part);

	pl_buf_printf(path, "%s/%s", root, part);
	if (behind)
		pl_buf_addz(path, behind + strlen(part));
	else
		pl_buf_adds(path, pl_str_base(pl_str(link->name)));
}

static bool alt_search_root(struct dwarf_file *f, const char *root, const struct altlink *link,
			    struct pl_buf *path)
{
	pl_buf_clear(path);
	add_dwz_path(path, root, link);
	if (alt_try(&f->alt, path->p, link))
		return true;
	pl_buf_clear(path);
	add_id_path(path, root, link);
	return alt_try(&f->alt, path->p, link);
}

static bool alt_search(struct dwarf_file *f, const struct altlink *link, struct pl_buf *path)
{
	const struct dwarf_files_options *o = f->options;
	const char *sysroot = o->sysroot ? o->sysroot : "";
	struct pl_buf own = {0};

	if (link->name[0] != '/')
		pl_buf_adds(path, folder_of(o->path));
	else
		pl_buf_addz(path, sysroot);
	pl_buf_addz(path, link->name);
	if ((o->path || link->name[0] == '/') && alt_try(&f->alt, path->p, link))
		return true;
	for (size_t i = 0; i < o->debug_roots_n; i++)
		if (alt_search_root(f, o->debug_roots[i], link, path))
			return true;
	pl_buf_printf(&own, "%s%s", sysroot, PL_DEBUGFILE_ROOT);
	bool found = alt_search_root(f, own.p, link, path);
	pl_buf_free(&own);
	return found;
}

void dwarf_alt_open(struct dwarf_file *f)
{
	struct altlink link = {0};
	const void *id;
	struct pl_buf path = {0};
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(f->dwarf, &link.name, &id);

	if (n == 0)
		return;
	f->alt.wanted = true;
	link.id = id;
	link.id_n = n > 0 ? (size_t)n : 0;
	if (link.id_n >= ID_LEAST && link.id_n <= ID_MAX && alt_search(f, &link, &path))
		dwarf_setalt(f->dwarf, f->alt.dwarf);
	else
		dwarf_lack(f, DWARF_DWZ);
	pl_buf_free(&path);
}

void dwarf_alt_close(struct dwarf_file *f)
{
	alt_drop(&f->alt);
}

/* libdw would look for a file that it was not given, and take it without looking at its build ID:
 * it is not asked. */
bool dwarf_alt_readable(struct dwarf_file *f, const Dwarf_Attribute *attribute)
{
	switch (attribute->form) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		if (f->alt.dwarf)
			return true;
		dwarf_lack(f, DWARF_DWZ);
		return false;
	default:
		return true;
	}
}

/* ---- .dwo ---- */

static const char *string_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) ? dwarf_formstring(&a) : NULL;
}

/* 1: a regular file, 0: nothing there, -1: something that must not be opened */
static int kind_of(const char *path)
{
	struct stat s;

	if (stat(path, &s))
		return 0;
	return S_ISREG(s.st_mode) ? 1 : -1;
}

/* libdw opens whatever has the name; a FIFO would stop it for ever. So the two places where it will
 * look, beside the file and in the compilation directory, are looked at first. */
static bool dwo_may_be_opened(struct dwarf_file *f, Dwarf_Die *skeleton)
{
	const char *name = string_of(skeleton, DW_AT_dwo_name);
	const char *folder = string_of(skeleton, DW_AT_comp_dir);
	struct pl_buf beside = {0}, built = {0};

	if (!name)
		name = string_of(skeleton, DW_AT_GNU_dwo_name);
	if (!name)
		return false;
	if (name[0] != '/')
		pl_buf_adds(&beside, folder_of(f->options->path));
	if (name[0] != '/' && folder) {
		if (folder[0] != '/')
			pl_buf_adds(&built, folder_of(f->options->path));
		pl_buf_printf(&built, "%s/", folder);
	}
	pl_buf_addz(&beside, name);
	pl_buf_addz(&built, name);
	int first = kind_of(beside.p), second = kind_of(built.p);
	pl_buf_free(&beside);
	pl_buf_free(&built);
	return first >= 0 && second >= 0 && first + second > 0;
}

static void dwo_missing(struct dwarf_file *f)
{
	struct pl_buf path = {0};
	bool package = false;

	if (f->options->path) {
		pl_buf_printf(&path, "%s.dwp", f->options->path);
		package = kind_of(path.p) == 1;
		pl_buf_free(&path);
	}
	dwarf_lack(f, package ? DWARF_DWP : DWARF_DWO);
}

void dwarf_split_unit(struct dwarf_file *f, struct dwarf_unit *u, Dwarf_Die *die)
{
	Dwarf_Die split = {0};

	*die = u->die;
	if (!u->skeleton)
		return;
	if (dwo_may_be_opened(f, &u->die) &&
	    dwarf_cu_info(u->die.cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 && split.cu &&
	    dwarf_tag(&split) == DW_TAG_compile_unit)
		*die = split;
	else
		dwo_missing(f);
}
