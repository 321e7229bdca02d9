/* fold: from the sums of frames to those of keys, details and modules */
#include "fold.h"

static void fold_place(const struct frames *f, struct tally *t, const struct frame_info *info,
		       const struct place *place, const struct frame_sum *sum)
{
	struct key_sum *key = &t->keys[place->key];

	key->occurrences += sum->occurrences;
	key_merge_kind(key, info->kind, place->inlined);
	if (place->variant == NO_STRING) /* by DSO, and the format has none */
		return;
	tally_add_detail(f->profile, t,
			 &(struct detail){.key = place->key,
					  .kind = DETAIL_VARIANT,
					  .a = place->variant,
					  .b = NO_STRING},
			 0);
}

static void fold_leaf(const struct frames *f, struct tally *t, const struct frame_info *info,
		      const struct frame_sum *sum)
{
	const struct place *leaf = &f->places[info->first + info->n - 1];
	struct key_sum *key = &t->keys[leaf->key];
	uint32_t build_id = info->module == PL_NO_MODULE ? (uint32_t)NO_STRING
							 : f->modules[info->module].build_id;

	key->self += sum->self;
	key->self_samples += sum->self_samples;
	key->idle += sum->idle;
	if (leaf->file != NO_STRING)
		tally_add_detail(f->profile, t,
				 &(struct detail){.key = leaf->key,
						  .kind = DETAIL_SOURCE,
						  .a = leaf->file,
						  .b = NO_STRING,
						  .line = leaf->line},
				 sum->self);
	if (info->offset != NO_STRING)
		tally_add_detail(f->profile, t,
				 &(struct detail){.key = leaf->key,
						  .kind = DETAIL_ADDRESS,
						  .a = build_id,
						  .b = info->offset},
				 sum->self);
}

static void fold_module(const struct frames *f, struct tally *t, const struct frame_info *info,
			const struct frame_sum *sum)
{
	const struct module_info *m = &f->modules[info->module];
	struct module_sum *to = tally_module(t, m->dso, m->build_id);

	to->self += sum->self;
	to->unresolved_self += info->unresolved ? sum->self : 0;
	module_merge_words(f->profile, to, m->kind, m->symbols, m->reason);
}

void fold_frame(const struct frames *f, struct tally *t, size_t frame, const struct frame_sum *sum)
{
	const struct frame_info *info = &f->info[frame];
	const struct place *places = &f->places[info->first];
	bool by_frame = f->profile->group_by != BY_COMM && f->profile->group_by != BY_TID;

	for (uint32_t k = 0; k < info->n; k++) {
		t->inlined_frames += places[k].inlined ? sum->occurrences : 0;
		if (by_frame)
			fold_place(f, t, info, &places[k], sum);
	}
	t->suspect_callers += info->suspect ? sum->occurrences : 0;
	t->jit_frames += info->jit ? sum->occurrences : 0;
	t->trusted_frames += info->trusted ? sum->occurrences : 0;
	if (sum->self_samples == 0)
		return;
	t->source_line_self += places[info->n - 1].file != NO_STRING ? sum->self : 0;
	if (by_frame)
		fold_leaf(f, t, info, sum);
	if (info->module != PL_NO_MODULE)
		fold_module(f, t, info, sum);
}
