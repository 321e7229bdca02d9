/* dwarf: one module's debug information, opened, asked, closed */
#include "dwarf.h"
#include "dwarf-parts.h"
#include "fd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const char *const lack_names[DWARF_LACKS] = {
	[DWARF_NO_INFO] = "NO_DEBUG_INFO",
	[DWARF_ZSTD] = "DEBUG_ZSTD",
	[DWARF_COMPRESSION] = "DEBUG_COMPRESSION",
	[DWARF_RELOCATABLE] = "DEBUG_RELOCATABLE",
	[DWARF_DAMAGED] = "DEBUG_DAMAGED",
	[DWARF_LIMIT] = "DEBUG_LIMIT",
	[DWARF_DWP] = "DWP_UNSUPPORTED",
	[DWARF_DWO] = "DWO_MISSING",
	[DWARF_DWZ] = "DWZ_MISSING",
};

const char *dwarf_file_lacks(const struct dwarf_file *f)
{
	for (int i = 0; i < DWARF_LACKS; i++) {
		if (f->lacks & 1u << i)
			return lack_names[i];
	}
	return "";
}

/* A section of debug information that is compressed in a way that libelf does not know is to libdw
 * as if it were not there. */
static void check_compression(struct dwarf_file *f, Elf_Scn *section, const GElf_Shdr *header)
{
	enum {
		ZLIB = 1,
		ZSTD = 2
	}; /* ELFCOMPRESS_… of the generic ABI; elf.h may lack the second */
	GElf_Chdr how;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return;
	if (!gelf_getchdr(section, &how))
		dwarf_lack(f, DWARF_DAMAGED);
	else if (how.ch_type == ZSTD)
		dwarf_lack(f, DWARF_ZSTD);
	else if (how.ch_type != ZLIB)
		dwarf_lack(f, DWARF_COMPRESSION);
}

/* Notes where code is, and whether there is debug information. */
static void read_sections(struct dwarf_file *f)
{
	bool info = false;
	size_t names;
	Elf_Scn *section = NULL;

	if (elf_getshdrstrndx(f->elf, &names))
		names = 0;
	while ((section = elf_nextscn(f->elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || !dwarf_take_room(f))
			break;
		uint64_t end = header.sh_addr + header.sh_size;
		if ((header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR))
			dwarf_spans_add(&f->text, header.sh_addr, end, 0);
		struct pl_str name = pl_str(elf_strptr(f->elf, names, header.sh_name));
		if (!pl_str_starts(name, ".debug_") && !pl_str_starts(name, ".zdebug_"))
			continue;
		info |= dwarf_section_is(name.p, "debug_info");
		check_compression(f, section, &header);
	}
	dwarf_spans_flatten(&f->text);
	if (!info)
		dwarf_lack(f, DWARF_NO_INFO);
}

static void read_debug_information(struct dwarf_file *f)
{
	const unsigned none = 1u << DWARF_NO_INFO | 1u << DWARF_RELOCATABLE | 1u << DWARF_LIMIT;
	GElf_Ehdr header;

	read_sections(f);
	if (gelf_getehdr(f->elf, &header) && header.e_type == ET_REL)
		dwarf_lack(f, DWARF_RELOCATABLE);
	if (!dwarf_sections_are_bounded(f->elf))
		dwarf_lack(f, DWARF_LIMIT);
	if (f->lacks & none)
		return;
	f->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (!f->dwarf) {
		if (!f->lacks)
			dwarf_lack(f, DWARF_DAMAGED);
		return;
	}
	dwarf_alt_open(f);
	dwarf_units_read(f);
}

int dwarf_file_open(struct dwarf_file **opened, int fd, const struct dwarf_files_options *options,
		    struct pl_err *err)
{
	struct dwarf_file *f = pl_alloc(sizeof *f);

	*f = (struct dwarf_file){.options = options, .room = DWARF_ROOM, .alt = {.fd = -1}};
	*opened = NULL;
	elf_version(EV_CURRENT);
	f->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (f->fd < 0) {
		int number = errno;
		dwarf_file_close(f);
		return pl_err_set(err, PL_E_INVALID_INPUT, "cannot be read: %s", strerror(number));
	}
	f->elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF) {
		dwarf_file_close(f);
		return pl_err_set(err, PL_E_UNSUPPORTED_FORMAT, "not an ELF file");
	}
	read_debug_information(f);
	*opened = f;
	return 0;
}

void dwarf_file_close(struct dwarf_file *f)
{
	if (!f)
		return;
	dwarf_units_free(f);
	dwarf_names_free(f);
	dwarf_abbrevs_free(f);
	dwarf_spans_free(&f->text);
	pl_arena_free(&f->arena);
	free(f->frames);
	dwarf_end(f->dwarf);
	dwarf_alt_close(f);
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

/* The scope of an address, and those that it is inlined into, as frames, outermost first. */
static size_t unfold(struct dwarf_file *f, struct dwarf_unit *u, uint32_t innermost, bool lines)
{
	size_t n = 0;

	for (uint32_t i = innermost; i != DWARF_NO_SCOPE; i = u->scopes[i].parent)
		n++;
	PL_GROW(f->frames, n, f->frames_cap);
	size_t to = n;
	for (uint32_t i = innermost; i != DWARF_NO_SCOPE; i = u->scopes[i].parent) {
		const struct dwarf_facts *facts = dwarf_facts_of(f, u, &u->scopes[i]);
		struct dwarf_frame *frame = &f->frames[--to];
		frame->name = facts->name;
		frame->inlined = u->scopes[i].inlined && to > 0;
		if (!lines || to == 0)
			continue;
		frame[-1].file = facts->call_file;
		frame[-1].line = facts->call_line;
		frame[-1].column = facts->call_column;
	}
	return n;
}

bool dwarf_file_lookup(struct dwarf_file *f, uint64_t vaddr, unsigned want,
		       struct dwarf_answer *answer)
{
	uint64_t address = vaddr - f->options->bias;
	struct dwarf_unit *u = dwarf_units_find(f, address);
	const struct dwarf_span *span = NULL;

	*answer = (struct dwarf_answer){0};
	if (!u)
		return false;
	if (want & DWARF_INLINES) {
		dwarf_scopes_build(f, u);
		span = dwarf_spans_find(&u->spans, address);
	}
	PL_GROW(f->frames, 1, f->frames_cap);
	memset(f->frames, 0, f->frames_cap * sizeof *f->frames);
	answer->n = span ? unfold(f, u, span->owner, want & DWARF_LINES) : 1;
	answer->frames = f->frames;
	if (want & DWARF_LINES)
		dwarf_lines_find(f, u, address, &f->frames[answer->n - 1]);
	return true;
}
