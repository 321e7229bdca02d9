/* samples_kit: streams of samples as literals, and what the reader makes of them */
#ifndef SAMPLES_KIT_H
#define SAMPLES_KIT_H

#include "samples.h"
#include "stream_kit.h"

#define HEADER                                                                      \
	"{\"type\":\"header\",\"schema\":\"perflens.samples\",\"version\":\"1.0\"," \
	"\"producer\":{\"program\":\"t\",\"version\":\"1\",\"options\":{}},\"inputs\":[]}\n"
#define EVENT(id)                                                                      \
	"{\"type\":\"event\",\"id\":" id ",\"name\":\"cycles:u\",\"unit\":\"cycles\"," \
	"\"weight_source\":\"period\",\"source\":\"hardware\"}\n"
#define MODULE(id) "{\"type\":\"module\",\"id\":" id ",\"dso\":\"/lib/a.so\"}\n"
#define FRAME(id, module) \
	"{\"type\":\"frame\",\"id\":" id ",\"symbol\":\"f" id "\",\"module\":" module "}\n"
#define SAMPLE(weight, stack) \
	"{\"type\":\"sample\",\"event\":0,\"weight\":" weight ",\"stack\":[" stack "]}\n"
#define FRAMES(weight, frames) \
	"{\"type\":\"sample\",\"event\":0,\"weight\":" weight ",\"frames\":[" frames "]}\n"
#define SUM(id, samples, weight) "{\"id\":" id ",\"samples\":" samples ",\"weight\":" weight "}"
#define ENDS(samples, events, modules, frames)                                                   \
	"{\"type\":\"end\",\"samples\":" samples ",\"events\":[" events "],\"modules\":" modules \
	",\"frames\":" frames                                                                    \
	",\"lost\":0,\"records\":9,\"malformed\":2,\"skipped\":3,\"replaced\":4,"                \
	"\"diagnostics\":{},\"inputs\":[]}\n"
#define END(samples, weight, modules, frames) \
	ENDS(samples, SUM("0", samples, weight), modules, frames)

static struct pl_samples r;

static inline void open_text(const char *text)
{
	CHECK(pl_samples_open(&r, kit_open(text, strlen(text))) == 0);
}

/* Reads on to the end or an error: a letter a record, '.' for a good end, '!' for a bad one. */
static inline const char *read_kinds(void)
{
	static char kinds[64];
	enum pl_samples_kind kind;
	size_t n = 0;

	while ((kind = pl_samples_next(&r)) > PL_SAMPLES_DONE && n < sizeof kinds - 2)
		kinds[n++] = " emfsldo"[kind];
	kinds[n++] = kind == PL_SAMPLES_DONE ? '.' : '!';
	kinds[n] = '\0';
	return kinds;
}

/* Reads on to the end or an error, and compares what came. */
static inline void rest_is(const char *want)
{
	const char *got = read_kinds();
	if (!CHECK(strcmp(got, want) == 0))
		printf("#   got %s, want %s: %s\n", got, want, r.s.err.message);
}

static inline void reads(const char *text, const char *want)
{
	open_text(text);
	rest_is(want);
	pl_samples_close(&r);
}

static inline void refuses(const char *text, uint64_t line, const char *message)
{
	open_text(text);
	const char *got = read_kinds();
	CHECK(strchr(got, '!') != NULL);
	kit_error_is(&r.s.err, PL_E_PROFILE_PARSE_FAILED, line, message);
	pl_samples_close(&r);
}

#endif
