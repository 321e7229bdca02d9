/* origin: where an analysis comes from: its producer and its foreign inputs */
#include "origin.h"

static struct pl_str text_of(struct report *r, const struct pl_json *json, uint32_t object,
			     const char *name)
{
	uint32_t t = pl_json_member(json, object, name);

	if (!t || json->tape[t].type != PL_JSON_STRING)
		return (struct pl_str){0};
	struct pl_str s = pl_json_str(json, t);
	return (struct pl_str){pl_arena_dup(&r->s.arena, s.p, s.n), s.n};
}

static bool number_of(const struct pl_json *json, uint32_t object, const char *name,
		      uint64_t *value)
{
	uint32_t t = pl_json_member(json, object, name);

	if (!t || json->tape[t].type != PL_JSON_UINT)
		return false;
	*value = json->tape[t].v.u;
	return true;
}

static void add_input(struct report *r, const struct pl_json *json, uint32_t object)
{
	if (r->inputs_n < REPORT_INPUTS) {
		struct report_input *in = &r->inputs[r->inputs_n];
		in->format = text_of(r, json, object, "format");
		in->sha256 = text_of(r, json, object, "sha256");
		in->has_bytes = number_of(json, object, "bytes", &in->bytes);
		in->has_lines = number_of(json, object, "lines", &in->lines);
	}
	r->inputs_n++;
}

/* Foreign inputs depth first: an element that has inputs of its own is a stream. JSON nests no
 * deeper than PL_JSON_DEPTH. */
static void read_inputs(struct report *r, const struct pl_json *json, uint32_t array)
{
	struct {
		uint32_t at, end;
	} open[PL_JSON_DEPTH] = {{array + 1, json->tape[array].next}};
	size_t depth = 1;

	while (depth) {
		if (open[depth - 1].at >= open[depth - 1].end) {
			depth--;
			continue;
		}
		uint32_t element = open[depth - 1].at;
		open[depth - 1].at = json->tape[element].next;
		if (json->tape[element].type != PL_JSON_OBJECT)
			continue;
		uint32_t inner = pl_json_member(json, element, "inputs");
		if (!inner || json->tape[inner].type != PL_JSON_ARRAY) {
			add_input(r, json, element);
		} else if (depth < PL_JSON_DEPTH) {
			open[depth].at = inner + 1;
			open[depth++].end = json->tape[inner].next;
		}
	}
}

const struct findings_event *report_findings(const struct report *r,
					     const struct pl_summary_event *e)
{
	return r->findings.given ? &r->findings.events[e - r->s.events] : NULL;
}

size_t report_shown(const struct report *r, size_t n)
{
	return n < r->rows ? n : (size_t)r->rows;
}

void report_read_origin(struct report *r, const struct pl_stream *s)
{
	r->program = text_of(r, &s->header_json, s->header.producer, "program");
	r->version = text_of(r, &s->header_json, s->header.producer, "version");
	read_inputs(r, &s->header_json, s->header.inputs);
}
