/* rowid: keys as bytes that compare as they should, and SHA-256 over them */
#include "rowid.h"

enum { DSO_NONE = 1, DSO_FOLLOWS = 2, DIGITS = 16 };

void pl_row_key(struct pl_buf *b, struct pl_str name, struct pl_str dso)
{
	pl_buf_clear(b);
	pl_buf_adds(b, name);
	pl_buf_addc(b, '\0');
	pl_buf_addc(b, dso.p ? DSO_FOLLOWS : DSO_NONE);
	pl_buf_adds(b, dso);
}

struct pl_str pl_row_key_name(struct pl_str key)
{
	key.n = strlen(key.p); /* the NUL is always there */
	return key;
}

struct pl_str pl_row_key_dso(struct pl_str key)
{
	size_t name = strlen(key.p);

	if (key.p[name + 1] == DSO_NONE)
		return (struct pl_str){NULL, 0};
	return (struct pl_str){key.p + name + 2, key.n - name - 2};
}

/* A text and the NUL that ends it. */
static void add_text(struct pl_sha256 *h, struct pl_str text)
{
	pl_sha256_add(h, text.p ? text.p : "", text.n);
	pl_sha256_add(h, "", 1);
}

void pl_row_id_start(struct pl_sha256 *h, struct pl_str group_by)
{
	pl_sha256_start(h);
	add_text(h, group_by);
}

void pl_row_id_key(struct pl_sha256 *h, struct pl_str key)
{
	add_text(h, pl_row_key_name(key));
	add_text(h, pl_str_base(pl_row_key_dso(key)));
}

void pl_row_id_end(struct pl_sha256 *h, char kind, char id[PL_ROW_ID_MAX])
{
	char hex[PL_SHA256_HEX + 1];

	pl_sha256_end(h, hex);
	snprintf(id, PL_ROW_ID_MAX, "%c-%.*s", kind, DIGITS, hex);
}

void pl_row_ids_start(struct pl_row_ids *given)
{
	*given = (struct pl_row_ids){0};
	pl_intern_init(&given->ids);
}

void pl_row_ids_add(struct pl_row_ids *given, char id[PL_ROW_ID_MAX])
{
	size_t n = strlen(id);
	uint32_t base = pl_intern(&given->ids, id, n);

	PL_GROW(given->taken, given->ids.n, given->taken_cap);
	if (++given->taken[base] > 1)
		snprintf(id + n, PL_ROW_ID_MAX - n, "-%u", given->taken[base]);
}

void pl_row_ids_free(struct pl_row_ids *given)
{
	pl_intern_free(&given->ids);
	free(given->taken);
}
