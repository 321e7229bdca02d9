/* recording: attributes, features and the order of records, from file mode and pipe mode */
#include "recording.h"
#include "limits.h"
#include "mem.h"
#include "text.h"

#include <stdlib.h>

enum { WORD = 8, BUILD_IDS_MAX = 1 << 20 };

static const unsigned char *start_of(const struct pl_perf_record *record)
{
	return record->body.p - PL_PERF_RECORD_HEADER;
}

/* At r->at. */
static void malformed(struct recording *r, const char *code, const char *message)
{
	r->parser->offset = r->at;
	pl_parser_malformed(r->parser, code, message, PL_S(""));
}

/* Where a section ends, or the file before it does. */
static uint64_t section_end(const struct recording *r, struct pl_perf_section s)
{
	uint64_t end;

	if (__builtin_add_overflow(s.offset, s.size, &end) || end > r->store->size)
		return r->store->size;
	return end;
}

void recording_skip(struct pl_parser *parser, uint32_t type)
{
	enum { CALLCHAIN_DEFERRED = 22 }; /* PERF_RECORD_*, from Linux 6.19 */
	static const char *const names[] = {
		[PERF_RECORD_THROTTLE] = "throttle",
		[PERF_RECORD_UNTHROTTLE] = "unthrottle",
		[PERF_RECORD_READ] = "read",
		[PERF_RECORD_AUX] = "aux",
		[PERF_RECORD_ITRACE_START] = "itrace_start",
		[PERF_RECORD_SWITCH] = "switch",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "switch_cpu_wide",
		[PERF_RECORD_NAMESPACES] = "namespaces",
		[PERF_RECORD_BPF_EVENT] = "bpf_event",
		[PERF_RECORD_CGROUP] = "cgroup",
		[PERF_RECORD_TEXT_POKE] = "text_poke",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "aux_output_hw_id",
		[CALLCHAIN_DEFERRED] = "callchain_deferred",
		[PL_PERF_AUXTRACE_INFO] = "auxtrace_info",
		[PL_PERF_AUXTRACE] = "auxtrace",
		[PL_PERF_STAT_CONFIG] = "stat_config",
		[PL_PERF_STAT] = "stat",
		[PL_PERF_STAT_ROUND] = "stat_round",
	};
	const char *name = type < PL_COUNT(names) ? names[type] : NULL;

	parser->skipped++;
	pl_parser_field(parser, name ? name : "unknown", 1);
}

/* ---- attributes ---- */

static int events_failed(struct recording *r)
{
	r->err = r->events.err;
	return -1;
}

/* struct perf_file_attr: an attribute, and where its IDs are. */
static int read_attr(struct recording *r, uint64_t at, uint64_t size)
{
	struct pl_bytes both = store_bytes(r->store, at, size);
	size_t attr_n = (size_t)size - PL_PERF_SECTION_SIZE;
	struct pl_perf_section ids =
		pl_perf_section_read((struct pl_bytes){both.p + attr_n, PL_PERF_SECTION_SIZE});

	if (events_add(&r->events, (struct pl_bytes){both.p, attr_n}) ||
	    events_add_ids(&r->events,
			   store_bytes(r->store, ids.offset,
				       ids.size < EVENTS_IDS_BYTES ? ids.size : EVENTS_IDS_BYTES)))
		return events_failed(r);
	return 0;
}

static int read_attrs(struct recording *r)
{
	const struct pl_perf_header *h = &r->header;
	uint64_t size = h->attr_size, end = section_end(r, h->attrs);

	if (size <= PL_PERF_SECTION_SIZE || h->attrs.offset >= end || size > end - h->attrs.offset)
		return pl_err_set(&r->err, PL_E_PROFILE_PARSE_FAILED,
				  _("the recording says of no event what it is"));
	for (uint64_t at = h->attrs.offset; size <= end - at; at += size)
		if (read_attr(r, at, size))
			return -1;
	return 0;
}

/* An attribute, as long as it says, and then IDs up to the end. */
static int read_attr_record(struct recording *r, const struct pl_perf_record *record)
{
	uint32_t size = 0;
	struct pl_bytes body = record->body;

	if (body.n >= 2 * sizeof size)
		memcpy(&size, body.p + sizeof size, sizeof size);
	if (size > body.n)
		size = 0;
	if (events_add(&r->events, body) ||
	    events_add_ids(&r->events, (struct pl_bytes){body.p + size, size ? body.n - size : 0}))
		return events_failed(r);
	return 0;
}

/* ---- when a record was made, and of which event it is ---- */

static uint64_t word(struct pl_bytes b, size_t at)
{
	uint64_t v = 0;

	if (at < b.n / WORD)
		memcpy(&v, b.p + at * WORD, WORD);
	return v;
}

static void add_entry(struct recording *r, const struct pl_perf_record *record, uint64_t time,
		      uint32_t event)
{
	struct order_entry entry = {.time = time, .event = event, .in_memory = r->unpacking};

	if (r->unpacking)
		entry.record = start_of(record);
	else
		entry.at = r->at;
	order_add(&r->order, &entry);
}

static int add_sample(struct recording *r, const struct pl_perf_record *record)
{
	uint32_t event = events_find(
		&r->events, r->events.id_at < 0 ? 0 : word(record->body, (size_t)r->events.id_at));

	if (event == UINT32_MAX) {
		malformed(r, "UNKNOWN_EVENT", "a sample of no event of this file");
		return 0;
	}
	int at = r->events.v[event].time_at;
	add_entry(r, record, at < 0 ? 0 : word(record->body, (size_t)at), event);
	return 0;
}

static int add_other(struct recording *r, const struct pl_perf_record *record)
{
	struct pl_perf_trailer trailer;
	size_t words = record->body.n / WORD, at = (size_t)r->events.trailer_id_at;
	uint32_t event = 0;

	if (r->events.trailer_id_at > 0 && words >= at)
		event = events_find(&r->events, word(record->body, words - at));
	/* records that perf made itself have no ID */
	if (event == UINT32_MAX)
		event = 0;
	if (pl_perf_trailer_read(&trailer, &r->events.v[event].attr, record->body)) {
		malformed(r, "RECORD_CUT", "a record is shorter than its kind");
		return 0;
	}
	if (record->type == PERF_RECORD_MMAP2) {
		PL_GROW(r->mmaps, r->mmaps_n + 1, r->mmaps_cap);
		r->mmaps[r->mmaps_n++] = (uint32_t)r->order.n;
	}
	add_entry(r, record, trailer.time, event);
	return 0;
}

static int add_kernel_record(struct recording *r, const struct pl_perf_record *record)
{
	if (r->events.n == 0) {
		malformed(r, "UNKNOWN_EVENT", "a record before any attribute");
		return 0;
	}
	if (r->order.n >= r->max_records)
		return pl_limit_exceeded(&r->err, PL_LIMIT_RECORDS, r->max_records);
	return record->type == PERF_RECORD_SAMPLE ? add_sample(r, record) : add_other(r, record);
}

/* ---- records of perf ---- */

static void add_build_id(struct recording *r, struct pl_bytes whole)
{
	if (r->build_ids_n == BUILD_IDS_MAX)
		return;
	PL_GROW(r->build_ids, r->build_ids_n + 1, r->build_ids_cap);
	r->build_ids[r->build_ids_n++] = whole;
}

static void add_feature(struct recording *r, struct pl_bytes body)
{
	struct pl_reader reader = pl_reader(body);
	uint64_t feature = pl_take_u64(&reader);

	if (!reader.bad && feature < PL_PERF_FEATURES)
		r->features[feature] =
			store_kept(r->store, (struct pl_bytes){reader.p, pl_left(&reader)});
}

/* PERF_EVENT_UPDATE__NAME: the name of the event that has this ID. */
static void update_event(struct recording *r, struct pl_bytes body)
{
	enum { NAME = 2 };
	struct pl_reader reader = pl_reader(body);
	uint64_t what = pl_take_u64(&reader);
	uint32_t event = events_find(&r->events, pl_take_u64(&reader));

	if (!reader.bad && what == NAME && event < r->events.n)
		r->events.v[event].name = pl_perf_text(
			store_kept(r->store, (struct pl_bytes){reader.p, pl_left(&reader)}));
}

/* Bytes behind a record that belong to it and are not in its size. */
static uint64_t bytes_behind(const struct pl_perf_record *record)
{
	struct pl_reader reader = pl_reader(record->body);

	if (record->type == PL_PERF_AUXTRACE)
		return pl_take_u64(&reader);
	if (record->type == PL_PERF_HEADER_TRACING_DATA)
		return ((uint64_t)pl_take_u32(&reader) + WORD - 1) / WORD * WORD;
	return 0;
}

/* What perf notes for itself says nothing about samples, and is no loss. */
static bool is_bookkeeping(uint32_t type)
{
	return type == PL_PERF_HEADER_EVENT_TYPE || type == PL_PERF_FINISHED_ROUND ||
	       type == PL_PERF_ID_INDEX || type == PL_PERF_THREAD_MAP || type == PL_PERF_CPU_MAP ||
	       type == PL_PERF_TIME_CONV || type == PL_PERF_FINISHED_INIT;
}

/* What follows the record lies at `behind`. */
static int add_tool_record(struct recording *r, const struct pl_perf_record *record,
			   struct pl_perf_section behind)
{
	switch (record->type) {
	case PL_PERF_HEADER_ATTR:
		return r->header.pipe ? read_attr_record(r, record) : 0;
	case PL_PERF_HEADER_BUILD_ID:
		add_build_id(r,
			     store_kept(r->store,
					(struct pl_bytes){start_of(record),
							  record->body.n + PL_PERF_RECORD_HEADER}));
		return 0;
	case PL_PERF_HEADER_FEATURE:
		add_feature(r, record->body);
		return 0;
	case PL_PERF_EVENT_UPDATE:
		update_event(r, record->body);
		return 0;
	case PL_PERF_HEADER_TRACING_DATA:
		r->features[PL_PERF_TRACING_DATA] =
			store_keep(r->store, behind.offset, behind.size);
		return 0;
	default:
		if (!is_bookkeeping(record->type))
			recording_skip(r->parser, record->type);
		return 0;
	}
}

/* ---- the data ---- */

/* A compressed record of the second kind says how many of its bytes count (Linux 6.16). */
static struct pl_bytes packed_bytes(const struct pl_perf_record *record)
{
	struct pl_reader reader = pl_reader(record->body);

	if (record->type == PL_PERF_COMPRESSED)
		return record->body;
	uint64_t n = pl_take_u64(&reader);
	return pl_take_bytes(&reader, n);
}

static int add_record(struct recording *r, const struct pl_perf_record *record,
		      struct pl_perf_section behind)
{
	return record->type < PL_PERF_TOOL_FIRST ? add_kernel_record(r, record)
						 : add_tool_record(r, record, behind);
}

/* What was compressed holds no compressed record, and none that has bytes behind it. */
static int add_unpacked(struct recording *r, struct pl_bytes records)
{
	struct pl_perf_record record;
	size_t size;

	for (size_t at = 0; at < records.n; at += size) {
		size = pl_perf_record_read(&record,
					   (struct pl_bytes){records.p + at, records.n - at});
		if (bytes_behind(&record) || record.type == PL_PERF_COMPRESSED ||
		    record.type == PL_PERF_COMPRESSED2)
			malformed(r, "RECORD_KIND", "a record that cannot be compressed is");
		else if (add_record(r, &record, (struct pl_perf_section){0, 0}))
			return -1;
	}
	return 0;
}

static int add_compressed(struct recording *r, const struct pl_perf_record *record)
{
	struct pl_bytes records;

	if (inflate_add(&r->inflate, packed_bytes(record), &records)) {
		if (r->inflate.err.code == PL_E_RESOURCE_LIMIT_EXCEEDED) {
			r->err = r->inflate.err;
			return -1;
		}
		malformed(r, "COMPRESSED_DAMAGED", "a compressed record cannot be unpacked");
	}
	r->unpacking = true;
	int failed = add_unpacked(r, records);
	r->unpacking = false;
	return failed;
}

/* The record at a place before `end`: its size, or 0: none is whole there. */
static size_t record_at(struct store *s, uint64_t at, uint64_t end, struct pl_perf_record *record)
{
	struct perf_event_header h = {0};
	struct pl_bytes head = store_bytes(s, at, end - at < sizeof h ? end - at : sizeof h);

	if (head.n == sizeof h)
		memcpy(&h, head.p, sizeof h);
	return pl_perf_record_read(record,
				   store_bytes(s, at, end - at < h.size ? end - at : h.size));
}

/* One record at r->at, before `end`; *next is where the next one is. */
static int read_record(struct recording *r, uint64_t end, uint64_t *next)
{
	struct pl_perf_record record;
	size_t size = record_at(r->store, r->at, end, &record);

	*next = end;
	if (size == 0) {
		malformed(r, "RECORD_CUT", "the data end within a record");
		return 0;
	}
	struct pl_perf_section behind = {r->at + size, 0};
	if (record.type == PL_PERF_COMPRESSED || record.type == PL_PERF_COMPRESSED2) {
		*next = behind.offset;
		return add_compressed(r, &record);
	}
	behind.size = bytes_behind(&record);
	if (behind.size > end - behind.offset) {
		malformed(r, "RECORD_CUT", "the data end within what a record announces");
		behind.size = end - behind.offset;
	}
	*next = behind.offset + behind.size;
	return add_record(r, &record, behind);
}

/* What reading the file failed with, if it did. */
static int check_store(struct recording *r)
{
	if (!r->store->err.code)
		return 0;
	r->err = r->store->err;
	return -1;
}

static int read_data(struct recording *r)
{
	const struct pl_perf_section *data = &r->header.data;
	uint64_t end = section_end(r, *data), next;

	for (r->at = data->offset; r->at < end; r->at = next)
		if (read_record(r, end, &next) || check_store(r))
			return -1;
	r->at = end;
	if (end - data->offset < data->size)
		malformed(r, "RECORDING_CUT",
			  "the file ends before the data that its header announces");
	if (r->inflate.rest)
		malformed(r, "RECORD_CUT", "the compressed data end within a record");
	if (!r->header.finished)
		malformed(r, "RECORDING_NOT_CLOSED",
			  "perf did not finish this recording: its end may be missing");
	return 0;
}

/* ---- features ---- */

/* Those that are asked for. perf keeps each at a place of its own: together they are no more than
 * the file. */
static void find_features(struct recording *r)
{
	static const enum pl_perf_feature wanted[] = {
		PL_PERF_TRACING_DATA, PL_PERF_BUILD_ID,	  PL_PERF_HOSTNAME, PL_PERF_OSRELEASE,
		PL_PERF_ARCH,	      PL_PERF_NRCPUS,	  PL_PERF_CPUDESC,  PL_PERF_CMDLINE,
		PL_PERF_EVENT_DESC,   PL_PERF_SAMPLE_TIME};
	uint64_t left = r->store->size, at;

	for (size_t i = 0; i < PL_COUNT(wanted); i++) {
		if (!pl_perf_feature_at(&r->header, wanted[i], &at))
			continue;
		struct pl_perf_section section =
			pl_perf_section_read(store_bytes(r->store, at, PL_PERF_SECTION_SIZE));
		uint64_t end = section_end(r, section);
		if (section.offset >= end || end - section.offset > left)
			continue;
		left -= end - section.offset;
		r->features[wanted[i]] = store_keep(r->store, section.offset, end - section.offset);
	}
}

/* The feature BUILD_ID is a sequence of records. */
static void read_build_ids(struct recording *r)
{
	struct pl_bytes all = r->features[PL_PERF_BUILD_ID];
	struct pl_perf_record record;
	size_t at = 0, size;

	while (all.p && (size = pl_perf_record_read(
				 &record, (struct pl_bytes){all.p + at, all.n - at})) > 0) {
		add_build_id(r, (struct pl_bytes){all.p + at, size});
		at += size;
	}
}

int recording_build_id(const struct recording *r, size_t i, struct pl_perf_build_id *b)
{
	struct pl_perf_record record;

	if (pl_perf_record_read(&record, r->build_ids[i]) == 0)
		return -1;
	return pl_perf_build_id_read(b, record.misc, record.body);
}

/* Samples with saved stacks wait to be unwound, and a recording for a pipe says too late whether it
 * has such: their bytes have to stay. */
static bool needs_all(const struct recording *r)
{
	bool saved = false;

	for (size_t i = 0; i < r->events.n; i++)
		saved |= pl_perf_saves_stack(&r->events.v[i].attr);
	return saved || r->header.pipe;
}

static int read_all(struct recording *r)
{
	struct pl_bytes start = store_bytes(r->store, 0, PL_PERF_HEADER_MAX);

	if (pl_perf_header_read(&r->header, start, r->store->size, &r->err))
		return -1;
	if (!r->header.pipe && read_attrs(r))
		return -1;
	if (needs_all(r))
		store_load(r->store);
	find_features(r);
	if (read_data(r))
		return -1;
	read_build_ids(r);
	events_name(&r->events, r->features[PL_PERF_EVENT_DESC]);
	store_spread(r->store, order_end(&r->order));
	return 0;
}

int recording_open(struct recording *r, struct store *store, struct pl_parser *parser,
		   const struct pl_limits *limits)
{
	*r = (struct recording){
		.store = store,
		.parser = parser,
		.max_records = limits->v[PL_LIMIT_RECORDS],
		.inflate.max_bytes = limits->v[PL_LIMIT_INPUT_BYTES],
	};
	if (r->max_records > ORDER_NONE - 1)
		r->max_records = ORDER_NONE - 1;
	events_start(&r->events);
	int failed = read_all(r);
	/* what is wrong with a file that changed is that it changed */
	return check_store(r) ? -1 : failed;
}

static int read_entry(struct recording *r, const struct order_entry *entry,
		      struct pl_perf_record *record)
{
	size_t size;

	if (entry->in_memory) {
		/* it was whole when it was put in order */
		size = pl_perf_record_read(record, (struct pl_bytes){entry->record, UINT16_MAX});
	} else {
		r->at = entry->at;
		size = record_at(r->store, entry->at, r->store->size, record);
	}
	if (size == 0 && !r->store->err.code)
		pl_err_set(&r->store->err, PL_E_PATH_SAFETY_VIOLATION,
			   _("changed while it was read"));
	return check_store(r);
}

int recording_next(struct recording *r, struct pl_perf_record *record, uint32_t *event)
{
	const struct order_entry *entry = order_take(&r->order);

	if (!entry)
		return 0;
	*event = entry->event;
	return read_entry(r, entry, record) ? -1 : 1;
}

int recording_mmap(struct recording *r, size_t i, struct pl_perf_record *record)
{
	return read_entry(r, order_entry(&r->order, r->mmaps[i]), record);
}

void recording_close(struct recording *r)
{
	events_free(&r->events);
	free(r->build_ids);
	free(r->mmaps);
	order_free(&r->order);
	inflate_free(&r->inflate);
}
