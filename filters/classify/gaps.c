/* gaps: modules without symbols, and what was not measured */
#include "gap.h"
#include "num.h"
#include "write.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MODULES = 10 }; /* that are named; the rest is summed */

static void put_gap(struct writer *w, const struct profile_event *e, const char *code,
		    struct pl_str message, const char *command)
{
	struct pl_jsonw *j = &w->w;

	pl_jsonw_record(j, "gap");
	pl_jsonw_kstr(j, "event", e->event.label);
	pl_jsonw_kz(j, "code", code);
	pl_jsonw_kstr(j, "message", message);
	pl_jsonw_kstr(j, "command", pl_str(command));
	pl_jsonw_record_end(j);
	w->gaps++;
	w->records++;
}

static int by_unresolved(const void *a, const void *b)
{
	const struct pl_analysis_module *x = a, *y = b;

	if (x->unresolved_self != y->unresolved_self)
		return x->unresolved_self > y->unresolved_self ? -1 : 1;
	return pl_str_cmp(x->dso, y->dso);
}

static void put_rest(struct writer *w, const struct profile_event *e)
{
	uint64_t rest = 0;

	for (size_t i = MODULES; i < e->modules_n; i++)
		if (!pl_num_add(&rest, e->modules[i].unresolved_self))
			rest = UINT64_MAX;
	pl_buf_printf(&w->text, "%zu more modules: ", e->modules_n - MODULES);
	write_share(w, pl_num_percent(rest, e->event.weight));
	pl_buf_addz(&w->text, " of the event's weight has no symbol");
	put_gap(w, e, PL_GAP_MODULE, pl_buf_str(&w->text), NULL);
	pl_buf_clear(&w->text);
}

static void put_modules(struct writer *w, const struct profile_event *e)
{
	if (e->modules_n > 1)
		qsort(e->modules, e->modules_n, sizeof *e->modules, by_unresolved);
	for (size_t i = 0; i < e->modules_n && i < MODULES; i++) {
		const struct pl_analysis_module *m = &e->modules[i];
		pl_gap_module(&w->text, m->dso, pl_num_percent(m->unresolved_self, e->event.weight),
			      m->reason, m->fix);
		put_gap(w, e, PL_GAP_MODULE, pl_buf_str(&w->text), NULL);
		pl_buf_clear(&w->text);
	}
	if (e->modules_n > MODULES)
		put_rest(w, e);
}

void write_gaps(struct writer *w, const struct profile *p, const struct profile_event *e)
{
	struct pl_str weighty[CATEGORIES];
	struct pl_str *events = pl_alloc(p->n * sizeof *events);
	struct pl_gap_facts facts = {
		.weight = e->event.weight,
		.multi_frame_weight = e->event.multi_frame_weight,
		.source_line_self = e->quality.source_line_self,
		.unit = e->event.unit,
		.forbidden = e->forbidden.v,
		.forbidden_n = e->forbidden.n,
		.events = events,
		.events_n = p->n,
		.paths = e->paths,
		.classified = p->by_symbol,
		.weighty = weighty,
	};
	const struct pl_gap *gap = NULL;

	for (size_t i = 0; i < p->n; i++)
		events[i] = p->events[i].event.name;
	for (unsigned c = 0; c < CATEGORIES; c++)
		if (e->categories[c].self)
			weighty[facts.weighty_n++] = category_code(c);
	put_modules(w, e);
	while ((gap = pl_gap_next(&facts, gap)))
		put_gap(w, e, gap->code, pl_str(gap->message), gap->command);
	free(events);
}
