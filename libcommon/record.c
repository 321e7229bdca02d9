/* record: reads an object by its table of members */
#include "record.h"
#include "num.h"
#include "text.h"

#include <math.h>

static const char *const kinds[] = {
	[PL_M_STR] = N_("a string"),
	[PL_M_U64] = N_("an integer from 0 to 2^64-1"),
	[PL_M_U32] = N_("an integer from 0 to 2^32-2"),
	[PL_M_I64] = N_("an integer"),
	[PL_M_MICRO] = N_("a number that is not negative"),
	[PL_M_REAL] = N_("a number"),
	[PL_M_BOOL] = N_("true or false"),
	[PL_M_ARRAY] = N_("an array"),
	[PL_M_OBJECT] = N_("an object"),
	[PL_M_ANY] = N_("a value"),
};

/* A number in millionths, from an integer or a decimal text; further decimals are rounded. */
static bool read_micro(const struct pl_json_tok *tok, struct pl_str text, uint64_t *micro)
{
	double v;

	if (tok->type == PL_JSON_UINT)
		return !__builtin_mul_overflow(tok->v.u, 1000000u, micro);
	if (tok->type != PL_JSON_REAL || pl_num_real(text, &v) || v < 0 || v > 1e12)
		return false;
	*micro = (uint64_t)llround(v * 1e6);
	return true;
}

static bool read_real(const struct pl_json_tok *tok, struct pl_str text, double *v)
{
	if (tok->type == PL_JSON_UINT)
		*v = (double)tok->v.u;
	else if (tok->type == PL_JSON_INT)
		*v = (double)tok->v.i;
	else
		return tok->type == PL_JSON_REAL && pl_num_real(text, v) == 0;
	return true;
}

static bool read_i64(const struct pl_json_tok *tok, int64_t *v)
{
	if (tok->type == PL_JSON_UINT && tok->v.u <= INT64_MAX)
		*v = (int64_t)tok->v.u;
	else if (tok->type == PL_JSON_INT)
		*v = tok->v.i;
	else
		return false;
	return true;
}

static bool read_value(const struct pl_member *m, const struct pl_json *json, uint32_t index,
		       char *at)
{
	const struct pl_json_tok *tok = &json->tape[index];

	switch (m->kind) {
	case PL_M_STR:
		*(struct pl_str *)at = pl_json_str(json, index);
		return tok->type == PL_JSON_STRING;
	case PL_M_U64:
		*(uint64_t *)at = tok->v.u;
		return tok->type == PL_JSON_UINT;
	case PL_M_U32:
		*(uint32_t *)at = (uint32_t)tok->v.u;
		return tok->type == PL_JSON_UINT && tok->v.u < UINT32_MAX;
	case PL_M_I64:
		return read_i64(tok, (int64_t *)at);
	case PL_M_MICRO:
		return read_micro(tok, pl_json_str(json, index), (uint64_t *)at);
	case PL_M_REAL:
		return read_real(tok, pl_json_str(json, index), (double *)at);
	case PL_M_BOOL:
		*(bool *)at = tok->type == PL_JSON_TRUE;
		return tok->type == PL_JSON_TRUE || tok->type == PL_JSON_FALSE;
	case PL_M_ARRAY:
		*(uint32_t *)at = index;
		return tok->type == PL_JSON_ARRAY;
	case PL_M_OBJECT:
		*(uint32_t *)at = index;
		return tok->type == PL_JSON_OBJECT;
	default:
		*(uint32_t *)at = index;
		return true;
	}
}

static void set_absent(const struct pl_member *m, char *at)
{
	if (m->kind == PL_M_U32)
		*(uint32_t *)at = UINT32_MAX;
	else if (m->kind == PL_M_REAL)
		*(double *)at = NAN;
}

/* Hot (each member of each record), and the names are short: no call, and no length of the table's
 * name. */
static bool has_name(const struct pl_member *m, struct pl_str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (m->name[i] != name.p[i] || !m->name[i])
			return false;
	return m->name[name.n] == '\0';
}

/* The member called `name`: our writers keep the table's order, so the search starts where the last
 * one ended. */
static size_t find_member(const struct pl_record *r, struct pl_str name, size_t from)
{
	for (size_t k = 0, i = from; k < r->n; k++, i++) {
		if (i >= r->n)
			i -= r->n;
		if (has_name(&r->members[i], name))
			return i;
	}
	return r->n;
}

static const char *report_missing(const struct pl_record *r, uint64_t seen, char message[256])
{
	for (size_t i = 0; i < r->n; i++) {
		if ((r->members[i].flags & PL_M_REQUIRED) && !(seen >> i & 1)) {
			snprintf(message, 256, _("the member '%s' is missing"), r->members[i].name);
			return message;
		}
	}
	return NULL;
}

const char *pl_record_read(const struct pl_record *r, const struct pl_json *json, uint32_t object,
			   void *out, char message[256])
{
	const struct pl_json_tok *tape = json->tape;
	uint64_t seen = 0;
	size_t from = 0;

	if (tape[object].type != PL_JSON_OBJECT)
		return _("an object is wanted here");
	for (uint32_t key = object + 1; key < tape[object].next;) {
		uint32_t value = key + 1;
		size_t i = find_member(r, pl_json_str(json, key), from);
		key = tape[value].next;
		if (i == r->n)
			continue;
		from = i + 1;
		seen |= 1ull << i;
		const struct pl_member *m = &r->members[i];
		char *at = (char *)out + m->offset;
		bool null = tape[value].type == PL_JSON_NULL && (m->flags & PL_M_NULLABLE);
		if (null) {
			set_absent(m, at);
		} else if (!read_value(m, json, value, at)) {
			snprintf(message, 256, _("the member '%s' must be %s"), m->name,
				 _(kinds[m->kind]));
			return message;
		}
		if (m->has != SIZE_MAX)
			*(bool *)((char *)out + m->has) = !null;
	}
	return report_missing(r, seen, message);
}
