/* write: the frame of a diagnosis: header, events, categories, end */
#include "write.h"
#include "diagnosis.h"
#include "num.h"

#include <inttypes.h>
#include <stdlib.h>

void write_share(struct writer *w, uint64_t micro)
{
	char digits[PL_NUM_MAX];

	pl_buf_add(&w->text, digits, pl_num_put_micro(digits, micro));
	pl_buf_addz(&w->text, " %");
}

void write_weight(struct writer *w, const struct profile_event *e, uint64_t weight)
{
	pl_buf_printf(&w->text, "%" PRIu64, weight);
	if (!pl_str_is(e->event.unit, "unknown")) {
		pl_buf_addc(&w->text, ' ');
		pl_buf_adds(&w->text, e->event.unit);
	}
}

void write_header(struct writer *w, const struct pl_main *m, const struct pl_stream *analysis,
		  const struct rules *rules)
{
	struct pl_jsonw *j = &w->w;

	pl_stream_header(j, PL_DIAGNOSIS_SCHEMA, m);
	pl_jsonw_begin(j, '[');
	pl_stream_input(j, analysis, NULL, 0);
	pl_jsonw_end(j, ']');
	pl_jsonw_kbegin(j, "rules", '[');
	for (size_t i = 0; i < rules->files_n; i++) {
		pl_jsonw_begin(j, '{');
		pl_jsonw_kstr(j, "name", rules->files[i].name);
		pl_jsonw_kz(j, "sha256", rules->files[i].sha256);
		pl_jsonw_ku64(j, "rules", rules->files[i].rules);
		pl_jsonw_end(j, '}');
	}
	pl_jsonw_end(j, ']');
	pl_jsonw_record_end(j);
}

static void put_codes(struct pl_jsonw *j, const char *key, const struct profile_codes *codes)
{
	pl_jsonw_kbegin(j, key, '[');
	for (size_t i = 0; i < codes->n; i++)
		pl_jsonw_str(j, codes->v[i]);
	pl_jsonw_end(j, ']');
}

void write_event(struct writer *w, const struct profile_event *e)
{
	struct pl_jsonw *j = &w->w;
	uint64_t without = e->read_self - e->classified_self;

	pl_jsonw_record(j, "event");
	pl_jsonw_kstr(j, "label", e->event.label);
	pl_jsonw_kstr(j, "unit", e->event.unit);
	pl_jsonw_ku64(j, "weight", e->event.weight);
	pl_jsonw_ku64(j, "samples", e->event.samples);
	pl_jsonw_kstr(j, "status", e->quality.status);
	put_codes(j, "reasons", &e->reasons);
	put_codes(j, "allowed", &e->allowed);
	put_codes(j, "forbidden", &e->forbidden);
	pl_jsonw_ku64(j, "classified_self", e->classified_self);
	pl_jsonw_kmicro(j, "classified_self_pct",
			pl_num_percent(e->classified_self, e->event.weight));
	pl_jsonw_ku64(j, "unclassified_self", without);
	pl_jsonw_kmicro(j, "unclassified_self_pct", pl_num_percent(without, e->event.weight));
	pl_jsonw_record_end(j);
	w->records++;
}

static void put_category(struct writer *w, const struct profile_event *e, unsigned category)
{
	const struct profile_category *c = &e->categories[category];
	struct pl_jsonw *j = &w->w;

	pl_jsonw_record(j, "category");
	pl_jsonw_kstr(j, "event", e->event.label);
	pl_jsonw_kstr(j, "category", category_code(category));
	pl_jsonw_ku64(j, "hotspots", c->hotspots);
	pl_jsonw_ku64(j, "self", c->self);
	pl_jsonw_kmicro(j, "self_pct", pl_num_percent(c->self, e->event.weight));
	pl_jsonw_record_end(j);
	w->records++;
}

/* Self weight first, then the code, in whose order they are numbered. */
void write_categories(struct writer *w, const struct profile_event *e)
{
	unsigned order[CATEGORIES], n = 0;

	for (unsigned c = 0; c < CATEGORIES; c++) {
		unsigned at = n;
		if (!e->categories[c].hotspots)
			continue;
		for (; at > 0 && e->categories[order[at - 1]].self < e->categories[c].self; at--)
			order[at] = order[at - 1];
		order[at] = c;
		n++;
	}
	for (unsigned i = 0; i < n; i++)
		put_category(w, e, order[i]);
}

void write_end(struct writer *w)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_record(j, "end");
	pl_jsonw_ku64(j, "candidates", w->candidates);
	pl_jsonw_ku64(j, "gaps", w->gaps);
	pl_jsonw_ku64(j, "records", w->records);
	pl_stream_seal(j->buf);
	pl_buf_free(&w->text);
}
