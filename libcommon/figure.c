/* figure: how figures of an analysis are shown to people */
#include "figure.h"
#include "text.h"

#include <inttypes.h>

enum { HUNDRED = 100 };
static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

void pl_figure_share(struct pl_buf *out, uint64_t micro, unsigned decimals)
{
	uint64_t one = powers[decimals], step = powers[6 - decimals];
	uint64_t rounded = micro / step + (micro % step * 2 >= step);
	const char *mark = "";

	if (micro > 0 && rounded == 0) {
		mark = "< ";
		rounded = 1;
	} else if (micro < HUNDRED * powers[6] && rounded == HUNDRED * one) {
		mark = "> ";
		rounded--;
	}
	pl_buf_printf(out, "%s%" PRIu64, mark, rounded / one);
	if (decimals)
		pl_buf_printf(out, ".%0*" PRIu64, (int)decimals, rounded % one);
	pl_buf_addz(out, " %");
}

struct pl_str pl_figure_unit(struct pl_str unit)
{
	return pl_str_is(unit, "unknown") ? pl_str(_("weight units (unit not recorded)")) : unit;
}

void pl_figure_weight(struct pl_buf *out, uint64_t weight, struct pl_str unit)
{
	pl_buf_printf(out, "%" PRIu64 " ", weight);
	pl_buf_adds(out, pl_figure_unit(unit));
}

static const struct grouping {
	const char *by, *name, *rows;
} groupings[] = {
	{"symbol,dso", N_("Symbol"), N_("functions")},
	{"symbol", N_("Symbol"), N_("functions")},
	{"dso", N_("DSO"), N_("DSOs")},
	{"comm", N_("Thread name"), N_("thread names")},
	{"tid", N_("Thread"), N_("threads")},
	{"source", N_("Source"), N_("source lines")},
	{NULL, N_("Group"), N_("groups")}, /* of a newer version */
};

static const struct grouping *find_grouping(struct pl_str group_by)
{
	const struct grouping *g = groupings;

	while (g->by && !pl_str_is(group_by, g->by))
		g++;
	return g;
}

const char *pl_figure_grouping(struct pl_str group_by)
{
	return _(find_grouping(group_by)->name);
}

const char *pl_figure_rows(struct pl_str group_by)
{
	return _(find_grouping(group_by)->rows);
}

void pl_figure_samples(struct pl_buf *out, uint64_t n, struct pl_str weight_source)
{
	if (pl_str_is(weight_source, "folded_weight"))
		pl_buf_printf(out, ngettext("%" PRIu64 " stack line", "%" PRIu64 " stack lines", n),
			      n);
	else
		pl_buf_printf(out, ngettext("%" PRIu64 " sample", "%" PRIu64 " samples", n), n);
}

const char *pl_figure_samples_head(struct pl_str weight_source)
{
	return pl_str_is(weight_source, "folded_weight") ? _("lines") : _("samples");
}
