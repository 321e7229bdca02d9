/* analysis: reads perflens.analysis row by row, and holds the order of its rows */
#include "analysis.h"
#include "text.h"
#include <inttypes.h>

#define EVENT(field) offsetof(struct pl_analysis_event, field), SIZE_MAX
static const struct pl_member event_members[] = {
	{"label", PL_M_STR, PL_M_REQUIRED, EVENT(label)},
	{"name", PL_M_STR, PL_M_REQUIRED, EVENT(name)},
	{"unit", PL_M_STR, PL_M_REQUIRED, EVENT(unit)},
	{"weight_source", PL_M_STR, PL_M_REQUIRED, EVENT(weight_source)},
	{"source", PL_M_STR, PL_M_REQUIRED, EVENT(source)},
	{"samples", PL_M_U64, PL_M_REQUIRED, EVENT(samples)},
	{"weight", PL_M_U64, PL_M_REQUIRED, EVENT(weight)},
	{"stackless", PL_M_U64, PL_M_REQUIRED, EVENT(stackless)},
	{"lost", PL_M_U64, PL_M_REQUIRED, EVENT(lost)},
	{"threads", PL_M_U64, PL_M_REQUIRED, EVENT(threads)},
	{"multi_frame_weight", PL_M_U64, PL_M_REQUIRED, EVENT(multi_frame_weight)},
	{"idle_weight", PL_M_U64, PL_M_REQUIRED, EVENT(idle_weight)},
	{"n_eff", PL_M_REAL, PL_M_REQUIRED | PL_M_NULLABLE, EVENT(n_eff)},
	{"collection", PL_M_OBJECT, 0, EVENT(collection)},
};

#define QUALITY(field) offsetof(struct pl_analysis_quality, field), SIZE_MAX
static const struct pl_member quality_members[] = {
	{"event", PL_M_STR, PL_M_REQUIRED, QUALITY(event)},
	{"status", PL_M_STR, PL_M_REQUIRED, QUALITY(status)},
	{"reasons", PL_M_ARRAY, PL_M_REQUIRED, QUALITY(reasons)},
	{"allowed", PL_M_ARRAY, PL_M_REQUIRED, QUALITY(allowed)},
	{"forbidden", PL_M_ARRAY, PL_M_REQUIRED, QUALITY(forbidden)},
	{"unresolved_self", PL_M_U64, PL_M_REQUIRED, QUALITY(unresolved_self)},
	{"unresolved_self_pct", PL_M_MICRO, PL_M_REQUIRED, QUALITY(unresolved_self_pct)},
	{"unresolved_self_user", PL_M_U64, PL_M_REQUIRED, QUALITY(unresolved_self_user)},
	{"unresolved_self_user_pct", PL_M_MICRO, PL_M_REQUIRED, QUALITY(unresolved_self_user_pct)},
	{"unresolved_self_kernel", PL_M_U64, PL_M_REQUIRED, QUALITY(unresolved_self_kernel)},
	{"unresolved_self_kernel_pct", PL_M_MICRO, PL_M_REQUIRED,
	 QUALITY(unresolved_self_kernel_pct)},
	{"unresolved_self_other", PL_M_U64, PL_M_REQUIRED, QUALITY(unresolved_self_other)},
	{"unresolved_self_other_pct", PL_M_MICRO, PL_M_REQUIRED,
	 QUALITY(unresolved_self_other_pct)},
	{"unresolved_threshold_pct", PL_M_MICRO, PL_M_REQUIRED, QUALITY(unresolved_threshold_pct)},
	{"source_line_self", PL_M_U64, PL_M_REQUIRED, QUALITY(source_line_self)},
	{"inlined_frames", PL_M_U64, PL_M_REQUIRED, QUALITY(inlined_frames)},
	{"merged_symbols", PL_M_U64, PL_M_REQUIRED, QUALITY(merged_symbols)},
	{"cut_weight", PL_M_U64, PL_M_REQUIRED, QUALITY(cut_weight)},
	{"suspect_callers", PL_M_U64, PL_M_REQUIRED, QUALITY(suspect_callers)},
	{"unresolved_callers", PL_M_U64, 0, QUALITY(unresolved_callers)},
	{"trusted_frames", PL_M_U64, 0, QUALITY(trusted_frames)},
	{"largest_sample_pct", PL_M_MICRO, PL_M_REQUIRED, QUALITY(largest_sample_pct)},
	{"announced_samples", PL_M_U64, PL_M_REQUIRED, QUALITY(announced_samples)},
	{"received_samples", PL_M_U64, PL_M_REQUIRED, QUALITY(received_samples)},
	{"malformed", PL_M_U64, PL_M_REQUIRED, QUALITY(malformed)},
	{"skipped", PL_M_U64, PL_M_REQUIRED, QUALITY(skipped)},
	{"replaced", PL_M_U64, PL_M_REQUIRED, QUALITY(replaced)},
};

#define MODULE(field) offsetof(struct pl_analysis_module, field), SIZE_MAX
static const struct pl_member module_members[] = {
	{"dso", PL_M_STR, PL_M_REQUIRED, MODULE(dso)},
	{"build_id", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE, MODULE(build_id)},
	{"self", PL_M_U64, PL_M_REQUIRED, MODULE(self)},
	{"self_pct", PL_M_MICRO, PL_M_REQUIRED, MODULE(self_pct)},
	{"unresolved_self", PL_M_U64, PL_M_REQUIRED, MODULE(unresolved_self)},
	{"reason", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE, MODULE(reason)},
	{"fix", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE, MODULE(fix)},
};

/* Optional here: what a --group-by leaves out, and what --no-paths does not know. */
#define HOTSPOT(field) offsetof(struct pl_analysis_hotspot, field), SIZE_MAX
#define HOTSPOT_HAS(field, has) \
	offsetof(struct pl_analysis_hotspot, field), offsetof(struct pl_analysis_hotspot, has)
static const struct pl_member hotspot_members[] = {
	{"id", PL_M_STR, PL_M_REQUIRED, HOTSPOT(id)},
	{"event", PL_M_STR, PL_M_REQUIRED, HOTSPOT(event)},
	{"symbol", PL_M_STR, PL_M_NULLABLE, HOTSPOT_HAS(symbol, has_symbol)},
	{"dso", PL_M_STR, PL_M_NULLABLE, HOTSPOT_HAS(dso, has_dso)},
	{"comm", PL_M_STR, PL_M_NULLABLE, HOTSPOT(comm)},
	{"tid", PL_M_STR, PL_M_NULLABLE, HOTSPOT(tid)},
	{"source", PL_M_STR, PL_M_NULLABLE, HOTSPOT(source)},
	{"kind", PL_M_STR, PL_M_NULLABLE, HOTSPOT(kind)},
	{"self", PL_M_U64, PL_M_REQUIRED, HOTSPOT(self)},
	{"self_pct", PL_M_MICRO, PL_M_REQUIRED, HOTSPOT(self_pct)},
	{"self_ci95", PL_M_ARRAY, 0, HOTSPOT(self_ci95)},
	{"inclusive", PL_M_U64, PL_M_REQUIRED, HOTSPOT(inclusive)},
	{"inclusive_pct", PL_M_MICRO, PL_M_REQUIRED, HOTSPOT(inclusive_pct)},
	{"self_samples", PL_M_U64, PL_M_REQUIRED, HOTSPOT(self_samples)},
	{"samples", PL_M_U64, PL_M_REQUIRED, HOTSPOT(samples)},
	{"occurrences", PL_M_U64, PL_M_REQUIRED, HOTSPOT(occurrences)},
	{"threads", PL_M_U64, PL_M_REQUIRED, HOTSPOT(threads)},
	{"idle", PL_M_U64, PL_M_REQUIRED, HOTSPOT(idle)},
	{"variants", PL_M_ARRAY, 0, HOTSPOT(variants)},
	{"variants_total", PL_M_U64, 0, HOTSPOT(variants_total)},
	{"sources", PL_M_ARRAY, 0, HOTSPOT(sources)},
	{"sources_total", PL_M_U64, 0, HOTSPOT(sources_total)},
	{"addresses", PL_M_ARRAY, 0, HOTSPOT(addresses)},
	{"addresses_total", PL_M_U64, 0, HOTSPOT(addresses_total)},
	{"callers", PL_M_ARRAY, 0, HOTSPOT(callers)},
	{"callees", PL_M_ARRAY, 0, HOTSPOT(callees)},
};

#define PATH(field) offsetof(struct pl_analysis_path, field), SIZE_MAX
static const struct pl_member path_members[] = {
	{"id", PL_M_STR, PL_M_REQUIRED, PATH(id)},
	{"event", PL_M_STR, PL_M_REQUIRED, PATH(event)},
	{"weight", PL_M_U64, PL_M_REQUIRED, PATH(weight)},
	{"pct", PL_M_MICRO, PL_M_REQUIRED, PATH(pct)},
	{"samples", PL_M_U64, PL_M_REQUIRED, PATH(samples)},
	{"frames", PL_M_ARRAY, PL_M_REQUIRED, PATH(frames)},
};

#define DIAGNOSTIC(field) offsetof(struct pl_analysis_diagnostic, field), SIZE_MAX
#define DIAGNOSTIC_HAS(field, has) \
	offsetof(struct pl_analysis_diagnostic, field), offsetof(struct pl_analysis_diagnostic, has)
static const struct pl_member diagnostic_members[] = {
	{"code", PL_M_STR, PL_M_REQUIRED, DIAGNOSTIC(code)},
	{"input", PL_M_U64, 0, DIAGNOSTIC_HAS(input, has_input)},
	{"line", PL_M_U64, 0, DIAGNOSTIC_HAS(line, has_line)},
	{"offset", PL_M_U64, 0, DIAGNOSTIC_HAS(offset, has_offset)},
	{"event", PL_M_STR, 0, DIAGNOSTIC(event)},
	{"message", PL_M_STR, PL_M_REQUIRED, DIAGNOSTIC(message)},
	{"preview", PL_M_STR, 0, DIAGNOSTIC(preview)},
};

#define END(field) offsetof(struct pl_analysis_end, field), SIZE_MAX
static const struct pl_member end_members[] = {
	{"events", PL_M_ARRAY, PL_M_REQUIRED, END(events)},
	{"diagnostics", PL_M_OBJECT, PL_M_REQUIRED, END(diagnostics)},
	{"records", PL_M_U64, PL_M_REQUIRED, END(records)},
	{"sha256", PL_M_STR, 0, END(sha256)},
};

#define TOTALS(field) offsetof(struct pl_analysis_totals, field), SIZE_MAX
static const struct pl_member totals_members[] = {
	{"event", PL_M_STR, PL_M_REQUIRED, TOTALS(event)},
	{"hotspots_total", PL_M_U64, PL_M_REQUIRED, TOTALS(hotspots_total)},
	{"hotspots", PL_M_U64, PL_M_REQUIRED, TOTALS(hotspots)},
	{"omitted_self", PL_M_U64, PL_M_REQUIRED, TOTALS(omitted_self)},
	{"paths_total", PL_M_U64, 0, offsetof(struct pl_analysis_totals, paths_total),
	 offsetof(struct pl_analysis_totals, has_paths)},
	{"paths", PL_M_U64, 0, TOTALS(paths)},
	{"omitted_weight", PL_M_U64, 0, TOTALS(omitted_weight)},
};

#define RECORD(type, members)                    \
	{                                        \
		type, members, PL_COUNT(members) \
	}
const struct pl_record pl_analysis_event_record = RECORD("event", event_members);
const struct pl_record pl_analysis_quality_record = RECORD("quality", quality_members);
const struct pl_record pl_analysis_module_record = RECORD("module", module_members);
const struct pl_record pl_analysis_hotspot_record = RECORD("hotspot", hotspot_members);
const struct pl_record pl_analysis_path_record = RECORD("path", path_members);
const struct pl_record pl_analysis_diagnostic_record = RECORD("diagnostic", diagnostic_members);
const struct pl_record pl_analysis_end_record = RECORD("end", end_members);
const struct pl_record pl_analysis_totals_record = RECORD("totals", totals_members);

/* What may come where: a row, the kinds that it may follow (`last` is 0 at the header), and where
 * its event's label stands. */
#define BIT(kind) (1u << (kind))
enum {
	AFTER_HEADER = 1u,
	AFTER_ROWS = BIT(PL_ANALYSIS_QUALITY) | BIT(PL_ANALYSIS_MODULE) | BIT(PL_ANALYSIS_HOTSPOT) |
		     BIT(PL_ANALYSIS_PATH)
};
static const struct row {
	enum pl_analysis_kind kind;
	unsigned after;
	const struct pl_record *record;
	size_t at, size, label;
} rows[] = {
	{PL_ANALYSIS_EVENT, AFTER_HEADER | AFTER_ROWS, &pl_analysis_event_record,
	 offsetof(struct pl_analysis, event), sizeof(struct pl_analysis_event), SIZE_MAX},
	{PL_ANALYSIS_QUALITY, BIT(PL_ANALYSIS_EVENT), &pl_analysis_quality_record,
	 offsetof(struct pl_analysis, quality), sizeof(struct pl_analysis_quality),
	 offsetof(struct pl_analysis, quality.event)},
	{PL_ANALYSIS_MODULE, BIT(PL_ANALYSIS_QUALITY) | BIT(PL_ANALYSIS_MODULE),
	 &pl_analysis_module_record, offsetof(struct pl_analysis, module),
	 sizeof(struct pl_analysis_module), SIZE_MAX},
	{PL_ANALYSIS_HOTSPOT, AFTER_ROWS & ~BIT(PL_ANALYSIS_PATH), &pl_analysis_hotspot_record,
	 offsetof(struct pl_analysis, hotspot), sizeof(struct pl_analysis_hotspot),
	 offsetof(struct pl_analysis, hotspot.event)},
	{PL_ANALYSIS_PATH, AFTER_ROWS, &pl_analysis_path_record, offsetof(struct pl_analysis, path),
	 sizeof(struct pl_analysis_path), offsetof(struct pl_analysis, path.event)},
	{PL_ANALYSIS_DIAGNOSTIC, AFTER_HEADER | AFTER_ROWS | BIT(PL_ANALYSIS_DIAGNOSTIC),
	 &pl_analysis_diagnostic_record, offsetof(struct pl_analysis, diagnostic),
	 sizeof(struct pl_analysis_diagnostic), SIZE_MAX},
};

static int read_header(struct pl_analysis *a)
{
	static const struct pl_member thresholds[] = {
		{"unresolved_pct", PL_M_MICRO, 0, 0, SIZE_MAX}};
	static const struct pl_record record = RECORD("thresholds", thresholds);
	const struct pl_json *json = &a->s.header_json;
	char message[256];
	uint32_t group_by = pl_json_member(json, 0, "group_by");
	uint32_t object = pl_json_member(json, 0, "thresholds");

	if (!group_by || json->tape[group_by].type != PL_JSON_STRING)
		return pl_stream_fail(&a->s, _("the header of the analysis has no \"group_by\""));
	a->group_by = pl_json_str(json, group_by);
	if (!object)
		return 0;
	if (json->tape[object].type != PL_JSON_OBJECT)
		return pl_stream_fail(&a->s, _("\"thresholds\" is no object"));
	const char *why = pl_record_read(&record, json, object, &a->unresolved_pct, message);
	return why ? pl_stream_fail(&a->s, "%s", why) : 0;
}

int pl_analysis_open(struct pl_analysis *a, struct pl_in *in, bool unsealed)
{
	static const char *const schemas[] = {PL_ANALYSIS_SCHEMA};

	*a = (struct pl_analysis){0};
	if (pl_stream_open(&a->s, in, schemas, 1, unsealed))
		return -1;
	return read_header(a);
}

int pl_analysis_begin(struct pl_analysis *a)
{
	return read_header(a);
}

/* The event's texts outlive its line: rows are read beside them. */
static void keep_event(struct pl_analysis *a)
{
	struct pl_str *const texts[] = {&a->event.label, &a->event.name, &a->event.unit,
					&a->event.weight_source, &a->event.source};
	size_t total = 0;

	for (size_t i = 0; i < PL_COUNT(texts); i++)
		total += texts[i]->n;
	pl_buf_clear(&a->event_text);
	pl_buf_reserve(&a->event_text, total);
	for (size_t i = 0; i < PL_COUNT(texts); i++) {
		const char *p = a->event_text.p + a->event_text.n;
		pl_buf_adds(&a->event_text, *texts[i]);
		texts[i]->p = p;
	}
	a->events++;
}

static enum pl_analysis_kind read_row(struct pl_analysis *a, const struct row *row)
{
	char message[256];
	void *out = (char *)a + row->at;

	if (!(row->after & BIT(a->last))) {
		pl_stream_fail(&a->s, _("a \"%s\" record is out of place here"), row->record->type);
		return PL_ANALYSIS_ERROR;
	}
	memset(out, 0, row->size);
	const char *why = pl_record_read(row->record, &a->s.json, 0, out, message);
	if (why) {
		pl_stream_fail(&a->s, "%s", why);
		return PL_ANALYSIS_ERROR;
	}
	if (row->label != SIZE_MAX &&
	    !pl_str_eq(*(struct pl_str *)((char *)a + row->label), a->event.label)) {
		pl_stream_fail(&a->s, _("a \"%s\" record stands among another event's"),
			       row->record->type);
		return PL_ANALYSIS_ERROR;
	}
	if (row->kind == PL_ANALYSIS_EVENT)
		keep_event(a);
	return a->last = row->kind;
}

/* The end record is kept, so that it outlives the look at what follows it. */
static enum pl_analysis_kind read_end(struct pl_analysis *a)
{
	char message[256];
	uint64_t records = a->s.records - 1;

	if (a->last == PL_ANALYSIS_EVENT)
		return pl_stream_fail(&a->s, _("an \"event\" record has no \"quality\" record"));
	pl_buf_clear(&a->end_text);
	pl_buf_adds(&a->end_text, a->s.text);
	if (pl_json_parse(&a->end_json, pl_buf_str(&a->end_text)))
		return pl_stream_fail(&a->s, "%s", a->end_json.message);
	a->end = (struct pl_analysis_end){0};
	const char *why =
		pl_record_read(&pl_analysis_end_record, &a->end_json, 0, &a->end, message);
	if (why)
		return pl_stream_fail(&a->s, "%s", why);
	uint64_t events = a->end_json.tape[a->end.events].count;
	if (!a->s.unsealed && (a->end.records != records || events != a->events))
		return pl_stream_fail(&a->s,
				      _("the end record counts %" PRIu64 " records and %" PRIu64
					" events, there are %" PRIu64 " and %" PRIu64),
				      a->end.records, events, records, a->events);
	return pl_stream_next(&a->s) ? PL_ANALYSIS_ERROR : PL_ANALYSIS_DONE;
}

enum pl_analysis_kind pl_analysis_next(struct pl_analysis *a)
{
	int got = pl_stream_next(&a->s);

	if (got <= 0)
		return got < 0 ? PL_ANALYSIS_ERROR : PL_ANALYSIS_DONE;
	if (pl_stream_is(&a->s, "end"))
		return read_end(a);
	for (size_t i = 0; i < PL_COUNT(rows); i++)
		if (pl_stream_is(&a->s, rows[i].record->type))
			return read_row(a, &rows[i]);
	return PL_ANALYSIS_OTHER;
}

void pl_analysis_close(struct pl_analysis *a)
{
	pl_stream_close(&a->s);
	pl_json_free(&a->end_json);
	pl_buf_free(&a->event_text);
	pl_buf_free(&a->end_text);
	*a = (struct pl_analysis){0};
}

int pl_analysis_totals_at(struct pl_analysis *a, uint32_t tok, struct pl_analysis_totals *totals)
{
	char message[256];

	*totals = (struct pl_analysis_totals){0};
	if (a->end_json.tape[tok].type != PL_JSON_OBJECT)
		return pl_stream_fail(&a->s, _("an element of \"events\" is no object"));
	const char *why =
		pl_record_read(&pl_analysis_totals_record, &a->end_json, tok, totals, message);
	if (why)
		return pl_stream_fail(&a->s, "%s", why);
	if (totals->hotspots > totals->hotspots_total || totals->paths > totals->paths_total)
		return pl_stream_fail(&a->s, _("the end record counts more rows than there were"));
	return 0;
}

/* Callers ask in the stream's order, which is the end record's: each search goes on where the last
 * one ended. */
int pl_analysis_totals(struct pl_analysis *a, struct pl_str label,
		       struct pl_analysis_totals *totals)
{
	const struct pl_json_tok *tape = a->end_json.tape;
	uint32_t first = a->end.events + 1, t = a->totals_at;

	for (uint32_t left = tape[a->end.events].count; left > 0; left--) {
		if (t < first || t >= tape[a->end.events].next)
			t = first;
		if (pl_analysis_totals_at(a, t, totals))
			return -1;
		t = a->totals_at = tape[t].next;
		if (pl_str_eq(totals->event, label))
			return 0;
	}
	return pl_stream_fail(&a->s, _("the end record does not name every event"));
}

static struct pl_str text_member(const struct pl_json *json, uint32_t object, const char *name)
{
	uint32_t t = pl_json_member(json, object, name);

	return t && json->tape[t].type == PL_JSON_STRING ? pl_json_str(json, t)
							 : (struct pl_str){0};
}

void pl_analysis_frame(const struct pl_analysis *a, uint32_t frame, struct pl_analysis_hotspot *key)
{
	*key = (struct pl_analysis_hotspot){0};
	if (a->s.json.tape[frame].type != PL_JSON_OBJECT)
		return;
	key->symbol = text_member(&a->s.json, frame, "symbol");
	key->dso = text_member(&a->s.json, frame, "dso");
	key->comm = text_member(&a->s.json, frame, "comm");
	key->tid = text_member(&a->s.json, frame, "tid");
	key->source = text_member(&a->s.json, frame, "source");
}

bool pl_analysis_edge(const struct pl_analysis *a, uint32_t object, struct pl_analysis_edge *edge)
{
	const struct pl_json *json = &a->s.json;

	if (json->tape[object].type != PL_JSON_OBJECT)
		return false;
	uint32_t id = pl_json_member(json, object, "id");
	uint32_t weight = pl_json_member(json, object, "weight");
	if (!id || json->tape[id].type != PL_JSON_STRING || !weight ||
	    json->tape[weight].type != PL_JSON_UINT)
		return false;
	pl_analysis_frame(a, object, &edge->key);
	edge->id = pl_json_str(json, id);
	edge->weight = json->tape[weight].v.u;
	return true;
}

int pl_analysis_no_event(struct pl_err *err, const char *label)
{
	pl_err_set(err, PL_E_INVALID_INPUT, _("the analysis has no event '%s'"), label);
	return pl_err_action(err, _("pl-query quality lists the events"));
}

struct pl_str pl_analysis_name(const struct pl_analysis_hotspot *h)
{
	const struct pl_str names[] = {h->symbol, h->comm, h->tid, h->source, h->dso};

	for (size_t i = 0; i < PL_COUNT(names); i++)
		if (names[i].p)
			return names[i];
	return PL_S("unknown");
}
