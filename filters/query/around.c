/* around: what stands around every table of an event */
#include "around.h"
#include "figure.h"
#include "num.h"
#include "text.h"
#include "utf8.h"

#include <inttypes.h>

/* Bytes that a text around the table may have. */
enum { UNIT_MAX = 40, STATUS_MAX = 40, REASONS_MAX = 240, CODES_MAX = 480 };
static const char cut_mark[] = "…";

void around_cut(struct pl_buf *out, struct pl_str text, size_t most)
{
	enum { LONGEST = 4 }; /* of a character: what is behind it is cut in any case */
	size_t start = out->n;
	struct pl_str head = {text.p, text.n > most + LONGEST ? most + LONGEST : text.n};

	pl_utf8_terminal(out, head);
	if (out->n - start <= most)
		return;
	out->n = start + most;
	while (out->n > start && ((unsigned char)out->p[out->n] & 0xc0) == 0x80)
		out->n--;
	pl_buf_printf(out, _("%s(%zu bytes)"), cut_mark, text.n);
}

void around_weight(struct pl_buf *out, const struct pl_summary_event *e, uint64_t weight)
{
	pl_buf_printf(out, "%" PRIu64 " ", weight);
	around_cut(out, pl_figure_unit(e->event.unit, weight), UNIT_MAX);
}

void around_part(struct pl_buf *out, const struct pl_summary_event *e, uint64_t weight)
{
	around_weight(out, e, weight);
	pl_buf_addz(out, ", ");
	pl_figure_share(out, pl_num_percent(weight, e->event.weight), 2);
	pl_buf_addz(out, _(" of weight"));
}

static void put_codes(struct pl_buf *out, const struct pl_summary_codes *codes, size_t most)
{
	struct pl_buf list = {0};

	for (size_t i = 0; i < codes->n; i++) {
		pl_buf_addz(&list, i ? ", " : "");
		pl_buf_adds(&list, codes->v[i]);
	}
	around_cut(out, pl_buf_str(&list), most);
	pl_buf_free(&list);
}

/* ---- around the table ---- */

/* A line of counts: what follows the first one is preceded by a comma. */
static void next_count(struct pl_buf *out, size_t start)
{
	pl_buf_addz(out, out->n == start ? _("counts: ") : ", ");
}

static void put_weight_count(struct pl_buf *out, size_t start, const struct pl_summary_event *e,
			     uint64_t weight, const char *what)
{
	if (weight == 0)
		return;
	next_count(out, start);
	pl_figure_share(out, pl_num_percent(weight, e->event.weight), 2);
	pl_buf_addz(out, what);
}

static void put_count(struct pl_buf *out, size_t start, uint64_t n, const char *words)
{
	if (n == 0)
		return;
	next_count(out, start);
	pl_buf_printf(out, "%" PRIu64 " %s", n, words);
}

static void put_received(struct pl_buf *out, size_t start, const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;

	if (q->received_samples >= q->announced_samples)
		return;
	next_count(out, start);
	pl_buf_printf(out, _("%" PRIu64 " of "), q->received_samples);
	pl_figure_samples(out, q->announced_samples, e->event.weight_source);
	pl_buf_addz(out, _(" received"));
}

/* What stands behind the reasons of a partial status, in their order. */
static void put_counts(struct pl_buf *out, const struct pl_summary *s,
		       const struct pl_summary_event *e)
{
	const struct pl_analysis_quality *q = &e->quality;
	uint64_t rows = e->totals.hotspots_total - e->totals.hotspots;
	uint64_t paths = e->totals.paths_total - e->totals.paths;
	size_t start = out->n;

	put_count(out, start, q->malformed,
		  ngettext("malformed record", "malformed records", q->malformed));
	put_count(out, start, q->replaced,
		  ngettext("replaced byte", "replaced bytes", q->replaced));
	put_count(out, start, e->event.lost,
		  ngettext("lost record", "lost records", e->event.lost));
	put_received(out, start, e);
	put_weight_count(out, start, e, q->unresolved_self, _(" of weight unresolved"));
	put_weight_count(out, start, e, q->cut_weight, _(" of weight in cut stacks"));
	put_count(out, start, rows, pl_figure_rows(s->group_by, rows));
	pl_buf_addz(out, rows ? _(" omitted") : "");
	put_count(out, start, paths, ngettext("call path omitted", "call paths omitted", paths));
	if (out->n > start)
		pl_buf_addc(out, '\n');
}

void around_head(struct pl_buf *out, const struct pl_summary *s, const struct pl_summary_event *e)
{
	pl_buf_addz(out, _("event "));
	around_cut(out, e->event.label, AROUND_LABEL);
	pl_buf_addz(out, "; ");
	pl_figure_samples(out, e->event.samples, e->event.weight_source);
	pl_buf_addz(out, _("; weight "));
	around_weight(out, e, e->event.weight);
	pl_buf_addz(out, _("\nstatus "));
	around_cut(out, e->quality.status, STATUS_MAX);
	if (e->reasons.n)
		pl_buf_addz(out, ": ");
	put_codes(out, &e->reasons, REASONS_MAX);
	pl_buf_addc(out, '\n');
	put_counts(out, s, e);
	if (!e->has_dso && pl_str_is(s->group_by, "symbol,dso"))
		pl_buf_addz(out, _("the input format records no DSO\n"));
}

void around_foot(struct pl_buf *out, const struct pl_summary_event *e)
{
	if (e->event.stackless) {
		pl_buf_addz(out, _("samples without a stack, in no row: "));
		around_part(out, e, e->event.stackless);
		pl_buf_addc(out, '\n');
	}
	pl_buf_addz(out, _("may be concluded: "));
	put_codes(out, &e->allowed, CODES_MAX);
	pl_buf_addz(out, e->allowed.n ? "" : _("nothing"));
	pl_buf_addz(out, _("\nnot to be concluded: "));
	put_codes(out, &e->forbidden, CODES_MAX);
	pl_buf_addc(out, '\n');
}

/* ---- bounded ---- */

/* The last resort, where the texts of an artifact are too long even without a row. */
static void cut_hard(struct pl_buf *out, size_t most)
{
	if (out->n <= most)
		return;
	out->n = most - strlen(cut_mark) - 1;
	while (((unsigned char)out->p[out->n] & 0xc0) == 0x80)
		out->n--;
	pl_buf_printf(out, "%s\n", cut_mark);
}

void around_fit(struct pl_buf *out, const struct around_table *table, size_t budget)
{
	size_t start = out->n, fits = 0, high = table->rows;

	while (fits < high) {
		size_t n = fits + (high - fits + 1) / 2;
		table->put(out, table->of, n, budget);
		if (out->n - start <= budget)
			fits = n;
		else
			high = n - 1;
		out->n = start;
	}
	table->put(out, table->of, fits, budget);
	cut_hard(out, start + budget);
}

int around_events(struct pl_buf *out, const struct pl_summary *s, const struct query_options *o,
		  around_event *put, struct pl_err *err)
{
	struct pl_buf tail = {0};
	uint64_t most = o->max_bytes / AROUND_MIN;
	size_t shown = most < s->events_n ? (size_t)most : s->events_n;
	size_t start = out->n;
	int status = 0;

	if (shown < s->events_n)
		pl_buf_printf(&tail, _("\n%zu of %zu events shown; choose another with --event\n"),
			      shown, s->events_n);
	for (size_t i = 0; status == 0 && i < shown; i++) {
		size_t left = o->max_bytes - tail.n - (out->n - start);
		if (i)
			pl_buf_addc(out, '\n');
		status = put(out, s, &s->events[i], o, (left - (i ? 1 : 0)) / (shown - i), err);
	}
	if (s->events_n == 0)
		pl_buf_addz(out, _("the analysis holds no event\n"));
	pl_buf_adds(out, pl_buf_str(&tail));
	pl_buf_free(&tail);
	return status;
}
