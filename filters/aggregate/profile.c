/* profile: the tables behind the sums */
#include "profile.h"
#include "limits.h"
#include "mem.h"
#include "rowid.h"
#include "text.h"

void profile_start(struct profile *p)
{
	memset(p, 0, sizeof *p);
	pl_intern_init(&p->strings);
	pl_intern_init(&p->keys);
	pl_intern_init(&p->identities);
}

static void tally_free(struct tally *t)
{
	pl_buf_free(&t->largest_stack);
	free(t->hot);
	free(t->keys);
	pl_intern_free(&t->details);
	free(t->detail_self);
	pl_intern_free(&t->modules);
	free(t->module_sums);
	pl_intern_free(&t->paths);
	free(t->path_sums);
	free(t);
}

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->tallies_n; i++)
		tally_free(p->tallies[i]);
	free(p->tallies);
	pl_intern_free(&p->strings);
	pl_intern_free(&p->keys);
	pl_intern_free(&p->identities);
	pl_buf_free(&p->scratch);
}

uint32_t profile_string(struct profile *p, struct pl_str s)
{
	return s.p ? pl_intern(&p->strings, s.p, s.n) : (uint32_t)NO_STRING;
}

struct pl_str profile_text(const struct profile *p, uint32_t string)
{
	return string >= UNSET ? (struct pl_str){NULL, 0} : pl_intern_str(&p->strings, string);
}

static struct pl_str keep(struct profile *p, struct pl_str s)
{
	return profile_text(p, profile_string(p, s));
}

struct tally *profile_tally(struct profile *p, const struct pl_event *event)
{
	if (p->only_event && !pl_str_is(event->name, p->only_event))
		return NULL;
	const struct pl_str parts[] = {event->name, event->unit, event->weight_source,
				       event->source};
	pl_buf_clear(&p->scratch);
	for (size_t i = 0; i < PL_COUNT(parts); i++) {
		pl_buf_adds(&p->scratch, parts[i]);
		pl_buf_addc(&p->scratch, '\0');
	}
	uint32_t id = pl_intern(&p->identities, p->scratch.p, p->scratch.n);
	if (id < p->tallies_n)
		return p->tallies[id];
	struct tally *t = pl_alloc(sizeof *t);
	t->name = keep(p, event->name);
	t->unit = keep(p, event->unit);
	t->weight_source = keep(p, event->weight_source);
	t->source = keep(p, event->source);
	pl_intern_init(&t->details);
	pl_intern_init(&t->modules);
	pl_intern_init(&t->paths);
	PL_GROW(p->tallies, p->tallies_n + 1, p->tallies_cap);
	p->tallies[p->tallies_n++] = t;
	return t;
}

uint32_t profile_key(struct profile *p, struct pl_str name, struct pl_str dso)
{
	struct pl_buf *b = &p->scratch;

	pl_row_key(b, name, dso);
	return pl_intern(&p->keys, b->p, b->n);
}

struct pl_str profile_key_name(const struct profile *p, uint32_t key)
{
	return pl_row_key_name(pl_intern_str(&p->keys, key));
}

struct pl_str profile_key_dso(const struct profile *p, uint32_t key)
{
	return pl_row_key_dso(pl_intern_str(&p->keys, key));
}

int profile_too_many_cells(struct profile *p, size_t events, size_t functions)
{
	pl_err_set(&p->err, PL_E_RESOURCE_LIMIT_EXCEEDED,
		   _("%zu events of up to %zu functions each are more than can be summed at once"),
		   events, functions);
	return pl_err_action(&p->err, _("choose one with --event, or raise --max-unique-frames"));
}

size_t tally_keys(const struct profile *p, const struct tally *t)
{
	return p->keys.n < t->keys_cap ? p->keys.n : t->keys_cap;
}

int tally_make_room(struct profile *p, struct tally *t)
{
	size_t before = t->keys_cap;

	if (before >= p->keys.n)
		return 0;
	if (p->cells + (p->keys.n - before) > p->max_cells)
		return profile_too_many_cells(p, p->tallies_n, p->keys.n);

	PL_GROW(t->hot, p->keys.n, t->hot_cap);
	PL_GROW(t->keys, p->keys.n, t->keys_cap);
	for (size_t i = before; i < t->keys_cap; i++)
		t->keys[i].kind = UNSET;
	p->cells += t->keys_cap - before;
	return 0;
}

void tally_add_detail(struct profile *p, struct tally *t, const struct detail *detail,
		      uint64_t self)
{
	uint32_t before = (uint32_t)t->details.n,
		 id = pl_intern(&t->details, detail, sizeof *detail);

	PL_GROW(t->detail_self, t->details.n, t->detail_cap);
	if (id == before)
		t->detail_self[id] = 0;
	profile_add(p, &t->detail_self[id], self);
}

struct module_sum *tally_module(struct tally *t, uint32_t dso, uint32_t build_id)
{
	const uint32_t identity[] = {dso, build_id};
	uint32_t before = (uint32_t)t->modules.n,
		 id = pl_intern(&t->modules, identity, sizeof identity);

	PL_GROW(t->module_sums, t->modules.n, t->module_cap);
	if (id == before)
		t->module_sums[id] = (struct module_sum){.dso = dso,
							 .build_id = build_id,
							 .kind = NO_STRING,
							 .symbols = NO_STRING,
							 .reason = NO_STRING};
	return &t->module_sums[id];
}

static uint32_t lesser(const struct profile *p, uint32_t a, uint32_t b)
{
	if (a == NO_STRING || b == NO_STRING)
		return a == NO_STRING ? b : a;
	return pl_str_cmp(profile_text(p, a), profile_text(p, b)) <= 0 ? a : b;
}

void module_merge_words(const struct profile *p, struct module_sum *to, uint32_t kind,
			uint32_t symbols, uint32_t reason)
{
	to->kind = lesser(p, to->kind, kind);
	to->symbols = lesser(p, to->symbols, symbols);
	to->reason = lesser(p, to->reason, reason);
}

int tally_add_path(struct profile *p, struct tally *t, const uint32_t *keys, size_t keys_n,
		   uint64_t weight, uint64_t samples)
{
	uint32_t before = (uint32_t)t->paths.n,
		 id = pl_intern(&t->paths, keys, keys_n * sizeof *keys);

	if (id == before) {
		if (++p->paths_n > p->max_paths) {
			pl_limit_exceeded(&p->err, PL_LIMIT_UNIQUE_CALL_PATHS, p->max_paths);
			return pl_err_action(&p->err, _("raise --max-unique-call-paths, or do "
							"without paths: --no-paths"));
		}
		PL_GROW(t->path_sums, t->paths.n, t->path_cap);
		t->path_sums[id] = (struct path_sum){0};
	}
	profile_add(p, &t->path_sums[id].weight, weight);
	profile_add(p, &t->path_sums[id].samples, samples);
	return 0;
}

void key_merge_kind(struct key_sum *key, uint32_t kind, bool inlined)
{
	if (key->kind == UNSET)
		key->kind = kind;
	else if (key->kind != kind)
		key->kind = NO_STRING;
	key->inlined = inlined && key->inlined != 2 ? 1 : 2;
}

int profile_check_overflow(struct profile *p)
{
	return p->overflow ? pl_err_set(&p->err, PL_E_WEIGHT_OVERFLOW,
					_("the weights add up to more than 2^64-1"))
			   : 0;
}
