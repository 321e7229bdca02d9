/* describe: the records of an ELF file */
#include "describe.h"
#include "elfsyms.h"
#include "utf8.h"

/* What was found out, before it is written. */
struct facts {
	struct pl_elf_info info;
	struct pl_debugfiles debugfiles, altfiles;
	enum pl_elf_dwarf own; /* debug information of the file itself */
	/* that which would be used: the file's own, else that of the accepted debug file */
	struct pl_elf_info used;
	enum pl_elf_dwarf dwarf;
	enum pl_elfsyms_reach symbols;
	bool from_debugdata, stubs;
};

static void find_symbols(struct facts *f, const struct pl_elf *elf)
{
	struct pl_elfsyms syms;
	struct pl_err ignored; /* more symbols than are taken are still symbols */

	pl_elfsyms_read(&syms, elf, f->debugfiles.elf, &ignored);
	f->symbols = syms.reach;
	f->from_debugdata = syms.from_debugdata;
	for (size_t i = 0; i < syms.n && !f->stubs; i++)
		f->stubs = syms.v[i].plt;
	pl_elfsyms_free(&syms);
}

static void find_facts(struct facts *f, const struct pl_elf *elf,
		       const struct pl_debugfile_search *search)
{
	const struct pl_elf *other;

	pl_elf_inspect(elf, &f->info);
	pl_debugfile_find(&f->debugfiles, &f->info, search);
	other = f->debugfiles.elf;
	f->own = f->dwarf = pl_elf_dwarf(elf);
	f->used = f->info;
	const char *path = search->path;
	if (f->own == PL_ELF_DWARF_ABSENT && other) {
		pl_elf_inspect(other, &f->used);
		f->dwarf = pl_elf_dwarf(other);
		path = f->debugfiles.accepted->path;
	}
	if (f->used.debug_info)
		pl_debugfile_find_alt(&f->altfiles, &f->used, path, search);
	find_symbols(f, elf);
}

/* ---- what can be expected ---- */

static void put_code(struct pl_jsonw *w, bool holds, const char *code)
{
	if (holds)
		pl_jsonw_str(w, pl_str(code));
}

static void put_expect(struct pl_jsonw *w, const struct facts *f)
{
	bool readable = f->dwarf == PL_ELF_DWARF_WHOLE || f->dwarf == PL_ELF_DWARF_SPLIT;
	bool unwinding = f->info.eh_frame || f->info.debug_frame || f->used.debug_frame;

	pl_jsonw_kbegin(w, "expect", '[');
	put_code(w, f->symbols == PL_ELFSYMS_FULL, "function_names");
	put_code(w, f->symbols == PL_ELFSYMS_DYNAMIC, "dynamic_names_only");
	put_code(w, f->stubs, "plt_names");
	put_code(w, readable && f->used.debug_line, "source_lines");
	put_code(w, f->dwarf == PL_ELF_DWARF_WHOLE, "inlined_functions");
	put_code(w, f->info.has_text && unwinding, "dwarf_unwinding");
	put_code(w, f->symbols == PL_ELFSYMS_NONE && !f->stubs && !readable, "nothing");
	pl_jsonw_end(w, ']');
}

/* What stands in the way of more. */
static void put_hindrances(struct pl_jsonw *w, const struct facts *f)
{
	pl_jsonw_kbegin(w, "hindrances", '[');
	put_code(w, !f->info.build_id.hex[0], "BUILD_ID_ABSENT");
	put_code(w, f->symbols != PL_ELFSYMS_FULL, "SYMBOL_TABLE_ABSENT");
	put_code(w, f->dwarf == PL_ELF_DWARF_ABSENT, "DEBUG_INFO_ABSENT");
	put_code(w, f->dwarf == PL_ELF_DWARF_UNREADABLE && f->used.compression == PL_ELF_ZSTD,
		 "DEBUG_INFO_ZSTD");
	put_code(w, f->dwarf == PL_ELF_DWARF_UNREADABLE && f->used.compression != PL_ELF_ZSTD,
		 "DEBUG_INFO_UNREADABLE");
	put_code(w, f->dwarf == PL_ELF_DWARF_SPLIT, "DWO_FILES_NEEDED");
	put_code(w, f->used.debug_info && f->used.alt_link[0] && !f->altfiles.elf,
		 "DWZ_FILE_NEEDED");
	put_code(w, !f->info.has_text, "MACHINE_CODE_ABSENT");
	pl_jsonw_end(w, ']');
}

/* ---- records ---- */

static void put_text(struct pl_jsonw *w, const char *key, struct pl_str text)
{
	struct pl_buf scratch = {0};
	uint64_t replaced = 0;

	pl_jsonw_kstr(w, key, text.p ? pl_utf8_clean(text, &scratch, &replaced) : text);
	pl_buf_free(&scratch);
}

static void put_id(struct pl_jsonw *w, const struct pl_elf_build_id *id)
{
	pl_jsonw_kstr(w, "build_id", id->hex[0] ? pl_str(id->hex) : (struct pl_str){0});
}

static void put_links(struct pl_jsonw *w, const struct pl_elf_info *info)
{
	char crc[11];

	if (info->link[0]) {
		pl_jsonw_kbegin(w, "debuglink", '{');
		put_text(w, "name", pl_str(info->link));
		snprintf(crc, sizeof crc, "0x%08x", info->link_crc);
		pl_jsonw_kz(w, "crc", crc);
		pl_jsonw_end(w, '}');
	} else {
		pl_jsonw_knull(w, "debuglink");
	}
	if (info->alt_link[0]) {
		pl_jsonw_kbegin(w, "altlink", '{');
		put_text(w, "path", pl_str(info->alt_link));
		put_id(w, &info->alt_build_id);
		pl_jsonw_end(w, '}');
	} else {
		pl_jsonw_knull(w, "altlink");
	}
}

static void put_debug(struct pl_jsonw *w, const struct facts *f)
{
	const struct pl_debugfile *accepted = f->debugfiles.accepted;
	enum pl_elf_compression compression = f->used.compression;

	pl_jsonw_kbegin(w, "debug", '{');
	pl_jsonw_kbool(w, "embedded", f->info.debug_info);
	put_links(w, &f->info);
	pl_jsonw_kbool(w, "build_id_file", accepted && !accepted->by_link);
	pl_jsonw_kbool(w, "dwo", f->dwarf == PL_ELF_DWARF_SPLIT);
	pl_jsonw_kbool(w, "gnu_debugdata", f->info.gnu_debugdata);
	pl_jsonw_kstr(w, "compressed",
		      f->used.debug_info ? pl_str(pl_elf_compression_name(compression))
					 : (struct pl_str){0});
	pl_jsonw_kbool(w, "debug_frame", f->info.debug_frame || f->used.debug_frame);
	pl_jsonw_kbool(w, "eh_frame", f->info.eh_frame);
	pl_jsonw_end(w, '}');
}

static void put_elf(struct pl_jsonw *w, const struct describe *d, const struct facts *f)
{
	pl_jsonw_record(w, "elf");
	put_text(w, "name", d->name);
	put_id(w, &f->info.build_id);
	pl_jsonw_kz(w, "arch", f->info.machine);
	pl_jsonw_kz(w, "elf_type", f->info.type);
	pl_jsonw_kbool(w, "pie", f->info.pie);
	pl_jsonw_kbool(w, "static_pie", f->info.static_pie);
	pl_jsonw_kbool(w, "stripped", f->info.stripped);
	pl_jsonw_kbool(w, "has_text", f->info.has_text);
	pl_jsonw_kz(w, "symbols", pl_elfsyms_reach_name(f->symbols));
	put_expect(w, f);
	put_hindrances(w, f);
	put_debug(w, f);
	pl_jsonw_record_end(w);
}

static void put_candidate(struct pl_jsonw *w, const struct pl_debugfile *c)
{
	const char *reason = pl_debugfile_reason_name(c->reason);

	pl_jsonw_record(w, "candidate");
	put_text(w, "path", c->path[0] ? pl_str(c->path) : (struct pl_str){0});
	pl_jsonw_kz(w, "by", c->alt ? "altlink" : c->by_link ? "debuglink" : "build_id");
	pl_jsonw_kbool(w, "accepted", !reason);
	pl_jsonw_kstr(w, "reason", pl_str(reason));
	pl_jsonw_record_end(w);
}

uint64_t describe(const struct describe *d, struct pl_buf *out)
{
	struct facts f = {.own = PL_ELF_DWARF_ABSENT};
	struct pl_jsonw w = {out, false};
	struct pl_elf *elf;
	struct pl_err ignored;

	if (pl_elf_open_memory(&elf, d->bytes, d->n, &ignored) != PL_ELF_OK)
		return 0;
	find_facts(&f, elf, &d->search);
	put_elf(&w, d, &f);
	for (size_t i = 0; i < f.debugfiles.n; i++)
		put_candidate(&w, &f.debugfiles.v[i]);
	for (size_t i = 0; i < f.altfiles.n; i++)
		put_candidate(&w, &f.altfiles.v[i]);
	uint64_t records = 1 + f.debugfiles.n + f.altfiles.n;
	pl_debugfiles_free(&f.debugfiles);
	pl_debugfiles_free(&f.altfiles);
	pl_elf_close(elf);
	return records;
}
