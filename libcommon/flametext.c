/* flametext: what a picture of a call tree says in words */
#include "flametext.h"
#include "figure.h"
#include "num.h"
#include "stats.h"
#include "text.h"
#include "utf8.h"

#include <math.h>

enum { EVENT_CHARS = 60 }; /* characters of an event's name */

static double share(uint64_t part, uint64_t total)
{
	return total ? (double)part / (double)total : 0;
}

static uint64_t total_of(const struct pl_flamesvg *f, unsigned side)
{
	return f->tree->sums[side][0].total;
}

bool pl_flametext_is_rest(const struct pl_calltree *t, uint32_t node)
{
	return node && pl_str_is(t->frames[t->nodes[node].frame].kind, PL_CALLTREE_REST);
}

/* " (12.34 %)" */
static void add_share(struct pl_buf *b, uint64_t part, uint64_t total)
{
	pl_buf_addz(b, " (");
	pl_figure_share(b, pl_num_percent(part, total), 2);
	pl_buf_addz(b, ")");
}

void pl_flametext_weight(struct pl_buf *b, const struct pl_flamesvg *f, unsigned side,
			 uint64_t weight)
{
	pl_figure_weight(b, weight, f->event[side]->unit);
	add_share(b, weight, total_of(f, side));
}

static void add_interval(struct pl_buf *b, const struct pl_flamesvg *f, unsigned side,
			 uint64_t part)
{
	double n_eff = f->event[side]->n_eff, low, high;

	if (isnan(n_eff))
		return;
	pl_stats_wilson(share(part, total_of(f, side)), n_eff, &low, &high);
	pl_buf_printf(b, _(", 95 %% interval %.2f to %.2f %%"), low * 100, high * 100);
}

static void describe_change(struct pl_buf *b, const struct pl_flamesvg *f, uint32_t node)
{
	static const char *const words[] = {N_("less"), N_("within the noise"), N_("more")};
	struct pl_calldiff c;

	for (unsigned side = 0; side < 2; side++) {
		pl_buf_addz(b, side ? _("after: ") : _("before: "));
		pl_flametext_weight(b, f, side, f->tree->sums[side][node].total);
		pl_buf_addz(b, "\n");
	}
	if (node == 0 || pl_flametext_is_rest(f->tree, node))
		return;
	pl_calldiff_node(f->tree, f->event, f->minimum_delta, node, &c);
	pl_buf_printf(b, _("change: %+.2f percentage points"), (c.after - c.before) * 100);
	if (c.has_interval)
		pl_buf_printf(b, _(", 95 %% interval %+.2f to %+.2f"), c.low * 100, c.high * 100);
	pl_buf_printf(b, ", %s\n", _(words[c.direction + 1]));
}

static void describe_weight(struct pl_buf *b, const struct pl_flamesvg *f, uint32_t node)
{
	const struct pl_calltree_sums *s = &f->tree->sums[f->width_by][node];
	unsigned side = f->width_by;

	pl_buf_addz(b, _("inclusive: "));
	pl_flametext_weight(b, f, side, s->total);
	if (node && !pl_flametext_is_rest(f->tree, node))
		add_interval(b, f, side, s->total);
	pl_buf_addz(b, _("\nself: "));
	pl_flametext_weight(b, f, side, s->self);
	pl_buf_addz(b, "\n");
	if (pl_flametext_is_rest(f->tree, node) || node == 0)
		return;
	pl_figure_samples(b, s->samples, f->event[side]->weight_source);
	pl_buf_addz(b, "\n");
}

static void add_event_name(struct pl_buf *b, const struct pl_flamesvg *f)
{
	struct pl_str name = f->event[0]->label;
	struct pl_str cut = pl_utf8_cut(name, EVENT_CHARS);

	pl_buf_adds(b, cut);
	if (cut.n < name.n)
		pl_buf_addz(b, "…");
}

void pl_flametext_title(struct pl_buf *b, const struct pl_flamesvg *f)
{
	if (f->title) {
		pl_buf_addz(b, f->title);
	} else {
		pl_buf_addz(b, f->tree->sides == 2 ? _("Difference of call paths: ")
			       : f->icicle	   ? _("Icicle graph: ")
						   : _("Flame graph: "));
		add_event_name(b, f);
	}
}

static void add_side(struct pl_buf *b, const struct pl_flamesvg *f, unsigned side)
{
	const struct pl_stacks_event *e = f->event[side];

	pl_figure_weight(b, total_of(f, side), e->unit);
	pl_buf_addz(b, ", ");
	pl_figure_samples(b, e->samples, e->weight_source);
	if (e->status.p) {
		pl_buf_addz(b, ", ");
		pl_buf_adds(b, e->status);
	}
}

void pl_flametext_totals(struct pl_buf *b, const struct pl_flamesvg *f)
{

	add_event_name(b, f);
	pl_buf_addz(b, ": ");
	if (f->tree->sides < 2) {
		add_side(b, f, 0);
		return;
	}
	pl_buf_addz(b, _("before "));
	add_side(b, f, 0);
	pl_buf_addz(b, _("; after "));
	add_side(b, f, 1);
	pl_buf_addz(b, f->width_by ? _("; as wide as after") : _("; as wide as before"));
}

void pl_flametext_node(struct pl_buf *b, const struct pl_flamesvg *f, uint32_t node)
{
	if (f->tree->sides == 2)
		describe_change(b, f, node);
	else
		describe_weight(b, f, node);
	if (node)
		pl_buf_addz(b, f->tree->frames[f->tree->nodes[node].frame].id);
	if (b->n && b->p[b->n - 1] == '\n')
		b->n--;
}
