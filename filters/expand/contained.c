/* contained: samples whose frames stand in their own line */
#include "expand.h"

enum { MEMBERS = 64 }; /* the most that a table of members has */

/* Sorts the members of the object on the tape into the table's order: values[i] is the token of
 * member i, 0 when it is absent. Returns how many others there are, "type" aside. */
static size_t sort_members(const struct pl_record *record, const struct pl_json *json,
			   uint32_t values[MEMBERS])
{
	const struct pl_json_tok *tape = json->tape;
	size_t others = 0, from = 0;

	memset(values, 0, MEMBERS * sizeof *values);
	for (uint32_t key = 1; key < tape->next; key = tape[key + 1].next) {
		struct pl_str name = pl_json_str(json, key);
		size_t left = record->n, i = from;
		while (left && !pl_str_is(name, record->members[i % record->n].name)) {
			left--;
			i++;
		}
		from = left ? (i + 1) % record->n : from;
		if (left)
			values[i % record->n] = key + 1;
		else
			others += !pl_str_is(name, "type");
	}
	return others;
}

static bool has_member(const struct pl_record *record, struct pl_str name)
{
	for (size_t i = 0; i < record->n; i++)
		if (pl_str_is(name, record->members[i].name))
			return true;
	return false;
}

/* Members that a newer minor version added. */
static void put_others(struct pl_jsonw *w, const struct pl_record *record,
		       const struct pl_json *json)
{
	const struct pl_json_tok *tape = json->tape;

	for (uint32_t key = 1; key < tape->next; key = tape[key + 1].next) {
		struct pl_str name = pl_json_str(json, key);
		if (pl_str_is(name, "type") || has_member(record, name))
			continue;
		pl_jsonw_keys(w, name);
		pl_jsonw_value(w, json, key + 1);
	}
}

static const char *module_member_name(const char *name)
{
	if (strcmp(name, "kind") == 0)
		return "module_kind";
	return strcmp(name, "reason") == 0 ? "module_reason" : name;
}

static void learn_module(struct contained *x, const struct pl_samples *r)
{
	struct pl_buf *b = &x->frames.scratch;
	struct pl_jsonw w = {b, true};
	uint32_t values[MEMBERS];
	size_t id = r->module.id;

	sort_members(&pl_module_record, &r->s.json, values);
	pl_buf_clear(b);
	pl_jsonw_kstr(&w, "dso", r->module.dso);
	size_t dso_n = b->n;
	for (size_t i = 0; i < pl_module_record.n; i++) {
		const char *name = pl_module_record.members[i].name;
		if (!values[i] || strcmp(name, "id") == 0 || strcmp(name, "dso") == 0)
			continue;
		pl_jsonw_key(&w, module_member_name(name));
		pl_jsonw_value(&w, &r->s.json, values[i]);
	}
	PL_GROW(x->modules, id + 1, x->modules_cap);
	x->modules[id].dso = texts_keep(&x->frames, (struct pl_str){b->p, dso_n});
	x->modules[id].rest = texts_keep(&x->frames, (struct pl_str){b->p + dso_n, b->n - dso_n});
}

/* The frame, without its end and without what its module says; returns where the DSO belongs. */
static size_t put_frame(struct pl_jsonw *w, const struct pl_samples *r)
{
	const struct pl_json *json = &r->s.json;
	uint32_t values[MEMBERS];
	size_t others = sort_members(&pl_frame_record, json, values), head = 0;

	pl_jsonw_begin(w, '{');
	for (size_t i = 0; i < pl_frame_record.n; i++) {
		const char *name = pl_frame_record.members[i].name;
		if (strcmp(name, "module") == 0) {
			if (r->frame.module == PL_NO_MODULE)
				pl_jsonw_knull(w, "dso");
			head = w->buf->n;
		} else if (values[i] && strcmp(name, "id") != 0) {
			pl_jsonw_key(w, name);
			pl_jsonw_value(w, json, values[i]);
		}
	}
	if (others)
		put_others(w, &pl_frame_record, json);
	return head;
}

static void learn_frame(struct contained *x, const struct pl_samples *r)
{
	struct pl_buf *b = &x->frames.scratch;
	struct pl_jsonw w = {b, false};
	uint32_t id = r->frame.id;

	pl_buf_clear(b);
	PL_GROW(x->parts, (size_t)id + 1, x->parts_cap);
	x->parts[id] = (struct contained_frame){r->frame.module, put_frame(&w, r)};
	texts_set(&x->frames, id, pl_buf_str(b));
}

static void put_text(const struct contained *x, uint32_t frame, struct pl_buf *out)
{
	const struct contained_frame *part = &x->parts[frame];
	struct pl_str text = x->frames.v[frame];

	if (part->module == PL_NO_MODULE) {
		pl_buf_adds(out, text);
	} else {
		pl_buf_add(out, text.p, part->head);
		pl_buf_adds(out, x->modules[part->module].dso);
		pl_buf_add(out, text.p + part->head, text.n - part->head);
		pl_buf_adds(out, x->modules[part->module].rest);
	}
	pl_buf_addc(out, '}');
}

static int put_frames(const struct contained *x, const struct pl_samples *r, struct pl_buf *out,
		      size_t start, struct pl_err *err)
{
	for (size_t i = 0; i < r->sample.depth; i++) {
		if (i)
			pl_buf_addc(out, ',');
		put_text(x, r->sample.stack[i], out);
		if (check_line(r, out, start, err))
			return -1;
	}
	return 0;
}

static int put_sample(const struct contained *x, const struct pl_samples *r, struct pl_buf *out,
		      struct pl_err *err)
{
	struct pl_jsonw w = {out, false};
	uint32_t values[MEMBERS];
	size_t others = sort_members(&pl_sample_record, &r->s.json, values), start = out->n;

	pl_jsonw_record(&w, "sample");
	for (size_t i = 0; i < pl_sample_record.n; i++) {
		const char *name = pl_sample_record.members[i].name;
		if (strcmp(name, "stack") == 0) {
			pl_jsonw_kbegin(&w, "frames", '[');
			if (put_frames(x, r, out, start, err))
				return -1;
			pl_jsonw_end(&w, ']');
		} else if (values[i]) {
			pl_jsonw_key(&w, name);
			pl_jsonw_value(&w, &r->s.json, values[i]);
		}
	}
	if (others)
		put_others(&w, &pl_sample_record, &r->s.json);
	pl_jsonw_end(&w, '}'); /* the limit of a line is without its LF */
	if (check_line(r, out, start, err))
		return -1;
	pl_buf_addc(out, '\n');
	return 0;
}

/* The end record as it came, but that no module and no frame is defined any more. */
static void put_end(struct pl_buf *b, const struct pl_json *json)
{
	struct pl_jsonw w = {b, false};

	pl_jsonw_begin(&w, '{');
	for (uint32_t key = 1; key < json->tape->next; key = json->tape[key + 1].next) {
		struct pl_str name = pl_json_str(json, key);
		pl_jsonw_keys(&w, name);
		if (pl_str_is(name, "modules") || pl_str_is(name, "frames"))
			pl_jsonw_u64(&w, 0);
		else
			pl_jsonw_value(&w, json, key + 1);
	}
	pl_jsonw_record_end(&w);
}

int contained_take(struct contained *x, const struct pl_samples *r, enum pl_samples_kind kind,
		   struct pl_buf *out, struct pl_err *err)
{
	switch (kind) {
	case PL_SAMPLES_MODULE:
	case PL_SAMPLES_FRAME:
		/* those of a sample with frames are in its line already */
		if (pl_stream_is(&r->s, "module"))
			learn_module(x, r);
		else if (pl_stream_is(&r->s, "frame"))
			learn_frame(x, r);
		break;
	case PL_SAMPLES_SAMPLE:
		if (r->sample.frames_token)
			pl_stream_pass(&r->s, out);
		else
			return put_sample(x, r, out, err);
		break;
	case PL_SAMPLES_DONE:
		put_end(out, &r->s.json);
		break;
	default:
		pl_stream_pass(&r->s, out);
		break;
	}
	return 0;
}

void contained_free(struct contained *x)
{
	texts_free(&x->frames);
	free(x->parts);
	free(x->modules);
}
