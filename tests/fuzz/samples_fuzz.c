/* samples_fuzz: a stream of samples may be anything; one that is accepted adds up */
#include "limits.h"
#include "mem.h"
#include "samples.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What arrived, counted here. */
struct counted {
	uint32_t events, modules, frames;
	uint64_t samples;
	struct sum {
		uint64_t samples, weight;
	} * sums; /* by event */
	size_t sums_cap;
};

static void expect(bool ok)
{
	if (!ok)
		abort();
}

static void count_frame(struct counted *c, struct pl_samples *r)
{
	const struct pl_json *json = pl_samples_frame_json(r);

	expect(r->frame.id == c->frames++ && r->frame.symbol.p);
	expect(r->frame.module == PL_NO_MODULE || r->frame.module < c->modules);
	expect(r->frame.inlines < json->n);
	expect(!r->frame.inlines || json->tape[r->frame.inlines].type == PL_JSON_ARRAY);
}

static void count_sample(struct counted *c, const struct pl_sample *sample)
{
	expect(sample->event < c->events);
	for (size_t i = 0; i < sample->depth; i++)
		expect(sample->stack[i] < c->frames);
	c->samples++;
	c->sums[sample->event].samples++;
	c->sums[sample->event].weight += sample->weight;
}

static void count(struct counted *c, struct pl_samples *r, enum pl_samples_kind kind)
{
	switch (kind) {
	case PL_SAMPLES_EVENT:
		expect(r->event.id == c->events++);
		PL_GROW(c->sums, c->events, c->sums_cap);
		break;
	case PL_SAMPLES_MODULE:
		expect(r->module.id == c->modules++ && r->module.dso.p);
		break;
	case PL_SAMPLES_FRAME:
		count_frame(c, r);
		break;
	case PL_SAMPLES_SAMPLE:
		count_sample(c, &r->sample);
		break;
	case PL_SAMPLES_LOST:
		expect(!r->lost.has_event || r->lost.event < c->events);
		break;
	default:
		break;
	}
}

/* The sums that the reader made are those of this target, and none is more than announced. */
static void check_sums(const struct counted *c, const struct pl_samples *r)
{
	expect(r->sums_n == c->events && r->frames == c->frames && r->modules == c->modules);
	expect(r->received == c->samples && r->received <= r->end.samples);
	for (size_t i = 0; i < c->events; i++) {
		const struct pl_samples_sum *sum = &r->sums[i];
		expect(sum->samples == c->sums[i].samples && sum->weight == c->sums[i].weight);
		expect(sum->samples <= sum->announced_samples);
		expect(sum->weight <= sum->announced_weight);
		expect(sum->samples < sum->announced_samples ||
		       sum->weight == sum->announced_weight);
	}
}

static void read_samples(struct pl_in *in)
{
	struct pl_samples r;
	struct counted c = {0};
	enum pl_samples_kind kind = PL_SAMPLES_ERROR;

	if (pl_samples_open(&r, in) == 0)
		while ((kind = pl_samples_next(&r)) > PL_SAMPLES_DONE)
			count(&c, &r, kind);
	if (kind == PL_SAMPLES_DONE)
		check_sums(&c, &r);
	else
		expect(r.s.err.code != PL_E_NONE && r.s.err.message[0]);
	pl_samples_close(&r);
	free(c.sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pl_in_options options = {.max_line = PL_STREAM_LINE_MAX};
	char path[64];
	const char *paths[] = {path};
	struct pl_in in;
	int fd = memfd_create("samples", 0);

	expect(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (pl_in_open(&in, paths, 1, &options) == 0 && pl_in_next(&in) == 1)
		read_samples(&in);
	pl_in_close(&in);
	close(fd);
	return 0;
}
