/* perfdata: header, attributes, features and records of perf.data */
#include "perfdata.h"
#include "text.h"

#include <sys/mman.h>

static const char magic[] = "PERFILE2", magic_swapped[] = "2ELIFREP", magic_old[] = "PERFFILE";
enum { MAGIC = 8, PIPE_HEADER = 16, ATTR_LEAST = 64 };

struct pl_str pl_perf_text(struct pl_bytes b)
{
	const unsigned char *end = b.n ? memchr(b.p, '\0', b.n) : NULL;

	return (struct pl_str){b.n ? (const char *)b.p : "", end ? (size_t)(end - b.p) : b.n};
}

struct pl_str pl_perf_string(struct pl_reader *r)
{
	uint32_t n = pl_take_u32(r);

	return pl_perf_text(pl_take_bytes(r, n));
}

/* ---- attributes ---- */

int pl_perf_attr_read(struct pl_perf_attr *attr, struct pl_bytes bytes)
{
	struct perf_event_attr raw = {0};
	uint32_t size;

	if (bytes.n < ATTR_LEAST)
		return -1;
	memcpy(&size, bytes.p + offsetof(struct perf_event_attr, size), sizeof size);
	/* PERF_ATTR_SIZE_VER0 had no need to say its size */
	if (size == 0)
		size = ATTR_LEAST;
	if (size < ATTR_LEAST || size > bytes.n)
		return -1;
	memcpy(&raw, bytes.p, size < sizeof raw ? size : sizeof raw);
	*attr = (struct pl_perf_attr){
		.type = raw.type,
		.config = raw.config,
		.sample_period = raw.sample_period,
		.sample_type = raw.sample_type,
		.read_format = raw.read_format,
		.branch_sample_type = raw.branch_sample_type,
		.sample_regs_user = raw.sample_regs_user,
		.sample_regs_intr = raw.sample_regs_intr,
		.sample_stack_user = raw.sample_stack_user,
		.sample_max_stack = raw.sample_max_stack,
	};
	/* the bit field lies behind read_format; its layout is the machine's, its order ours */
	memcpy(&attr->flags,
	       bytes.p + offsetof(struct perf_event_attr, read_format) + sizeof raw.read_format,
	       sizeof attr->flags);
	return 0;
}

/* perf-list(1) calls them so, and so does perf where a file has no names. */
struct pl_str pl_perf_attr_name(const struct pl_perf_attr *attr)
{
	static const char *const hardware[] = {
		[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
		[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
		[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
		[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
		[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
		[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
		[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
		[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
		[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
	};
	static const char *const software[] = {
		[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
		[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
		[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
		[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
		[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
		[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
		[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
		[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
		[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
		[PERF_COUNT_SW_DUMMY] = "dummy",
		[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
		[PERF_COUNT_SW_CGROUP_SWITCHES] = "cgroup-switches",
	};
	const char *name = NULL;

	if (attr->type == PERF_TYPE_HARDWARE && attr->config < PL_COUNT(hardware))
		name = hardware[attr->config];
	if (attr->type == PERF_TYPE_SOFTWARE && attr->config < PL_COUNT(software))
		name = software[attr->config];
	return pl_str(name);
}

/* ---- the header ---- */

static int refuse_magic(struct pl_bytes file, struct pl_err *err)
{
	if (file.n == 0)
		return pl_err_set(err, PL_E_NO_SAMPLES, _("the input is empty"));
	if (file.n >= MAGIC && memcmp(file.p, magic_swapped, MAGIC) == 0) {
		pl_err_set(err, PL_E_UNSUPPORTED_FORMAT,
			   _("recorded on a machine of the other byte order"));
		return pl_err_action(err, _("read it there, or with perf script on such a machine "
					    "and pl-script-parse here"));
	}
	if (file.n >= MAGIC && memcmp(file.p, magic_old, MAGIC) == 0)
		return pl_err_set(err, PL_E_UNSUPPORTED_FORMAT,
				  _("a recording in the first format of perf, from before 2010"));
	pl_err_set(err, PL_E_UNSUPPORTED_FORMAT,
		   _("no perf.data recording: it does not begin "
		     "with PERFILE2"));
	return pl_err_action(err, _("text of perf script goes to pl-script-parse, folded stacks "
				    "to pl-fold-parse"));
}

static struct pl_perf_section take_section(struct pl_reader *r)
{
	uint64_t offset = pl_take_u64(r), size = pl_take_u64(r);

	return r->bad ? (struct pl_perf_section){0, 0} : (struct pl_perf_section){offset, size};
}

struct pl_perf_section pl_perf_section_read(struct pl_bytes bytes)
{
	struct pl_reader r = pl_reader(bytes);

	return take_section(&r);
}

/* struct perf_file_header */
int pl_perf_header_read(struct pl_perf_header *h, struct pl_bytes start, uint64_t size,
			struct pl_err *err)
{
	struct pl_reader r = pl_reader(start);
	struct pl_bytes begin = pl_take_bytes(&r, MAGIC);

	memset(h, 0, sizeof *h);
	if (begin.n < MAGIC || memcmp(begin.p, magic, MAGIC) != 0)
		return refuse_magic(start, err);
	uint64_t own_size = pl_take_u64(&r);
	h->pipe = own_size == PIPE_HEADER;
	if (h->pipe) {
		h->finished = true;
		h->data = (struct pl_perf_section){PIPE_HEADER, size - PIPE_HEADER};
		return 0;
	}
	h->attr_size = pl_take_u64(&r);
	h->attrs = take_section(&r);
	h->data = take_section(&r);
	take_section(&r); /* event types: not since 2013 */
	for (size_t i = 0; i < PL_COUNT(h->features); i++)
		h->features[i] = pl_take_u64(&r);
	if (r.bad || own_size < PL_PERF_HEADER_MAX || h->data.offset > size)
		return pl_err_set(err, PL_E_PROFILE_PARSE_FAILED,
				  _("the recording is cut within its header"));
	h->finished = h->data.size != 0;
	if (!h->finished)
		h->data.size = size - h->data.offset;
	return 0;
}

/* Behind the data lies a table of sections, one for each bit that is set, in their order. */
bool pl_perf_feature_at(const struct pl_perf_header *h, enum pl_perf_feature feature, uint64_t *at)
{
	size_t before = 0;

	if (h->pipe || !h->finished || !(h->features[feature / 64] >> feature % 64 & 1) ||
	    __builtin_add_overflow(h->data.offset, h->data.size, at))
		return false;
	for (size_t i = 0; i < feature; i++)
		before += h->features[i / 64] >> i % 64 & 1;
	return !__builtin_add_overflow(*at, before * PL_PERF_SECTION_SIZE, at);
}

/* ---- records ---- */

size_t pl_perf_record_read(struct pl_perf_record *record, struct pl_bytes bytes)
{
	struct perf_event_header h;

	_Static_assert(sizeof h == PL_PERF_RECORD_HEADER, "struct perf_event_header");
	if (bytes.n < sizeof h)
		return 0;
	memcpy(&h, bytes.p, sizeof h);
	if (h.size < sizeof h || h.size > bytes.n)
		return 0;
	*record = (struct pl_perf_record){
		.type = h.type,
		.misc = h.misc,
		.body = {bytes.p + sizeof h, h.size - sizeof h},
	};
	return h.size;
}

/* The bytes that say which file it is: device and inode, or a build ID and its length. */
static void read_identity(struct pl_perf_mmap *m, struct pl_reader *r, bool has_build_id)
{
	if (has_build_id) {
		uint32_t size = pl_take_u32(r) & 0xff;
		struct pl_bytes id = pl_take_bytes(r, PL_PERF_BUILD_ID_MAX);
		m->build_id = (struct pl_bytes){id.p, size < id.n ? size : id.n};
		return;
	}
	m->device = (uint64_t)pl_take_u32(r) << 32;
	m->device |= pl_take_u32(r);
	m->inode = pl_take_u64(r);
	m->generation = pl_take_u64(r);
}

int pl_perf_mmap_read(struct pl_perf_mmap *m, const struct pl_perf_record *record)
{
	struct pl_reader r = pl_reader(record->body);

	*m = (struct pl_perf_mmap){.prot = PROT_EXEC};
	m->pid = pl_take_u32(&r);
	m->tid = pl_take_u32(&r);
	m->start = pl_take_u64(&r);
	m->length = pl_take_u64(&r);
	m->pgoff = pl_take_u64(&r);
	if (record->type == PERF_RECORD_MMAP2) {
		read_identity(m, &r, record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
		m->prot = pl_take_u32(&r);
		pl_take_u32(&r); /* flags of mmap(2) */
	} else if (record->misc & PERF_RECORD_MISC_MMAP_DATA) {
		m->prot = PROT_READ;
	}
	if (r.bad)
		return -1;
	m->file = pl_perf_text((struct pl_bytes){r.p, pl_left(&r)});
	return m->file.n < PL_PERF_PATH_MAX ? 0 : -1;
}

int pl_perf_build_id_read(struct pl_perf_build_id *b, uint16_t misc, struct pl_bytes body)
{
	enum { ROOM = 24, SIZE_AT = 20, HAS_SIZE = 1 << 15, USUAL = 20 };
	struct pl_reader r = pl_reader(body);

	*b = (struct pl_perf_build_id){.misc = misc, .pid = (int32_t)pl_take_u32(&r)};
	struct pl_bytes id = pl_take_bytes(&r, ROOM);
	if (r.bad)
		return -1;
	/* PERF_RECORD_MISC_BUILD_ID_SIZE: before Linux 5.10 all had the same length */
	size_t size = misc & HAS_SIZE ? id.p[SIZE_AT] : USUAL;
	b->id = (struct pl_bytes){id.p, size < PL_PERF_BUILD_ID_MAX ? size : PL_PERF_BUILD_ID_MAX};
	b->file = pl_perf_text((struct pl_bytes){r.p, pl_left(&r)});
	return b->file.n < PL_PERF_PATH_MAX ? 0 : -1;
}
