/* keys: what rows, callers, callees and frames of paths are about */
#include "rowid.h"
#include "verify.h"

struct pl_str text_member(const struct pl_json *json, uint32_t object, const char *name)
{
	uint32_t tok = pl_json_member(json, object, name);

	return tok && json->tape[tok].type == PL_JSON_STRING ? pl_json_str(json, tok)
							     : (struct pl_str){0};
}

const char *wrong_key_member(const struct grouping *grouping, const struct pl_json *json,
			     uint32_t object)
{
	static const char *const names[] = {"symbol", "comm", "tid", "source"};
	uint32_t dso = pl_json_member(json, object, "dso");

	if (grouping->dso != (dso != 0))
		return "dso";
	for (size_t i = 0; i < PL_COUNT(names); i++) {
		uint32_t tok = pl_json_member(json, object, names[i]);
		bool wanted = grouping->name && strcmp(names[i], grouping->name) == 0;
		if (wanted ? tok == 0 || json->tape[tok].type != PL_JSON_STRING : tok != 0)
			return names[i];
	}
	return NULL;
}

void keys_start(struct keys *keys)
{
	*keys = (struct keys){0};
	pl_intern_init(&keys->all);
}

void keys_free(struct keys *keys)
{
	pl_intern_free(&keys->all);
	pl_buf_free(&keys->scratch);
}

uint32_t keys_of(struct keys *keys, const struct grouping *grouping, const struct pl_json *json,
		 uint32_t object)
{
	struct pl_str name = {0}, dso = {0};

	if (grouping->name)
		name = text_member(json, object, grouping->name);
	if (grouping->dso)
		dso = text_member(json, object, "dso");
	pl_row_key(&keys->scratch, name, dso);
	return pl_intern(&keys->all, keys->scratch.p, keys->scratch.n);
}

int keys_compare(const struct keys *keys, uint32_t a, uint32_t b)
{
	return a == b ? 0 : pl_str_cmp(pl_intern_str(&keys->all, a), pl_intern_str(&keys->all, b));
}
