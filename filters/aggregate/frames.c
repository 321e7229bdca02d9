/* frames: normalisation of DSOs, keys by --group-by, what is known of a leaf */
#include "frames.h"
#include "dso.h"
#include "mem.h"
#include "record.h"
#include "symbol.h"

#include <inttypes.h>

/* Functions in which a CPU of a Linux kernel waits for work: the leaves of the idle task's stacks.
 */
static const char *const idle_functions[] = {
	"acpi_idle_do_entry",
	"acpi_idle_enter",
	"acpi_processor_ffh_cstate_enter",
	"acpi_safe_halt",
	"amd_e400_idle",
	"arch_cpu_idle",
	"arm_cpuidle_suspend",
	"cpu_do_idle",
	"cpu_idle",
	"cpu_idle_poll",
	"cpuidle_enter_state",
	"default_idle",
	"default_idle_call",
	"do_idle",
	"intel_idle",
	"intel_idle_ibrs",
	"intel_idle_irq",
	"intel_idle_xstate",
	"mwait_idle",
	"mwait_idle_with_hints",
	"native_safe_halt",
	"poll_idle",
	"pseries_dedicated_idle_sleep",
	"psci_cpu_suspend_enter",
	"pv_native_safe_halt",
	"xen_safe_halt",
};

void frames_start(struct frames *f, struct profile *profile)
{
	memset(f, 0, sizeof *f);
	f->profile = profile;
}

void frames_free(struct frames *f)
{
	free(f->modules);
	free(f->info);
	free(f->key);
	free(f->nameless);
	free(f->places);
	pl_buf_free(&f->text);
}

enum mode mode_of(struct pl_str s)
{
	if (pl_str_is(s, "user") || pl_str_is(s, "jit") || pl_str_is(s, "vdso"))
		return MODE_USER;
	return pl_str_is(s, "kernel") ? MODE_KERNEL : MODE_OTHER;
}

void frames_add_module(struct frames *f, const struct pl_module *m)
{
	struct profile *p = f->profile;

	PL_GROW(f->modules, f->modules_n + 1, f->modules_cap);
	f->modules[f->modules_n++] = (struct module_info){
		.dso = profile_string(p, m->dso),
		.build_id = profile_string(p, m->build_id),
		.kind = profile_string(p, m->kind),
		.symbols = profile_string(p, m->symbols),
		.reason = profile_string(p, m->reason),
		/* named by pl-symbolize, and the recording does not say which file it was; code of
		 * a JIT compiler is of no file */
		.trusted = m->symbols.p && !pl_str_is(m->symbols, "none") && !m->build_id.p &&
			   !pl_str_is(m->kind, "jit"),
	};
}

static bool is_idle(struct pl_str symbol, struct pl_str dso, enum mode mode, bool kind_known)
{
	/* a format without kinds and DSOs (folded) says no more than the name */
	if (mode != MODE_KERNEL && !pl_str_starts(dso, "[kernel") && (kind_known || dso.p))
		return false;
	for (size_t i = 0; i < PL_COUNT(idle_functions); i++)
		if (pl_str_is(symbol, idle_functions[i]))
			return true;
	return false;
}

/* One function of a frame: what was recorded of it. */
struct function {
	struct pl_str symbol, raw, dso;
	struct pl_source source;
	bool inlined;
};

static struct pl_str source_text(struct frames *f, const struct pl_source *source)
{
	if (!source->file.p)
		return PL_S("unknown");
	pl_buf_clear(&f->text);
	pl_buf_adds(&f->text, source->file);
	pl_buf_printf(&f->text, ":%" PRIu64, source->line);
	return pl_buf_str(&f->text);
}

static void add_place(struct frames *f, const struct function *fn, struct pl_str recorded_dso)
{
	static const struct pl_str none = {NULL, 0};
	struct profile *p = f->profile;
	struct pl_str spelling = fn->raw.p ? fn->raw : fn->symbol;
	struct place place = {.line = fn->source.line, .inlined = fn->inlined};

	switch (p->group_by) {
	case BY_SYMBOL_DSO:
		place.key = profile_key(p, fn->symbol, fn->dso);
		break;
	case BY_SYMBOL:
		place.key = profile_key(p, fn->symbol, none);
		break;
	case BY_DSO:
		place.key = profile_key(p, PL_S(""), fn->dso);
		spelling = recorded_dso;
		break;
	case BY_SOURCE:
		p->grouped |= fn->source.file.p != NULL;
		spelling = source_text(f, &fn->source);
		place.key = profile_key(p, spelling, none);
		break;
	default:
		place.key = PL_INTERN_NONE; /* the sample says it, see intake */
	}
	place.variant = profile_string(p, spelling);
	place.file = profile_string(p, fn->source.file);
	PL_GROW(f->places, f->places_n + 1, f->places_cap);
	f->places[f->places_n++] = place;
}

static const char *add_inlined(struct frames *f, const struct pl_frame *frame,
			       const struct pl_json *json, struct pl_str dso,
			       struct pl_str recorded_dso)
{
	uint32_t end = json->tape[frame->inlines].next;

	for (uint32_t at = frame->inlines + 1; at < end; at = json->tape[at].next) {
		struct pl_inlined i = {0};
		struct function fn = {.dso = dso, .inlined = true};
		const char *wrong = pl_record_read(&pl_inlined_record, json, at, &i, f->message);
		if (!wrong && i.source)
			wrong = pl_record_read(&pl_source_record, json, i.source, &fn.source,
					       f->message);
		if (wrong)
			return wrong;
		fn.symbol = i.symbol;
		fn.raw = i.raw;
		add_place(f, &fn, recorded_dso);
	}
	return NULL;
}

/* The symbol of the innermost function: whose self weight the frame's is. */
static struct pl_str leaf_symbol(const struct pl_frame *frame, const struct pl_json *json)
{
	uint32_t last = 0;

	if (!frame->inlines)
		return frame->symbol;
	for (uint32_t at = frame->inlines + 1; at < json->tape[frame->inlines].next;
	     at = json->tape[at].next)
		last = at;
	uint32_t symbol = last ? pl_json_member(json, last, "symbol") : 0;
	return symbol ? pl_json_str(json, symbol) : frame->symbol;
}

const char *frames_add(struct frames *f, const struct pl_frame *frame, const struct pl_json *json)
{
	struct profile *p = f->profile;
	const struct module_info *module =
		frame->module == PL_NO_MODULE ? NULL : &f->modules[frame->module];
	struct pl_str recorded_dso =
		module ? profile_text(p, module->dso) : (struct pl_str){NULL, 0};
	struct pl_str kind = frame->kind.p ? frame->kind
			     : module	   ? profile_text(p, module->kind)
					   : (struct pl_str){NULL, 0};
	bool deleted = false;
	struct pl_str dso = pl_dso_normal(recorded_dso, &deleted);
	struct function outer = {frame->symbol, frame->raw, dso, frame->source, frame->inlined};
	const char *wrong = NULL;

	if (deleted && !kind.p)
		kind = PL_S("deleted");
	PL_GROW(f->info, f->n + 1, f->cap);
	PL_GROW(f->key, f->n + 1, f->key_cap);
	struct frame_info *info = &f->info[f->n];
	*info = (struct frame_info){
		.first = (uint32_t)f->places_n, .module = frame->module, .mode = mode_of(kind)};
	add_place(f, &outer, recorded_dso);
	if (frame->inlines)
		wrong = add_inlined(f, frame, json, dso, recorded_dso);
	if (wrong)
		return wrong;
	struct pl_str leaf = leaf_symbol(frame, json);
	info->n = (uint32_t)(f->places_n - info->first);
	info->kind = profile_string(p, kind);
	info->offset = profile_string(p, frame->offset);
	info->unresolved = pl_symbol_unresolved(leaf);
	info->idle = is_idle(leaf, dso, info->mode, kind.p != NULL);
	info->suspect = frame->suspect.p != NULL;
	info->jit = pl_str_is(kind, "jit") || pl_str_is(dso, "[jit]");
	info->trusted = !info->unresolved && frame->module != PL_NO_MODULE &&
			f->modules[frame->module].trusted;
	PL_GROW(f->nameless, f->n + 1, f->nameless_cap);
	f->nameless[f->n] = info->unresolved;
	f->key[f->n++] = info->n == 1 ? f->places[info->first].key : PL_INTERN_NONE;
	return NULL;
}
