/* chain: context markers, exact and return addresses */
#include "chain.h"
#include "mem.h"

#include <stdlib.h>

enum { WORD = 8, USER_DEFERRED = -640 /* PERF_CONTEXT_USER_DEFERRED, from Linux 6.19 */ };

/* Markers are the last page of the address space. */
static bool is_marker(uint64_t address)
{
	return address >= (uint64_t)PERF_CONTEXT_MAX;
}

static uint16_t mode_of_marker(uint64_t marker)
{
	switch ((int64_t)marker) {
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return PERF_RECORD_MISC_CPUMODE_UNKNOWN;
	}
}

struct pl_str chain_mode(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		return PL_S("kernel");
	case PERF_RECORD_MISC_USER:
		return PL_S("user");
	case PERF_RECORD_MISC_HYPERVISOR:
		return PL_S("hypervisor");
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
		return PL_S("guest");
	default:
		return (struct pl_str){NULL, 0};
	}
}

/* Where addresses of a mode are looked up. */
static struct frames_place place_of(uint16_t mode, const struct chain_modules *modules,
				    const struct space *kernel, const struct chain_sample *s)
{
	switch (mode) {
	case PERF_RECORD_MISC_KERNEL:
		return (struct frames_place){.space = kernel, .fallback = modules->kernel};
	case PERF_RECORD_MISC_USER:
		return (struct frames_place){
			.space = s->space, .fallback = modules->unknown, .pid = s->sample->pid};
	case PERF_RECORD_MISC_HYPERVISOR:
		return (struct frames_place){.fallback = modules->hypervisor};
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
		return (struct frames_place){.fallback = modules->guest};
	default:
		return (struct frames_place){.fallback = modules->unknown};
	}
}

static void add_id(struct chain *c, uint32_t id)
{
	PL_GROW(c->ids, c->depth + 1, c->cap);
	c->ids[c->depth++] = id;
}

static void add(struct chain *c, struct frames *f, uint64_t address,
		const struct frames_place *place)
{
	add_id(c, frames_id(f, address, place));
}

void chain_of(struct chain *c, struct frames *f, const struct chain_modules *modules,
	      const struct space *kernel, const struct chain_sample *s)
{
	uint16_t mode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct frames_place place = place_of(mode, modules, kernel, s);
	struct pl_reader chain = pl_reader(s->sample->chain);

	c->depth = 0;
	c->addresses = 0;
	c->users = 0;
	c->deferred = false;
	while (pl_left(&chain) >= WORD) {
		uint64_t address = pl_take_u64(&chain);
		if ((int64_t)address == USER_DEFERRED) {
			c->deferred = true;
			break;
		}
		if (is_marker(address)) {
			mode = mode_of_marker(address);
			place = place_of(mode, modules, kernel, s);
			continue;
		}
		if (mode == PERF_RECORD_MISC_USER && c->users++ >= s->max_user)
			continue;
		/* the sampled address may be more exact than what the interrupt saw */
		if (c->addresses == 0 && s->misc & PERF_RECORD_MISC_EXACT_IP)
			address = s->sample->ip;
		add(c, f, address, &place);
		place.is_return = true;
		c->addresses++;
	}
	if (c->depth > 0 || !(s->attr->sample_type & PERF_SAMPLE_IP))
		return;
	/* whose the sampled address is says the record, whatever markers there were */
	mode = s->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	place = place_of(mode, modules, kernel, s);
	if (mode != PERF_RECORD_MISC_USER || s->max_user)
		add(c, f, s->sample->ip, &place);
}

void chain_add_user(struct chain *c, struct frames *f, const struct chain_modules *modules,
		    const struct chain_sample *s, uint64_t address, bool is_return)
{
	struct frames_place place = place_of(PERF_RECORD_MISC_USER, modules, NULL, s);

	place.is_return = is_return;
	add(c, f, address, &place);
}

void chain_add_known(struct chain *c, struct frames *f, const struct chain_modules *modules,
		     const struct chain_sample *s, const struct unwind_frame *frame)
{
	struct frames_place place = place_of(PERF_RECORD_MISC_USER, modules, NULL, s);
	uint32_t module = frame->module == UINT32_MAX ? modules->unknown : frame->module;

	place.is_return = !frame->exact;
	add_id(c, frames_id_at(f, module, frame->offset, frame->address, &place));
}

void chain_end(struct chain *c)
{
	for (size_t i = 0; i < c->depth / 2; i++) {
		uint32_t other = c->ids[i];
		c->ids[i] = c->ids[c->depth - 1 - i];
		c->ids[c->depth - 1 - i] = other;
	}
}

void chain_free(struct chain *c)
{
	free(c->ids);
	*c = (struct chain){0};
}
