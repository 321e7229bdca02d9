/* rows-event: the event and quality records */
#include "num.h"
#include "writer.h"

#include <math.h>

void put_event(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;

	pl_jsonw_record(j, "event");
	pl_jsonw_kstr(j, "label", pl_buf_str(&s->label));
	pl_jsonw_kstr(j, "name", t->name);
	pl_jsonw_kstr(j, "unit", t->unit);
	pl_jsonw_kstr(j, "weight_source", t->weight_source);
	pl_jsonw_kstr(j, "source", t->source);
	pl_jsonw_ku64(j, "samples", t->samples);
	pl_jsonw_ku64(j, "weight", t->weight);
	pl_jsonw_ku64(j, "stackless", t->stackless);
	pl_jsonw_ku64(j, "lost", t->lost);
	pl_jsonw_ku64(j, "threads", t->threads);
	pl_jsonw_ku64(j, "multi_frame_weight", t->multi_frame_weight);
	pl_jsonw_ku64(j, "idle_weight", t->idle_weight);
	if (isnan(s->n_eff))
		pl_jsonw_knull(j, "n_eff");
	else
		pl_jsonw_kreal(j, "n_eff", s->n_eff);
	pl_jsonw_record_end(j);
	w->records++;
}

static void put_codes(struct pl_jsonw *j, const char *key, const struct pl_codes *codes)
{
	pl_jsonw_kbegin(j, key, '[');
	for (size_t i = 0; i < codes->n; i++)
		pl_jsonw_str(j, pl_str(codes->v[i]));
	pl_jsonw_end(j, ']');
}

void put_weight_pct(struct pl_jsonw *j, const char *key, const char *pct_key, uint64_t part,
		    uint64_t total)
{
	pl_jsonw_ku64(j, key, part);
	pl_jsonw_kmicro(j, pct_key, pl_num_percent(part, total));
}

/* Each sample whose function is known must have a mode; what is not resolved has no kind to tell it
 * by. */
static bool modes_known(const struct tally *t)
{
	return t->known_mode_weight &&
	       t->known_mode_weight + t->unresolved[MODE_OTHER] == t->weight - t->stackless;
}

static struct pl_quality_facts facts_of(const struct writer *w, const struct section *s)
{
	const struct tally *t = s->t;
	struct pl_quality_facts f = w->measured;
	uint64_t unresolved =
		t->unresolved[MODE_USER] + t->unresolved[MODE_KERNEL] + t->unresolved[MODE_OTHER];

	f.event = t->name;
	f.source = t->source;
	f.samples = t->samples;
	f.weight = t->weight;
	f.multi_frame_weight = t->multi_frame_weight;
	f.lost = t->lost;
	f.cut_weight = t->cut_weight;
	f.source_line_self = t->source_line_self;
	f.announced_samples = t->announced;
	f.received_samples = t->received;
	f.unresolved_self = unresolved;
	f.unresolved_threshold_pct = w->o->unresolved_threshold;
	f.merged_symbols = s->merged_symbols;
	f.modes_known = modes_known(t);
	f.jit_frames = t->jit_frames > 0;
	f.omitted_rows = s->hotspots_n < s->hotspots_total || s->paths_n < s->paths_total;
	f.paths_kept = w->p->paths_kept;
	f.trusted_frames = t->trusted_frames;
	f.malformed = w->p->malformed;
	f.replaced = w->p->replaced;
	f.digest_absent = w->sources->digest_absent;
	return f;
}

void put_quality(struct writer *w, const struct section *s)
{
	struct pl_jsonw *j = &w->w;
	const struct tally *t = s->t;
	const uint64_t *unresolved = t->unresolved;
	struct pl_quality_facts f = facts_of(w, s);
	struct pl_codes reasons, allowed, forbidden;

	pl_quality_reasons(&f, &reasons);
	pl_quality_allowed(&f, &allowed);
	pl_quality_forbidden(&f, &forbidden);
	pl_jsonw_record(j, "quality");
	pl_jsonw_kstr(j, "event", pl_buf_str(&s->label));
	pl_jsonw_kz(j, "status", reasons.n ? "partial" : "verified");
	put_codes(j, "reasons", &reasons);
	put_codes(j, "allowed", &allowed);
	put_codes(j, "forbidden", &forbidden);
	put_weight_pct(j, "unresolved_self", "unresolved_self_pct",
		       unresolved[MODE_USER] + unresolved[MODE_KERNEL] + unresolved[MODE_OTHER],
		       t->weight);
	put_weight_pct(j, "unresolved_self_user", "unresolved_self_user_pct", unresolved[MODE_USER],
		       t->weight);
	put_weight_pct(j, "unresolved_self_kernel", "unresolved_self_kernel_pct",
		       unresolved[MODE_KERNEL], t->weight);
	put_weight_pct(j, "unresolved_self_other", "unresolved_self_other_pct",
		       unresolved[MODE_OTHER], t->weight);
	pl_jsonw_kmicro(j, "unresolved_threshold_pct", w->o->unresolved_threshold);
	pl_jsonw_ku64(j, "source_line_self", t->source_line_self);
	pl_jsonw_ku64(j, "inlined_frames", t->inlined_frames);
	pl_jsonw_ku64(j, "merged_symbols", s->merged_symbols);
	pl_jsonw_ku64(j, "cut_weight", t->cut_weight);
	pl_jsonw_ku64(j, "suspect_callers", t->suspect_callers);
	pl_jsonw_kcount(j, "unresolved_callers", t->unresolved_callers);
	pl_jsonw_kcount(j, "trusted_frames", t->trusted_frames);
	pl_jsonw_kmicro(j, "largest_sample_pct", pl_num_percent(t->largest, t->weight));
	pl_jsonw_ku64(j, "announced_samples", t->announced);
	pl_jsonw_ku64(j, "received_samples", t->received);
	pl_jsonw_ku64(j, "malformed", w->p->malformed);
	pl_jsonw_ku64(j, "skipped", w->p->skipped);
	pl_jsonw_ku64(j, "replaced", w->p->replaced);
	pl_jsonw_record_end(j);
	w->records++;
}
