/* partial-records: the tables, in schema order */
#include "partial-records.h"

#define SUM(name, field) PL_MEMBER(struct partial_event, name, sums.field, PL_M_U64, PL_M_REQUIRED)
#define OPTIONAL(name, field) PL_MEMBER(struct partial_event, name, sums.field, PL_M_U64, 0)
#define TEXT(name, field) PL_MEMBER(struct partial_event, name, field, PL_M_STR, PL_M_REQUIRED)
static const struct pl_member event_members[] = {
	PL_MEMBER(struct partial_event, "id", event.id, PL_M_U32, PL_M_REQUIRED),
	TEXT("name", event.name),
	TEXT("unit", event.unit),
	TEXT("weight_source", event.weight_source),
	TEXT("source", event.source),
	SUM("samples", samples),
	SUM("weight", weight),
	TEXT("squares", squares),
	SUM("stackless", stackless),
	SUM("lost", lost),
	SUM("threads", threads),
	SUM("multi_frame_weight", multi_frame_weight),
	SUM("idle_weight", idle_weight),
	SUM("unresolved_user", unresolved[MODE_USER]),
	SUM("unresolved_kernel", unresolved[MODE_KERNEL]),
	SUM("unresolved_other", unresolved[MODE_OTHER]),
	SUM("known_mode_weight", known_mode_weight),
	SUM("source_line_self", source_line_self),
	SUM("inlined_frames", inlined_frames),
	SUM("cut_weight", cut_weight),
	SUM("suspect_callers", suspect_callers),
	SUM("jit_frames", jit_frames),
	OPTIONAL("unresolved_callers", unresolved_callers),
	OPTIONAL("trusted_frames", trusted_frames),
	SUM("largest", largest),
	TEXT("largest_stack", largest_stack),
	SUM("announced_samples", announced),
	SUM("received_samples", received),
};
#undef SUM
#undef OPTIONAL
#undef TEXT
const struct pl_record partial_event_record = {"event", event_members, PL_COUNT(event_members)};

static const struct pl_member module_members[] = {
	PL_MEMBER(struct partial_module, "event", event, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct partial_module, "dso", dso, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct partial_module, "build_id", build_id, PL_M_STR,
		  PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_module, "kind", kind, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_module, "symbols", symbols, PL_M_STR,
		  PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_module, "reason", reason, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_module, "self", self, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct partial_module, "unresolved_self", unresolved_self, PL_M_U64,
		  PL_M_REQUIRED),
};
const struct pl_record partial_module_record = {"module", module_members, PL_COUNT(module_members)};

#define SUM(field) PL_MEMBER(struct partial_key, #field, field, PL_M_U64, PL_M_REQUIRED)
static const struct pl_member key_members[] = {
	PL_MEMBER(struct partial_key, "id", id, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct partial_key, "event", event, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct partial_key, "name", name, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct partial_key, "dso", dso, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_key, "kind", kind, PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_key, "inlined", inlined, PL_M_BOOL, PL_M_REQUIRED),
	SUM(self),
	SUM(inclusive),
	SUM(self_samples),
	SUM(samples),
	SUM(occurrences),
	SUM(threads),
	SUM(idle),
	PL_MEMBER(struct partial_key, "variants", variants, PL_M_ARRAY, PL_M_REQUIRED),
	PL_MEMBER(struct partial_key, "sources", sources, PL_M_ARRAY, PL_M_REQUIRED),
	PL_MEMBER(struct partial_key, "addresses", addresses, PL_M_ARRAY, PL_M_REQUIRED),
};
#undef SUM
const struct pl_record partial_key_record = {"key", key_members, PL_COUNT(key_members)};

static const struct pl_member source_members[] = {
	PL_MEMBER(struct partial_detail, "file", file, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct partial_detail, "line", line, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct partial_detail, "self", self, PL_M_U64, PL_M_REQUIRED),
};
const struct pl_record partial_source_record = {"source", source_members, PL_COUNT(source_members)};
static const struct pl_member address_members[] = {
	PL_MEMBER(struct partial_detail, "build_id", build_id, PL_M_STR,
		  PL_M_REQUIRED | PL_M_NULLABLE),
	PL_MEMBER(struct partial_detail, "offset", offset, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct partial_detail, "self", self, PL_M_U64, PL_M_REQUIRED),
};
const struct pl_record partial_address_record = {"address", address_members,
						 PL_COUNT(address_members)};

static const struct pl_member path_members[] = {
	PL_MEMBER(struct partial_path, "event", event, PL_M_U32, PL_M_REQUIRED),
	PL_MEMBER(struct partial_path, "weight", weight, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct partial_path, "samples", samples, PL_M_U64, PL_M_REQUIRED),
	PL_MEMBER(struct partial_path, "keys", keys, PL_M_ARRAY, PL_M_REQUIRED),
};
const struct pl_record partial_path_record = {"path", path_members, PL_COUNT(path_members)};

#define SUM(field) PL_MEMBER(struct partial_end, #field, field, PL_M_U64, PL_M_REQUIRED)
static const struct pl_member end_members[] = {
	SUM(events),
	SUM(keys),
	SUM(paths),
	SUM(malformed),
	SUM(skipped),
	SUM(replaced),
	PL_MEMBER(struct partial_end, "diagnostics", diagnostics, PL_M_OBJECT, PL_M_REQUIRED),
	SUM(records),
};
#undef SUM
const struct pl_record partial_end_record = {"end", end_members, PL_COUNT(end_members)};
