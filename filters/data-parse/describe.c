/* describe: features for people, and names of events */
#include "describe.h"
#include "tracing.h"
#include "utf8.h"

#include <stdio.h>

/* Texts are as long as the file says. People's are not. */
static struct pl_str clip(struct pl_str text)
{
	enum { TEXT_MAX = 4096 };

	return (struct pl_str){text.p, text.n < TEXT_MAX ? text.n : TEXT_MAX};
}

static void put_text(struct pl_jsonw *w, const char *key, struct pl_str text)
{
	struct pl_buf clean = {0};
	uint64_t replaced = 0;

	if (text.n)
		pl_jsonw_kstr(w, key, pl_utf8_clean(clip(text), &clean, &replaced));
	pl_buf_free(&clean);
}

static struct pl_str string_of(const struct recording *r, enum pl_perf_feature feature)
{
	struct pl_reader reader = pl_reader(r->features[feature]);

	return r->features[feature].p ? pl_perf_string(&reader) : (struct pl_str){NULL, 0};
}

static void put_host(struct pl_jsonw *w, const struct recording *r)
{
	struct pl_reader cpus = pl_reader(r->features[PL_PERF_NRCPUS]);

	pl_jsonw_kbegin(w, "host", '{');
	put_text(w, "arch", string_of(r, PL_PERF_ARCH));
	put_text(w, "release", string_of(r, PL_PERF_OSRELEASE));
	if (r->features[PL_PERF_NRCPUS].p) {
		pl_take_u32(&cpus); /* that there are; what follows is what was online */
		pl_jsonw_ku64(w, "cpus", pl_take_u32(&cpus));
	}
	put_text(w, "name", string_of(r, PL_PERF_HOSTNAME));
	put_text(w, "cpu", string_of(r, PL_PERF_CPUDESC));
	pl_jsonw_end(w, '}');
}

/* CMDLINE: a number of strings. The header's line has bounds: what is over COMMAND_MAX is left
 * out, and "..." stands for it. */
static void put_command(struct pl_jsonw *w, const struct recording *r)
{
	enum { COMMAND_MAX = 64 << 10 };
	struct pl_reader reader = pl_reader(r->features[PL_PERF_CMDLINE]);
	struct pl_buf clean = {0};
	uint64_t replaced = 0;
	size_t put = 0;

	if (!r->features[PL_PERF_CMDLINE].p)
		return;
	uint32_t n = pl_take_u32(&reader);
	pl_jsonw_kbegin(w, "command", '[');
	for (uint32_t i = 0; i < n && !reader.bad; i++) {
		struct pl_str word = pl_perf_string(&reader);
		if (reader.bad)
			break;
		put += word.n + 1;
		if (put > COMMAND_MAX) {
			pl_jsonw_str(w, PL_S("..."));
			break;
		}
		pl_jsonw_str(w, pl_utf8_clean(word, &clean, &replaced));
	}
	pl_jsonw_end(w, ']');
	pl_buf_free(&clean);
}

void describe_recording(struct pl_jsonw *w, const void *context)
{
	const struct recording *r = context;
	struct pl_reader times = pl_reader(r->features[PL_PERF_SAMPLE_TIME]);

	put_host(w, r);
	put_command(w, r);
	if (!r->features[PL_PERF_SAMPLE_TIME].p)
		return;
	uint64_t first = pl_take_u64(&times), last = pl_take_u64(&times);
	if (times.bad || last == 0)
		return;
	pl_jsonw_kbegin(w, "sampled", '{');
	pl_jsonw_ku64(w, "first", first);
	pl_jsonw_ku64(w, "last", last);
	pl_jsonw_end(w, '}');
}

/* ---- names of events ---- */

static void put_number(struct pl_buf *text, const struct pl_perf_attr *attr)
{
	if (attr->type == PERF_TYPE_RAW)
		pl_buf_printf(text, "r%llx", (unsigned long long)attr->config);
	else
		pl_buf_printf(text, "type=%u,config=0x%llx", attr->type,
			      (unsigned long long)attr->config);
}

void describe_events(struct recording *r, struct pl_intern *names)
{
	struct tracing tracing = {0};
	struct pl_buf text = {0}, clean = {0};

	tracing_read(&tracing, r->features[PL_PERF_TRACING_DATA]);
	for (size_t i = 0; i < r->events.n; i++) {
		struct event *event = &r->events.v[i];
		pl_buf_clear(&text);
		pl_buf_adds(&text, event->name);
		if (!text.n && event->attr.type == PERF_TYPE_TRACEPOINT)
			tracing_name(&tracing, event->attr.config, &text);
		if (!text.n)
			put_number(&text, &event->attr);
		struct pl_str name =
			pl_utf8_clean(clip(pl_buf_str(&text)), &clean, &r->parser->replaced);
		event->name = pl_intern_str(names, pl_intern(names, name.p, name.n));
	}
	pl_buf_free(&text);
	pl_buf_free(&clean);
	tracing_free(&tracing);
}
