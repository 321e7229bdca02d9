/* diagnosis: reads perflens.diagnosis row by row, and holds the order of its rows */
#include "diagnosis.h"
#include "text.h"
#include <inttypes.h>

#define EVENT(field) offsetof(struct pl_diagnosis_event, field), SIZE_MAX
static const struct pl_member event_members[] = {
	{"label", PL_M_STR, PL_M_REQUIRED, EVENT(label)},
	{"unit", PL_M_STR, PL_M_REQUIRED, EVENT(unit)},
	{"weight", PL_M_U64, PL_M_REQUIRED, EVENT(weight)},
	{"samples", PL_M_U64, PL_M_REQUIRED, EVENT(samples)},
	{"status", PL_M_STR, PL_M_REQUIRED, EVENT(status)},
	{"reasons", PL_M_ARRAY, PL_M_REQUIRED, EVENT(reasons)},
	{"allowed", PL_M_ARRAY, PL_M_REQUIRED, EVENT(allowed)},
	{"forbidden", PL_M_ARRAY, PL_M_REQUIRED, EVENT(forbidden)},
	{"classified_self", PL_M_U64, PL_M_REQUIRED, EVENT(classified_self)},
	{"classified_self_pct", PL_M_MICRO, PL_M_REQUIRED, EVENT(classified_self_pct)},
	{"unclassified_self", PL_M_U64, PL_M_REQUIRED, EVENT(unclassified_self)},
	{"unclassified_self_pct", PL_M_MICRO, PL_M_REQUIRED, EVENT(unclassified_self_pct)},
};

#define CATEGORY(field) offsetof(struct pl_diagnosis_category, field), SIZE_MAX
static const struct pl_member category_members[] = {
	{"event", PL_M_STR, PL_M_REQUIRED, CATEGORY(event)},
	{"category", PL_M_STR, PL_M_REQUIRED, CATEGORY(category)},
	{"hotspots", PL_M_U64, PL_M_REQUIRED, CATEGORY(hotspots)},
	{"self", PL_M_U64, PL_M_REQUIRED, CATEGORY(self)},
	{"self_pct", PL_M_MICRO, PL_M_REQUIRED, CATEGORY(self_pct)},
};

#define CANDIDATE(field) offsetof(struct pl_diagnosis_candidate, field), SIZE_MAX
static const struct pl_member candidate_members[] = {
	{"id", PL_M_STR, PL_M_REQUIRED, CANDIDATE(id)},
	{"rule", PL_M_STR, PL_M_REQUIRED, CANDIDATE(rule)},
	{"rule_version", PL_M_U64, PL_M_REQUIRED, CANDIDATE(rule_version)},
	{"category", PL_M_STR, PL_M_REQUIRED, CANDIDATE(category)},
	{"hotspot", PL_M_STR, PL_M_REQUIRED, CANDIDATE(hotspot)},
	{"event", PL_M_STR, PL_M_REQUIRED, CANDIDATE(event)},
	{"symbol", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE, CANDIDATE(symbol)},
	{"dso", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE, CANDIDATE(dso)},
	{"confidence", PL_M_STR, PL_M_REQUIRED, CANDIDATE(confidence)},
	{"level", PL_M_STR, PL_M_REQUIRED, CANDIDATE(level)},
	{"conclusion_status", PL_M_STR, PL_M_REQUIRED, CANDIDATE(conclusion_status)},
	{"observation", PL_M_STR, PL_M_REQUIRED, CANDIDATE(observation)},
	{"supporting", PL_M_ARRAY, PL_M_REQUIRED, CANDIDATE(supporting)},
	{"counter", PL_M_ARRAY, PL_M_REQUIRED, CANDIDATE(counter)},
	{"missing", PL_M_ARRAY, PL_M_REQUIRED, CANDIDATE(missing)},
	{"next", PL_M_ARRAY, PL_M_REQUIRED, CANDIDATE(next)},
	{"forbidden", PL_M_ARRAY, PL_M_REQUIRED, CANDIDATE(forbidden)},
};

#define GAP(field) offsetof(struct pl_diagnosis_gap, field), SIZE_MAX
static const struct pl_member gap_members[] = {
	{"event", PL_M_STR, PL_M_REQUIRED, GAP(event)},
	{"code", PL_M_STR, PL_M_REQUIRED, GAP(code)},
	{"message", PL_M_STR, PL_M_REQUIRED, GAP(message)},
	{"command", PL_M_STR, PL_M_REQUIRED | PL_M_NULLABLE, GAP(command)},
};

#define END(field) offsetof(struct pl_diagnosis_end, field), SIZE_MAX
static const struct pl_member end_members[] = {
	{"candidates", PL_M_U64, PL_M_REQUIRED, END(candidates)},
	{"gaps", PL_M_U64, PL_M_REQUIRED, END(gaps)},
	{"records", PL_M_U64, PL_M_REQUIRED, END(records)},
	{"sha256", PL_M_STR, 0, END(sha256)},
};

#define RECORD(type, members)                    \
	{                                        \
		type, members, PL_COUNT(members) \
	}
const struct pl_record pl_diagnosis_event_record = RECORD("event", event_members);
const struct pl_record pl_diagnosis_category_record = RECORD("category", category_members);
const struct pl_record pl_diagnosis_candidate_record = RECORD("candidate", candidate_members);
const struct pl_record pl_diagnosis_gap_record = RECORD("gap", gap_members);
const struct pl_record pl_diagnosis_end_record = RECORD("end", end_members);

/* What may come where: a row, the kinds that it may follow (`last` is 0 at the header), and where
 * its event's label stands. */
#define BIT(kind) (1u << (kind))
enum {
	AFTER_HEADER = 1u,
	AFTER_EVENT = BIT(PL_DIAGNOSIS_EVENT),
	AFTER_CATEGORY = AFTER_EVENT | BIT(PL_DIAGNOSIS_CATEGORY),
	AFTER_CANDIDATE = AFTER_CATEGORY | BIT(PL_DIAGNOSIS_CANDIDATE),
	AFTER_GAP = AFTER_CANDIDATE | BIT(PL_DIAGNOSIS_GAP)
};
#define ROW(field) offsetof(struct pl_diagnosis, field), sizeof(struct pl_diagnosis_##field)
static const struct row {
	enum pl_diagnosis_kind kind;
	unsigned after;
	const struct pl_record *record;
	size_t at, size, label;
} rows[] = {
	{PL_DIAGNOSIS_EVENT, AFTER_HEADER | AFTER_GAP, &pl_diagnosis_event_record, ROW(event),
	 SIZE_MAX},
	{PL_DIAGNOSIS_CATEGORY, AFTER_CATEGORY, &pl_diagnosis_category_record, ROW(category),
	 offsetof(struct pl_diagnosis, category.event)},
	{PL_DIAGNOSIS_CANDIDATE, AFTER_CANDIDATE, &pl_diagnosis_candidate_record, ROW(candidate),
	 offsetof(struct pl_diagnosis, candidate.event)},
	{PL_DIAGNOSIS_GAP, AFTER_GAP, &pl_diagnosis_gap_record, ROW(gap),
	 offsetof(struct pl_diagnosis, gap.event)},
};

/* Its one input is the analysis, with the digest that it had. */
int pl_diagnosis_begin(struct pl_diagnosis *d)
{
	const struct pl_json *json = &d->s.header_json;
	uint32_t inputs = d->s.header.inputs, input = inputs + 1;

	if (json->tape[inputs].count != 1)
		return pl_stream_fail(&d->s, _("a diagnosis is of one analysis"));
	uint32_t sha256 = pl_json_member(json, input, "sha256");
	if (sha256 && json->tape[sha256].type == PL_JSON_STRING)
		d->analysis = pl_json_str(json, sha256);
	return 0;
}

int pl_diagnosis_open(struct pl_diagnosis *d, struct pl_in *in, bool unsealed)
{
	static const char *const schemas[] = {PL_DIAGNOSIS_SCHEMA};

	*d = (struct pl_diagnosis){0};
	if (pl_stream_open(&d->s, in, schemas, 1, unsealed))
		return -1;
	return pl_diagnosis_begin(d);
}

/* The event's texts outlive its line: rows are read beside them. */
static void keep_event(struct pl_diagnosis *d)
{
	struct pl_str *const texts[] = {&d->event.label, &d->event.unit, &d->event.status};

	pl_buf_clear(&d->event_text);
	pl_buf_reserve(&d->event_text, texts[0]->n + texts[1]->n + texts[2]->n);
	for (size_t i = 0; i < PL_COUNT(texts); i++) {
		const char *p = d->event_text.p + d->event_text.n;
		pl_buf_adds(&d->event_text, *texts[i]);
		texts[i]->p = p;
	}
}

static enum pl_diagnosis_kind read_row(struct pl_diagnosis *d, const struct row *row)
{
	char message[256];
	void *out = (char *)d + row->at;

	if (!(row->after & BIT(d->last)))
		return pl_stream_fail(&d->s, _("a \"%s\" record is out of place here"),
				      row->record->type);
	memset(out, 0, row->size);
	const char *why = pl_record_read(row->record, &d->s.json, 0, out, message);
	if (why)
		return pl_stream_fail(&d->s, "%s", why);
	if (row->label != SIZE_MAX &&
	    !pl_str_eq(*(struct pl_str *)((char *)d + row->label), d->event.label))
		return pl_stream_fail(&d->s, _("a \"%s\" record stands among another event's"),
				      row->record->type);
	if (row->kind == PL_DIAGNOSIS_EVENT)
		keep_event(d);
	d->events += row->kind == PL_DIAGNOSIS_EVENT;
	d->candidates += row->kind == PL_DIAGNOSIS_CANDIDATE;
	d->gaps += row->kind == PL_DIAGNOSIS_GAP;
	return d->last = row->kind;
}

static bool counts_fit(const struct pl_diagnosis *d, uint64_t records)
{
	return d->end.records == records && d->end.candidates == d->candidates &&
	       d->end.gaps == d->gaps;
}

static enum pl_diagnosis_kind read_end(struct pl_diagnosis *d)
{
	char message[256];
	uint64_t records = d->s.records - 1;

	d->end = (struct pl_diagnosis_end){0};
	const char *why = pl_record_read(&pl_diagnosis_end_record, &d->s.json, 0, &d->end, message);
	if (why)
		return pl_stream_fail(&d->s, "%s", why);
	if (!d->s.unsealed && !counts_fit(d, records))
		return pl_stream_fail(&d->s,
				      _("the end record counts %" PRIu64 " records, %" PRIu64
					" candidates and %" PRIu64 " gaps, there are %" PRIu64
					", %" PRIu64 " and %" PRIu64),
				      d->end.records, d->end.candidates, d->end.gaps, records,
				      d->candidates, d->gaps);
	d->end.sha256 = d->s.unsealed ? (struct pl_str){0} : pl_str(d->s.sha256);
	return pl_stream_next(&d->s) ? PL_DIAGNOSIS_ERROR : PL_DIAGNOSIS_DONE;
}

enum pl_diagnosis_kind pl_diagnosis_next(struct pl_diagnosis *d)
{
	int got = pl_stream_next(&d->s);

	if (got <= 0)
		return got < 0 ? PL_DIAGNOSIS_ERROR : PL_DIAGNOSIS_DONE;
	if (pl_stream_is(&d->s, "end"))
		return read_end(d);
	for (size_t i = 0; i < PL_COUNT(rows); i++)
		if (pl_stream_is(&d->s, rows[i].record->type))
			return read_row(d, &rows[i]);
	return PL_DIAGNOSIS_OTHER;
}

static struct pl_str text_member(const struct pl_json *json, uint32_t object, const char *name)
{
	uint32_t t = pl_json_member(json, object, name);

	return t && json->tape[t].type == PL_JSON_STRING ? pl_json_str(json, t)
							 : (struct pl_str){0};
}

struct pl_diagnosis_evidence pl_diagnosis_evidence(const struct pl_diagnosis *d, uint32_t tok)
{
	const struct pl_json *json = &d->s.json;

	if (json->tape[tok].type != PL_JSON_OBJECT)
		return (struct pl_diagnosis_evidence){0};
	return (struct pl_diagnosis_evidence){
		.kind = text_member(json, tok, "kind"),
		.statement = text_member(json, tok, "statement"),
		.id = text_member(json, tok, "id"),
	};
}

void pl_diagnosis_close(struct pl_diagnosis *d)
{
	pl_stream_close(&d->s);
	pl_buf_free(&d->event_text);
	*d = (struct pl_diagnosis){0};
}
