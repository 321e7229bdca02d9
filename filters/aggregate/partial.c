/* partial: writes what partial-read.c reads: events, their modules and keys, call paths by number
 * of key */
#include "partial.h"
#include "ids.h"
#include "mem.h"
#include "rows-details.h"

enum { U128_MAX = 40 };

static void put_u128(struct pl_jsonw *w, const char *key, unsigned __int128 v)
{
	char digits[U128_MAX];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + (int)(v % 10));
	while (v /= 10);
	pl_jsonw_kstr(w, key, (struct pl_str){digits + at, sizeof digits - at});
}

static void put_event(struct pl_jsonw *w, const struct tally *t, size_t id)
{
	pl_jsonw_record(w, "event");
	pl_jsonw_ku64(w, "id", id);
	pl_jsonw_kstr(w, "name", t->name);
	pl_jsonw_kstr(w, "unit", t->unit);
	pl_jsonw_kstr(w, "weight_source", t->weight_source);
	pl_jsonw_kstr(w, "source", t->source);
	pl_jsonw_ku64(w, "samples", t->samples);
	pl_jsonw_ku64(w, "weight", t->weight);
	put_u128(w, "squares", t->squares);
	pl_jsonw_ku64(w, "stackless", t->stackless);
	pl_jsonw_ku64(w, "lost", t->lost);
	pl_jsonw_ku64(w, "threads", t->threads);
	pl_jsonw_ku64(w, "multi_frame_weight", t->multi_frame_weight);
	pl_jsonw_ku64(w, "idle_weight", t->idle_weight);
	pl_jsonw_ku64(w, "unresolved_user", t->unresolved[MODE_USER]);
	pl_jsonw_ku64(w, "unresolved_kernel", t->unresolved[MODE_KERNEL]);
	pl_jsonw_ku64(w, "unresolved_other", t->unresolved[MODE_OTHER]);
	pl_jsonw_ku64(w, "known_mode_weight", t->known_mode_weight);
	pl_jsonw_ku64(w, "source_line_self", t->source_line_self);
	pl_jsonw_ku64(w, "inlined_frames", t->inlined_frames);
	pl_jsonw_ku64(w, "cut_weight", t->cut_weight);
	pl_jsonw_ku64(w, "suspect_callers", t->suspect_callers);
	pl_jsonw_ku64(w, "jit_frames", t->jit_frames);
	pl_jsonw_kcount(w, "unresolved_callers", t->unresolved_callers);
	pl_jsonw_kcount(w, "trusted_frames", t->trusted_frames);
	pl_jsonw_ku64(w, "largest", t->largest);
	pl_jsonw_kstr(w, "largest_stack", pl_buf_str(&t->largest_stack));
	pl_jsonw_ku64(w, "announced_samples", t->announced);
	pl_jsonw_ku64(w, "received_samples", t->received);
	pl_jsonw_record_end(w);
}

static void put_modules(const struct profile *p, struct pl_jsonw *w, const struct tally *t,
			size_t id)
{
	for (size_t i = 0; i < t->modules.n; i++) {
		const struct module_sum *m = &t->module_sums[i];
		pl_jsonw_record(w, "module");
		pl_jsonw_ku64(w, "event", id);
		pl_jsonw_kstr(w, "dso", profile_text(p, m->dso));
		pl_jsonw_kstr(w, "build_id", profile_text(p, m->build_id));
		pl_jsonw_kstr(w, "kind", profile_text(p, m->kind));
		pl_jsonw_kstr(w, "symbols", profile_text(p, m->symbols));
		pl_jsonw_kstr(w, "reason", profile_text(p, m->reason));
		pl_jsonw_ku64(w, "self", m->self);
		pl_jsonw_ku64(w, "unresolved_self", m->unresolved_self);
		pl_jsonw_record_end(w);
	}
}

static void put_key(const struct profile *p, struct pl_jsonw *w, const struct tally *t,
		    struct details *details, size_t event, uint32_t id, uint32_t key)
{
	const struct key_sum *sum = &t->keys[key];

	pl_jsonw_record(w, "key");
	pl_jsonw_ku64(w, "id", id);
	pl_jsonw_ku64(w, "event", event);
	pl_jsonw_kstr(w, "name", profile_key_name(p, key));
	pl_jsonw_kstr(w, "dso", profile_key_dso(p, key));
	pl_jsonw_kstr(w, "kind", profile_text(p, sum->kind));
	pl_jsonw_kbool(w, "inlined", sum->inlined == 1);
	pl_jsonw_ku64(w, "self", sum->self);
	pl_jsonw_ku64(w, "inclusive", t->hot[key].inclusive);
	pl_jsonw_ku64(w, "self_samples", sum->self_samples);
	pl_jsonw_ku64(w, "samples", t->hot[key].samples);
	pl_jsonw_ku64(w, "occurrences", sum->occurrences);
	pl_jsonw_ku64(w, "threads", sum->threads);
	pl_jsonw_ku64(w, "idle", sum->idle);
	details_put_all(details, p, key, w);
	pl_jsonw_record_end(w);
}

static void put_path(struct pl_jsonw *w, const struct tally *t, size_t event, uint32_t path,
		     const uint32_t *number)
{
	struct pl_str bytes = pl_intern_str(&t->paths, path);
	const uint32_t *keys = (const uint32_t *)(const void *)bytes.p; /* the arena aligns to 8 */

	pl_jsonw_record(w, "path");
	pl_jsonw_ku64(w, "event", event);
	pl_jsonw_ku64(w, "weight", t->path_sums[path].weight);
	pl_jsonw_ku64(w, "samples", t->path_sums[path].samples);
	pl_jsonw_kbegin(w, "keys", '[');
	for (size_t i = 0; i < bytes.n / sizeof *keys; i++)
		pl_jsonw_u64(w, number[keys[i]]);
	pl_jsonw_end(w, ']');
	pl_jsonw_record_end(w);
}

struct counts {
	uint32_t keys;
	uint64_t paths, records;
};

/* The event's rows; keys are numbered through all events. */
static int put_tally(struct profile *p, struct pl_main *m, size_t event, struct counts *counts)
{
	struct tally *t = p->tallies[event];
	struct pl_jsonw w = {.buf = &m->out.buf};
	uint32_t *number = pl_alloc((p->keys.n + 1) * sizeof *number);
	struct details details;
	int status = 0;

	details_make(&details, p, t);
	put_event(&w, t, event);
	put_modules(p, &w, t, event);
	counts->records += 1 + t->modules.n;
	for (uint32_t key = 0; status == 0 && key < tally_keys(p, t); key++) {
		if (t->hot[key].samples == 0)
			continue;
		number[key] = counts->keys++;
		put_key(p, &w, t, &details, event, number[key], key);
		counts->records++;
		status = pl_out_poll(&m->out);
	}
	for (uint32_t path = 0; status == 0 && path < t->paths.n; path++) {
		put_path(&w, t, event, path, number);
		counts->records++;
		status = pl_out_poll(&m->out);
	}
	counts->paths += t->paths.n;
	details_free(&details);
	free(number);
	return status;
}

static void put_end(const struct profile *p, const struct sources *sources, struct pl_main *m,
		    const struct counts *counts)
{
	struct pl_jsonw w = {.buf = &m->out.buf};

	pl_jsonw_record(&w, "end");
	pl_jsonw_ku64(&w, "events", p->tallies_n);
	pl_jsonw_ku64(&w, "keys", counts->keys);
	pl_jsonw_ku64(&w, "paths", counts->paths);
	pl_jsonw_ku64(&w, "malformed", p->malformed);
	pl_jsonw_ku64(&w, "skipped", p->skipped);
	pl_jsonw_ku64(&w, "replaced", p->replaced);
	pl_diag_counts(&sources->counts, "diagnostics", &w);
	pl_jsonw_ku64(&w, "records", counts->records);
	pl_jsonw_record_end(&w);
}

int partial_write(struct profile *p, const struct sources *sources, struct pl_main *m)
{
	struct pl_jsonw w = {.buf = &m->out.buf};
	struct counts counts = {0};

	pl_stream_header(&w, "perflens.partial", m);
	sources_put_inputs(sources, &w);
	pl_jsonw_kz(&w, "group_by", group_by_text(p->group_by));
	pl_jsonw_kbool(&w, "paths", p->paths_kept);
	pl_jsonw_record_end(&w);
	for (size_t event = 0; event < p->tallies_n; event++) {
		if (put_tally(p, m, event, &counts)) {
			p->err = m->out.err;
			return -1;
		}
	}
	counts.records += sources_put_diagnostics(sources, &w, 0);
	put_end(p, sources, m, &counts);
	return 0;
}
