/* elf: an ELF file opened for inspection */
#include "elf.h"
#include "mem.h"
#include "regular.h"
#include "text.h"

#include <errno.h>
#include <unistd.h>

struct pl_elf {
	struct pl_str bytes;
	struct stat st;
	Elf *elf;
	GElf_Ehdr header;
	struct pl_elf_section *sections;
	size_t sections_n;
	GElf_Phdr *segments;
	size_t segments_n;
};

/* ---- opening ---- */

/* A relocatable file's executable sections get the addresses that the kernel would give them. */
static void lay_out(struct pl_elf *e, const uint64_t *alignments)
{
	uint64_t end = 0;

	for (size_t i = 0; i < e->sections_n; i++) {
		struct pl_elf_section *s = &e->sections[i];
		uint64_t align = alignments[i] ? alignments[i] : 1, gap = end % align;
		s->addr = 0;
		s->placed = false;
		if (!(s->flags & SHF_ALLOC) || !(s->flags & SHF_EXECINSTR) ||
		    strncmp(s->name, ".init", 5) == 0)
			continue;
		gap = gap ? align - gap : 0;
		if (gap > UINT64_MAX - end || s->size > UINT64_MAX - end - gap)
			continue;
		s->addr = end + gap;
		s->placed = true;
		end += gap + s->size;
	}
}

static void read_sections(struct pl_elf *e)
{
	size_t n = 0, names = 0;
	bool named = elf_getshdrstrndx(e->elf, &names) == 0;

	if (elf_getshdrnum(e->elf, &n) || n == 0)
		return;
	e->sections = pl_alloc(n * sizeof *e->sections);
	uint64_t *alignments = pl_alloc(n * sizeof *alignments);
	for (; e->sections_n < n; e->sections_n++) {
		struct pl_elf_section *s = &e->sections[e->sections_n];
		GElf_Shdr h;
		if (!gelf_getshdr(elf_getscn(e->elf, e->sections_n), &h))
			break;
		const char *name = named ? elf_strptr(e->elf, names, h.sh_name) : NULL;
		*s = (struct pl_elf_section){.name = name ? name : "",
					     .type = h.sh_type,
					     .link = h.sh_link,
					     .info = h.sh_info,
					     .flags = h.sh_flags,
					     .offset = h.sh_offset,
					     .size = h.sh_size,
					     .entsize = h.sh_entsize,
					     .addr = h.sh_addr,
					     .placed = h.sh_flags & SHF_ALLOC};
		alignments[e->sections_n] = h.sh_addralign;
	}
	if (e->header.e_type == ET_REL)
		lay_out(e, alignments);
	free(alignments);
}

static void read_segments(struct pl_elf *e)
{
	size_t n = 0;

	if (elf_getphdrnum(e->elf, &n) || n == 0)
		return;
	e->segments = pl_alloc(n * sizeof *e->segments);
	while (e->segments_n < n &&
	       gelf_getphdr(e->elf, (int)e->segments_n, &e->segments[e->segments_n]))
		e->segments_n++;
}

/* Takes elf over; st is NULL for what came from memory. */
static enum pl_elf_status begin(struct pl_elf **opened, Elf *elf, const struct stat *st,
				struct pl_err *err)
{
	struct pl_elf *e = pl_alloc(sizeof *e);

	e->elf = elf;
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &e->header) ||
	    !(e->bytes.p = elf_rawfile(elf, &e->bytes.n))) {
		pl_elf_close(e);
		pl_err_set(err, PL_E_PROFILE_PARSE_FAILED, _("is no ELF file"));
		return PL_ELF_NOT_ELF;
	}
	if (st)
		e->st = *st;
	/* all bytes are there; by the time of a later call the number may be another file's */
	elf_cntl(elf, ELF_C_FDDONE);
	read_sections(e);
	read_segments(e);
	*opened = e;
	return PL_ELF_OK;
}

enum pl_elf_status pl_elf_open_memory(struct pl_elf **elf, void *p, size_t n, struct pl_err *err)
{
	*elf = NULL;
	elf_version(EV_CURRENT);
	return begin(elf, n ? elf_memory(p, n) : NULL, NULL, err);
}

static enum pl_elf_status refuse_kind(struct pl_err *err)
{
	pl_err_set(err, PL_E_INVALID_INPUT, _("is no regular file"));
	return PL_ELF_NOT_REGULAR;
}

static enum pl_elf_status refuse_errno(int number, struct pl_err *err)
{
	bool absent = number == ENOENT || number == ENOTDIR;

	pl_err_set(err, PL_E_INVALID_INPUT, _("cannot be opened: %s"), strerror(number));
	return absent ? PL_ELF_ABSENT : PL_ELF_UNREADABLE;
}

enum pl_elf_status pl_elf_open_fd(struct pl_elf **elf, int fd, uint64_t max_bytes,
				  struct pl_err *err)
{
	uint64_t most = max_bytes ? max_bytes : PL_ELF_MAX_BYTES;
	struct stat st;

	*elf = NULL;
	if (fstat(fd, &st))
		return refuse_errno(errno, err);
	if (!S_ISREG(st.st_mode))
		return refuse_kind(err);
	if ((uint64_t)st.st_size > most) {
		pl_err_set(err, PL_E_RESOURCE_LIMIT_EXCEEDED,
			   _("has more than %llu bytes, the most for an ELF file"),
			   (unsigned long long)most);
		return PL_ELF_TOO_LARGE;
	}
	elf_version(EV_CURRENT);
	return begin(elf, elf_begin(fd, ELF_C_READ_MMAP, NULL), &st, err);
}

enum pl_elf_status pl_elf_open(struct pl_elf **elf, const char *path, uint64_t max_bytes,
			       struct pl_err *err)
{
	enum pl_elf_status status;
	int fd = pl_regular_open(path, 0);

	*elf = NULL;
	if (fd >= 0)
		status = pl_elf_open_fd(elf, fd, max_bytes, err);
	else
		status = errno == EINVAL || errno == EISDIR ? refuse_kind(err)
							    : refuse_errno(errno, err);
	if (fd >= 0)
		close(fd);
	if (status != PL_ELF_OK)
		pl_err_at(err, path, 0);
	return status;
}

void pl_elf_close(struct pl_elf *e)
{
	if (!e)
		return;
	elf_end(e->elf);
	free(e->sections);
	free(e->segments);
	free(e);
}

/* ---- its parts ---- */

const struct stat *pl_elf_stat(const struct pl_elf *e)
{
	return &e->st;
}

struct pl_str pl_elf_bytes(const struct pl_elf *e)
{
	return e->bytes;
}

const GElf_Ehdr *pl_elf_header(const struct pl_elf *e)
{
	return &e->header;
}

Elf *pl_elf_handle(const struct pl_elf *e)
{
	return e->elf;
}

const struct pl_elf_section *pl_elf_sections(const struct pl_elf *e, size_t *n)
{
	*n = e->sections_n;
	return e->sections;
}

const struct pl_elf_section *pl_elf_section(const struct pl_elf *e, const char *name, uint32_t type)
{
	for (size_t i = 1; i < e->sections_n; i++)
		if ((type == SHT_NULL || e->sections[i].type == type) &&
		    strcmp(e->sections[i].name, name) == 0)
			return &e->sections[i];
	return NULL;
}

const GElf_Phdr *pl_elf_segments(const struct pl_elf *e, size_t *n)
{
	*n = e->segments_n;
	return e->segments;
}

static bool is_within(const struct pl_elf *e, uint64_t offset, uint64_t size)
{
	return offset <= e->bytes.n && size <= e->bytes.n - offset;
}

struct pl_str pl_elf_section_bytes(const struct pl_elf *e, const struct pl_elf_section *s)
{
	if (s->type == SHT_NOBITS || s->type == SHT_NULL || !is_within(e, s->offset, s->size))
		return (struct pl_str){0};
	return (struct pl_str){e->bytes.p + s->offset, s->size};
}

Elf_Data *pl_elf_section_data(const struct pl_elf *e, const struct pl_elf_section *s)
{
	Elf_Data *data = NULL;

	if (s->type != SHT_NOBITS && is_within(e, s->offset, s->size))
		data = elf_getdata(elf_getscn(e->elf, (size_t)(s - e->sections)), NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

Elf_Data *pl_elf_chunk(const struct pl_elf *e, uint64_t offset, uint64_t size, Elf_Type type)
{
	Elf_Data *data = NULL;

	if (size > 0 && is_within(e, offset, size))
		data = elf_getdata_rawchunk(e->elf, (int64_t)offset, size, type);
	return data && data->d_buf && data->d_size ? data : NULL;
}

struct pl_str pl_elf_strings(const struct pl_elf *e, uint32_t index)
{
	struct pl_str s = {0};

	if (index < e->sections_n && e->sections[index].type == SHT_STRTAB)
		s = pl_elf_section_bytes(e, &e->sections[index]);
	const char *last = s.n ? memrchr(s.p, '\0', s.n) : NULL;
	return last ? (struct pl_str){s.p, (size_t)(last - s.p) + 1} : (struct pl_str){0};
}

/* ---- the build id ---- */

bool pl_elf_build_id_read(struct pl_elf_build_id *id, struct pl_str text)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	if (text.n == 0 || text.n % 2 || text.n >= sizeof id->hex)
		return false;
	for (size_t i = 0; i < text.n; i++) {
		if (!memchr(digits, text.p[i], sizeof digits - 1))
			return false;
		/* lower case: digits have the bit already */
		id->hex[i] = (char)(text.p[i] | 0x20);
	}
	id->hex[text.n] = '\0';
	return true;
}

/* The first GNU build id among the notes that data holds. */
static bool find_build_id(Elf_Data *data, struct pl_elf_build_id *id)
{
	size_t at = 0, name_at, desc_at;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
		const char *bytes = data->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof ELF_NOTE_GNU ||
		    memcmp(bytes + name_at, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0 ||
		    note.n_descsz == 0 || note.n_descsz > PL_ELF_BUILD_ID_MAX)
			continue;
		for (uint32_t i = 0; i < note.n_descsz; i++)
			snprintf(id->hex + 2 * (size_t)i, 3, "%02x",
				 (unsigned char)bytes[desc_at + i]);
		return true;
	}
	return false;
}

void pl_elf_build_id(const struct pl_elf *e, struct pl_elf_build_id *id)
{
	id->hex[0] = '\0';
	for (size_t i = 0; i < e->segments_n; i++) {
		const GElf_Phdr *h = &e->segments[i];
		Elf_Type type = h->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
		if (h->p_type == PT_NOTE &&
		    find_build_id(pl_elf_chunk(e, h->p_offset, h->p_filesz, type), id))
			return;
	}
	for (size_t i = 1; i < e->sections_n; i++)
		if (e->sections[i].type == SHT_NOTE &&
		    find_build_id(pl_elf_section_data(e, &e->sections[i]), id))
			return;
}

/* ---- addresses ---- */

/* Is x one of the n numbers from start on? */
static bool is_in(uint64_t x, uint64_t start, uint64_t n)
{
	return x >= start && x - start < n;
}

static int section_vaddr(const struct pl_elf *e, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 1; i < e->sections_n; i++) {
		const struct pl_elf_section *s = &e->sections[i];
		if (!s->placed || s->type == SHT_NOBITS || !is_in(offset, s->offset, s->size))
			continue;
		*vaddr = s->addr + (offset - s->offset);
		return 0;
	}
	return -1;
}

static int section_offset(const struct pl_elf *e, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 1; i < e->sections_n; i++) {
		const struct pl_elf_section *s = &e->sections[i];
		if (!s->placed || s->type == SHT_NOBITS || !is_in(vaddr, s->addr, s->size))
			continue;
		*offset = s->offset + (vaddr - s->addr);
		return 0;
	}
	return -1;
}

/* A segment that would wrap around the end of addresses is nowhere. */
static bool is_loaded(const GElf_Phdr *h)
{
	return h->p_type == PT_LOAD && h->p_filesz <= UINT64_MAX - h->p_vaddr;
}

int pl_elf_vaddr(const struct pl_elf *e, uint64_t offset, uint64_t *vaddr)
{
	const GElf_Phdr *found = NULL;

	if (e->header.e_type == ET_REL)
		return section_vaddr(e, offset, vaddr);
	for (size_t i = 0; i < e->segments_n; i++) {
		const GElf_Phdr *h = &e->segments[i];
		if (is_loaded(h) && is_in(offset, h->p_offset, h->p_filesz) &&
		    (!found || (h->p_flags & PF_X && !(found->p_flags & PF_X))))
			found = h;
	}
	if (!found)
		return -1;
	*vaddr = found->p_vaddr + (offset - found->p_offset);
	return 0;
}

int pl_elf_offset(const struct pl_elf *e, uint64_t vaddr, uint64_t *offset)
{
	if (e->header.e_type == ET_REL)
		return section_offset(e, vaddr, offset);
	for (size_t i = 0; i < e->segments_n; i++) {
		const GElf_Phdr *h = &e->segments[i];
		if (is_loaded(h) && is_in(vaddr, h->p_vaddr, h->p_filesz)) {
			*offset = h->p_offset + (vaddr - h->p_vaddr);
			return 0;
		}
	}
	return -1;
}
