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

enum { MEMBERS_MAX = 32 }; /* of a record that are put in order; what is more comes last */

/* A record's members, each with its place in the order. */
struct copy {
	struct pl_jsonw *w;
	const struct pl_json *json;
	struct {
		uint32_t key;
		uint8_t place;
	} members[MEMBERS_MAX];
	size_t n;
};

static void start(struct copy *c, struct pl_jsonw *w, const struct pl_json *json, uint32_t object,
		  const char *const *order, size_t order_n)
{
	const struct pl_json_tok *tape = json->tape;
	size_t next = 0;

	c->w = w;
	c->json = json;
	c->n = 0;
	for (uint32_t key = object + 1; key < tape[object].next && c->n < MEMBERS_MAX;
	     key = tape[key + 1].next) {
		struct pl_str name = pl_json_str(json, key);
		/* nearly always it stands behind the one before it */
		size_t tried = 0, place = next;
		while (tried < order_n && !pl_str_is(name, order[place])) {
			place = place + 1 < order_n ? place + 1 : 0;
			tried++;
		}
		c->members[c->n].key = key;
		c->members[c->n++].place = (uint8_t)(tried < order_n ? place : order_n);
		next = place + 1 < order_n ? place + 1 : 0;
	}
}

/* The members whose place is `from` or behind it, and before `to`. */
static void copy(const struct copy *c, size_t from, size_t to)
{
	for (size_t place = from; place < to; place++) {
		for (size_t i = 0; i < c->n; i++) {
			if (c->members[i].place != place)
				continue;
			pl_jsonw_keys(c->w, pl_json_str(c->json, c->members[i].key));
			pl_jsonw_value(c->w, c->json, c->members[i].key + 1);
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
	struct copy c;

	start(&c, w, json, 0, module_order, PL_COUNT(module_order));
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
	copy(&c, MODULE_BASE, PL_COUNT(module_order) + 1);
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
	struct copy c;

	start(&c, w, json, object, frame_order, PL_COUNT(frame_order));
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
	copy(&c, FRAME_INLINED, PL_COUNT(frame_order) + 1);
	pl_jsonw_end(w, '}');
}
