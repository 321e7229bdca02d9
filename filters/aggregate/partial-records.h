/* partial-records: the records of perflens.partial as they are read, and their members */
#ifndef PL_AGGREGATE_PARTIAL_RECORDS_H
#define PL_AGGREGATE_PARTIAL_RECORDS_H

#include "profile.h"
#include "record.h"

struct partial_event {
	struct pl_event event;
	struct tally sums; /* only its plain counters are used */
	struct pl_str squares, largest_stack;
};

struct partial_module {
	uint32_t event;
	struct pl_str dso, build_id, kind, symbols, reason;
	uint64_t self, unresolved_self;
};

struct partial_key {
	uint32_t id, event;
	struct pl_str name, dso, kind;
	bool inlined;
	uint64_t self, inclusive, self_samples, samples, occurrences, threads, idle;
	uint32_t variants, sources, addresses;
};

struct partial_detail {
	struct pl_str file, build_id, offset;
	uint64_t line, self;
};

struct partial_path {
	uint32_t event;
	uint64_t weight, samples;
	uint32_t keys;
};

struct partial_end {
	uint64_t events, keys, paths, malformed, skipped, replaced, records;
	uint32_t diagnostics;
};

/* As schemas/perflens.partial.schema.json declares them. */
extern const struct pl_record partial_event_record, partial_module_record, partial_key_record,
	partial_path_record, partial_end_record;
/* The elements of a key's sources and addresses: struct partial_detail. */
extern const struct pl_record partial_source_record, partial_address_record;

#endif
