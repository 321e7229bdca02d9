/* events: attributes, names and IDs */
#include "events.h"
#include "mem.h"
#include "text.h"

#include <stdlib.h>

enum { WORD = 8 };

void events_start(struct events *e)
{
	*e = (struct events){.id_at = -1, .trailer_id_at = -1};
	pl_intern_init(&e->ids);
}

void events_free(struct events *e)
{
	free(e->v);
	pl_intern_free(&e->ids);
	free(e->of);
}

static int time_word(uint64_t type)
{
	if (!(type & PERF_SAMPLE_TIME))
		return -1;
	return !!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_IP) +
	       !!(type & PERF_SAMPLE_TID);
}

int events_add(struct events *e, struct pl_bytes attr)
{
	struct event event = {.id = UINT32_MAX};

	if (pl_perf_attr_read(&event.attr, attr))
		return pl_err_set(&e->err, PL_E_PROFILE_PARSE_FAILED,
				  _("the attribute of event %zu cannot be read"), e->n);
	if (e->n == EVENTS_MAX)
		return pl_err_set(&e->err, PL_E_RESOURCE_LIMIT_EXCEEDED, _("more than %d events"),
				  EVENTS_MAX);
	event.name = pl_perf_attr_name(&event.attr);
	event.time_at = time_word(event.attr.sample_type);
	if (e->n == 0) {
		e->id_at = pl_perf_sample_id_at(event.attr.sample_type);
		e->trailer_id_at = pl_perf_trailer_id_at(event.attr.sample_type);
	}
	PL_GROW(e->v, e->n + 1, e->cap);
	e->v[e->n++] = event;
	return 0;
}

/* All that are read, and not only the distinct ones: events may name one long list. */
static int check_ids(struct events *e, size_t n)
{
	if (n > EVENTS_IDS_MAX - e->ids_read)
		return pl_err_set(&e->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
				  _("more than %d event IDs"), EVENTS_IDS_MAX);
	e->ids_read += n;
	return 0;
}

int events_add_ids(struct events *e, struct pl_bytes ids)
{
	struct pl_reader reader = pl_reader(ids);

	if (check_ids(e, ids.n / WORD))
		return -1;
	PL_GROW(e->of, e->ids.n + ids.n / WORD, e->of_cap);
	while (pl_left(&reader) >= WORD) {
		uint64_t id = pl_take_u64(&reader);
		size_t known = e->ids.n;
		if (pl_intern(&e->ids, &id, sizeof id) == known)
			e->of[known] = (uint32_t)e->n - 1;
	}
	return 0;
}

uint32_t events_find(const struct events *e, uint64_t id)
{
	if (e->n == 1)
		return 0;
	uint32_t known = pl_intern_find(&e->ids, &id, sizeof id);
	return known == PL_INTERN_NONE ? UINT32_MAX : e->of[known];
}

/* Of each event its attribute again, its IDs, and its name. */
void events_name(struct events *e, struct pl_bytes descriptions)
{
	struct pl_reader reader = pl_reader(descriptions);
	uint32_t n = descriptions.p ? pl_take_u32(&reader) : 0;
	uint32_t attr_size = pl_take_u32(&reader);

	for (uint32_t i = 0; i < n && !reader.bad; i++) {
		pl_take_bytes(&reader, attr_size);
		uint32_t ids = pl_take_u32(&reader);
		struct pl_str name = pl_perf_string(&reader);
		struct pl_bytes list = pl_take_bytes(&reader, (uint64_t)ids * WORD);
		struct pl_reader first = pl_reader(list);
		uint32_t event = i;
		if (e->n > 1 && list.n >= WORD)
			event = events_find(e, pl_take_u64(&first));
		if (!reader.bad && event < e->n && name.n)
			e->v[event].name = name;
	}
}
