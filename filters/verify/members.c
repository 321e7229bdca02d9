/* members: does every record have its members, each of its kind? */
#include "verify.h"

/* Elements of arrays. Only looked at, so all of them may be read to the same place. */
#define ELEMENT(name, kind, flags)             \
	{                                      \
		name, kind, flags, 0, SIZE_MAX \
	}
static const struct pl_member source_members[] = {
	ELEMENT("file", PL_M_STR, PL_M_REQUIRED),
	ELEMENT("line", PL_M_U64, PL_M_REQUIRED),
	ELEMENT("self", PL_M_U64, PL_M_REQUIRED),
};
static const struct pl_member address_members[] = {
	ELEMENT("build_id", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE),
	ELEMENT("offset", PL_M_STR, PL_M_REQUIRED),
	ELEMENT("self", PL_M_U64, PL_M_REQUIRED),
};
/* of the keys those that are grouped by */
static const struct pl_member neighbour_members[] = {
	ELEMENT("id", PL_M_STR, PL_M_REQUIRED),	    ELEMENT("symbol", PL_M_STR, PL_M_NULLABLE),
	ELEMENT("dso", PL_M_STR, PL_M_NULLABLE),    ELEMENT("comm", PL_M_STR, PL_M_NULLABLE),
	ELEMENT("tid", PL_M_STR, PL_M_NULLABLE),    ELEMENT("source", PL_M_STR, PL_M_NULLABLE),
	ELEMENT("weight", PL_M_U64, PL_M_REQUIRED),
};
static const struct pl_member frame_members[] = {
	ELEMENT("symbol", PL_M_STR, PL_M_NULLABLE), ELEMENT("dso", PL_M_STR, PL_M_NULLABLE),
	ELEMENT("comm", PL_M_STR, PL_M_NULLABLE),   ELEMENT("tid", PL_M_STR, PL_M_NULLABLE),
	ELEMENT("source", PL_M_STR, PL_M_NULLABLE), ELEMENT("kind", PL_M_STR, 0),
	ELEMENT("inlined", PL_M_BOOL, 0),
};
static const struct pl_record source_record = {"sources", source_members, PL_COUNT(source_members)},
			      address_record = {"addresses", address_members,
						PL_COUNT(address_members)},
			      neighbour_record = {"callers and callees", neighbour_members,
						  PL_COUNT(neighbour_members)},
			      frame_record = {"frames", frame_members, PL_COUNT(frame_members)};

enum element { STRINGS, NUMBERS, OBJECTS };
static const struct nested {
	const char *type, *member;
	enum element element;
	const struct pl_record *record;
} nested[] = {
	{"quality", "reasons", STRINGS, NULL},
	{"quality", "allowed", STRINGS, NULL},
	{"quality", "forbidden", STRINGS, NULL},
	{"hotspot", "self_ci95", NUMBERS, NULL},
	{"hotspot", "variants", STRINGS, NULL},
	{"hotspot", "sources", OBJECTS, &source_record},
	{"hotspot", "addresses", OBJECTS, &address_record},
	{"hotspot", "callers", OBJECTS, &neighbour_record},
	{"hotspot", "callees", OBJECTS, &neighbour_record},
	{"path", "frames", OBJECTS, &frame_record},
	{"end", "events", OBJECTS, &pl_analysis_totals_record},
};

/* Room for any record that is read here. */
union scratch {
	struct pl_analysis_event event;
	struct pl_analysis_quality quality;
	struct pl_analysis_module module;
	struct pl_analysis_hotspot hotspot;
	struct pl_analysis_path path;
	struct pl_analysis_diagnostic diagnostic;
	struct pl_analysis_end end;
	struct pl_analysis_totals totals;
};

/* The first member that is missing or of a wrong kind, or NULL. Found by reading one at a time:
 * the reader's own message is in the user's language, and our reason must not be. */
static const char *wrong_member(const struct pl_record *record, const struct pl_json *json,
				uint32_t object)
{
	union scratch out = {0};
	char message[256];

	if (!pl_record_read(record, json, object, &out, message))
		return NULL;
	for (size_t i = 0; i < record->n; i++) {
		const struct pl_record one = {record->type, &record->members[i], 1};
		if (pl_record_read(&one, json, object, &out, message))
			return record->members[i].name;
	}
	return "type";
}

static bool is_number(uint8_t type)
{
	return type == PL_JSON_UINT || type == PL_JSON_INT || type == PL_JSON_REAL;
}

/* What names a row, a caller or a frame has the members that rows are grouped by, and no others. */
static void check_key(const struct artifact *a, const struct pl_json *json, uint32_t object,
		      const char *where, size_t line, struct pl_verdict *v)
{
	const char *wrong = a->grouping ? wrong_key_member(a->grouping, json, object) : NULL;

	if (wrong)
		pl_verdict_fail(v, "line %zu: %s: %s does not fit what rows are grouped by", line,
				where, wrong);
}

static void check_element(const struct artifact *a, const struct nested *n,
			  const struct pl_json *json, uint32_t tok, size_t line,
			  struct pl_verdict *v)
{
	uint8_t type = json->tape[tok].type;

	if ((n->element == STRINGS && type != PL_JSON_STRING) ||
	    (n->element == NUMBERS && !is_number(type)))
		pl_verdict_fail(v, "line %zu: %s: an element of %s has a wrong kind", line, n->type,
				n->member);
	if (n->element != OBJECTS)
		return;
	const char *wrong = wrong_member(n->record, json, tok);
	if (wrong)
		pl_verdict_fail(
			v, "line %zu: %s: in an element of %s, %s is missing or of a wrong kind",
			line, n->type, n->member, wrong);
	else if (n->record == &neighbour_record || n->record == &frame_record)
		check_key(a, json, tok, n->member, line, v);
}

static void check_nested(const struct artifact *a, const struct pl_json *json, struct pl_str type,
			 size_t line, struct pl_verdict *v)
{
	for (const struct nested *n = nested; n < nested + PL_COUNT(nested); n++) {
		uint32_t array = pl_str_is(type, n->type) ? pl_json_member(json, 0, n->member) : 0;
		if (!array)
			continue;
		if (n->element == NUMBERS && json->tape[array].count != 2)
			pl_verdict_fail(v, "line %zu: %s: %s is no pair", line, n->type, n->member);
		for (uint32_t t = array + 1; t < json->tape[array].next; t = json->tape[t].next)
			check_element(a, n, json, t, line, v);
	}
}

/* What readers do without, and a row has nonetheless. */
static void check_hotspot(const struct artifact *a, const struct pl_json *json, size_t line,
			  struct pl_verdict *v)
{
	static const char *const always[] = {"variants",      "variants_total", "sources",
					     "sources_total", "addresses",	"addresses_total",
					     "kind"};
	size_t n = PL_COUNT(always);

	if (!a->grouping || !a->grouping->frames) /* what is no function is of no kind */
		n--;
	for (size_t i = 0; i < n; i++)
		if (!pl_json_member(json, 0, always[i]))
			pl_verdict_fail(v, "line %zu: hotspot: %s is missing", line, always[i]);
	check_key(a, json, 0, "hotspot", line, v);
}

static void check_counts(const struct pl_json *json, size_t line, struct pl_verdict *v)
{
	uint32_t codes = pl_json_member(json, 0, "diagnostics");

	for (uint32_t t = codes + 1; t < json->tape[codes].next; t = json->tape[t + 1].next)
		if (json->tape[t + 1].type != PL_JSON_UINT)
			pl_verdict_fail(v, "line %zu: end: a count of diagnostics is no integer",
					line);
}

static void check_line(const struct artifact *a, struct pl_json *json, size_t line,
		       struct pl_verdict *v)
{
	if (pl_json_parse(json, a->lines[line - 1]))
		return; /* seen when the artifact was opened */
	struct pl_str type = pl_json_str(json, pl_json_member(json, 0, "type"));
	bool end = line == a->n;
	const struct pl_record *record = end ? &pl_analysis_end_record : row_record(row_kind(type));
	const char *wrong = record ? wrong_member(record, json, 0) : NULL;

	if (wrong) {
		pl_verdict_fail(v, "line %zu: %s: %s is missing or of a wrong kind", line,
				record->type, wrong);
		return;
	}
	check_nested(a, json, type, line, v);
	if (pl_str_is(type, "hotspot"))
		check_hotspot(a, json, line, v);
	if (end)
		check_counts(json, line, v);
}

void check_members(const struct artifact *a, struct pl_verdict *v)
{
	struct pl_json json = {0};

	if (a->problem[0]) {
		pl_verdict_fail(v, "%s", a->problem);
		return;
	}
	if (!a->analysis) {
		pl_verdict_skip(v, "only the members of an analysis are known here");
		return;
	}
	for (size_t line = 2; line <= a->n && v->status == PL_PASSED; line++)
		check_line(a, &json, line, v);
	pl_json_free(&json);
}
