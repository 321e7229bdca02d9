/* candidate: what may be said of a hotspot, with what speaks for it and against it */
#include "hash.h"
#include "num.h"
#include "write.h"

#include <inttypes.h>

enum { ID_DIGITS = 16 };

static struct pl_str symbol_of(const struct profile_hotspot *h)
{
	return h->symbol.p ? h->symbol : PL_S("unknown");
}

/* ---- statements ---- */

static void put_supporting(struct writer *w, const char *kind, struct pl_str id)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_begin(j, '{');
	pl_jsonw_kz(j, "kind", kind);
	pl_jsonw_kstr(j, "id", id);
	pl_jsonw_kstr(j, "statement", pl_buf_str(&w->text));
	pl_jsonw_end(j, '}');
	pl_buf_clear(&w->text);
}

static void put_counter(struct writer *w, const char *kind)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_begin(j, '{');
	pl_jsonw_kz(j, "kind", kind);
	pl_jsonw_kstr(j, "statement", pl_buf_str(&w->text));
	pl_jsonw_end(j, '}');
	pl_buf_clear(&w->text);
}

static void add(struct writer *w, const char *z)
{
	pl_buf_addz(&w->text, z);
}

/* "271 of 453 nanoseconds" */
static void add_part(struct writer *w, const struct profile_event *e, uint64_t part, uint64_t total)
{
	pl_buf_printf(&w->text, "%" PRIu64 " of ", part);
	write_weight(w, e, total);
}

static void add_samples(struct writer *w, const struct profile_event *e, uint64_t n)
{
	bool folded = pl_str_is(e->event.weight_source, "folded_weight");

	pl_buf_printf(&w->text, " in %" PRIu64 " %s%s", n, folded ? "stack line" : "sample",
		      n == 1 ? "" : "s");
}

static void support_self(struct writer *w, const struct profile_event *e,
			 const struct profile_hotspot *h)
{
	add(w, "self weight ");
	add_part(w, e, h->self, e->event.weight);
	add(w, ", ");
	write_share(w, h->self_pct);
	add_samples(w, e, h->self_samples);
	if (h->has_interval) {
		add(w, "; 95 % interval ");
		write_share(w, h->low);
		add(w, " to ");
		write_share(w, h->high);
	}
	put_supporting(w, "hotspot_self", h->id);
	add(w, "inclusive weight ");
	add_part(w, e, h->inclusive, e->event.weight);
	add(w, ", ");
	write_share(w, h->inclusive_pct);
	put_supporting(w, "hotspot_inclusive", h->id);
}

static void support_callers(struct writer *w, const struct profile_event *e,
			    const struct profile_hotspot *h, const struct profile_fit *fit)
{
	if (!fit->callers.n)
		return;
	write_share(w, context_callers_pct(h, fit));
	add(w, " of its inclusive weight comes by callers that the rule asks for, which is for ");
	write_share(w, fit->rule->share_pct);
	put_supporting(w, "caller", h->id);
	for (size_t i = 0; i < fit->callers.n; i++) {
		add(w, "called by ");
		pl_buf_adds(&w->text, fit->callers.v[i].name);
		add(w, " with ");
		add_part(w, e, fit->callers.v[i].weight, h->inclusive);
		put_supporting(w, "caller", fit->callers.v[i].id);
	}
}

static void support_paths(struct writer *w, const struct profile_event *e,
			  const struct profile_hotspot *h, const struct profile_fit *fit)
{
	const struct profile_citations *paths = fit->under.n ? &fit->under : &h->paths;

	if (fit->under.n) {
		write_share(w, context_under_pct(h, fit));
		add(w, " of its self weight on exported call paths is under functions that the "
		       "rule asks for, which is for ");
		write_share(w, fit->rule->share_pct);
		put_supporting(w, "path", h->id);
	}
	for (size_t i = 0; i < paths->n; i++) {
		add(w, "a call path that ends in it has weight ");
		add_part(w, e, paths->v[i].weight, e->event.weight);
		add(w, ", ");
		write_share(w, pl_num_percent(paths->v[i].weight, e->event.weight));
		put_supporting(w, "path", paths->v[i].id);
	}
}

static void support_line(struct writer *w, const struct profile_event *e,
			 const struct profile_hotspot *h)
{
	if (!h->line.file.p)
		return;
	add(w, "most of its self weight with a line is at ");
	pl_buf_adds(&w->text, h->line.file);
	pl_buf_printf(&w->text, ":%" PRIu64 ": ", h->line.line);
	add_part(w, e, h->line.self, h->self);
	put_supporting(w, "line", (struct pl_str){NULL, 0});
}

/* ---- counter-evidence ---- */

static void counter_numbers(struct writer *w, const struct profile_event *e,
			    const struct profile_hotspot *h, const struct profile_fit *fit,
			    const struct judgement *j)
{
	if (j->self_zero) {
		add(w, "it has no self weight: what it costs is spent in what it calls");
		put_counter(w, "self_zero");
	}
	if (j->category_small) {
		add(w, "all of ");
		pl_buf_adds(&w->text, category_code(fit->rule->category));
		add(w, " is ");
		write_share(w, pl_num_percent(e->categories[fit->rule->category].self,
					      e->event.weight));
		add(w, " of the event's weight, less than ");
		write_share(w, JUDGE_CATEGORY_PCT);
		put_counter(w, "category_small");
	}
	if (j->few_samples) {
		pl_buf_printf(&w->text, "it was seen in %" PRIu64 " samples, fewer than %d",
			      h->self_samples, JUDGE_FEW_SAMPLES);
		put_counter(w, "few_samples");
	}
}

static void counter_bound(struct writer *w, const struct profile_hotspot *h,
			  const struct judgement *j)
{
	if (!j->interval_wide)
		return;
	if (h->has_interval) {
		pl_buf_printf(&w->text, "the lower bound of the 95 %% interval of its %s share is ",
			      j->of);
		write_share(w, j->low);
		add(w, ", below the rule's threshold of ");
	} else {
		pl_buf_printf(&w->text,
			      "weights are no draws, so there is no interval: half of its %s share "
			      "is ",
			      j->of);
		write_share(w, j->low);
		add(w, ", below the rule's threshold of ");
	}
	write_share(w, j->threshold);
	put_counter(w, "interval_wide");
}

static void counter_context(struct writer *w, const struct profile_event *e,
			    const struct profile_hotspot *h, const struct profile_fit *fit,
			    const struct judgement *j)
{
	if (j->context_absent) {
		const struct rule *rule = fit->rule;
		write_share(w, rule->callers.n ? context_callers_pct(h, fit)
					       : context_under_pct(h, fit));
		add(w,
		    rule->callers.n
			    ? " of its inclusive weight comes by callers that the rule asks for, "
			      "which is for "
			    : " of its self weight on exported call paths is under functions that "
			      "the rule asks for, which is for ");
		write_share(w, rule->share_pct);
		put_counter(w, "context_absent");
	}
	if (j->partial) {
		add(w, "the event is partial: ");
		for (size_t i = 0; i < e->reasons.n; i++) {
			add(w, i ? ", " : "");
			pl_buf_adds(&w->text, e->reasons.v[i]);
		}
		put_counter(w, "partial");
	}
}

/* ---- the record ---- */

/* "c-" and 16 hexadecimal digits of SHA-256 over rule, event and hotspot, a NUL between them. */
static void put_id(struct pl_jsonw *j, const struct profile_event *e,
		   const struct profile_hotspot *h, const struct rule *rule)
{
	char hex[PL_SHA256_HEX + 1], id[2 + ID_DIGITS] = "c-";
	struct pl_sha256 sum;

	pl_sha256_start(&sum);
	pl_sha256_add(&sum, rule->id.p, rule->id.n);
	pl_sha256_add(&sum, "", 1);
	pl_sha256_add(&sum, e->event.label.p, e->event.label.n);
	pl_sha256_add(&sum, "", 1);
	pl_sha256_add(&sum, h->id.p, h->id.n);
	pl_sha256_end(&sum, hex);
	memcpy(id + 2, hex, ID_DIGITS);
	pl_jsonw_kstr(j, "id", (struct pl_str){id, sizeof id});
}

static void put_observation(struct writer *w, struct pl_str text, struct pl_str symbol)
{
	static const char place[] = "{symbol}";

	while (text.n) {
		const char *at = memmem(text.p, text.n, place, sizeof place - 1);
		size_t before = at ? (size_t)(at - text.p) : text.n;
		pl_buf_add(&w->text, text.p, before);
		if (at) {
			pl_buf_adds(&w->text, symbol);
			before += sizeof place - 1;
		}
		text = (struct pl_str){text.p + before, text.n - before};
	}
	pl_jsonw_kstr(&w->w, "observation", pl_buf_str(&w->text));
	pl_buf_clear(&w->text);
}

static void put_texts(struct pl_jsonw *j, const char *key, const struct rule_texts *texts)
{
	pl_jsonw_kbegin(j, key, '[');
	for (size_t i = 0; i < texts->n; i++)
		pl_jsonw_str(j, texts->v[i]);
	pl_jsonw_end(j, ']');
}

static void put_evidence(struct writer *w, const struct profile_event *e,
			 const struct profile_hotspot *h, const struct profile_fit *fit,
			 const struct judgement *j)
{
	pl_jsonw_kbegin(&w->w, "supporting", '[');
	support_self(w, e, h);
	support_callers(w, e, h, fit);
	support_paths(w, e, h, fit);
	support_line(w, e, h);
	pl_jsonw_end(&w->w, ']');
	pl_jsonw_kbegin(&w->w, "counter", '[');
	counter_numbers(w, e, h, fit, j);
	counter_bound(w, h, j);
	counter_context(w, e, h, fit, j);
	pl_jsonw_end(&w->w, ']');
}

static void put_candidate(struct writer *w, const struct profile_event *e,
			  const struct profile_hotspot *h, const struct profile_fit *fit,
			  const struct judgement *judged)
{
	const struct rule *rule = fit->rule;
	struct pl_jsonw *j = &w->w;

	pl_jsonw_record(j, "candidate");
	put_id(j, e, h, rule);
	pl_jsonw_kstr(j, "rule", rule->id);
	pl_jsonw_ku64(j, "rule_version", rule->version);
	pl_jsonw_kstr(j, "category", category_code(rule->category));
	pl_jsonw_kstr(j, "hotspot", h->id);
	pl_jsonw_kstr(j, "event", e->event.label);
	pl_jsonw_kstr(j, "symbol", h->symbol);
	pl_jsonw_kstr(j, "dso", h->dso);
	pl_jsonw_kz(j, "confidence", judged->medium ? "medium" : "low");
	pl_jsonw_kz(j, "level", e->paths && e->event.multi_frame_weight ? "L2" : "L1");
	pl_jsonw_kz(j, "conclusion_status", "candidate");
	put_observation(w, rule->observation, symbol_of(h));
	put_evidence(w, e, h, fit, judged);
	put_texts(j, "missing", &rule->missing);
	put_texts(j, "next", &rule->next);
	put_texts(j, "forbidden", &rule->forbidden);
	pl_jsonw_record_end(j);
	w->candidates++;
	w->records++;
}

void write_candidates(struct writer *w, const struct profile_event *e)
{
	for (size_t i = 0; i < e->hotspots_n; i++) {
		const struct profile_hotspot *h = &e->hotspots[i];
		for (size_t f = 0; f < h->fits; f++) {
			const struct profile_fit *fit = &e->fits[h->fit + f];
			struct judgement judged = judge(e, h, fit);
			if (judged.reported)
				put_candidate(w, e, h, fit, &judged);
		}
	}
}
