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

/* Recorded names of units are plurals. Others, of a newer version, are shown as they are. */
static bool is_plural(struct pl_str unit)
{
	static const char *const names[] = {"samples",	    "nanoseconds",  "microseconds",
					    "milliseconds", "seconds",	    "bytes",
					    "cycles",	    "instructions", "events"};

	for (size_t i = 0; i < PL_COUNT(names); i++)
		if (pl_str_is(unit, names[i]))
			return true;
	return false;
}

struct pl_str pl_figure_unit(struct pl_str unit, uint64_t n)
{
	if (pl_str_is(unit, "unknown"))
		return pl_str(ngettext("weight unit (unit not recorded)",
				       "weight units (unit not recorded)", n));
	if (n == 1 && is_plural(unit))
		unit.n--;
	return unit;
}

void pl_figure_weight(struct pl_buf *out, uint64_t weight, struct pl_str unit)
{
	pl_buf_printf(out, "%" PRIu64 " ", weight);
	pl_buf_adds(out, pl_figure_unit(unit, weight));
}

const char *pl_figure_grouping(struct pl_str group_by)
{
	static const struct {
		const char *by, *name;
	} names[] = {{"symbol,dso", N_("Symbol")}, {"symbol", N_("Symbol")},
		     {"dso", N_("DSO")},	   {"comm", N_("Thread name")},
		     {"tid", N_("Thread")},	   {"source", N_("Source")}};

	for (size_t i = 0; i < PL_COUNT(names); i++)
		if (pl_str_is(group_by, names[i].by))
			return _(names[i].name);
	return _("Group"); /* of a newer version */
}

const char *pl_figure_rows(struct pl_str group_by, uint64_t n)
{
	if (pl_str_is(group_by, "symbol,dso") || pl_str_is(group_by, "symbol"))
		return ngettext("function", "functions", n);
	if (pl_str_is(group_by, "dso"))
		return ngettext("DSO", "DSOs", n);
	if (pl_str_is(group_by, "comm"))
		return ngettext("thread name", "thread names", n);
	if (pl_str_is(group_by, "tid"))
		return ngettext("thread", "threads", n);
	if (pl_str_is(group_by, "source"))
		return ngettext("source line", "source lines", n);
	return ngettext("group", "groups", n);
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
