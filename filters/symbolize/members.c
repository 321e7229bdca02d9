/* members: copies what stays, in the order of the schema, and puts in what is new */
#include "members.h"

/* The order of perflens.samples. What a newer version adds comes last. */
static const char *const module_order[] = {"type", "id",      "dso",	"build_id",
					   "kind", "symbols", "reason", "base"};
static const char *const frame_order[] = {"type",    "id",     "symbol", "module", "raw",
					  "offset",  "return", "pid",	 "source", "inlines",
					  "inlined", "kind",   "suspect"};
enum { MODULE_SYMBOLS = 5, MODULE_REASON, MODULE_BASE };
enum {
	FRAME_SYMBOL = 2,
	FRAME_MODULE,
	FRAME_RAW,
	FRAME_OFFSET,
	FRAME_SOURCE = 8,
	FRAME_INLINED = 10
};

struct copy {
	struct pl_jsonw *w;
	const struct pl_json *json;
	uint32_t object;
	const char *const *order;
	size_t n;
};

static size_t place_of(const struct copy *c, struct pl_str name)
{
	size_t i = 0;

	while (i < c->n && !pl_str_is(name, c->order[i]))
		i++;
	return i;
}

/* The members whose place is `from` or behind it, and before `to`. */
static void copy(const struct copy *c, size_t from, size_t to)
{
	const struct pl_json_tok *tape = c->json->tape;

	for (size_t place = from; place < to; place++) {
		for (uint32_t key = c->object + 1; key < tape[c->object].next;
		     key = tape[key + 1].next) {
			struct pl_str name = pl_json_str(c->json, key);
			if (place_of(c, name) != place)
				continue;
			pl_jsonw_keys(c->w, name);
			pl_jsonw_value(c->w, c->json, key + 1);
		}
	}
}

static void put_text(struct pl_jsonw *w, const char *key, struct pl_str text)
{
	if (text.p)
		pl_jsonw_kstr(w, key, text);
}

void members_put_module(struct pl_jsonw *w, const struct pl_json *json, const struct answer *a)
{
	struct copy c = {w, json, 0, module_order, PL_COUNT(module_order)};

	pl_jsonw_begin(w, '{');
	copy(&c, 0, MODULE_SYMBOLS);
	if (a->symbols.p)
		put_text(w, "symbols", a->symbols);
	else
		copy(&c, MODULE_SYMBOLS, MODULE_REASON);
	if (a->symbols.p)
		put_text(w, "reason", a->reason);
	else
		copy(&c, MODULE_REASON, MODULE_BASE);
	copy(&c, MODULE_BASE, c.n + 1);
	pl_jsonw_record_end(w);
}

static void put_source(struct pl_jsonw *w, const struct answer_frame *frame)
{
	if (!frame->file.p)
		return;
	pl_jsonw_kbegin(w, "source", '{');
	pl_jsonw_kstr(w, "file", frame->file);
	pl_jsonw_ku64(w, "line", frame->line);
	if (frame->column)
		pl_jsonw_ku64(w, "column", frame->column);
	pl_jsonw_end(w, '}');
}

static void put_inlines(struct pl_jsonw *w, const struct answer *a, struct pl_reader *inlines)
{
	struct answer_frame frame;

	if (!a->inlines)
		return;
	pl_jsonw_kbegin(w, "inlines", '[');
	for (uint32_t i = 0; i < a->inlines && answer_take_frame(inlines, &frame); i++) {
		pl_jsonw_begin(w, '{');
		pl_jsonw_kstr(w, "symbol", frame.symbol.p ? frame.symbol : PL_S("unknown"));
		put_text(w, "raw", frame.raw);
		put_source(w, &frame);
		pl_jsonw_end(w, '}');
	}
	pl_jsonw_end(w, ']');
}

void members_put_frame(struct pl_jsonw *w, const struct pl_json *json, uint32_t object,
		       const struct answer *a, struct pl_reader *inlines)
{
	struct copy c = {w, json, object, frame_order, PL_COUNT(frame_order)};

	pl_jsonw_begin(w, '{');
	copy(&c, 0, FRAME_SYMBOL);
	if (a->frame.symbol.p)
		put_text(w, "symbol", a->frame.symbol);
	else
		copy(&c, FRAME_SYMBOL, FRAME_MODULE);
	copy(&c, FRAME_MODULE, FRAME_RAW);
	put_text(w, "raw", a->frame.raw);
	copy(&c, FRAME_OFFSET, FRAME_SOURCE);
	put_source(w, &a->frame);
	put_inlines(w, a, inlines);
	copy(&c, FRAME_INLINED, c.n + 1);
	pl_jsonw_end(w, '}');
}
