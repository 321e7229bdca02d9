/* jsonw: canonical JSON into a buffer */
#include "jsonw.h"
#include "num.h"
#include <math.h>

static void separate(struct pl_jsonw *w)
{
	if (w->comma)
		pl_buf_addc(w->buf, ',');
	w->comma = true;
}

void pl_jsonw_begin(struct pl_jsonw *w, char bracket)
{
	separate(w);
	pl_buf_addc(w->buf, bracket);
	w->comma = false;
}

void pl_jsonw_end(struct pl_jsonw *w, char bracket)
{
	pl_buf_addc(w->buf, bracket);
	w->comma = true;
}

/* The length of the run at the start of s that needs no escape. */
static size_t plain(struct pl_str s)
{
	size_t i = 0;

	for (; s.n - i >= 8; i += 8) {
		uint64_t special = pl_json_special(s.p + i);
		if (special)
			return i + pl_json_first(special);
	}
	while (i < s.n && (unsigned char)s.p[i] >= 0x20 && s.p[i] != '"' && s.p[i] != '\\')
		i++;
	return i;
}

static void escape(struct pl_buf *b, unsigned char c)
{
	static const char letters[0x20] = {
		['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

	if (c >= 0x20) {
		pl_buf_add(b, (char[]){'\\', (char)c}, 2);
	} else if (letters[c]) {
		pl_buf_add(b, (char[]){'\\', letters[c]}, 2);
	} else {
		pl_buf_adds(b, PL_S("\\u00"));
		pl_buf_addc(b, "01"[c >> 4]);
		pl_buf_addc(b, "0123456789abcdef"[c & 15]);
	}
}

static void quoted(struct pl_buf *b, struct pl_str s)
{
	pl_buf_reserve(b, s.n + 3);
	pl_buf_addc(b, '"');
	for (;;) {
		size_t n = plain(s);
		pl_buf_add(b, s.p, n);
		if (n == s.n)
			break;
		escape(b, (unsigned char)s.p[n]);
		s = (struct pl_str){s.p + n + 1, s.n - n - 1};
	}
	pl_buf_addc(b, '"');
}

void pl_jsonw_key(struct pl_jsonw *w, const char *key)
{
	size_t n = strlen(key);

	pl_buf_reserve(w->buf, n + 4);
	char *p = w->buf->p + w->buf->n;
	if (w->comma)
		*p++ = ',';
	*p++ = '"';
	memcpy(p, key, n);
	memcpy(p + n, "\":", 3);
	w->buf->n = (size_t)(p + n + 2 - w->buf->p);
	w->comma = false;
}

void pl_jsonw_keys(struct pl_jsonw *w, struct pl_str key)
{
	separate(w);
	quoted(w->buf, key);
	pl_buf_addc(w->buf, ':');
	w->comma = false;
}

void pl_jsonw_str(struct pl_jsonw *w, struct pl_str s)
{
	if (!s.p) {
		pl_jsonw_null(w);
		return;
	}
	separate(w);
	quoted(w->buf, s);
}

void pl_jsonw_u64(struct pl_jsonw *w, uint64_t v)
{
	char digits[PL_NUM_MAX];

	pl_jsonw_raw(w, (struct pl_str){digits, pl_num_put_u64(digits, v)});
}

void pl_jsonw_i64(struct pl_jsonw *w, int64_t v)
{
	char digits[PL_NUM_MAX];

	pl_jsonw_raw(w, (struct pl_str){digits, pl_num_put_i64(digits, v)});
}

void pl_jsonw_micro(struct pl_jsonw *w, uint64_t micro)
{
	char digits[PL_NUM_MAX];

	pl_jsonw_raw(w, (struct pl_str){digits, pl_num_put_micro(digits, micro)});
}

void pl_jsonw_real(struct pl_jsonw *w, double v)
{
	char digits[PL_REAL_MAX];

	if (isfinite(v))
		pl_jsonw_raw(w, (struct pl_str){digits, pl_num_put_real(digits, v)});
	else
		pl_jsonw_null(w);
}

void pl_jsonw_bool(struct pl_jsonw *w, bool v)
{
	pl_jsonw_raw(w, v ? PL_S("true") : PL_S("false"));
}

void pl_jsonw_null(struct pl_jsonw *w)
{
	pl_jsonw_raw(w, PL_S("null"));
}

void pl_jsonw_raw(struct pl_jsonw *w, struct pl_str json)
{
	separate(w);
	pl_buf_adds(w->buf, json);
}

static void scalar(struct pl_jsonw *w, const struct pl_json *json, uint32_t tok)
{
	const struct pl_json_tok *t = &json->tape[tok];

	switch ((enum pl_json_type)t->type) {
	case PL_JSON_UINT:
		pl_jsonw_u64(w, t->v.u);
		break;
	case PL_JSON_INT:
		pl_jsonw_i64(w, t->v.i);
		break;
	case PL_JSON_REAL:
		pl_jsonw_raw(w, pl_json_str(json, tok));
		break;
	case PL_JSON_STRING:
		pl_jsonw_str(w, pl_json_str(json, tok));
		break;
	case PL_JSON_FALSE:
	case PL_JSON_TRUE:
		pl_jsonw_bool(w, t->type == PL_JSON_TRUE);
		break;
	default:
		pl_jsonw_null(w);
	}
}

void pl_jsonw_value(struct pl_jsonw *w, const struct pl_json *json, uint32_t tok)
{
	struct {
		uint32_t end;
		bool object, key; /* key: a key is due */
	} open[PL_JSON_DEPTH + 1] = {{.end = json->tape[tok].next}}, *in = open;

	for (uint32_t i = tok; i < open->end; i++) {
		const struct pl_json_tok *t = &json->tape[i];
		if (in->key) {
			pl_jsonw_keys(w, pl_json_str(json, i));
			in->key = false;
			continue;
		}
		in->key = in->object;
		if (t->type == PL_JSON_ARRAY || t->type == PL_JSON_OBJECT) {
			bool object = t->type == PL_JSON_OBJECT;
			pl_jsonw_begin(w, object ? '{' : '[');
			in++;
			in->end = t->next;
			in->object = in->key = object;
		} else {
			scalar(w, json, i);
		}
		for (; in > open && in->end == i + 1; in--)
			pl_jsonw_end(w, in->object ? '}' : ']');
	}
}

void pl_jsonw_record(struct pl_jsonw *w, const char *type)
{
	w->comma = false;
	pl_jsonw_begin(w, '{');
	pl_jsonw_kz(w, "type", type);
}

void pl_jsonw_record_end(struct pl_jsonw *w)
{
	pl_buf_add(w->buf, "}\n", 2);
	w->comma = false;
}

void pl_jsonw_kstr(struct pl_jsonw *w, const char *key, struct pl_str s)
{
	pl_jsonw_key(w, key);
	pl_jsonw_str(w, s);
}

void pl_jsonw_kz(struct pl_jsonw *w, const char *key, const char *z)
{
	pl_jsonw_key(w, key);
	pl_jsonw_str(w, pl_str(z));
}

void pl_jsonw_ku64(struct pl_jsonw *w, const char *key, uint64_t v)
{
	pl_jsonw_key(w, key);
	pl_jsonw_u64(w, v);
}

void pl_jsonw_kcount(struct pl_jsonw *w, const char *key, uint64_t v)
{
	if (v)
		pl_jsonw_ku64(w, key, v);
}

void pl_jsonw_kmicro(struct pl_jsonw *w, const char *key, uint64_t micro)
{
	pl_jsonw_key(w, key);
	pl_jsonw_micro(w, micro);
}

void pl_jsonw_kreal(struct pl_jsonw *w, const char *key, double v)
{
	pl_jsonw_key(w, key);
	pl_jsonw_real(w, v);
}

void pl_jsonw_kbool(struct pl_jsonw *w, const char *key, bool v)
{
	pl_jsonw_key(w, key);
	pl_jsonw_bool(w, v);
}

void pl_jsonw_knull(struct pl_jsonw *w, const char *key)
{
	pl_jsonw_key(w, key);
	pl_jsonw_null(w);
}

void pl_jsonw_kbegin(struct pl_jsonw *w, const char *key, char bracket)
{
	pl_jsonw_key(w, key);
	pl_jsonw_begin(w, bracket);
}
