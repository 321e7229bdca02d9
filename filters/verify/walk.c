/* walk: the rows of an analysis, decoded one after the other */
#include "verify.h"

static const struct pl_record *const records[] = {
	[PL_ANALYSIS_EVENT] = &pl_analysis_event_record,
	[PL_ANALYSIS_QUALITY] = &pl_analysis_quality_record,
	[PL_ANALYSIS_MODULE] = &pl_analysis_module_record,
	[PL_ANALYSIS_HOTSPOT] = &pl_analysis_hotspot_record,
	[PL_ANALYSIS_PATH] = &pl_analysis_path_record,
	[PL_ANALYSIS_DIAGNOSTIC] = &pl_analysis_diagnostic_record,
};

enum pl_analysis_kind row_kind(struct pl_str type)
{
	for (enum pl_analysis_kind k = PL_ANALYSIS_EVENT; k < PL_ANALYSIS_OTHER; k++)
		if (pl_str_is(type, records[k]->type))
			return k;
	return PL_ANALYSIS_OTHER;
}

const struct pl_record *row_record(enum pl_analysis_kind kind)
{
	return kind == PL_ANALYSIS_OTHER ? NULL : records[kind];
}

/* Parses a line that was parsed before, when the artifact was opened: it cannot fail. */
static struct pl_str parse(struct pl_json *json, struct pl_str line)
{
	if (pl_json_parse(json, line))
		return PL_S("");
	return pl_json_str(json, pl_json_member(json, 0, "type"));
}

static void decode(const struct pl_record *record, const struct pl_json *json, void *out,
		   size_t size)
{
	char message[256];

	memset(out, 0, size);
	/* the members check has seen that this succeeds */
	(void)pl_record_read(record, json, 0, out, message);
}

void walk_start(struct walk *w, const struct artifact *a)
{
	*w = (struct walk){.a = a, .line = 1};
	parse(&w->end_json, a->lines[a->n - 1]);
	decode(&pl_analysis_end_record, &w->end_json, &w->end, sizeof w->end);
}

enum pl_analysis_kind walk_next(struct walk *w)
{
	if (w->line + 1 >= w->a->n)
		return w->kind = PL_ANALYSIS_DONE;
	w->line++;
	w->json = &w->tapes[!w->tape];
	w->type = parse(w->json, w->a->lines[w->line - 1]);
	w->kind = row_kind(w->type);
	if (w->kind != PL_ANALYSIS_OTHER)
		w->tape = !w->tape;
	switch (w->kind) {
	case PL_ANALYSIS_EVENT:
		w->event_tape = !w->event_tape;
		parse(&w->event_tapes[w->event_tape], w->a->lines[w->line - 1]);
		decode(records[w->kind], &w->event_tapes[w->event_tape], &w->event,
		       sizeof w->event);
		break;
	case PL_ANALYSIS_QUALITY:
		decode(records[w->kind], w->json, &w->quality, sizeof w->quality);
		break;
	case PL_ANALYSIS_MODULE:
		decode(records[w->kind], w->json, &w->module, sizeof w->module);
		break;
	case PL_ANALYSIS_HOTSPOT:
		decode(records[w->kind], w->json, &w->hotspot, sizeof w->hotspot);
		break;
	case PL_ANALYSIS_PATH:
		decode(records[w->kind], w->json, &w->path, sizeof w->path);
		break;
	case PL_ANALYSIS_DIAGNOSTIC:
		decode(records[w->kind], w->json, &w->diagnostic, sizeof w->diagnostic);
		break;
	default:
		break;
	}
	return w->kind;
}

void walk_close(struct walk *w)
{
	for (size_t i = 0; i < PL_COUNT(w->tapes); i++) {
		pl_json_free(&w->tapes[i]);
		pl_json_free(&w->event_tapes[i]);
	}
	pl_json_free(&w->end_json);
}

bool walk_totals(struct walk *w, size_t index, struct pl_analysis_totals *totals)
{
	const struct pl_json_tok *tape = w->end_json.tape;
	char message[256];

	if (w->totals_at == 0 || index < w->totals_n) {
		w->totals_at = w->end.events + 1;
		w->totals_n = 0;
	}
	for (; w->totals_at < tape[w->end.events].next && w->totals_n < index; w->totals_n++)
		w->totals_at = tape[w->totals_at].next;
	if (w->totals_at >= tape[w->end.events].next)
		return false;
	*totals = (struct pl_analysis_totals){0};
	return !pl_record_read(&pl_analysis_totals_record, &w->end_json, w->totals_at, totals,
			       message);
}
