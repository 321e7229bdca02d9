/*
 * perfdata: the perf.data format: its header, attributes, features and records.
 *
 * Sources: perf.data-file-format.txt and struct perf_file_header of the kernel's tools/perf;
 * perf_event_open(2) and <linux/perf_event.h> for attributes and kernel records. Every length,
 * offset and count is one of a hostile file: all of these functions look before they read, and
 * none reads beyond the bytes it was given. Numbers are in the order of this machine; a file of the
 * other order is recognised and refused.
 */
#ifndef PL_PERFDATA_H
#define PL_PERFDATA_H

#include "bytes.h"
#include "err.h"
#include <linux/perf_event.h>

/* Records that perf itself writes; those of the kernel are PERF_RECORD_* of <linux/perf_event.h>.
 * (tools/lib/perf/include/perf/event.h) */
enum {
	PL_PERF_HEADER_ATTR = 64,
	PL_PERF_HEADER_EVENT_TYPE = 65,
	PL_PERF_HEADER_TRACING_DATA = 66,
	PL_PERF_HEADER_BUILD_ID = 67,
	PL_PERF_FINISHED_ROUND = 68,
	PL_PERF_ID_INDEX = 69,
	PL_PERF_AUXTRACE_INFO = 70,
	PL_PERF_AUXTRACE = 71,
	PL_PERF_THREAD_MAP = 73,
	PL_PERF_CPU_MAP = 74,
	PL_PERF_STAT_CONFIG = 75,
	PL_PERF_STAT = 76,
	PL_PERF_STAT_ROUND = 77,
	PL_PERF_EVENT_UPDATE = 78,
	PL_PERF_TIME_CONV = 79,
	PL_PERF_HEADER_FEATURE = 80,
	PL_PERF_COMPRESSED = 81,
	PL_PERF_FINISHED_INIT = 82,
	PL_PERF_COMPRESSED2 = 83,
	PL_PERF_TOOL_FIRST = 64
};

/* Features: bits of the header, and kinds of PL_PERF_HEADER_FEATURE (tools/perf/util/header.h). */
enum pl_perf_feature {
	PL_PERF_TRACING_DATA = 1,
	PL_PERF_BUILD_ID = 2,
	PL_PERF_HOSTNAME = 3,
	PL_PERF_OSRELEASE = 4,
	PL_PERF_VERSION = 5,
	PL_PERF_ARCH = 6,
	PL_PERF_NRCPUS = 7,
	PL_PERF_CPUDESC = 8,
	PL_PERF_CMDLINE = 11,
	PL_PERF_EVENT_DESC = 12,
	PL_PERF_SAMPLE_TIME = 21,
	PL_PERF_FEATURES = 256 /* bits in the header */
};

/* Flags of an attribute's bit field, by position (struct perf_event_attr). */
enum {
	PL_PERF_FREQ = 10,
	PL_PERF_SAMPLE_ID_ALL = 18,
};

enum { PL_PERF_BUILD_ID_MAX = 20, PL_PERF_PATH_MAX = 4096 };

/* The text up to its NUL, or up to the end of b. */
struct pl_str pl_perf_text(struct pl_bytes b);
/* A string of features: a 32-bit length and so many bytes, ended and filled up with NULs. */
struct pl_str pl_perf_string(struct pl_reader *r);

/* ---- attributes ---- */

/* What is known of struct perf_event_attr: newer ones are longer, older ones shorter, and what a
 * file does not have is 0. */
struct pl_perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_period; /* or frequency */
	uint64_t sample_type, read_format;
	uint64_t flags; /* bit PL_PERF_… */
	uint64_t branch_sample_type, sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user;
	uint16_t sample_max_stack; /* 0: the kernel's own limit */
};
/* 0, or -1: there is no attribute that could be read. */
int pl_perf_attr_read(struct pl_perf_attr *attr, struct pl_bytes bytes);
static inline bool pl_perf_attr_flag(const struct pl_perf_attr *attr, unsigned flag)
{
	return attr->flags >> flag & 1;
}
/* Do its samples hold the stack of the process, and the registers that it starts from? */
static inline bool pl_perf_saves_stack(const struct pl_perf_attr *attr)
{
	const uint64_t both = PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER;

	return (attr->sample_type & both) == both;
}
/* The name that perf_event_open(2)'s numbers have ("cpu-clock"), or an absent view: raw events,
 * PMUs and tracepoints have their names from elsewhere. */
struct pl_str pl_perf_attr_name(const struct pl_perf_attr *attr);

/* ---- the header ---- */

struct pl_perf_section {
	uint64_t offset, size;
};
struct pl_perf_header {
	bool pipe;     /* made for a pipe: attributes and features are records */
	bool finished; /* perf closed the file: else its data have no length, and it has no
			  features */
	uint64_t attr_size;
	struct pl_perf_section attrs, data;
	uint64_t features[PL_PERF_FEATURES / 64];
};
/*
 * `start` is the first PL_PERF_HEADER_MAX bytes of a file of `size` bytes, or all that there are.
 * 0, or -1: `err` says that this is no recording, or which kind of recording it is that cannot be
 * read (other byte order, the format before Linux 3, cut within the header).
 */
enum { PL_PERF_HEADER_MAX = 104 };
int pl_perf_header_read(struct pl_perf_header *h, struct pl_bytes start, uint64_t size,
			struct pl_err *err);
/* Where a section is: its offset and its size. Of a cut one, both are 0. */
enum { PL_PERF_SECTION_SIZE = 16 };
struct pl_perf_section pl_perf_section_read(struct pl_bytes bytes);
/* Has the file this feature? Then the section that says where it is is at *at. */
bool pl_perf_feature_at(const struct pl_perf_header *h, enum pl_perf_feature feature, uint64_t *at);

/* ---- records ---- */

struct pl_perf_record {
	uint32_t type;
	uint16_t misc;
	struct pl_bytes body; /* without the eight bytes of its header */
};
enum { PL_PERF_RECORD_HEADER = 8 };
/* The record at the start of `bytes`: its size, or 0: none is whole there. */
size_t pl_perf_record_read(struct pl_perf_record *record, struct pl_bytes bytes);

/* A mapping: MMAP and MMAP2. */
struct pl_perf_mmap {
	uint32_t pid, tid;
	uint64_t start, length, pgoff;
	uint32_t prot;			    /* PROT_EXEC where MMAP does not say */
	uint64_t device, inode, generation; /* 0 where it has a build ID or is of MMAP */
	struct pl_bytes build_id;	    /* n 0: none */
	struct pl_str file;
};
/* 0, or -1: it is cut, or its file's name is longer than any that the kernel writes. */
int pl_perf_mmap_read(struct pl_perf_mmap *m, const struct pl_perf_record *record);

/* An element of the feature BUILD_ID, and PL_PERF_HEADER_BUILD_ID. */
struct pl_perf_build_id {
	uint16_t misc; /* its processor mode says whose file it is */
	int32_t pid;
	struct pl_bytes id;
	struct pl_str file;
};
/* 0, or -1, as pl_perf_mmap_read(). */
int pl_perf_build_id_read(struct pl_perf_build_id *b, uint16_t misc, struct pl_bytes body);

#endif
