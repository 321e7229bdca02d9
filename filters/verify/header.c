/* header: of a stream of ours: what wrote it, and from which inputs */
#include "mem.h"
#include "origin.h"
#include "verify.h"

enum { MAJOR = 1 };

struct header {
	struct pl_str group_by;
	uint32_t thresholds;
	uint64_t unresolved_pct;
};
static const struct pl_member analysis_members[] = {
	PL_MEMBER(struct header, "group_by", group_by, PL_M_STR, PL_M_REQUIRED),
	PL_MEMBER(struct header, "thresholds", thresholds, PL_M_OBJECT, PL_M_REQUIRED),
};
static const struct pl_member threshold_members[] = {
	PL_MEMBER(struct header, "unresolved_pct", unresolved_pct, PL_M_MICRO, PL_M_REQUIRED),
};
static const struct pl_record analysis_record = {"header", analysis_members,
						 PL_COUNT(analysis_members)},
			      threshold_record = {"thresholds", threshold_members,
						  PL_COUNT(threshold_members)};

static const struct grouping *grouping_of(struct pl_str group_by)
{
	static const struct grouping known[] = {
		{"symbol,dso", "symbol", true, true},
		{"symbol", "symbol", false, true},
		{"dso", NULL, true, true},
		{"comm", "comm", false, false},
		{"tid", "tid", false, false},
		{"source", "source", false, true},
	};

	for (size_t i = 0; i < PL_COUNT(known); i++)
		if (pl_str_is(group_by, known[i].text))
			return &known[i];
	return NULL;
}

static void add_foreign(void *context, const struct pl_origin_foreign *foreign)
{
	struct foreign_list *list = context;

	PL_GROW(list->v, list->n + 1, list->cap);
	list->v[list->n++] = (struct foreign){foreign->format, foreign->sha256};
}

void header_foreign(const struct artifact *a, struct foreign_list *list)
{
	pl_origin_walk(&a->stream.header_json, a->stream.header.inputs, add_foreign, list);
}

static bool read_header(struct artifact *a)
{
	struct pl_json *json = &a->stream.header_json;

	return a->n && pl_json_parse(json, a->lines[0]) == 0 &&
	       json->tape[0].type == PL_JSON_OBJECT &&
	       !pl_stream_read_header(&a->stream.header, json) &&
	       !pl_stream_check_origin(&a->stream.header, json);
}

void header_read(struct artifact *a)
{
	const struct pl_json *json = &a->stream.header_json;
	struct header h = {0};
	char message[256];

	a->stream.artifact = true;
	a->has_header = read_header(a);
	if (!a->has_header)
		artifact_problem(a, "line 1: no header of a stream of ours");
	a->analysis = a->has_header && a->stream.header.major == MAJOR &&
		      pl_str_is(a->stream.header.schema, PL_ANALYSIS_SCHEMA);
	if (!a->analysis)
		return;
	if (pl_record_read(&analysis_record, json, 0, &h, message) ||
	    pl_record_read(&threshold_record, json, h.thresholds, &h, message))
		artifact_problem(a, "line 1: the header lacks group_by or thresholds");
	a->grouping = grouping_of(h.group_by);
	a->unresolved_pct = h.unresolved_pct;
}
